//===- Matcher.cpp - Which advices apply where ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Matcher.h"
#include "ProbeIndex.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

using namespace jopt;
using llvm::StringRef;

static bool matchesPattern(StringRef Pattern, StringRef Text) {
  return isAll(Pattern) || matchesWildcard(Pattern, Text);
}

namespace {

/// An internal name as target rules see it: package and class.
struct SplitName {
  explicit SplitName(StringRef Name) : Whole(Name) {
    size_t Slash = Name.rfind('/');
    Package = Slash == StringRef::npos ? StringRef() : Name.take_front(Slash);
    Class = Slash == StringRef::npos ? Name : Name.drop_front(Slash + 1);
  }
  bool matches(const TargetRule &R) const {
    const bool Unnamed =
        R.Package.size() == 1 && (R.Package[0] == '.' || R.Package[0] == '/');
    return (Unnamed ? Package.empty() : matchesPattern(R.Package, Package)) &&
           matchesPattern(R.Class, Class) && matchesPattern(R.Type, Whole);
  }
  StringRef Package, Class, Whole;
};

} // namespace

bool jopt::matchesClass(const TargetRule &R, StringRef InternalName) {
  return SplitName(InternalName).matches(R);
}

/// Whether \p R matches every class.
static bool isOfAllClasses(const TargetRule &R) {
  return isAll(R.Package) && isAll(R.Class) && isAll(R.Type) &&
         R.ClassAnnotation.empty();
}

/// Whether \p R is about all methods of the classes that it matches, so far as
/// their names and annotations go; Annotation apart.
static bool isOfAllMethods(const TargetRule &R) {
  return isAll(R.Method) && isAll(R.Signature) && !R.Parameters &&
         R.MethodAnnotation.empty();
}

/// Whether \p R decides about every method of the classes that it matches.
static bool decidesClass(const TargetRule &R) {
  return isOfAllMethods(R) && R.Annotation.empty() && R.ClassAnnotation.empty();
}

/// Whether the first of \p Rules that is not about annotations, which callees
/// are not asked for, decides about every callee.
static bool decidesCallees(llvm::ArrayRef<TargetRule> Rules) {
  const auto *First = llvm::find_if(
      Rules, [](const TargetRule &R) { return R.Annotation.empty(); });
  return First == Rules.end() ||
         (isAll(First->Package) && isAll(First->Class) && isAll(First->Type) &&
          isAll(First->Method) && isAll(First->Signature) &&
          !First->Parameters);
}

static bool hasAnnotation(StringRef Pattern,
                          llvm::ArrayRef<StringRef> Annotations) {
  return llvm::any_of(Annotations, [&](StringRef Name) {
    return matchesWildcard(Pattern, Name);
  });
}

bool jopt::matchesParameters(const TargetRule &R, StringRef Descriptor) {
  if (!R.Parameters)
    return true;
  MethodDescriptor D(Descriptor);
  for (StringRef Pattern : *R.Parameters) {
    StringRef Type = D.nextParameter();
    if (Type.empty() || !matchesWildcard(Pattern, Type))
      return false;
  }
  return R.MoreParameters || D.nextParameter().empty();
}

static bool matchesMethod(const TargetRule &R, StringRef Method,
                          StringRef Descriptor) {
  return matchesPattern(R.Method, Method) &&
         matchesPattern(R.Signature, Descriptor) &&
         matchesParameters(R, Descriptor);
}

/// Whether the rules may include some method of \p C.
static bool mayInclude(llvm::ArrayRef<TargetRule> Rules, const SplitName &C) {
  for (const TargetRule &R : Rules) {
    if (!C.matches(R))
      continue;
    if (R.Include)
      return true;
    if (decidesClass(R))
      return false;
  }
  return true;
}

/// Whether the rules may include anything at all.
static bool mayInclude(llvm::ArrayRef<TargetRule> Rules) {
  for (const TargetRule &R : Rules) {
    if (R.Include)
      return true;
    if (isOfAllClasses(R) && isOfAllMethods(R))
      return false;
  }
  return true;
}

/// Whether an include rule can be reached by some name.
static bool hasInclude(llvm::ArrayRef<TargetRule> Rules) {
  for (const TargetRule &R : Rules) {
    if (R.Include)
      return true;
    if (isOfAllClasses(R) && decidesClass(R))
      return false;
  }
  return false;
}

/// Of this thread; null: nobody keeps what is counted.
static thread_local MatchTally *TallyOfThread = nullptr;

struct Matcher::Counters {
  explicit Counters(const AdviceSet &Set) {
    size_t Size = Set.Probes.size();
    for (const Probe &P : Set.Probes) {
      FirstRule.push_back(Size);
      Size += P.Rules.size();
    }
    Values = std::vector<std::atomic<uint64_t>>(Size);
  }
  void count(size_t I, unsigned Times = 1) {
    Values[I].fetch_add(Times, std::memory_order_relaxed);
    if (MatchTally *T = tally())
      T->Counted.insert(T->Counted.end(), Times, uint32_t(I));
  }
  MatchTally *tally() const {
    return TallyOfThread && TallyOfThread->Of == this ? TallyOfThread : nullptr;
  }

  /// One per probe, then one per rule.
  std::vector<std::atomic<uint64_t>> Values;
  std::vector<size_t> FirstRule;

  std::mutex Lock; ///< of what follows
  llvm::StringMap<Unresolved> Missing;
};

MatchTally::MatchTally(const Matcher &Of) : Of(Of.Hits.get()) {
  assert(!TallyOfThread);
  TallyOfThread = this;
}

MatchTally::~MatchTally() { TallyOfThread = nullptr; }

bool Matcher::countAgain(llvm::ArrayRef<uint32_t> Counted) const {
  if (llvm::any_of(Counted,
                   [&](uint32_t I) { return I >= Hits->Values.size(); }))
    return false;
  for (uint32_t I : Counted)
    Hits->count(I);
  return true;
}

void Matcher::countFrom(const Matcher &Before, const Matcher &Changed) const {
  llvm::StringMap<size_t> Numbers;
  for (auto [N, P] : llvm::enumerate(Before.Set.Probes))
    Numbers[P.Name] = N;
  for (const Probe &P : Changed.Set.Probes)
    Numbers.erase(P.Name);
  const Counters &Old = *Before.Hits;
  for (auto [N, P] : llvm::enumerate(Set.Probes)) {
    auto At = Numbers.find(P.Name);
    if (At == Numbers.end() ||
        Before.Set.Probes[At->second].Rules.size() != P.Rules.size())
      continue;
    Hits->Values[N] += Old.Values[At->second];
    for (size_t R = 0; R < P.Rules.size(); ++R)
      Hits->Values[Hits->FirstRule[N] + R] +=
          Old.Values[Old.FirstRule[At->second] + R];
  }
}

static uint64_t nextId() {
  static std::atomic<uint64_t> Last{0};
  return ++Last;
}

Matcher::Matcher(const AdviceSet &Set, RuleCounts Counted)
    : Set(Set), Id(nextId()), Counted(Counted), Calls(findCallProbes(Set)),
      Index(std::make_unique<ProbeIndex>(Set)),
      Hits(std::make_unique<Counters>(Set)) {
  auto Look = [&](llvm::ArrayRef<TargetRule> Rules) {
    Annotated |= llvm::any_of(Rules, [](const TargetRule &R) {
      return !R.Annotation.empty() || !R.ClassAnnotation.empty() ||
             !R.MethodAnnotation.empty();
    });
  };
  for (const Probe &P : Set.Probes) {
    for (const auto *Rules :
         {&P.Rules, &P.Callers, &P.Filters, &P.CallerFilters})
      Look(*Rules);
    Hierarchical |= P.Reach == TargetReach::Ancestors || !P.Ancestors.empty();
    IntoInterfaces |= P.Interfaces;
    Dynamic |= P.DynamicCalls;
    Tells.Callers |= !P.Callers.empty() || !P.CallerFilters.empty();
    Tells.Callees |= Calls.test(unsigned(&P - Set.Probes.data())) &&
                     !(decidesCallees(P.Rules) && decidesCallees(P.Filters));
  }
  Trace = jopt::hasTrace(Set);
  OfClass.resize(Calls.size());
  for (const Advice &A : Set.Advices) {
    Kinds.set(unsigned(A.Kind));
    if (A.Kind == AdviceKind::StaticInitializer)
      OfClass.set(A.Probe);
  }
  for (unsigned P = 0; P < Set.Probes.size(); ++P)
    if (!Set.Probes[P].StaticField.empty())
      OfClass.set(P);
  if (!Hierarchical && !Annotated &&
      llvm::all_of(Set.Probes, [](const Probe &P) {
        return llvm::all_of(P.Rules, isOfAllClasses) &&
               llvm::all_of(P.Filters, isOfAllClasses);
      }))
    ForAnyClass = std::make_unique<const ClassMatcher>(*this, MatchClass());
}
Matcher::~Matcher() = default;

/// The names of all ancestors of \p C, nearest first; one of another loader may
/// have the name of \p C.
static AncestorNames findAncestors(const MatchClass &C,
                                   llvm::SmallVectorImpl<StringRef> &Missing) {
  AncestorNames Found;
  auto Add = [&](StringRef Super, llvm::ArrayRef<StringRef> Interfaces) {
    if (!Super.empty())
      Found.insert(Super);
    Found.insert(Interfaces.begin(), Interfaces.end());
  };
  Add(C.Super, C.Interfaces);
  for (size_t I = 0; I < Found.size(); ++I) {
    StringRef Name = Found[I];
    if (Name == "java/lang/Object")
      continue;
    if (const ClassInfo *Info = C.Ancestry ? C.Ancestry->lookup(Name) : nullptr)
      Add(Info->Super, Info->Interfaces);
    else
      Missing.push_back(Name);
  }
  return Found;
}

bool Matcher::canMatchClass(StringRef InternalName) const {
  return canMatch(InternalName, /*Class=*/nullptr);
}

bool Matcher::canMatchClass(const MatchClass &Class) const {
  return canMatch(Class.Name, &Class);
}

/// An include rule names one of \p Names.
static bool includesOneOf(llvm::ArrayRef<TargetRule> Rules,
                          llvm::ArrayRef<StringRef> Names) {
  return llvm::any_of(Names, [&](StringRef N) {
    SplitName Name(N);
    return llvm::any_of(Rules, [&](const TargetRule &R) {
      return R.Include && Name.matches(R);
    });
  });
}

/// Whether a class with these ancestors is, extends or implements what the
/// classes of \p P must.
static bool isBelow(StringRef Name, const AncestorNames &Ancestors,
                    const Probe &P) {
  return llvm::all_of(P.Ancestors, [&](StringRef A) {
    return A == Name || Ancestors.contains(A);
  });
}

bool Matcher::canMatch(StringRef InternalName, const MatchClass *Class) const {
  SplitName C(InternalName);
  AncestorNames Ancestors;
  const bool KnowsAncestors = Hierarchical && Class && Class->Ancestry;
  if (KnowsAncestors) {
    llvm::SmallVector<StringRef, 8> Missing;
    Ancestors = findAncestors(*Class, Missing);
  }
  // Ancestors, or interfaces of the class, may bring it in, by an include rule
  // that names them; which it has only the class file tells.
  auto BroughtIn = [&](const Probe &P, llvm::ArrayRef<TargetRule> Rules) {
    if (P.Reach == TargetReach::Own || !hasInclude(Rules))
      return false;
    if (P.Reach == TargetReach::Ancestors)
      return !KnowsAncestors || includesOneOf(Rules, Ancestors.getArrayRef());
    return !Class || includesOneOf(Rules, Class->Interfaces);
  };
  const llvm::BitVector Candidates =
      Index->find(InternalName, KnowsAncestors ? &Ancestors : nullptr);
  for (unsigned I : Candidates.set_bits()) {
    const Probe &P = Set.Probes[I];
    if (Calls.test(I)) {
      // Any class may call what the rules name.
      if (mayInclude(P.Filters) && mayInclude(P.Rules) &&
          mayInclude(P.CallerFilters, C) && mayInclude(P.Callers, C))
        return true;
      continue;
    }
    if (KnowsAncestors && !isBelow(InternalName, Ancestors, P))
      continue;
    if (mayInclude(P.Filters, C) && mayInclude(P.Rules, C))
      return true;
    if (BroughtIn(P, P.Filters) || BroughtIn(P, P.Rules))
      return true;
  }
  return false;
}

ClassMatcher::ClassMatcher(const Matcher &Match, const MatchClass &Class,
                           MatchCount Counted)
    : Match(Match) {
  if (Class.IsInterface && !Match.IntoInterfaces)
    return;
  if (Match.ForAnyClass && !Class.IsInterface) {
    const ClassMatcher &Any = *Match.ForAnyClass;
    Candidates = Any.Candidates;
    Starts = Any.Starts;
    Rules = Any.Rules;
    Ends = Any.Ends;
    Alike = Any.Alike;
    return;
  }
  AncestorNames Ancestors;
  if (Match.Hierarchical) {
    llvm::SmallVector<StringRef, 8> Missing;
    Ancestors = findAncestors(Class, Missing);
    if (Counted == MatchCount::Count)
      Match.noteMissing(Class.Name, Missing);
  }
  const llvm::BitVector Found = Match.Index->find(Class.Name, &Ancestors);
  for (unsigned P : Found.set_bits()) {
    const Probe &Pr = Match.Set.Probes[P];
    if (Match.Calls.test(P) || (Class.IsInterface && !Pr.Interfaces) ||
        !isBelow(Class.Name, Ancestors, Pr))
      continue;
    Candidates.push_back(P);
  }
  addLists(Class.Name, Class.Annotations, Ancestors.getArrayRef(),
           Class.Interfaces);
  Starts.set('*'); // A method of this name is taken for one of any.
  if (Match.Counted == RuleCounts::All &&
      llvm::any_of(Candidates, [&](unsigned P) {
        return Match.Set.Probes[P].Reach != TargetReach::Own;
      }))
    Starts.set();
  for (size_t At = 0; At < Ends.size(); At += 2)
    if (!addStarts(At + 1)) {
      Starts.set();
      break;
    }
  Alike = isAlike();
}

/// Adds the lists of the candidates for the class \p Name, which \p Ancestors
/// and \p Interfaces bring in too, by the reach of the probe.
void ClassMatcher::addLists(StringRef Name, Names ClassAnnotations,
                            Names Ancestors, Names Interfaces) {
  const SplitName Split(Name);
  // A bit for each name above the class that the rule matches.
  auto AboveOf = [&](const TargetRule &R, TargetReach Reach) {
    const Names Above = Reach == TargetReach::Ancestors    ? Ancestors
                        : Reach == TargetReach::Interfaces ? Interfaces
                                                           : Names();
    // Nearly every exclude would match the ancestor java/lang/Object.
    uint64_t Matched = 0;
    if (Reach == TargetReach::Ancestors && !R.Include)
      return Matched;
    constexpr size_t LastBit = 63; // the rest share it
    for (size_t N = 0; N < Above.size(); ++N)
      if (SplitName(Above[N]).matches(R))
        Matched |= uint64_t(1) << std::min(N, LastBit);
    return Matched;
  };
  auto AddList = [&](llvm::ArrayRef<TargetRule> List, TargetReach Reach) {
    for (const TargetRule &R : List) {
      const bool IsOwn = Split.matches(R);
      const uint64_t Above = IsOwn ? 0 : AboveOf(R, Reach);
      if (!IsOwn && !Above)
        continue;
      if (!R.ClassAnnotation.empty() &&
          !hasAnnotation(R.ClassAnnotation, ClassAnnotations))
        continue;
      bool ByAnnotation = !R.Annotation.empty() &&
                          !hasAnnotation(R.Annotation, ClassAnnotations);
      Rules.push_back({&R, int(&R - List.data()), ByAnnotation, Above});
      if (IsOwn && isOfAllMethods(R) && !ByAnnotation)
        break;
    }
    Ends.push_back(unsigned(Rules.size()));
  };
  for (unsigned I : Candidates) {
    const Probe &P = Match.Set.Probes[I];
    AddList(P.Filters, P.Reach);
    AddList(P.Rules, P.Reach);
  }
}

/// Adds what the names of methods begin with that the list of rules \p List may
/// include; false if that is anything.
bool ClassMatcher::addStarts(size_t List) {
  for (unsigned At = Ends[List - 1]; At < Ends[List]; ++At) {
    const TargetRule &R = *Rules[At].Rule;
    if (R.Include && (isAll(R.Method) || R.Method[0] == '*'))
      return false;
    if (R.Include)
      Starts.set(uint8_t(R.Method[0]));
    else if (Rules[At].isOwn() && isOfAllMethods(R) && !Rules[At].ByAnnotation)
      return true; // the end of the list
  }
  return false;
}

/// The verdict of the list that ends at Ends[\p At]: of the first rule that
/// matches the class, or includes it by a name above it that no rule in front
/// excludes.
ClassMatcher::Verdict ClassMatcher::evaluate(size_t At, StringRef Method,
                                             StringRef Descriptor,
                                             Names Annotations) const {
  uint64_t Excluded = 0; // of the names above
  for (unsigned I = At ? Ends[At - 1] : 0; I < Ends[At]; ++I) {
    const TargetRule &R = *Rules[I].Rule;
    if (matchesMethod(R, Method, Descriptor) &&
        (!Rules[I].ByAnnotation || hasAnnotation(R.Annotation, Annotations)) &&
        (R.MethodAnnotation.empty() ||
         hasAnnotation(R.MethodAnnotation, Annotations))) {
      if (Rules[I].isOwn() || (R.Include && (Rules[I].Above & ~Excluded)))
        return {R.Include, Rules[I].Number};
      Excluded |= Rules[I].Above;
    }
  }
  return {};
}

/// \p M meets the conditions of \p P besides its rules.
static bool isFor(const Probe &P, const MatchMethod &M) {
  return !(P.InstanceOnly && M.IsStatic) &&
         (P.ReturnType.empty() ||
          P.ReturnType == returnDescriptor(M.Descriptor));
}

/// Whether all lists decide by their first rule, whatever the method, and no
/// candidate asks for more.
bool ClassMatcher::isAlike() const {
  for (size_t At = 0; At < Ends.size(); ++At) {
    const unsigned Begin = At ? Ends[At - 1] : 0;
    if (Begin != Ends[At] &&
        (!isOfAllMethods(*Rules[Begin].Rule) || Rules[Begin].ByAnnotation ||
         !(Rules[Begin].isOwn() || Rules[Begin].Rule->Include)))
      return false;
  }
  return Starts.all() && llvm::all_of(Candidates, [&](unsigned I) {
           const Probe &P = Match.Set.Probes[I];
           return !P.InstanceOnly && P.ReturnType.empty();
         });
}

/// Asks all candidates. \p Counted: what that counts.
void ClassMatcher::evaluateAll(const MatchMethod &M,
                               const llvm::BitVector *Only,
                               llvm::SmallVectorImpl<unsigned> &Selected,
                               llvm::SmallVectorImpl<size_t> &Counted) const {
  auto Evaluate = [&](size_t At) {
    return evaluate(At, M.Name, M.Descriptor, M.Annotations);
  };
  for (size_t I = 0; I < Candidates.size(); ++I) {
    const unsigned P = Candidates[I];
    const Probe &Pr = Match.Set.Probes[P];
    if ((Only && !Only->test(P)) || !isFor(Pr, M))
      continue;
    Verdict V = Evaluate(I * 2 + 1);
    bool Include = V.Include && Evaluate(I * 2).Include;
    if (V.isExplicit())
      Counted.push_back(Match.Hits->FirstRule[P] + size_t(V.Rule));
    if (Include) {
      Selected.push_back(P);
      Counted.push_back(P);
    }
  }
}

void ClassMatcher::count(llvm::ArrayRef<size_t> Of, unsigned Times) const {
  for (size_t I : Of)
    Match.Hits->count(I, Times);
}

llvm::SmallVector<unsigned, 4> ClassMatcher::match(const MatchMethod &M,
                                                   const llvm::BitVector *Only,
                                                   MatchCount Counted) const {
  CommonMatch Own;
  if (!maySelect(M.Name))
    return {};
  const bool Knows = Alike && !Only;
  if (Knows && !Common)
    evaluateAll(M, Only, Common.emplace().Selected, Common->Counted);
  else if (!Knows)
    evaluateAll(M, Only, Own.Selected, Own.Counted);
  const CommonMatch &Found = Knows ? *Common : Own;
  if (Counted == MatchCount::Count)
    count(Found.Counted);
  return Found.Selected;
}

/// The rule that decides, null if none does.
static const TargetRule *decide(llvm::ArrayRef<TargetRule> Rules,
                                const SplitName &C, StringRef Method,
                                StringRef Descriptor,
                                llvm::ArrayRef<StringRef> Annotations = {}) {
  for (const TargetRule &R : Rules)
    if (matchesMethod(R, Method, Descriptor) && C.matches(R) &&
        (R.Annotation.empty() || hasAnnotation(R.Annotation, Annotations)))
      return &R;
  return nullptr;
}

static bool includes(const TargetRule *Deciding) {
  return !Deciding || Deciding->Include;
}

CalleeMatch Matcher::matchCallee(StringRef Owner, StringRef Name,
                                 StringRef Descriptor, bool OfDynamic) const {
  CalleeMatch M;
  M.Probes.resize(Calls.size());
  M.Rules.assign(Calls.size(), -1);
  SplitName C(Owner);
  for (unsigned P : Calls.set_bits()) {
    llvm::ArrayRef<TargetRule> Rules = Set.Probes[P].Rules;
    const TargetRule *R = decide(Rules, C, Name, Descriptor);
    if ((OfDynamic && !Set.Probes[P].DynamicCalls) || !includes(R) ||
        !includes(decide(Set.Probes[P].Filters, C, Name, Descriptor)))
      continue;
    M.Probes.set(P);
    if (R)
      M.Rules[P] = int(R - Rules.data());
  }
  return M;
}

llvm::BitVector Matcher::matchCaller(const MatchClass &C, StringRef Method,
                                     StringRef Descriptor,
                                     llvm::ArrayRef<StringRef> OfMethod) const {
  llvm::BitVector Selected(Calls.size());
  SplitName Name(C.Name);
  llvm::SmallVector<StringRef, 4> Annotations(C.Annotations);
  llvm::append_range(Annotations, OfMethod);
  auto Includes = [&](llvm::ArrayRef<TargetRule> Rules) {
    return includes(decide(Rules, Name, Method, Descriptor, Annotations));
  };
  for (unsigned P : Calls.set_bits())
    if ((!C.IsInterface || Set.Probes[P].Interfaces) &&
        Includes(Set.Probes[P].CallerFilters) &&
        Includes(Set.Probes[P].Callers))
      Selected.set(P);
  return Selected;
}

llvm::BitVector Matcher::matchCall(const CalleeMatch &Callee,
                                   const llvm::BitVector &Caller,
                                   MatchCount Counted) const {
  if (Counted == MatchCount::Count)
    countCall(Callee, Caller);
  llvm::BitVector Selected = Callee.Probes;
  Selected &= Caller;
  return Selected;
}

void Matcher::countCall(const CalleeMatch &Callee,
                        const llvm::BitVector &Caller, unsigned Times) const {
  for (unsigned P : Callee.Probes.set_bits()) {
    if (!Caller.test(P))
      continue;
    Hits->count(P, Times);
    if (Callee.Rules[P] >= 0)
      Hits->count(Hits->FirstRule[P] + size_t(Callee.Rules[P]), Times);
  }
}

uint64_t Matcher::probeHits(unsigned P) const {
  return Hits->Values[P].load(std::memory_order_relaxed);
}

uint64_t Matcher::ruleHits(unsigned P, unsigned R) const {
  return Hits->Values[Hits->FirstRule[P] + R].load(std::memory_order_relaxed);
}

std::map<std::string, Matcher::Unresolved>
Matcher::unresolvedAncestors() const {
  std::lock_guard<std::mutex> Guard(Hits->Lock);
  std::map<std::string, Unresolved> All;
  for (const auto &Ancestor : Hits->Missing)
    All[Ancestor.first().str()] = Ancestor.second;
  return All;
}

void Matcher::noteMissing(StringRef Class,
                          llvm::ArrayRef<StringRef> Ancestors) const {
  if (Ancestors.empty())
    return;
  if (MatchTally *T = Hits->tally())
    T->Whole = false;
  std::lock_guard<std::mutex> Guard(Hits->Lock);
  for (StringRef Name : Ancestors) {
    Unresolved &U = Hits->Missing[Name];
    if (!U.Classes++ || Class < StringRef(U.First))
      U.First = Class.str();
  }
}
