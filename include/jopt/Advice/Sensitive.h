//===- Sensitive.h - Methods of the JDK that take no probe ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_SENSITIVE_H
#define JOPT_ADVICE_SENSITIVE_H

#include "llvm/ADT/StringRef.h"

namespace jopt {

/// Why a probe in this method of the JDK can end a JVM, if so: those that the
/// guard against recursion and the data of fragments call themselves (thread
/// locals, boxes), and those that the JVM calls where no Java may be called
/// (linking of method handles, mounting of virtual threads, throwing of errors,
/// references). What only fragments call, such as class loading or collections,
/// is not among them: there the guard is enough. What only the guard calls is
/// left out where there is none (not \p Guarded). Says why; empty if it is
/// none.
llvm::StringRef whySensitive(llvm::StringRef ClassName, llvm::StringRef Method,
                             bool Guarded = true);

inline bool isSensitiveMethod(llvm::StringRef ClassName,
                              llvm::StringRef Method) {
  return !whySensitive(ClassName, Method).empty();
}

} // namespace jopt

#endif
