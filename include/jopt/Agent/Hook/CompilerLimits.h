//===- CompilerLimits.h - Sizes up to which HotSpot compiles ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// HotSpot's compilers judge methods by the length of their code, and probes
/// make it longer. Methods of more than 8,000 bytes stay in the interpreter
/// (flag DontCompileHugeMethods), several times slower for ever. Calls that are
/// hot are inlined up to 325 bytes (FreqInlineSize), others up to 35
/// (MaxInlineSize). The flags are looked up at each decision, so that a running
/// JVM can be told otherwise.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_COMPILERLIMITS_H
#define JOPT_AGENT_HOOK_COMPILERLIMITS_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <jni.h>
#include <mutex>

namespace jopt::agent {

/// Some method of the class file \p After passes HotSpot's limit, and not in
/// \p Before. False for what is no class file.
bool growsHuge(Bytes Before, Bytes After);

/// The limits of one JVM. From any thread.
class CompilerLimits {
public:
  /// Has \p VM compile methods of any length from now on. True if it did not
  /// before; an error if the flag cannot be found, once.
  llvm::Expected<bool> compileHuge(JavaVM *VM);
  /// Has the limits of inlining in \p VM grow by as much as points of `once`
  /// make code grow. Linked points compile to nothing, but their bytes count.
  /// True the first time; an error if the flags cannot be found, once.
  llvm::Expected<bool> raiseInlining(JavaVM *VM);
  /// As the JVM was before.
  void restore();

private:
  /// Percent: code with points of `once` has 138 in h2, jackson, saxon, ecj.
  static constexpr int32_t Growth = 140;
  /// Somebody who set a larger one wants everything inlined.
  static constexpr int32_t Largest = 1 << 20;

  std::mutex Lock;
  bool HasLookedForHuge = false, HasLookedForInlining = false;
  unsigned char *Huge = nullptr; ///< null: not found
  bool IsHugeCleared = false;    ///< by us
  /// Flags that are larger than they were, with their old values.
  llvm::SmallVector<std::pair<int32_t *, int32_t>, 3> Raised;
};

} // namespace jopt::agent

#endif
