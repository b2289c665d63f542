//===- ProbePoints.h - Where JaCoCo has probes ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The places in a class file at which JaCoCo has probes, and their numbers, so
/// that what is recorded there is what JaCoCo's readers read.
///
/// They are found in the bytes of the class file: a lifted body has no gotos,
/// and has merged what several jumps lead to.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_PROBEPOINTS_H
#define JOPT_COVERAGE_PROBEPOINTS_H

#include "jopt/IR/ClassFile.h"

namespace jopt::coverage {

/// A place at which a probe stands. Offsets are bytecode indices.
struct ProbePoint {
  enum Kinds : uint8_t {
    Fall,   ///< control falls from the instruction at From into that at To
    Jump,   ///< the jump at From is taken, to To
    Switch, ///< the switch at From goes to To, by whichever of its cases
    Leave   ///< before the return or athrow at From, which is To as well
  };
  Kinds Kind = Fall;
  /// Nothing but falling through comes here (Fall alone), and the probe stands
  /// here because the line that begins at To calls something.
  bool IsLine = false;
  uint16_t From = 0, To = 0;

  bool operator==(const ProbePoint &O) const {
    return Kind == O.Kind && IsLine == O.IsLine && From == O.From && To == O.To;
  }
};

/// The probes of a method: the Nth has the number First + N in the class. At a
/// place in which a range of the exception table begins the probe stands inside
/// the range, where one ends outside.
struct MethodPoints {
  uint32_t First = 0;
  std::vector<ProbePoint> Points;
};

/// The probes of a class.
struct ClassPoints {
  std::vector<MethodPoints> Methods; ///< for each method of the class
  uint32_t Count = 0;
};

/// The probes of a method whose code is \p Code. An error, without a place, if
/// it cannot be decoded, a jump, switch or handler leads to no instruction
/// (JVMS 4.9.1), or it has subroutines: JaCoCo copies these, and numbers the
/// copies.
llvm::Expected<std::vector<ProbePoint>> findProbePoints(const ClassFile &F,
                                                        const CodeView &Code);

/// The probes of all methods of \p F as it was read. An error names the method.
llvm::Expected<ClassPoints> findProbePoints(const ClassFile &F);

} // namespace jopt::coverage

#endif
