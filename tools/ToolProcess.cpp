//===- ToolProcess.cpp - How tools begin and end --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ToolProcess.h"
#include "jopt/Support/Temporary.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>

using namespace jopt;

static const char *Tool; ///< null before main()

/// Runs before the streams are destroyed, which abort if an error is left.
static void endOutputs() {
  llvm::raw_fd_ostream &Out = llvm::outs(), &Err = llvm::errs();
  Out.flush();
  const std::error_code EC = Out.error();
  Out.clear_error();
  if (EC && EC != std::errc::broken_pipe)
    Err << Tool << ": standard output: error: cannot write: " << EC.message()
        << '\n';
  Err.clear_error();
  // A reader that closed the pipe has read enough. Nobody tells handlers of
  // exit() the status, and only this changes it.
  if (EC && EC != std::errc::broken_pipe)
    std::_Exit(1);
}

/// With what needs no memory: temporary files go, whoever is at work on them.
[[noreturn]] static void endForMemory() {
  removeTemporaries();
  const char *const Name = Tool ? Tool : program_invocation_short_name;
  for (const char *Text : {Name, ": error: there is not enough memory\n"})
    if (::write(STDERR_FILENO, Text, std::strlen(Text)) < 0)
      break;
  std::_Exit(1);
}

/// Before other objects of the program are made, which takes memory.
__attribute__((constructor(101))) static void endWithoutMemory() {
  std::set_new_handler(endForMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endForMemory(); });
}

/// Occupies the numbers of streams that are closed, in a way that reading and
/// writing go on to fail.
static void keepClosed() {
  for (int Stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(Stream, F_GETFD) < 0)
      (void)::open("/dev/null", Stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void jopt::beginTool(const char *Name) {
  Tool = Name;
  keepClosed();
  // So that they outlive the handler.
  llvm::outs();
  llvm::errs();
  std::atexit(endOutputs);
}
