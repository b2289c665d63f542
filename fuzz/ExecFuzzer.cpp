//===- ExecFuzzer.cpp - Any bytes as an exec file -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What can be read is written, and read again as the same.
///
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ExecFile.h"
#include <cstdlib>

using namespace jopt;
using namespace jopt::coverage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  CoverageData First, Again;
  if (llvm::Error E = readExec(Bytes(Data, Size), First)) {
    llvm::consumeError(std::move(E));
    return 0;
  }
  const auto Written = writeExec(First);
  llvm::cantFail(readExec(Written, Again));
  if (Written != writeExec(Again))
    std::abort();
  return 0;
}
