//===- DirectCalls.h - Fragments that need no wrapper -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Isolation and the guard against recursion put a wrapper around each
/// fragment (JavaOptions::wraps), which costs more than a counter. A fragment
/// that calls nothing and throws nothing can neither fail nor be entered again.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_DIRECTCALLS_H
#define JOPT_LIB_PROBES_JAVA_DIRECTCALLS_H

#include "jopt/Probes/Java/JavaSource.h"
#include "jopt/Probes/ProbeBundle.h"

namespace jopt::java {

/// Has the advices of \p Files in \p Set call the fragments themselves, if all
/// of these are such: no fragment of the package may run inside another one.
/// \p Classes: what they were compiled to.
void callDirectly(AdviceSet &Set, llvm::ArrayRef<SourceFile> Files,
                  const CompiledClasses &Classes, const JavaOptions &Java);

} // namespace jopt::java

#endif
