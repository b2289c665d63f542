//===- DuplicateFinally.cpp - Exit advices on every way out ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exit advices are the body of a `finally` around the method: a copy before
/// each return, and one in a handler for what leaves it by an exception. Every
/// copy is cut out into blocks of its own, so that exceptions of an advice
/// reach the handlers they should and no others; between blocks that only fall
/// through, no code is made.
///
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_DuplicateFinally
#include "jopt/Passes/Passes.inc"

namespace {

/// Places the exit advices of one method.
class ExitPlacer {
public:
  ExitPlacer(Body &F, PassContext &C)
      : P(F, C), F(F), Exits(P.advices(AdviceKind::Exit)) {}

  llvm::Error run();

private:
  void placeAtReturns();
  void cutReturn(Instruction *Return);
  void cutCall(Instruction *Call);
  void placeThrows();
  bool mayLeave(llvm::ArrayRef<Block *> Blocks) const;
  void addHandler(llvm::ArrayRef<Block *> Covered, bool BeforeSuper);
  void emitThrow(Block *H, bool BeforeSuper);
  bool isForThrow(unsigned N, bool BeforeSuper) const;
  void emitReturn(Instruction *Return, const ThrowEdge *Original);

  bool isCovered(const Block &B) const {
    return B.id() >= Uncovered.size() || !Uncovered[B.id()];
  }
  void setUncovered(const Block &B) {
    if (B.id() >= Uncovered.size())
      Uncovered.resize(F.numBlocks());
    Uncovered.set(B.id());
  }

  Placement P;
  Body &F;
  const llvm::SmallVector<unsigned, 4> Exits;
  /// A constructor whose call of super() no handler may cover.
  bool CutsCalls = false;
  /// A return may fail, as the method does monitors of its own; it stays in
  /// the ranges it was in.
  bool ReturnsThrow = false;
  /// By Block::id(): not in the range of the exit handlers.
  llvm::BitVector Uncovered;
};

} // namespace

/// Exceptions may come out of \p I. Those of a return (broken monitors) find
/// their exit advices done.
static bool mayThrow(const Instruction &I) {
  if (I.op() == irop::Advice)
    return true;
  if (I.op() == irop::Raw)
    return I.raw().MayThrow;
  if (I.info().NoCode || I.op() == irop::Drop || I.op() == irop::Return)
    return false;
  return I.opcodeInfo().MayThrow;
}

/// Puts the advices before \p Return, whose block has been cut out for them:
/// outside of all ranges or, where an advice asks for it, with the handlers of
/// the place, \p Original.
void ExitPlacer::emitReturn(Instruction *Return, const ThrowEdge *Original) {
  for (unsigned N : Exits) {
    const Advice &A = P.Set.Advices[N];
    if (A.Way == ExitWay::Exception)
      continue;
    const ThrowEdge *Edges = A.Range == RangePlace::Inside ? Original : nullptr;
    Block *B = Return->block();
    if (B->throwEdges() != Edges && B->begin() != Return->getIterator())
      B = F.split(B, Return->getIterator());
    B->setThrowEdges(Edges);
    // An exit advice does not run again because an exit advice failed.
    setUncovered(*B);
    SiteValues S;
    S.HasThis = !P.Static;
    const bool Returns = !Return->operands().empty();
    if (Returns) {
      S.give(DataItem::ReturnedObject, Return->operand(0));
      S.ReturnType = returnDescriptor(F.classFile().descriptor(F.method()));
    }
    Instruction *I = P.emit(Return, N, S);
    if (A.Result == ResultUse::ReplaceValue && Returns)
      Return->operands()[0] = I;
    ++NumExits;
  }
}

/// Loading \p I takes one byte of code.
static bool isShortLoad(const Instruction &I) {
  if (I.op() == irop::LocalGet)
    return I.index() < 4;
  return I.opcode() <= op::DCONST_1;
}

/// Cuts the exit site in front of \p Return out of its block.
void ExitPlacer::cutReturn(Instruction *Return) {
  Block *B = Return->block();
  const ThrowEdge *Original = B->throwEdges();
  auto At = Return->getIterator();
  if (!Return->operands().empty() && At != B->begin()) {
    // A value that is only loaded to be returned is loaded behind the advices.
    Instruction &V = *std::prev(At);
    if (Return->operand(0) == &V && V.isPure() && B->countUses(&V) == 1) {
      --At;
      bool Taken = P.names(Exits, DataItem::ReturnedObject);
      V.setFloating(!Taken || isShortLoad(V));
    }
  }
  startBlock(&*At);
  emitReturn(Return, Original);
  if (Original != Return->block()->throwEdges() && ReturnsThrow) {
    Block *Last = F.split(Return->block(), Return->getIterator());
    Last->setThrowEdges(Original);
    setUncovered(*Last);
  }
}

void ExitPlacer::placeAtReturns() {
  llvm::SmallVector<Instruction *, 8> Returns;
  for (Block &B : F.blocks()) {
    Instruction *T = B.terminator();
    if (T->op() == irop::Return && T->advice() < 0)
      Returns.push_back(T);
    for (const Instruction &I : B)
      ReturnsThrow |=
          I.op() == irop::Raw
              ? I.raw().HasMonitors
              : I.op() == irop::Plain && I.opcodeInfo().Cat == op::CatMonitor;
  }
  for (Instruction *T : Returns)
    cutReturn(T);
}

/// Cuts a call of super() or this() out of the ranges.
void ExitPlacer::cutCall(Instruction *Call) {
  Block *B = startBlock(Call);
  setUncovered(*B);
  F.split(B, behindSuperCall(Call));
}

/// An exception may come out of one of \p Blocks; if not by an instruction,
/// then from outside (Thread.stop) in a loop.
bool ExitPlacer::mayLeave(llvm::ArrayRef<Block *> Blocks) const {
  llvm::BitVector Passed(F.numBlocks()); // by Block::id()
  for (const Block *B : Blocks) {
    Passed.set(B->id());
    for (const Instruction &I : B->instructions())
      if (mayThrow(I))
        return true;
    for (const Block *S : B->terminator()->successors())
      if (Passed[S->id()])
        return true;
  }
  return false;
}

/// Advice \p N is for exceptions that leave the method, or those that do so
/// before super() is called. There is nothing to return there yet.
bool ExitPlacer::isForThrow(unsigned N, bool BeforeSuper) const {
  const Advice &A = P.Set.Advices[N];
  return A.Way != ExitWay::Return &&
         !(BeforeSuper && (A.Constructor == ConstructorPlace::AfterSuper ||
                           A.Result == ResultUse::Return));
}

/// Puts the advices into the handler \p H. Where one has the method return,
/// those that run behind it see that.
void ExitPlacer::emitThrow(Block *H, bool BeforeSuper) {
  SiteValues S;
  S.give(DataItem::ExceptionObject, H->parameters()[0]);
  S.HasThis = !P.Static && !P.This.Constructor;
  S.HasReceiver = !P.Static && !BeforeSuper;
  bool Returns = false;
  for (unsigned N : Exits) {
    const Advice &A = P.Set.Advices[N];
    if (Returns ? A.Way == ExitWay::Exception : !isForThrow(N, BeforeSuper))
      continue;
    Instruction *T = H->terminator();
    if (A.Result == ResultUse::Return) {
      S.ReturnType = returnDescriptor(F.classFile().descriptor(F.method()));
      Instruction *I = P.emit(T, N, S);
      F.erase(T);
      Builder B(F);
      B.setEnd(H);
      B.setAdvice(int32_t(N));
      makeReturn(B, I->type().isVoid() ? nullptr : I);
      S = SiteValues();
      S.HasThis = !P.Static;
      S.ReturnType = returnDescriptor(F.classFile().descriptor(F.method()));
      if (!I->type().isVoid())
        S.give(DataItem::ReturnedObject, I);
      Returns = true;
    } else {
      Instruction *I = P.emit(T, N, S);
      if (A.Result == ResultUse::ReplaceValue && Returns &&
          !T->operands().empty())
        T->operands()[0] = I;
    }
    ++NumThrows;
  }
}

/// A handler for what leaves the method out of \p Covered.
void ExitPlacer::addHandler(llvm::ArrayRef<Block *> Covered, bool BeforeSuper) {
  if (llvm::none_of(Exits,
                    [&](unsigned N) { return isForThrow(N, BeforeSuper); }) ||
      !mayLeave(Covered))
    return;
  // Only what the handler reads is declared, so no hierarchy is asked. Before
  // super() every frame must say that `this` is not initialised.
  llvm::SmallVector<Type, 1> Slots;
  if (BeforeSuper)
    Slots.push_back(Type::UninitThis);
  else if (!P.Static && P.thisSlot() == 0 &&
           (P.This.Constructor ? P.names(Exits, DataItem::Receiver)
                               : P.namesThis(Exits)))
    Slots.push_back(F.types().ref(F.classFile().name()));
  Block *H = addCatchAll(F, Slots);
  Builder B(F);
  B.setEnd(H);
  B.raise(H->parameters()[0]);
  emitThrow(H, BeforeSuper);
  F.addFinalHandler(H, Covered);
}

void ExitPlacer::placeThrows() {
  llvm::SmallVector<Block *, 32> Before, After;
  // Blocks that were cut off a block are as it was, but for what follows a
  // call of super(): the block of the call itself is the border.
  bool Uninit = P.This.Constructor;
  // Code for advices in front of the first original instruction is outside, but
  // for those of a call, which count as part of the code.
  auto IsInside = [&](const Instruction &I) {
    return isOriginal(I) ||
           (I.advice() >= 0 &&
            isCallKind(P.Set.Advices[unsigned(I.advice())].Kind));
  };
  bool Begun = false;
  for (Block &B : F.blocks()) {
    if (B.id() < P.This.Uninitialized.size())
      Uninit = P.This.Uninitialized[B.id()];
    Begun = Begun || llvm::any_of(B, IsInside);
    if (Begun && isCovered(B)) {
      if (!CutsCalls || !Uninit)
        After.push_back(&B);
      else if (llvm::any_of(B, mayThrow))
        Before.push_back(&B);
    }
    if (Uninit && llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
  if (!Before.empty())
    addHandler(Before, true);
  addHandler(After, false);
}

llvm::Error ExitPlacer::run() {
  auto Calls = P.superCalls();
  CutsCalls = P.This.Constructor && !F.Inferred && F.classFile().hasFrames();
  if (CutsCalls && P.This.Lost)
    return makeError("slot 0 loses `this` before super() is called: no handler "
                     "can be declared there");
  // A handler over the call of super() cannot tell what slot 0 holds.
  P.prepareThis(Exits, P.This.Constructor && !CutsCalls &&
                           P.names(Exits, DataItem::Receiver));
  placeAtReturns();
  if (CutsCalls)
    for (Instruction *Call : Calls)
      cutCall(Call);
  placeThrows();
  ++NumMethods;
  if (llvm::Error E = P.finish())
    return E;
  if (CutsCalls && !Calls.empty()) {
    ReportRow Row;
    Row.What = ReportRow::NoSuperExit;
    P.C.remark(F.method(), "exceptions out of super() or this() give no exit");
    P.C.report(F.method(), std::move(Row));
  }
  return llvm::Error::success();
}

bool DuplicateFinallyPass::begin(PassContext &C) const {
  return hasAdviceOf(AdviceKind::Exit, C);
}

bool DuplicateFinallyPass::wants(const Method &M, PassContext &C) const {
  return hasAdviceOf(AdviceKind::Exit, M, C);
}

llvm::Expected<PreservedAnalyses>
DuplicateFinallyPass::run(Body &B, PassContext &C) const {
  if (llvm::Error E = ExitPlacer(B, C).run())
    return E;
  // Of blocks that were there, that is: it is the original code's state.
  return PreservedAnalyses::none().preserve<ThisState>();
}
