//===- VerifierFuzzer.cpp - Any bytes as a class file ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Verify/ClassVerifier.h"
#include "jopt/Verify/TypeHierarchy.h"

using namespace jopt;

/// Verifies the input, alone and as a class that is known to itself.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Bytes Class(Data, Size);
  verifyClass(Class);
  MemoryHierarchy Hierarchy;
  llvm::consumeError(Hierarchy.addClass(Class));
  VerifyOptions Options;
  Options.Hierarchy = &Hierarchy;
  for (const Finding &F : verifyClass(Class, Options))
    F.str();
  return 0;
}
