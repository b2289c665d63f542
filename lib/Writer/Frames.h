//===- Frames.h - The StackMapTable attribute -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generates a StackMapTable (JVM specification, 4.7.4) from the signatures of
/// blocks. Needs no class hierarchy: blocks declare their slots.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_FRAMES_H
#define JOPT_LIB_WRITER_FRAMES_H

#include "CodeEmitter.h"
#include "UnsetFields.h"

namespace jopt {

/// Writes the tables of bodies one after another, reusing its memory.
class FrameWriter {
public:
  /// Generates the payload for \p F, which \p E encoded from \p S. May add
  /// class names to the pool. Fails on types that no frame can express.
  llvm::Error run(Body &F, const Schedule &S, const CodeEmitter &E);

  /// The table of a method ends here. Slots behind 65,000 locals can make a
  /// frame of 200 kB of one that says "as before, and an int": code of real
  /// programs has a hundredth of this.
  static constexpr size_t MaxBytes = 4 << 20;
  static constexpr const char *TooLarge = "its frames take more than 4 MB";

  /// \name The result, valid until the next run
  /// @{
  unsigned NumFrames = 0;
  Bytes payload() const { return Out.data(); }
  /// @}

private:
  using TypeList = llvm::SmallVector<Type, 16>;

  void slotsInside(uint32_t Ordinal, const Schedule &S, TypeList &Slots) const;
  void toFrameTypes(llvm::ArrayRef<Type> Slots, TypeList &Result,
                    bool MethodWide = true) const;
  void write(unsigned Delta, const Block &B, bool SameLocals);
  void writeUnset(const Block &B, const TypeList &Locals);
  void writeType(Type T);

  Body *F = nullptr;
  const CodeEmitter *Code = nullptr;
  ByteWriter Out;
  TypeList Previous, Current;
  UnsetFields Unset;
  /// The fields that the frame before says are unset; none where it says
  /// nothing of them, as `this` is initialised.
  std::optional<llvm::BitVector> LastUnset;
  const char *Problem = nullptr;
};

} // namespace jopt

#endif
