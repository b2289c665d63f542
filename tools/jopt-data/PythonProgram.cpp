//===- PythonProgram.cpp - Verbs written in Python ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PythonProgram.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace jopt;
using llvm::Expected;
using llvm::StringRef;

void data::addOption(StringRef Name, StringRef Value,
                     std::vector<std::string> &To) {
  if (!Value.empty())
    To.push_back(("--" + Name + "=" + Value).str());
}

Expected<int> data::runPython(StringRef File, StringRef What, StringRef Wants,
                              llvm::ArrayRef<std::string> Arguments) {
  const std::string Program = findInstalled(("lib/" + File).str());
  if (Program.empty())
    return makeError("lib/" + File + ", which " + What +
                     " runs, is not beside the folder of jopt-data");
  auto Python = llvm::sys::findProgramByName("python3");
  if (!Python)
    return makeError("there is no python3 on the path, which " + What +
                     " wants" + Wants);
  const std::string Self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&data::runPython));
  std::vector<std::string> Words = {*Python, Program, "--jopt-data=" + Self};
  llvm::append_range(Words, Arguments);
  std::string Message;
  const int Status = llvm::sys::ExecuteAndWait(
      *Python, std::vector<StringRef>(Words.begin(), Words.end()), std::nullopt,
      {}, 0, 0, &Message);
  if (Status < 0)
    return makeError(*Python + " did not end by itself: " + Message);
  return Status;
}
