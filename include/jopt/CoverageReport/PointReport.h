//===- PointReport.h - Methods, code and lines that were begun --*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The points besides JaCoCo's probes that strategies recorded, with the class
/// files of the points.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_POINTREPORT_H
#define JOPT_COVERAGEREPORT_POINTREPORT_H

#include "jopt/Data/Run.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::coverage {

/// A point of a method: its entry, the beginning of code that runs as a whole
/// unless something is thrown, or the beginning of a line.
struct RecordedPoint {
  std::string Strategy;                  ///< that recorded it
  std::string Class, Method, Descriptor; ///< as class files have them
  uint32_t Offset;                       ///< of its instruction
  int32_t Line;                          ///< -1 if it is not known
  bool IsReached;
};

/// The points of \p Runs, by classes in the order of \p Classes (folders,
/// archives, class files), strategies and methods. A point is reached if it was
/// in any run. Told is what is left out. Fails if \p Classes cannot be read.
llvm::Expected<std::vector<RecordedPoint>>
findRecordedPoints(llvm::ArrayRef<data::Run> Runs,
                   llvm::ArrayRef<std::string> Classes, data::LeftOut Tell);

/// Columns strategy, class, method, descriptor, offset, line, reached.
void writePointsCSV(llvm::ArrayRef<RecordedPoint> Points,
                    llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
