//===- ThreadSlicer.h - The activations of a thread -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows the events of one thread: activations, calls, exceptions and control
/// dependences. Instructions.cpp has the effect of instructions on values.
///
/// Code in front of a super() or this() has no events. The slicer follows it at
/// the call of the constructor as long as it has no branch, up to the place
/// that an event gives.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_THREADSLICER_H
#define JOPT_LIB_SLICE_THREADSLICER_H

#include "Heap.h"
#include "SlicedClasses.h"

namespace jopt::slice {

/// Opcodes of events that are no instruction. A completion is behind a call.
constexpr int32_t LineEvent = -1, CompletionEvent = -4, CatchEvent = -6,
                  AbortEvent = -7;

/// What all threads share.
struct SliceWorld {
  SliceWorld(const data::Traces &T, ClassContents Classes)
      : Classes(T, std::move(Classes)), Objects(Nodes) {}

  SlicedClasses Classes;
  Dependences Nodes;
  Heap Objects;
};

struct SliceFrame;

/// A call, from the event in front of it up to its end.
struct SliceCall {
  DecodedInst At;
  MemberRef Callee;
  /// That the method runs: the call, and of what object.
  NodeId Node = 0;
  std::vector<SliceValue> Arguments; ///< a value for each slot
  /// The method that was called has begun, and told so.
  bool IsEntered = false;
  std::optional<SliceValue> Result;    ///< of that method
  std::optional<SliceValue> Exception; ///< that it threw
  /// What goes into code that is not traced; 0 until there is need for it.
  NodeId Untraced = 0;
  /// What methods returned that such code called.
  std::vector<NodeId> Inside;
  /// Of a traced constructor that has not told its beginning yet.
  std::unique_ptr<SliceFrame> Prologue;
};

/// An activation.
struct SliceFrame {
  const SlicedMethod *Method = nullptr;
  SliceFrame *Caller = nullptr; ///< null: not known
  /// The caller's instruction is a call of this method.
  bool IsDirect = false;
  NodeId Call = 0; ///< that it runs at all
  std::vector<SliceValue> Locals, Stack;
  /// What decides that the next instruction runs, innermost last, and where
  /// that ends.
  struct Region {
    NodeId Node;
    uint32_t End;
  };
  llvm::SmallVector<Region, 4> Control;
  /// The last instruction, and its execution; 0 if that only moved values.
  std::optional<DecodedInst> Last;
  NodeId LastNode = 0;
  std::optional<SliceValue> Thrown; ///< by an athrow
  std::unique_ptr<SliceCall> Pending;
  /// In front of super(): objects that were made and not initialised yet; and
  /// it has branches, so that nothing is known.
  unsigned News = 0;
  bool IsBlind = false;
  /// It has returned: it goes with the next event.
  bool HasLeft = false;
  /// The executions of the criterion's line, if the last instruction is on it.
  std::vector<NodeId> OnLine;

  NodeId control() const {
    return Control.empty() ? Call : Control.back().Node;
  }
};

/// The events of a thread, one by one.
class ThreadSlicer {
public:
  ThreadSlicer(SliceWorld &W, uint32_t Thread) : W(W), Thread(Thread) {}

  /// The activation of \p E, which is of \p Method, behind it: alive until the
  /// next event. Null if \p Method is.
  SliceFrame *handle(const data::TracedEvent &E, const SlicedMethod *Method);

private:
  /// \name Activations and calls
  /// @{
  void unwindTo(uint32_t Level);
  std::unique_ptr<SliceFrame> enter(const data::TracedEvent &E,
                                    const SlicedMethod &Method);
  std::unique_ptr<SliceFrame> enterFrom(SliceFrame &Caller,
                                        const SlicedMethod &Method,
                                        const data::Activation &A);
  std::unique_ptr<SliceFrame> enterUntraced(SliceFrame *Caller,
                                            const SlicedMethod &Method,
                                            const data::Activation &A);
  bool isCallOf(const SliceCall &Call, const SlicedMethod &Method,
                const data::Activation &A);
  void leave(SliceFrame &F);
  void call(SliceFrame &F, const DecodedInst &I);
  NodeId goUntraced(SliceFrame &F);
  SliceValue untracedResult(SliceFrame &F);
  void complete(SliceFrame &F);
  /// @}

  /// \name In front of super()
  /// @{
  void beginPrologue(SliceFrame &Caller);
  void advance(SliceFrame &P);
  std::optional<uint32_t> findCallOf(const SliceFrame &P,
                                     const SlicedMethod &Method);
  bool advanceToCallOf(SliceFrame &P, const SlicedMethod &Method);
  std::unique_ptr<SliceFrame> finishPrologue(SliceFrame &Caller,
                                             const data::Activation &A);
  /// @}

  /// \name Control
  /// @{
  void arrive(SliceFrame &F, uint32_t BCI);
  SliceValue thrownBy(SliceFrame &F, uint32_t &BCI);
  void catchAt(SliceFrame &F, uint32_t BCI);
  void instruction(SliceFrame &F, uint32_t BCI, const data::TracedEvent &E);
  /// @}

  /// \name Instructions
  /// @{
  NodeId add(SliceFrame &F, const DecodedInst &I, llvm::ArrayRef<NodeId> On);
  SliceValue unknown(SliceFrame &F);
  SliceValue pop(SliceFrame &F, unsigned Slots = 1);
  void push(SliceFrame &F, SliceValue V, unsigned Slots = 1) {
    F.Stack.insert(F.Stack.end(), Slots, V);
  }
  unsigned slots(const SliceFrame &F, const DecodedInst &I, char Letter) const;
  void step(SliceFrame &F, const DecodedInst &I, const data::TracedEvent *E);
  void local(SliceFrame &F, const DecodedInst &I);
  void move(SliceFrame &F, const DecodedInst &I);
  void plain(SliceFrame &F, const DecodedInst &I);
  void control(SliceFrame &F, const DecodedInst &I);
  void fieldAccess(SliceFrame &F, const DecodedInst &I,
                   const data::TracedEvent *E);
  void arrayAccess(SliceFrame &F, const DecodedInst &I,
                   const data::TracedEvent *E);
  void identify(SliceValue &V, int32_t Hash, SiteId Site,
                std::vector<Doubt> &Doubts);
  SliceValue read(SliceFrame &F, const DecodedInst &I,
                  llvm::ArrayRef<Definition> Defs, std::vector<NodeId> On,
                  std::vector<Doubt> &Doubts);
  /// @}

  SliceWorld &W;
  const uint32_t Thread;
  /// With their levels, the innermost last. Of those that are not there nothing
  /// is known.
  std::vector<std::pair<uint32_t, std::unique_ptr<SliceFrame>>> Frames;
};

} // namespace jopt::slice

#endif
