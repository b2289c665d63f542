//===- TimingPoints.h - The timers of a program --------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which timers and groups of timers the annotations of a program ask for, and
/// the class that makes them: as Java source, laid out as the original lays it
/// out, or as a class file.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_TIMINGPOINTS_H
#define JOPT_TF_TIMINGPOINTS_H

#include "jopt/TF/ClassData.h"

namespace jopt::tf {

struct TimingPoints {
  struct Point {
    std::string Name, Description; ///< modified UTF-8
  };
  std::string Class; ///< internal name of the class to generate
  /// Timers, then groups, each in the order in which they are made; the first
  /// group stands for the factory itself.
  std::vector<Point> Points;
  unsigned NumTimers = 0;
  /// Which group (index in Points) contains what (the same), in the order in
  /// which it is put there; none is there twice.
  std::vector<std::pair<unsigned, unsigned>> Contents;

  bool isTimer(unsigned Point) const { return Point < NumTimers; }
  /// Indices of timers, then of groups, each sorted by name.
  std::vector<unsigned> sorted() const;
};

/// A group for each of \p Known, and a timer for each timed method of
/// \p Classes, which are the traced ones in the order of the inputs. A name
/// that several ask for is made once, with the first description. \p Class is
/// the dotted name of the class to generate. All errors are returned, joined:
/// names that are no identifiers of Java, two groups of one name, groups that
/// contain an annotation which is not known.
llvm::Expected<TimingPoints>
makeTimingPoints(llvm::StringRef Class, const AnnotationSet &Known,
                 llvm::ArrayRef<ClassData> Classes);

/// ASCII, without a date. Fails if the class would be too large for the format.
llvm::Expected<std::string> printTimingSource(const TimingPoints &T,
                                              const Packages &P);

/// The class that javac makes of the source: of version 50, so that every JVM
/// since Java 6 takes it; without debug information.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
makeTimingClass(const TimingPoints &T, const Packages &P);

} // namespace jopt::tf

#endif
