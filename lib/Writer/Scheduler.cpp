//===- Scheduler.cpp - Values onto the operand stack ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prepares a body for scheduling: blocks are put in order and checked, and
/// chains that are joined only by falling through become regions.
///
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::Error;

/// Puts the blocks in order, and checks that control that falls through finds
/// its successor behind it.
Error Scheduler::place(Body &F) {
  Schedule &Out = Region.Out;

  Out.Blocks.clear();
  Out.NumTargets = 0;
  Out.OrdinalOf.assign(F.numBlocks(), ~0u);
  for (Block &B : F.blocks()) {
    Out.OrdinalOf[B.id()] = uint32_t(Out.Blocks.size());
    Out.Blocks.push_back({&B, 0, 0, 0, false});
  }
  if (Out.Blocks.empty())
    return makeError("method has no blocks");
  Targeted.assign(Out.Blocks.size() + 1, false);
  for (size_t N = 0; N < Out.Blocks.size(); ++N) {
    Block *B = Out.Blocks[N].B;
    Instruction *T = B->empty() ? nullptr : &*std::prev(B->end());
    size_t Wanted;
    auto Successors = T ? T->successors() : llvm::MutableArrayRef<Block *>();
    Out.NumTargets += Successors.size();
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
      Block *Next = N + 1 < Out.Blocks.size() ? Out.Blocks[N + 1].B : nullptr;
      if (Successors.back() != Next)
        return badBlock(*B, "falls through, but not into the next block");
      Successors = Successors.drop_back();
    }
    for (Block *S : Successors) {
      if (S->id() >= Out.OrdinalOf.size() || Out.OrdinalOf[S->id()] == ~0u)
        return badBlock(*B, "branches out of the method");
      Targeted[Out.OrdinalOf[S->id()]] = true;
    }
  }
  for (const TryEntry *E : F.tries())
    if (E->Handler->id() >= Out.OrdinalOf.size() ||
        Out.OrdinalOf[E->Handler->id()] == ~0u)
      return makeError("a handler is not in the method");
  return Error::success();
}

/// The block behind the last of the region that begins with \p From.
static uint32_t endOfRegion(llvm::ArrayRef<ScheduledBlock> Blocks,
                            uint32_t From, llvm::ArrayRef<uint8_t> Targeted) {
  uint32_t To = From + 1;
  while (To < Blocks.size() && !Blocks[To].B->hasFrame() &&
         !Blocks[To].B->isHandler() && !Targeted[To] &&
         std::prev(Blocks[To - 1].B->end())->op() == irop::FallThrough)
    ++To;
  return To;
}

Error Scheduler::run(Body &F) {
  Region.start(F);
  if (Error E = place(F))
    return E;
  for (uint32_t From = 0, To; From < Region.Out.Blocks.size(); From = To) {
    To = endOfRegion(Region.Out.Blocks, From, Targeted);
    if (Straight.schedule(From, To))
      continue;
    if (Error E = Region.schedule(From, To))
      return E;
  }
  if (Region.Slots.overflowed())
    return makeError("more than 65,535 local slots are needed");
  Region.Out.MaxLocals = Region.Slots.maxSlots();
  return Error::success();
}
