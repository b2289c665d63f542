//===- Dependences.cpp - What executions depend on ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependences.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt::slice;

NodeId Dependences::add(SiteId Site, llvm::ArrayRef<NodeId> Of) {
  const size_t First = On.size();
  for (NodeId N : Of)
    if (N && !llvm::is_contained(llvm::ArrayRef(On).drop_front(First), N))
      On.push_back(N);
  Nodes.push_back({Site, First});
  return NodeId(Nodes.size() - 1);
}

void Dependences::forEach(
    llvm::ArrayRef<NodeId> From,
    llvm::function_ref<void(NodeId, llvm::ArrayRef<Doubt>)> Use) const {
  // What a node depends on is older, so one walk down is enough.
  llvm::BitVector Wanted(unsigned(Nodes.size()));
  for (NodeId N : From)
    if (N)
      Wanted.set(N);
  for (NodeId N = NodeId(Nodes.size() - 1); N > 0; --N) {
    if (!Wanted.test(N))
      continue;
    auto D = Doubts.find(N);
    Use(N, D == Doubts.end() ? llvm::ArrayRef<Doubt>()
                             : llvm::ArrayRef(D->second));
    const uint64_t End = N + 1 < Nodes.size() ? Nodes[N + 1].First : On.size();
    for (uint64_t I = Nodes[N].First; I < End; ++I)
      Wanted.set(On[I]);
  }
}
