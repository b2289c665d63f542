//===- ProbeIndex.cpp - Probes by the classes that they may select --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeIndex.h"

using namespace jopt;
using llvm::BitVector;
using llvm::StringRef;

/// \p R excludes everything that the rules behind it could decide about.
static bool excludesRest(const TargetRule &R) {
  return !R.Include && isAll(R.Package) && isAll(R.Class) && isAll(R.Type) &&
         isAll(R.Method) && isAll(R.Signature) && !R.Parameters &&
         R.Annotation.empty() && R.ClassAnnotation.empty() &&
         R.MethodAnnotation.empty();
}

ProbeIndex::ProbeIndex(const AdviceSet &Set)
    : Size(unsigned(Set.Probes.size())), Everywhere(Size) {
  // Any class may call what rules name.
  Everywhere |= findCallProbes(Set);
  for (unsigned P = 0; P < Size; ++P)
    if (!Everywhere.test(P))
      add(P, Set.Probes[P]);
}

void ProbeIndex::add(unsigned Number, const Probe &P) {
  auto AddTo = [&](BitVector &Found) {
    Found.resize(Size);
    Found.set(Number);
  };
  auto AddAnywhere = [&] {
    AddTo(P.Ancestors.empty() ? Everywhere : ByAncestor[P.Ancestors.front()]);
  };
  auto Rest = llvm::find_if(P.Rules, excludesRest);
  // Ancestors and interfaces may bring in what has another name.
  if (P.Reach != TargetReach::Own || Rest == P.Rules.end())
    return AddAnywhere();
  for (const TargetRule &R : llvm::make_range(P.Rules.begin(), Rest)) {
    if (!R.Include)
      continue;
    StringRef Type = R.Type,
              Start = Type.take_until([](char C) { return C == '*'; });
    if (Start.empty())
      AddAnywhere();
    else if (Start == Type)
      AddTo(ByName[Type]);
    else if (auto At = llvm::find_if(
                 ByPrefix, [&](const auto &E) { return E.first == Start; });
             At != ByPrefix.end())
      AddTo(At->second);
    else
      AddTo(ByPrefix.emplace_back(Start.str(), BitVector()).second);
  }
}

BitVector ProbeIndex::find(StringRef Name,
                           const AncestorNames *Ancestors) const {
  // A class of this name is taken for one of any name (matchesWildcard).
  if (Name == "*")
    return BitVector(Size, true);
  BitVector Found = Everywhere;
  auto Add = [&](const llvm::StringMap<BitVector> &Map, StringRef Key) {
    if (Map.empty())
      return; // or the name is hashed for nothing
    if (auto At = Map.find(Key); At != Map.end())
      Found |= At->second;
  };
  Add(ByName, Name);
  for (const auto &[Prefix, Probes] : ByPrefix)
    if (Name.starts_with(Prefix))
      Found |= Probes;
  if (!Ancestors) {
    for (const auto &Entry : ByAncestor)
      Found |= Entry.second;
    return Found;
  }
  if (ByAncestor.empty())
    return Found;
  Add(ByAncestor, Name);
  for (StringRef A : *Ancestors)
    Add(ByAncestor, A);
  return Found;
}
