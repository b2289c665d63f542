//===- Replay.h - A page that steps through a trace -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_REPLAY_H
#define JOPT_DATA_REPLAY_H

#include "jopt/Data/Traces.h"

namespace jopt::data {

/// The part of a trace to show.
struct ReplayOptions {
  /// Id or name; empty: the first thread that there is.
  std::string Thread;
  /// The first execution, by the ID that printTrace() gives it.
  uint64_t First = 1;
  /// No more than these; the page says so where there are more.
  uint64_t MaxEvents = 100000;
};

/// Writes a page of HTML, all in one file, that goes forward and back through
/// the executions of one thread of \p T. \p Source gives the text of a source
/// file by its name with the folders of its package; empty if there is none.
/// Returns how many executions of the thread are not in it.
llvm::Expected<uint64_t>
writeReplay(const Traces &T, const ReplayOptions &Options,
            llvm::function_ref<std::string(llvm::StringRef)> Source,
            llvm::raw_ostream &OS, LeftOut Tell);

} // namespace jopt::data

#endif
