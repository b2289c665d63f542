//===- ReduceAdvice.cpp - Fewer probes ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducers.h"

using namespace jopt;
using namespace jopt::reduce;

/// Takes the advices out that \p Goes says, at their sites too. The others get
/// new numbers.
static void dropAdvices(Subject &S, const llvm::BitVector &Goes) {
  if (Goes.none())
    return;
  std::vector<Advice> Kept;
  std::vector<int32_t> Number;
  for (unsigned N = 0; N < Goes.size(); ++N) {
    Number.push_back(Goes.test(N) ? -1 : int32_t(Kept.size()));
    if (!Goes.test(N))
      Kept.push_back(std::move(S.advices().Advices[N]));
  }
  S.advices().Advices = std::move(Kept);
  for (Method &M : S.classFile().Methods) {
    if (!M.IR)
      continue;
    for (Block &B : M.IR->blocks())
      for (auto It = B.begin(); It != B.end();) {
        Instruction &I = *It++;
        if (I.advice() >= 0 && size_t(I.advice()) < Number.size())
          I.setAdvice(Number[size_t(I.advice())]);
        if (I.op() != irop::Advice || I.index() >= Number.size())
          continue;
        S.touch(M);
        if (Number[I.index()] < 0)
          removeInstruction(*M.IR, &I);
        else
          I.setIndex(uint32_t(Number[I.index()]));
      }
  }
}

void jopt::reduce::reduceProbes(Subject &S, Oracle &O) {
  AdviceSet &A = S.advices();
  std::vector<Probe> Kept;
  std::vector<int> Number;
  for (Probe &P : A.Probes) {
    const bool Keeps = O.keeps();
    Number.push_back(Keeps ? int(Kept.size()) : -1);
    if (Keeps)
      Kept.push_back(std::move(P));
  }
  A.Probes = std::move(Kept);
  llvm::BitVector Goes(unsigned(A.Advices.size()));
  for (unsigned N = 0; N < A.Advices.size(); ++N) {
    const int New = Number[A.Advices[N].Probe];
    if (New < 0)
      Goes.set(N);
    else
      A.Advices[N].Probe = unsigned(New);
  }
  dropAdvices(S, Goes);
}

void jopt::reduce::reduceAdvices(Subject &S, Oracle &O) {
  llvm::BitVector Goes(unsigned(S.advices().Advices.size()));
  for (unsigned N = 0; N < Goes.size(); ++N)
    if (!O.keeps())
      Goes.set(N);
  dropAdvices(S, Goes);
}

void jopt::reduce::reduceTargets(Subject &S, Oracle &O) {
  for (Probe &P : S.advices().Probes)
    for (std::vector<TargetRule> *Rules :
         {&P.Rules, &P.Callers, &P.Filters, &P.CallerFilters})
      llvm::erase_if(*Rules, [&](const TargetRule &) { return !O.keeps(); });
}
