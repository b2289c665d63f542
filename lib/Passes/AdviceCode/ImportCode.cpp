//===- ImportCode.cpp - Code from another class ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportCode.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

CodeImporter::CodeImporter(const Body &From, Body &To, unsigned FirstSlot,
                           int32_t Advice)
    : From(From), To(To), FirstSlot(FirstSlot), Advice(Advice),
      Sites(From.NewSites.size()) {
  // Frames may name a site before its block is copied.
  for (const Block &B : From.blocks())
    for (const Instruction &I : B.instructions())
      if (I.op() == irop::New) {
        Instruction *New = To.create(irop::New, I.opcode(), Type::Top, {});
        New->setType(To.addNewSite(New));
        Sites[I.type().payload()] = New->type();
        Values[&I] = New;
      }
}

Type CodeImporter::type(Type T) const {
  switch (T.kind()) {
  case Type::Ref:
    return To.types().ref(From.types().name(T));
  case Type::Uninit:
    return Sites[T.payload()];
  case Type::Join: {
    llvm::SmallVector<Type, 4> Parts;
    for (Type Part : From.types().parts(T))
      Parts.push_back(type(Part));
    return To.types().join(Parts);
  }
  default:
    return T;
  }
}

uint16_t CodeImporter::poolEntry(const Instruction &I) const {
  const ConstantPool &P = From.pool();
  const CPEntry &E = P[I.index()];
  switch (E.Tag) {
  case CPTag::Class:
    return To.pool().addClass(P.utf8(E.A));
  case CPTag::String:
    return To.pool().addString(P.utf8(E.A));
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref: {
    MemberRef R = P.member(I.index());
    return To.pool().addMember(E.Tag, R.Owner, R.Name, R.Descriptor);
  }
  default:
    return To.pool().addEntry(E); // a number
  }
}

/// A copy that is in no block yet, without successors.
Instruction *CodeImporter::copy(const Instruction &I) {
  llvm::SmallVector<Value *, 8> Operands;
  for (const Value *V : I.operands())
    Operands.push_back(Values.lookup(V));
  // A `new` was made before.
  auto *Copy = llvm::cast_or_null<Instruction>(Values.lookup(&I));
  if (!Copy)
    Copy = To.create(I.op(), I.opcode(), type(I.type()), Operands);
  Copy->setKeep(I.keep());
  Copy->setAdvice(Advice);
  if (I.isInit())
    To.setInit(Copy);
  switch (I.info().Imm) {
  case irop::ImmSlot:
    Copy->setIndex(I.index() + FirstSlot);
    break;
  case irop::ImmSlotInt:
    Copy->setIndex(I.index() + FirstSlot);
    Copy->setImm(I.imm());
    break;
  case irop::ImmConst:
    if (I.opcodeInfo().PoolTags) {
      Copy->setIndex(poolEntry(I));
      break;
    }
    Copy->setImm(I.imm());
    break;
  case irop::ImmPool:
  case irop::ImmPoolInt:
    Copy->setIndex(poolEntry(I));
    Copy->setImm(I.imm());
    break;
  default:
    Copy->setIndex(I.index());
    Copy->setImm(I.imm());
    break;
  }
  return Copy;
}

void CodeImporter::copyInstructions(const Block &B, Block *Into,
                                    Block::InstList::iterator At) {
  for (auto [Old, New] :
       llvm::zip(B.parameters(), block(&B) ? block(&B)->parameters()
                                           : llvm::ArrayRef<Parameter *>()))
    Values[Old] = New;
  for (const Instruction &I : B.instructions()) {
    if (I.op() == irop::Return)
      continue;
    if (I.op() == irop::LocalGet)
      if (auto *V = llvm::cast_or_null<Instruction>(Given.lookup(I.index()))) {
        Builder Bd(To);
        Bd.setPoint(Into, At);
        Bd.setAdvice(Advice);
        Values[&I] = copyFloating(Bd, *V);
        continue;
      }
    Instruction *Copy = copy(I);
    if (I.isTerminator()) {
      llvm::SmallVector<Block *, 4> Successors;
      for (const Block *S : I.successors())
        Successors.push_back(Blocks.lookup(S));
      bool Switch = I.info().Imm == irop::ImmSwitch;
      To.setSuccessors(Copy, Successors,
                       Switch ? I.keys() : llvm::ArrayRef<int32_t>());
    }
    To.insert(Copy, Into, At);
    Values[&I] = Copy;
  }
  if (!block(&B))
    return;
  llvm::SmallVector<Value *, 8> Exit;
  for (const Value *V : B.exitValues())
    Exit.push_back(Values.lookup(V));
  To.setExitValues(Into, Exit);
}

void CodeImporter::createBlocks(Block *Before, llvm::ArrayRef<Type> Slots,
                                const ThrowEdge *Outer) {
  for (const Block &B : From.blocks()) {
    Block *New = To.createBlock(Before);
    Blocks[&B] = New;
    llvm::SmallVector<Type, 8> Types;
    for (const Parameter *P : B.parameters())
      Types.push_back(type(P->type()));
    To.setParameters(New, Types);
    for (auto [P, Old] : llvm::zip(New->parameters(), B.parameters())) {
      P->setKeep(Old->keep());
      P->setPopped(true);
    }
    if (B.isHandler())
      To.markHandler(New);
    if (!B.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Locals(Slots);
    for (auto [Slot, Ty] : llvm::enumerate(B.locals())) {
      // Substituted values are in no slot.
      bool Absent =
          Given.contains(unsigned(Slot)) ||
          (Slot && Ty.is(Type::High) && Given.contains(unsigned(Slot - 1)));
      if (Locals.size() <= FirstSlot + Slot)
        Locals.resize(FirstSlot + Slot + 1, Type::Top);
      Locals[FirstSlot + Slot] = Absent ? Type(Type::Top) : type(Ty);
    }
    To.setFrame(New, Locals);
  }
  // In front of the host's own: nothing but the copy names these.
  TryEntry *First = To.tries().empty() ? nullptr : To.tries().front();
  llvm::DenseMap<const TryEntry *, TryEntry *> Tries;
  for (const TryEntry *T : From.tries())
    Tries[T] = To.addTry(
        Blocks.lookup(T->Handler),
        T->CatchType ? To.pool().addClass(From.pool().className(T->CatchType))
                     : uint16_t(0),
        First);
  for (const Block &B : From.blocks()) {
    const ThrowEdge *Edges = Outer;
    forEachTry(B.throwEdges(), [&](const TryEntry *T) {
      Edges = To.withTry(Edges, Tries.lookup(T));
    });
    block(&B)->setThrowEdges(Edges);
  }
}
