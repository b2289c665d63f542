//===- ClassRows.cpp - The rows of the report about a class ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassRows.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;

void jopt::takeRows(PassContext &C, bool Details, ClassResult &R) {
  const ClassFile &F = C.classFile();
  if (!R.Rows.Placed.empty())
    R.Rows.Class = toDisplayUTF8(F.name());
  for (auto &[Owner, Row] : C.takeRows()) {
    if (!Details && !isProblem(Row.What) &&
        Row.What != ReportRow::CrossedOversize)
      continue;
    Row.Class = toDisplayUTF8(F.name());
    if (Owner) {
      Row.Order = Owner->Number;
      Row.Method =
          toDisplayUTF8(F.name(*Owner)) + toDisplayUTF8(F.descriptor(*Owner));
    }
    R.LeftUndone |=
        Row.What == ReportRow::LeftAlone || Row.What == ReportRow::Undone;
    R.Rows.Other.push_back(std::move(Row));
  }
  llvm::stable_sort(R.Rows.Other, [](const ReportRow &A, const ReportRow &B) {
    return A.Order < B.Order;
  });
}
