//===- Unmatched.cpp - Why a target matched nothing -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unmatched.h"
#include "jopt/Archive/Containers.h"
#include "jopt/IR/Annotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/BitVector.h"
#include <mutex>
#include <tuple>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// What keeps a candidate from being selected, the nearest miss first.
enum class Miss : uint8_t {
  Decided,    ///< nothing but other rules
  NoCode,     ///< it is abstract or native
  Interface,  ///< it is in an interface
  Annotation, ///< neither it nor its class carries it
  SignatureDots,
  Signature,
  MethodCase,
  Method,
  PackageInClass, ///< the class pattern has a package
  NestedDot,      ///< the class pattern has a dot for a dollar sign
  ClassCase,
  Package, ///< such a class is in another package
  All,     ///< nothing is near
};

/// A method, or the callee of a call.
struct Candidate {
  StringRef Class, Name, Descriptor;
  bool HasCode = true;
  llvm::ArrayRef<StringRef> Annotations = {};
};

/// Whether \p Pattern matches \p Text once \p From is written as \p To in it.
bool matchesWith(StringRef Pattern, char From, char To, StringRef Text) {
  std::string Other = Pattern.str();
  std::replace(Other.begin(), Other.end(), From, To);
  return Other != Pattern && matchesWildcard(Other, Text);
}

bool isAll(StringRef Pattern) { return Pattern.empty() || Pattern == "*"; }

TargetRule lowered(const TargetRule &R) {
  TargetRule L = R;
  for (std::string *S : {&L.Package, &L.Class, &L.Method, &L.Signature})
    *S = StringRef(*S).lower();
  return L;
}

/// What keeps \p Class from being matched, where it is not.
Miss missOfClass(const TargetRule &R, StringRef Class) {
  StringRef Simple = Class.substr(Class.rfind('/') + 1);
  if (isAll(R.Class))
    return matchesClass(lowered(R), Class.lower()) ? Miss::ClassCase
                                                   : Miss::All;
  // With a package of its own the pattern may still begin with a star.
  if (R.Class == Class || matchesWith(R.Class, '.', '/', Class) ||
      (StringRef(R.Class).contains('/') && matchesWildcard(R.Class, Class)))
    return Miss::PackageInClass;
  if (matchesWith(R.Class, '.', '$', Simple))
    return Miss::NestedDot;
  if (matchesClass(lowered(R), Class.lower()))
    return Miss::ClassCase;
  return matchesWildcard(R.Class, Simple) ? Miss::Package : Miss::All;
}

Miss missOfMethod(const TargetRule &R, const Candidate &C) {
  if (!isAll(R.Method) && !matchesWildcard(R.Method, C.Name))
    return matchesWildcard(StringRef(R.Method).lower(), C.Name.lower())
               ? Miss::MethodCase
               : Miss::Method;
  if (!isAll(R.Signature) && !matchesWildcard(R.Signature, C.Descriptor))
    return matchesWith(R.Signature, '.', '/', C.Descriptor)
               ? Miss::SignatureDots
               : Miss::Signature;
  if (!R.Annotation.empty() &&
      llvm::none_of(C.Annotations, [&](StringRef Name) {
        return matchesWildcard(R.Annotation, Name);
      }))
    return Miss::Annotation;
  return C.HasCode ? Miss::Decided : Miss::NoCode;
}

/// Looks for the nearest miss of each rule.
class Explainer : public ContainerClient {
public:
  Explainer(const AdviceSet &A, const Matcher &Match);
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override;
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    Incomplete = true;
    return Error::success();
  }

  struct Near {
    Miss What = Miss::All;
    uint64_t Ordinal = 0; ///< of the class it was found in
    std::string Example;
  };
  struct Question {
    unsigned Probe, Rule;
    Near Best = {};
  };
  std::vector<Question> Questions;
  std::atomic<bool> Incomplete{false};

private:
  void lookAtMethods(const ClassFile &F, const Question &Q, Near &N) const;
  void lookAtCalls(ClassFile &F, const Question &Q, Near &N) const;
  const TargetRule &rule(const Question &Q) const {
    return A.Probes[Q.Probe].Rules[Q.Rule];
  }

  const AdviceSet &A;
  std::mutex Lock;
};

} // namespace

Explainer::Explainer(const AdviceSet &A, const Matcher &Match) : A(A) {
  for (unsigned P = 0; P < A.Probes.size(); ++P)
    for (unsigned R = 0; R < A.Probes[P].Rules.size(); ++R)
      if (A.Probes[P].Rules[R].Include && !Match.ruleHits(P, R))
        Questions.push_back({P, R});
}

/// Takes \p What for \p N if it is nearer.
static void take(Explainer::Near &N, Miss What, StringRef Class,
                 StringRef Name = {}, StringRef Descriptor = {}) {
  if (What >= N.What)
    return;
  N.What = What;
  N.Example = toDisplayUTF8(Class);
  if (!Name.empty())
    N.Example += "." + toDisplayUTF8(Name) + toDisplayUTF8(Descriptor);
}

void Explainer::lookAtMethods(const ClassFile &F, const Question &Q,
                              Near &N) const {
  const TargetRule &R = rule(Q);
  bool Matches = matchesClass(R, F.name());
  for (uint16_t I : F.Interfaces)
    Matches |= matchesClass(R, F.Pool.className(I));
  if (!Matches)
    return take(N, missOfClass(R, F.name()), F.name());
  bool LeftOut = F.isInterface() && !A.Probes[Q.Probe].Interfaces;
  llvm::SmallVector<StringRef, 4> OfClass;
  findAnnotations(F.Pool, F.Attributes, OfClass);
  take(N, Miss::Method, F.name());
  for (const Method &M : F.Methods) {
    llvm::SmallVector<StringRef, 4> Annotations = OfClass;
    findAnnotations(F.Pool, M.Attributes, Annotations);
    Candidate C{F.name(), F.name(M), F.descriptor(M),
                M.codeAttribute(F.Pool) >= 0, Annotations};
    Miss What = missOfMethod(R, C);
    if (LeftOut && What == Miss::Decided)
      What = Miss::Interface;
    take(N, What, C.Class, What == Miss::Method ? StringRef() : C.Name,
         C.Descriptor);
  }
}

void Explainer::lookAtCalls(ClassFile &F, const Question &Q, Near &N) const {
  const TargetRule &R = rule(Q);
  for (unsigned I = 1; I < F.Pool.size(); ++I) {
    if (!F.Pool.has(I, CPTag::Methodref) &&
        !F.Pool.has(I, CPTag::InterfaceMethodref) &&
        !(A.Probes[Q.Probe].DynamicCalls &&
          F.Pool.has(I, CPTag::InvokeDynamic)))
      continue;
    MemberRef Callee = F.callee(I);
    Candidate C{Callee.Owner, Callee.Name, Callee.Descriptor};
    Miss What =
        matchesClass(R, C.Class) ? missOfMethod(R, C) : missOfClass(R, C.Class);
    take(N, What, C.Class, What >= Miss::Method ? StringRef() : C.Name,
         C.Descriptor);
  }
}

Expected<EntryResult> Explainer::transform(const EntryInfo &E, Bytes Data) {
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    Incomplete = true;
    return EntryResult::unchanged();
  }
  llvm::BitVector Calls = findCallProbes(A);
  for (Question &Q : Questions) {
    Near N;
    N.Ordinal = E.Ordinal;
    if (Calls.test(Q.Probe))
      lookAtCalls(**Class, Q, N);
    else
      lookAtMethods(**Class, Q, N);
    std::lock_guard<std::mutex> Guard(Lock);
    if (std::tie(N.What, N.Ordinal) < std::tie(Q.Best.What, Q.Best.Ordinal))
      Q.Best = std::move(N);
  }
  return EntryResult::unchanged();
}

static std::string text(const Explainer::Near &N) {
  const std::string &X = N.Example;
  switch (N.What) {
  case Miss::Decided:
    return X + " is left to a target in front of it, a filter or a caller";
  case Miss::NoCode:
    return X + " has no code: it is abstract or native";
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
    return X + " has no such method";
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
    return "there is no such class";
  }
  return {};
}

Expected<UnmatchedReasons> jopt::explainUnmatched(const AdviceSet &A,
                                                  const Matcher &Match,
                                                  const InputSet &In,
                                                  unsigned Threads) {
  Explainer E(A, Match);
  UnmatchedReasons Reasons;
  if (E.Questions.empty())
    return Reasons;
  ProcessOptions PO;
  PO.Threads = Threads;
  if (Error Err = processInputs(In, E, nullptr, PO))
    return Err;
  for (const Explainer::Question &Q : E.Questions)
    if (Q.Best.What != Miss::All || !E.Incomplete)
      Reasons[{Q.Probe, Q.Rule}] = text(Q.Best);
  return Reasons;
}
