//===- StatusMetrics.cpp - What is at work, for Prometheus ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatusMetrics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using llvm::StringRef;

namespace {
/// A line of the answer that has a number.
struct StatusNumber {
  StringRef Key;
  StringRef Metric; ///< without `jopt_`
  StringRef Help;
};
} // namespace

static constexpr StatusNumber Numbers[] = {
    {"seen", "classes_seen", "Classes that the JVM handed over."},
    {"changed", "classes_changed", "Classes that got probes."},
    {"failed", "classes_failed", "Classes that were left alone as a whole."},
    {"postponed", "classes_postponed", "Classes that are left for later."},
    {"oldActivations", "old_activations", "Activations of replaced code."},
    {"newer", "classes_newer", "Classes of versions that jopt does not know."},
    {"problems", "problems", "Methods and parts that were left undone."},
    {"isolated", "exceptions_isolated",
     "Exceptions of fragments that were kept from the program."},
    {"classes", "classes_probed", "Classes that have probes now."},
};

std::string jopt::answerAsJson(StringRef Answer) {
  llvm::json::Object O;
  for (StringRef Line : llvm::split(Answer.trim('\n'), '\n')) {
    const auto [Key, Value] = Line.split(": ");
    int64_t Number;
    if (Line.empty())
      continue;
    if (Value.empty() || Key.contains(' '))
      O["message"] = llvm::json::fixUTF8(Line);
    else if (llvm::to_integer(Value, Number, 10))
      O[Key] = Number;
    else
      O[Key] = llvm::json::fixUTF8(Value);
  }
  return llvm::formatv("{0}\n", llvm::json::Value(std::move(O))).str();
}

std::string jopt::statusMetrics(pid_t Pid, StringRef Status) {
  std::string Text;
  auto Add = [&](StringRef Metric, StringRef Help, StringRef Value) {
    const std::string Name = ("jopt_" + Metric).str();
    Text += "# HELP " + Name + " " + Help.str() + "\n# TYPE " + Name +
            " gauge\n" + Name + "{pid=\"" + std::to_string(Pid) + "\"} " +
            Value.str() + "\n";
  };
  bool IsActive = false;
  for (StringRef Line : llvm::split(Status, '\n'))
    IsActive |= Line == "state: active";
  Add("active", "1 if probes are at work.", IsActive ? "1" : "0");
  for (StringRef Line : llvm::split(Status, '\n')) {
    const auto [Key, Value] = Line.split(": ");
    uint64_t Number;
    for (const StatusNumber &N : Numbers)
      if (N.Key == Key && llvm::to_integer(Value, Number, 10))
        Add(N.Metric, N.Help, Value);
  }
  return Text;
}
