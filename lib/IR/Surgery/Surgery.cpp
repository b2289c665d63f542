//===- Surgery.cpp - Cutting blocks and putting code between --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Surgery.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
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

/// Makes parameters of the values on the stack, for a block between. Values
/// that passes make are popped where they are dead.
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

Block *jopt::cutEdge(Instruction &T, Block &To, bool Falls) {
  Body &F = To.body();
  Block *New = F.createBlock(Falls ? &To : nullptr);
  llvm::SmallVector<Type, 8> Types;
  for (Parameter *V : To.parameters())
    Types.push_back(V->type());
  F.setParameters(New, Types);
  llvm::SmallVector<Value *, 8> Through;
  for (Parameter *V : New->parameters()) {
    V->setPopped(true);
    Through.push_back(V);
  }
  F.setExitValues(New, Through);
  Builder B(F);
  B.setEnd(New);
  if (Falls) {
    New->setThrowEdges(To.throwEdges());
    B.fallThrough(&To);
  } else {
    F.setSharedFrame(New, To.locals());
    B.jump(&To);
  }
  for (size_t I = 0; I < T.successors().size(); ++I)
    if (T.successors()[I] == &To && (T.op() != irop::If || (I == 1) == Falls))
      T.successors()[I] = New;
  return New;
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

namespace {

class BlockCopier {
public:
  explicit BlockCopier(Body &F) : F(F) {}
  llvm::DenseMap<const Block *, Block *> run();

private:
  Type typeOf(Type T) const {
    return T.is(Type::Uninit) ? Sites.lookup(T.payload()) : T;
  }
  llvm::SmallVector<Value *, 8> valuesOf(llvm::ArrayRef<Value *> All) const {
    return llvm::map_to_vector<8>(All,
                                  [&](Value *V) { return Values.lookup(V); });
  }
  const ThrowEdge *setOf(const ThrowEdge *Set);
  void makeBlock(Block &B);
  void copyInstruction(const Instruction &I, Block *To);

  Body &F;
  llvm::DenseMap<const Block *, Block *> Blocks;
  llvm::DenseMap<const Value *, Value *> Values;
  llvm::DenseMap<uint32_t, Type> Sites; ///< by the payload of Uninit
  llvm::DenseMap<const TryEntry *, TryEntry *> Tries;
  llvm::DenseMap<const ThrowEdge *, const ThrowEdge *> Sets;
};

} // namespace

const ThrowEdge *BlockCopier::setOf(const ThrowEdge *Set) {
  if (!Set)
    return nullptr;
  auto [It, IsNew] = Sets.try_emplace(Set);
  if (IsNew) {
    const ThrowEdge *Copy = nullptr;
    forEachTry(Set,
               [&](TryEntry *E) { Copy = F.withTry(Copy, Tries.lookup(E)); });
    It->second = Copy;
  }
  return It->second;
}

/// Its copy, without instructions. Those that make objects are known.
void BlockCopier::makeBlock(Block &B) {
  Block *Copy = Blocks.lookup(&B);
  Copy->setBCI(B.bci());
  F.setParameters(Copy, llvm::map_to_vector<8>(B.parameters(), [&](Value *V) {
                    return typeOf(V->type());
                  }));
  for (auto [Old, New] : llvm::zip(B.parameters(), Copy->parameters())) {
    New->setKeep(Old->keep());
    New->setPopped(Old->popped());
    Values[Old] = New;
  }
  if (B.isHandler())
    F.markHandler(Copy);
  if (B.hasFrame())
    F.setFrame(Copy, llvm::map_to_vector<16>(
                         B.locals(), [&](Type T) { return typeOf(T); }));
}

void BlockCopier::copyInstruction(const Instruction &I, Block *To) {
  Instruction *Copy;
  if (I.op() == irop::Raw) {
    Copy = F.createRaw(I.raw(), valuesOf(I.operands()));
  } else if (auto Made = Values.find(&I); Made != Values.end()) {
    Copy = llvm::cast<Instruction>(Made->second); // a `new`
  } else {
    Copy = F.create(I.op(), I.opcode(), typeOf(I.type()),
                    valuesOf(I.operands()), I.bci());
  }
  Copy->setIndex(I.index());
  Copy->setImm(I.imm());
  Copy->setLongForm(I.longForm());
  Copy->setFloating(I.floating());
  Copy->setKeep(I.keep());
  Copy->setPopped(I.popped());
  Copy->setAdvice(I.advice());
  if (I.isInit())
    F.setInit(Copy);
  const bool HasKeys =
      I.op() == irop::TableSwitch || I.op() == irop::LookupSwitch;
  if (!I.successors().empty())
    F.setSuccessors(
        Copy,
        llvm::map_to_vector<2>(I.successors(),
                               [&](Block *B) { return Blocks.lookup(B); }),
        HasKeys ? I.keys() : llvm::ArrayRef<int32_t>());
  Values[&I] = Copy;
  F.append(Copy, To);
}

llvm::DenseMap<const Block *, Block *> BlockCopier::run() {
  llvm::SmallVector<Block *, 32> All;
  for (Block &B : F.blocks())
    All.push_back(&B);
  for (Block *B : All)
    Blocks[B] = F.createBlock();
  for (TryEntry *E : llvm::SmallVector<TryEntry *, 8>(F.tries()))
    Tries[E] = F.addTry(Blocks.lookup(E->Handler), E->CatchType);
  // A type names the `new` of an object, which may come later.
  for (Block *B : All)
    for (Instruction &I : *B)
      if (I.type().is(Type::Uninit) && F.NewSites[I.type().payload()] == &I) {
        Instruction *New =
            F.create(I.op(), I.opcode(), Type::Void, {}, I.bci());
        Sites[I.type().payload()] = F.addNewSite(New);
        New->setType(Sites[I.type().payload()]);
        Values[&I] = New;
      }
  for (Block *B : All)
    makeBlock(*B);
  for (Block *B : All) {
    Block *Copy = Blocks[B];
    for (Instruction &I : *B)
      copyInstruction(I, Copy);
    F.setExitValues(Copy, valuesOf(B->exitValues()));
    Copy->setThrowEdges(setOf(B->throwEdges()));
  }
  F.Inlined = true;
  return std::move(Blocks);
}

llvm::DenseMap<const Block *, Block *> jopt::copyBlocks(Body &F) {
  return BlockCopier(F).run();
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

void jopt::dropPinnedLocals(llvm::MutableArrayRef<Type> Frame, const Body &F) {
  for (const Body::PinnedLocal &W : F.PinnedLocals)
    for (unsigned S = W.Slot; S < W.Slot + W.Ty.slots(); ++S)
      if (S < Frame.size())
        Frame[S] = Type::Top;
}
