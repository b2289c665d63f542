//===- ProbePoints.h - Places that coverage is about ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The places in a class file at which JaCoCo has probes, and their numbers, so
/// that what is recorded there is what JaCoCo's readers read; and others that
/// strategies tell of.
///
/// They are found in the bytes of the class file: a lifted body has no gotos,
/// and has merged what several jumps lead to.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_PROBEPOINTS_H
#define JOPT_COVERAGE_PROBEPOINTS_H

#include "jopt/IR/Model/ClassFile.h"

namespace jopt::coverage {

/// `PointSet::Segments`, from Strategies.td: what a strategy tells of.
#define GET_PointEnum_DECL
namespace pointset {
#include "jopt/Coverage/Strategies.inc"
} // namespace pointset
using PointSet = pointset::PointEnum;

/// A place at which a probe stands. Offsets are bytecode indices.
struct ProbePoint {
  enum Kinds : uint8_t {
    Fall,   ///< control falls from the instruction at From into that at To
    Jump,   ///< the jump at From is taken, to To
    Switch, ///< the switch at From goes to To, by whichever of its cases
    Leave,  ///< before the return or athrow at From, which is To as well
    Arrive  ///< before the instruction at From, which is To as well, however
            ///< control comes there: none of JaCoCo's
  };
  Kinds Kind = Fall;
  /// A line begins at To. Of a Fall: nothing but falling through comes here,
  /// and the probe stands here because that line calls something.
  bool IsLine = false;
  uint16_t From = 0, To = 0;

  bool operator==(const ProbePoint &O) const {
    return Kind == O.Kind && IsLine == O.IsLine && From == O.From && To == O.To;
  }
};

/// The points of a method: JaCoCo's probes, in JaCoCo's order, then others. At
/// a place in which a range of the exception table begins a probe stands inside
/// the range, where one ends outside.
struct MethodPoints {
  llvm::SmallVector<ProbePoint, 4> Points;
  uint32_t NumProbes = 0;
  uint32_t FirstProbe = 0; ///< its number in the class
  uint32_t FirstOther = 0; ///< that of the first of the others

  /// The number of point \p N in the class.
  uint32_t numberOf(uint32_t N) const {
    return N < NumProbes ? FirstProbe + N : FirstOther + N - NumProbes;
  }
};

/// The points of a class: the probes of all methods, then the others of all.
struct ClassPoints {
  std::vector<MethodPoints> Methods; ///< for each method of the class
  uint32_t NumProbes = 0, Count = 0;
};

/// The points of the method \p M whose code is \p Code. An error, without a
/// place, if it cannot be decoded, a jump, switch or handler leads to no
/// instruction (JVMS 4.9.1), or it has subroutines: JaCoCo copies these, and
/// numbers the copies.
llvm::Expected<MethodPoints> findPoints(PointSet Which, const ClassFile &F,
                                        const Method &M, const CodeView &Code);

/// The points of all methods of \p F as it was read. An error names the method.
llvm::Expected<ClassPoints> findPoints(PointSet Which, const ClassFile &F);

/// JaCoCo's points of \p Code, of a method of \p F that control passes from the
/// first instruction to the last, found by one look at it: lines that call
/// something, and where it is left. Nothing: it may be other code.
std::optional<MethodPoints> findStraightPoints(const ClassFile &F,
                                               const CodeView &Code);

} // namespace jopt::coverage

#endif
