//===- Columns.cpp - Rows as exports have them ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace jopt;
using namespace jopt::data;

std::string UniqueNames::add(llvm::StringRef Name, llvm::StringRef Before,
                             llvm::StringRef After) {
  std::string Unique = Name.str();
  for (unsigned N = 2; !Used.insert(llvm::StringRef(Unique).lower()).second;
       ++N)
    Unique = (Name + Before + llvm::Twine(N) + After).str();
  return Unique;
}

std::string data::timeText(int64_t Nanoseconds) {
  int64_t Seconds = Nanoseconds / 1000000000;
  int64_t Rest = Nanoseconds % 1000000000;
  if (Rest < 0) {
    Rest += 1000000000;
    --Seconds;
  }
  const time_t Time = time_t(Seconds);
  struct tm Parts = {};
  gmtime_r(&Time, &Parts);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << llvm::format("%04d-%02d-%02dT%02d:%02d:%02d.", Parts.tm_year + 1900,
                     Parts.tm_mon + 1, Parts.tm_mday, Parts.tm_hour,
                     Parts.tm_min, Parts.tm_sec)
     << llvm::format("%06dZ", int(Rest / 1000));
  return Text;
}

std::vector<OutColumn> data::columnsOf(const Recording &All, size_t Index) {
  const Table &T = All.tables()[Index];
  std::vector<OutColumn> Columns;
  Columns.push_back({"row of " + T.Title, true});
  std::string Parent = "parent";
  if (T.Parent >= 0)
    Parent += " (" + All.tables()[T.Parent].Title + ")";
  Columns.push_back({Parent, true});
  for (const ColumnDefinition &C : T.Columns)
    Columns.push_back({C.Title, !C.isText()});
  Columns.push_back({"start", false});
  Columns.push_back({"duration (ns)", true});
  Columns.push_back({"exception", false});
  if (T.Mask & RecordsThread)
    Columns.push_back({"thread", false});
  if (T.Mask & RecordsThreadTime)
    Columns.push_back({"cpu time (ns)", true});
  if (T.Mask & RecordsStack)
    Columns.push_back({"stack trace", false});
  if (T.Mask & RecordsCloseStack)
    Columns.push_back({"stack trace at the end", false});
  return Columns;
}

static Cell number(int64_t Value) { return {Cell::Number, Value, {}}; }

static Cell text(std::string Text) {
  return Text.empty() ? Cell() : Cell{Cell::Text, 0, std::move(Text)};
}

std::vector<Cell> data::valuesOf(const Recording &All, size_t Index,
                                 const Row &R) {
  const Table &T = All.tables()[Index];
  std::vector<Cell> Values;
  Values.push_back(number(R.Number));
  Values.push_back(R.Parent ? number(R.Parent) : Cell());
  Values.insert(Values.end(), R.Cells.begin(), R.Cells.end());
  Values.push_back(text(timeText(R.Start)));
  Values.push_back(R.Duration ? number(*R.Duration) : Cell());
  Values.push_back(text(R.Exception));
  if (T.Mask & RecordsThread)
    Values.push_back(text(R.Thread));
  if (T.Mask & RecordsThreadTime)
    Values.push_back(R.ThreadTime ? number(*R.ThreadTime) : Cell());
  if (T.Mask & RecordsStack)
    Values.push_back(text(R.Stack));
  if (T.Mask & RecordsCloseStack)
    Values.push_back(text(R.CloseStack));
  return Values;
}
