//===- CodeEmitter.cpp - Scheduled code into bytes ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeEmitter.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>
#include <cstring>

using namespace jopt;

/// No item but a switch takes more: an inverted branch over a goto_w.
static constexpr size_t MaxItemBytes = 8;

static uint8_t *put1(uint8_t *P, uint32_t V) {
  *P = uint8_t(V);
  return P + 1;
}
static uint8_t *put2(uint8_t *P, uint32_t V) {
  writeU2(P, uint16_t(V));
  return P + 2;
}
static uint8_t *put4(uint8_t *P, uint32_t V) {
  writeU4(P, V);
  return P + 4;
}

/// A load or store: \p Op is iload ... astore. \p Longer and \p Wide ask for
/// more than the shortest form.
static uint8_t *putLocal(uint8_t *P, Opcode Op, uint32_t Slot,
                         bool Longer = false, bool Wide = false) {
  if (Slot < 4 && !Longer) {
    unsigned Short = Op < op::ISTORE ? op::ILOAD_0 + 4 * (Op - op::ILOAD)
                                     : op::ISTORE_0 + 4 * (Op - op::ISTORE);
    return put1(P, Short + Slot);
  }
  if (Slot < 256 && !Wide)
    return put1(put1(P, Op), Slot);
  return put2(put1(put1(P, op::WIDE), Op), Slot);
}

static Opcode inverse(Opcode Op) {
  return Op >= op::IFNULL ? Op ^ 1 : ((Op + 1) ^ 1) - 1;
}

uint8_t *CodeEmitter::branch(uint8_t *P, uint32_t From, uint32_t Item,
                             const Block *To, bool Wide) {
  Fixups.push_back(
      {uint32_t(P - Buffer.data()), From, Item, (*OrdinalOf)[To->id()], Wide});
  return P + (Wide ? 4 : 2);
}

uint8_t *CodeEmitter::encodeSwitch(uint8_t *P, const Instruction &I,
                                   uint32_t Item) {
  uint32_t From = uint32_t(P - Buffer.data());
  bool Table = I.op() == irop::TableSwitch;
  P = put1(P, Table ? op::TABLESWITCH : op::LOOKUPSWITCH);
  while ((P - Buffer.data()) & 3)
    *P++ = 0;
  auto Succs = I.successors();
  auto Keys = I.keys();
  P = branch(P, From, Item, Succs[0], true);
  if (Table) {
    P = put4(P, uint32_t(Keys.front()));
    P = put4(P, uint32_t(Keys.back()));
  } else {
    P = put4(P, uint32_t(Keys.size()));
  }
  for (size_t K = 0; K < Keys.size(); ++K) {
    if (!Table)
      P = put4(P, uint32_t(Keys[K]));
    P = branch(P, From, Item, Succs[K + 1], true);
  }
  return P;
}

uint8_t *CodeEmitter::encodeTerminator(uint8_t *P, const Instruction &I,
                                       uint32_t Item) {
  uint32_t From = uint32_t(P - Buffer.data());
  bool IsFar = !Far.empty() && Far[Item];
  switch (I.op()) {
  case irop::Goto:
    if (IsFar || I.longForm())
      return branch(put1(P, op::GOTO_W), From, Item, I.successors()[0], true);
    return branch(put1(P, op::GOTO), From, Item, I.successors()[0], false);
  case irop::If:
    if (!IsFar)
      return branch(put1(P, I.opcode()), From, Item, I.successors()[0], false);
    P = put2(put1(P, inverse(I.opcode())), MaxItemBytes);
    P = put1(P, op::GOTO_W);
    BehindFarBranches.push_back((*OrdinalOf)[I.successors()[1]->id()]);
    return branch(P, From + 3, Item, I.successors()[0], true);
  case irop::TableSwitch:
  case irop::LookupSwitch:
    return encodeSwitch(P, I, Item);
  case irop::Throw:
    return put1(P, op::ATHROW);
  default:
    return put1(P, I.opcode());
  }
}

uint8_t *CodeEmitter::encodeInst(uint8_t *P, const ScheduledInst &S,
                                 uint32_t Item) {
  const Instruction &I = *S.I;
  switch (I.op()) {
  case irop::Nop:
  case irop::Plain:
    return put1(P, I.opcode());
  case irop::Const:
    switch (I.opcode()) {
    case op::BIPUSH:
      return put1(put1(P, op::BIPUSH), uint32_t(I.imm()));
    case op::SIPUSH:
      return put2(put1(P, op::SIPUSH), uint32_t(I.imm()));
    case op::LDC:
      if (I.index() < 256 && !I.longForm())
        return put1(put1(P, op::LDC), I.index());
      return put2(put1(P, op::LDC_W), I.index());
    case op::LDC2_W:
      return put2(put1(P, op::LDC2_W), I.index());
    default:
      return put1(P, I.opcode());
    }
  case irop::LocalGet:
  case irop::LocalSet:
    return putLocal(P, I.opcode(), I.index(), I.longForm(),
                    I.longForm() && I.imm());
  case irop::LocalInc:
    if (I.index() < 256 && I.imm() == int8_t(I.imm()) && !I.longForm())
      return put1(put1(put1(P, op::IINC), I.index()), uint32_t(I.imm()));
    if (I.imm() != int16_t(I.imm()))
      Problem = "the increment of a local does not fit into 16 bits";
    P = put2(put1(put1(P, op::WIDE), op::IINC), I.index());
    return put2(P, uint32_t(I.imm()));
  case irop::FieldAccess:
  case irop::New:
  case irop::ClassOp:
    return put2(put1(P, I.opcode()), I.index());
  case irop::Invoke:
    P = put2(put1(P, I.opcode()), I.index());
    if (I.opcode() == op::INVOKEINTERFACE) {
      if (S.PopSlots > 255)
        Problem = "a call has more than 255 argument slots";
      return put1(put1(P, S.PopSlots), 0);
    }
    return I.opcode() == op::INVOKEDYNAMIC ? put2(P, 0) : P;
  case irop::NewArray:
    return put1(put1(P, op::NEWARRAY), I.index());
  case irop::MultiNewArray:
    return put1(put2(put1(P, op::MULTIANEWARRAY), I.index()),
                uint32_t(I.imm()));
  case irop::Raw:
    std::memcpy(P, I.raw().Code.data(), I.raw().Code.size());
    return P + I.raw().Code.size();
  case irop::Drop:
    return put1(P, S.PopSlots == 2 ? op::POP2 : op::POP);
  default:
    return encodeTerminator(P, I, Item);
  }
}

/// How far the stack grows by dup, dup_x1 ... swap; pop and pop2 shrink it.
static int stackEffect(Opcode Op) {
  switch (Op) {
  case op::POP:
    return -1;
  case op::POP2:
    return -2;
  case op::DUP2:
  case op::DUP2_X1:
  case op::DUP2_X2:
    return 2;
  case op::SWAP:
    return 0;
  default:
    return 1;
  }
}

static unsigned localWidth(Opcode Op) {
  return Op == op::LLOAD || Op == op::DLOAD || Op == op::LSTORE ||
                 Op == op::DSTORE
             ? 2
             : 1;
}

/// Encodes everything once, with the branches that are known to be far. False
/// if something does not fit into its format.
bool CodeEmitter::encode(Schedule &S) {
  Fixups.clear();
  BehindFarBranches.clear();
  uint32_t Depth = 0;
  MaxStack = 0;
  uint8_t *P = Buffer.data();
  uint32_t N = 0, End = uint32_t(S.Items.size());
  for (size_t B = 0; B < S.Blocks.size(); ++B) {
    ScheduledBlock &SB = S.Blocks[B];
    SB.Offset = uint32_t(P - Buffer.data());
    if (!SB.Joined) {
      Depth = 0;
      for (const Parameter *Param : SB.B->parameters())
        Depth += Param->type().slots();
      MaxStack = std::max(MaxStack, Depth);
    }
    uint32_t Stop = B + 1 < S.Blocks.size() ? S.Blocks[B + 1].FirstItem : End;
    for (; N < Stop; ++N) {
      const CodeItem &It = S.Items[N];
      Offsets[N] = uint32_t(P - Buffer.data());
      switch (It.Kind) {
      case CodeItem::Inst: {
        const ScheduledInst &I = S.Insts[It.Arg];
        if (I.I->op() == irop::New && I.I->type().is(Type::Uninit) &&
            I.I->type().payload() < SiteOffsets.size())
          SiteOffsets[I.I->type().payload()] = Offsets[N];
        P = encodeInst(P, I, N);
        if (I.I->op() == irop::Raw)
          MaxStack = std::max(MaxStack, I.I->raw().MaxStack);
        Depth += I.PushSlots - I.PopSlots;
        break;
      }
      case CodeItem::StackOp:
        P = put1(P, It.Op);
        Depth += uint32_t(stackEffect(It.Op));
        break;
      case CodeItem::Load:
        P = putLocal(P, It.Op, It.Arg);
        Depth += localWidth(It.Op);
        break;
      case CodeItem::Store:
        P = putLocal(P, It.Op, It.Arg);
        Depth -= localWidth(It.Op);
        break;
      }
      MaxStack = std::max(MaxStack, Depth);
    }
  }
  Size = uint32_t(P - Buffer.data());
  Offsets[End] = Size;
  return !Problem;
}

/// Writes the distances. False if a branch turned out to be far: then Far says
/// which, and everything must be encoded again.
bool CodeEmitter::resolve(const Schedule &S) {
  bool Fits = true;
  for (const Fixup &X : Fixups) {
    int32_t Distance = int32_t(S.Blocks[X.Target].Offset - X.From);
    uint8_t *P = Buffer.data() + X.At;
    if (X.Wide) {
      writeU4(P, uint32_t(Distance));
    } else if (Distance == int16_t(Distance)) {
      writeU2(P, uint16_t(Distance));
    } else {
      if (Far.empty())
        Far.assign(S.Items.size(), false);
      Far[X.Item] = true;
      Fits = false;
    }
  }
  return Fits;
}

llvm::Error CodeEmitter::run(Schedule &S, const Body &F) {
  OrdinalOf = &S.OrdinalOf;
  Problem = nullptr;
  Far.clear();
  Offsets.resize(S.Items.size() + 1);
  SiteOffsets.assign(F.NewSites.size(), ~0u);
  // Most of all for a switch: eight bytes for each target, and its head.
  size_t Bound = S.Items.size() * MaxItemBytes + S.NumTargets * 8 + S.RawBytes;
  Buffer.resize_for_overwrite(Bound + 16);

  // Branches only ever become longer, so this ends; nearly always at once.
  do {
    if (!encode(S))
      return makeError(Problem);
    if (Size == 0 || Size > 65535)
      return makeError("the code takes " + llvm::Twine(Size) +
                       " bytes, and 1 to 65,535 are allowed");
  } while (!resolve(S));
  return llvm::Error::success();
}
