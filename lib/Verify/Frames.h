//===- Frames.h - StackMapTable (4.7.4) -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_FRAMES_H
#define JOPT_LIB_VERIFY_FRAMES_H

#include "Machine.h"

namespace jopt::verify {

/// A frame that a class file declares.
struct DeclaredFrame {
  uint32_t BCI = 0;
  Frame F;
  /// The locals last found to be assignable to it.
  SlotRoot Matched = ~0u;
};

/// Reads the StackMapTable of the method \p M has begun. Frames come in the
/// order of their instructions. False after a finding. \p Fatal is set where a
/// JVM does not fall back to inference.
bool readFrames(Machine &M, std::vector<DeclaredFrame> &Out, bool &Fatal);

} // namespace jopt::verify

#endif
