//===- Scratch.h - Buffers of the lifter ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory that lifting a method needs besides the Body. It is kept from one
/// method to the next, so that lifting allocates nothing but IR.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_SCRATCH_H
#define JOPT_LIB_READER_SCRATCH_H

#include "BlockLifter.h"
#include "StackMap.h"
#include "jopt/Bytecode/ControlFlow.h"

namespace jopt {

struct LiftScratch {
  CodeView Code;
  CodeLeaders Leaders;
  LiftState State;
  std::vector<StackMapFrame> Frames;
  std::vector<uint32_t> IndexAt; ///< by bytecode index; only at leaders
  std::vector<Block *> Blocks;
};

} // namespace jopt

#endif
