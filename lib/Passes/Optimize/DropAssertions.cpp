//===- DropAssertions.cpp - Take Java's assertions out --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_DropAssertions
#include "jopt/Passes/Passes.inc"

/// The field that compilers make for `assert` (JLS 14.10) has this name and
/// type.
static bool hasItsName(StringRef Name, StringRef Descriptor) {
  return Name == "$assertionsDisabled" && Descriptor == "Z";
}

static bool isOfAssertions(const ClassFile &Class, const Field &F) {
  return F.is(ACC_STATIC) && F.is(ACC_FINAL) && F.is(ACC_SYNTHETIC) &&
         hasItsName(Class.name(F), Class.descriptor(F));
}

/// \p Name is a class without a name in the source, that the compiler made for
/// the outermost class that \p Class belongs to.
static bool isHelper(const ClassFile &Class, StringRef Name) {
  const Attribute *A =
      ClassFile::findAttribute(Class.Pool, Class.Attributes, "InnerClasses");
  if (!A)
    return false;
  ByteCursor R(A->Data);
  for (unsigned N = R.u2(); N && !R.failed(); --N) {
    const StringRef Inner = Class.Pool.className(R.u2());
    const bool IsUnnamed = !R.u2() & !R.u2();
    const unsigned Flags = R.u2();
    if (Inner == Name && !R.failed())
      return IsUnnamed && Flags & ACC_STATIC && Flags & ACC_SYNTHETIC;
  }
  return false;
}

/// \p I reads the field of the class itself. javac has that of interfaces in
/// another class, as an interface has no fields but public ones.
static bool readsIt(const ClassFile &Class, const Effects &E,
                    const Instruction &I) {
  if (const Field *Of = E.ownField(I))
    // An object of the class can see it uninitialised only after its
    // initialiser failed.
    return isOfAssertions(Class, *Of) && !(E.failures(I) & ~op::OfInit);
  const MemberRef Ref = Class.Pool.member(I.index());
  return Class.Access & ACC_INTERFACE && hasItsName(Ref.Name, Ref.Descriptor) &&
         isHelper(Class, Ref.Owner);
}

bool DropAssertionsPass::begin(PassContext &C) const {
  const ClassFile &Class = C.classFile();
  return Class.Access & ACC_INTERFACE ||
         llvm::any_of(Class.Fields,
                      [&](const Field &F) { return isOfAssertions(Class, F); });
}

llvm::Expected<PreservedAnalyses>
DropAssertionsPass::run(Body &F, PassContext &C) const {
  std::optional<DeadCode> D;
  unsigned Count = 0;
  for (Block &B : F.blocks())
    for (auto It = B.begin(); It != B.end();) {
      Instruction &I = *It++;
      if (I.opcode() != op::GETSTATIC || I.op() != irop::FieldAccess)
        continue;
      if (!D)
        D.emplace(F, C);
      if (!readsIt(F.classFile(), D->effects(), I))
        continue;
      Instruction *True =
          F.create(irop::Const, op::ICONST_1, Type::Int, {}, I.bci());
      True->setImm(1);
      True->setAdvice(I.advice());
      F.insert(True, &B, I.getIterator());
      D->lines().add(*True);
      B.replaceUses(&I, True);
      D->lines().erase(&I);
      ++Count;
    }
  if (!Count)
    return PreservedAnalyses::all();
  NumReads += Count;
  C.remark(F.method(), "dropped " + llvm::Twine(Count) + " assertions");
  return PreservedAnalyses::none().preserve<Effects>();
}
