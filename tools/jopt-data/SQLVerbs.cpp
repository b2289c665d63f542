//===- SQLVerbs.cpp - Recorded data in DuckDB -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SQLVerbs.h"
#include "CoverageVerbs.h"
#include "PythonProgram.h"
#include "jopt/Support/Diagnostics.h"

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
  std::vector<std::string> Words;
  if (IsQuery) {
    Words.push_back("--query=" + Inputs.back());
    Inputs = Inputs.drop_back();
    addOption("format", Format, Words);
  }
  addOption("out", Output, Words);
  addOption("run", Run, Words);
  for (const std::string &Option : coverageOptions())
    addOption("option", Option, Words);
  Words.push_back("--");
  llvm::append_range(Words, Inputs);
  return runPython("jopt-tables.py", Verb, ", with DuckDB", Words);
}
