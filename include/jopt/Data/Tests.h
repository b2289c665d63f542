//===- Tests.h - What tests reached -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which elements of covered classes each test of a run reached, as
/// docs/DataFormat.md describes it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TESTS_H
#define JOPT_DATA_TESTS_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// A test that began.
struct RecordedTest {
  /// In modified UTF-8; several may have the same.
  std::string Name;
  /// It is no test, but what went on around those of a class, whose name it
  /// has.
  bool IsAround = false;
  /// It ended: what it reached is known.
  bool HasEnded = false;
  /// Others ran meanwhile, so it may not have reached all that it has.
  bool IsShared = false;
  int64_t Nanoseconds = 0;

  /// Some elements of a class that were reached.
  struct Piece {
    uint32_t Class = 0; ///< CoveredClass::Number
    uint32_t First = 0; ///< the first element, a multiple of 8
    Bytes Bits;         ///< the first one in the lowest bit
  };
  std::vector<Piece> Reached;
};

/// Calls \p Use with each test of \p R that ended, in the order in which they
/// did, then with those that did not; a test is valid during the call only.
/// Calls \p Tell for tests that are damaged or incomplete, and leaves them out.
llvm::Error
forEachTest(const Run &R, LeftOut Tell,
            llvm::function_ref<llvm::Error(const RecordedTest &)> Use);

} // namespace jopt::data

#endif
