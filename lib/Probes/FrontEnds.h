//===- FrontEnds.h - All front-ends -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_FRONTENDS_H
#define JOPT_LIB_PROBES_FRONTENDS_H

#include "jopt/Probes/FrontEnd.h"

namespace jopt {

#define FRONT_END(NAME) extern const FrontEnd NAME##FrontEnd;
#include "FrontEnds.def"

/// The format of Probekit's files, which one-liners become.
extern const java::Format ProbekitFormat;

} // namespace jopt

#endif
