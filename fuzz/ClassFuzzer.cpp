//===- ClassFuzzer.cpp - Any bytes as a class file ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Any bytes go through the class-file verifier, the reader, the lifter, the
/// IR verifier and the writer. What was accepted must come out again: an empty
/// pipeline gives the input, and what relower writes must be readable, with as
/// many methods. What verified before must verify afterwards.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PassManager.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Verify/ClassVerifier.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace jopt;

static void fail(const char *What) {
  llvm::errs() << "ClassFuzzer: " << What << '\n';
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const PassRegistry Registry;
  static const Pipeline Relower = [] {
    return llvm::cantFail(Pipeline::parse("relower", Registry));
  }();
  Bytes Input(Data, Size);
  bool Verified = verifyClass(Input).empty();
  auto Class = readClass(Input);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return 0;
  }
  auto Same = writeClass(**Class);
  if (!Same || Bytes(*Same) != Input)
    fail("an unchanged class is not its input");
  size_t Methods = (*Class)->Methods.size();
  auto Ran = runPipeline(Relower, **Class, RunOptions());
  if (!Ran) {
    llvm::consumeError(Ran.takeError());
    return 0;
  }
  WriteOptions WO;
  WO.EncodeAll = Ran->EncodeAll;
  auto Written = writeClass(**Class, WO);
  if (!Written) {
    llvm::consumeError(Written.takeError());
    return 0;
  }
  if (Verified && !verifyClass(*Written).empty())
    fail("a class that verified does not verify after relower");
  auto Again = readClass(*Written);
  if (!Again || (*Again)->Methods.size() != Methods)
    fail("the result cannot be read");
  return 0;
}
