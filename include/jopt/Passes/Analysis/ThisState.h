//===- ThisState.h - What becomes of this -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a method has its `this`.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_THISSTATE_H
#define JOPT_PASSES_ANALYSIS_THISSTATE_H

#include "jopt/Passes/Pass.h"
#include "llvm/ADT/BitVector.h"

namespace jopt {

/// How a method uses `this`.
struct ThisState {
  static AnalysisKey Key;
  static ThisState run(const Body &F, PassContext &C);

  /// The method is a constructor that calls super() or this().
  bool Constructor = false;
  /// Slot 0 holds `this` wherever the method is: no store, and every frame
  /// says so. Before super() it is `this`, uninitialised.
  bool Intact = false;
  /// The uninitialised `this` leaves slot 0 before super() is called.
  bool Lost = false;
  /// By Block::id(): slot 0 holds the uninitialised `this` on entry.
  llvm::BitVector Uninitialized;
};

} // namespace jopt

#endif
