//===- QuickCalls.cpp - Calls that do not wait ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuickCalls.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using namespace jopt::coverage;

/// Their methods run no code of programs if they are given none.
static bool isOfPlainValues(llvm::StringRef Class) {
  return llvm::StringSwitch<bool>(Class)
      .Cases("java/lang/String", "java/lang/StringBuilder", true)
      .Cases("java/lang/Math", "java/lang/StrictMath", true)
      .Cases("java/lang/Character", "java/lang/Integer", "java/lang/Long", true)
      .Default(false);
}

/// Primitive values, strings, and arrays of these.
static bool takesPlainValues(llvm::StringRef Descriptor) {
  constexpr llvm::StringLiteral String = "Ljava/lang/String;";
  for (llvm::StringRef Rest = Descriptor.drop_front();
       !Rest.empty() && Rest.front() != ')';) {
    if (Rest.front() == 'L' && !Rest.starts_with(String))
      return false;
    Rest = Rest.drop_front(Rest.front() == 'L' ? String.size() : 1);
  }
  return true;
}

static const Method *findOwn(const ClassFile &F, const MemberRef &R) {
  auto M = llvm::find_if(F.Methods, [&](const Method &M) {
    return F.name(M) == R.Name && F.descriptor(M) == R.Descriptor;
  });
  return M == F.Methods.end() ? nullptr : &*M;
}

/// It is short, and leads to nothing but its end.
static bool isStraight(const ClassFile &F, const Method &M) {
  constexpr size_t MostBytes = 35; // what HotSpot inlines though it is not hot
  const int At = M.codeAttribute(F.Pool);
  CodeView Code;
  if (At < 0)
    return false;
  if (llvm::Error E = parseCode(F, M.Attributes[size_t(At)].Data, Code)) {
    consumeError(std::move(E));
    return false;
  }
  if (Code.Code.size() > MostBytes || !Code.Handlers.empty())
    return false;
  DecodedInst I;
  for (uint32_t BCI = 0; BCI < Code.Code.size(); BCI = I.end()) {
    if (!decodeInst(Code.Code, BCI, I) || I.info().Cat == op::CatMonitor ||
        I.info().Cat == op::CatInvoke)
      return false;
    if (I.info().Branches && (uint32_t(I.Value) <= BCI || I.NumCases))
      return false;
  }
  return true;
}

bool coverage::isQuickCall(const ClassFile &F, const DecodedInst &I) {
  if (I.Op == op::INVOKEDYNAMIC || I.Op == op::INVOKEINTERFACE)
    return false;
  const MemberRef R = F.Pool.member(I.Index);
  if (isOfPlainValues(R.Owner))
    return takesPlainValues(R.Descriptor);
  if (R.Owner != F.name())
    return false;
  const Method *M = findOwn(F, R);
  if (!M || M->is(ACC_SYNCHRONIZED) ||
      (I.Op == op::INVOKEVIRTUAL && !M->is(ACC_FINAL) && !M->is(ACC_PRIVATE) &&
       !(F.Access & ACC_FINAL)))
    return false;
  return isStraight(F, *M);
}
