//===- PathCopies.h - Blocks that count, and copies that ask ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A method in two copies (Arnold and Ryder 2001): what runs most of the time
/// does nothing but ask, where a path begins, whether it is one of the sample;
/// if so the path is run by the other copy, and where it ends that is asked
/// again.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_PATHCOPIES_H
#define JOPT_LIB_PASSES_COVERAGE_PATHCOPIES_H

#include "CodePlaces.h"
#include "jopt/Coverage/CodePaths.h"
#include "jopt/IR/Surgery/Builder.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// Made before anything is counted. The blocks that were there are those that
/// count.
class PathCopies {
public:
  /// The method can have a second copy: it stays below what HotSpot compiles,
  /// and there is no object without constructor where a path begins, which
  /// could be of the one copy only. Edges are cut where they go back alone.
  static bool arePossible(Body &F, const coverage::CodePaths &Paths);

  PathCopies(Body &F, const coverage::CodePaths &Paths, CodePlaces &Places)
      : F(F), Paths(Paths), Places(Places) {}

  /// Makes the copy, of code in front of which nothing was put yet. Fails,
  /// without a place, if an edge that goes back has none.
  llvm::Error copy();

  /// What stands in front of that edge of a block of Paths, which goes back, in
  /// those that count.
  Instruction *placeOf(uint32_t Block, size_t Edge) const;

  /// It is one of those that count, and of the original code.
  bool counts(const jopt::Block &B) const { return Copy.count(&B); }

  /// Has paths ask where they begin, when all is counted: \p IsSampled makes
  /// the int that is not 0 if they are to be counted, and \p Begin what is to
  /// be done then, for a block of Paths.
  void connect(llvm::function_ref<Value *(Builder &)> IsSampled,
               llvm::function_ref<void(Builder &, uint32_t)> Begin);

private:
  /// Where a path begins: by block of Paths, blocks that go on from there.
  struct Beginning {
    uint32_t Block;
    jopt::Block *Counts, *Asks;
    jopt::Block *Gate = nullptr;
  };
  /// An edge that goes back, by what leads there alone.
  struct Back {
    uint32_t Block;
    size_t Edge;
    Instruction *Counts, *Asks;
    uint32_t To;
  };
  void addGate(Beginning &N, llvm::function_ref<Value *(Builder &)> IsSampled,
               llvm::function_ref<void(Builder &, uint32_t)> Begin);
  void redirect(Instruction *T, Block *From, Block *To);

  Body &F;
  const coverage::CodePaths &Paths;
  CodePlaces &Places;
  llvm::DenseMap<const Block *, Block *> Copy;
  std::vector<Beginning> Beginnings;
  std::vector<Back> Backs;
};

} // namespace jopt

#endif
