//===- WeaveRequest.cpp - What is to be made of a class -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/WeaveRequest.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;

llvm::Expected<ClassOutcome> agent::weave(const WeaveRequest &R) {
  if (!R.inTwoSteps())
    return R.S->weave(R.data(), R.Mode);
  auto First =
      R.Members.By->addMembers(R.data(), R.Members.How, R.Mode.Ancestry);
  if (!First || !R.S || !First->Left.empty())
    return First;
  // A class that came at stage 1 of the tracing facility has them already.
  auto Second =
      R.S->weave(First->Changed ? Bytes(First->Data) : R.data(), R.Mode);
  if (!Second) {
    llvm::consumeError(Second.takeError());
    return First;
  }
  if (Second->Changed)
    return Second;
  // It keeps its members whatever becomes of the probes.
  First->Left = std::move(Second->Left);
  llvm::append_range(First->Rows, Second->Rows);
  return First;
}
