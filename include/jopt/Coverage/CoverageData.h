//===- CoverageData.h - What ran --------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which probes of which classes were passed, of one run or of many, as JaCoCo
/// has it: whoever recorded it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_COVERAGEDATA_H
#define JOPT_COVERAGE_COVERAGEDATA_H

#include "jopt/Coverage/EdgeGraph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace jopt::coverage {

/// A class that ran.
struct ClassCoverage {
  uint64_t Id = 0;        ///< classId of its class file
  std::string Name;       ///< internal name, in modified UTF-8
  llvm::BitVector Probes; ///< by the number of the probe: it was passed
  /// By the other points of PointSet::ProbesAndLines: the line was begun. Empty
  /// if that was not recorded.
  llvm::BitVector Lines = {};
  /// By the points of PointSet::Segments: control arrived there. Empty if that
  /// was not recorded; else Probes may be empty.
  llvm::BitVector Segments = {};
  /// By method with code: how often edges were taken; empty if none counted.
  /// That of a method is empty if it was not recorded.
  std::vector<EdgeCounts> Edges = {};
};

/// A run, or a part of one, that something was recorded in.
struct SessionInfo {
  std::string Id;              ///< in modified UTF-8
  int64_t Start = 0, Dump = 0; ///< milliseconds since 1970

  bool operator==(const SessionInfo &O) const {
    return Dump == O.Dump && Start == O.Start && Id == O.Id;
  }
  bool operator<(const SessionInfo &O) const {
    return std::tie(Dump, Start, Id) < std::tie(O.Dump, O.Start, O.Id);
  }
};

/// Classes and sessions. Adding is commutative, associative and, but for
/// counts, idempotent: the same in whatever order and however often things are
/// added. Not thread-safe.
class CoverageData {
public:
  /// A probe that any of the additions has is passed; counts add up. An error,
  /// and nothing is added, if the id is known with another name or number of
  /// probes or lines.
  llvm::Error add(const ClassCoverage &C);
  void add(const SessionInfo &S) { Sessions.push_back(S); }

  /// The class with that id; null if nothing of it ran.
  const ClassCoverage *find(uint64_t Id) const;
  /// Another class of the name ran, or this one.
  bool hasName(llvm::StringRef Name) const;
  /// The class \p Name ran, but what it recorded is not here.
  void leaveOut(llvm::StringRef Name) { ++Names[Name.str()]; }

  /// By name and id.
  std::vector<const ClassCoverage *> classes() const;
  /// By the time of their dump, each once.
  std::vector<SessionInfo> sessions() const;

private:
  std::unordered_map<uint64_t, ClassCoverage> Classes;
  std::unordered_map<std::string, unsigned> Names;
  std::vector<SessionInfo> Sessions;
};

} // namespace jopt::coverage

#endif
