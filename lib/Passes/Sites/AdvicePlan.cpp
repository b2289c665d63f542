//===- AdvicePlan.cpp - Which advices go where in a method ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdvicePlan.h"

using namespace jopt;

void AdvicePlan::make(const AdviceSet &Set, llvm::ArrayRef<unsigned> Advices) {
  for (unsigned N : Advices) {
    const Advice &A = Set.Advices[N];
    Lists[unsigned(A.Kind)].push_back(N);
    if (A.Kind == AdviceKind::StaticInitializer)
      continue; // It is of the class.
    NamesThis |= takesThis(Set, N);
    if (Probes.empty() || Probes.back() != A.Probe)
      Probes.push_back(A.Probe);
  }
  llvm::sort(Probes);
  Probes.erase(llvm::unique(Probes), Probes.end());
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    sortAdvices(Set, AdviceKind(K), Lists[K]);
  for (unsigned N : at(AdviceKind::Exit)) {
    if (Set.Advices[N].Way != ExitWay::Exception)
      Returns.push_back(N);
    if (Set.Advices[N].Way != ExitWay::Return)
      Throws.push_back(N);
    ThisAtExits |= takesThis(Set, N);
    ReceiverAtExits |= takes(Set, N, DataItem::Receiver);
  }
}

void CallAdvices::make(const AdviceSet &Set, llvm::ArrayRef<unsigned> Advices) {
  for (unsigned N : Advices) {
    const Advice &A = Set.Advices[N];
    (A.Kind == AdviceKind::BeforeCall ? Before : After).push_back(N);
    if (!llvm::is_contained(Probes, A.Probe))
      Probes.push_back(A.Probe);
  }
  sortAdvices(Set, AdviceKind::BeforeCall, Before);
  sortAdvices(Set, AdviceKind::AfterCall, After);
}
