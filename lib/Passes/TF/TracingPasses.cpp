//===- TracingPasses.cpp - Pipelines of the tracing facility --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/TracingPasses.h"

using namespace jopt;
using llvm::StringRef;

StringRef jopt::tracingPasses(TracingIdle Idle, unsigned From) {
  static constexpr StringRef Passes[3][2] = {
      {"tf-schema,tf-trace", "tf-trace"},
      {"tf-schema,tf-trace<idle=indy>", "tf-trace<idle=indy>"},
      {"tf-schema", ""}};
  return Passes[unsigned(Idle)][From - 1];
}
