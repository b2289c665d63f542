//===- ReadyProbes.h - Probes that come with jopt ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The library of probe classes that is installed beside the tools. Its archive
/// has an index: a line for each, of its name, its class and what it records.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_READYPROBES_H
#define JOPT_PROBES_READYPROBES_H

#include "jopt/Advice/Unmatched.h"
#include "jopt/Probes/OneLiner.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace jopt {

constexpr llvm::StringLiteral ReadyProbesJar = "lib/jopt-ready-probes.jar";

/// In front of the letters and options of a trace (`-trace=`), as a place of
/// `-probes=`.
constexpr llvm::StringLiteral TracePrefix = "trace:";

/// \p Given, a value of `-probes=`, names no file.
inline bool isNoProbeFile(llvm::StringRef Given) {
  return Given.starts_with(ReadyProbePrefix) ||
         Given.starts_with(TracePrefix) || isOneLiner(Given);
}

/// For people: a line for each of the library. Any thread.
llvm::Expected<std::string> listReadyProbes();

/// The classes of the one called \p Name, by their paths; the error says which
/// there are. Any thread.
llvm::Expected<CompiledClasses> readReadyProbe(llvm::StringRef Name);

} // namespace jopt

#endif
