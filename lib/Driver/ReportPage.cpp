//===- ReportPage.cpp - The report for a browser --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using llvm::StringRef;

/// Report.html.
static constexpr uint8_t Page[] = {
#include "jopt/Driver/Report.inc"
};

static constexpr llvm::StringLiteral Mark = "@DATA@";

void Report::printHTML(const AdviceSet &A, const Matcher *Match,
                       const UnmatchedReasons &Reasons,
                       llvm::raw_ostream &OS) const {
  std::string Data;
  llvm::raw_string_ostream DataOS(Data);
  printJSON(A, Match, Reasons, DataOS, /*Indent=*/0);
  auto [Front, Back] = toStringRef(Bytes(Page)).split(Mark);
  OS << Front;
  // A script element ends at the first end tag, also in a string.
  for (StringRef Rest = DataOS.str(); !Rest.empty();) {
    const auto [Part, Behind] = Rest.split('<');
    OS << Part;
    if (Part.size() < Rest.size())
      OS << "\\u003c";
    Rest = Behind;
  }
  OS << Back;
}

/// By bytecode index; of several entries the last one in front counts.
static uint16_t lineAt(llvm::ArrayRef<LineEntry> Lines, int32_t BCI) {
  const LineEntry *Best = nullptr;
  for (const LineEntry &L : Lines)
    if (L.Start <= BCI && (!Best || L.Start >= Best->Start))
      Best = &L;
  return Best ? Best->Line : 0;
}

void Report::addLines(std::vector<ReportRow> &Rows, Bytes Class) {
  if (llvm::all_of(Rows, [](const ReportRow &R) { return R.Sites.empty(); }))
    return;
  auto F = readClass(Class);
  if (!F) {
    llvm::consumeError(F.takeError()); // text has no lines yet
    return;
  }
  CodeView Code;
  for (const Method &M : (*F)->Methods) {
    const int At = M.codeAttribute((*F)->Pool);
    if (At < 0)
      continue;
    const std::string Name =
        toDisplayUTF8((*F)->name(M)) + toDisplayUTF8((*F)->descriptor(M));
    llvm::SmallVector<LineEntry, 64> Lines;
    for (ReportRow &R : Rows) {
      if (R.Sites.empty() || R.Method != Name)
        continue;
      if (Lines.empty()) {
        if (llvm::Error E =
                parseCode(**F, M.Attributes[size_t(At)].Data, Code)) {
          llvm::consumeError(std::move(E));
          break;
        }
        Lines = lineEntries(**F, Code);
      }
      for (ReportRow::Site &S : R.Sites)
        S.Line = S.BCI < 0 ? 0 : lineAt(Lines, S.BCI);
    }
  }
}
