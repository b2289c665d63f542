//===- Slots.h - Locals and operand stacks ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The slots of frames. A method may have thousands of frames of thousands of
/// slots that are nearly alike, so a stored frame is the number of a tree whose
/// equal parts are shared and which is never stored twice: equal frames have
/// equal numbers, and comparing two costs as much as they differ.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_SLOTS_H
#define JOPT_LIB_VERIFY_SLOTS_H

#include "Types.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace jopt::verify {

/// A stored array of slots; 0 is the one in which every slot is top.
using SlotRoot = uint32_t;

/// Stores arrays of one fixed size.
class SlotPool {
public:
  static constexpr unsigned Fan = 16;
  using Node = std::array<uint32_t, Fan>;

  /// Forgets everything; arrays are of \p Size slots from now on.
  void reset(unsigned Size);

  /// Sixteen slots of \p R, from Fan * \p Leaf on. Valid until the next change.
  const Node &leaf(SlotRoot R, unsigned Leaf) const;
  VType get(SlotRoot R, unsigned I) const {
    return VType::fromRaw(leaf(R, I / Fan)[I % Fan]);
  }
  /// \p R with leaf \p Leaf (its slots from Fan * Leaf on) replaced.
  SlotRoot setLeaf(SlotRoot R, unsigned Leaf, const Node &Slots);
  SlotRoot set(SlotRoot R, unsigned I, VType T);

  /// Calls \p Visit(First, A, B) with the leaves in which the arrays differ;
  /// First is the number of their first slot. Stops at the first false, and
  /// returns it.
  template <typename Fn> bool diff(SlotRoot A, SlotRoot B, Fn Visit) const {
    return A == B || diffNodes(A, B, Height, 0, Visit);
  }
  /// Whether \p Fits(SlotOfA, SlotOfB, Index) holds for all slots; it must for
  /// equal ones, and where \p B has top. What was found to fit is remembered,
  /// so arrays that changed a little since are not compared anew.
  template <typename Fn> bool fits(SlotRoot A, SlotRoot B, Fn Fits) {
    return fitNodes(A, B, Height, 0, Fits);
  }
  /// Replaces each pair of slots that differ by \p Join of them. With
  /// \p TopWins the join with top is top.
  template <bool TopWins, typename Fn>
  SlotRoot merge(SlotRoot A, SlotRoot B, Fn Join) {
    return mergeNodes<TopWins>(A, B, Height, Join);
  }

private:
  template <typename Fn>
  bool diffNodes(uint32_t A, uint32_t B, unsigned Level, unsigned First,
                 Fn &Visit) const {
    const Node &X = Nodes[A], &Y = Nodes[B];
    if (Level == 0)
      return Visit(First, X, Y);
    for (unsigned I = 0; I < Fan; ++I)
      if (X[I] != Y[I] &&
          !diffNodes(X[I], Y[I], Level - 1, First + (I << (4 * Level)), Visit))
        return false;
    return true;
  }
  template <typename Fn>
  bool fitNodes(uint32_t A, uint32_t B, unsigned Level, unsigned First,
                Fn &Fits) {
    if (A == B || B == 0)
      return true;
    // Small methods have but one leaf, where looking is cheaper.
    uint64_t Key = uint64_t(A) << 32 | B;
    if (Height && Fitting[Level].contains(Key))
      return true;
    for (unsigned I = 0; I < Fan; ++I) {
      uint32_t X = Nodes[A][I], Y = Nodes[B][I];
      if (Level ? !fitNodes(X, Y, Level - 1, First + (I << (4 * Level)), Fits)
                : X != Y &&
                      !Fits(VType::fromRaw(X), VType::fromRaw(Y), First + I))
        return false;
    }
    if (Height) {
      if (Fitting[Level].size() > 1 << 18)
        Fitting[Level].clear();
      Fitting[Level].insert(Key);
    }
    return true;
  }
  template <bool TopWins, typename Fn>
  uint32_t mergeNodes(uint32_t A, uint32_t B, unsigned Level, Fn &Join) {
    if (A == B)
      return A;
    if (TopWins && (A == 0 || B == 0))
      return 0;
    Node N = Nodes[A], Y = Nodes[B];
    for (unsigned I = 0; I < Fan; ++I)
      if (N[I] != Y[I])
        N[I] = Level == 0
                   ? Join(VType::fromRaw(N[I]), VType::fromRaw(Y[I])).raw()
                   : mergeNodes<TopWins>(N[I], Y[I], Level - 1, Join);
    return intern(N);
  }
  SlotRoot setLeafAt(uint32_t N, unsigned Level, unsigned Leaf,
                     const Node &Slots);
  uint32_t intern(const Node &N);
  void grow();

  unsigned Height = 0; ///< levels above the leaves
  /// Pairs of nodes that fit, by level.
  std::array<llvm::DenseSet<uint64_t>, 4> Fitting;
  std::vector<Node> Nodes;
  std::vector<uint32_t> Table; ///< open addressing; 0 is empty
};

/// The slots of the frame at hand, changed one by one.
class Slots {
public:
  explicit Slots(SlotPool &Pool) : Pool(Pool) {}

  /// \p Size slots, all top.
  void reset(unsigned Size);
  VType get(unsigned I) const { return VType::fromRaw(Flat[I]); }
  void set(unsigned I, VType T) {
    if (Flat[I] == T.raw())
      return;
    Flat[I] = T.raw();
    unsigned Leaf = I / SlotPool::Fan;
    if (!IsDirty[Leaf]) {
      IsDirty[Leaf] = true;
      Dirty.push_back(Leaf);
    }
  }
  unsigned size() const { return Size; }
  bool changed() const { return !Dirty.empty(); }
  /// The slots as they were stored last.
  SlotRoot stored() const { return Root; }
  /// Stores the slots.
  SlotRoot root() {
    if (changed())
      flush();
    return Root;
  }
  /// Makes the slots those of \p R.
  void load(SlotRoot R);
  /// Replaces each slot that holds \p From by \p To.
  void replaceAll(VType From, VType To);

private:
  void flush();

  SlotPool &Pool;
  SlotRoot Root = 0;
  unsigned Size = 0;
  std::vector<uint32_t> Flat; ///< rounded up to whole leaves
  llvm::SmallVector<unsigned, 8> Dirty;
  std::vector<bool> IsDirty;
};

} // namespace jopt::verify

#endif
