//===- lib/Verify/CodeTables.cpp - Tables of a method body -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeVerifier.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::Twine;

bool verify::checkTables(Machine &M, bool LocalVariables) {
  const CodeView &C = M.code();
  auto IsEnd = [&](uint32_t At) {
    return At == C.Code.size() || M.isStart(At);
  };
  for (size_t I = 0, E = C.numHandlers(); I < E; ++I) {
    M.BCI = C.handlerField(I, 2);
    if (!M.isStart(C.handlerField(I, 0)) || !IsEnd(C.handlerField(I, 1)) ||
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
  if (!LocalVariables)
    return true;
  for (Bytes Table : C.LocalVariables)
    for (const uint8_t *P = Table.begin(); P != Table.end(); P += 10) {
      M.BCI = readU2(P);
      if (!M.isStart(M.BCI) || !IsEnd(M.BCI + readU2(P + 2)))
        return M.failFormat("a local variable does not start or end at an "
                            "instruction",
                            "4.7.13");
    }
  return true;
}
