//===- PathCopies.h - Blocks that count, and copies that ask ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A method in two copies (Arnold and Ryder 2001). The copy that runs most of
/// the time does nothing but ask, where a path begins, whether the path belongs
/// to the sample. If so the other copy runs the path, and asks again where the
/// path ends.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_PATHCOPIES_H
#define JOPT_LIB_PASSES_COVERAGE_PATHCOPIES_H

#include "CodePlaces.h"
#include "jopt/Coverage/CodePaths.h"
#include "jopt/IR/Surgery/Builder.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// Create it before any counting code is placed. The blocks that exist then are
/// those that count.
class PathCopies {
public:
  /// The method can have a second copy: it stays below HotSpot's limit for
  /// compiled methods, and no uninitialised object exists where a path begins,
  /// as that could belong to one copy only. Paths are cut at back edges only.
  static bool arePossible(Body &F, const coverage::CodePaths &Paths);

  PathCopies(Body &F, const coverage::CodePaths &Paths, CodePlaces &Places)
      : F(F), Paths(Paths), Places(Places) {}

  /// Makes the copy. Nothing was placed yet. Fails, without a place, if a back
  /// edge has none.
  llvm::Error copy();

  /// The place on that back edge of a block of Paths, in the blocks that count.
  Instruction *placeOf(uint32_t Block, size_t Edge) const;

  /// \p B is one of those that count, and of the original code.
  bool counts(const jopt::Block &B) const { return Copy.count(&B); }

  /// Adds the questions at the beginnings of paths, when all is counted.
  /// \p IsSampled makes an int that is not 0 if the path is to be counted.
  /// \p Begin makes the code that runs then, for a block of Paths.
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
