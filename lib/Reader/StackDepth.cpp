//===- StackDepth.cpp - How deep the operand stack is ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the slots of the operand stack from the last frame up to a place in
/// original code that nobody lifted.
///
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "Lift.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

/// Slots that the stack of \p F takes: two for a double (3) or long (4).
static int depthOf(const OriginalFrame &F) {
  FrameStack Stack(F);
  int Depth = 0;
  for (unsigned N = Stack.Count; N; --N) {
    Depth += Stack.Types[0] == 3 || Stack.Types[0] == 4 ? 2 : 1;
    Stack.Types = Stack.Types.drop_front(frameTypeLength(Stack.Types));
  }
  return Depth;
}

/// Slots that \p I takes and gives, as a change of the depth.
static int changeOf(ClassFile &Class, const DecodedInst &I,
                    const LiftEffect &E) {
  int Change = E.Kind == LiftEffect::Store || E.Ty.is(Type::Void)
                   ? 0
                   : int(E.Ty.slots());
  const unsigned Entry = E.PoolTags ? Class.Pool[I.Index].B : 0;
  switch (E.Kind) {
  case LiftEffect::Move: {
    const int Group = E.Moves.Group;
    return E.Moves.Kind == StackMove::Copy   ? Group
           : E.Moves.Kind == StackMove::Drop ? -Group
                                             : 0;
  }
  case LiftEffect::Constant:
    if (E.PoolTags)
      Change = int(constantType(Class, I.Index).slots());
    break;
  case LiftEffect::Field: {
    const int Width = int(Class.fieldType(Entry).slots());
    // PopSlots counts one for the field.
    Change = E.TakesField ? 1 - Width : Width;
    break;
  }
  case LiftEffect::Invoke: {
    const ClassFile::CallShape &Shape = Class.callShape(Entry);
    Change = int(Shape.Result.slots()) - int(Shape.ArgSlots);
    break;
  }
  case LiftEffect::Object:
    Change = E.TakesCount ? 1 - I.Value : 1;
    break;
  case LiftEffect::Load:
  case LiftEffect::Element:
    Change = E.Ty.is(Type::Top) ? 1 : int(E.Ty.slots());
    break;
  default:
    break;
  }
  return Change - int(E.PopSlots);
}

std::optional<unsigned> OriginalDepths::at(uint32_t BCI) {
  const OriginalFrame *Behind = llvm::partition_point(
      Frames, [&](const OriginalFrame &F) { return F.BCI <= BCI; });
  const bool HasFrame = Behind != Frames.begin();
  if (HasFrame && (Behind[-1].BCI > At || At > BCI)) {
    At = Behind[-1].BCI;
    Depth = depthOf(Behind[-1]);
  } else if (At > BCI) {
    At = 0;
    Depth = 0;
  }
  const LiftEffect *Effects = liftEffects();
  DecodedInst I;
  for (; At < BCI && Depth >= 0; At = I.end()) {
    if (!decodeInst(Code, At, I))
      return std::nullopt;
    Depth += changeOf(Class, I, Effects[I.Op]);
  }
  if (At != BCI || Depth < 0)
    return std::nullopt;
  return unsigned(Depth);
}
