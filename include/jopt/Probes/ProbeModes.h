//===- ProbeModes.h - Which probe classes are on ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Modes of probe classes ("off:com.example.*"), and probe classes that come
/// while a program runs.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEMODES_H
#define JOPT_PROBES_PROBEMODES_H

#include "jopt/Probes/FrontEnd.h"

namespace jopt {

enum class ProbeMode {
  On,
  Off,
  Auto,    ///< on while the processor's time is measured, which jopt does not
  Disable, ///< off for good: no program can register it
};

/// That of the probe class \p Name (dotted): of \p Modes ("MODE:GLOB") the last
/// that matches counts.
ProbeMode findMode(llvm::ArrayRef<std::string> Modes, llvm::StringRef Name);

inline bool isOn(llvm::ArrayRef<std::string> Modes, llvm::StringRef Name) {
  return findMode(Modes, Name) == ProbeMode::On;
}

/// Reads the class files \p Classes, whatever their modes are. What is wrong
/// with one is in ProbePart::LeftOut; those that are no probe classes are in
/// the part alone.
llvm::Expected<ProbePart> readProbeClasses(CompiledClasses Classes,
                                           const ProbeOptions &Options);

/// The probes of \p From that \p Stays accepts, with their advices.
AdviceSet selectProbes(const AdviceSet &From,
                       llvm::function_ref<bool(const Probe &)> Stays);

} // namespace jopt

#endif
