//===- Placement.cpp - What placing passes share --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Placement.h"
#include "../Sites/PatchSites.h"
#include "ActivationSlots.h"
#include "AdviceCall.h"
#include "Boxing.h"
#include "Outline.h"
#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/Analysis/LocalVariables.h"
#include "jopt/Passes/Dispatch.h"
#include "jopt/Support/JavaNames.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

llvm::ArrayRef<unsigned> Placement::advices(AdviceKind K) const {
  return C.get<Snippets>().plan(F.method()).at(K);
}

bool jopt::hasAdviceOf(AdviceKind K, const Method &M, PassContext &C) {
  return C.get<ClassAdvices>().selects(K, M);
}

bool jopt::hasAdviceOf(AdviceKind K, PassContext &C) {
  auto &Advices = C.get<ClassAdvices>();
  return Advices.has(K) && (isCallKind(K) || Advices.maySelect());
}

llvm::SmallVector<Instruction *, 2> Placement::superCalls() const {
  llvm::SmallVector<Instruction *, 2> Calls;
  if (This.Constructor)
    for (Block &B : F.blocks())
      for (Instruction &I : B)
        if (isSuperCall(I))
          Calls.push_back(&I);
  return Calls;
}

/// Nothing but definitions of slots that are readable everywhere.
static bool isPrologue(const Body &F, Block &B) {
  if (B.hasFrame() || B.throwEdges())
    return false;
  auto Defines = [&](const Instruction &I) {
    return I.op() == irop::LocalSet &&
           llvm::any_of(F.PinnedLocals,
                        [&](const auto &W) { return W.Slot == I.index(); });
  };
  for (auto I = B.begin(); I != B.end(); ++I) {
    // An instruction whose result the next one stores to a slot is part of the
    // slot's definition.
    auto Next = std::next(I);
    bool IsPart = Next != B.end() && Defines(*Next) && Next->operand(0) == &*I;
    if (I->op() != irop::FallThrough &&
        (I->advice() < 0 || !(Defines(*I) || IsPart || I->isPure())))
      return false;
  }
  return true;
}

Block &Placement::prologue(unsigned ForAdvice) {
  Block *Old = &F.entry();
  if (isPrologue(F, *Old) && !Old->empty() &&
      Old->terminator()->op() == irop::FallThrough)
    return *Old;
  Block *Front = F.createBlock(Old);
  Builder B(F);
  B.setEnd(Front);
  B.setAdvice(int32_t(ForAdvice));
  B.fallThrough(Old);
  return *Front;
}

unsigned Placement::thisSlot() const {
  const auto *Copy = F.findPinnedLocal(ThisSlot);
  return Copy ? Copy->Slot : 0;
}

void Placement::prepareThis(llvm::ArrayRef<unsigned> List, bool InAnyCase) {
  if (Static || thisSlot() || !(InAnyCase || (!This.Intact && namesThis(List))))
    return;
  Type Ty = F.types().ref(F.classFile().name());
  unsigned Copy = F.addPinnedLocal(Ty, ThisSlot);
  Builder B(F, prologue(List.front()).terminator());
  B.setAdvice(int32_t(List.front()));
  B.set(Copy, This.Constructor ? B.null() : B.get(0, Ty));
  for (Instruction *Call : superCalls()) {
    B.setPoint(Call->block(), std::next(Call->getIterator()));
    Call->setKeep(false);
    B.set(Copy, Call);
  }
}

Value *Placement::constructed(Instruction *Before, Instruction *Call,
                              unsigned N) {
  if (!This.Intact)
    return Call;
  Builder B(F, Before);
  B.setAdvice(int32_t(N));
  return B.get(0, F.types().ref(F.classFile().name()));
}

bool Placement::splitsAtSuper(llvm::ArrayRef<unsigned> Exits) const {
  return This.Constructor &&
         ((!F.Inferred && F.classFile().hasFrames()) ||
          llvm::any_of(Exits, [&](unsigned N) {
            const Advice &A = Set.Advices[N];
            return A.Way != ExitWay::Return &&
                   (A.Constructor == ConstructorPlace::AfterSuper ||
                    A.Result == ResultUse::Return);
          }));
}

bool Placement::isAround(unsigned Outer, unsigned Inner) const {
  auto Place = [&](unsigned N) {
    const Advice &A = Set.Advices[N];
    return std::pair(This.Constructor &&
                         A.Constructor == ConstructorPlace::AfterSuper,
                     A.Probe);
  };
  return Set.Probes[Set.Advices[Outer].Probe].Nests &&
         Set.Probes[Set.Advices[Inner].Probe].Nests &&
         Place(Outer) < Place(Inner);
}

/// The slot \p Of, made and filled for advice \p N if it is not there.
static unsigned slot(Placement &P, ActivationSlot Of, unsigned N) {
  Body &F = P.F;
  if (const auto *Known = F.findPinnedLocal(
          Of.Purpose,
          Of.isNumbered() ? std::optional(Of.Number) : std::nullopt))
    return Known->Slot;
  const unsigned Slot = addSlot(F, Of, typeOf(F, P.Calls, Of));
  Builder B(F, P.prologue(N).terminator());
  B.setAdvice(int32_t(N));
  fillSlot(B, F.PinnedLocals.back());
  return Slot;
}

unsigned Placement::keptSlot(unsigned P) {
  return slot(*this, {KeptSlot, P},
              unsigned(findKeeper(Set, P) - Set.Advices.data()));
}

/// The types of the slots in front of \p Before. Only a few blocks are looked
/// at, as a block with a frame declares them.
static llvm::SmallVector<Type, 16> slotsAt(Body &F, const Instruction *Before) {
  auto To = Before->block()->getIterator(), From = To;
  while (From != F.blocks().begin() && !From->hasFrame())
    --From;
  SlotState S(F);
  for (auto B = From;; ++B) {
    S.enter(*B);
    for (const Instruction &I : *B) {
      if (&I == Before)
        return llvm::SmallVector<Type, 16>(S.slots());
      S.step(I);
    }
  }
}

/// The original instruction that what stands in front of \p Before is in front
/// of; null in handlers that passes made.
static const Instruction *originalBehind(Body &F, Instruction *Before) {
  for (auto Bl = Before->block()->getIterator(); Bl != F.blocks().end(); ++Bl)
    for (auto I = Bl == Before->block()->getIterator() ? Before->getIterator()
                                                       : Bl->begin();
         I != Bl->end(); ++I)
      if (I->bci() >= 0 && I->advice() < 0)
        return &*I;
      else if (I->op() == irop::Throw)
        return nullptr;
  return nullptr;
}

static bool isObject(llvm::StringRef Descriptor) {
  return Descriptor == "Ljava/lang/Object;";
}

/// Whether the next operand of \p A, a value of descriptor \p Given for an item
/// that isBoxedAtCall, is boxed at the call, behind the decider that may skip
/// it. The advice notes types that are narrower than int, as far as it has room
/// for them.
bool Placement::isBoxedLater(const Advice &A, llvm::StringRef Given) {
  const unsigned Code = narrowTypeCode(Given);
  if (Given.size() != 1 || (Code && NumOperands >= NarrowTypes::NumOperands) ||
      !findDecider(Set, unsigned(&A - Set.Advices.data())))
    return false;
  if (Code)
    Narrow.setOperand(NumOperands, Code);
  return true;
}

/// `slot3` is the slot 3 where no variable has that name: of a class without
/// debug information.
static std::optional<unsigned> slotNumber(llvm::StringRef Name) {
  unsigned Number = 0;
  if (!Name.consume_front("slot") || Name.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// The descriptor of the value in a slot of type \p Ty; empty if it has none.
static llvm::StringRef descriptorOfSlot(Type Ty) {
  const llvm::StringRef Primitive = primitiveType(/*Narrow=*/0, Ty);
  if (!Primitive.empty())
    return Primitive;
  return Ty.isInitialized() ? "Ljava/lang/Object;" : "";
}

/// The variable \p Name as it is in front of \p Before, for a parameter of type
/// \p Wanted; null if there is none that fits.
Value *Placement::local(Builder &B, Instruction *Before, const Advice &A,
                        llvm::StringRef Name, llvm::StringRef Wanted) {
  const Instruction *At = originalBehind(F, Before);
  if (!At)
    return nullptr;
  const LocalVariable *V =
      C.analysis<LocalVariables>(F).find(Name, uint32_t(At->bci()));
  const std::optional<unsigned> Number = V ? std::nullopt : slotNumber(Name);
  if (!V && !Number)
    return nullptr;
  auto Slots = slotsAt(F, Before);
  LocalVariable OfSlot = {};
  if (!V) {
    OfSlot.Slot = *Number;
    OfSlot.Descriptor =
        descriptorOfSlot(*Number < Slots.size() ? Slots[*Number] : Type());
    V = &OfSlot;
    if (OfSlot.Descriptor.empty())
      return nullptr;
  }
  Type Ty = V->Slot < Slots.size() ? Slots[V->Slot] : Type(Type::Top);
  Type Declared = F.types().fromDescriptor(V->Descriptor);
  // Where a frame does not know the variable, or knows another in its slot,
  // there is no value to be had.
  bool Reference = V->Descriptor.size() > 1;
  if (Reference ? !Ty.isInitialized() : Ty != Declared)
    return nullptr;
  if (!fits(V->Descriptor, Wanted))
    return nullptr;
  if (isObject(Wanted) && isBoxedLater(A, V->Descriptor))
    return B.get(V->Slot, Ty);
  return fit(B, B.get(V->Slot, Ty), V->Descriptor, Wanted);
}

bool Placement::fits(llvm::StringRef Given, llvm::StringRef Wanted) const {
  return isObject(Wanted) ||
         F.types().fromDescriptor(Wanted) == F.types().fromDescriptor(Given);
}

Value *Placement::fit(Builder &B, Value *V, llvm::StringRef Given,
                      llvm::StringRef Wanted) const {
  if (isObject(Wanted))
    return box(B, V, Given, /*ByNew=*/false);
  // The call narrows a value to the type that it takes.
  if (Given != Wanted)
    V = narrow(B, V, Given);
  if (V->type() == F.types().fromDescriptor(Given) || V->type().is(Type::Null))
    return V;
  return B.cast(V, Wanted.front() == 'L' ? Wanted.drop_front().drop_back()
                                         : Wanted);
}

unsigned Placement::beginSlot(unsigned ForAdvice) {
  const bool OfCall = isCallKind(Set.Advices[ForAdvice].Kind);
  return slot(*this, {OfCall ? CallBeginSlot : BeginSlot}, ForAdvice);
}

Value *SiteValues::Given::make(Builder &B) const {
  switch (How) {
  case Form::Value:
    return V;
  case Form::Number:
    return B.constant(Number);
  case Form::Text:
    return B.string(Text);
  case Form::Slot:
    return B.get(unsigned(Number), Ty);
  }
  llvm_unreachable("all forms are listed");
}

/// The value that the probe of \p A keeps for the activation.
Value *Placement::kept(Builder &B, const Advice &A) {
  unsigned Keeper = unsigned(findKeeper(Set, A.Probe) - Set.Advices.data());
  unsigned Slot = keptSlot(A.Probe);
  return B.get(Slot, F.types().fromDescriptor(
                         returnDescriptor(Calls.callDescriptor(Keeper))));
}

/// Argument \p Use of the method as advice \p N gets it; none if there are
/// fewer.
[[gnu::noinline]] static std::optional<SiteValues::Given>
argument(Placement &P, unsigned N, const DataUse &Use) {
  Body &F = P.F;
  const auto Parameter = findParameter(F, *Use.number());
  if (!Parameter)
    return std::nullopt;
  const Advice &A = P.Set.Advices[N];
  const bool MayChange =
      (P.This.Constructor && A.Constructor == ConstructorPlace::AfterSuper) ||
      llvm::any_of(P.advices(AdviceKind::Entry), [&](unsigned Other) {
        return P.Set.Advices[Other].WritesArgs;
      });
  const ActivationSlot Of = slotFor(A, Use, MayChange);
  SiteValues::Given G{Use.Item, SiteValues::Given::Form::Slot};
  G.Number = int32_t(Of.Purpose.empty() ? Parameter->Slot : slot(P, Of, N));
  G.Ty = F.types().fromDescriptor(Parameter->Descriptor);
  G.Descriptor = Parameter->Descriptor;
  return G;
}

/// A value of descriptor \p Given is one for a parameter of type \p Wanted, by
/// the rules of probe classes: nothing is widened, and a subtype is another
/// type.
static bool isExactly(llvm::StringRef Given, llvm::StringRef Wanted) {
  return isObject(Wanted) || Given == Wanted;
}

/// The type of the parameter for \p Use of \p A in \p Descriptor.
static llvm::StringRef parameterFor(const Advice &A, const DataUse &Use,
                                    llvm::StringRef Descriptor) {
  MethodDescriptor D(Descriptor);
  llvm::StringRef Type = D.nextParameter();
  for (const DataUse *Before = A.Data.data(); Before != &Use; ++Before)
    Type = D.nextParameter();
  return Type;
}

bool Placement::takesExactly(const Advice &A, DataItem D,
                             llvm::StringRef Given) {
  return llvm::all_of(A.Data, [&](const DataUse &Use) {
    return Use.Item != D ||
           isExactly(Given, parameterFor(A, Use, A.Body.Descriptor));
  });
}

/// The value for \p Use of \p A, whose author gave its type, as code passes it:
/// as a \p Passed.
Value *Placement::given(Builder &B, const SiteValues::Given &G, const Advice &A,
                        const DataUse &Use, llvm::StringRef Passed) {
  llvm::StringRef Wanted = parameterFor(A, Use, A.Body.Descriptor);
  // These are boxed where they are used.
  if (isObject(Passed) &&
      (Use.Item == DataItem::ValueItem || Use.Item == DataItem::OldValue ||
       isBoxedLater(A, G.Descriptor)))
    return G.make(B);
  if (fits(G.Descriptor, Wanted))
    return fit(B, G.make(B), G.Descriptor, Passed);
  fail(getDataItemName(Use) + " " + Use.Key + " is of type " + G.Descriptor +
       ", and an advice takes it as " + Wanted);
  return nullptr;
}

Value *Placement::parameter(Builder &B, unsigned N, const DataUse &Use,
                            llvm::StringRef Passed) {
  const Advice &A = Set.Advices[N];
  auto G = argument(*this, N, Use);
  return G && isExactly(G->Descriptor, parameterFor(A, Use, A.Body.Descriptor))
             ? fit(B, G->make(B), G->Descriptor, Passed)
             : B.zero(F.types().fromDescriptor(Passed));
}

Value *Placement::result(Builder &B, const Advice &A, const DataUse &Use,
                         const SiteValues &S, llvm::StringRef Passed) {
  Value *V = S.value(DataItem::ReturnedObject);
  if (!V || !isExactly(S.ReturnType, parameterFor(A, Use, A.Body.Descriptor)))
    return B.zero(F.types().fromDescriptor(Passed));
  if (isObject(Passed) && isBoxedLater(A, S.ReturnType))
    return V;
  return fit(B, V, S.ReturnType, Passed);
}

Value *Placement::receiver(Builder &B, const SiteValues &S,
                           llvm::StringRef Passed) {
  if (!S.HasThis && !S.HasReceiver)
    return nullptr;
  Type Host = F.types().ref(F.classFile().name());
  Value *This = B.get(thisSlot(), Host);
  if (isObject(Passed) || F.types().fromDescriptor(Passed) == Host)
    return This;
  return B.cast(This, Passed.drop_front().drop_back());
}

Value *Placement::elapsed(Builder &B, unsigned N, bool InMillis) {
  unsigned Slot = beginSlot(N);
  auto Combine = [&](Opcode J, Value *L, Value *R) {
    return B.make(irop::Plain, J, Type::Long, {L, R});
  };
  Value *Nanos =
      Combine(op::LSUB, B.callStatic("java/lang/System", "nanoTime", "()J", {}),
              B.get(Slot, Type::Long));
  return InMillis ? Combine(op::LDIV, Nanos, B.constantLong(1000000)) : Nanos;
}

/// The operand for \p Use of advice \p N in front of \p Before; null where
/// there is no such value. What the site does not give is the same at all
/// sites.
Value *Placement::operand(Builder &B, Instruction *Before, unsigned N,
                          const DataUse &Use, const SiteValues &S) {
  const Advice &A = Set.Advices[N];
  auto Passed = [&] { return parameterFor(A, Use, Calls.callDescriptor(N)); };
  if (const SiteValues::Given *G = S.find(Use))
    return given(B, *G, A, Use, Passed());
  switch (Use.Item) {
  case DataItem::ThisObject:
    return S.HasThis ? B.get(thisSlot(), F.types().ref(F.classFile().name()))
                     : nullptr;
  case DataItem::Lock:
    return Static ? hostClass(B, F.classFile())
                  : B.get(thisSlot(), F.types().ref(F.classFile().name()));
  case DataItem::Kept:
    return kept(B, A);
  case DataItem::Local: {
    Value *V = local(B, Before, A, Use.Key, Passed());
    return V ? V : B.zero(F.types().fromDescriptor(Passed()));
  }
  case DataItem::Argument:
    if (!isCallKind(A.Kind))
      if (auto G = argument(*this, N, Use))
        return given(B, *G, A, Use, Passed());
    fail("there is no argument " + Use.Key + ", which a probe asks for");
    return nullptr;
  case DataItem::Parameter:
    return parameter(B, N, Use, Passed());
  case DataItem::Result:
    return result(B, A, Use, S, Passed());
  case DataItem::Receiver:
    return receiver(B, S, Passed());
  case DataItem::ValueItem:
  case DataItem::OldValue:
    return B.zero(F.types().fromDescriptor(Passed()));
  case DataItem::LineNumber: {
    const Instruction *At = originalBehind(F, Before);
    return B.constant(At ? int32_t(C.analysis<LineNumbers>(F).at(At->bci()))
                         : 0);
  }
  case DataItem::ElapsedNanos:
  case DataItem::ElapsedMillis:
    return elapsed(B, N, Use.Item == DataItem::ElapsedMillis);
  default:
    return nullptr;
  }
}

/// The bytecode index of \p I, or of the next instruction of its block that
/// has one.
static int32_t originalIndex(Instruction *I) {
  for (auto At = I->getIterator(); At != I->block()->end(); ++At)
    if (At->bci() >= 0)
      return At->bci();
  return -1;
}

/// Has the place where \p B stands count, if it is to; its number, else 0.
uint32_t Placement::count(Builder &B) {
  // The JVM may need the class for what Link asks first.
  const uint32_t Number = canAskLink(F.classFile().name())
                              ? C.get<ClassAdvices>().takePlaceNumber()
                              : 0;
  if (Number)
    B.callStatic("jopt/boot/Link", "ran", "(I)V",
                 {B.constant(int32_t(Number))});
  return Number;
}

Instruction *Placement::emit(Instruction *Before, unsigned N,
                             const SiteValues &S) {
  const Advice &A = Set.Advices[N];
  Builder B(F, Before);
  B.setAdvice(int32_t(N));
  llvm::SmallVector<Value *, 8> Operands;
  Narrow = NarrowTypes(0);
  for (const DataUse &Use : A.Data) {
    if (!isSiteItem(A.Kind, Use))
      continue;
    NumOperands = unsigned(Operands.size());
    // Nearly all is given as it is.
    const SiteValues::Given *G = S.find(Use);
    Value *V =
        G && G->Descriptor.empty() ? G->make(B) : operand(B, Before, N, Use, S);
    Operands.push_back(V ? V : B.null());
  }

  Type Ty = Type::Void;
  Value *Returned = S.value(DataItem::ReturnedObject);
  if (A.Result == ResultUse::ReplaceValue && Returned) {
    Operands.push_back(Returned);
    Ty = F.types().fromDescriptor(S.ReturnType);
  } else if (A.Result == ResultUse::Keep) {
    Ty = F.types().fromDescriptor(returnDescriptor(Calls.callDescriptor(N)));
  } else if (A.Result == ResultUse::Decide) {
    Ty = Type::Int;
  } else if (A.Result == ResultUse::Return) {
    if (!endsMethod(A))
      Operands.push_back(S.value(DataItem::ExceptionObject));
    if (S.ReturnType != "V")
      Ty = F.types().fromDescriptor(S.ReturnType);
  }
  for (const SiteValues::Given &G : S.all())
    if (G.V && (!G.Descriptor.empty() || llvm::is_contained(Operands, G.V))) {
      // A load of one byte is made again; anything longer is duplicated.
      auto *I = llvm::dyn_cast<Instruction>(G.V);
      G.V->setKeep(I && I->isPure() && !I->floating());
    }
  const uint32_t Number = A.Result == ResultUse::Decide ? 0 : count(B);
  Instruction *I = B.make(irop::Advice, op::NOP, Ty, Operands);
  I->setIndex(N);
  if ((Returned && (!Ty.isVoid() || names(N, DataItem::ReturnedObject))) ||
      (A.Result == ResultUse::Return && !Ty.isVoid()))
    Narrow.setValue(narrowTypeCode(S.ReturnType));
  if (SiteKinds >> unsigned(A.Kind) & 1)
    for (DataItem D : {DataItem::ValueItem, DataItem::OldValue})
      if (const SiteValues::Given *G = names(N, D) ? S.find(D) : nullptr)
        Narrow.setValue(narrowTypeCode(G->Descriptor));
  I->setImm(Narrow.imm());
  if (A.Result == ResultUse::Decide) // It is none of its own.
    return I;
  if (!isCallKind(A.Kind)) // place-calls counts calls
    Report.count(A.Probe);
  if (Report.keepsSites()) {
    const int32_t BCI = originalIndex(Before);
    // In front of all code: it jumps to what was the first.
    Report.note(N, BCI < 0 && A.Kind == AdviceKind::Entry ? 0 : BCI, Number);
  }
  return I;
}

/// Why a method cannot return where advice \p N would have it return; empty if
/// it can.
std::string Placement::whyNoReturn(unsigned N, const SiteValues &S) const {
  const Advice &A = Set.Advices[N];
  const bool AtEntry = A.Kind == AdviceKind::Entry;
  auto Locks = [](const Block &B) {
    return llvm::any_of(B.instructions(), hasMonitors);
  };
  if (This.Constructor && (AtEntry || !S.HasThis))
    return "a constructor cannot return before it has called super() or this()";
  if (!AtEntry && llvm::any_of(F.blocks(), Locks))
    return "the method would return with a lock, as it has synchronized blocks";
  llvm::StringRef Given = returnDescriptor(A.Body.Descriptor),
                  Wanted =
                      returnDescriptor(F.classFile().descriptor(F.method()));
  if (Given == Wanted || (isObject(Given) && Wanted.size() > 1))
    return {};
  auto Named = [](llvm::StringRef Type) {
    return Type == "V" ? "nothing" : javaTypeName(Type);
  };
  return "the method returns " + Named(Wanted) + ", and the fragment gives " +
         Named(Given);
}

Instruction *Placement::emitReturn(Instruction *Before, unsigned N,
                                   const SiteValues &S) {
  const Advice &A = Set.Advices[N];
  if (std::string Why = whyNoReturn(N, S); !Why.empty()) {
    const Probe &P = Set.Probes[A.Probe];
    const std::string Line =
        P.Where.Line ? ":" + std::to_string(P.Where.Line) : "";
    fail("probe '" + P.Name + "' (" + P.Where.File + Line +
         ") has the method return: " + Why);
    return nullptr;
  }
  auto Slots = slotsAt(F, Before);
  Instruction *Asked = emit(Before, N - 1, S);
  BlockCut Cut(Before);
  Builder B(F);
  B.setAdvice(int32_t(N));
  B.setEnd(Cut.Before);
  Value *Thrown = S.value(DataItem::ExceptionObject);
  if (Thrown)
    Cut.carry(Thrown);
  dropPinnedLocals(Slots, F);
  const bool Isolates = A.Exceptions == AdviceExceptions::Isolate;
  if (Isolates) {
    // The stack does not survive an exception.
    unsigned Top = F.numSlots();
    for (CarriedValue &V : Cut.Values) {
      Cut.store(B, V, Top, Slots);
      Top += V.Ty.slots();
    }
    F.setNumSlots(Top);
  }
  Block *Skip = Cut.addBlock();
  B.jumpIfZero(Asked, Cut.After, Skip);
  B.setEnd(Skip);
  SiteValues There = S;
  There.ReturnType = returnDescriptor(F.classFile().descriptor(F.method()));
  if (Thrown)
    There.replace(Thrown, Cut.get(B, Thrown));
  B.jump(Cut.After);
  Instruction *Result = emit(Skip->terminator(), N, There);
  F.erase(Skip->terminator());
  B.setEnd(Skip);
  makeReturn(B, Result->type().isVoid() ? nullptr : Result);
  F.setExitValues(Skip, {});
  Instruction *Return = Skip->terminator();
  if (Isolates) {
    F.split(Skip, Return->getIterator());
    Block *Handler = addCatchAll(F, Slots, Cut.After);
    B.setEnd(Handler);
    B.fallThrough(Cut.After);
    wrapInTry(Skip, Handler, Skip->throwEdges(),
              F.tries().empty() ? nullptr : F.tries().front());
  }
  Cut.close();
  F.setFrame(Cut.After, F.copy<Type>(Slots));
  return Return;
}

void Placement::emitExits(Instruction *Return) {
  for (unsigned N : advices(AdviceKind::Exit)) {
    const Advice &A = Set.Advices[N];
    if (A.Way == ExitWay::Exception)
      continue;
    SiteValues S;
    S.HasThis = !Static;
    const bool Returns = !Return->operands().empty();
    if (Returns)
      S.giveReturned(Return->operand(0),
                     returnDescriptor(F.classFile().descriptor(F.method())));
    Instruction *I = emit(Return, N, S);
    if (A.Result == ResultUse::ReplaceValue && Returns)
      Return->operands()[0] = I;
  }
}

llvm::Error Placement::finish() {
  if (!Problem.empty())
    return makeError(Problem);
  Report.report(F.method());
  return llvm::Error::success();
}
