//===- FiltersKotlinArguments.cpp - Default arguments in Kotlin -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The method that has the defaults, `f$default`, gets bits that say which
/// arguments to use.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"
#include "jopt/Bytecode/Descriptor.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

namespace {
/// Slots [First, End).
struct SlotSpan {
  uint32_t First, End;
};
} // namespace

/// Where the bits are: a bit for each argument, 32 in each of the ints before
/// the last parameter.
static SlotSpan slotsOfBits(const FilterInput &In) {
  llvm::SmallVector<unsigned, 16> Sizes;
  MethodDescriptor D(In.descriptor());
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Sizes.push_back(slotsOf(P));
  if (Sizes.size() < 2)
    return {0, 0};
  const size_t Last = Sizes.size() - 1;
  // JaCoCo 0.8.6 knows one int.
  const size_t Ints = In.hasAllRules() ? (Last + 32) / 33 : 1;
  uint32_t End = In.M.is(ACC_STATIC) ? 0 : 1;
  for (size_t P = 0; P < Last; ++P)
    End += Sizes[P];
  return {uint32_t(End - Ints), End};
}

/// A call of the method of a superclass cannot have defaults.
static bool skipSuperCheck(CodeMatcher &M) {
  return M.is(ALOAD) && M.is(IFNULL) &&
         M.isType(NEW, "java/lang/UnsupportedOperationException") &&
         M.is(DUP) &&
         M.isText("Super calls with default arguments not supported in this "
                  "target") &&
         M.isMember(INVOKESPECIAL, "java/lang/UnsupportedOperationException",
                    "<init>", "(Ljava/lang/String;)V") &&
         M.is(ATHROW);
}

void coverage::filterKotlinArguments(const FilterInput &In, FilterOutput &Out) {
  if (!In.M.is(ACC_SYNTHETIC) ||
      !(In.name().ends_with("$default") || isKotlinDefaultConstructor(In)))
    return;
  // JaCoCo 0.8.6 stops at whatever stands before the first instruction.
  if (!In.hasAllRules() && In.Flow.place(0).IsLabel)
    return;
  CodeMatcher M(In);
  if (skipSuperCheck(M))
    Out.ignore(0, M.at());
  else
    M.moveTo(0);
  const SlotSpan Bits = slotsOfBits(In);
  // With all arguments it is not called, so not all tests can have both ways.
  while (M.is(ILOAD)) {
    const uint32_t Slot = In.Flow.inst(M.at() - 1).Index;
    if (Slot < Bits.First || Slot >= Bits.End || !M.any() || !M.is(IAND) ||
        !M.is(IFEQ))
      return;
    Out.ignore(M.at() - 1, M.at());
    M.moveTo(In.Flow.target(M.at() - 1));
  }
}
