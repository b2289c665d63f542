//===- PlantedWriterBug.cpp - A writer that is wrong on purpose -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Linked around CodeEmitter::run in a copy of jopt for the tests: the writer
/// takes longs and doubles for one entry of the operand stack.
///
//===----------------------------------------------------------------------===//

#include "CodeEmitter.h"

using namespace jopt;

extern "C" {
/// CodeEmitter::run of the writer.
llvm::Error __real__ZN4jopt11CodeEmitter3runERNS_8ScheduleERKNS_4BodyE(
    CodeEmitter *E, Schedule &S, const Body &F);
llvm::Error __wrap__ZN4jopt11CodeEmitter3runERNS_8ScheduleERKNS_4BodyE(
    CodeEmitter *E, Schedule &S, const Body &F) {
  llvm::Error Failed =
      __real__ZN4jopt11CodeEmitter3runERNS_8ScheduleERKNS_4BodyE(E, S, F);
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions())
      if (I.type().isCategory2()) {
        E->MaxStack -= E->MaxStack > 1;
        return Failed;
      }
  return Failed;
}
}
