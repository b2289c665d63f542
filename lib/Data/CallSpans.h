//===- CallSpans.h - Calls of a trace as spans of time ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_CALLSPANS_H
#define JOPT_LIB_DATA_CALLSPANS_H

#include "jopt/Data/Traces.h"

namespace jopt::data {

/// The name of a thread; by its number if it has none.
std::string displayName(const TracedThread &T);

/// Calls as spans that nest, in each thread on its own. A call that an
/// exception ended, and that has no event of its own, ends at the next event of
/// its thread; one that did not end, at the last one.
class CallSpans {
public:
  /// The name of a call that began before the trace.
  static constexpr llvm::StringLiteral Unknown = "[unknown]";

  virtual ~CallSpans() = default;
  /// Reads all events of \p T.
  llvm::Error run(const Traces &T, LeftOut Tell);

protected:
  /// A thread, before its first span.
  virtual void thread(const TracedThread &Of) = 0;
  /// A span begins within those of \p Of that have not ended.
  virtual void begin(const TracedThread &Of, int32_t Milliseconds,
                     llvm::StringRef Name) = 0;
  /// The innermost span of \p Of ends.
  virtual void end(const TracedThread &Of, int32_t Milliseconds) = 0;
};

} // namespace jopt::data

#endif
