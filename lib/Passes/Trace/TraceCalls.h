//===- TraceCalls.h - What placing a trace shares ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The advices of a trace, and how paths are placed: on the thread that works
/// on the body; nothing fails.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_TRACE_TRACECALLS_H
#define JOPT_LIB_PASSES_TRACE_TRACECALLS_H

#include "jopt/Passes/Analysis/TracedEvents.h"
#include "jopt/Passes/Placement.h"

namespace jopt {

/// The advices of the trace, by what they tell the activation.
struct TraceCalls {
  static AnalysisKey Key;
  static TraceCalls run(const ClassFile &F, PassContext &C);

  unsigned Enter = 0;    ///< an activation begins
  unsigned Leave = 0;    ///< one ends, by this event
  unsigned Event = 0;    ///< one that has no values
  unsigned EventOf = 0;  ///< one of an object
  unsigned Value = 0;    ///< the value of the next event
  unsigned Index = 0;    ///< the index of the next event
  unsigned Argument = 0; ///< the next argument of an activation or a call
  unsigned Back = 0;     ///< those above it have ended

private:
  void find(const AdviceSet &Set);
};

/// Has a new handler catch what leaves the method, in a constructor from the
/// code behind super() alone, which begins a block. Returns the instruction
/// that throws it again; null if there is nothing to cover.
Instruction *catchAll(Placement &P, const TraceCalls &Calls);

/// Places the events of a method in \p F, a patched body with nothing in it:
/// all that \p Letters ask for but types of arguments of calls; no paths. Gives
/// their number. Where it fails the method is to be lifted.
llvm::Expected<unsigned> patchEvents(Body &F, PassContext &C,
                                     const TraceCalls &Calls,
                                     const TracedEvents::MethodEvents &Events,
                                     llvm::StringRef Letters);

/// Has one method record its paths (jopt/Trace/Paths.h). A slot holds the
/// number of the path so far, which is recorded where the path ends.
class PathPlacer {
public:
  /// Finds the sites, and defines the slot; nothing else was placed yet.
  PathPlacer(Placement &P, const TraceCalls &Calls,
             const TracedEvents::MethodEvents &Events);

  /// To be called when the activation has been placed.
  void run();

private:
  int32_t numberOf(uint32_t Segment) const;
  void add(Instruction *Before, uint32_t Step);
  void tell(Instruction *Before, unsigned Advice);
  void set(Instruction *Before, uint32_t Segment);
  void place(uint32_t Segment);
  uint32_t segmentOf(const Instruction &I) const;
  uint32_t stepAt(const Block &B, const Instruction &T, const Block &S) const;
  void placeEdges(Block &B);
  void placeOnEdge(Instruction *T, Block *To, uint32_t Step);
  void placeReturn(Instruction *Return);
  bool needsHandler() const;

  Placement &P;
  Body &F;
  const TraceCalls &Calls;
  const TracedEvents::MethodEvents &Events;
  const trace::Paths &Paths;
  unsigned Slot;
  /// The instruction that each bytecode index has.
  llvm::DenseMap<uint32_t, Instruction *> At;
  /// By the bytecode index of where they begin: segments that are come to by
  /// jumps too.
  llvm::DenseMap<uint32_t, uint32_t> Leaders;
  /// How many terminators lead to a block, by its id.
  std::vector<uint32_t> Entries;
};

} // namespace jopt

#endif
