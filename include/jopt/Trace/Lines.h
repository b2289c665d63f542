//===- Lines.h - The lines of a trace ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declarations as the lines that docs/Traces.md describes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TRACE_LINES_H
#define JOPT_TRACE_LINES_H

#include "jopt/Trace/Declarations.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::trace {

enum class Flavour : uint8_t {
  Seed,   ///< as the format says: real bytecode indices, empty operands
  Blinky, ///< as the original prints: index -1, `null` for the third operand
};

/// The numbers of the last method, event and edge that were declared.
struct LineIds {
  int64_t Methods = 0, Events = 0, Flows = 0;
};

/// The name in the column OWNER of methods of \p D.
std::string ownerName(const ClassDeclarations &D);

/// The lines of \p D: each method, and behind it its events. \p Ids goes on.
void printDeclarations(const ClassDeclarations &D, Flavour F, LineIds &Ids,
                       llvm::raw_ostream &OS);

} // namespace jopt::trace

#endif
