//===- ClassFilter.h - Which classes are looked at --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decisions that need only the name of a class and its loader, so that they
/// are made before anything is parsed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_CLASSFILTER_H
#define JOPT_AGENT_HOOK_CLASSFILTER_H

#include "jopt/Agent/Attach/Options.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/StringSet.h"

namespace jopt::agent {

/// The loaders that the JVM brings, and all others.
enum class LoaderKind { Boot, Platform, System, Other };

/// Whether the class is of the JDK: what its own loaders load, and what of its
/// tools the system loader does.
bool isJdkClass(llvm::StringRef Name, LoaderKind Loader);

/// Whether \p R may name classes of the JDK; for certain not, if it names a
/// package that is none of these.
bool mayNameJdk(const TargetRule &R);

/// Immutable; refers to the advices it was made for.
class ClassFilter {
public:
  /// \p Defined: probe classes, besides those of \p Bundle.
  ClassFilter(const AgentOptions &Options, const ProbeBundle &Bundle,
              llvm::ArrayRef<std::string> Defined);

  /// Whether the class of that internal name may be changed: it is not one of
  /// the probes' or of jopt's runtime, `exclude=` does not name it, `include=`
  /// does if it is given; and a class of the JDK is named by `include=`, or a
  /// target names its package.
  /// \p Loader is asked only if that depends on it.
  bool accepts(llvm::StringRef Name,
               llvm::function_ref<LoaderKind()> Loader) const;

  /// A target names a package of the JDK, or `include=` may.
  bool targetsJdk() const;
  /// The same of the packages CorePackages, whose classes can have no call
  /// sites.
  bool targetsCore() const;

private:
  bool targets(llvm::ArrayRef<llvm::StringLiteral> Prefixes) const;
  const AdviceSet &Advices;
  std::vector<std::string> Include, Exclude;
  llvm::StringSet<> Own;
  /// Include rules with a package that is more than `*`.
  std::vector<const TargetRule *> Naming;
};

} // namespace jopt::agent

#endif
