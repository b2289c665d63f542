//===- TFAnnotations.h - The TF annotations of all inputs ----- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The collect stage of the tracing facility: which annotations are TF
/// annotations is known only after all inputs were seen.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DRIVER_TFANNOTATIONS_H
#define JOPT_DRIVER_TFANNOTATIONS_H

#include "jopt/Archive/Containers.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/TF/AnnotationSet.h"
#include "llvm/ADT/StringSet.h"

namespace jopt {

/// Entries of an InputSet, for several walks with the same plans for archives.
class EntrySet {
public:
  void add(const EntryInfo &E) { Keys.insert(key(E)); }
  bool contains(const EntryInfo &E) const { return Keys.contains(key(E)); }

private:
  static std::string key(const EntryInfo &E) {
    return std::to_string(E.Container->Id) + ":" + E.Name.str();
  }
  llvm::StringSet<> Keys;
};

/// The facts found in the inputs before any class is enhanced.
struct TFInputs {
  /// The library that they use; none if nothing says it.
  std::optional<tf::Packages> Library;
  tf::AnnotationSet Annotations;
  /// The entries that may be traced classes, and those that cannot be read.
  EntrySet Candidates;
  /// A class with info methods may have nestmates.
  bool InfoInNests = false;
};

/// Walks \p In without changing anything, on as many threads as \p Options
/// says, and returns the TF annotations in it: those of \p Library, or, if that
/// is none, of the library that all of them belong to; an error if they belong
/// to several. The threads affect neither the result nor the order of the
/// reports. Among annotations of one name the first in the order of the inputs
/// counts, and \p Diags gets a warning for each that differs from it. Skips
/// entries that cannot be read; the walk that enhances them reports them.
/// \p Plan, if any, selects the entries to look at.
llvm::Expected<TFInputs> collectTFAnnotations(
    const InputSet &In, std::optional<tf::Packages> Library,
    const ProcessOptions &Options, DiagnosticEngine &Diags,
    llvm::function_ref<EntryPlan(const EntryInfo &)> Plan = planByName);

} // namespace jopt

#endif
