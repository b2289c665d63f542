//===- RawScanner.cpp - What of a block can stay bytes --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawScanner.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

JOPT_STATISTIC(NumRawBytes, "lifter", "raw-bytes",
               "bytes of code that stayed raw");

/// The instruction at \p At.
inline bool RawScanner::decode(uint32_t At) {
  const uint8_t *P = Code.data() + At;
  Here.BCI = At;
  Here.Op = *P;
  const LiftEffect &E = Effects[Here.Op];
  if (E.Length && E.Length <= Code.size() - At) {
    Here.Length = E.Length;
    Here.Index = E.IndexBytes == 0   ? E.Slot
                 : E.IndexBytes == 1 ? P[1]
                                     : readU2(P + 1);
    return true;
  }
  return decodeOther(At);
}

/// One whose length depends.
bool RawScanner::decodeOther(uint32_t At) {
  DecodedInst D;
  if (!decodeInst(Code, At, D))
    return false;
  Here = {At, D.Length, D.Index, D.Op};
  return true;
}

/// Payloads of uninitialised types that the scanner makes itself; code is too
/// short for so many sites.
static constexpr uint32_t OwnSites = 1 << 24;

RawScanner::RawScanner(Body &B, Bytes Code, LiftState &S)
    : Lift(B, S.Slots), Code(Code), State(S),
      HasThis(!isStatic(B.classFile(), B.method())),
      Constructor(HasThis && B.initialLocals()[0].is(Type::UninitThis)) {}

/// Before super() everything is lifted.
bool RawScanner::enter() {
  Stack.clear();
  for (const Value *V : State.Stack) {
    if (V->type().is(Type::UninitThis))
      return false;
    push(V->type());
  }
  return !Constructor || !Slots.holds(Type::UninitThis);
}

bool RawScanner::stored(const LiftEffect &E, Type Ty) {
  Stack.truncate(Stack.size() - E.PopSlots);
  Slots.store(index(), Ty, [&](size_t S, Type T) {
    Undo.push_back({uint32_t(S), Slots[S]});
    Slots.set(S, T);
  });
  Stores.push_back({index(), Ty});
  return true;
}

bool RawScanner::made(const LiftEffect &, Type Class) {
  if (State.SiteAt[Here.BCI] != BlockLifter::NoSite)
    return false;
  push(Type(Type::Uninit, OwnSites + uint32_t(Made.size())));
  Made.push_back(Class);
  return true;
}

bool RawScanner::initialised(const LiftEffect &, unsigned, unsigned Taken) {
  const Type Object = Stack[Stack.size() - Taken];
  if (!Object.is(Type::Uninit))
    return false;
  const Type To =
      Object.payload() >= OwnSites
          ? Made[Object.payload() - OwnSites]
          : Class.classType(newIndex(F, Code, State.SiteAt, Object.payload()));
  if (Slots.holds(Object))
    return false;
  Stack.truncate(Stack.size() - Taken);
  std::replace(Stack.begin(), Stack.end(), Object, To);
  return true;
}

/// A load or constant that could be made again elsewhere.
bool RawScanner::isPure(const Mark &M) const {
  if (M.Effect->Kind == LiftEffect::Constant)
    return !M.Effect->PoolTags || isPlainConstant(F.pool()[M.Index].Tag);
  return M.Effect->Kind == LiftEffect::Load;
}

uint32_t RawScanner::scan(uint32_t From, uint32_t To) {
  if (!enter())
    return From;
  Stores.clear();
  Undo.clear();
  Made.clear();
  Raw = {From, {}, uint32_t(Stack.size()), false, false, {}};
  // The last instruction, and how it was before that.
  Mark Last = {};
  bool Movable = true; // an advice at the end would rather precede a load
  unsigned Count = 0;
  bool FirstMoves = false;
  bool Ok = true;
  // Values below on the stack at the end are dropped with the activation.
  bool Leaves = false;
  unsigned Taken = 0;
  uint32_t At = From;
  for (; At < To; At += Here.Length, ++Count) {
    if (!decode(At)) {
      Ok = false;
      break;
    }
    const LiftEffect &E = Effects[Here.Op];
    if (E.Kind == LiftEffect::End) {
      Movable = E.Op == irop::Return && E.NumOperands;
      Leaves = E.Op == irop::Return || E.Op == irop::Throw;
      Taken = E.NumOperands;
      break;
    }
    FirstMoves |= Count == 0 && E.Kind == LiftEffect::Move;
    Last = {At, Here.Index, uint32_t(Stack.size()), &E, Raw.MayThrow};
    Raw.MayThrow |= E.MayThrow;
    Raw.HasMonitors |= E.Monitor;
    if (!step(E)) {
      Ok = false;
      break;
    }
    Raw.MaxStack = std::max(Raw.MaxStack, uint32_t(Stack.size()));
  }
  if (Ok && Movable && Count && isPure(Last)) {
    At = Last.BCI;
    Stack.truncate(Last.Depth);
    Raw.MayThrow = Last.MayThrow;
    Taken = 0;
    --Count;
  }
  auto IsMade = [](Type T) {
    return T.is(Type::Uninit) && T.payload() >= OwnSites;
  };
  if (Leaves)
    for (size_t I = 0; I + Taken < Stack.size(); ++I)
      if (IsMade(Stack[I]))
        Stack[I] = Type::Null;
  // One instruction costs more raw than lifted. A dup, swap or pop is none
  // then, and would lose its place.
  const bool Keeps = Count > 1 || (Count == 1 && FirstMoves);
  Ok = Ok && Keeps && llvm::none_of(Stack, IsMade);
  if (!Ok) {
    for (const RawCode::Store &S : llvm::reverse(Undo))
      Slots.set(S.Slot, S.Ty);
    return From;
  }
  Raw.Code = Code.slice(From, At - From);
  NumRawBytes += Raw.Code.size();
  Raw.Stores = F.copy(llvm::ArrayRef<RawCode::Store>(Stores));
  return At;
}
