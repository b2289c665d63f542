//===- SimplifyCFG.cpp - Simplify control flow ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unreachable.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_SimplifyCFG
#include "jopt/Passes/Passes.inc"

/// Rounds over the blocks of a method; few need more than three.
static constexpr unsigned MostRounds = 8;
/// Bytes of a goto.
static constexpr unsigned GotoSize = 3;

static bool areEqual(const ThrowEdge *A, const ThrowEdge *B) {
  bool Equal = true;
  if (A != B)
    forEachChange(A, B, [&](TryEntry *, bool) { Equal = false; });
  return Equal;
}

static Block *nextOf(Block &B) {
  auto Next = std::next(B.getIterator());
  return Next == B.body().blocks().end() ? nullptr : &*Next;
}

/// \p B, on whose stack something may be, does nothing but go on to its
/// successor.
static bool isEmpty(Block &B) {
  Instruction *T = B.terminator();
  if (!T || &*B.begin() != T || B.isHandler() ||
      (T->op() != irop::Goto && T->op() != irop::FallThrough) ||
      T->successors()[0] == &B ||
      B.exitValues().size() != B.parameters().size())
    return false;
  return std::equal(B.exitValues().begin(), B.exitValues().end(),
                    B.parameters().begin());
}

/// The branch that is taken where \p Branch is not.
static Opcode inverseOf(Opcode Branch) {
  const Opcode First = Branch >= op::IFNULL ? op::IFNULL : op::IFEQ;
  return Opcode(First + ((Branch - First) ^ 1));
}

namespace {

class CFGSimplifier {
public:
  CFGSimplifier(Body &F, PassContext &C)
      : F(F), What(C.analysis<Effects>(F)), Lines(F, C) {}

  bool run();

private:
  bool removeUnreachable() {
    const unsigned Count = jopt::removeUnreachable(F, Lines);
    NumBlocks += Count;
    return Count;
  }
  void number();
  bool branches(Block &B);
  bool foldSame(Block &B);
  bool shrinkSwitch(Block &B);
  void makeBranch(Block &B, int32_t Key, Block *To, Block *Default);
  bool redirect(Block &B);
  Block *destination(Block &From, Block *To);
  bool mayPass(Block &From, Block &Over, Block &To) const;
  bool invert(Block &B);
  bool fallThrough(Block &B);
  bool copyReturn(Block &B);
  bool joinNext(Block &B);
  bool dropNops(Block &B);
  void replace(Block &B, Instruction *New);
  void sendTo(Instruction &T, size_t Successor, Block *To);

  Body &F;
  const Effects &What;
  LineKeeper Lines;
  std::vector<unsigned> Preds; ///< edges to a block, by Block::id()
  std::vector<unsigned> Order; ///< in the layout, by Block::id()
};

} // namespace

void CFGSimplifier::number() {
  Preds.assign(F.numBlocks(), 0);
  Order.assign(F.numBlocks(), 0);
  unsigned Number = 0;
  for (Block &B : F.blocks()) {
    Order[B.id()] = Number++;
    for (const Block *S : B.terminator()->successors())
      ++Preds[S->id()];
  }
  ++Preds[F.entry().id()];
}

void CFGSimplifier::sendTo(Instruction &T, size_t Successor, Block *To) {
  --Preds[T.successors()[Successor]->id()];
  ++Preds[To->id()];
  T.successors()[Successor] = To;
}

/// Puts \p New, whose successors are among those of the terminator, in its
/// place. The line of that stays where it is.
void CFGSimplifier::replace(Block &B, Instruction *New) {
  Instruction *Old = B.terminator();
  for (const Block *S : Old->successors())
    --Preds[S->id()];
  for (const Block *S : New->successors())
    ++Preds[S->id()];
  if (New->info().NoCode)
    Lines.erase(Old);
  else
    F.erase(Old);
  F.append(New, &B);
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

/// All ways of the terminator are one.
bool CFGSimplifier::foldSame(Block &B) {
  Instruction *T = B.terminator();
  if (T->successors().size() < 2 || !llvm::all_equal(T->successors()))
    return false;
  Block *To = T->successors()[0];
  const bool Falls = T->op() == irop::If;
  Instruction *New =
      F.create(Falls ? irop::FallThrough : irop::Goto,
               Falls ? op::NOP : op::GOTO, Type::Void, {}, T->bci());
  F.setSuccessors(New, To);
  New->setAdvice(T->advice());
  replace(B, New);
  ++NumFolded;
  return true;
}

/// A switch with the one case \p Key becomes a branch.
void CFGSimplifier::makeBranch(Block &B, int32_t Key, Block *To,
                               Block *Default) {
  Instruction *T = B.terminator();
  Block *Next = nextOf(B);
  const bool Inverse = To == Next;
  Block *Taken = Inverse ? Default : To, *Falls = Inverse ? To : Default;
  if (Falls != Next) {
    Falls = F.createBlock(Next);
    Falls->setThrowEdges(B.throwEdges());
    llvm::SmallVector<Type, 4> Types;
    for (const Value *V : B.exitValues())
      Types.push_back(B.typeAtEnd(V));
    F.setParameters(Falls, Types);
    F.setExitValues(Falls,
                    llvm::SmallVector<Value *, 4>(Falls->parameters().begin(),
                                                  Falls->parameters().end()));
    Instruction *Goto =
        F.create(irop::Goto, op::GOTO, Type::Void, {}, T->bci());
    F.setSuccessors(Goto, Default);
    F.append(Goto, Falls);
    Lines.add(*Goto);
    Preds.resize(F.numBlocks());
    Order.resize(F.numBlocks(), Order[B.id()]);
    ++Preds[Default->id()];
  }
  llvm::SmallVector<Value *, 2> Operands{T->operand(0)};
  Opcode Branch = op::IFEQ;
  if (Key) {
    Builder Make(F, T);
    Operands.push_back(Make.constant(Key));
    Branch = op::IF_ICMPEQ;
  }
  Instruction *New = F.create(irop::If, Inverse ? inverseOf(Branch) : Branch,
                              Type::Void, Operands, T->bci());
  New->setAdvice(T->advice());
  F.setSuccessors(New, {Taken, Falls});
  replace(B, New);
}

/// Bytes of a switch but for its padding.
static uint64_t tableSize(uint64_t Range) { return 13 + 4 * Range; }
static uint64_t lookupSize(uint64_t Cases) { return 9 + 8 * Cases; }

/// Drops cases that lead to the default.
bool CFGSimplifier::shrinkSwitch(Block &B) {
  Instruction *T = B.terminator();
  if (T->op() != irop::TableSwitch && T->op() != irop::LookupSwitch)
    return false;
  Block *Default = T->successors()[0];
  llvm::SmallVector<std::pair<int32_t, Block *>, 16> Cases;
  for (size_t N = 0; N < T->keys().size(); ++N)
    if (T->successors()[N + 1] != Default)
      Cases.push_back({T->keys()[N], T->successors()[N + 1]});
  const bool WasTable = T->op() == irop::TableSwitch;
  const uint64_t Old =
      WasTable ? tableSize(T->keys().size()) : lookupSize(T->keys().size());
  if (Cases.size() == 1) {
    makeBranch(B, Cases[0].first, Cases[0].second, Default);
    ++NumSwitches;
    return true;
  }
  if (Cases.empty())
    return false; // all ways are one
  const int64_t First = Cases.front().first, Last = Cases.back().first;
  const uint64_t Range = uint64_t(Last - First) + 1;
  const bool Table = tableSize(Range) <= lookupSize(Cases.size());
  if ((Table ? tableSize(Range) : lookupSize(Cases.size())) >= Old)
    return false;
  llvm::SmallVector<Block *, 16> Successors{Default};
  llvm::SmallVector<int32_t, 16> Keys;
  for (auto [Key, To] : Cases) {
    for (int64_t Gap = Keys.empty() ? Key : int64_t(Keys.back()) + 1;
         Table && Gap < Key; ++Gap) {
      Keys.push_back(int32_t(Gap));
      Successors.push_back(Default);
    }
    Keys.push_back(Key);
    Successors.push_back(To);
  }
  Instruction *New = F.create(Table ? irop::TableSwitch : irop::LookupSwitch,
                              Table ? op::TABLESWITCH : op::LOOKUPSWITCH,
                              Type::Void, T->operand(0), T->bci());
  New->setAdvice(T->advice());
  F.setSuccessors(New, Successors, Keys);
  replace(B, New);
  ++NumSwitches;
  return true;
}

/// The terminator of \p From may lead to \p To, to which \p Over alone goes on.
bool CFGSimplifier::mayPass(Block &From, Block &Over, Block &To) const {
  // A loop that begins with something on the stack is not compiled while it
  // runs.
  if (!To.parameters().empty() && Order[To.id()] <= Order[From.id()])
    return false;
  const Instruction &Goto = *Over.terminator();
  if (!Lines.isKept() || Goto.op() == irop::FallThrough)
    return true;
  const unsigned Line = Lines.lineOf(Goto);
  return !Line || Line == Lines.lineOf(*From.terminator()) ||
         Line == Lines.lineOf(*To.begin());
}

/// Where a branch of \p From to \p To arrives in the end.
Block *CFGSimplifier::destination(Block &From, Block *To) {
  constexpr unsigned MostSteps = 64; // it may never end
  Block *Now = To;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    if (!isEmpty(*Now))
      return Now;
    Block *Next = Now->terminator()->successors()[0];
    if (Next == To || !mayPass(From, *Now, *Next))
      return Now;
    if (!Next->hasFrame())
      F.setSharedFrame(Next, Now->locals());
    Now = Next;
  }
  return To;
}

bool CFGSimplifier::redirect(Block &B) {
  Instruction *T = B.terminator();
  size_t Count = T->successors().size();
  if (T->op() == irop::FallThrough || T->op() == irop::If)
    --Count; // what is next stays so
  bool Changed = false;
  for (size_t N = 0; N < Count; ++N) {
    Block *Old = T->successors()[N];
    Block *To = Old->hasFrame() ? destination(B, Old) : Old;
    if (To == Old)
      continue;
    sendTo(*T, N, To);
    ++NumRedirected;
    Changed = true;
  }
  return Changed;
}

/// A branch over a goto becomes a branch to where that leads.
bool CFGSimplifier::invert(Block &B) {
  Instruction *T = B.terminator();
  if (T->op() != irop::If)
    return false;
  Block *To = T->successors()[0], *Over = T->successors()[1];
  if (Preds[Over->id()] != 1 || !isEmpty(*Over) || nextOf(*Over) != To ||
      Over->terminator()->op() != irop::Goto)
    return false;
  const Instruction &Goto = *Over->terminator();
  Block *Taken = Goto.successors()[0];
  if (Lines.isKept() && Lines.lineOf(Goto) &&
      Lines.lineOf(Goto) != Lines.lineOf(*T))
    return false;
  Instruction *New = F.create(irop::If, inverseOf(T->opcode()), Type::Void,
                              T->operands(), T->bci());
  New->setAdvice(T->advice());
  F.setSuccessors(New, {Taken, To});
  replace(B, New);
  --Preds[Taken->id()];
  Lines.forget(Goto);
  F.erase(Over);
  ++NumInverted;
  return true;
}

/// A goto to the next block goes.
bool CFGSimplifier::fallThrough(Block &B) {
  Instruction *T = B.terminator();
  if (T->op() != irop::Goto || T->successors()[0] != nextOf(B))
    return false;
  Instruction *New =
      F.create(irop::FallThrough, op::NOP, Type::Void, {}, T->bci());
  F.setSuccessors(New, T->successors()[0]);
  replace(B, New);
  ++NumGotos;
  return true;
}

/// What \p R returns, which does nothing else, if that can stand anywhere: null
/// if nothing.
static std::optional<Instruction *> findReturned(Block &R) {
  Instruction *T = R.terminator();
  if (R.isHandler() || T->op() != irop::Return)
    return std::nullopt;
  Instruction *Made = nullptr;
  if (&*R.begin() != T) {
    Made = &*R.begin();
    const bool IsShort = Made->op() == irop::LocalGet
                             ? Made->index() < 256
                             : Made->op() == irop::Const &&
                                   !Made->opcodeInfo().PoolTags &&
                                   Made->opcodeInfo().Length < GotoSize;
    if (!IsShort || std::next(R.begin()) != T->getIterator() ||
        T->operands().size() != 1 || T->operand(0) != Made ||
        !R.parameters().empty())
      return std::nullopt;
    return Made;
  }
  if (R.parameters().size() != T->operands().size() ||
      (!R.parameters().empty() && T->operand(0) != R.parameters()[0]))
    return std::nullopt;
  return Made;
}

/// A goto to a return returns.
bool CFGSimplifier::copyReturn(Block &B) {
  Instruction *T = B.terminator();
  if (T->op() != irop::Goto)
    return false;
  Block &To = *T->successors()[0];
  const auto Made = &To == &B ? std::nullopt : findReturned(To);
  if (!Made)
    return false;
  const Instruction &Return = *To.terminator();
  if (What.mayThrow(Return) && !areEqual(B.throwEdges(), To.throwEdges()))
    return false;
  // The index of the goto: variables and ranges are cut nowhere.
  if (Lines.isKept() && Lines.lineOf(*T) != Lines.lineOf(*To.begin()))
    return false;
  llvm::SmallVector<Value *, 1> Returned(B.exitValues());
  if (*Made) {
    Instruction *New = F.create((*Made)->op(), (*Made)->opcode(),
                                (*Made)->type(), {}, T->bci());
    New->setIndex((*Made)->index());
    New->setImm((*Made)->op() == irop::Const ? (*Made)->imm() : 0);
    New->setAdvice(T->advice());
    F.insert(New, &B, T->getIterator());
    Lines.add(*New);
    Returned.push_back(New);
  }
  Instruction *New =
      F.create(irop::Return, Return.opcode(), Type::Void, Returned, T->bci());
  New->setAdvice(T->advice());
  F.setExitValues(&B, {});
  replace(B, New);
  ++NumReturns;
  return true;
}

bool CFGSimplifier::dropNops(Block &B) {
  bool Changed = false;
  for (auto It = B.begin(); It != B.end();) {
    Instruction &I = *It++;
    if (I.op() != irop::Nop || !Lines.hasOthers(I))
      continue;
    Lines.erase(&I);
    ++NumNops;
    Changed = true;
  }
  return Changed;
}

/// The values on the stack have the same types at both sides of the border.
static bool mayJoin(const Block &B, const Block &Next) {
  constexpr size_t MostLooks = 1 << 16;
  if (B.exitValues().size() * Next.instructions().size() > MostLooks)
    return false;
  for (size_t N = 0; N < B.exitValues().size(); ++N) {
    const Type Ty = B.exitValues()[N]->type();
    if ((Ty.is(Type::Uninit) || Ty.is(Type::UninitThis)) &&
        Ty != Next.parameters()[N]->type())
      return false;
  }
  return true;
}

/// Joins \p B and the block that it alone falls into; that needs no frame.
bool CFGSimplifier::joinNext(Block &B) {
  const Instruction &T = *B.terminator();
  Block *Next = nextOf(B);
  if ((T.op() != irop::FallThrough && T.op() != irop::If) ||
      T.successors().back() != Next || Preds[Next->id()] != 1 ||
      Next->isHandler())
    return false;
  if (T.op() == irop::FallThrough &&
      areEqual(B.throwEdges(), Next->throwEdges()) && mayJoin(B, *Next)) {
    for (size_t N = 0; N < B.exitValues().size(); ++N) {
      Value *Out = B.exitValues()[N], *In = Next->parameters()[N];
      Out->setKeep(Out->keep() || In->keep());
      Out->setPopped(Out->popped() || In->popped());
    }
    F.join(&B);
    ++NumJoined;
    return true;
  }
  const bool Changed = Next->hasFrame();
  F.clearFrame(Next);
  return Changed;
}

bool CFGSimplifier::branches(Block &B) {
  bool Changed = foldSame(B);
  Changed |= shrinkSwitch(B);
  Changed |= redirect(B);
  Changed |= invert(B);
  Changed |= fallThrough(B);
  Changed |= copyReturn(B);
  return Changed;
}

bool CFGSimplifier::run() {
  bool Changed = removeUnreachable();
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    bool Now = false;
    number();
    for (Block &B : F.blocks()) {
      Now |= dropNops(B);
      Now |= branches(B);
    }
    Now |= removeUnreachable();
    number();
    for (Block &B : F.blocks())
      while (joinNext(B))
        Now = true;
    if (!Now)
      return Changed;
    Changed = true;
  }
  return Changed;
}

llvm::Expected<PreservedAnalyses> SimplifyCFGPass::run(Body &F,
                                                       PassContext &C) const {
  if (F.Inferred || F.Inlined)
    return PreservedAnalyses::all();
  return PreservedAnalyses::changedIf(CFGSimplifier(F, C).run())
      .preserve<Effects>();
}
