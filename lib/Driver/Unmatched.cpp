//===- Unmatched.cpp - Why a target matched nothing -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unmatched.h"
#include "jopt/Archive/Containers.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Weave/Original.h"
#include "llvm/ADT/BitVector.h"
#include <mutex>
#include <tuple>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Looks for the nearest miss of each rule.
class NearMissFinder : public ContainerClient {
public:
  NearMissFinder(const AdviceSet &A, const Matcher &Match);
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override;
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    Incomplete = true;
    return Error::success();
  }

  struct Question {
    RuleNumber Rule;
    NearestMiss Best;
    uint64_t Ordinal = 0; ///< of the class it was found in
    /// A class that names such a call was woven before and left as it was,
    /// which was said.
    bool IsInLeft = false;
  };
  std::vector<Question> Questions;
  std::atomic<bool> Incomplete{false};

private:
  NearestMiss ask(RuleNumber Rule) const {
    const Probe &P = A.Probes[Rule.first];
    return NearestMiss(P, P.Rules[Rule.second]);
  }

  const AdviceSet &A;
  std::mutex Lock;
};
} // namespace

NearMissFinder::NearMissFinder(const AdviceSet &A, const Matcher &Match)
    : A(A) {
  for (RuleNumber R : unmatchedRules(A, Match))
    if (!isReadyProbe(A.Probes[R.first]))
      Questions.push_back({R, ask(R)});
}

static void lookAtMethods(const ClassFile &F, NearestMiss &N) {
  llvm::SmallVector<StringRef, 4> Interfaces, OfClass;
  for (uint16_t I : F.Interfaces)
    Interfaces.push_back(F.Pool.className(I));
  findAnnotations(F.Pool, F.Attributes, OfClass);
  N.look({F.name(), Interfaces, F.isInterface()},
         [&](NearestMiss::MethodSink Take) {
           for (const Method &M : F.Methods) {
             llvm::SmallVector<StringRef, 4> Annotations = OfClass;
             findAnnotations(F.Pool, M.Attributes, Annotations);
             Take({F.name(M), F.descriptor(M), M.codeAttribute(F.Pool) >= 0,
                   &Annotations, M.is(ACC_SYNTHETIC)});
           }
         });
}

static void lookAtCalls(ClassFile &F, bool DynamicCalls, NearestMiss &N) {
  for (unsigned I = 1; I < F.Pool.size(); ++I) {
    if (!F.Pool.has(I, CPTag::Methodref) &&
        !F.Pool.has(I, CPTag::InterfaceMethodref) &&
        !(DynamicCalls && F.Pool.has(I, CPTag::InvokeDynamic)))
      continue;
    MemberRef Callee = F.callee(I);
    N.lookAtCallee(Callee.Owner, {Callee.Name, Callee.Descriptor});
  }
}

Expected<EntryResult> NearMissFinder::transform(const EntryInfo &E,
                                                Bytes Data) {
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    Incomplete = true;
    return EntryResult::unchanged();
  }
  const bool IsWoven = isWoven(**Class);
  llvm::BitVector Calls = findCallProbes(A);
  for (Question &Q : Questions) {
    NearestMiss N = ask(Q.Rule);
    const unsigned Probe = Q.Rule.first;
    if (Calls.test(Probe))
      lookAtCalls(**Class, A.Probes[Probe].DynamicCalls, N);
    else
      lookAtMethods(**Class, N);
    std::lock_guard<std::mutex> Guard(Lock);
    Q.IsInLeft |= Calls.test(Probe) && N.what() == Miss::Decided && IsWoven;
    if (std::tuple(N.what(), E.Ordinal) <
        std::tuple(Q.Best.what(), Q.Ordinal)) {
      Q.Best = std::move(N);
      Q.Ordinal = E.Ordinal;
    }
  }
  return EntryResult::unchanged();
}

Expected<UnmatchedReasons> jopt::explainUnmatched(const AdviceSet &A,
                                                  const Matcher &Match,
                                                  const InputSet &In,
                                                  unsigned Threads) {
  NearMissFinder E(A, Match);
  UnmatchedReasons Reasons;
  if (E.Questions.empty())
    return Reasons;
  ProcessOptions PO;
  PO.Threads = Threads;
  if (Error Err = processInputs(In, E, nullptr, PO))
    return Err;
  llvm::BitVector Calls = findCallProbes(A);
  for (const NearMissFinder::Question &Q : E.Questions)
    if (Q.Best.what() != Miss::All || !E.Incomplete)
      Reasons[Q.Rule] =
          Q.IsInLeft ? std::string() : Q.Best.text(Calls.test(Q.Rule.first));
  return Reasons;
}
