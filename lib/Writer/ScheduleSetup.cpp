//===- ScheduleSetup.cpp - Numbers for the scheduler ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What precedes scheduling: blocks are put in order and checked, chains that
/// are joined only by falling through become regions, and values, instructions
/// and uses are numbered so that everything after works on flat arrays.
///
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>

using namespace jopt;
using llvm::Error;

[[gnu::cold]]
static Error badBlock(const Block &B, const llvm::Twine &What) {
  return makeError("block " + llvm::Twine(B.id()) + " (bytecode " +
                   llvm::Twine(B.bci()) + "): " + What);
}

/// Puts the blocks in order, and checks that control that falls through finds
/// its successor behind it.
Error Scheduler::place() {
  Blocks.clear();
  NumTargets = 0;
  OrdinalOf.assign(F->numBlocks(), ~0u);
  for (Block &B : F->blocks()) {
    OrdinalOf[B.id()] = uint32_t(Blocks.size());
    Blocks.push_back({&B, 0, 0, 0, false});
  }
  if (Blocks.empty())
    return makeError("method has no blocks");
  Targeted.assign(Blocks.size() + 1, false);
  for (size_t N = 0; N < Blocks.size(); ++N) {
    Block *B = Blocks[N].B;
    Instruction *T = B->empty() ? nullptr : &*std::prev(B->end());
    size_t Wanted;
    auto Successors = T ? T->successors() : llvm::MutableArrayRef<Block *>();
    NumTargets += Successors.size();
    bool Falls = false;
    switch (T ? T->op() : irop::Nop) {
    case irop::FallThrough:
      Falls = true;
      Wanted = 1;
      break;
    case irop::If:
      Falls = true;
      Wanted = 2;
      break;
    case irop::Goto:
      Wanted = 1;
      break;
    case irop::TableSwitch:
    case irop::LookupSwitch:
      Wanted = Successors.size();
      break;
    case irop::Return:
    case irop::Throw:
      Wanted = 0;
      break;
    default:
      return badBlock(*B, "does not end with a terminator");
    }
    if (Successors.size() != Wanted ||
        (Wanted == 0 && !B->exitValues().empty()))
      return badBlock(*B, "malformed terminator");
    if (Falls) {
      Block *Next = N + 1 < Blocks.size() ? Blocks[N + 1].B : nullptr;
      if (Successors.back() != Next)
        return badBlock(*B, "falls through, but not into the next block");
      Successors = Successors.drop_back();
    }
    for (Block *S : Successors) {
      if (S->id() >= OrdinalOf.size() || OrdinalOf[S->id()] == ~0u)
        return badBlock(*B, "branches out of the method");
      Targeted[OrdinalOf[S->id()]] = true;
    }
  }
  for (const TryEntry *E : F->tries())
    if (E->Handler->id() >= OrdinalOf.size() ||
        OrdinalOf[E->Handler->id()] == ~0u)
      return makeError("a handler is not in the method");
  return Error::success();
}

uint32_t Scheduler::addValue(const Value *V) {
  uint32_t N = uint32_t(Values.size());
  ValueNumbers[V->id()] = ValueBase + N;
  Type T = V->type();
  Values.push_back({0, 0, 0, 0, NoLocal, NoValue, NoLocal,
                    opcodeFor(op::ILOAD, T), uint8_t(T.slots()), V->keep(),
                    V->popped(), false, false, V->keep()});
  return N;
}

uint32_t Scheduler::valueOf(const Value *V) const {
  uint32_t N = V->id() < ValueNumbers.size() ? ValueNumbers[V->id()] - ValueBase
                                             : NoValue;
  return N < Values.size() ? N : NoValue;
}

/// Adds the uses of the instruction that is last in Insts, which precede those
/// added before in the operand list.
bool Scheduler::addUses(llvm::ArrayRef<Value *> Ops, uint32_t &Slots) {
  for (size_t I = Ops.size(); I-- > 0;) {
    uint32_t V = valueOf(Ops[I]);
    if (V == NoValue)
      return false;
    ++Values[V].UseEnd;
    Slots += Values[V].Slots;
    Keys.push_back({V, uint32_t(Insts.size() - 1), 0, OnStack});
  }
  return true;
}

/// True if emitting \p I again at each use is right.
static bool isPure(const Instruction &I) {
  if (I.op() == irop::LocalGet)
    return true;
  if (I.op() != irop::Const)
    return false;
  if (I.opcode() != op::LDC && I.opcode() != op::LDC2_W)
    return true;
  return I.isPure();
}

Error Scheduler::numberBlock(uint32_t Ordinal, bool Last) {
  Block *B = Blocks[Ordinal].B;
  Blocks[Ordinal].FirstInst = uint32_t(Insts.size());
  const Instruction *T = &*std::prev(B->end());
  for (Instruction &I : *B) {
    if (I.op() == irop::Anchor)
      continue;
    if (I.op() == irop::Advice)
      return badBlock(*B, "an advice was not lowered");
    bool Ends = isTerminator(I.op());
    if (Ends != (&I == T))
      return badBlock(*B, "a terminator is not the last instruction");
    if (Ends && !Last)
      break; // falls into the next block of its region
    ScheduledInst S{&I, uint32_t(Keys.size()), 0, 0, 0};
    Insts.push_back(S);
    uint32_t ExitSlots = 0;
    if (!addUses(I.operands(), S.PopSlots) ||
        (Ends && !addUses(B->exitValues(), ExitSlots)))
      return badBlock(*B, "uses a value of another block");
    S.NumUses = uint32_t(Keys.size()) - S.KeyBase;
    if (I.isInit() && S.NumUses) {
      // The initialised object is where the uninitialised one is.
      uint32_t V = valueOf(I.operand(0));
      ValueNumbers[I.id()] = ValueBase + V;
      Values[V].KeepLate = I.keep();
    } else if (!I.type().isVoid()) {
      uint32_t V = addValue(&I);
      S.PushSlots = Values[V].Slots;
      if (isPure(I)) {
        Values[V].Pure = true;
        Values[V].DefInst = uint32_t(Insts.size() - 1);
        if (I.op() == irop::LocalGet) {
          Values[V].Slot = I.index();
          if (I.index() + S.PushSlots > FreshBase)
            return badBlock(*B, "reads a slot that does not exist");
        }
      }
    } else if (I.op() == irop::Raw) {
      RawBytes += I.raw().Code.size();
      for (auto V = std::next(I.getIterator()); V->op() == irop::RawValue; ++V)
        S.PushSlots += V->type().slots();
    } else if (I.op() == irop::LocalSet || I.op() == irop::LocalInc) {
      unsigned Width = I.op() == irop::LocalInc ? 1 : S.PopSlots;
      if (I.index() + Width > FreshBase)
        return badBlock(*B, "writes a slot that does not exist");
    }
    Insts.back() = S;
  }
  return Error::success();
}

/// Numbers the blocks [\p From, \p To), which form one region.
Error Scheduler::numberRegion(uint32_t From, uint32_t To) {
  ValueBase += uint32_t(Values.size());
  Values.clear();
  Keys.clear();
  for (Parameter *P : Blocks[From].B->parameters())
    addValue(P);
  for (uint32_t N = From; N < To; ++N) {
    Block *B = Blocks[N].B;
    Blocks[N].Joined = N != From;
    if (N != From) {
      // The parameters are the values that the block before leaves.
      auto Exit = Blocks[N - 1].B->exitValues();
      if (Exit.size() != B->parameters().size())
        return badBlock(*B, "parameters differ from the exit list before");
      for (size_t I = 0; I < Exit.size(); ++I) {
        uint32_t V = valueOf(Exit[I]);
        if (V == NoValue)
          return badBlock(*B, "a parameter is a value of another block");
        Parameter *P = B->parameters()[I];
        ValueNumbers[P->id()] = ValueBase + V;
        Values[V].Keep |= P->keep();
        Values[V].KeepLate |= P->keep();
        Values[V].Popped |= P->popped();
      }
    }
    if (Error E = numberBlock(N, N + 1 == To))
      return E;
  }

  // Sort the uses by value; they stay in the order of their keys.
  uint32_t Begin = 0;
  for (ValueInfo &V : Values) {
    uint32_t Count = V.UseEnd;
    V.UseBegin = V.UseEnd = Begin;
    Begin += Count;
  }
  UseKeys.resize(Keys.size());
  for (uint32_t K = 0; K < Keys.size(); ++K) {
    Keys[K].UseIdx = Values[Keys[K].Val].UseEnd++;
    UseKeys[Keys[K].UseIdx] = K;
  }
  return Error::success();
}

Error Scheduler::run(Body &Of) {
  F = &Of;
  Items.clear();
  Insts.clear();
  Values.clear();
  NumCopies = NumSpills = 0;
  RawBytes = 0;
  Serial = 0;
  Paired = ~0u;
  ValueBase = 1;
  TooManySlots = false;
  if (Error E = place())
    return E;
  FreshBase =
      std::max<uint32_t>(F->numSlots(), uint32_t(F->initialLocals().size()));
  MaxLocals = FreshBase;
  ValueNumbers.assign(F->numValues(), 0);
  // One beyond the last: a pair may begin there.
  LastSets.assign(FreshBase + 1, 0);
  Readers.assign(FreshBase + 1, NoValue);

  for (uint32_t From = 0, To; From < Blocks.size(); From = To) {
    To = From + 1;
    while (To < Blocks.size() && !Blocks[To].B->hasFrame() &&
           !Blocks[To].B->isHandler() && !Targeted[To] &&
           std::prev(Blocks[To - 1].B->end())->op() == irop::FallThrough)
      ++To;
    if (scheduleStraight(From, To))
      continue;
    if (Error E = numberRegion(From, To))
      return E;
    if (!scheduleRegion(From, To))
      return badBlock(*Blocks[From].B, "operands cannot be found on the stack");
  }
  if (TooManySlots)
    return makeError("more than 65,535 local slots are needed");
  return Error::success();
}
