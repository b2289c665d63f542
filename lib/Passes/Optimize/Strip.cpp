//===- Strip.cpp - Take tables for debuggers out of classes ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"

using namespace jopt;

bool StripPass::begin(PassContext &C) const {
  static constexpr llvm::StringLiteral Tables[] = {
      "LocalVariableTable", "LocalVariableTypeTable", "LineNumberTable"};
  const bool Lines = Options.What == StripOptions::WhatLines;
  C.get<ClassEditor>().dropCodeAttributes(
      llvm::ArrayRef(Tables).drop_back(!Lines));
  return false; // other passes still read them
}

llvm::Expected<PreservedAnalyses> StripPass::run(Body &, PassContext &) const {
  return PreservedAnalyses::all();
}
