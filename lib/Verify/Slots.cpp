//===- Slots.cpp - Locals and operand stacks ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include <algorithm>
#include <cstring>

using namespace jopt;
using namespace jopt::verify;

void SlotPool::reset(unsigned Size) {
  Height = 0;
  for (unsigned Leaves = (Size + Fan - 1) / Fan; Leaves > 1;
       Leaves = (Leaves + Fan - 1) / Fan)
    ++Height;
  Nodes.assign(1, Node());
  for (auto &Level : Fitting)
    if (!Level.empty())
      Level = {};
  // A table that one huge method made is not kept for all the small ones.
  if (Table.size() > 1024)
    Table = std::vector<uint32_t>();
  Table.assign(64, 0);
}

static uint64_t hashNode(const SlotPool::Node &N) {
  uint64_t H = 0x9e3779b97f4a7c15;
  for (unsigned I = 0; I < SlotPool::Fan; I += 2) {
    uint64_t Word = uint64_t(N[I]) << 32 | N[I + 1];
    H = (H ^ Word) * 0xff51afd7ed558ccd;
    H ^= H >> 32;
  }
  return H;
}

void SlotPool::grow() {
  Table.assign(Table.size() * 2, 0);
  size_t Mask = Table.size() - 1;
  for (uint32_t I = 1; I < Nodes.size(); ++I) {
    size_t At = hashNode(Nodes[I]) & Mask;
    while (Table[At])
      At = (At + 1) & Mask;
    Table[At] = I;
  }
}

uint32_t SlotPool::intern(const Node &N) {
  if (N == Nodes[0])
    return 0;
  size_t Mask = Table.size() - 1;
  size_t At = hashNode(N) & Mask;
  for (; Table[At]; At = (At + 1) & Mask)
    if (Nodes[Table[At]] == N)
      return Table[At];
  Table[At] = uint32_t(Nodes.size());
  Nodes.push_back(N);
  if (Nodes.size() * 2 > Table.size())
    grow();
  return uint32_t(Nodes.size() - 1);
}

const SlotPool::Node &SlotPool::leaf(SlotRoot R, unsigned Leaf) const {
  for (unsigned Level = Height; Level; --Level)
    R = Nodes[R][Leaf >> (4 * (Level - 1)) & (Fan - 1)];
  return Nodes[R];
}

SlotRoot SlotPool::setLeafAt(uint32_t N, unsigned Level, unsigned Leaf,
                             const Node &Slots) {
  if (Level == 0)
    return intern(Slots);
  Node Copy = Nodes[N];
  unsigned I = Leaf >> (4 * (Level - 1)) & (Fan - 1);
  Copy[I] = setLeafAt(Copy[I], Level - 1, Leaf, Slots);
  return intern(Copy);
}

SlotRoot SlotPool::setLeaf(SlotRoot R, unsigned Leaf, const Node &Slots) {
  return setLeafAt(R, Height, Leaf, Slots);
}

SlotRoot SlotPool::set(SlotRoot R, unsigned I, VType T) {
  Node Copy = leaf(R, I / Fan);
  Copy[I % Fan] = T.raw();
  return setLeaf(R, I / Fan, Copy);
}

void Slots::reset(unsigned NewSize) {
  Size = NewSize;
  size_t Leaves =
      std::max<size_t>(1, (NewSize + SlotPool::Fan - 1) / SlotPool::Fan);
  Flat.assign(Leaves * SlotPool::Fan, 0);
  IsDirty.assign(Leaves, false);
  Dirty.clear();
  Root = 0;
}

void Slots::flush() {
  for (unsigned Leaf : Dirty) {
    SlotPool::Node N;
    std::memcpy(N.data(), &Flat[Leaf * SlotPool::Fan], sizeof(N));
    Root = Pool.setLeaf(Root, Leaf, N);
    IsDirty[Leaf] = false;
  }
  Dirty.clear();
}

void Slots::load(SlotRoot R) {
  for (unsigned Leaf : Dirty) {
    std::memcpy(&Flat[Leaf * SlotPool::Fan], Pool.leaf(R, Leaf).data(),
                sizeof(SlotPool::Node));
    IsDirty[Leaf] = false;
  }
  Dirty.clear();
  Pool.diff(
      Root, R,
      [&](unsigned First, const SlotPool::Node &, const SlotPool::Node &N) {
        std::memcpy(&Flat[First], N.data(), sizeof(N));
        return true;
      });
  Root = R;
}

void Slots::replaceAll(VType From, VType To) {
  for (unsigned I = 0; I < Size; ++I)
    if (get(I) == From)
      set(I, To);
}
