//===- Pattern.h - Patterns of probe classes --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pattern in `@MethodPattern`:
/// \code
///   -? (@annotation)? class : (@annotation)? method ( parameters ) result?
/// \endcode
/// Names are dotted; `*` matches any characters; `-` excludes. Parameters are
/// types of Java with commas between them. A `*` alone matches any list, and
/// behind other parameters any further ones.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_CLASSES_PATTERN_H
#define JOPT_LIB_PROBES_CLASSES_PATTERN_H

#include "jopt/Advice/Advice.h"

namespace jopt::classes {

/// The rule that \p Text is, with \p Text in it; the error says what is wrong
/// with it.
llvm::Expected<TargetRule> parsePattern(llvm::StringRef Text);

/// \p Patterns as a list of rules of which the first that matches decides: a
/// method is selected if some pattern includes and none excludes it. A pattern
/// whose class begins with `*` includes no class of the JDK's java.*, jdk.* and
/// sun.*; `<clinit>` is included only by its own name.
std::vector<TargetRule> toRules(llvm::ArrayRef<TargetRule> Patterns);

} // namespace jopt::classes

#endif
