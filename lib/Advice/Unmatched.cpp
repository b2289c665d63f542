//===- Unmatched.cpp - Why a target matched nothing -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Unmatched.h"
#include "ProbeIndex.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::StringRef;

/// Whether \p Pattern matches \p Text once \p From is written as \p To in it.
static bool matchesWith(StringRef Pattern, char From, char To, StringRef Text) {
  std::string Other = Pattern.str();
  std::replace(Other.begin(), Other.end(), From, To);
  return Other != Pattern && matchesWildcard(Other, Text);
}

static TargetRule lowered(const TargetRule &R) {
  TargetRule L = R;
  for (std::string *S :
       {&L.Package, &L.Class, &L.Type, &L.Method, &L.Signature})
    *S = StringRef(*S).lower();
  return L;
}

NearestMiss::NearestMiss(const Probe &P, const TargetRule &R)
    : P(&P), R(&R), Lower(lowered(R)) {}

/// Why \p Class is not matched, where it is not.
Miss NearestMiss::missOfClass(StringRef Class) const {
  StringRef Simple = Class.substr(Class.rfind('/') + 1);
  if (isAll(R->Class))
    return matchesClass(Lower, Class.lower()) ? Miss::ClassCase : Miss::All;
  // With a package of its own the pattern may still begin with a star.
  if (R->Class == Class || matchesWith(R->Class, '.', '/', Class) ||
      (StringRef(R->Class).contains('/') && matchesWildcard(R->Class, Class)))
    return Miss::PackageInClass;
  if (matchesWith(R->Class, '.', '$', Simple))
    return Miss::NestedDot;
  if (matchesClass(Lower, Class.lower()))
    return Miss::ClassCase;
  return matchesWildcard(R->Class, Simple) ? Miss::Package : Miss::All;
}

Miss NearestMiss::missOf(const MissedMethod &M) const {
  if (!isAll(R->Method) && !matchesWildcard(R->Method, M.Name))
    return matchesWildcard(StringRef(R->Method).lower(), M.Name.lower())
               ? Miss::MethodCase
               : Miss::Method;
  if (!isAll(R->Signature) && !matchesWildcard(R->Signature, M.Descriptor))
    return matchesWith(R->Signature, '.', '/', M.Descriptor)
               ? Miss::SignatureDots
               : Miss::Signature;
  if (!matchesParameters(*R, M.Descriptor))
    return Miss::Signature;
  if (!R->Annotation.empty() &&
      (!M.Annotations || llvm::none_of(*M.Annotations, [&](StringRef Name) {
        return matchesWildcard(R->Annotation, Name);
      })))
    return Miss::Annotation;
  return M.HasCode ? Miss::Decided : Miss::NoCode;
}

/// Takes \p New if it is nearer.
void NearestMiss::take(Miss New, StringRef Class, StringRef Name,
                       StringRef Descriptor) {
  if (New >= What)
    return;
  What = New;
  Example = toDisplayUTF8(Class);
  if (!Name.empty())
    Example += "." + toDisplayUTF8(Name) + toDisplayUTF8(Descriptor);
}

/// Keeps a name that may have been meant; a pattern is no misspelt name.
void NearestMiss::takeNear(StringRef Class, StringRef Name) {
  const StringRef Wanted = R->Method;
  if (Wanted.size() < 3 || Wanted.find_first_of("*?") != StringRef::npos)
    return;
  constexpr unsigned Limit = 2;
  const unsigned D = Wanted.edit_distance(Name, /*AllowReplacements=*/true,
                                          Near.empty() ? Limit : NearDistance);
  if (D > Limit || (!Near.empty() && D >= NearDistance))
    return;
  Near = toDisplayUTF8(Class) + "." + toDisplayUTF8(Name);
  NearDistance = D;
}

/// The rule is about methods of this name, and not about all.
static bool namesMethod(const TargetRule &R, const MissedMethod &M) {
  return !isAll(R.Method) && matchesWildcard(R.Method, M.Name);
}

void NearestMiss::look(const MatchClass &Class,
                       llvm::function_ref<void(MethodSink)> EachMethod) {
  bool Matches = names(Class.Name);
  for (StringRef I : Class.Interfaces)
    Matches |= matchesClass(*R, I);
  if (!Matches)
    return take(missOfClass(Class.Name), Class.Name);
  bool LeftOut = Class.IsInterface && !P->Interfaces;
  take(Miss::Method, Class.Name);
  EachMethod([&](const MissedMethod &M) {
    if (M.IsSynthetic && !namesMethod(*R, M))
      return;
    Miss New = missOf(M);
    if (New == Miss::Method)
      takeNear(Class.Name, M.Name);
    if (LeftOut && New == Miss::Decided)
      New = Miss::Interface;
    take(New, Class.Name, New == Miss::Method ? StringRef() : M.Name,
         M.Descriptor);
  });
}

void NearestMiss::lookAtCallee(StringRef Class, const MissedMethod &Callee) {
  // The pool gives no more than the name of a callee that no source names.
  if (Callee.Name.contains('$') && !namesMethod(*R, Callee))
    return;
  Miss New = names(Class) ? missOf(Callee) : missOfClass(Class);
  take(New, Class, New >= Miss::Method ? StringRef() : Callee.Name,
       Callee.Descriptor);
}

std::string NearestMiss::text(bool OfCalls) const {
  const std::string &X = Example;
  if (What == Miss::Method && !OfCalls && !Near.empty())
    return X + " has no such method; did you mean '" + Near + "'?";
  const bool Below = P->Reach == TargetReach::Ancestors;
  switch (What) {
  case Miss::Decided:
    return X + " is left to a target in front of it, a filter or a caller";
  case Miss::NoCode:
    return X + " has no code: it is abstract or native" +
           (Below ? ", and no class below declares it" : "");
  case Miss::Interface:
    return X + " is in an interface; interfaces=\"true\" at the probe selects "
               "such methods too";
  case Miss::Annotation:
    return "neither " + X + " nor its class carries the annotation";
  case Miss::SignatureDots:
    return "in signatures '/' stands between packages, as in " + X;
  case Miss::Signature:
    return X + " has another signature";
  case Miss::MethodCase:
    return X + " differs in the case of letters";
  case Miss::Method:
    if (isAll(R->Class) && isAll(R->Type)) // X is just one of them.
      return OfCalls ? "no call names such a method"
                     : "there is no such method";
    if (Below)
      return "neither " + X +
             " nor a class below declares such a method; one that they inherit "
             "is selected by the class that declares it";
    return OfCalls ? "no call names such a method of " + X
                   : X + " has no such method";
  case Miss::PackageInClass:
    return "className is without the package, which the attribute package "
           "gives; there is " +
           X;
  case Miss::NestedDot:
    return "between a class and a class in it stands '$', as in " + X;
  case Miss::ClassCase:
    return X + " differs in the case of letters";
  case Miss::Package:
    return X + " is in another package";
  case Miss::All:
    if (OfCalls)
      return "no call names such a class";
    return Below ? "there is no such class, nor one below"
                 : "there is no such class";
  }
  return {};
}

std::vector<RuleNumber> jopt::unmatchedRules(const AdviceSet &A,
                                             const Matcher &Match) {
  llvm::StringSet<> Settled; // ready probes
  for (unsigned P = 0; P < A.Probes.size(); ++P)
    if (isReadyProbe(A.Probes[P]) && Match.probeHits(P))
      Settled.insert(A.Probes[P].Where.File);
  std::vector<RuleNumber> Rules;
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    const Probe &Pr = A.Probes[P];
    for (unsigned R = 0; R < Pr.Rules.size(); ++R)
      if (Pr.Rules[R].Include && !Pr.Rules[R].Optional &&
          !Match.ruleHits(P, R) &&
          (!isReadyProbe(Pr) || Settled.insert(Pr.Where.File).second))
        Rules.push_back({P, R});
  }
  return Rules;
}

std::string jopt::ruleText(const TargetRule &R) {
  if (!R.Text.empty())
    return R.Text;
  std::string Text = R.Include ? "include" : "exclude";
  // A whole name mostly stands in place of package and class.
  if (R.Type.empty() || R.Package != "*" || R.Class != "*")
    Text += llvm::formatv(" \"{0}\" \"{1}\"", R.Package, R.Class);
  if (!R.Type.empty())
    Text += llvm::formatv(" qualifiedName \"{0}\"", R.Type);
  Text += llvm::formatv(" \"{0}\" \"{1}\"", R.Method, R.Signature);
  return R.Annotation.empty() ? Text
                              : Text + " annotation \"" + R.Annotation + '"';
}

std::vector<Diagnostic> jopt::describeUnmatched(const AdviceSet &A,
                                                const Matcher &Match,
                                                const UnmatchedReasons &Reasons,
                                                Severity Level) {
  std::vector<Diagnostic> All;
  auto Add = [&](const Location &Where, std::string Message) {
    Diagnostic &D = All.emplace_back();
    D.Level = Level;
    D.Where = Where;
    D.Message = std::move(Message);
  };
  const std::vector<RuleNumber> Rules = unmatchedRules(A, Match);
  auto Next = Rules.begin();
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    const Probe &Pr = A.Probes[P];
    const bool Ready = isReadyProbe(Pr);
    auto IsToldElsewhere = [&](const RuleNumber &Rule) {
      auto Why = Reasons.find(Rule);
      return Why != Reasons.end() && Why->second.empty();
    };
    const auto End =
        std::find_if(Next, Rules.end(),
                     [&](const RuleNumber &Rule) { return Rule.first != P; });
    const bool MayMiss = llvm::all_of(
        Pr.Rules, [](const TargetRule &R) { return R.Optional || !R.Include; });
    if (!Ready && !MayMiss && !Match.probeHits(P) &&
        std::none_of(Next, End, IsToldElsewhere))
      Add(Pr.Where, "probe '" + Pr.Name + "' matched nothing");
    for (; Next != Rules.end() && Next->first == P; ++Next) {
      if (IsToldElsewhere(*Next))
        continue;
      const TargetRule &R = Pr.Rules[Next->second];
      auto Why = Reasons.find(*Next);
      Add(R.Where,
          (Ready ? std::string()
                 : "target " + ruleText(R) + " of probe '" + Pr.Name + "' ") +
              "matched nothing" +
              (Why == Reasons.end() ? "" : ": " + Why->second));
    }
  }
  return All;
}

static bool namesJdk(const TargetRule &R) {
  static constexpr StringRef Packages[] = {"java/", "javax/naming/", "jdk/",
                                           "sun/", "com/sun/"};
  return llvm::any_of(Packages, [&](StringRef Package) {
    return StringRef(R.Type).starts_with(Package);
  });
}

std::vector<std::string> jopt::findJdkParts(const AdviceSet &A,
                                            const Matcher &Match) {
  std::map<std::string, uint64_t> Hits; // by place
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    const Probe &Pr = A.Probes[P];
    for (unsigned R = 0; isReadyProbe(Pr) && R < Pr.Rules.size(); ++R)
      if (Pr.Rules[R].Include && namesJdk(Pr.Rules[R]))
        Hits[Pr.Where.File] += Match.ruleHits(P, R);
  }
  std::vector<std::string> Places;
  for (const auto &[Place, Count] : Hits)
    if (!Count)
      Places.push_back(Place);
  return Places;
}

std::vector<unsigned> jopt::findUnusedJdkParts(const AdviceSet &A,
                                               const Matcher &Match) {
  std::vector<unsigned> Parts;
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    const Probe &Pr = A.Probes[P];
    if (isReadyProbe(Pr) && !Match.probeHits(P) &&
        !Match.callProbes().test(P) && Pr.Reach != TargetReach::Ancestors &&
        llvm::all_of(Pr.Rules, [](const TargetRule &R) {
          return !R.Include ||
                 (namesJdk(R) && !StringRef(R.Type).contains('*'));
        }))
      Parts.push_back(P);
  }
  return Parts;
}
