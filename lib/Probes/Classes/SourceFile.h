//===- SourceFile.h - Probe classes as source -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_CLASSES_SOURCEFILE_H
#define JOPT_LIB_PROBES_CLASSES_SOURCEFILE_H

#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/ProbeOptions.h"
#include "jopt/Support/Diagnostics.h"

namespace jopt::classes {

/// Compiles \p Text, of the Java file \p File, with our API on the class path.
/// Errors of javac have their places in the file; its warnings go to \p Diags.
llvm::Expected<CompiledClasses> compileSource(llvm::StringRef File,
                                              llvm::StringRef Text,
                                              const ProbeOptions &Options,
                                              DiagnosticEngine &Diags);

} // namespace jopt::classes

#endif
