//===- RangeFronts.h - Code inserted where a range begins -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether code that is inserted in front of the first instruction of an
/// exception range belongs to it. It does not, as a probe in front of a `try`
/// is none of its business, unless control comes from inside of the range:
/// - behind a monitorenter. If the code threw, the lock would stay, and HotSpot
///   compiles no method in which that could happen.
/// - where a compiler has cut a return out of a range, and its second part
///   begins. Control comes there by branches of the first part.
///
/// Placement::inFrontOf() decides the same for lifted bodies.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_RANGEFRONTS_H
#define JOPT_LIB_WRITER_RANGEFRONTS_H

#include "jopt/IR/Model/CodePatch.h"
#include "llvm/ADT/BitVector.h"

namespace jopt {

/// Of one method.
class RangeFronts {
public:
  /// Decides for the rows of the exception table of \p S. Takes time linear in
  /// the code and n log n in the rows, and next to none if no site is where a
  /// range begins.
  void collect(const CodePatch &S);
  /// Row \p N includes what is inserted in front of its first instruction.
  bool includes(size_t N) const { return N < Included.size() && Included[N]; }

private:
  llvm::BitVector Included;
};

} // namespace jopt

#endif
