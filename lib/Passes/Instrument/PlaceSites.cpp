//===- PlaceSites.cpp - Advices at instructions ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In front of an original instruction that is a site by the table of Advice.td
/// (SiteOpcode), or behind it, with its operands and its result:
/// \code
///   O; V                      O; V; advices, given O and V
///   putfield          =>      putfield
///
///   O                         O
///   getfield          =>      getfield; advices, given O and its result
/// \endcode
/// The code is in the exception ranges of the instruction. Behind a
/// monitorenter or monitorexit it is in those of the next instruction, which
/// release the lock or do not. No handler that leads back to the code covers
/// it.
///
/// Reading a field's old value must not throw for null, as the write itself has
/// to do so:
/// \code
///   B:  ...; O; V; T = 0; if (O == null) goto A
///       T = O.field
///   A:  advices, given T; putfield
/// \endcode
///
/// Loops and lines have a beginning, and their code is in front of the
/// instruction there. The iterations of a loop are counted in a slot, which is
/// set to zero on the edges into its head from outside.
///
//===----------------------------------------------------------------------===//

#include "../Sites/SelfCoveringHandlers.h"
#include "../Sites/SitePlaces.h"
#include "../Sites/SiteTests.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/LocalVariables.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"
#include <bitset>

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_PlaceSites
#include "jopt/Passes/Passes.inc"

namespace {

/// An instruction that is a site, or where one begins.
struct FoundSite {
  Instruction *I;
  AdviceKind Kind;
  const SiteOpcode *Row = nullptr; ///< null: it is no instruction
  bool HasThis = false;
  /// It is one for advices that are placed behind it; in front of it.
  bool Behind = true, Before = true;
  /// The class or member that the instruction names, and the descriptor of its
  /// value. Empty where it has none.
  StringRef Owner = {}, Name = {}, Descriptor = {};
  llvm::SmallVector<unsigned, 2> Advices = {};
  /// If OldValue is wanted, or a lock is given back (giveBack).
  llvm::ArrayRef<Type> Slots = {};
  /// Of a loop: its head, and the terminators that lead there from outside.
  Block *Head = nullptr;
  llvm::SmallVector<Instruction *, 2> Entries = {};
};

/// Places the advices at the instructions of one method.
class SitePlacer {
public:
  SitePlacer(Body &F, PassContext &C) : P(F, C), F(F), Places(P) {}

  llvm::Expected<bool> run();

private:
  llvm::ArrayRef<SiteOpcode> rowsOf(const Instruction &I) const;
  std::optional<FoundSite> siteAt(Instruction &I, const SiteOpcode &Row) const;
  void describe(FoundSite &S) const;
  void describeVariable(FoundSite &S) const;
  StringRef elementOf(const Instruction &I) const;
  bool takes(unsigned N, const FoundSite &S);
  void add(FoundSite S, llvm::ArrayRef<unsigned> List, const SlotState &State);
  std::vector<FoundSite> findLoops() const;
  void collect();
  void readOld(FoundSite &S);
  void countTurns(FoundSite &S);
  Value *incremented(const Instruction &Inc, Instruction *Before, unsigned N,
                     bool Behind);
  void emitAt(FoundSite &S, Instruction *Before, llvm::ArrayRef<unsigned> List,
              bool Behind);
  void placeAt(FoundSite &S, Instruction *Before, llvm::ArrayRef<unsigned> List,
               bool Behind);
  SiteValues valuesAt(const FoundSite &S, bool Behind);
  void giveBack(Block *Code, const FoundSite &S);
  void place(FoundSite &S);

  Placement P;
  Body &F;
  SitePlaces Places;
  std::vector<FoundSite> Sites;
  size_t DeclaredSlots = 0; ///< in frames where OldValue is read
  /// Where OldValue waits, by its width.
  std::optional<unsigned> OldSlot, OldPair;
  /// Where a lock waits that is given back whatever advices throw.
  std::optional<unsigned> LockSlot;
  /// Where what the site at work has waits: OldValue, Count.
  std::optional<unsigned> Slot;
};

} // namespace

/// Sites of \p K are placed here.
static bool isSiteKind(AdviceKind K) { return SiteKinds >> unsigned(K) & 1; }

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

/// An object is made where its constructor returns, not where its memory is
/// taken.
static bool isConstruction(const Instruction &I) {
  return I.isInit() && I.operand(0)->type().is(Type::Uninit);
}

/// The descriptor of the elements that the array access \p I is about.
StringRef SitePlacer::elementOf(const Instruction &I) const {
  const Type Array = I.operand(0)->type();
  if (F.types().isArray(Array))
    return F.types().name(Array).drop_front();
  StringRef Elements = I.opcodeInfo().Elements;
  return Elements.front() == 'L' ? "Ljava/lang/Object;" : Elements.take_front();
}

/// The variable that the slot is when \p S has been written.
void SitePlacer::describeVariable(FoundSite &S) const {
  const Instruction &I = *S.I;
  const Type Ty = I.operands().empty() ? Type(Type::Int) : I.operand(0)->type();
  S.Descriptor = Ty.is(Type::Int)      ? "I"
                 : Ty.is(Type::Long)   ? "J"
                 : Ty.is(Type::Float)  ? "F"
                 : Ty.is(Type::Double) ? "D"
                                       : "Ljava/lang/Object;";
  // It may begin with its first value.
  DecodedInst Store;
  if (I.bci() < 0 ||
      !decodeInst(F.method().code(F.pool()), uint32_t(I.bci()), Store))
    return;
  for (const LocalVariable &V : P.C.analysis<LocalVariables>(F).All)
    if (V.Slot == I.index() && V.Start <= Store.end() && Store.end() < V.End &&
        (V.Descriptor.size() > 1) == (S.Descriptor.size() > 1)) {
      S.Name = V.Name;
      S.Descriptor = V.Descriptor;
      return;
    }
}

void SitePlacer::describe(FoundSite &S) const {
  const Instruction &I = *S.I;
  switch (I.op()) {
  case irop::FieldAccess: {
    MemberRef Field = F.pool().member(I.index());
    S.Owner = Field.Owner;
    S.Name = Field.Name;
    S.Descriptor = Field.Descriptor;
    return;
  }
  case irop::Invoke: {
    const MemberRef Called = F.classFile().callee(I.index());
    S.Owner = Called.Owner;
    if (S.Kind != AdviceKind::New)
      S.Name = Called.Name;
    return;
  }
  case irop::NewArray:
    S.Owner = F.types().name(I.type());
    return;
  case irop::ClassOp:
    S.Owner = S.Kind == AdviceKind::NewArray ? F.types().name(I.type())
                                             : F.pool().className(I.index());
    S.Descriptor = S.Kind == AdviceKind::InstanceOf ? "Z" : "";
    return;
  case irop::New:
  case irop::MultiNewArray:
    S.Owner = F.pool().className(I.index());
    return;
  case irop::Plain:
    if (I.opcodeInfo().Cat == op::CatArray)
      S.Descriptor = elementOf(I);
    return;
  case irop::LocalSet:
  case irop::LocalInc:
    return describeVariable(S);
  default:
    return;
  }
}

/// The rows of which \p I may be a site.
llvm::ArrayRef<SiteOpcode> SitePlacer::rowsOf(const Instruction &I) const {
  if (!isOriginal(I))
    return {};
  switch (I.op()) {
  case irop::Invoke:
    return findSiteOpcodes(isConstruction(I) ? Opcode(op::NEW) : I.opcode());
  case irop::Plain:
  case irop::FieldAccess:
  case irop::New:
  case irop::NewArray:
  case irop::ClassOp:
  case irop::MultiNewArray:
  case irop::Throw:
  case irop::LocalSet:
  case irop::LocalInc:
    return findSiteOpcodes(I.opcode());
  default:
    return {};
  }
}

std::optional<FoundSite> SitePlacer::siteAt(Instruction &I,
                                            const SiteOpcode &Row) const {
  if (!passes(Row.Test, F.classFile(), I.index()))
    return std::nullopt;
  FoundSite S{&I, Row.Kind, &Row};
  S.Behind = !I.isTerminator() && I.op() != irop::New;
  S.Before = !isConstruction(I);
  describe(S);
  return S;
}

/// \p S is a site of advice \p N, which selects the method.
bool SitePlacer::takes(unsigned N, const FoundSite &S) {
  const Advice &A = P.Set.Advices[N];
  const SiteFilter &Only = A.Site;
  if (A.Kind != S.Kind || !(Only.isBehind(A.Kind) ? S.Behind : S.Before) ||
      !Only.takesOwner(S.Owner) || !Only.takesName(S.Name) ||
      !Only.takesDescriptor(S.Descriptor))
    return false;
  for (DataItem D : {DataItem::ValueItem, DataItem::OldValue})
    if (!S.Descriptor.empty() && !P.takesExactly(A, D, S.Descriptor))
      return false;
  return Places.takes(N, *S.I);
}

/// \p S, if one of \p List is for it.
void SitePlacer::add(FoundSite S, llvm::ArrayRef<unsigned> List,
                     const SlotState &State) {
  llvm::copy_if(List, std::back_inserter(S.Advices),
                [&](unsigned N) { return takes(N, S); });
  if (S.Advices.empty())
    return;
  S.HasThis = P.hasThis(State.slots());
  if (S.Kind == AdviceKind::MonitorExit)
    S.Slots = F.copy<Type>(State.slots());
  if (P.names(S.Advices, DataItem::OldValue)) {
    DeclaredSlots += State.slots().size();
    if (DeclaredSlots > MaxDeclaredSlots)
      return P.fail("the code at its fields would declare more than " +
                    llvm::Twine(MaxDeclaredSlots) + " slots");
    S.Slots = F.copy<Type>(State.slots());
  }
  Sites.push_back(std::move(S));
}

/// The heads of loops, in the order of the code.
std::vector<FoundSite> SitePlacer::findLoops() const {
  std::vector<unsigned> Places(F.numBlocks());
  for (auto [Number, B] : llvm::enumerate(F.blocks()))
    Places[B.id()] = unsigned(Number);
  std::vector<bool> IsHead(F.numBlocks()), IsTarget(F.numBlocks());
  for (Block &B : F.blocks()) {
    if (B.isHandler() && B.bci() < 0)
      continue; // It leads back to what it was made for: SelfCoveringHandler.
    for (const Block *To : B.terminator()->successors()) {
      if (Places[To->id()] <= Places[B.id()])
        IsHead[To->id()] = true;
      if (B.terminator()->op() != irop::FallThrough)
        IsTarget[To->id()] = true;
    }
  }
  std::vector<FoundSite> Loops;
  std::vector<size_t> LoopOf(F.numBlocks());
  for (Block &B : F.blocks()) {
    if (!IsHead[B.id()])
      continue;
    // Behind what was placed in front of the same code, in blocks of its own.
    Block *In = &B;
    auto First = llvm::find_if(*In, isFromCode);
    while (First == In->end() && In->terminator()->op() == irop::FallThrough) {
      Block *Next = In->terminator()->successors()[0];
      if (IsTarget[Next->id()] || Next->isHandler())
        break;
      In = Next;
      First = llvm::find_if(*In, isFromCode);
    }
    FoundSite S{First == In->end() ? B.terminator() : &*First,
                AdviceKind::Loop};
    S.Behind = false;
    S.Head = &B;
    LoopOf[B.id()] = Loops.size();
    Loops.push_back(std::move(S));
  }
  for (Block &B : F.blocks())
    for (const Block *To : B.terminator()->successors()) {
      if (!IsHead[To->id()] || Places[B.id()] >= Places[To->id()])
        continue;
      auto &Entries = Loops[LoopOf[To->id()]].Entries;
      if (Entries.empty() || Entries.back() != B.terminator())
        Entries.push_back(B.terminator());
    }
  return Loops;
}

void SitePlacer::collect() {
  llvm::SmallVector<unsigned, 4> List;
  bool OfLines = false, OfLoops = false;
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (isSiteKind(AdviceKind(K))) {
      auto OfKind = P.advices(AdviceKind(K));
      OfLines |= AdviceKind(K) == AdviceKind::Line && !OfKind.empty();
      OfLoops |= AdviceKind(K) == AdviceKind::Loop && !OfKind.empty();
      llvm::append_range(List, OfKind);
    }
  std::vector<FoundSite> Loops;
  if (OfLoops)
    Loops = findLoops();
  auto Loop = Loops.begin();
  SlotState State(F);
  for (Block &B : F.blocks()) {
    State.enter(B);
    if (Loop != Loops.end() && Loop->Head == &B)
      add(std::move(*Loop++), List, State);
    int32_t Last = -1;
    for (Instruction &I : B) {
      if (OfLines && I.bci() >= 0 && I.advice() < 0 && I.bci() != Last &&
          I.op() != irop::FallThrough) {
        Last = I.bci();
        if (Places.beginsLine(I))
          add({&I, AdviceKind::Line, nullptr, false, /*Behind=*/false}, List,
              State);
      }
      for (const SiteOpcode &Row : rowsOf(I))
        if (std::optional<FoundSite> S = siteAt(I, Row))
          add(std::move(*S), List, State);
      State.step(I);
    }
  }
  if (Places.counts()) {
    for (FoundSite &S : Sites)
      llvm::erase_if(S.Advices,
                     [&](unsigned N) { return !Places.isMeant(N, *S.I); });
    llvm::erase_if(Sites, [](const FoundSite &S) { return S.Advices.empty(); });
  }
  P.prepareThis(List);
}

//===----------------------------------------------------------------------===//
// What there will be
//===----------------------------------------------------------------------===//

/// An advice at \p I can be given its operand or result \p V. A copy that a
/// branch lies between and its `new`, or the start of a constructor, keeps the
/// type of an object that is not initialised: `new A(b ? c : d)`. It is one
/// where a constructor has returned, which for a value of this block is in it.
static bool isGivable(const Value *V, const Instruction &I) {
  if (!V->type().isReference() || V->type().isInitialized())
    return true;
  for (auto At = I.getIterator(); At != I.block()->begin();)
    if ((--At)->isInit() && At->operand(0)->type() == V->type())
      return true;
  return false;
}

/// Keeps what is in the field that \p S writes in Slot.
void SitePlacer::readOld(FoundSite &S) {
  Instruction &Put = *S.I;
  const Type Ty = F.types().fromDescriptor(S.Descriptor);
  std::optional<unsigned> &OfWidth = Ty.isCategory2() ? OldPair : OldSlot;
  if (!OfWidth)
    OfWidth = F.addSlot(Ty.slots());
  Slot = OfWidth;
  Builder B(F, &Put);
  B.setAdvice(int32_t(S.Advices.front()));
  if (Put.opcode() == op::PUTSTATIC) {
    B.set(*Slot, B.getStatic(S.Owner, S.Name, S.Descriptor));
    return;
  }
  B.set(*Slot, B.zero(Ty));
  if (!isGivable(Put.operand(0), Put))
    return;
  Value *Object = Put.operand(0);
  BlockCut Cut(&Put);
  Block *Then = Cut.addThen();
  Object->setKeep(false);
  B.setEnd(Cut.Before);
  B.jumpIfNull(Object, Cut.After, Then);
  B.setPoint(Then->terminator());
  Instruction *Get =
      B.make(irop::FieldAccess, op::GETFIELD, Ty, {Cut.get(B, Object)});
  Get->setIndex(Put.index());
  B.set(*Slot, Get);
  Cut.close();
  llvm::SmallVector<Type, 16> Frame(S.Slots);
  dropPinnedLocals(Frame, F);
  declareSlot(Frame, *Slot, Ty);
  F.setFrame(Cut.After, Frame);
}

SiteValues SitePlacer::valuesAt(const FoundSite &S, bool Behind) {
  SiteValues V;
  V.HasThis = S.HasThis;
  if (P.names(S.Advices, DataItem::LineNumber))
    V.give(DataItem::LineNumber, int32_t(Places.lineOf(*S.I)));
  if (S.I->op() == irop::FieldAccess && S.Row) {
    V.give(DataItem::FieldOwner, S.Owner);
    V.give(DataItem::FieldName, S.Name);
  } else if (!S.Owner.empty()) {
    V.give(DataItem::TypeName, S.Owner);
    if (!S.Name.empty())
      V.give(DataItem::CalledMethod, S.Name);
  } else if (!S.Name.empty()) {
    V.give(DataItem::VariableName, S.Name);
  }
  if (Slot && S.Kind == AdviceKind::Loop)
    V.giveSlot(DataItem::Count, *Slot, Type::Int);
  else if (Slot)
    V.giveSlot(DataItem::OldValue, *Slot,
               F.types().fromDescriptor(S.Descriptor), {}, S.Descriptor);
  auto Give = [&](DataItem D, Value *Given) {
    if (isGivable(Given, *S.I))
      V.give(D, Given, {}, D == DataItem::ValueItem ? S.Descriptor : "");
  };
  if (!S.Row)
    return V;
  if (isConstruction(*S.I)) {
    Give(DataItem::Object, S.I);
    return V;
  }
  for (auto [D, Operand] : llvm::zip(S.Row->Operands, S.I->operands()))
    Give(D, Operand);
  if (Behind)
    for (DataItem D : S.Row->Result)
      Give(D, S.I);
  return V;
}

/// Counts in Slot the iterations of the loop \p S.
void SitePlacer::countTurns(FoundSite &S) {
  const auto N = int32_t(S.Advices.front());
  Builder B(F, P.prologue(S.Advices.front()).terminator());
  B.setAdvice(N);
  Slot = F.addPinnedLocal(Type::Int);
  auto Reset = [&](Instruction *Before) {
    Builder At(F, Before);
    At.setAdvice(N);
    At.set(*Slot, At.constant(0));
  };
  Reset(P.prologue(S.Advices.front()).terminator());
  for (Instruction *T : S.Entries) {
    if (T->op() != irop::If && llvm::all_equal(T->successors())) {
      Reset(T);
      continue;
    }
    const bool Jumps = T->op() != irop::If || T->successors()[0] == S.Head;
    const bool Falls = T->op() == irop::If && T->successors()[1] == S.Head;
    if (Jumps)
      Reset(cutEdge(*T, *S.Head, false)->terminator());
    if (Falls)
      Reset(cutEdge(*T, *S.Head, true)->terminator());
  }
}

/// The value of the variable of \p Inc behind it, for advice \p N.
Value *SitePlacer::incremented(const Instruction &Inc, Instruction *Before,
                               unsigned N, bool Behind) {
  Builder B(F, Before);
  B.setAdvice(int32_t(N));
  Value *Now = B.get(Inc.index(), Type::Int);
  return Behind ? Now
                : B.make(irop::Plain, op::IADD, Type::Int,
                         {Now, B.constant(Inc.imm())});
}

/// The advices \p List of \p S in front of \p Before, which is \p Behind it.
void SitePlacer::emitAt(FoundSite &S, Instruction *Before,
                        llvm::ArrayRef<unsigned> List, bool Behind) {
  const SiteValues V = valuesAt(S, Behind);
  for (unsigned N : List) {
    if (S.I->op() != irop::LocalInc || !P.names(N, DataItem::ValueItem)) {
      P.emit(Before, N, V);
      continue;
    }
    SiteValues WithValue = V;
    WithValue.give(DataItem::ValueItem, incremented(*S.I, Before, N, Behind),
                   {}, S.Descriptor);
    P.emit(Before, N, WithValue);
  }
}

/// Gives the lock back if \p Code, the advices in front of the monitorexit
/// \p S, throws; the exception leaves then.
void SitePlacer::giveBack(Block *Code, const FoundSite &S) {
  const auto *In = llvm::dyn_cast<Parameter>(S.I->operand(0));
  if (!In || !In->type().isInitialized())
    return;
  const size_t Number = size_t(llvm::find(S.I->block()->parameters(), In) -
                               S.I->block()->parameters().begin());
  Value *Lock = Code->exitValues()[Number];
  if (!LockSlot)
    LockSlot = F.addSlot(1);
  llvm::SmallVector<Type, 16> Frame(S.Slots);
  dropPinnedLocals(Frame, F);
  declareSlot(Frame, *LockSlot, In->type());
  Block *Handler = addCatchAll(F, Frame);
  Handler->setThrowEdges(Code->throwEdges());
  Builder B(F);
  B.setAdvice(int32_t(S.Advices.front()));
  B.setEnd(Handler);
  B.make(irop::Plain, op::MONITOREXIT, Type::Void,
         {B.get(*LockSlot, In->type())});
  B.raise(Handler->parameters()[0]);
  F.setExitValues(Handler, {});
  // In front of it, so that the handler's frame may have it.
  Block *Covered = F.split(Code, Code->begin());
  Lock->setKeep(false);
  B.setPoint(Code->terminator());
  B.set(*LockSlot, Lock);
  wrapInTry(Covered, Handler, Code->throwEdges(),
            F.tries().empty() ? nullptr : F.tries().front());
}

/// The same as emitAt; where a handler that leads there covers it, as javac has
/// those of `finally` and `synchronized` cover their own beginning, in a block
/// that it does not cover: what is thrown there each time would come back for
/// ever. What is thrown where such a handler begins is what it has caught then.
void SitePlacer::placeAt(FoundSite &S, Instruction *Before,
                         llvm::ArrayRef<unsigned> List, bool Behind) {
  Block *B = Before->block();
  const auto At = Before->getIterator();
  const ThrowEdge *Others = withoutOwn(F, *B, !Behind && At == B->begin());
  Instruction *Last = At == B->begin() ? nullptr : &*std::prev(At);
  emitAt(S, Before, List, Behind);
  if (Others == B->throwEdges())
    return;
  Block *Code =
      startBlock(Last ? &*std::next(Last->getIterator()) : &*B->begin());
  Block *Rest = F.split(Code, Before->getIterator());
  Code->setThrowEdges(Others);
  if (S.Kind == AdviceKind::MonitorExit && !Behind)
    giveBack(Code, S);
  else if (!Behind)
    SelfCoveringHandler::goOn(F, Code, Rest, Others);
}

void SitePlacer::place(FoundSite &S) {
  const AdviceKind K = S.Kind;
  ++NumSites;
  Slot.reset();
  if (P.names(S.Advices, DataItem::OldValue))
    readOld(S);
  if (P.names(S.Advices, DataItem::Count))
    countTurns(S);
  if (!S.Row) {
    SelfCoveringHandler Own(F, S.I);
    Instruction *Before = P.cutBefore(S.I);
    placeAt(S, Before, S.Advices, false);
    if (Before != S.I)
      Own.close(Before);
    if (Slot) {
      Builder B(F, Before);
      B.setAdvice(int32_t(S.Advices.front()));
      Instruction *Inc = B.make(irop::LocalInc, op::IINC, Type::Void);
      Inc->setIndex(*Slot);
      Inc->setImm(1);
    }
    return;
  }
  auto FirstBehind = std::stable_partition(
      S.Advices.begin(), S.Advices.end(),
      [&](unsigned N) { return !P.Set.Advices[N].Site.isBehind(K); });
  if (FirstBehind != S.Advices.begin())
    placeAt(S, S.I, {S.Advices.begin(), FirstBehind}, false);
  if (FirstBehind == S.Advices.end())
    return;
  auto At = S.I->getIterator();
  Instruction *Next = &*std::next(At);
  const llvm::ArrayRef<unsigned> Behind(FirstBehind, S.Advices.end());
  if (Next->op() != irop::FallThrough || !hasMonitors(*S.I)) {
    placeAt(S, Next, Behind, true);
  } else {
    emitAt(S, Next, Behind, true);
    // Code placed in front of the next line may be outside of its ranges.
    const Block *To = Next->successors()[0];
    while (To->terminator()->op() == irop::FallThrough &&
           llvm::none_of(To->instructions(), isFromCode))
      To = To->terminator()->successors()[0];
    F.split(S.I->block(), std::next(At))->setThrowEdges(To->throwEdges());
  }
}

llvm::Expected<bool> SitePlacer::run() {
  collect();
  if (DeclaredSlots <= MaxDeclaredSlots)
    for (FoundSite &S : Sites)
      place(S);
  if (llvm::Error E = P.finish())
    return E;
  return !Sites.empty();
}

bool PlaceSitesPass::begin(PassContext &C) const {
  auto &Advices = C.get<ClassAdvices>();
  if (!(Advices.kinds() & SiteKinds) || !Advices.maySelect())
    return false;
  if (C.classFile().Original.empty())
    materializeBytecode(C, needsOriginalCode(Advices.set()));
  if (Advices.has(AdviceKind::Line))
    C.makeAnchors();
  return true;
}

bool PlaceSitesPass::wants(const Method &M, PassContext &C) const {
  auto &Advices = C.get<ClassAdvices>();
  std::bitset<NumAdviceKinds> Kinds;
  for (unsigned N : Advices.advicesFor(M))
    if (AdviceKind K = Advices.set().Advices[N].Kind; isSiteKind(K))
      Kinds.set(unsigned(K));
  if (Kinds.none())
    return false;
  if (Kinds.test(unsigned(AdviceKind::Line)) ||
      Kinds.test(unsigned(AdviceKind::Loop)))
    return true;
  Bytes Code = M.code(C.classFile().Pool);
  if (Code.empty())
    return M.IR != nullptr; // parsed from text: its Body tells
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size(); At = I.end()) {
    if (!decodeInst(Code, At, I))
      return true; // whoever lifts it says what is wrong
    for (const SiteOpcode &Row : findSiteOpcodes(I.info().Canonical))
      if (Kinds.test(unsigned(Row.Kind)) &&
          passes(Row.Test, C.classFile(), I.Index))
        return true;
  }
  return false;
}

llvm::Expected<PreservedAnalyses> PlaceSitesPass::run(Body &F,
                                                      PassContext &C) const {
  auto Placed = SitePlacer(F, C).run();
  if (!Placed)
    return Placed.takeError();
  return PreservedAnalyses::changedIf(*Placed);
}
