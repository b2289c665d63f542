//===- HugeMethods.h - Have HotSpot compile long methods --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// HotSpot leaves methods of more than 8,000 bytes of code to its interpreter,
/// as its flag DontCompileHugeMethods says. A method that probes bring over
/// that limit runs several times slower for ever. The flag is a byte of the
/// JVM, which is looked up at each decision about a compilation; the tables
/// that libjvm exports for the serviceability agent (vmStructs) say where it
/// is.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_HUGEMETHODS_H
#define JOPT_AGENT_HOOK_HUGEMETHODS_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"
#include <jni.h>
#include <mutex>

namespace jopt::agent {

/// Some method of the class file \p After passes HotSpot's limit, and not in
/// \p Before. False for what is no class file.
bool growsHuge(Bytes Before, Bytes After);

/// The flag of one JVM. From any thread.
class HugeMethods {
public:
  /// Has \p VM compile methods of any length from now on. True if it did not
  /// before; an error if the flag cannot be found, once.
  llvm::Expected<bool> compile(JavaVM *VM);
  /// As the JVM was before.
  void restore();

private:
  std::mutex Lock;
  bool HasLooked = false;
  unsigned char *Flag = nullptr; ///< null: not found
  bool IsCleared = false;        ///< by us
};

} // namespace jopt::agent

#endif
