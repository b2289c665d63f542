//===- OptionsFuzzer.cpp - Any text as options of the agent ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// These are the options of the tool too, but for their own few. Options in
/// files are left out: they would depend on the machine.
///
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/Options.h"
#include "jopt/Support/Diagnostics.h"
#include <cstdlib>

using namespace jopt;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  if (Text.contains('@') || Text.contains('\0'))
    return 0;
  auto Options = agent::parseAgentOptions(Text);
  if (!Options && toMessage(Options.takeError()).empty())
    abort();
  return 0;
}
