//===- Effects.cpp - What instructions may do -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::StringRef;

std::optional<int32_t> jopt::intConstant(const Value &V) {
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  if (!I || I->op() != irop::Const || !I->type().is(Type::Int))
    return std::nullopt;
  if (auto Small = immediateInt(I->opcode(), I->imm()))
    return Small;
  if (!I->block())
    return std::nullopt;
  return int32_t(I->block()->body().pool()[I->index()].Bits);
}

/// The constant \p V, a long or int, is known not to be zero.
static bool isNonZero(const Value &V) {
  if (auto Small = intConstant(V))
    return *Small != 0;
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  if (!I || I->op() != irop::Const || !I->type().is(Type::Long))
    return false;
  if (!I->opcodeInfo().PoolTags)
    return I->opcode() == op::LCONST_1;
  return I->block() && I->block()->body().pool()[I->index()].Bits != 0;
}

Effects::Effects(const Body &F) : Class(F.classFile()) {
  const Method &M = F.method();
  const StringRef Name = Class.name(M);
  const bool Static = isStatic(Class, M);
  IsSynchronized = methodIs(Class, M, ACC_SYNCHRONIZED);
  WritesFinals = Name == "<init>";
  WritesStaticFinals = Name == "<clinit>";
  IsInitialized = Static || WritesFinals;
  HasThis = !Static && !F.initialLocals().empty();
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions()) {
      HasThis &= I.op() != irop::LocalSet || I.index() != 0;
      Locks |= I.opcodeInfo().Cat == op::CatMonitor && I.op() == irop::Plain;
      if (I.op() == irop::Raw) {
        Locks |= I.raw().HasMonitors;
        for (const RawCode::Store &S : I.raw().Stores)
          HasThis &= S.Slot != 0;
      }
    }
}

bool Effects::isNonNull(const Value &V) const {
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  if (!I)
    return llvm::cast<Parameter>(V).block()->isHandler();
  switch (I->op()) {
  case irop::LocalGet:
    return HasThis && I->index() == 0 && I->type().isReference();
  case irop::Const:
    return I->type().isReference() && !I->type().is(Type::Null) &&
           I->opcodeInfo().PoolTags && I->isPure();
  case irop::New:
  case irop::NewArray:
  case irop::MultiNewArray:
    return true;
  case irop::ClassOp:
    return I->opcode() == op::ANEWARRAY;
  default:
    return I->isInit();
  }
}

bool Effects::isResolved(unsigned Index) const {
  if (Index == Class.ThisIndex)
    return true;
  const StringRef Name = Class.Pool.className(Index);
  return Name == "java/lang/Object" || Name == "java/lang/String" ||
         Name == "java/lang/Throwable" || Name == "java/lang/Class";
}

const Field *Effects::ownField(const Instruction &I) const {
  if (Class.Pool[I.index()].A != Class.ThisIndex)
    return nullptr;
  const MemberRef Ref = Class.Pool.member(I.index());
  for (const Field &F : Class.Fields)
    if (Class.name(F) == Ref.Name && Class.descriptor(F) == Ref.Descriptor)
      return &F;
  return nullptr;
}

/// Whether \p O accesses static fields, and whether it writes.
static bool isOfStatic(Opcode O) {
  return O == op::GETSTATIC || O == op::PUTSTATIC;
}
static bool isWrite(const Instruction &I) { return I.type().isVoid(); }

unsigned Effects::ofField(const Instruction &I) const {
  unsigned All = I.opcodeInfo().Failures;
  const Field *F = ownField(I);
  if (!F || F->is(ACC_STATIC) != isOfStatic(I.opcode()))
    return All;
  if (IsInitialized)
    All &= ~unsigned(op::OfInit);
  // Only initialisers may write to a final field (JVMS 6.5, putfield).
  if (!isWrite(I) || !F->is(ACC_FINAL) ||
      (F->is(ACC_STATIC) ? WritesStaticFinals : WritesFinals))
    All &= ~unsigned(op::OfLink);
  return All;
}

unsigned Effects::ofClass(const Instruction &I, unsigned All) const {
  if (isResolved(I.index()) &&
      (I.op() != irop::New || !(Class.Access & (ACC_ABSTRACT | ACC_INTERFACE))))
    All &= ~unsigned(op::OfLink);
  if (I.op() == irop::New)
    return I.index() == Class.ThisIndex && IsInitialized
               ? All & ~unsigned(op::OfInit)
           : I.index() != Class.ThisIndex && isResolved(I.index())
               ? All & ~unsigned(op::OfInit)
               : All;
  if (I.opcode() == op::CHECKCAST || I.opcode() == op::INSTANCEOF) {
    // Null passes before the class is looked for.
    if (I.operand(0)->type().is(Type::Null))
      return 0;
    if (Class.Pool.className(I.index()) == "java/lang/Object")
      All &= ~unsigned(op::OfCast);
  }
  return All;
}

unsigned Effects::failures(const Instruction &I) const {
  unsigned All = I.opcodeInfo().Failures;
  if (!All)
    return 0;
  switch (I.op()) {
  case irop::Const:
    return I.isPure() ? 0 : All;
  case irop::Return:
    return Locks || IsSynchronized ? All : 0;
  case irop::FieldAccess:
    All = ofField(I);
    break;
  case irop::New:
  case irop::ClassOp:
    All = ofClass(I, All);
    break;
  case irop::Plain:
    if (All & op::OfArith && isNonZero(*I.operand(1)))
      All &= ~unsigned(op::OfArith);
    break;
  default:
    break;
  }
  if (All & op::OfNull && !I.operands().empty() && isNonNull(*I.operand(0)))
    All &= ~unsigned(op::OfNull);
  if (All & op::OfSize && I.operands().size() == 1)
    if (auto Length = intConstant(*I.operand(0)); Length && *Length >= 0)
      All &= ~unsigned(op::OfSize);
  return All;
}

bool Effects::isRemovable(const Instruction &I) const {
  switch (I.op()) {
  case irop::Const:
  case irop::LocalGet:
    return I.isPure();
  case irop::FieldAccess: {
    if (isWrite(I))
      return false;
    const Field *F = ownField(I);
    return F && !F->is(ACC_VOLATILE) && !failures(I);
  }
  case irop::Plain:
  case irop::ClassOp:
  case irop::NewArray:
    return !I.type().isVoid() && !failures(I);
  case irop::Drop:
    return true;
  default:
    return false;
  }
}
