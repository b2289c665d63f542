//===- CodeTables.cpp - Tables of a method body ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeVerifier.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::Twine;

static bool isEnd(const Machine &M, uint32_t At) {
  return At == M.code().Code.size() || M.isStart(At);
}

bool verify::checkHandlerTable(Machine &M) {
  const CodeAttribute &C = M.code();
  for (size_t I = 0, E = C.numHandlers(); I < E; ++I) {
    M.BCI = C.handlerField(I, 2);
    if (!M.isStart(C.handlerField(I, 0)) || !isEnd(M, C.handlerField(I, 1)) ||
        !M.isStart(M.BCI))
      return M.failFormat("exception table entry " + Twine(I) +
                              " does not start, end or continue at an "
                              "instruction",
                          "4.7.3");
    unsigned Class = C.handlerField(I, 3);
    if (Class) {
      VType Caught = M.Types.object(M.V.className(Class));
      if (!M.Types.isAssignable(Caught, M.Types.Throwable))
        return M.fail("exception table entry " + Twine(I) + " catches " +
                          M.Types.describe(Caught) + ", which is no Throwable",
                      "4.7.3");
    }
  }
  return true;
}

bool verify::checkTables(Machine &M) {
  if (!checkHandlerTable(M))
    return false;
  const CodeAttribute &C = M.code();
  for (Bytes Table : C.LocalVariables)
    for (const uint8_t *P = Table.begin(); P != Table.end(); P += 10) {
      M.BCI = readU2(P);
      if (!M.isStart(M.BCI) || !isEnd(M, M.BCI + readU2(P + 2)))
        return M.failFormat("a local variable does not start or end at an "
                            "instruction",
                            "4.7.13");
    }
  return true;
}
