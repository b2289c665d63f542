//===- DeclaredClasses.h - Traced classes, run or not -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class declares its events when one of its methods runs for the first time.
/// Classes that were loaded and never ran are declared at the end.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_DECLAREDCLASSES_H
#define JOPT_AGENT_HOSTS_DECLAREDCLASSES_H

#include "llvm/ADT/StringRef.h"
#include <jni.h>
#include <mutex>
#include <string>
#include <vector>

namespace jopt::agent {

/// Thread-safe.
class DeclaredClasses {
public:
  /// A class was given \p Declarations (empty: none).
  void add(llvm::StringRef Declarations);
  /// Tells them to jopt.boot, once; what is there it knows.
  void declare(JNIEnv *Jni);

private:
  std::mutex Lock;
  std::vector<std::string> Texts;
};

} // namespace jopt::agent

#endif
