//===- ControlFlow.h - Where blocks begin -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cuts code bytes into blocks: one decoding pass over the instructions.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_CONTROLFLOW_H
#define JOPT_LIB_READER_CONTROLFLOW_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/ClassFile.h"
#include <vector>

namespace jopt {

/// The leaders of a method's code: offset 0, targets, handlers, what follows a
/// branch, switch, return, throw, jsr or ret, and the borders of exception
/// ranges (frames are added by the lifter that reads them).
class ControlFlow {
public:
  /// Fails on what cannot be decoded, on targets and borders that are no
  /// instruction, and on code that runs off its end.
  llvm::Error build(const CodeView &Code);

  bool isInstruction(uint32_t BCI) const {
    return BCI < Marks.size() && (Marks[BCI] & Start);
  }
  bool isLeader(uint32_t BCI) const { return Marks[BCI] & Leader; }
  /// Entered by a jump or an exception, not only by falling through.
  bool isTarget(uint32_t BCI) const { return Marks[BCI] & Target; }
  void addLeader(uint32_t BCI) { Marks[BCI] |= Leader; }
  /// Puts all leaders, ascending, into \p To. Call after the last addLeader.
  void leaders(std::vector<uint32_t> &To) const;

private:
  enum : uint8_t { Start = 1, Leader = 2, Target = 4 };
  std::vector<uint8_t> Marks; ///< by bytecode index; a multiple of eight
  std::vector<uint32_t> Targets;
};

} // namespace jopt

#endif
