//===- SelfCoveringHandlers.h - Handlers that cover themselves --*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// javac has the code with which `synchronized` and `finally` end cover its own
/// beginning. What is placed there and throws each time would come to itself
/// for ever; where nothing covers it, it would leave with the lock held.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SITES_SELFCOVERINGHANDLERS_H
#define JOPT_LIB_PASSES_SITES_SELFCOVERINGHANDLERS_H

#include "jopt/IR/Model/Body.h"
#include <optional>

namespace jopt {

struct CodePatch;

/// The handlers of \p B without those whose code leads to \p B again; all that
/// it has if there are none. \p AtBeginning: it is asked of what \p B begins
/// with, where other code may have been placed in front.
const ThrowEdge *withoutOwn(Body &F, const Block &B, bool AtBeginning);

/// A place where code comes in front of an instruction. If a handler covers it
/// that begins there, what the code throws takes the place of what the handler
/// has caught, and what follows goes on with it, as if that had been caught.
class SelfCoveringHandler {
public:
  /// In front of \p I, before its block is cut for that.
  SelfCoveringHandler(Body &F, Instruction *I);

  /// The code is in front of \p Before: the instruction, or the end of a block
  /// that leads to it.
  void close(Instruction *Before);

  /// The same of \p Code, that leads to \p Rest; \p Others are the handlers
  /// that remain for what \p Code throws. Does nothing if no handler for
  /// exceptions of all types begins there, with nothing else on the stack.
  static void goOn(Body &F, Block *Code, Block *Rest, const ThrowEdge *Others);

private:
  Body &F;
  Instruction *I;
  const ThrowEdge *Others = nullptr;
  bool Covers = false;
};

/// Stores a reference into a slot.
inline bool storesObject(Opcode Op) {
  return Op == op::ASTORE || (Op >= op::ASTORE_0 && Op <= op::ASTORE_3);
}

/// A handler begins at \p BCI and covers that, so in a patched body it is a
/// site of InsertionPoint::ReplacesCaught. Nothing: such code has to be lifted.
std::optional<bool> coversItself(const CodePatch &S, const ConstantPool &Pool,
                                 uint32_t BCI);

} // namespace jopt

#endif
