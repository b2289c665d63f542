//===- ShortForms.cpp - Instructions without needless bytes ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizable.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_ShortForms
#include "jopt/Passes/Passes.inc"

/// Some instruction of \p M has an operand that a shorter one could have.
static bool hasLongForms(const ClassFile &F, const Method &M) {
  const Bytes Code = M.code(F.Pool);
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size(); At = I.end()) {
    if (!decodeInst(Code, At, I))
      return false;
    const bool IsAccess = (I.Op >= op::ILOAD && I.Op <= op::ALOAD) ||
                          (I.Op >= op::ISTORE && I.Op <= op::ASTORE);
    if ((IsAccess && I.Index < 4) ||
        ((I.Wide || I.Op == op::LDC_W) && I.Index < 256))
      return true;
  }
  return false;
}

bool ShortFormsPass::wants(const Method &M, PassContext &C) const {
  return mayOptimize(C.classFile(), M) &&
         (M.IR || hasLongForms(C.classFile(), M));
}

llvm::Expected<PreservedAnalyses> ShortFormsPass::run(Body &F,
                                                      PassContext &) const {
  unsigned Count = 0;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.longForm() && !I.isTerminator()) {
        I.setLongForm(false);
        ++Count;
      }
  NumShortened += Count;
  return PreservedAnalyses::changedIf(Count);
}
