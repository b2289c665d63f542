//===- Files.cpp - Whole files --------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Files.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

llvm::Error jopt::writeFile(llvm::StringRef Path, llvm::StringRef Content) {
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Content;
    OS.close();
    EC = OS.error();
    // Left to the destructor, an error ends the process.
    OS.clear_error();
  }
  return EC ? makeError(Location(Path), EC.message()) : llvm::Error::success();
}
