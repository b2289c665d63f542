//===- EdgeProfile.cpp - How often edges were taken before ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/EdgeProfile.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt::coverage;

void EdgeProfile::add(llvm::StringRef Class, const EdgeGraph &G,
                      const EdgeCounts &C) {
  std::vector<Recorded> &Of = Methods[{Class.str(), G.Hash}];
  auto Same =
      llvm::find_if(Of, [&](const Recorded &R) { return R.Graph.isLike(G); });
  if (Same == Of.end())
    Of.push_back({G, C});
  else
    Same->Counts += C;
}

EdgeProfile::Found EdgeProfile::find(llvm::StringRef Class,
                                     const EdgeGraph &G) const {
  auto Of = Methods.find({Class.str(), G.Hash});
  if (Of == Methods.end())
    return {};
  const EdgeCounts *Same = counts(Class, G);
  if (!Same)
    return {std::nullopt, true};
  // A guess is below one that was counted.
  std::vector<double> Weights = guessWeights(G);
  double Most = 1;
  for (double W : Weights)
    Most = std::max(Most, W);
  for (auto [W, Count] : llvm::zip(Weights, Same->Edges))
    W = W / (2 * Most) + double(std::max<int64_t>(Count, 0));
  return {std::move(Weights), false};
}

const EdgeCounts *EdgeProfile::counts(llvm::StringRef Class,
                                      const EdgeGraph &G) const {
  auto Of = Methods.find({Class.str(), G.Hash});
  if (Of == Methods.end())
    return nullptr;
  auto Same = llvm::find_if(
      Of->second, [&](const Recorded &R) { return R.Graph.isLike(G); });
  return Same == Of->second.end() ? nullptr : &Same->Counts;
}
