//===- EqualCode.h - Methods that two builds have in common -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one build of a class recorded, for another build: methods with equal
/// code keep their data.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_EQUALCODE_H
#define JOPT_COVERAGE_EQUALCODE_H

#include "jopt/Coverage/CoverageData.h"
#include "jopt/Coverage/ProbePoints.h"
#include "jopt/IR/Model/ClassFile.h"

namespace jopt::coverage {

/// The methods of a class file that have code, with the points of each.
struct ClassMethods {
  struct Method {
    std::string Name;      ///< and descriptor
    uint64_t Code = 0;     ///< a hash of its instructions and handlers
    MethodPoints Lines;    ///< PointSet::ProbesAndLines
    MethodPoints Segments; ///< PointSet::Segments
  };
  uint64_t Id = 0;
  std::string Name;
  std::vector<Method> Methods;
  uint32_t NumProbes = 0, NumLines = 0, NumSegments = 0;
};

/// Those of \p F, whose id is \p Id. Indices of the constant pool and numbers
/// of lines do not matter. An error if code cannot be decoded.
llvm::Expected<ClassMethods> readMethods(const ClassFile &F, uint64_t Id);

/// What \p Ran, recorded of \p From, says about \p To: the data of the methods
/// that have a name and code in common. \p NumEqual is how many these are.
ClassCoverage carryOver(const ClassCoverage &Ran, const ClassMethods &From,
                        const ClassMethods &To, size_t &NumEqual);

} // namespace jopt::coverage

#endif
