//===- Reducers.h - What could be left out ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_REDUCE_REDUCERS_H
#define JOPT_LIB_REDUCE_REDUCERS_H

#include "Subject.h"
#include "llvm/ADT/ArrayRef.h"

namespace jopt::reduce {

/// Says of each thing that a reducer comes to whether it stays. Those of one
/// range go; a reducer comes to the same things in the same order each time.
class Oracle {
public:
  /// All stay: for counting.
  Oracle() = default;
  /// Numbers \p Begin to \p End - 1 go.
  Oracle(unsigned Begin, unsigned End) : Begin(Begin), End(End) {}
  /// To be asked once for each thing.
  bool keeps() {
    unsigned N = Count++;
    return N < Begin || N >= End;
  }
  unsigned count() const { return Count; }

private:
  unsigned Begin = 0, End = 0, Count = 0;
};

struct Reducer {
  const char *Name;
  void (*Run)(Subject &, Oracle &);
};

/// From coarse to fine.
llvm::ArrayRef<Reducer> getReducers();

/// \name Of probes (ReduceAdvice.cpp)
/// @{
void reduceProbes(Subject &S, Oracle &O);
void reduceAdvices(Subject &S, Oracle &O);
void reduceTargets(Subject &S, Oracle &O);
/// @}

/// \name Of classes (ReduceClass.cpp)
/// @{
void reduceMethods(Subject &S, Oracle &O);
void reduceFields(Subject &S, Oracle &O);
void reduceInterfaces(Subject &S, Oracle &O);
void reduceAttributes(Subject &S, Oracle &O);
void reducePool(Subject &S, Oracle &O);
/// @}

/// \name Of code (ReduceCode.cpp)
/// @{
void reduceCode(Subject &S, Oracle &O);         ///< of whole methods
void reduceRanges(Subject &S, Oracle &O);       ///< of exceptions
void reduceEdges(Subject &S, Oracle &O);        ///< ways from block to block
void reduceInstructions(Subject &S, Oracle &O); ///< zero instead of a result
void reduceOperations(Subject &S, Oracle &O);   ///< an operand instead
void reduceConstants(Subject &S, Oracle &O);    ///< zero instead
/// @}

/// \p I, whose result is not used any more or zero instead, goes.
void removeInstruction(Body &B, Instruction *I);

} // namespace jopt::reduce

#endif
