//===- LineDiff.h - What changed in a text ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_LINEDIFF_H
#define JOPT_SUPPORT_LINEDIFF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt {

/// Prints the hunks of a unified diff, with \p Context equal lines around what
/// changed; nothing for equal texts. The fewest lines are shown as changed
/// (Myers 1986), but where there are thousands: then all between the first and
/// the last.
void printLineDiff(llvm::StringRef Before, llvm::StringRef After,
                   llvm::raw_ostream &OS, unsigned Context = 3);

} // namespace jopt

#endif
