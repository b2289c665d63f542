//===- OneLinerText.h - A one-liner, read -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_ONELINERS_ONELINERTEXT_H
#define JOPT_LIB_PROBES_ONELINERS_ONELINERTEXT_H

#include "jopt/Probes/OneLiner.h"

namespace jopt::oneliner {

/// What a `target` element has.
struct TargetPattern {
  std::string Package, Class, Method, Signature;
  std::string Qualified = {}; ///< in place of package and class
  bool isOneClass() const {
    return Qualified.empty() && !llvm::StringRef(Class).contains('*') &&
           (Package == "*" || !llvm::StringRef(Package).contains('*'));
  }
};

/// The target of `class#method(parameters)`: dots, `*` for any characters,
/// `..` for any parameters, which may be left out. A class without a package is
/// one of any.
llvm::Expected<TargetPattern> readTarget(llvm::StringRef Pattern);

/// The words of a one-liner, with the defaults of its verb.
struct OneLiner {
  std::string Verb;
  std::vector<std::string> Patterns;
  std::vector<TargetPattern> Targets; ///< one for each pattern
  bool Args = false, Result = false, Self = false;
  std::string When, By;                                  ///< Java expressions
  uint64_t Limit = 0, Stack = 0, Interval = 0, Rows = 0; ///< 0: not given
};

llvm::Expected<OneLiner> read(llvm::StringRef Place);

} // namespace jopt::oneliner

#endif
