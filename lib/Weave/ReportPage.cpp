//===- ReportPage.cpp - The report for a browser --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Bytes.h"
#include "jopt/Support/Page.h"
#include "jopt/Weave/Report.h"

using namespace jopt;
using llvm::StringRef;

/// Report.html.
static constexpr uint8_t Page[] = {
#include "jopt/Weave/ReportPage.inc"
};

void jopt::printReportPage(StringRef JSON, llvm::raw_ostream &OS) {
  printPage(toStringRef(Bytes(Page)), JSON, OS);
}

void Report::printHTML(const AdviceSet &A, const Matcher *Match,
                       const UnmatchedReasons &Reasons,
                       llvm::raw_ostream &OS) const {
  std::string Data;
  llvm::raw_string_ostream DataOS(Data);
  printJSON(A, Match, Reasons, DataOS, /*Indent=*/0);
  printReportPage(DataOS.str(), OS);
}
