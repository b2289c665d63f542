//===- Body.cpp - Methods as control-flow graphs --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Casting.h"
#include <atomic>
#include <cassert>
#include <functional>

using namespace jopt;
using llvm::ArrayRef;

namespace {
using namespace jopt::irop;
struct OpcodeKind {
  Opcode Encoding;
  int Kind;
};
constexpr int Stack = -1, Subroutine = -1;
#define GET_InstructionTable_IMPL
#define GET_OpcodeKindTable_IMPL
#include "jopt/IR/Instructions.inc"

constexpr std::array<int8_t, NumEncodings> kindByOpcode() {
  std::array<int8_t, NumEncodings> Kinds = {};
  for (int8_t &Kind : Kinds)
    Kind = -1;
  for (const OpcodeKind &I : OpcodeKindTable)
    Kinds[I.Encoding] = int8_t(I.Kind);
  return Kinds;
}
constexpr std::array<int8_t, NumEncodings> KindByOpcode = kindByOpcode();
} // namespace

const InstructionInfo &jopt::getInstructionInfo(IROp Op) {
  return InstructionTable[Op];
}

llvm::ArrayRef<InstructionInfo> jopt::getInstructionTable() {
  return InstructionTable;
}

std::optional<IROp> jopt::getIROp(Opcode Op) {
  const int Kind = KindByOpcode[Op];
  if (Kind < 0)
    return std::nullopt;
  return IROp(Kind);
}

bool Instruction::isPure() const {
  if (Op == irop::LocalGet)
    return true;
  if (Op != irop::Const)
    return false;
  if (!opcodeInfo().PoolTags)
    return true;
  if (!Parent)
    return false;
  return isPlainConstant(Parent->body().pool()[Index].Tag);
}

void Block::replaceUses(Value *Old, Value *New) {
  for (Instruction &I : Insts)
    for (Value *&Op : I.operands())
      if (Op == Old)
        Op = New;
  for (Value *&V : Exit)
    if (V == Old)
      V = New;
}

unsigned Block::countUses(const Value *V) const {
  unsigned N = unsigned(llvm::count(Exit, V));
  for (const Instruction &I : Insts)
    N += unsigned(llvm::count(I.operands(), V));
  return N;
}

/// Where a body was, if anywhere; of all threads.
static std::atomic<void *> FreeBody{nullptr};

void *Body::operator new(size_t Size) {
  assert(Size == sizeof(Body));
  void *Free = FreeBody.exchange(nullptr, std::memory_order_acquire);
  return Free ? Free : ::operator new(Size);
}

void Body::operator delete(void *P) {
  void *None = nullptr;
  if (!FreeBody.compare_exchange_strong(None, P, std::memory_order_release,
                                        std::memory_order_relaxed))
    ::operator delete(P);
}

unsigned Body::addPinnedLocal(Type Ty, llvm::StringRef Purpose,
                              std::optional<unsigned> Number) {
  unsigned S = addSlot(Ty.slots());
  PinnedLocals.push_back({S, Ty, Purpose, Number});
  return S;
}

const Body::PinnedLocal *
Body::findPinnedLocal(llvm::StringRef Purpose,
                      std::optional<unsigned> Number) const {
  for (const PinnedLocal &W : PinnedLocals)
    if (W.Purpose == Purpose && W.Number == Number)
      return &W;
  return nullptr;
}

TryEntry *Body::addTry(Block *Handler, uint16_t CatchType, TryEntry *Before) {
  auto *E = new (Alloc.Allocate<TryEntry>()) TryEntry;
  E->Handler = Handler;
  E->CatchType = CatchType;
  E->Id = NextTry++;
  size_t At = Before ? Before->Priority : Tries.size();
  Tries.insert(Tries.begin() + At, E);
  for (; At < Tries.size(); ++At)
    Tries[At]->Priority = unsigned(At);
  return E;
}

TryEntry *Body::addFinalHandler(Block *Handler, ArrayRef<Block *> Covered) {
  // Blocks that share a set go on to do so. Most methods have but the empty
  // one.
  TryEntry *Added = addTry(Handler, 0);
  const ThrowEdge *Last = nullptr, *LastSet = withTry(nullptr, Added);
  llvm::DenseMap<const ThrowEdge *, const ThrowEdge *> Extended;
  for (Block *B : Covered) {
    if (B->throwEdges() != Last) {
      Last = B->throwEdges();
      const ThrowEdge *&Set = Extended[Last];
      if (!Set)
        Set = withTry(Last, Added);
      LastSet = Set;
    }
    B->setThrowEdges(LastSet);
  }
  return Added;
}

void Body::eraseTry(TryEntry *E) {
  llvm::DenseMap<const ThrowEdge *, const ThrowEdge *> Reduced;
  for (Block &B : Blocks)
    if (const ThrowEdge *Set = B.throwEdges()) {
      auto [It, New] = Reduced.try_emplace(Set);
      if (New)
        It->second = withoutTry(Set, E);
      B.setThrowEdges(It->second);
    }
  Tries.erase(Tries.begin() + E->Priority);
  for (size_t At = E->Priority; At < Tries.size(); ++At)
    Tries[At]->Priority = unsigned(At);
}

Type Block::typeAtEnd(const Value *V) const {
  Type Ty = V->type();
  if (Ty.is(Type::Uninit) || Ty.is(Type::UninitThis))
    for (const Instruction &I : Insts)
      if (I.isInit() && I.operand(0)->type() == Ty)
        return I.type();
  return Ty;
}

Type Body::addNewSite(Instruction *New) {
  NewSites.push_back(New);
  return Type(Type::Uninit, uint32_t(NewSites.size() - 1));
}

Block *Body::createBlock(Block *Before) {
  auto *B = new (Alloc.Allocate<Block>()) Block(this, NextBlock++);
  Blocks.insert(Before ? Before->getIterator() : Blocks.end(), *B);
  return B;
}

void Body::setParameters(Block *B, ArrayRef<Type> Types) {
  auto *P = Alloc.Allocate<Parameter *>(Types.size());
  for (size_t I = 0; I < Types.size(); ++I)
    P[I] =
        new (Alloc.Allocate<Parameter>()) Parameter(B, Types[I], NextValue++);
  B->Params = {P, Types.size()};
}

void Body::setFrame(Block *B, ArrayRef<Type> Locals) {
  while (!Locals.empty() && Locals.back().is(Type::Top))
    Locals = Locals.drop_back();
  setSharedFrame(B, copy(Locals));
}

void Body::setSharedFrame(Block *B, ArrayRef<Type> Locals) {
  B->Frame = true;
  B->Locals = Locals;
}

void Body::clearFrame(Block *B) {
  B->Frame = false;
  B->Locals = {};
}

void Body::setHandler(Block *B, Type Caught) {
  B->Handler = true;
  setParameters(B, Caught);
}

void Body::setExitValues(Block *B, ArrayRef<Value *> Values) {
  B->Exit = copy(Values);
}

void Body::clear(Block *B) {
  B->Insts.clear();
  B->Params = {};
  B->Exit = {};
}

void Body::setLayout(ArrayRef<Block *> Order) {
  Blocks.clear();
  for (Block *B : Order)
    Blocks.push_back(*B);
}

Instruction *Body::create(IROp Op, Opcode J, Type Ty, ArrayRef<Value *> Ops,
                          int32_t BCI) {
  auto *I =
      new (Alloc.Allocate<Instruction>()) Instruction(Op, J, Ty, NextValue++);
  I->Ops = copy(Ops).data();
  I->NumOps = uint16_t(Ops.size());
  I->BCI = BCI;
  I->setPopped(BCI < 0);
  return I;
}

Instruction *Body::createRaw(const RawCode &Code, ArrayRef<Value *> Stack) {
  Instruction *I =
      create(irop::Raw, op::NOP, Type::Void, Stack, int32_t(Code.BCI));
  I->RawBytes = new (Alloc.Allocate<RawCode>()) RawCode(Code);
  if (Raw == KeepRaw::No)
    Raw = KeepRaw::Straight;
  return I;
}

void Body::setSuccessors(Instruction *I, ArrayRef<Block *> Succs,
                         ArrayRef<int32_t> Keys) {
  assert(Keys.empty() || Keys.size() + 1 == Succs.size());
  I->Succs = copy(Succs).data();
  I->NumSuccs = uint32_t(Succs.size());
  I->Keys = Keys.empty() ? nullptr : copy(Keys).data();
}

void Body::insert(Instruction *I, Block *B, Block::InstList::iterator Before) {
  assert(!I->Parent && "already in a block");
  I->Parent = B;
  B->Insts.insert(Before, *I);
}

void Body::erase(Instruction *I) {
  I->Parent->Insts.remove(*I);
  I->Parent = nullptr;
}

/// \p V is a result of \p B, or one of its parameters.
static bool isOf(const Block &B, const Value *V) {
  const auto *I = llvm::dyn_cast<Instruction>(V);
  return (I ? I->block() : llvm::cast<Parameter>(V)->block()) == &B;
}

/// The values of \p B that \p New, which was a part of it, uses, bottom of the
/// stack first: parameters, then results in the order of their instructions.
static llvm::SmallVector<Value *, 8> crossingValues(Block *B, Block *New) {
  llvm::SmallPtrSet<const Value *, 16> Used;
  auto Add = [&](llvm::ArrayRef<Value *> Uses) {
    for (const Value *V : Uses)
      if (isOf(*B, V))
        Used.insert(V);
  };
  Add(New->exitValues());
  for (Instruction &I : *New)
    Add(I.operands());
  llvm::SmallVector<Value *, 8> Crossing;
  if (Used.empty())
    return Crossing;
  for (Parameter *P : B->parameters())
    if (Used.contains(P))
      Crossing.push_back(P);
  for (Instruction &I : *B)
    if (Used.contains(&I))
      Crossing.push_back(&I);
  return Crossing;
}

Block *Body::split(Block *B, Block::InstList::iterator At) {
  auto Next = std::next(B->getIterator());
  Block *New = createBlock(Next == Blocks.end() ? nullptr : &*Next);
  int32_t BCI = At == B->end() ? -1 : At->bci();
  New->Throws = B->Throws;
  New->Exit = B->Exit;
  New->BCI = BCI;
  New->Insts.splice(New->Insts.end(), B->Insts, At, B->Insts.end());
  for (Instruction &I : New->Insts)
    I.Parent = New;

  auto Crossing = crossingValues(B, New);
  llvm::SmallVector<Type, 8> Types;
  for (Value *V : Crossing)
    Types.push_back(B->typeAtEnd(V));
  setParameters(New, Types);
  llvm::SmallVector<std::pair<Value *, Value *>, 8> Renamed;
  for (size_t I = 0; I < Crossing.size(); ++I) {
    Parameter *P = New->Params[I];
    P->Keep = Crossing[I]->Keep;
    P->Popped = Crossing[I]->Popped;
    Renamed.push_back({Crossing[I], P});
  }
  llvm::sort(Renamed, llvm::less_first());
  auto Rename = [&](llvm::MutableArrayRef<Value *> Uses) {
    for (Value *&V : Uses) {
      if (!isOf(*B, V))
        continue;
      auto *It = llvm::lower_bound(
          Renamed, std::pair<Value *, Value *>(V, nullptr), llvm::less_first());
      if (It != Renamed.end() && It->first == V)
        V = It->second;
    }
  };
  if (!Renamed.empty()) {
    for (Instruction &I : *New)
      Rename(I.operands());
    Rename(New->Exit);
  }
  setExitValues(B, Crossing);
  Instruction *Fall = create(irop::FallThrough, op::NOP, Type::Void, {}, BCI);
  setSuccessors(Fall, New);
  append(Fall, B);
  return New;
}

void Body::join(Block *B) {
  Block *Next = &*std::next(B->getIterator());
  assert(B->terminator()->op() == irop::FallThrough && !Next->isHandler());
  for (size_t I = 0; I < Next->Params.size(); ++I)
    Next->replaceUses(Next->Params[I], B->Exit[I]);
  erase(B->terminator());
  for (Instruction &I : Next->Insts)
    I.Parent = B;
  B->Insts.splice(B->Insts.end(), Next->Insts);
  B->Exit = Next->Exit;
  erase(Next);
}
