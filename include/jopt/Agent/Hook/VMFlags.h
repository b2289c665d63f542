//===- VMFlags.h - Flags of a running JVM -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a JVM keeps its flags (-XX): class JVMFlag, or Flag before Java 11, as
/// the tables say that libjvm exports for the serviceability agent (vmStructs).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_VMFLAGS_H
#define JOPT_AGENT_HOOK_VMFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <jni.h>

namespace jopt::agent {

/// The values of some flags of \p VM. A pointer is valid as long as the JVM;
/// its threads read there at any time.
class VMFlags {
public:
  VMFlags(JavaVM *VM, llvm::ArrayRef<llvm::StringRef> Names);

  /// A flag that is true or false, by its place in Names; null if the JVM has
  /// no such flag, or does not tell.
  unsigned char *flag(size_t N) const {
    return static_cast<unsigned char *>(Found[N]);
  }
  /// A flag that is a number: its lower half, where it has 64 bits. JVMs of
  /// different versions have different sizes of one flag, and only
  /// little-endian machines are supported.
  int32_t *number(size_t N) const { return static_cast<int32_t *>(Found[N]); }

private:
  llvm::SmallVector<void *, 4> Found;
};

} // namespace jopt::agent

#endif
