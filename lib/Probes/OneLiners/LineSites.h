//===- LineSites.h - Where lines begin, and variables in scope --*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The places in a class file where some lines of the source begin, with the
/// variables that are in scope there. Expressions of `jopt line` name them, so
/// they are needed before the probe is written.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_ONELINERS_LINESITES_H
#define JOPT_LIB_PROBES_ONELINERS_LINESITES_H

#include "jopt/IR/Model/ClassFile.h"
#include <string>
#include <vector>

namespace jopt::oneliner {

/// A variable in scope.
struct LineVariable {
  std::string Name;
  std::string Descriptor; ///< `?` if the class does not tell
  unsigned Slot = 0;
  bool HasRow = false; ///< in the LocalVariableTable

  bool operator==(const LineVariable &O) const {
    return Name == O.Name && Descriptor == O.Descriptor && Slot == O.Slot;
  }
};

/// Where a line begins in a method.
struct LineSite {
  unsigned Line;
  /// Which of those of that line in the method, from 1; 0: all of them, as the
  /// same variables are in scope.
  unsigned Ordinal = 0;
  std::vector<LineVariable> Variables;
};

struct LineMethod {
  std::string Class; ///< internal name
  std::string Name, Descriptor;
  std::vector<LineSite> Sites; ///< by line and ordinal
};

/// No class has more variables at a place for the code of a probe.
inline constexpr size_t MaxLineVariables = 200;
/// So many places at most are probed by one command.
inline constexpr size_t MaxLineSites = 500;

/// The methods of \p Class in which a line from \p From to \p To begins. \p
/// Near gets the lines that have code and are nearest to these: below, above;
/// 0 if there is none.
std::vector<LineMethod> findLineSites(const ClassFile &Class, unsigned From,
                                      unsigned To,
                                      std::pair<unsigned, unsigned> &Near);

} // namespace jopt::oneliner

#endif
