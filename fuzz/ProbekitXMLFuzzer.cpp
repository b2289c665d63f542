//===- ProbekitXMLFuzzer.cpp - Any bytes as a Probekit file ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEndFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  jopt::fuzz::run(jopt::ProbekitFrontEnd, "x.xml",
                  {reinterpret_cast<const char *>(Data), Size});
  return 0;
}
