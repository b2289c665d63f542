//===- Surgery.cpp - Cutting blocks and putting code between --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

BlockCut::BlockCut(Instruction *At) : Before(At->block()), F(Before->body()) {
  After = F.split(Before, At->getIterator());
  F.erase(Before->terminator());
  for (auto [Out, In] : llvm::zip(Before->exitValues(), After->parameters()))
    Values.push_back({Out, In, In->type(), std::nullopt});
  F.setExitValues(Before, {});
}

void BlockCut::carry(Value *V) {
  if (llvm::none_of(Values, [&](const CarriedValue &C) { return C.Out == V; }))
    Values.push_back({V, nullptr, Before->typeAtEnd(V), std::nullopt});
}

void BlockCut::store(Builder &B, CarriedValue &V, unsigned Slot,
                     llvm::SmallVectorImpl<Type> &Frame) {
  V.Slot = Slot;
  B.set(Slot, V.Out);
  declareSlot(Frame, Slot, V.Ty);
}

/// Those of \p Values that are carried on the stack.
static auto onStack(llvm::ArrayRef<CarriedValue> Values) {
  return llvm::make_filter_range(Values,
                                 [](const CarriedValue &V) { return !V.Slot; });
}

/// What the stack holds in blocks between. Values that passes make are popped
/// where they are dead.
static void addParameters(Body &F, Block *B,
                          llvm::ArrayRef<CarriedValue> Values) {
  llvm::SmallVector<Type, 8> Types;
  for (const CarriedValue &V : onStack(Values))
    Types.push_back(V.Ty);
  F.setParameters(B, Types);
  for (Parameter *P : B->parameters())
    P->setPopped(true);
}

Block *BlockCut::addBlock() {
  Block *New = F.createBlock(After);
  New->setThrowEdges(Before->throwEdges());
  addParameters(F, New, Values);
  llvm::SmallVector<Value *, 8> Through(New->parameters());
  F.setExitValues(New, Through);
  return New;
}

Block *BlockCut::addThen() {
  Block *New = addBlock();
  Builder B(F);
  B.setEnd(New);
  B.fallThrough(After);
  return New;
}

Value *BlockCut::get(Builder &B, Value *Out) const {
  size_t OnStack = 0;
  for (const CarriedValue &V : Values) {
    if (V.Out == Out)
      return V.Slot ? (Value *)B.get(*V.Slot, V.Ty)
                    : B.block()->parameters()[OnStack];
    OnStack += !V.Slot;
  }
  return copyFloating(B, *llvm::cast<Instruction>(Out));
}

void BlockCut::put(Builder &B, const CarriedValue &V, Value *New) const {
  if (V.Slot) {
    B.set(*V.Slot, New);
    return;
  }
  auto Below = llvm::ArrayRef(Values).take_front(size_t(&V - Values.data()));
  auto OnStack = onStack(Below);
  B.block()
      ->exitValues()[size_t(std::distance(OnStack.begin(), OnStack.end()))] =
      New;
}

void BlockCut::close() {
  llvm::SmallVector<Value *, 8> Exit;
  for (const CarriedValue &V : onStack(Values))
    Exit.push_back(V.Out);
  F.setExitValues(Before, Exit);
  if (llvm::all_of(Values,
                   [](const CarriedValue &V) { return V.In && !V.Slot; }))
    return; // The parameters are those that Body::split made.
  addParameters(F, After, Values);
  auto Next = After->parameters().begin();
  Builder B(F);
  B.setPoint(After, After->begin());
  for (const CarriedValue &V : Values) {
    Value *New = V.Slot ? nullptr : *Next++;
    if (!V.In)
      continue;
    if (!New) {
      New = B.get(*V.Slot, V.Ty);
    } else {
      New->setKeep(V.In->keep());
      New->setPopped(V.In->popped());
    }
    After->replaceUses(V.In, New);
  }
}

Block *jopt::startBlock(Instruction *I) {
  Block *B = I->block();
  return &*B->begin() == I ? B : B->body().split(B, I->getIterator());
}

Instruction *jopt::copyFloating(Builder &B, const Instruction &V) {
  Instruction *Copy = B.make(V.op(), V.opcode(), V.type());
  Copy->setIndex(V.index());
  // Of a load, that says how the original was written.
  Copy->setImm(V.op() == irop::LocalGet ? 0 : V.imm());
  Copy->setFloating(true);
  return Copy;
}

Block *jopt::addCatchAll(Body &F, llvm::ArrayRef<Type> Locals, Block *Before) {
  Block *H = F.createBlock(Before);
  F.setHandler(H, F.types().ref("java/lang/Throwable"));
  F.setFrame(H, Locals);
  return H;
}

void jopt::wrapInTry(Block *Covered, Block *Handler, const ThrowEdge *Others,
                     TryEntry *First) {
  Body &F = Covered->body();
  Covered->setThrowEdges(F.withTry(Others, F.addTry(Handler, 0, First)));
}

Block::InstList::iterator jopt::behindSuperCall(Instruction *Call) {
  auto Next = std::next(Call->getIterator());
  bool KeepsThis = Call->isInit() && Next->op() == irop::LocalSet &&
                   Next->advice() >= 0 && Next->operand(0) == Call;
  return KeepsThis ? std::next(Next) : Next;
}

void jopt::declareSlot(llvm::SmallVectorImpl<Type> &Frame, unsigned Slot,
                       Type Ty) {
  if (Frame.size() < Slot + Ty.slots())
    Frame.resize(Slot + Ty.slots(), Type::Top);
  Frame[Slot] = Ty;
  if (Ty.isCategory2())
    Frame[Slot + 1] = Type::High;
}

void jopt::dropMethodWideSlots(llvm::MutableArrayRef<Type> Frame,
                               const Body &F) {
  for (const Body::MethodWideSlot &W : F.MethodWideSlots)
    for (unsigned S = W.Slot; S < W.Slot + W.Ty.slots(); ++S)
      if (S < Frame.size())
        Frame[S] = Type::Top;
}
