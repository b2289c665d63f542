//===- MakeProbe.h - Probe classes to probes --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of probe classes: which callbacks go together, what their
/// parameters may ask for, and what that is in advices.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_CLASSES_MAKEPROBE_H
#define JOPT_LIB_PROBES_CLASSES_MAKEPROBE_H

#include "ProbeClass.h"
#include "jopt/Advice/Advice.h"

namespace jopt::classes {

/// Something that keeps a class from being a probe.
struct Violation {
  unsigned Line; ///< in the source; 0: not known
  std::string Message;
};

/// All that is wrong with \p C, in its order; empty if it is a probe.
std::vector<Violation> findViolations(const ProbeClass &C);

/// Appends \p C, with which nothing is wrong, to \p Set.
void appendProbe(AdviceSet &Set, const ProbeClass &C, const Location &Where);

} // namespace jopt::classes

#endif
