//===- Interrupt.cpp - Signals that ask to stop ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Interrupt.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <csignal>

using namespace jopt;

static std::atomic<bool> WasInterrupted{false};

void jopt::catchInterrupts() {
  llvm::sys::SetInterruptFunction([] { WasInterrupted = true; });
  // LLVM would end the process where the reader of standard output went away,
  // with staged files left behind; a write that fails is an error like others.
  std::signal(SIGPIPE, SIG_IGN);
}

void jopt::catchFurtherInterrupts() {
  struct sigaction Action = {};
  Action.sa_handler = [](int) { WasInterrupted = true; };
  for (int Signal : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(Signal, &Action, nullptr);
}

bool jopt::interrupted() { return WasInterrupted; }
