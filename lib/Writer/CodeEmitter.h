//===- CodeEmitter.h - Scheduled code into bytes ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Encodes what the scheduler emitted: shortest forms, branch distances, switch
/// padding; and counts the depth of the operand stack.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_CODEEMITTER_H
#define JOPT_LIB_WRITER_CODEEMITTER_H

#include "Schedule.h"

namespace jopt {

/// Encodes bodies one after another, reusing its memory.
class CodeEmitter {
public:
  /// Encodes \p S, the schedule of \p F, and sets Offset of its blocks. Fails
  /// if the code is longer than 65,535 bytes, or an instruction has parts that
  /// its format has no room for.
  llvm::Error run(Schedule &S, const Body &F);

  /// \name The result, valid until the next run
  /// @{
  Bytes code() const { return {Buffer.data(), Size}; }
  /// Where each item is, and after the last the length of the code.
  std::vector<uint32_t> Offsets;
  /// Where the `new` of each of the body's sites is; ~0u if it is gone.
  llvm::SmallVector<uint32_t, 8> SiteOffsets;
  /// Blocks behind a conditional branch that had to become two instructions,
  /// which jump there: they need a frame. Ascending ordinals.
  llvm::SmallVector<uint32_t, 0> BehindFarBranches;
  unsigned MaxStack = 0;
  /// @}

private:
  struct Fixup {
    uint32_t At, From, Item, Target;
    bool Wide;
  };

  bool encode(Schedule &S);
  uint8_t *encodeInst(uint8_t *P, const ScheduledInst &S, uint32_t Item);
  uint8_t *encodeTerminator(uint8_t *P, const Instruction &I, uint32_t Item);
  uint8_t *encodeSwitch(uint8_t *P, const Instruction &I, uint32_t Item);
  uint8_t *branch(uint8_t *P, uint32_t From, uint32_t Item, const Block *To,
                  bool Wide);
  bool resolve(const Schedule &S);

  llvm::SmallVector<uint8_t, 0> Buffer;
  uint32_t Size = 0;
  std::vector<Fixup> Fixups;
  std::vector<bool> Far; ///< by item; empty while no branch is
  const std::vector<uint32_t> *OrdinalOf = nullptr;
  const char *Problem = nullptr;
};

} // namespace jopt

#endif
