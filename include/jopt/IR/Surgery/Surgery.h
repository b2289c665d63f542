//===- Surgery.h - Cutting blocks and putting code between ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes to blocks for passes, beyond Body::split. All of them work on a
/// lifted or raw body, on the thread that works on its class, and never fail;
/// frames of blocks that are branched to are the caller's to declare.
///
/// `if (switch) advice` in front of an instruction, whatever is on the stack:
/// \code
///   BlockCut Cut(Before);
///   Block *Then = Cut.addThen();
///   B.setEnd(Cut.Before);
///   B.jumpIfZero(B.callStatic(Owner, "isOn", "()Z", {}), Cut.After, Then);
///   B.setPoint(Then->terminator());
///   B.callStatic(Owner, "advice", "()V", {});
///   Cut.close();
///   F.setFrame(Cut.After, Slots); // what they hold at Before: see SlotState
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_SURGERY_SURGERY_H
#define JOPT_IR_SURGERY_SURGERY_H

#include "jopt/IR/Surgery/Builder.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// A value on the operand stack where a block is cut in two.
struct CarriedValue {
  /// The value that the first half leaves; may be exchanged for another of the
  /// type.
  Value *Out;
  /// The parameter that Body::split gave the second half; null if only code
  /// between uses the value.
  Parameter *In;
  /// The type where the block was cut: of an object that a constructor call
  /// has initialised since \p Out, that.
  Type Ty;
  /// Where it waits while the code between runs; none: on the stack.
  std::optional<unsigned> Slot;
};

/// A block that is cut in two so that code with branches comes between. Made;
/// given blocks, which all carried values pass; closed.
class BlockCut {
public:
  /// Cuts the block of \p At in front of it. The first half has no terminator
  /// then, and no exit list until close().
  explicit BlockCut(Instruction *At);

  Block *Before, *After;
  /// Bottom to top.
  llvm::SmallVector<CarriedValue, 8> Values;

  /// Has \p V, a value of the first half, carried too: on top, if it is not
  /// carried already. Before the first block is added.
  void carry(Value *V);
  /// Has \p V, one of Values, wait in \p Slot: an exception clears the stack.
  /// Stores it where \p B stands, in the first half. \p Frame gets to declare
  /// the slot.
  void store(Builder &B, CarriedValue &V, unsigned Slot,
             llvm::SmallVectorImpl<Type> &Frame);

  /// A new block in front of the second half, behind those added before, with
  /// the handlers of the first: what is carried on the stack comes as
  /// parameters and goes on. It has no terminator.
  Block *addBlock();
  /// The same that falls through into the second half.
  Block *addThen();
  /// The value that an added block, where \p B stands, has for \p Out, a
  /// carried value or one that can be made again.
  Value *get(Builder &B, Value *Out) const;
  /// Where \p B stands, at the end of an added block, \p New takes the place of
  /// \p V, one of Values.
  void put(Builder &B, const CarriedValue &V, Value *New) const;
  /// Gives the halves what they have in common: exit list and parameters, and
  /// loads of what waited in slots.
  void close();

private:
  Body &F;
};

/// Cuts the block of \p I in front of it, unless it begins with \p I. Returns
/// the block that does.
Block *startBlock(Instruction *I);

/// A new block on the edges from terminator \p T to \p To, which is one of its
/// successors: on those by which it jumps there, or (\p Falls) on that by which
/// it falls there. It has the handlers of \p To only where it falls, and
/// nothing but its terminator.
Block *cutEdge(Instruction &T, Block &To, bool Falls);

/// A copy of \p V where \p B stands, which floats. \p V is pure (see
/// Instruction::isPure), in this body or another with the same pool.
Instruction *copyFloating(Builder &B, const Instruction &V);

/// Puts a copy of each block of \p F, which is lifted, at the end of the
/// layout, in their order. Copies lead to copies, and copies of handlers cover
/// them, in the order of the originals; they have the same bytecode indices.
/// By block, its copy.
llvm::DenseMap<const Block *, Block *> copyBlocks(Body &F);

/// Puts a handler for all exceptions in front of \p Before (null: at the end of
/// the layout): a block with the frame \p Locals, whose one parameter is the
/// Throwable; covers nothing yet, see wrapInTry and Body::addFinalHandler.
Block *addCatchAll(Body &F, llvm::ArrayRef<Type> Locals,
                   Block *Before = nullptr);

/// Has \p Handler catch what \p Covered throws, before the handlers \p Others
/// can, which cover it too. Its entry stands in front of \p First (null: of no
/// other).
void wrapInTry(Block *Covered, Block *Handler, const ThrowEdge *Others,
               TryEntry *First);

/// \p I is a call of super() or this() on `this`.
inline bool isSuperCall(const Instruction &I) {
  return I.isInit() && I.operand(0)->type().is(Type::UninitThis);
}

/// The place behind \p Call for what comes when it has returned: where a pass
/// keeps a copy of `this`, that stands right behind super(), and this behind
/// the copy.
Block::InstList::iterator behindSuperCall(Instruction *Call);

/// Makes \p Frame declare \p Slot.
void declareSlot(llvm::SmallVectorImpl<Type> &Frame, unsigned Slot, Type Ty);

/// Takes from \p Frame what the writer puts into every frame of \p F.
void dropPinnedLocals(llvm::MutableArrayRef<Type> Frame, const Body &F);

} // namespace jopt

#endif
