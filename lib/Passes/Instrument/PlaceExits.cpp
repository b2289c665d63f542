//===- PlaceExits.cpp - Exit advices on every way out ---------------------===//
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

#include "../AdviceCode/Outline.h"
#include "../Sites/PatchSites.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_PlaceExits
#include "jopt/Passes/Passes.inc"

namespace {

/// The part of a constructor in which something is thrown. Where no exit advice
/// makes a difference, and in other methods, all is Behind.
enum Part : uint8_t { Behind, BeforeSuper };

/// Exit advices that see the same exceptions: those of a probe that nests, or
/// all others. What inner layers throw, outer ones see.
struct Layer {
  llvm::ArrayRef<unsigned> Advices;
  /// Their handlers, by part, and what is in their ranges only; null until
  /// something is.
  Block *Handlers[2] = {};
  const ThrowEdge *Edges[2] = {};
};

/// Places the exit advices of one method.
class ExitPlacer {
public:
  ExitPlacer(Body &F, PassContext &C)
      : P(F, C), F(F), Plan(C.get<Snippets>().plan(F.method())),
        Exits(Plan.at(AdviceKind::Exit)) {}

  llvm::Error run();

private:
  void makeLayers();
  void placeAtReturns();
  void cutReturn(Instruction *Return);
  void cutCall(Instruction *Call);
  void placeThrows();
  void coverEntries();
  bool mayLeave(llvm::ArrayRef<Block *> Blocks) const;
  size_t findLayer(size_t From, Part Where) const;
  Block *handler(size_t L, Part Where);
  const ThrowEdge *edges(size_t From, Part Where);
  const ThrowEdge *outside(size_t L, unsigned N, Part Where);
  void cover(llvm::ArrayRef<Block *> Blocks, Part Where);
  void emitThrow(size_t L, Part Where);
  bool isForThrow(unsigned N, Part Where) const;
  void emitReturn(Instruction *Return, size_t L,
                  llvm::ArrayRef<unsigned> Advices, const ThrowEdge *Original);
  void emitReturns(Instruction *Return, size_t From, const ThrowEdge *Original);

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
  const AdvicePlan &Plan;
  llvm::SmallVector<unsigned, 4> Exits;
  llvm::SmallVector<Layer, 2> Layers; ///< from the inner to the outer
  /// A constructor whose call of super() no handler may cover.
  bool CutsCalls = false;
  /// A constructor with different handlers in front of that call and behind it.
  bool SplitsAtSuper = false;
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

bool jopt::hasMonitors(const Instruction &I) {
  if (I.op() == irop::Raw)
    return I.raw().HasMonitors;
  return I.op() == irop::Plain && I.opcodeInfo().Cat == op::CatMonitor;
}

/// Makes the layers of Exits. In a constructor, exits of probes that begin
/// behind super() are within the others.
void ExitPlacer::makeLayers() {
  auto Nests = [&](unsigned N) {
    return P.Set.Probes[P.Set.Advices[N].Probe].Nests;
  };
  if (P.This.Constructor)
    std::stable_partition(Exits.begin(), Exits.end(), [&](unsigned N) {
      return Nests(N) &&
             P.Set.Advices[N].Constructor == ConstructorPlace::AfterSuper;
    });
  llvm::ArrayRef<unsigned> Rest = Exits;
  while (!Rest.empty()) {
    auto IsOther = [&](unsigned N) {
      return Nests(N) != Nests(Rest.front()) ||
             (Nests(N) &&
              P.Set.Advices[N].Probe != P.Set.Advices[Rest.front()].Probe);
    };
    auto Own = Rest.take_until(IsOther);
    Layers.push_back({Own});
    Rest = Rest.drop_front(Own.size());
  }
}

/// The first layer from \p From on that sees exceptions.
size_t ExitPlacer::findLayer(size_t From, Part Where) const {
  while (From < Layers.size() &&
         llvm::none_of(
             Layers[From].Advices,
             [&](unsigned N) { return isForThrow(N, Where); }))
    ++From;
  return From;
}

/// The handler of layer \p L, made where it is not there, as are those of outer
/// layers; emitThrow fills it.
Block *ExitPlacer::handler(size_t L, Part Where) {
  Block *&H = Layers[L].Handlers[Where];
  if (H)
    return H;
  // Only what the handler reads is declared, so no hierarchy is asked. Before
  // super() every frame must say that `this` is not initialised.
  llvm::SmallVector<Type, 1> Slots;
  if (Where == BeforeSuper)
    Slots.push_back(Type::UninitThis);
  else if (!P.Static && P.thisSlot() == 0 &&
           Plan.readsThisInHandler(P.This.Constructor))
    Slots.push_back(F.types().ref(F.classFile().name()));
  // It goes on in the next one, which stands behind it.
  size_t Outer = findLayer(L + 1, Where);
  Block *Next = Outer < Layers.size() ? handler(Outer, Where) : nullptr;
  H = addCatchAll(F, Slots, Next);
  setUncovered(*H);
  return H;
}

/// The edges by which the layers from \p From on see an exception, and nothing
/// else does.
const ThrowEdge *ExitPlacer::edges(size_t From, Part Where) {
  size_t L = findLayer(From, Where);
  if (L == Layers.size())
    return nullptr;
  const ThrowEdge *&E = Layers[L].Edges[Where];
  if (!E)
    E = F.withTry(nullptr, F.addTry(handler(L, Where), 0));
  return E;
}

/// The edges by which layers see an exception of advice \p N, of layer \p L.
const ThrowEdge *ExitPlacer::outside(size_t L, unsigned N, Part Where) {
  return P.Set.Advices[N].Exceptions == AdviceExceptions::Isolate
             ? nullptr
             : edges(L + 1, Where);
}

/// Puts \p Advices, of layer \p L, before \p Return, whose block has been cut
/// out for them: outside of all ranges of the method or, where an advice asks
/// for it, with the handlers of the place, \p Original.
void ExitPlacer::emitReturn(Instruction *Return, size_t L,
                            llvm::ArrayRef<unsigned> Advices,
                            const ThrowEdge *Original) {
  for (unsigned N : Advices) {
    const Advice &A = P.Set.Advices[N];
    if (A.Way == ExitWay::Exception)
      continue;
    const ThrowEdge *Edges =
        A.Range == RangePlace::Inside ? Original : outside(L, N, Behind);
    Block *B = Return->block();
    if (B->throwEdges() != Edges && B->begin() != Return->getIterator())
      B = F.split(B, Return->getIterator());
    B->setThrowEdges(Edges);
    // An exit advice does not run again because an exit advice failed.
    setUncovered(*B);
    SiteValues S;
    S.HasThis = !P.Static;
    const bool Returns = !Return->operands().empty();
    if (Returns)
      S.giveReturned(Return->operand(0),
                     returnDescriptor(F.classFile().descriptor(F.method())));
    Instruction *I = P.emit(Return, N, S);
    if (A.Result == ResultUse::ReplaceValue && Returns)
      Return->operands()[0] = I;
    ++NumExits;
  }
}

/// The same for all layers from \p From on.
void ExitPlacer::emitReturns(Instruction *Return, size_t From,
                             const ThrowEdge *Original) {
  for (size_t L = From; L < Layers.size(); ++L)
    emitReturn(Return, L, Layers[L].Advices, Original);
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
  emitReturns(Return, 0, Original);
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
      ReturnsThrow |= hasMonitors(I);
  }
  for (Instruction *T : Returns)
    cutReturn(T);
}

/// Makes a call of super() or this() the border between the parts; where no
/// handler may cover it, it is in none.
void ExitPlacer::cutCall(Instruction *Call) {
  Block *B = Call->block();
  if (CutsCalls) {
    B = startBlock(Call);
    setUncovered(*B);
  }
  F.split(B, behindSuperCall(Call));
}

/// An exception may come out of one of \p Blocks; if not by an instruction,
/// then from outside (Thread.stop) in a loop.
bool ExitPlacer::mayLeave(llvm::ArrayRef<Block *> Blocks) const {
  llvm::BitVector Passed(F.numBlocks()); // by Block::id()
  for (const Block *B : Blocks) {
    Passed.set(B->id());
    if (llvm::any_of(B->instructions(), mayThrow))
      return true;
    for (const Block *S : B->terminator()->successors())
      if (Passed[S->id()])
        return true;
  }
  return false;
}

/// Advice \p N is for exceptions that leave that part of the method. Before
/// super() there is nothing to return yet.
bool ExitPlacer::isForThrow(unsigned N, Part Where) const {
  const Advice &A = P.Set.Advices[N];
  return A.Way != ExitWay::Return &&
         !(Where == BeforeSuper &&
           (A.Constructor == ConstructorPlace::AfterSuper ||
            A.Result == ResultUse::Return));
}

/// Puts the advices of layer \p L into its handler. Where one has the method
/// return, those that run behind it, of outer layers too, see that; of the
/// probe itself none is left to.
void ExitPlacer::emitThrow(size_t L, Part Where) {
  const Layer &Own = Layers[L];
  Block *H = Own.Handlers[Where];
  Value *Thrown = H->parameters()[0];
  Builder B(F);
  B.setEnd(H);
  B.raise(Thrown);
  SiteValues S;
  S.giveThrown(Thrown, P.Static, P.This.Constructor, Where == Behind);
  for (size_t K = 0; K < Own.Advices.size(); ++K) {
    const unsigned N = Own.Advices[K];
    if (!isForThrow(N, Where))
      continue;
    const Advice &A = P.Set.Advices[N];
    if (const ThrowEdge *Edges = outside(L, N, Where))
      H->setThrowEdges(Edges);
    const bool Returns = A.Result == ResultUse::Return;
    if (Returns)
      S.ReturnType = returnDescriptor(F.classFile().descriptor(F.method()));
    Instruction *I = P.emit(H->terminator(), N, S);
    ++NumThrows;
    if (!Returns)
      continue;
    F.erase(H->terminator());
    B.setEnd(H);
    B.setAdvice(int32_t(N));
    makeReturn(B, I->type().isVoid() ? nullptr : I);
    Instruction *Return = H->terminator();
    if (!P.Set.Probes[A.Probe].Nests)
      emitReturn(Return, L, Own.Advices.drop_front(K + 1), nullptr);
    emitReturns(Return, L + 1, nullptr);
    return;
  }
  size_t Outer = findLayer(L + 1, Where);
  if (Outer == Layers.size())
    return;
  // On to the next, which stands right behind.
  Block *Next = handler(Outer, Where);
  F.erase(H->terminator());
  B.setEnd(H);
  B.setAdvice(int32_t(Own.Advices.back()));
  B.fallThrough(Next);
  F.setExitValues(H, {Thrown});
}

/// Has the innermost layer that sees exceptions see those of \p Blocks.
void ExitPlacer::cover(llvm::ArrayRef<Block *> Blocks, Part Where) {
  size_t L = findLayer(0, Where);
  if (L < Layers.size() && mayLeave(Blocks))
    F.addFinalHandler(handler(L, Where), Blocks);
}

/// Makes the handlers that see what entry advices throw; place-entries finds
/// them.
void ExitPlacer::coverEntries() {
  if (llvm::none_of(Layers, [&](const Layer &L) {
        return P.Set.Probes[P.Set.Advices[L.Advices.front()].Probe].Nests;
      }))
    return; // none is around another probe
  for (unsigned N : P.advices(AdviceKind::Entry)) {
    const Advice &A = P.Set.Advices[N];
    size_t L = 0;
    while (L < Layers.size() && !P.isAround(Layers[L].Advices.front(), N))
      ++L;
    if (A.Exceptions != AdviceExceptions::Isolate)
      edges(L, SplitsAtSuper && A.Constructor == ConstructorPlace::BeforeSuper
                   ? BeforeSuper
                   : Behind);
  }
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
      if (!SplitsAtSuper || !Uninit)
        After.push_back(&B);
      else if (llvm::any_of(B, mayThrow))
        Before.push_back(&B);
    }
    if (Uninit && llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
  cover(Before, BeforeSuper);
  cover(After, Behind);
  coverEntries();
  for (Part Where : {BeforeSuper, Behind})
    for (size_t L = 0; L < Layers.size(); ++L)
      if (Layers[L].Handlers[Where])
        emitThrow(L, Where);
}

llvm::Error ExitPlacer::run() {
  auto Calls = P.superCalls();
  CutsCalls = P.This.Constructor && !F.Inferred && F.classFile().hasFrames();
  SplitsAtSuper = P.splitsAtSuper(Exits);
  if (SplitsAtSuper && P.This.Lost)
    return makeError("slot 0 loses `this` before super() is called: no handler "
                     "can be declared there");
  // A handler over the call of super() cannot tell what slot 0 holds.
  P.prepareThis(Exits, P.This.Constructor && !SplitsAtSuper &&
                           P.names(Exits, DataItem::Receiver));
  makeLayers();
  placeAtReturns();
  if (SplitsAtSuper)
    for (Instruction *Call : Calls)
      cutCall(Call);
  placeThrows();
  ++NumMethods;
  if (llvm::Error E = P.finish())
    return E;
  if (CutsCalls && !Calls.empty())
    reportUncoveredSuper(P.C, F.method(), ReportRow::NoSuperExit);
  return llvm::Error::success();
}

bool PlaceExitsPass::begin(PassContext &C) const {
  return hasAdviceOf(AdviceKind::Exit, C);
}

llvm::Expected<PreservedAnalyses> PlaceExitsPass::run(Body &B,
                                                      PassContext &C) const {
  if (B.Patch) {
    auto Placed = patchExits(B, C);
    if (!Placed)
      return Placed.takeError();
    NumExits += Placed->first;
    NumThrows += Placed->second;
    ++NumMethods;
    return PreservedAnalyses::none();
  }
  if (llvm::Error E = ExitPlacer(B, C).run())
    return E;
  // Of blocks that were there, that is: it is the original code's state.
  return PreservedAnalyses::none().preserve<ThisState>();
}
