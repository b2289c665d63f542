//===- CodePaths.h - The paths of a method, as numbers ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The blocks of original code, and the ways that activations go through them
/// (Ball and Larus 1996, and exceptions). A path begins where the method is
/// entered, behind an edge that is cut, or in a handler. It ends before an edge
/// that is cut, by a return, or by an exception somewhere in its last block.
/// Cut are edges that go back, those into handlers, and others where there are
/// too many paths.
///
/// An exception is the first way out of a block, so that it adds nothing: where
/// it comes the sum of what was added is the number of the path that it ends.
/// The same bytes have the same numbers. From any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_CODEPATHS_H
#define JOPT_COVERAGE_CODEPATHS_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/Support/PathNumbers.h"

namespace jopt::coverage {

/// Instructions of which nothing but the first is led to, and nothing but the
/// last leads elsewhere, exceptions left out. Offsets are bytecode indices.
struct PathBlock {
  struct Edge {
    enum Kinds : uint8_t { Fall, Jump, Switch };
    uint32_t To; ///< a block
    Kinds Kind;
    /// A path ends before it, and another begins behind.
    bool IsCut = false;
  };
  uint32_t Start = 0, Last = 0; ///< its first and its last instruction
  /// Each block that may come next, once; the one that it falls into first.
  llvm::SmallVector<Edge, 2> Next;
  /// The handlers, as blocks, of what may be thrown in it; in their order.
  llvm::SmallVector<uint32_t, 2> Handlers;
  /// An instruction of it may throw by the specification.
  bool MayThrow = false;
  bool Returns = false;
  bool IsHandler = false;
  /// The entry leads here, or an exception in what it leads to.
  bool IsReached = false;
};

/// The blocks of a method's code \p Code, in the order of their offsets. None
/// of their edges is cut. Fails, without a place, where the code cannot be
/// decoded, leads to no instruction, or has subroutines.
llvm::Expected<std::vector<PathBlock>>
findBlocks(const ClassFile &F, const Method &M, const CodeView &Code);

/// The paths of a method, of blocks that are reached.
class CodePaths {
public:
  /// There are at most so many: what Java has in an int.
  static constexpr uint32_t MostPaths = 1u << 31;

  /// Cuts \p Blocks where they loop, and where there would be more than
  /// \p Most paths. \p Most is more than the edges of the code.
  static CodePaths number(std::vector<PathBlock> Blocks,
                          uint32_t Most = MostPaths);

  uint32_t size() const { return Numbers.size(); }
  llvm::ArrayRef<PathBlock> blocks() const { return Blocks; }
  /// The number with which a path begins at \p Block, which is the first one, a
  /// handler, or behind an edge that is cut.
  uint32_t first(uint32_t Block) const { return Numbers.first(Block); }
  /// The step of edge \p Edge of Next: in front of the edge, if it is cut.
  uint32_t step(uint32_t Block, size_t Edge) const {
    return Numbers.step(Block, Blocks[Block].MayThrow + Edge);
  }
  uint32_t stepToReturn(uint32_t Block) const {
    return step(Block, Blocks[Block].Next.size());
  }
  /// Edges that are cut for \p Most.
  unsigned numCut() const { return NumCut; }

  struct Path {
    llvm::SmallVector<uint32_t, 8> Blocks;
    enum Ends : uint8_t { Throws, Returns, Cut } End;
    uint32_t Next; ///< where the edge leads that is cut
  };
  /// That of the number \p Number, which is below size().
  Path path(uint32_t Number) const;

private:
  CodePaths(std::vector<PathBlock> Blocks, PathNumbers Numbers, unsigned NumCut)
      : Blocks(std::move(Blocks)), Numbers(std::move(Numbers)), NumCut(NumCut) {
  }

  std::vector<PathBlock> Blocks;
  PathNumbers Numbers;
  unsigned NumCut;
};

} // namespace jopt::coverage

#endif
