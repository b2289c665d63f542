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

/// Makes the classes that javac compiled from \p Sources refer to the files of
/// the probes instead of a source that nobody has. It rewrites SourceFile (JVM
/// specification, 4.7.10) and LineNumberTable (4.7.12), so that stack traces
/// and debuggers show the fragment. Other classes stay as they are.
llvm::Error nameProbeFiles(CompiledClasses &Classes,
                           llvm::ArrayRef<JavaSource> Sources);

} // namespace jopt::java

#endif
