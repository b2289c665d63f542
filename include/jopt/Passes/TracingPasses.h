//===- TracingPasses.h - Pipelines of the tracing facility ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which passes the stages of the tracing facility are (docs/TF.md).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_TRACINGPASSES_H
#define JOPT_PASSES_TRACINGPASSES_H

#include "llvm/ADT/StringRef.h"

namespace jopt {

/// Where monitored methods of the tracing facility get their monitor from.
enum class TracingIdle : uint8_t {
  Holder, ///< a field
  Indy,   ///< a call site
  None,   ///< nowhere: stage 2 comes later, if somebody registers a monitor
};

/// The passes of the tracing facility, from stage \p From on.
llvm::StringRef tracingPasses(TracingIdle Idle, unsigned From = 1);

} // namespace jopt

#endif
