//===- SQLVerbs.cpp - Recorded data in DuckDB -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SQLVerbs.h"
#include "CoverageVerbs.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Expected;
using llvm::StringRef;

bool data::isForSQL(StringRef Verb, StringRef Format) {
  return Verb == "sql" || (Verb == "export" && Format == "parquet");
}

Expected<int> data::runSQL(StringRef Verb, llvm::ArrayRef<std::string> Inputs,
                           StringRef Output, StringRef Format, StringRef Run) {
  const bool IsQuery = Verb == "sql";
  if (Inputs.size() < (IsQuery ? 2 : 1))
    return makeError(IsQuery ? "sql wants folders and a statement"
                             : "export wants folders");
  if (IsQuery && !Format.empty() && Format != "text" && Format != "csv" &&
      Format != "json")
    return makeError("-format= of sql wants text, csv or json, not '" + Format +
                     "'");
  if (!IsQuery && Output.empty())
    return makeError("export wants -o=OUT");
  const std::string Program = findInstalled("lib/jopt-tables.py");
  if (Program.empty())
    return makeError("lib/jopt-tables.py, which " + Verb +
                     " runs, is not beside the folder of jopt-data");
  auto Python = llvm::sys::findProgramByName("python3");
  if (!Python)
    return makeError("there is no python3 on the path, which " + Verb +
                     " wants, with DuckDB");
  const std::string Self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&data::runSQL));
  std::vector<std::string> Words = {*Python, Program, "--jopt-data=" + Self};
  auto Add = [&](StringRef Name, StringRef Value) {
    if (!Value.empty())
      Words.push_back(("--" + Name + "=" + Value).str());
  };
  if (IsQuery) {
    Words.push_back("--query=" + Inputs.back());
    Inputs = Inputs.drop_back();
    Add("format", Format);
  }
  Add("out", Output);
  Add("run", Run);
  for (const std::string &Option : coverageOptions())
    Add("option", Option);
  Words.push_back("--");
  llvm::append_range(Words, Inputs);
  std::string Message;
  const std::vector<StringRef> Arguments(Words.begin(), Words.end());
  const int Status = llvm::sys::ExecuteAndWait(*Python, Arguments, std::nullopt,
                                               {}, 0, 0, &Message);
  if (Status < 0)
    return makeError(*Python + " did not end by itself: " + Message);
  return Status;
}
