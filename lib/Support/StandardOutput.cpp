//===- StandardOutput.cpp - How tools end their output --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/StandardOutput.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

static const char *ToolName;

/// LLVM would abort the process when it destroys a stream that has an error.
static void checkOutput() {
  llvm::raw_fd_ostream &OS = llvm::outs();
  OS.flush();
  const std::error_code Error = OS.error();
  OS.clear_error();
  if (Error && Error != std::errc::broken_pipe) {
    llvm::errs() << ToolName << ": error: standard output: " << Error.message()
                 << '\n';
    llvm::errs().clear_error();
    ::_exit(1);
  }
  llvm::errs().clear_error();
}

void jopt::checkOutputAtEnd(const char *Tool) {
  ToolName = Tool;
  // The streams are destroyed in the reverse order, so after the check.
  llvm::outs();
  llvm::errs();
  std::atexit(checkOutput);
}
