//===- Matcher.cpp - Which advices apply where ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Matcher.h"

using namespace jopt;
using llvm::StringRef;

bool jopt::matchesWildcard(StringRef Pattern, StringRef Text) {
  if (Pattern == "*" || Text == "*")
    return true;
  size_t Star = Pattern.find('*');
  if (Star == StringRef::npos)
    return Pattern == Text;
  if (!Text.consume_front(Pattern.take_front(Star)))
    return false;
  Pattern = Pattern.drop_front(Star + 1);
  while ((Star = Pattern.find('*')) != StringRef::npos) {
    // The original does not skip a second star at the end of its input: "a**"
    // matches "ab" and not "a".
    if (Star == 0 && Text.empty())
      return false;
    size_t At = Text.find(Pattern.take_front(Star));
    if (At == StringRef::npos)
      return false;
    Text = Text.drop_front(At + Star);
    Pattern = Pattern.drop_front(Star + 1);
  }
  return Text.ends_with(Pattern);
}

/// An empty pattern stands for an attribute that was left out.
static bool isAll(StringRef Pattern) {
  return Pattern.empty() || Pattern == "*";
}

static bool matchesPattern(StringRef Pattern, StringRef Text) {
  return isAll(Pattern) || matchesWildcard(Pattern, Text);
}

namespace {

/// An internal name as target rules see it: package and class.
struct SplitName {
  explicit SplitName(StringRef Name) {
    size_t Slash = Name.rfind('/');
    Package = Slash == StringRef::npos ? StringRef() : Name.take_front(Slash);
    Class = Slash == StringRef::npos ? Name : Name.drop_front(Slash + 1);
  }
  bool matches(const TargetRule &R) const {
    bool Unnamed = R.Package == "." || R.Package == "/";
    return (Unnamed ? Package.empty() : matchesPattern(R.Package, Package)) &&
           matchesPattern(R.Class, Class);
  }
  StringRef Package, Class;
};

/// What a list of rules says: the deciding rule, or none (include).
struct Verdict {
  bool Include = true;
  int Rule = -1;
  bool isExplicit() const { return Rule >= 0; }
};

} // namespace

static Verdict evaluate(llvm::ArrayRef<TargetRule> Rules, const SplitName &C,
                        StringRef Method, StringRef Descriptor) {
  for (size_t I = 0; I < Rules.size(); ++I) {
    const TargetRule &R = Rules[I];
    if (matchesPattern(R.Method, Method) &&
        matchesPattern(R.Signature, Descriptor) && C.matches(R))
      return {R.Include, int(I)};
  }
  return {};
}

/// Whether the rules may include some method of \p C.
static bool mayInclude(llvm::ArrayRef<TargetRule> Rules, const SplitName &C) {
  for (const TargetRule &R : Rules) {
    if (!C.matches(R))
      continue;
    if (R.Include)
      return true;
    if (isAll(R.Method) && isAll(R.Signature))
      return false;
  }
  return true;
}

/// Whether an include rule can be reached by some name.
static bool hasInclude(llvm::ArrayRef<TargetRule> Rules) {
  for (const TargetRule &R : Rules) {
    if (R.Include)
      return true;
    if (isAll(R.Package) && isAll(R.Class) && isAll(R.Method) &&
        isAll(R.Signature))
      return false;
  }
  return false;
}

struct Matcher::Counters {
  explicit Counters(const AdviceSet &Set) {
    size_t Size = Set.Probes.size();
    for (const Probe &P : Set.Probes) {
      FirstRule.push_back(Size);
      Size += P.Rules.size();
    }
    Values = std::vector<std::atomic<uint64_t>>(Size);
  }
  void count(size_t I) { Values[I].fetch_add(1, std::memory_order_relaxed); }

  /// One per probe, then one per rule.
  std::vector<std::atomic<uint64_t>> Values;
  std::vector<size_t> FirstRule;
};

Matcher::Matcher(const AdviceSet &Set)
    : Set(Set), Hits(std::make_unique<Counters>(Set)) {}
Matcher::~Matcher() = default;

bool Matcher::canMatchClass(StringRef InternalName) const {
  SplitName C(InternalName);
  bool FilterIncludes = hasInclude(Set.Filters);
  for (const Probe &P : Set.Probes) {
    if (mayInclude(Set.Filters, C) && mayInclude(P.Rules, C))
      return true;
    // An interface of the class may bring it in, by an include rule that names
    // it; which interfaces there are only the class file tells.
    if (FilterIncludes || hasInclude(P.Rules))
      return true;
  }
  return false;
}

llvm::BitVector Matcher::match(const MatchClass &C, StringRef Method,
                               StringRef Descriptor) const {
  llvm::BitVector Selected(unsigned(Set.Probes.size()));
  if (C.IsInterface)
    return Selected;
  SplitName Name(C.Name);
  Verdict Filter = evaluate(Set.Filters, Name, Method, Descriptor);
  llvm::SmallVector<std::pair<SplitName, Verdict>, 4> Interfaces;
  for (StringRef I : C.Interfaces) {
    SplitName IName(I);
    Verdict V = evaluate(Set.Filters, IName, Method, Descriptor);
    if (V.Include)
      Interfaces.push_back({IName, V});
  }

  for (unsigned P = 0; P < Set.Probes.size(); ++P) {
    llvm::ArrayRef<TargetRule> Rules = Set.Probes[P].Rules;
    Verdict V = evaluate(Rules, Name, Method, Descriptor);
    bool Include = Filter.Include && V.Include;
    for (const auto &[IName, IFilter] : Interfaces) {
      if (Include)
        break;
      Verdict IV = evaluate(Rules, IName, Method, Descriptor);
      if (IV.Include && (IV.isExplicit() || IFilter.isExplicit())) {
        Include = true;
        V = IV;
      }
    }
    if (V.isExplicit())
      Hits->count(Hits->FirstRule[P] + size_t(V.Rule));
    if (Include) {
      Selected.set(P);
      Hits->count(P);
    }
  }
  return Selected;
}

uint64_t Matcher::probeHits(unsigned P) const {
  return Hits->Values[P].load(std::memory_order_relaxed);
}

uint64_t Matcher::ruleHits(unsigned P, unsigned R) const {
  return Hits->Values[Hits->FirstRule[P] + R].load(std::memory_order_relaxed);
}
