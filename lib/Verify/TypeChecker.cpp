//===- TypeChecker.cpp - Type checking by stack maps (4.10.1) -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeChecker.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::verify;
using llvm::Twine;

bool TypeChecker::matchSlots(SlotPool &Pool, SlotRoot From, SlotRoot To,
                             const char *What, uint32_t Where) {
  unsigned Slot = 0;
  VType Found, Expected;
  bool Ok = Pool.fits(From, To, [&](VType A, VType B, unsigned I) {
    Found = A;
    Expected = B;
    Slot = I;
    return M.Types.isAssignable(A, B);
  });
  return Ok || M.fail("the frame at " + Twine(Where) + " has " +
                          M.Types.describe(Expected) + " in " + What + " " +
                          Twine(Slot) + ", not " + M.Types.describe(Found),
                      "4.10.1.4");
}

bool TypeChecker::matchLocals(DeclaredFrame &To) {
  if (M.ThisUninit && !To.F.ThisUninit)
    return M.fail("the frame at " + Twine(To.BCI) +
                      " forgets that this object is uninitialised",
                  "4.10.1.4");
  if (!M.Strict.fits(To.F.Unset))
    return M.fail("the frame at " + Twine(To.BCI) +
                      " forgets strict fields that are not set",
                  "4.10.1.4");
  SlotRoot Now = M.Locals.root();
  if (Now == To.F.Locals || Now == To.Matched)
    return true;
  if (!matchSlots(M.LocalPool, Now, To.F.Locals, "local", To.BCI))
    return false;
  To.Matched = Now;
  return true;
}

bool TypeChecker::match(DeclaredFrame &To) {
  if (M.Depth != To.F.Depth)
    return M.fail("the frame at " + Twine(To.BCI) + " has " +
                      Twine(To.F.Depth) + " stack slots, not " + Twine(M.Depth),
                  "4.10.1.4");
  return matchLocals(To) &&
         (M.Depth == 0 || matchSlots(M.StackPool, M.Stack.root(), To.F.Stack,
                                     "stack slot", To.BCI));
}

bool TypeChecker::matchTarget(int32_t Target) {
  DeclaredFrame *To = frameAt(Target);
  return To ? match(*To)
            : M.fail("branches to " + Twine(Target) +
                         ", where no frame is declared",
                     "4.10.1.9");
}

/// What does not depend on the instruction that throws: the handler's frame
/// has the caught object on its stack and nothing else.
bool TypeChecker::prepareHandlers() {
  const CodeAttribute &C = M.code();
  for (size_t I = 0, E = C.numHandlers(); I < E; ++I) {
    M.BCI = C.handlerField(I, 2);
    DeclaredFrame *Handler = frameAt(int32_t(M.BCI));
    if (!Handler)
      return M.fail("an exception handler has no frame", "4.10.1.6");
    unsigned Class = C.handlerField(I, 3);
    VType Caught =
        Class ? M.Types.object(M.V.className(Class)) : M.Types.Throwable;
    if (Handler->F.Depth != 1 ||
        !M.Types.isAssignable(Caught, M.StackPool.get(Handler->F.Stack, 0)))
      return M.fail("the frame of an exception handler does not have just "
                    "the caught " +
                        M.Types.describe(Caught) + " on its stack",
                    "4.10.1.6");
    auto [It, New] = GroupOf.try_emplace(
        {Handler->F.Locals, Handler->F.Unset << 1 | Handler->F.ThisUninit},
        uint32_t(Groups.size()));
    if (New)
      Groups.push_back({unsigned(Handler - Frames.data()), 0, 0});
    uint32_t G = It->second;
    Events.push_back({C.handlerField(I, 0), false, G});
    Events.push_back({C.handlerField(I, 1), true, G});
  }
  std::sort(Events.begin(), Events.end(), [](const Event &A, const Event &B) {
    return std::tie(A.BCI, A.Ends) < std::tie(B.BCI, B.Ends);
  });
  return true;
}

void TypeChecker::changeActive() {
  for (; NextEvent < Events.size() && Events[NextEvent].BCI <= M.BCI;
       ++NextEvent) {
    const Event &E = Events[NextEvent];
    Group &G = Groups[E.Group];
    if (!E.Ends) {
      if (G.Count++ == 0) {
        G.Place = uint32_t(Active.size());
        Active.push_back(E.Group);
        CheckedLocals = ~0u;
      }
    } else if (--G.Count == 0) {
      Groups[Active.back()].Place = G.Place;
      Active[G.Place] = Active.back();
      Active.pop_back();
    }
  }
}

bool TypeChecker::checkHandlers() {
  SlotRoot Now = M.Locals.root();
  if (Now == CheckedLocals && M.ThisUninit == CheckedFlag &&
      M.Strict.version() == CheckedUnset)
    return true;
  for (uint32_t G : Active)
    if (!matchLocals(Frames[Groups[G].Frame]))
      return false;
  CheckedLocals = Now;
  CheckedFlag = M.ThisUninit;
  CheckedUnset = M.Strict.version();
  return true;
}

bool TypeChecker::check(bool &Fatal) {
  Groups.clear();
  GroupOf.clear();
  Events.clear();
  Active.clear();
  NextEvent = 0;
  CheckedLocals = ~0u;
  CheckedFlag = false;
  if (!readFrames(M, Frames, Fatal))
    return false;
  Bytes Code = M.code().Code;
  FrameAt.assign(Code.size(), 0);
  for (size_t I = 0; I < Frames.size(); ++I)
    FrameAt[Frames[I].BCI] = uint32_t(I + 1);
  if (!prepareHandlers())
    return false;

  bool Reachable = true;
  DecodedInst I;
  for (uint32_t BCI = 0; BCI < Code.size(); BCI += I.Length) {
    M.BCI = BCI;
    if (FrameAt[BCI]) {
      DeclaredFrame &D = Frames[FrameAt[BCI] - 1];
      if (Reachable && !match(D))
        return false;
      M.load(D.F);
    } else if (!Reachable) {
      return M.fail("no frame after an instruction that does not continue "
                    "here",
                    "4.10.1.6");
    }
    decodeInst(Code, BCI, I);
    if (I.Op == op::JSR || I.Op == op::JSR_W || I.Op == op::RET)
      return M.fail("subroutines cannot be type-checked", "4.10.1.9");
    // Handlers see a field set by the instruction, as HotSpot has it.
    const bool Sets = I.Op == op::PUTFIELD;
    if (!M.checkOperands(I) || (!Sets && !advanceHandlers()) || !M.execute(I) ||
        (Sets && !advanceHandlers()))
      return false;
    if (M.Initialised.This && !Active.empty())
      return M.fail("an exception handler covers the call of another "
                    "constructor",
                    "4.10.1.9.invokespecial");
    if (M.Initialised.New && !Active.empty() && !checkHandlers())
      return false;

    const OpcodeInfo &Info = I.info();
    if (Info.Branches) {
      if (!matchTarget(I.Value))
        return false;
      for (uint32_t C = 0; C < I.NumCases; ++C)
        if (!matchTarget(I.caseTarget(C)))
          return false;
    }
    Reachable = !Info.EndsBlock;
  }
  return !Reachable || M.fail("control runs off the end", "4.10.1.6");
}
