//===- Bundle.h - The coverage of a product ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The counters of all classes of a product, added up by source file and
/// package as JaCoCo does.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_BUNDLE_H
#define JOPT_COVERAGEREPORT_BUNDLE_H

#include "jopt/Coverage/Counters.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::coverage {

/// All that is known of a source file. A line is counted once, however many
/// classes are on it.
struct SourceCounters {
  std::string Name; ///< without folders, in modified UTF-8
  CounterSet Counted;
  LineTable Lines;
  std::vector<size_t> Classes; ///< places in PackageCounters::Classes
};

/// A package: the sum of its source files and of classes that name none.
struct PackageCounters {
  std::string Name; ///< internal, in modified UTF-8; empty for the unnamed one
  CounterSet Counted;
  /// By name, those without code too. The Lines of those with a source file are
  /// in that.
  std::vector<ClassCounters> Classes;
  std::vector<SourceCounters> Sources; ///< by name
};

/// The classes of one of several inputs.
struct ModuleCounters {
  std::string Name; ///< the part of the input's path that tells it from others
  CounterSet Counted;
  std::vector<PackageCounters> Packages; ///< by name
};

struct Bundle {
  std::string Name;
  CounterSet Counted;
  std::vector<PackageCounters> Packages; ///< by name
  /// The same classes by input, if BundleOptions::ByModule asks for it and
  /// there are several; in their order.
  std::vector<ModuleCounters> Modules;
  std::vector<SessionInfo> Sessions;
};

struct BundleOptions {
  std::string Name;
  CountOptions Count;
  /// Classes that do not count, as `a.b.C$D`; `*` matches anything.
  llvm::ArrayRef<std::string> ExcludedClasses;
  /// The text of a source file of a class, by its path as `p/A.java`; empty if
  /// it is not there. Called from one thread at a time; null: no source is
  /// read. Lines from a comment `coverage:off` up to `coverage:on` do not
  /// count.
  llvm::function_ref<std::string(llvm::StringRef)> TextOf = nullptr;
  /// Class files of tests: they do not count, but copies of inline functions in
  /// them say whether these ran.
  llvm::ArrayRef<std::string> Tests;
  bool ByModule = false; ///< count each input on its own as well
  unsigned Threads = 0;  ///< 0: as many as the machine has
};

/// Counts the classes of \p Inputs (class files, folders, archives, archives in
/// them) by \p Ran, but not synthetic ones. Among classes of one name the one
/// that ran counts, or else the first. Calls \p Tell, from one thread at a
/// time, for inputs that could not be read or counted, and for names under
/// which another class ran.
llvm::Expected<Bundle>
countClasses(llvm::ArrayRef<std::string> Inputs, const CoverageData &Ran,
             const BundleOptions &Options,
             llvm::function_ref<void(const llvm::Twine &)> Tell);

} // namespace jopt::coverage

#endif
