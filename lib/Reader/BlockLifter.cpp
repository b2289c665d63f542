//===- BlockLifter.cpp - One block of code into IR ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLifter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::Error;

unsigned jopt::newIndex(const Body &F, Bytes Code,
                        llvm::ArrayRef<uint32_t> SiteAt, uint32_t Site) {
  if (const Instruction *New = F.NewSites[Site])
    return New->index();
  for (uint32_t At = 0; At < SiteAt.size(); ++At)
    if (SiteAt[At] == Site && At + 2 < Code.size() && Code[At] == op::NEW)
      return readU2(&Code[At + 1]);
  return 0;
}

BlockLifter::BlockLifter(Body &B, Bytes Code, const LiftOptions &O,
                         LiftState &S)
    : Lift(B, S.Slots), Stack(S.Stack), SiteAt(S.SiteAt), Code(Code),
      Options(O) {}

Error BlockLifter::bad(const llvm::Twine &What) const {
  return makeError(
      llvm::formatv("bytecode {0} ({1}): ", D.BCI, getMnemonic(D.Op)).str() +
      What);
}

Type BlockLifter::typeOf(const Value *V) const {
  Type T = V->type();
  if (T.is(Type::Uninit) || T.is(Type::UninitThis))
    for (const auto &[From, To] : Initialized)
      if (From == T)
        return To;
  return T;
}

/// Takes \p NumOps values off the stack (the caller checked the depth), and
/// pushes the result, if there is one.
Instruction *BlockLifter::emit(const LiftEffect &E, Type Ty, unsigned NumOps) {
  llvm::ArrayRef<Value *> Ops(Stack.data() + Stack.size() - NumOps, NumOps);
  if (!InitResults.empty())
    for (Value *V : Ops)
      if (auto *I = llvm::dyn_cast<Instruction>(V); I && I->isInit())
        UsedInits.insert(V);
  Instruction *I = F.create(*E.Op, D.info().Canonical, Ty, Ops, int32_t(D.BCI));
  I->setIndex(D.Index);
  if (E.TakesCount)
    I->setImm(D.Value);
  Stack.resize(Stack.size() - NumOps);
  if (!Ty.isVoid())
    Stack.push_back(I);
  F.append(I, B);
  return I;
}

bool BlockLifter::fits(LiftOperands O) {
  if (!has(O.Count, O.Slots))
    return false;
  // Long and double operands are where the effect says so: the scheduler
  // counts slots by types.
  Value *const *Ops = Stack.data() + Stack.size() - O.Count;
  for (unsigned I = 0; I < O.Count; ++I, O.Wide >>= 1)
    if (Ops[I]->type().isCategory2() != (O.Wide & 1))
      return fail("operand has the wrong size");
  return true;
}

void BlockLifter::setSlot(unsigned Slot, Type Ty) {
  Slots.store(Slot, Ty, [&](size_t S, Type T) {
    Slots.set(S, T);
    // A handler sees the slots before or after, and nothing between.
    if (HandlerSlots)
      (*HandlerSlots)[S] = F.types().merge((*HandlerSlots)[S], T);
  });
}

void BlockLifter::anchor() {
  if (!Options.Anchors)
    return;
  Instruction *I =
      F.create(irop::Anchor, op::NOP, Type::Void, {}, int32_t(D.BCI));
  I->setIndex(D.Op);
  F.append(I, B);
}

size_t BlockLifter::entries(size_t Above, size_t Slots) const {
  const size_t N = Stack.size();
  auto IsWide = [&](size_t Depth) {
    return Stack[N - 1 - Depth]->type().isCategory2();
  };
  if (N <= Above)
    return 0;
  if (IsWide(Above))
    return Slots == 2 ? 1 : 0;
  if (Slots == 1)
    return 1;
  return N > Above + 1 && !IsWide(Above + 1) ? 2 : 0;
}

/// \p V, which was popped, is of no use to anything: the scheduler would not
/// even load it. Where other code stays as it is, this does too.
void BlockLifter::keepDiscarded(Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  if (I && I->isPure() && !I->keep() && B->countUses(V) == 0)
    F.append(F.create(irop::Drop, op::NOP, Type::Void, V, int32_t(D.BCI)), B);
}

/// Stack shuffles stay raw here.
bool BlockLifter::pinsMoves() const {
  return Options.Raw != KeepRaw::No && !F.Inferred;
}

/// Makes \p Length bytes at \p BCI raw code, which takes \p Given, all that is
/// on the stack, and leaves what is there now.
void BlockLifter::pin(llvm::ArrayRef<Value *> Given, uint32_t BCI,
                      uint32_t Length) {
  auto Depth = [](llvm::ArrayRef<Value *> Values) {
    uint32_t Slots = 0;
    for (const Value *V : Values)
      Slots += V->type().slots();
    return Slots;
  };
  const uint32_t Max = std::max(Depth(Given), Depth(Stack));
  F.append(F.createRaw({BCI,
                        Length ? Code.slice(BCI - Base, Length) : Bytes(),
                        Max,
                        /*MayThrow=*/false,
                        /*HasMonitors=*/false,
                        {}},
                       Given),
           B);
  for (Value *&V : Stack) {
    Instruction *New =
        F.create(irop::RawValue, op::NOP, typeOf(V), {}, int32_t(BCI));
    F.append(New, B);
    V = New;
  }
}

/// Gives all values on the stack their places, by no code, in front of the
/// instruction at \p BCI.
void BlockLifter::pinAll(uint32_t BCI) {
  auto Last = B->end();
  while (Last != B->begin() && std::prev(Last)->op() == irop::RawValue)
    --Last;
  if (Last != B->begin() && std::prev(Last)->op() == irop::Raw &&
      std::prev(Last)->raw().BCI == BCI)
    return; // they have them
  pin(llvm::SmallVector<Value *, 16>(Stack.begin(), Stack.end()), BCI, 0);
}

/// Gives the values their places that are on the stack at a return or throw,
/// which takes \p Count of them: those below stay where they are, and an advice
/// that is given the returned value finds it on top, whatever was placed in
/// front. A load right in front stays behind that, as an advice would rather
/// stand in front of it.
void BlockLifter::pinLeft(unsigned Count) {
  const bool IsDeeper = Stack.size() > Count;
  if (!IsDeeper && (!Count || Options.Raw != KeepRaw::Moves))
    return;
  Instruction *Load = B->empty() ? nullptr : &B->instructions().back();
  if (!Count || !Load || Load != Stack.back() || !Load->isPure())
    return pinAll(D.BCI);
  if (!IsDeeper)
    return;
  F.erase(Load);
  Stack.pop_back();
  pinAll(uint32_t(Load->bci()));
  F.append(Load, B);
  Stack.push_back(Load);
}

/// Values are copied, exchanged or dropped; the shape bits remember it.
bool BlockLifter::moved(const LiftEffect &E) {
  if (pinsMoves()) {
    const llvm::SmallVector<Value *, 16> Given(Stack.begin(), Stack.end());
    if (!shuffleStack(E.Moves, Stack, *this))
      return fail("operand stack does not fit");
    pin(Given, D.BCI, D.Length);
    return true;
  }
  Value *Top = Stack.empty() ? nullptr : Stack.back();
  const size_t Depth = Stack.size();
  if (!shuffleStack(E.Moves, Stack, *this))
    return fail("operand stack does not fit");
  if (Options.Raw != KeepRaw::No && Stack.size() + 1 == Depth)
    keepDiscarded(Top);
  anchor();
  return true;
}

bool BlockLifter::top(unsigned Width, Type &Ty) {
  if (Stack.empty())
    return fail("operand stack is empty");
  if (Stack.back()->type().slots() != Width)
    return fail("operand has the wrong size");
  Ty = typeOf(Stack.back());
  return true;
}

/// The form of a load or store.
static void setForm(Instruction *I, const DecodedInst &D) {
  bool Short = D.Op != D.info().Canonical;
  I->setLongForm(!Short && (D.Index < 4 || (D.Wide && D.Index < 256)));
  I->setImm(I->longForm() && D.Wide);
}

bool BlockLifter::loaded(const LiftEffect &E, Type Ty) {
  setForm(emit(E, Ty, 0), D);
  return true;
}

bool BlockLifter::stored(const LiftEffect &E, Type Ty) {
  Instruction *I = emit(E, Type::Void, 1);
  setSlot(D.Index, Ty);
  setForm(I, D);
  return true;
}

bool BlockLifter::incremented(const LiftEffect &E) {
  Instruction *I = emit(E, Type::Void, 0);
  I->setImm(D.Value);
  I->setLongForm(D.Wide && D.Index < 256 && D.Value == int8_t(D.Value));
  return true;
}

bool BlockLifter::loadedConstant(const LiftEffect &E, Type Ty) {
  Instruction *I = emit(E, Ty, 0);
  if (E.PoolTags)
    I->setLongForm(D.Op == op::LDC_W && D.Index < 256);
  else if (Ty.is(Type::Int))
    I->setImm(E.Length == 1 ? int32_t(D.Op) - op::ICONST_0 : D.Value);
  return true;
}

/// After \p Call, an <init>: its object is initialised wherever it is.
void BlockLifter::initialize(Instruction *Call) {
  Value *Object = Call->operand(0);
  Type From = Object->type(), To = Call->type();
  Initialized.emplace_back(From, To);
  Slots.forEachHolding(From, [&](uint32_t S) {
    Slots.set(S, To);
    if (HandlerSlots)
      (*HandlerSlots)[S] = F.types().merge((*HandlerSlots)[S], To);
  });
  bool Remains = false;
  for (Value *&V : Stack)
    if (V == Object) {
      V = Call;
      Remains = true;
    }
  if (Remains)
    InitResults.push_back(Call);
}

bool BlockLifter::initialised(const LiftEffect &E, unsigned Count, unsigned) {
  Value *Object = Stack[Stack.size() - Count];
  Type Ty;
  switch (Object->type().kind()) {
  case Type::UninitThis:
    Ty = F.types().ref(Class.name());
    break;
  case Type::Uninit:
    Ty = Class.classType(newIndex(F, Code, SiteAt, Object->type().payload()));
    break;
  default:
    return fail("constructor called on " + F.types().toString(Object->type()));
  }
  if (typeOf(Object) != Object->type())
    return fail("constructor called on an initialised object");
  // The result is not pushed: the copies that are left on the stack become it.
  Instruction *I = emit(E, Ty, Count);
  Stack.pop_back();
  F.setInit(I);
  initialize(I);
  // A pinned value is no copy of the object, and keeps its type.
  if (pinsMoves() && llvm::any_of(Stack, [&](const Value *V) {
        return V->type() != typeOf(V);
      }))
    pinAll(D.end() < BlockEndBCI ? D.end() : D.BCI);
  return true;
}

bool BlockLifter::made(const LiftEffect &E, Type) {
  uint32_t &Site = SiteAt[D.BCI];
  Instruction *I = emit(E, Type::Top, 0);
  if (Site == NoSite)
    Site = F.addNewSite(I).payload();
  else
    F.NewSites[Site] = I;
  I->setType(Type(Type::Uninit, Site));
  // An object of this site from an earlier round is dead: the specification
  // forbids it on the stack, and clears the slots.
  Slots.forEachHolding(I->type(), [&](uint32_t S) { setSlot(S, Type::Top); });
  for (size_t K = 0; K + 1 < Stack.size(); ++K)
    if (typeOf(Stack[K]) == I->type())
      return fail("an uninitialised object of the same instruction is on the "
                  "stack");
  llvm::erase_if(Initialized,
                 [&](const auto &P) { return P.first == I->type(); });
  return true;
}

/// `new X; dup; <init>; pop`: the result of the call was on the stack and
/// nothing used it. A drop keeps the shape; a pass may delete it.
void BlockLifter::keepShapeOfDiscardedObjects() {
  for (Value *V : Stack)
    UsedInits.insert(V);
  for (Instruction *I : InitResults) {
    if (UsedInits.contains(I))
      continue;
    Value *Op = I;
    Instruction *Drop = F.create(irop::Drop, op::NOP, Type::Void, Op, I->bci());
    F.insert(Drop, B, std::next(I->getIterator()));
  }
}

/// jsr. The return address becomes a null: something must be on the stack.
bool BlockLifter::enterSubroutine(BlockEnd &End) {
  if (!EnterSubroutine)
    return fail("subroutines cannot be described by frames");
  anchor();
  Instruction *Null =
      F.create(irop::Const, op::ACONST_NULL,
               Type(Type::RetAddr, EnterSubroutine(D)), {}, int32_t(D.BCI));
  F.append(Null, B);
  Stack.push_back(Null);
  End.K = BlockEnd::Subroutine;
  return true;
}

/// \p I is given the owner of a field, or what is put into it, or an array.
static bool accesses(const DecodedInst &I) {
  return I.info().Cat == op::CatArray ||
         (I.Op > op::GETSTATIC && I.Op <= op::PUTFIELD);
}

/// The instruction that ends the block.
bool BlockLifter::end(const LiftEffect &E, BlockEnd &End) {
  if (E.Op) {
    if (!fits({E.NumOperands, E.PopSlots, E.Wide}))
      return false;
    if (pinsMoves() && (E.Op == irop::Return || E.Op == irop::Throw))
      pinLeft(E.NumOperands);
    End.K = BlockEnd::Branch;
    End.Terminator = emit(E, Type::Void, E.NumOperands);
    End.Terminator->setLongForm(D.Op == op::GOTO_W);
    return true;
  }
  if (E.Result)
    return enterSubroutine(End);
  anchor(); // ret
  if (D.Index >= Slots.size() || !Slots[D.Index].is(Type::RetAddr))
    return fail("slot holds no return address");
  End.K = BlockEnd::SubroutineReturn;
  End.Context = Slots[D.Index].payload();
  return true;
}

llvm::Expected<BlockEnd> BlockLifter::lift(Block *Into, uint32_t From,
                                           uint32_t To) {
  B = Into;
  BlockEndBCI = To;
  Initialized.clear();
  InitResults.clear();
  if (!UsedInits.empty())
    UsedInits.clear();
  BlockEnd End{BlockEnd::FallThrough, nullptr, {}, 0};
  for (uint32_t At = From; At < To && End.K == BlockEnd::FallThrough;
       At = D.end()) {
    if (!decodeInst(Code, At - Base, D))
      return bad("cannot be decoded");
    D.BCI += Base;
    const LiftEffect &E = Effects[D.Op];
    if (Options.PinAccesses && accesses(D) && pinsMoves())
      pinAll(D.BCI);
    if (!(E.Kind == LiftEffect::End ? end(E, End) : step(E)))
      return bad(Problem);
  }
  End.Last = D;
  if (!InitResults.empty())
    keepShapeOfDiscardedObjects();
  return End;
}
