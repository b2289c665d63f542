//===- RegionValues.cpp - Values and uses by number -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prepares a region for scheduling.
///
//===----------------------------------------------------------------------===//

#include "RegionValues.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::Error;

[[gnu::cold]]
Error jopt::badBlock(const Block &B, const llvm::Twine &What) {
  return makeError("block " + llvm::Twine(B.id()) + " (bytecode " +
                   llvm::Twine(B.bci()) + "): " + What);
}

void RegionValues::start(const Body &F) {
  Values.clear();
  Base = 1;
  Numbers.assign(F.numValues(), 0);
}

uint32_t RegionValues::addValue(const Value *V) {
  uint32_t N = uint32_t(Values.size());
  Numbers[V->id()] = Base + N;
  Type T = V->type();
  Values.push_back({0, 0, 0, 0, NoLocal, NoValue, NoLocal,
                    opcodeFor(op::ILOAD, T), uint8_t(T.slots()), V->keep(),
                    V->popped(), false, false, V->keep()});
  return N;
}

/// Adds the uses of instruction \p Inst, which precede those added before in
/// the operand list.
bool RegionValues::addUses(llvm::ArrayRef<Value *> Ops, uint32_t Inst,
                           uint32_t &Slots) {
  for (size_t I = Ops.size(); I-- > 0;) {
    uint32_t V = valueOf(Ops[I]);
    if (V == NoValue)
      return false;
    ++Values[V].UseEnd;
    Slots += Values[V].Slots;
    Keys.push_back({V, Inst, 0, OnStack});
  }
  return true;
}

/// True if emitting \p I again at each use is right.
static bool isPure(const Instruction &I) {
  if (I.op() == irop::LocalGet)
    return true;
  if (I.op() != irop::Const)
    return false;
  if (!I.opcodeInfo().PoolTags)
    return true;
  return I.isPure();
}

Error RegionValues::numberBlock(ScheduleWriter &Out, uint32_t Ordinal,
                                bool Last, uint32_t NumSlots) {
  Block *B = Out.Blocks[Ordinal].B;
  Out.Blocks[Ordinal].FirstInst = uint32_t(Out.Insts.size());
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
    const uint32_t Number = uint32_t(Out.Insts.size());
    Out.Insts.push_back(S);
    uint32_t ExitSlots = 0;
    if (!addUses(I.operands(), Number, S.PopSlots) ||
        (Ends && !addUses(B->exitValues(), Number, ExitSlots)))
      return badBlock(*B, "uses a value of another block");
    S.NumUses = uint32_t(Keys.size()) - S.KeyBase;
    if (I.isInit() && S.NumUses) {
      // The initialised object is where the uninitialised one is.
      uint32_t V = valueOf(I.operand(0));
      Numbers[I.id()] = Base + V;
      Values[V].KeepLate = I.keep();
    } else if (!I.type().isVoid()) {
      uint32_t V = addValue(&I);
      S.PushSlots = Values[V].Slots;
      if (isPure(I)) {
        Values[V].Pure = true;
        Values[V].DefInst = Number;
        if (I.op() == irop::LocalGet) {
          Values[V].Slot = I.index();
          if (I.index() + S.PushSlots > NumSlots)
            return badBlock(*B, "reads a slot that does not exist");
        }
      }
    } else if (I.op() == irop::Raw) {
      Out.RawBytes += I.raw().Code.size();
      for (auto V = std::next(I.getIterator()); V->op() == irop::RawValue; ++V)
        S.PushSlots += V->type().slots();
    } else if (I.op() == irop::LocalSet || I.op() == irop::LocalInc) {
      unsigned Width = I.op() == irop::LocalInc ? 1 : S.PopSlots;
      if (I.index() + Width > NumSlots)
        return badBlock(*B, "writes a slot that does not exist");
    }
    Out.Insts.back() = S;
  }
  return Error::success();
}

/// The parameters of \p B are the values that the block before leaves.
Error RegionValues::joinBlock(const Block &Before, Block &B) {
  auto Exit = Before.exitValues();
  if (Exit.size() != B.parameters().size())
    return badBlock(B, "parameters differ from the exit list before");
  for (size_t I = 0; I < Exit.size(); ++I) {
    uint32_t V = valueOf(Exit[I]);
    if (V == NoValue)
      return badBlock(B, "a parameter is a value of another block");
    Parameter *P = B.parameters()[I];
    Numbers[P->id()] = Base + V;
    Values[V].Keep |= P->keep();
    Values[V].KeepLate |= P->keep();
    Values[V].Popped |= P->popped();
  }
  return Error::success();
}

/// Sorts the uses by value; they stay in the order of their keys.
void RegionValues::sortUses() {
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
}

Error RegionValues::number(ScheduleWriter &Out, uint32_t From, uint32_t To,
                           uint32_t NumSlots) {
  Base += uint32_t(Values.size());
  Values.clear();
  Keys.clear();
  for (Parameter *P : Out.Blocks[From].B->parameters())
    addValue(P);
  for (uint32_t N = From; N < To; ++N) {
    Out.Blocks[N].Joined = N != From;
    if (N != From)
      if (Error E = joinBlock(*Out.Blocks[N - 1].B, *Out.Blocks[N].B))
        return E;
    if (Error E = numberBlock(Out, N, N + 1 == To, NumSlots))
      return E;
  }
  sortUses();
  return Error::success();
}
