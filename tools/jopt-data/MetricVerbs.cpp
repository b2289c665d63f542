//===- MetricVerbs.cpp - OpenTelemetry by its definitions -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetricVerbs.h"
#include "CoverageVerbs.h"
#include "PythonProgram.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef Metrics = "otlp-metrics";

bool data::isForOpenTelemetry(StringRef Verb, StringRef Format,
                              StringRef Output) {
  return Verb == "export" &&
         (Format == Metrics ||
          (Format == "otlp" &&
           (Output.starts_with("http://") || Output.starts_with("https://"))));
}

Expected<int> data::runOpenTelemetry(llvm::ArrayRef<std::string> Inputs,
                                     StringRef Output, StringRef Format,
                                     StringRef Run) {
  if (Inputs.empty())
    return makeError("export wants folders");
  if (Output.empty())
    return makeError("export wants -o=OUT");
  std::vector<std::string> Words;
  addOption("signal", Format == Metrics ? "metrics" : "spans", Words);
  addOption("out", Output, Words);
  addOption("run", Run, Words);
  for (const std::string &Option : coverageOptions())
    addOption("option", Option, Words);
  Words.push_back("--");
  llvm::append_range(Words, Inputs);
  return runPython("jopt-metrics.py", ("-format=" + Format).str(), "", Words);
}
