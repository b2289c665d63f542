//===- PlaceAdvice.cpp - Advices at sites ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where entry and exit advices go. Every site is cut out into blocks of its
/// own, so that exceptions of an advice reach the handlers they should and no
/// others; between blocks that only fall through, no code is made.
///
//===----------------------------------------------------------------------===//

#include "jopt/IR/Builder.h"
#include "jopt/Passes/Analysis/SlotState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_PlaceAdvice
#include "jopt/Passes/Passes.inc"

namespace {

enum class Site { Entry, AfterSuper, Return, Throw };

/// Places the advices of one method.
class Placer {
public:
  Placer(Body &F, PassContext &C)
      : F(F), C(C), Set(C.advices()), Static(F.method().is(ACC_STATIC)) {}

  llvm::Error run(llvm::ArrayRef<unsigned> Chosen);

private:
  void classify(llvm::ArrayRef<unsigned> Chosen);
  void prepareThis();
  void prepareKept();
  void placeEntries();
  void placeAtReturns();
  void cutReturn(Instruction *Return);
  void cutCall(Instruction *Call);
  void placeThrows();
  bool mayLeave(llvm::ArrayRef<Block *> Blocks) const;
  void addHandler(llvm::ArrayRef<Block *> Covered, bool BeforeSuper);
  void emit(Instruction *Before, llvm::ArrayRef<unsigned> List, Site S,
            const ThrowEdge *Original);
  void emitOne(Instruction *Before, unsigned N, Site S);
  Value *thisAt(Builder &B, Site S);
  Block &entryBlock();
  void reportRows();

  bool names(llvm::ArrayRef<unsigned> List, DataItem D) const {
    return llvm::any_of(List, [&](unsigned N) {
      return llvm::is_contained(Set.Advices[N].Data, D);
    });
  }
  bool isCovered(const Block &B) const {
    return B.id() >= Uncovered.size() || !Uncovered[B.id()];
  }
  void setUncovered(const Block &B) {
    if (B.id() >= Uncovered.size())
      Uncovered.resize(F.numBlocks());
    Uncovered.set(B.id());
  }

  Body &F;
  PassContext &C;
  const AdviceSet &Set;
  const bool Static;
  llvm::SmallVector<unsigned, 8> Entries, AfterSuper, Exits;
  ThisState This;
  /// The calls of super() and this() on `this`.
  llvm::SmallVector<Instruction *, 2> Calls;
  /// A constructor whose call of super() no handler may cover.
  bool CutsCalls = false;
  /// A return may fail, as the method does monitors of its own; it stays in
  /// the ranges it was in.
  bool ReturnsThrow = false;
  /// A slot with `this`, where slot 0 does not keep it.
  int ThisCopy = -1;
  /// By probe: the slot of its kept value, or -1.
  llvm::SmallVector<int, 4> KeptSlot;
  /// The block in front of the original entry, once there is one.
  Block *Front = nullptr;
  /// By Block::id(): not in the range of the exit handlers.
  llvm::BitVector Uncovered;
  /// By probe: number of sites.
  llvm::SmallVector<unsigned, 8> Sites;
};

} // namespace

/// Exceptions may come out of \p I. Those of a return (broken monitors) find
/// their exit advices done.
static bool mayThrow(const Instruction &I) {
  if (I.op() == irop::Advice)
    return true;
  if (I.info().NoCode || I.op() == irop::Drop || I.op() == irop::Return)
    return false;
  return getOpcodeInfo(I.opcode())->MayThrow;
}

static bool isSuperCall(const Instruction &I) {
  return I.isInit() && I.operand(0)->type().is(Type::UninitThis);
}

void Placer::classify(llvm::ArrayRef<unsigned> Chosen) {
  for (unsigned N : Chosen) {
    const Advice &A = Set.Advices[N];
    if (A.Kind == AdviceKind::Exit)
      Exits.push_back(N);
    else if (This.Constructor && A.Constructor == ConstructorPlace::AfterSuper)
      AfterSuper.push_back(N);
    else
      Entries.push_back(N);
  }
}

/// The block in front of the original entry: not a branch target and outside
/// of every range.
Block &Placer::entryBlock() {
  if (!Front) {
    Block *Old = &F.entry();
    Front = F.createBlock(Old);
    setUncovered(*Front);
    Builder B(F);
    B.setEnd(Front);
    B.fallThrough(Old);
  }
  return *Front;
}

/// Keeps `this` in a slot of its own where slot 0 will not do.
void Placer::prepareThis() {
  bool Needed = names(Exits, DataItem::ThisObject) ||
                names(AfterSuper, DataItem::ThisObject);
  if (Static || This.Intact || !Needed)
    return;
  Type Ty = F.types().ref(F.classFile().name());
  ThisCopy = int(F.addMethodWideSlot(Ty));
  Builder B(F, entryBlock().terminator());
  B.set(unsigned(ThisCopy), This.Constructor ? B.null() : B.get(0, Ty));
  for (Instruction *Call : Calls) {
    B.setPoint(Call->block(), std::next(Call->getIterator()));
    Call->setKeep(false);
    B.set(unsigned(ThisCopy), Call);
  }
}

/// Slots for the values that advices keep and others name.
void Placer::prepareKept() {
  KeptSlot.assign(Set.Probes.size(), -1);
  // A frame or a handler in the entry code wants the slot defined before.
  bool EntryBranches = llvm::any_of(Entries, [&](unsigned N) {
    const Advice &A = Set.Advices[N];
    return !A.Switch.empty() || A.Exceptions == AdviceExceptions::Isolate ||
           A.Range == RangePlace::Inside;
  });
  for (auto *List : {&Entries, &AfterSuper})
    for (unsigned N : *List) {
      const Advice &A = Set.Advices[N];
      if (A.Result != ResultUse::Keep)
        continue;
      bool Used = false;
      for (auto *Readers : {&Entries, &AfterSuper, &Exits})
        for (unsigned R : *Readers)
          Used |= Set.Advices[R].Probe == A.Probe && names(R, DataItem::Kept);
      if (!Used)
        continue;
      Type Ty = F.types().fromDescriptor(returnDescriptor(A.Body.Descriptor));
      unsigned Slot = F.addMethodWideSlot(Ty);
      KeptSlot[A.Probe] = int(Slot);
      if (EntryBranches || List == &AfterSuper) {
        Builder B(F, entryBlock().terminator());
        B.set(Slot, B.zero(Ty));
      }
    }
}

Value *Placer::thisAt(Builder &B, Site S) {
  if (Static || (This.Constructor && (S == Site::Entry || S == Site::Throw)))
    return B.null();
  Type Ty = F.types().ref(F.classFile().name());
  return B.get(S == Site::Entry || ThisCopy < 0 ? 0 : unsigned(ThisCopy), Ty);
}

void Placer::emitOne(Instruction *Before, unsigned N, Site S) {
  const Advice &A = Set.Advices[N];
  Builder B(F, Before);
  B.setAdvice(int32_t(N));
  Value *V = Before->operands().empty() ? nullptr : Before->operand(0);
  llvm::SmallVector<Value *, 4> Operands;
  for (DataItem D : A.Data) {
    switch (D) {
    case DataItem::ReturnedObject:
      Operands.push_back(V && S == Site::Return ? V : B.null());
      break;
    case DataItem::ExceptionObject:
      Operands.push_back(V && S == Site::Throw ? V : B.null());
      break;
    case DataItem::ThisObject:
      Operands.push_back(thisAt(B, S));
      break;
    case DataItem::Kept: {
      // The keeper may have been left out with the constructors' advices.
      int Slot = KeptSlot[A.Probe];
      Type Ty = F.types().fromDescriptor(
          returnDescriptor(findKeeper(Set, A.Probe)->Body.Descriptor));
      Operands.push_back(Slot < 0 ? B.zero(Ty) : B.get(unsigned(Slot), Ty));
      break;
    }
    default:
      break;
    }
  }
  bool Replaces = A.Result == ResultUse::ReplaceValue && S == Site::Return && V;
  bool Keeps = A.Result == ResultUse::Keep && KeptSlot[A.Probe] >= 0;
  Type Ty = Type::Void;
  if (Replaces) {
    Operands.push_back(V);
    Ty = F.types().fromDescriptor(
        returnDescriptor(F.classFile().descriptor(F.method())));
  } else if (Keeps) {
    Ty = F.types().fromDescriptor(returnDescriptor(A.Body.Descriptor));
  }
  if (V && llvm::is_contained(Operands, V)) {
    // A load of one byte is made again; anything longer is duplicated.
    auto *I = llvm::dyn_cast<Instruction>(V);
    V->setKeep(I && I->isPure() && !I->floating());
  }
  Instruction *I = B.make(irop::Advice, op::NOP, Ty, Operands);
  I->setIndex(N);
  if (Replaces)
    Before->operands()[0] = I;
  else if (Keeps)
    B.set(unsigned(KeptSlot[A.Probe]), I);
  ++Sites[A.Probe];
  NumEntries += S == Site::Entry || S == Site::AfterSuper;
  NumExits += S == Site::Return;
  NumThrows += S == Site::Throw;
}

/// Puts \p List before the terminator \p Before, whose block has been cut out
/// for it: outside of all ranges or, where an advice asks for it, with the
/// handlers of the place, \p Original.
void Placer::emit(Instruction *Before, llvm::ArrayRef<unsigned> List, Site S,
                  const ThrowEdge *Original) {
  bool First = true, WasInside = false;
  for (unsigned N : List) {
    bool Inside =
        S != Site::Throw && Set.Advices[N].Range == RangePlace::Inside;
    if (First || Inside != WasInside) {
      Block *B = Before->block();
      if (!First)
        B = F.split(B, Before->getIterator());
      B->setThrowEdges(Inside ? Original : nullptr);
      // An exit advice does not run again because an exit advice failed.
      if (!Inside || S == Site::Return)
        setUncovered(*B);
    }
    First = false;
    WasInside = Inside;
    emitOne(Before, N, S);
  }
}

void Placer::placeEntries() {
  if (Entries.empty())
    return;
  const ThrowEdge *Original =
      (Front ? &*std::next(Front->getIterator()) : &F.entry())->throwEdges();
  Block &Prepared = entryBlock();
  if (Prepared.begin() == Prepared.terminator()->getIterator()) {
    emit(Prepared.terminator(), Entries, Site::Entry, Original);
    return;
  }
  // What was prepared stays outside of every range.
  Block *Rest = F.split(&Prepared, Prepared.terminator()->getIterator());
  emit(Rest->terminator(), Entries, Site::Entry, Original);
}

/// Loading \p I takes one byte of code.
static bool isShortLoad(const Instruction &I) {
  if (I.op() == irop::LocalGet)
    return I.index() < 4;
  return I.opcode() <= op::DCONST_1;
}

/// Cuts the exit site in front of \p Return out of its block.
void Placer::cutReturn(Instruction *Return) {
  Block *B = Return->block();
  const ThrowEdge *Original = B->throwEdges();
  auto At = Return->getIterator();
  if (!Return->operands().empty() && At != B->begin()) {
    // A value that is only loaded to be returned is loaded behind the advices.
    Instruction &V = *std::prev(At);
    if (Return->operand(0) == &V && V.isPure() && B->countUses(&V) == 1) {
      --At;
      bool Taken = names(Exits, DataItem::ReturnedObject);
      V.setFloating(!Taken || isShortLoad(V));
    }
  }
  if (At != B->begin())
    B = F.split(B, At);
  B->setThrowEdges(nullptr);
  setUncovered(*B);
  emit(Return, Exits, Site::Return, Original);
  if (Original != Return->block()->throwEdges() && ReturnsThrow) {
    Block *Last = F.split(Return->block(), Return->getIterator());
    Last->setThrowEdges(Original);
    setUncovered(*Last);
  }
}

void Placer::placeAtReturns() {
  llvm::SmallVector<Instruction *, 8> Returns;
  for (Block &B : F.blocks()) {
    Instruction *T = B.terminator();
    if (T->op() == irop::Return && T->advice() < 0)
      Returns.push_back(T);
    for (const Instruction &I : B)
      ReturnsThrow |=
          I.op() == irop::Plain &&
          (I.opcode() == op::MONITORENTER || I.opcode() == op::MONITOREXIT);
  }
  for (Instruction *T : Returns)
    cutReturn(T);
}

/// Cuts a call of super() or this() out of the ranges, and puts the advices
/// that wait for it behind it.
void Placer::cutCall(Instruction *Call) {
  Block *B = Call->block();
  const ThrowEdge *Original = B->throwEdges();
  if (CutsCalls && Call->getIterator() != B->begin())
    B = F.split(B, Call->getIterator());
  if (CutsCalls)
    setUncovered(*B);
  auto Next = std::next(Call->getIterator());
  // The copy of `this` stands right behind the call.
  if (ThisCopy >= 0)
    ++Next;
  Block *Rest = F.split(B, Next);
  if (AfterSuper.empty())
    return;
  Block *Behind = F.split(Rest, Rest->begin());
  Rest->setThrowEdges(nullptr);
  emit(Rest->terminator(), AfterSuper, Site::AfterSuper, Original);
  Behind->setThrowEdges(Original);
}

/// An exception may come out of one of \p Blocks; if not by an instruction,
/// then from outside (Thread.stop) in a loop.
bool Placer::mayLeave(llvm::ArrayRef<Block *> Blocks) const {
  llvm::DenseSet<const Block *> Passed;
  for (const Block *B : Blocks) {
    Passed.insert(B);
    for (const Instruction &I : B->instructions())
      if (mayThrow(I))
        return true;
    for (const Block *S : B->terminator()->successors())
      if (Passed.contains(S))
        return true;
  }
  return false;
}

/// A handler for what leaves the method out of \p Covered.
void Placer::addHandler(llvm::ArrayRef<Block *> Covered, bool BeforeSuper) {
  if (!mayLeave(Covered))
    return;
  Block *H = F.createBlock();
  F.setHandler(H, F.types().ref("java/lang/Throwable"));
  // Only what the handler reads is declared, so no hierarchy is asked. Before
  // super() every frame must say that `this` is not initialised.
  llvm::SmallVector<Type, 1> Slots;
  if (BeforeSuper)
    Slots.push_back(Type::UninitThis);
  else if (!Static && !This.Constructor && ThisCopy < 0 &&
           names(Exits, DataItem::ThisObject))
    Slots.push_back(F.types().ref(F.classFile().name()));
  F.setFrame(H, Slots);
  Builder B(F);
  B.setEnd(H);
  B.raise(H->parameters()[0]);
  emit(H->terminator(), Exits, Site::Throw, nullptr);

  TryEntry *E = F.addTry(H, 0);
  llvm::DenseMap<const ThrowEdge *, const ThrowEdge *> Extended;
  for (Block *Bl : Covered) {
    auto [It, New] = Extended.try_emplace(Bl->throwEdges());
    if (New)
      It->second = F.withTry(Bl->throwEdges(), E);
    Bl->setThrowEdges(It->second);
  }
}

void Placer::placeThrows() {
  llvm::SmallVector<Block *, 32> Before, After;
  // Blocks that were cut off a block are as it was, but for what follows a
  // call of super(): the block of the call itself is the border.
  bool Uninit = false;
  for (Block &B : F.blocks()) {
    if (B.id() < This.Uninitialized.size())
      Uninit = This.Uninitialized[B.id()];
    else if (&B == Front)
      Uninit = This.Constructor;
    if (isCovered(B)) {
      if (!CutsCalls || !Uninit)
        After.push_back(&B);
      else if (llvm::any_of(B, [](Instruction &I) { return mayThrow(I); }))
        Before.push_back(&B);
    }
    if (llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
  if (!Before.empty())
    addHandler(Before, true);
  addHandler(After, false);
}

void Placer::reportRows() {
  for (unsigned P = 0; P < Sites.size(); ++P)
    if (Sites[P]) {
      ReportRow Row;
      Row.What = ReportRow::Applied;
      Row.Probe = int(P);
      Row.Count = Sites[P];
      C.report(F.method(), std::move(Row));
    }
  if (CutsCalls && !Calls.empty()) {
    ReportRow Row;
    Row.What = ReportRow::NoSuperExit;
    C.remark(F.method(), "exceptions out of super() or this() give no exit");
    C.report(F.method(), std::move(Row));
  }
}

llvm::Error Placer::run(llvm::ArrayRef<unsigned> Chosen) {
  This = C.analysis<ThisState>(F);
  if (This.Constructor)
    for (Block &B : F.blocks())
      for (Instruction &I : B)
        if (isSuperCall(I))
          Calls.push_back(&I);
  classify(Chosen);
  Sites.assign(Set.Probes.size(), 0);
  CutsCalls = This.Constructor && !Exits.empty() && !F.Inferred &&
              F.classFile().hasFrames();
  if (CutsCalls && This.Lost)
    return makeError("slot 0 loses `this` before super() is called: no handler "
                     "can be declared there");
  prepareThis();
  prepareKept();
  if (!Exits.empty())
    placeAtReturns();
  if (CutsCalls || !AfterSuper.empty())
    for (Instruction *Call : Calls)
      cutCall(Call);
  placeEntries();
  if (!Exits.empty())
    placeThrows();
  ++NumMethods;
  reportRows();
  return llvm::Error::success();
}

bool PlaceAdvicePass::wants(const Method &M, PassContext &C) const {
  if (!Options.Synthetic && (M.is(ACC_SYNTHETIC) || M.is(ACC_BRIDGE)))
    return false;
  if (!Options.Constructors && C.classFile().name(M) == "<init>")
    return false;
  return !C.advicesFor(M).empty();
}

llvm::Expected<PreservedAnalyses> PlaceAdvicePass::run(Body &B,
                                                       PassContext &C) const {
  if (llvm::Error E = Placer(B, C).run(C.advicesFor(B.method())))
    return E;
  return PreservedAnalyses::none();
}
