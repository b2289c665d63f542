//===- DiffFuzzer.cpp - Any text as a unified diff ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reader takes only lines from a diff, and matches paths by their ends.
///
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Changes.h"
#include <cstdlib>

using namespace jopt::coverage;
using llvm::StringRef;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Text(reinterpret_cast<const char *>(Data), Size);
  auto Files = readDiff(Text);
  if (!Files) {
    llvm::consumeError(Files.takeError());
    return 0;
  }
  size_t Lines = 0;
  for (const ChangedFile &F : *Files) {
    Lines += F.Lines.size();
    const StringRef Found =
        matchSource(F.New, [](StringRef P) { return P.size() < 12; });
    if (!StringRef(F.New).ends_with(Found))
      std::abort();
  }
  if (Lines > Text.count('\n') + 1)
    std::abort();
  return 0;
}
