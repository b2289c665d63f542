//===- BlockLifter.h - One block of code into IR ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of lifting that both lifters share: the instructions of one block,
/// from a known state of stack and slots.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_BLOCKLIFTER_H
#define JOPT_LIB_READER_BLOCKLIFTER_H

#include "Lift.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>
#include <vector>

namespace jopt {

/// The class that the `new` of \p Site names; it may stand behind what is
/// lifted already.
unsigned newIndex(const Body &F, Bytes Code, llvm::ArrayRef<uint32_t> SiteAt,
                  uint32_t Site);

/// How a block ends, and where control goes: the lifters turn bytecode indices
/// into blocks.
struct BlockEnd {
  enum Kind { FallThrough, Branch, Subroutine, SubroutineReturn } K;
  /// The terminator, without successors yet; null if the block runs into the
  /// next leader, and for jsr and ret.
  Instruction *Terminator = nullptr;
  /// The instruction that ended the block (Branch, Subroutine*), for targets.
  DecodedInst Last;
  /// SubroutineReturn: the context number in the RetAddr.
  uint32_t Context = 0;
};

/// Stack and slots where the lifter stands, and the sites of `new`.
struct LiftState {
  std::vector<Value *> Stack;
  SlotTypes Slots; ///< numSlots() of them
  /// Site number of the `new` at a bytecode index (copies of a subroutine have
  /// their own); see Body::NewSites.
  std::vector<uint32_t> SiteAt;
};

/// Lifts blocks of one body. The state (Stack, Slots) is set by the caller
/// before, and read after, each block.
class BlockLifter : Lift<BlockLifter> {
public:
  /// \p S is used as scratch space, and outlives the lifter.
  BlockLifter(Body &B, Bytes Code, const LiftOptions &O, LiftState &S);

  using Lift::Slots;
  std::vector<Value *> &Stack;
  std::vector<uint32_t> &SiteAt;

  /// lift() reads from \p C, which begins at \p BCI, from now on.
  void setCode(Bytes C, uint32_t BCI) {
    Code = C;
    Base = BCI;
  }

  /// Lifts [\p From, \p To) into \p B, up to and including the terminator.
  /// \p To is the next leader or the end of the code. What is left on the stack
  /// is in Stack; the caller makes it the exit list.
  llvm::Expected<BlockEnd> lift(Block *B, uint32_t From, uint32_t To);

  /// The type of \p V here: a value made by `new` is initialised once its
  /// constructor was called in this block.
  Type typeOf(const Value *V) const;

  static constexpr uint32_t NoSite = ~0u;

  /// If set: every type a slot is given in a block is merged in here, for the
  /// handlers of the block (inference only).
  std::vector<Type> *HandlerSlots = nullptr;
  /// Gives the context that a jsr enters (inference only).
  std::function<uint32_t(const DecodedInst &)> EnterSubroutine;

  /// \name For shuffleStack
  /// @{
  size_t entries(size_t Above, size_t Slots) const;
  static void copied(Value *V) { V->setKeep(true); }
  static void dropped(Value *V) { V->setPopped(true); }
  /// @}

private:
  friend Lift<BlockLifter>;

  [[gnu::cold]] llvm::Error bad(const llvm::Twine &What) const;
  Instruction *emit(const LiftEffect &E, Type Ty, unsigned NumOps);
  void setSlot(unsigned Slot, Type Ty);
  bool end(const LiftEffect &E, BlockEnd &End);
  bool enterSubroutine(BlockEnd &End);
  void initialize(Instruction *Call);
  void keepShapeOfDiscardedObjects();
  void keepDiscarded(Value *V);
  bool pinsMoves() const;
  void pin(llvm::ArrayRef<Value *> Given, uint32_t BCI, uint32_t Length);
  void pinAll(uint32_t BCI);
  void pinLeft(unsigned Count);
  void anchor();

  /// \name For Lift
  /// @{
  uint32_t index() const { return D.Index; }
  Opcode opcode() const { return D.Op; }
  unsigned dimensions() const { return unsigned(D.Value); }
  [[gnu::cold]] bool fail(const llvm::Twine &What) {
    Problem = What.str();
    return false;
  }
  bool has(unsigned Count, unsigned) {
    return Stack.size() >= Count || fail("operand stack is too small");
  }
  bool fits(LiftOperands O);
  Type typeAt(unsigned N) const { return Stack[Stack.size() - N]->type(); }
  bool put(const LiftEffect &E, unsigned Count, unsigned, Type Result) {
    emit(E, Result, Count);
    return true;
  }
  bool top(unsigned Width, Type &Ty);
  static bool mayLoad(Type Ty) { return Ty.isReference(); }
  static bool mayStore(Type Ty) {
    return Ty.isReference() || Ty.is(Type::RetAddr);
  }
  bool loaded(const LiftEffect &E, Type Ty);
  bool stored(const LiftEffect &E, Type Ty);
  bool incremented(const LiftEffect &E);
  bool loadedConstant(const LiftEffect &E, Type Ty);
  bool made(const LiftEffect &E, Type Class);
  bool initialised(const LiftEffect &E, unsigned Count, unsigned);
  bool moved(const LiftEffect &E);
  /// @}

  Bytes Code;
  uint32_t Base = 0; ///< the bytecode index where Code begins
  LiftOptions Options;
  Block *B = nullptr;
  uint32_t BlockEndBCI = 0; ///< where the code of the block ends
  DecodedInst D;
  std::string Problem; ///< why an instruction could not be lifted
  /// The types that <init> calls of this block made of uninitialised types.
  llvm::SmallVector<std::pair<Type, Type>, 4> Initialized;
  /// Results of <init> calls that stay on the stack; see
  /// keepShapeOfDiscardedObjects.
  llvm::SmallVector<Instruction *, 8> InitResults;
  llvm::DenseSet<const Value *> UsedInits;
};

} // namespace jopt

#endif
