//===- CompileFragments.h - Fragments to classes ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_JAVA_COMPILEFRAGMENTS_H
#define JOPT_PROBES_JAVA_COMPILEFRAGMENTS_H

#include "jopt/Probes/Java/JavaSource.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/ProbeOptions.h"

namespace jopt::java {

/// Compiles all \p Files, or takes the classes from the cache, and completes
/// their probes and advices in \p Set by what javac made of the types in them.
/// Returns the classes, sorted by path. Errors of javac come with the places in
/// the files, all of them in the error; its warnings go to \p Diags.
llvm::Expected<CompiledClasses>
compileFragments(llvm::ArrayRef<SourceFile> Files, AdviceSet &Set,
                 const JavaOptions &Java, const ProbeOptions &Options,
                 DiagnosticEngine &Diags);

} // namespace jopt::java

#endif
