//===- GCPool.cpp - Take what nobody uses out of the pool -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"

using namespace jopt;

bool GCPoolPass::begin(PassContext &C) const {
  C.get<ClassEditor>().collectPool();
  return false; // when the class is written, all is known
}

llvm::Expected<PreservedAnalyses> GCPoolPass::run(Body &, PassContext &) const {
  return PreservedAnalyses::all();
}
