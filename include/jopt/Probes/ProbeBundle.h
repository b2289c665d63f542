//===- ProbeBundle.h - What a front-end makes -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The result of a probe front-end: advices, and the classes that they call.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEBUNDLE_H
#define JOPT_PROBES_PROBEBUNDLE_H

#include "jopt/Advice/Advice.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <utility>
#include <vector>

namespace jopt {

/// Path inside an archive or a folder ("a/b/X_probe$Probe_0.class") and bytes.
using CompiledClasses =
    std::vector<std::pair<std::string, llvm::SmallVector<uint8_t, 0>>>;

/// Owns its parts; a value that passes and drivers only read.
struct ProbeBundle {
  /// Sorted by path. These classes have to be visible to every class that is
  /// probed.
  CompiledClasses Classes;
  AdviceSet Advices;
  /// By probe, the package (JVMS 4.2.1) that its classes had if no other file
  /// of probes were there, where its name depends on what else the run has;
  /// else empty. For probeIdentities().
  std::vector<std::string> Made;
  /// The classes call ProbeApiJar.
  bool UsesApi = false;
  /// A value that may be given to probes while they are at work; the classes
  /// read the system property ParamProperty + Name.
  struct Param {
    std::string Name, Type;
    std::string Value; ///< where nothing else is given when the program runs
    std::string Probe;
  };
  /// Of those probes that did not come compiled; several probes may have one of
  /// a name.
  std::vector<Param> Params;
};

/// The class beside those of the probes, in their package, with what switches
/// and wrapped fragments share: the guard against recursion is in it.
constexpr llvm::StringLiteral RuntimeClass = "jopt_probes";
/// Begins the name of a static field of a class whose methods isolate
/// fragments, a long[2] for each: how often it threw, and how much of that a
/// reader who adds up has taken. The rest of the name is that of the method.
constexpr llvm::StringLiteral FailureCount = "failed";
/// The same of one whose methods count events (-count-events): EventStripes
/// times EventStripe longs, a stripe for threads of equal hashes, so that few
/// write to one. A stripe begins with: how many events; nanoseconds that they
/// took, as far as can be told from those that were measured; and how much of
/// either a reader who adds up has taken.
constexpr llvm::StringLiteral EventCount = "events";
constexpr unsigned EventStripes = 16, EventStripe = 8;
/// Begins the system properties that give parameters values; and the static
/// method ()V by which a class with parameters reads them again.
constexpr llvm::StringLiteral ParamProperty = "jopt.param.",
                              ParamReader = "jopt$readParams";

} // namespace jopt

#endif
