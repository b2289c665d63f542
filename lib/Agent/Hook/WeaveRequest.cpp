//===- WeaveRequest.cpp - What is to be made of a class -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/WeaveRequest.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;

llvm::Expected<WeaveResult> agent::weave(const WeaveRequest &R) {
  WeaveResult Result;
  Bytes Data = R.data();
  if (R.inTwoSteps()) {
    auto First = R.Members.By->addMembers(Data, R.Members.How, R.Mode.Ancestry);
    if (!First)
      return First.takeError();
    // From now on it has its members, whatever becomes of the probes.
    Result.Outcome = std::move(*First);
    if (!R.S || !Result.Outcome.Left.empty())
      return Result;
    // A class that came at stage 1 of the tracing facility has them already.
    if (Result.Outcome.Changed)
      Data = Result.Outcome.Data;
  }
  auto Woven =
      R.S->weave(Data, R.Mode, R.inTwoSteps() ? nullptr : &Result.KeptRows);
  if (!Woven) {
    if (!R.inTwoSteps())
      return Woven.takeError();
    llvm::consumeError(Woven.takeError());
    return Result;
  }
  if (R.IsAdopted && !Woven->Changed) {
    Woven->Data.assign(Data.begin(), Data.end());
    Woven->Changed = true;
  }
  if (!R.inTwoSteps() || Woven->Changed) {
    if (R.inTwoSteps() && Result.Outcome.Changed)
      Result.WithMembers = std::move(Result.Outcome.Data);
    Result.Outcome = std::move(*Woven);
    Result.HasProbes = Result.Outcome.Changed;
    return Result;
  }
  Result.Outcome.Left = std::move(Woven->Left);
  llvm::append_range(Result.Outcome.Rows.Other, Woven->Rows.Other);
  return Result;
}
