//===- OneLinersFuzzer.cpp - Any text as a one-liner ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lib/Probes/FrontEnds.h"
#include <cstdlib>

using namespace jopt;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  ProbeInput Input;
  Input.Path =
      llvm::StringRef(reinterpret_cast<const char *>(Data), Size).str();
  if (!OneLinersFrontEnd.Recognises(Input))
    return 0;
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (D.Message.empty())
      abort();
  });
  auto P = OneLinersFrontEnd.Read(Input, ProbeOptions(), Diags);
  if (P)
    return 0;
  for (const Diagnostic &D : toDiagnostics(P.takeError()))
    if (D.Message.empty())
      abort();
  return 0;
}
