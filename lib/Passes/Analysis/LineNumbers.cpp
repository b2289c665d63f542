//===- LineNumbers.cpp - Lines of original code ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/Analysis/CodeUnits.h"

using namespace jopt;

AnalysisKey LineNumbers::Key;

LineNumbers LineNumbers::run(const Body &F, PassContext &) {
  LineNumbers R;
  const ClassFile &Class = F.classFile();
  CodeView Code;
  // The offsets in a lifted body's attributes are those of the original code.
  if (!F.Patch)
    Code.Attributes.assign(F.Attributes.begin(), F.Attributes.end());
  else if (llvm::Error E =
               parseCode(Class, originalCode(Class, F.method()), Code)) {
    llvm::consumeError(std::move(E)); // a text that was not settled
    return R;
  }
  auto Entries = lineEntries(Class, Code);
  R.Entries.assign(Entries.begin(), Entries.end());
  llvm::stable_sort(R.Entries, [](const LineEntry &A, const LineEntry &B) {
    return A.Start < B.Start;
  });
  return R;
}

unsigned LineNumbers::at(int32_t BCI) const {
  auto After = llvm::partition_point(
      Entries, [&](const LineEntry &E) { return int32_t(E.Start) <= BCI; });
  return After == Entries.begin() ? 0 : std::prev(After)->Line;
}
