//===- ClassState.h - What probes keep in a class ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The changes that the probes of a class need in the class itself: static
/// fields, and advices in its static initialiser.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_CLASSSTATE_H
#define JOPT_PASSES_ANALYSIS_CLASSSTATE_H

#include "jopt/Passes/Pass.h"

namespace jopt {

/// About the class as it came; add-class-state does it.
struct ClassState {
  static AnalysisKey Key;
  static ClassState run(const ClassFile &F, PassContext &C);

  /// By probe: the name of its static field here, empty if it gets none. That
  /// is Probe::FieldPrefix with the index of the probe, or where the class has
  /// a field of that name already, the next number that is free.
  std::vector<std::string> Fields;
  /// The advices of the static initialiser, in the order in which they run.
  llvm::SmallVector<unsigned, 4> Initializers;
  /// Class files may have one method that is it (JVM specification, 2.9.2);
  /// null: it must be made.
  const Method *Initializer = nullptr;
  /// AdviceCalls::keepsStateAside.
  bool Aside = false;
  /// There is no initialiser, and there will be none: the advices run at the
  /// entry of whatever initialises the class, the first time.
  bool AtEntry = false;
  /// Why fields, or all of it, cannot be had here; empty if they can.
  std::string FieldProblem, Problem;
  /// The advices that the class has to do without, therefore.
  llvm::SmallVector<unsigned, 0> Withdrawn;

  /// There is nothing to do.
  bool empty() const {
    return Initializers.empty() &&
           llvm::all_of(Fields, [](const auto &Name) { return Name.empty(); });
  }
};

/// The serialVersionUID that the JVM computes for \p F if nothing declares it
/// and it has no static initialiser (Java Object Serialization Specification,
/// 4.6).
int64_t computeSerialVersionUID(const ClassFile &F);

/// A class that can be serialized gets a field with its computed version, into
/// which a static initialiser would go that it is about to get.
void keepSerialVersion(PassContext &C);

} // namespace jopt

#endif
