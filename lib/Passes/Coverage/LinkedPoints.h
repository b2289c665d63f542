//===- LinkedPoints.h - Points that record when they are linked -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A point that needs to be seen once is a call site or a dynamic constant
/// whose bootstrap method sets its element. The JVM links it when control first
/// comes there; from then on its compilers see no code.
///
/// Linking runs Java code and allocates, so it may fail where a store cannot:
/// without stack or memory. A point therefore stays a store in a class
/// initialiser, in code that only handlers reach, where an exception range
/// begins or ends, and in front of one that begins before anything else may
/// throw: an error there would pass over a handler or a `finally` of the
/// program.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_LINKEDPOINTS_H
#define JOPT_LIB_PASSES_COVERAGE_LINKEDPOINTS_H

#include "CoverageHolder.h"
#include "jopt/Coverage/Plan.h"

namespace jopt {

/// The instruction of a linked point.
struct PointLink {
  uint8_t Op = 0; ///< ldc or invokedynamic; 0: the point has none
  uint16_t Index = 0, Bootstrap = 0;
};
using PointLinks = llvm::SmallVector<PointLink, 8>;

/// Makes \p F a class of version 55, which can have dynamic constants, if it is
/// one of 52 to 54 and JVMs run both alike: the later version adds nest mates,
/// by attributes (JVM specification, 4.7.28, 4.7.29), and HotSpot lets only
/// initialisers write final fields from version 53 on (6.5.putfield).
void raiseForConstants(ClassFile &F);

/// The code that points of \p M, a method of \p F, which is covered by \p P,
/// can have, if \p Wanted is what they should: call sites exist from version 51
/// on, dynamic constants from 55 on; they set elements of a `boolean[]`, and
/// each takes entries of the pool, where stores take none.
coverage::PointCode pointCodeFor(const ClassFile &F, const CoveragePlan &P,
                                 const CoveragePlan::OfMethod &M,
                                 coverage::PointCode Wanted);

/// Has the points of \p M, the plan of the method \p Of with the code
/// \p Code, link instead of store where they may.
void linkPoints(CoveragePlan::OfMethod &M, const ClassFile &F, const Method &Of,
                const CodeView &Code);

/// Adds what the linked points of \p M need to the pool of \p F, by point.
/// \p Name is that of the strategy. Fails if a table of the class takes no
/// more.
llvm::Expected<PointLinks> addPointLinks(ClassFile &F, const CoveragePlan &P,
                                         const CoveragePlan::OfMethod &M,
                                         coverage::PointCode How,
                                         llvm::StringRef Name);

} // namespace jopt

#endif
