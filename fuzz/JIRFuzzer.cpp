//===- JIRFuzzer.cpp - Any text as IR -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text either gives an error or classes that can be verified and printed;
// classes without findings must print the same after parsing the print.
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include <cstdlib>

using namespace jopt;

static std::string print(const ClassFile &Class) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printClass(Class, OS);
  return OS.str();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto Classes = parseIR(toStringRef(Bytes(Data, Size)), "fuzz.jir");
  if (!Classes) {
    llvm::consumeError(Classes.takeError());
    return 0;
  }
  for (auto &Class : *Classes) {
    std::string Once = print(*Class);
    bool Valid = verifyClassIR(*Class).empty();
    auto Again = parseIR(Once, "again.jir");
    if (!Again) {
      std::string Error = llvm::toString(Again.takeError());
      if (Valid) {
        llvm::errs() << Error << '\n' << Once;
        std::abort();
      }
    } else if (Valid &&
               (Again->size() != 1 || print(*Again->front()) != Once)) {
      llvm::errs() << Once << "---\n" << print(*Again->front());
      std::abort();
    }
  }
  return 0;
}
