//===- VerbTable.h - The verbs of jopt --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_VERBTABLE_H
#define JOPT_TOOLS_JOPT_VERBTABLE_H

#include "../VerbHelp.h"

namespace jopt {

/// In the order of `jopt help`.
constexpr VerbHelp Verbs[] = {
#define VERB(NAME, ARGUMENTS, SHORT, WHAT, FIRST, SECOND)                      \
  {NAME, ARGUMENTS, SHORT, WHAT, {FIRST, SECOND}},
#include "Verbs.def"
};

} // namespace jopt

#endif
