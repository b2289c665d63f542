//===- FragmentLines.h - Classes that name their probe files ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_FRAGMENTLINES_H
#define JOPT_LIB_PROBES_JAVA_FRAGMENTLINES_H

#include "jopt/Probes/Java/JavaSource.h"
#include "jopt/Probes/ProbeBundle.h"

namespace jopt::java {

/// What javac made of \p Sources tells of the files that the probes are from,
/// instead of a source that nobody has: SourceFile (JVM specification, 4.7.10)
/// and LineNumberTable (4.7.12) are rewritten, so that traces of stacks and
/// debuggers show the fragment. Classes of none of these stay as they are.
llvm::Error nameProbeFiles(CompiledClasses &Classes,
                           llvm::ArrayRef<JavaSource> Sources);

} // namespace jopt::java

#endif
