//===- CodeIndex.h - What is known of code that was not lifted --*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The original code of a sparse body: where its branches and frames are, and
/// what of it stays in one piece. All is in the arena of the body and never
/// changes; offsets are bytecode indices. docs/SparseBodies.md says how it
/// works.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_CODEINDEX_H
#define JOPT_IR_CODEINDEX_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/ArrayRef.h"

namespace jopt {

class Block;

/// An instruction with one branch target, and no switch.
struct OriginalJump {
  uint32_t BCI, Target;
};

/// A frame of the StackMapTable (JVM specification, 4.7.4).
struct OriginalFrame {
  uint32_t BCI;
  uint8_t Tag;    ///< frame_type
  bool HasUninit; ///< one of its types is uninitialized(offset)
  Bytes Rest;     ///< what stands behind frame_type and offset_delta
};

/// Original code with its branches, of which a pass is told no more than this.
/// Control enters it at its beginning, and inside it by its own branches and
/// those of other stretches.
struct Stretch {
  uint32_t From, To;
  /// The switch that it ends in, else To: what is behind moves when its padding
  /// does.
  uint32_t Switch;
  llvm::ArrayRef<OriginalJump> Jumps; ///< ascending
  bool MayThrow;                      ///< one of its instructions may
  bool HasMonitors;                   ///< it has a monitorenter or monitorexit
  bool Loops; ///< it branches back to code that stayed in stretches
};

/// The original code of a sparse body.
struct CodeIndex {
  Bytes Code;
  /// The blocks that were made of it, which cover it, ascending by Block::bci.
  /// Branches to where one begins enter it there.
  llvm::ArrayRef<Block *> Blocks;
  llvm::ArrayRef<OriginalFrame> Frames; ///< ascending
  /// \name The slots that the last frame, or the entry, declares
  /// @{
  unsigned NumLastLocals = 0; ///< types; a long or double is one
  /// The first of them as a frame has it; empty if it is as on entry.
  Bytes FirstLocal;
  /// @}
  /// Slot 0 holds `this` in all of it that is not lifted: no store, and every
  /// frame says so.
  bool KeepsThis = true;
};

} // namespace jopt

#endif
