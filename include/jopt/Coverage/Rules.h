//===- Rules.h - From a recorded array to all points ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class records fewer elements than it has points. Its rules say how the
/// others follow. The class carries the rules as a text, so that readers of a
/// recording do not need its class file. From any thread.
///
/// The text is a row of numbers, each in groups of five bits, the lowest first:
/// the character '0' + group, 32 more if another group follows. The first
/// number is how many points there are. Then each point has a number. Its low
/// two bits say which element the point has (0: none; 1: the one behind that
/// which was named last, or 0; 2: the one that the next number names). Its
/// other bits say how many points imply this one as well. Those follow, each by
/// its distance from the point at hand: 2d forwards, 2d - 1 backwards. Where
/// not all points are JaCoCo's probes, the text begins with '!' and the number
/// of those that are; they come first. The empty text is that of an array that
/// has an element for each probe, and no other points.
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

/// The facts that imply a point: any of these.
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

/// By point: its value, from the recorded array \p Raw. Points may imply each
/// other in circles. Linear.
std::vector<uint64_t> inflate(llvm::ArrayRef<Rule> Rules,
                              llvm::ArrayRef<uint64_t> Raw);

} // namespace jopt::coverage

#endif
