//===- Relower.cpp - Lower everything again -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_Relower
#include "jopt/Passes/Passes.inc"

bool RelowerPass::begin(PassContext &C) const {
  C.get<ClassEditor>().encodeAll();
  return true;
}

llvm::Expected<PreservedAnalyses> RelowerPass::run(Body &,
                                                   PassContext &) const {
  ++NumMethods;
  return PreservedAnalyses::none();
}
