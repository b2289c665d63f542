//===- units-corpus.cpp - Executable units of real classes ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// units-corpus: reads paths of class files from standard input, one per line,
// and prints for each
//   class PATH
//   units START ...          for each method, in order
//   previous COUNT ...
//   names METHODNAMES
//   lines METHODLINETABLES
// which utils/check-units compares with what it makes of the files itself.
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include <iostream>

using namespace jopt;
using llvm::outs;

static llvm::Error print(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::errorCodeToError(Buffer.getError());
  auto F = readClass(toBytes((*Buffer)->getBuffer()));
  if (!F)
    return F.takeError();
  PassContext C(**F);
  const auto &Methods = C.analysis<OriginalMethods>(**F);
  const auto &Units = C.analysis<ClassUnits>(**F);
  outs() << "class " << Path << '\n';
  for (const MethodUnits &M : Units.Methods) {
    outs() << "units";
    for (const CodeUnit &U : M.Units)
      outs() << ' ' << U.Start;
    outs() << '\n';
  }
  outs() << "previous";
  for (unsigned N : Units.Previous)
    outs() << ' ' << N;
  outs() << "\nnames " << Methods.names(**F) << "\nlines " << Units.lineTables()
         << '\n';
  return llvm::Error::success();
}

int main() {
  for (std::string Path; std::getline(std::cin, Path);)
    if (llvm::Error E = print(Path)) {
      llvm::errs() << Path << ": " << llvm::toString(std::move(E)) << '\n';
      return 1;
    }
  return 0;
}
