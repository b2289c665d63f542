//===- Rules.h - What a recorded array says of all points -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class records fewer elements than it has points. Its rules say how the
/// others follow; it carries them as a text, so that nobody who reads what was
/// recorded needs its class file. From any thread.
///
/// The text is a row of numbers, each in groups of five bits, the lowest first:
/// the character '0' + group, 32 more if another group follows. First comes how
/// many points there are, then what each is told by: a number of which the low
/// two bits say whether it has an element (0: none, 1: the one behind that
/// which was named last, or 0; 2: the one that the next number names) and the
/// others how many points tell of it as well. Those follow, each by its
/// distance from the point at hand: 2d forwards, 2d - 1 backwards. Where not
/// all points are JaCoCo's probes, the text begins with '!' and how many are:
/// they come first. The empty text is that of an array that has an element for
/// each probe, and no other points.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_RULES_H
#define JOPT_COVERAGE_RULES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace jopt::coverage {

/// What tells that a point was passed: any of these.
struct Rule {
  std::optional<uint32_t> Element;       ///< of the recorded array
  llvm::SmallVector<uint32_t, 2> Points; ///< by number
};

/// The rules of a class: one for each point.
struct ClassRules {
  std::vector<Rule> Rules;
  uint32_t NumProbes = 0; ///< the first so many points are JaCoCo's probes
};

/// Their text; never empty.
std::string encodeRules(const ClassRules &C);

/// The rules that \p Text has for an array of \p Count elements. Fails, with
/// the offset, on what encodeRules does not write: an element or a point that
/// is not there, a number that does not end, text behind all that.
llvm::Expected<ClassRules> decodeRules(llvm::StringRef Text, uint32_t Count);

/// By point: what \p Raw, the recorded array, says of it. Points may tell of
/// each other in circles. Linear.
std::vector<uint64_t> inflate(llvm::ArrayRef<Rule> Rules,
                              llvm::ArrayRef<uint64_t> Raw);

} // namespace jopt::coverage

#endif
