//===- Lifter.h - Code bytes into IR ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lifts the code of a method into a Body: by the StackMapTable in one linear
/// pass where the class has one, by inference otherwise (versions below 50,
/// and 50 where the table does not fit the code). jsr and ret are inlined.
///
/// Dead code: in a method lifted by frames unreachable code has a frame and is
/// kept like any other; by inference, what is never reached is dropped.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_READER_LIFTER_H
#define JOPT_READER_LIFTER_H

#include "jopt/IR/Model/Body.h"
#include <optional>

namespace jopt {

struct OriginalFrame;
struct OriginalStep;
struct OriginalReturn;
struct CodePatch;

struct LiftOptions {
  /// Make anchors for original instructions that have no IR instruction.
  /// KeepRaw::Straight is no more than KeepRaw::Moves then.
  bool Anchors = false;
  /// The code that may stay raw. None does where code is lifted by inference.
  KeepRaw Raw = KeepRaw::No;
  /// With KeepRaw::Moves: raw code without bytes takes all values on the stack
  /// in front of an access of a field or an element, and gives them back. So
  /// they are all there, in their places, for who copies some of them.
  bool PinAccesses = false;
};

/// Creates \p M's Body (M.IR) from its Code attribute. \p M must have one.
/// Fails, leaving \p M as it was, where the code cannot be understood: bad
/// instructions, a stack that does not fit, frames missing or wrong, copies
/// of subroutines beyond 64 KB.
llvm::Error liftMethod(ClassFile &Class, Method &M, const LiftOptions &O = {});

/// Creates \p M's Body patched (Body::Patch). \p S, which must outlive it,
/// receives the facts about the code. False, and nothing has changed, if \p M
/// has to be lifted: its code is unusual or malformed, or verified without
/// frames. That depends on nothing but the bytes of the class. \p S keeps the
/// code and its attributes in any case.
bool liftPatched(ClassFile &Class, Method &M, CodePatch &S);

/// Notes the facts about the original code of the patched bodies of \p Class,
/// which come from text (Body::OwnPatch). Fails if liftPatched would not take
/// such code. Text has been verified (verifyClassIR).
llvm::Error notePatchFacts(ClassFile &Class);

/// Makes of \p B, an empty block of a body for one site, the return \p R of
/// \p S: with the load in front of it, or with the returned value as parameter.
/// \p Known: the type of the returned value, if that is a reference and more is
/// known of it than the method's return type. False if that cannot be.
bool liftReturn(const CodePatch &S, const OriginalReturn &R, Block *B,
                Type Known = Type::Void);

/// How many slots of the operand stack are in use at places of original code.
/// Queries in ascending order cost one pass over the code.
class OriginalDepths {
public:
  OriginalDepths(ClassFile &Class, Bytes Code,
                 llvm::ArrayRef<OriginalFrame> Frames)
      : Class(Class), Code(Code), Frames(Frames) {}
  /// In front of the instruction at \p BCI; nothing if that cannot be told.
  std::optional<unsigned> at(uint32_t BCI);
  /// Follows all of the code, that of \p S (noteSteps).
  bool follow(CodePatch &S);

private:
  int changeByPool(const uint8_t *P) const;
  bool pass();
  void skipFixed(uint32_t Stop);
  OriginalStep *followPlain(OriginalStep *To, uint32_t Stop);

  ClassFile &Class;
  const Bytes Code;
  const llvm::ArrayRef<OriginalFrame> Frames;
  size_t Next = 0;   ///< the next frame that is followed to
  size_t Behind = 0; ///< the first behind the last query
  uint32_t At = 0;   ///< Depth is the depth in front of this place
  int Depth = 0;
};

/// Follows all of the code of \p S, if nobody did, and notes its steps. False
/// if the depth cannot be told; also where something stays on the stack at a
/// return, an athrow or behind super(): lifting drops that.
bool noteSteps(ClassFile &Class, CodePatch &S);

/// The types of slots and stack at places of original code, for queries in
/// ascending order.
class OriginalTypes {
public:
  /// \p F is a patched body.
  explicit OriginalTypes(Body &F);
  /// In front of the instruction at \p BCI. False if that cannot be told.
  bool at(uint32_t BCI);
  /// \name The last answer, as a frame lists it; the payload of a type that is
  /// not initialised is the index of its `new`
  /// @{
  std::vector<Type> Locals, Stack;
  /// @}

private:
  void pass(const OriginalFrame &Frame);

  Body &F;
  size_t Next = 0;   ///< the next frame
  uint32_t From = 0; ///< where the last one is, and what it declares
  std::vector<Type> FrameLocals, FrameStack;
};

/// Sets S.HandlerLocals and S.LastLocals of \p S, the patched body of \p M.
void noteLocals(ClassFile &Class, const Method &M, CodePatch &S);

/// Lifts what is raw in \p B beyond \p Keep. Fails where that code is
/// malformed, leaving a body that is good for nothing.
llvm::Error liftRaw(Body &B, KeepRaw Keep = KeepRaw::No);

} // namespace jopt

#endif
