//===- PerfData.h - What HotSpot tells of itself in a file ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_PERFDATA_H
#define JOPT_CLIENT_PERFDATA_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>

namespace jopt::client {

/// The texts in a file hsperfdata_USER/PID, which a JVM keeps as long as it
/// runs, unless an option turns it off: its version, arguments and main class.
class PerfData {
public:
  /// Reads \p Data, format 2.0; nothing if it is none. A JVM may be writing.
  static std::optional<PerfData> read(Bytes Data);
  /// The text called \p Name; empty if there is none.
  llvm::StringRef text(llvm::StringRef Name) const;

private:
  llvm::StringMap<std::string> Texts;
};

} // namespace jopt::client

#endif
