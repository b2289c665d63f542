//===- Lift.cpp - What instructions do to stack and slots -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lift.h"
#include <array>

using namespace jopt;

/// The family: that of the letters, apart from slots.
static LiftEffect::KindTy kindOf(const OpcodeInfo &Info) {
  const char Result = Info.result();
  if (Info.Branches || Info.EndsBlock)
    return LiftEffect::End;
  switch (Info.Cat) {
  case op::CatStack:
    return LiftEffect::Move;
  case op::CatLocal:
    return Result                    ? LiftEffect::Load
           : Info.operands().empty() ? LiftEffect::Increment
                                     : LiftEffect::Store;
  case op::CatConstant:
    return Result ? LiftEffect::Constant : LiftEffect::Plain;
  default:
    break;
  }
  if (Result == 'v' || Info.takes('v'))
    return LiftEffect::Field;
  if (Info.takes('m'))
    return LiftEffect::Invoke;
  if (Result == 'e')
    return LiftEffect::Element;
  return Info.PoolTags || Result == 'p' ? LiftEffect::Object
                                        : LiftEffect::Plain;
}

static LiftEffect makeEffect(const OpcodeInfo &Info) {
  LiftEffect E;
  E.Kind = kindOf(Info);
  E.MayThrow = Info.MayThrow;
  E.Monitor = Info.Cat == op::CatMonitor;
  E.Length = Info.Length;
  E.IndexBytes = Info.IndexBytes;
  E.Slot = Info.Slot;
  E.Op = getIROp(Info.Encoding);
  E.PoolTags = Info.PoolTags;
  if (E.Kind == LiftEffect::Move) {
    E.Moves = stackShuffle(Info);
    return E;
  }
  for (char Letter : Info.operands()) {
    E.TakesField |= Letter == 'v';
    E.TakesCount |= Letter == 'n';
    if (Letter == 'm' || Letter == 'n')
      continue;
    const Type Ty = typeOfLetter(Letter);
    E.Wide |= uint8_t(Ty.isCategory2() << E.NumOperands);
    E.PopSlots = uint8_t(E.PopSlots + Ty.slots());
    ++E.NumOperands;
  }
  E.Result = Info.result();
  if (E.Kind == LiftEffect::Store)
    E.Ty = typeOfLetter(Info.operands()[0]);
  else if (E.Result)
    E.Ty = typeOfLetter(E.Result);
  return E;
}

const LiftEffect *jopt::liftEffects() {
  static const auto Table = [] {
    std::array<LiftEffect, NumEncodings> T;
    for (const OpcodeInfo &Info : getOpcodeTable())
      T[Info.Encoding] = makeEffect(Info);
    return T;
  }();
  return Table.data();
}
