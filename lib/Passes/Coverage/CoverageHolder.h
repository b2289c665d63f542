//===- CoverageHolder.h - The array of a class without constants *- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a class gets its array of Link: by a bootstrap method, of a dynamic
/// constant or of a call site. Class files before version 51 can have neither.
/// A class beside such a class has the call site, in a method that yields the
/// array: without an initialiser, which the JVM would never run again if it
/// failed for want of stack.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_COVERAGEHOLDER_H
#define JOPT_LIB_PASSES_COVERAGE_COVERAGEHOLDER_H

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Passes/CompanionClass.h"

namespace jopt {

/// Class files have call sites from this version on, and dynamic constants.
inline constexpr unsigned FirstWithCallSites = 51, FirstWithConstants = 55;

/// The method of a holder, static and without parameters.
inline constexpr llvm::StringLiteral HolderMethod = "get";

/// The type of array that a class records into: its name in casts, and the
/// descriptor.
struct CoverageArray {
  llvm::StringLiteral Class, Type;
  /// The descriptor of a method that returns it.
  std::string getter() const { return ("()" + Type).str(); }
};
CoverageArray coverageArray(coverage::Elements Kind);

/// Gives \p F the bootstrap method that binds the array of \p P, placed by the
/// strategy \p Name; \p F is the holder of the class \p Of, if that is given.
/// Its number. Fails if the class's table takes no more.
llvm::Expected<uint16_t> addCoverageBootstrap(ClassFile &F,
                                              const CoveragePlan &P,
                                              llvm::StringRef Of = {});

/// Gives \p F the bootstrap method of a point that sets \p Element of the array
/// of \p P when it is linked: as a call site if \p IsSite, else as a dynamic
/// constant. \p Name is that of the strategy. Its number. Fails as
/// addCoverageBootstrap does.
llvm::Expected<uint16_t> addPointBootstrap(ClassFile &F, const CoveragePlan &P,
                                           llvm::StringRef Name,
                                           uint32_t Element, bool IsSite);

/// The internal name of the holder for the class \p Of: another one for
/// another array.
std::string holderName(llvm::StringRef Of, const CoveragePlan &P,
                       llvm::StringRef Name);

/// Makes it. Fails if its tables take no more.
llvm::Expected<CompanionClass>
makeHolder(llvm::StringRef Of, const CoveragePlan &P, llvm::StringRef Name);

/// Has the class of \p C a holder beside it, if it needs one. Why it cannot;
/// empty: all is well.
std::string addHolder(const CoveragePlan &Plan, llvm::StringRef Name,
                      PassContext &C);

/// How the class \p F gets the array of \p P: all that this takes is in its
/// pool. Fails as addCoverageBootstrap does.
llvm::Expected<ArrayLoad> addArrayLoad(ClassFile &F, const CoveragePlan &P,
                                       llvm::StringRef Name);

/// The array of \p P where \p B stands, in a class with the bootstrap method,
/// or beside its holder. Fails as addCoverageBootstrap does.
llvm::Expected<Value *> loadCoverageArray(Builder &B, Body &F,
                                          const CoveragePlan &P,
                                          llvm::StringRef Name);

/// The rate of a sample, as given to a pass.
inline int32_t rateOf(int64_t Given) {
  return int32_t(std::clamp<int64_t>(Given, 1, INT32_MAX));
}

/// Where \p B stands, adds \p Count, a long, to an element of a `long[]`.
/// \p Array and \p Element stand before it in that order, behind all else.
void addToElement(Builder &B, Instruction *Array, Instruction *Element,
                  Value *Count);

/// The same of an array of counts of either kind.
void addElement(Builder &B, coverage::Elements Kind, Instruction *Array,
                Instruction *Element, Value *Count);

/// Where \p B stands, counts an element with the chance of 1 to \p Rate, as
/// often as that. What it added, an int.
Instruction *sampleElement(Builder &B, Instruction *Array, Instruction *Element,
                           int32_t Rate);

/// Where \p B stands, sets or counts an element of an array of that kind.
/// \p Array and \p Element stand before it in that order, behind all else.
void recordElement(Builder &B, coverage::Elements Kind, Instruction *Array,
                   Instruction *Element);

} // namespace jopt

#endif
