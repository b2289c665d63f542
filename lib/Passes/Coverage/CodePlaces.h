//===- CodePlaces.h - Places of original code in a body ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds places of original code, given by bytecode indices, in a lifted body.
/// A jump to a block with other predecessors gets a block of its own.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_CODEPLACES_H
#define JOPT_LIB_PASSES_COVERAGE_CODEPLACES_H

#include "jopt/Coverage/CodePaths.h"
#include "jopt/Coverage/ProbePoints.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt {

/// Makes code of coverage: none of it is original code to the passes behind.
struct RecordingBuilder : Builder {
  template <typename... Ts>
  explicit RecordingBuilder(Body &F, Ts &&...At) : Builder(F, At...) {
    setAdvice(Instruction::OfPass);
  }
};

/// Create it before the body changes.
class CodePlaces {
public:
  explicit CodePlaces(Body &F);

  /// To be called after blocks were split: each new block has one predecessor.
  void addBlocks() { Ways.resize(F.numBlocks(), 1); }

  /// The instruction at \p P: code for that place goes in front of it. Null if
  /// the body has no such place. Call it once for each place.
  Instruction *find(const coverage::ProbePoint &P);
  /// The same for an edge of \p Block. Edges to the same block may share a
  /// place.
  Instruction *find(const coverage::CodePaths &Paths, uint32_t Block,
                    size_t Edge);
  /// The first instruction of bytecode index \p BCI; null if there is none.
  Instruction *at(uint32_t BCI) const {
    return BCI < At.size() ? At[BCI] : nullptr;
  }
  /// The terminator of that index.
  Instruction *end(uint32_t BCI) const { return Ends.lookup(BCI); }
  const llvm::DenseMap<uint32_t, Instruction *> &ends() const { return Ends; }

private:
  Instruction *findFall(Instruction &I);
  Instruction *onEdge(Instruction &T, const Block &To, bool Jumps);

  Body &F;
  std::vector<Instruction *> At; ///< by bytecode index
  llvm::DenseMap<uint32_t, Instruction *> Ends;
  /// The number of edges into a block, by its id; those of exceptions count
  /// twice.
  std::vector<uint32_t> Ways;
};

/// Makes a block in front of all other code, in no range.
Block &addPrologue(Body &F);

/// Has a block begin behind super() in a constructor, so that a handler may
/// begin there. \p This is as it was before anything changed.
void startBehindSuper(Body &F, const ThisState &This);
/// Adds the final handler of what a handler may cover of the original code, in
/// a constructor what comes behind super(): what \p Record puts in front of the
/// instruction that throws the exception again. None, and false, if
/// there is no such code. \p Covers leaves blocks out.
bool addRecordingHandler(
    Body &F, const ThisState &This,
    llvm::function_ref<void(Instruction *)> Record,
    llvm::function_ref<bool(const Block &)> Covers = [](const Block &) {
      return true;
    });

} // namespace jopt

#endif
