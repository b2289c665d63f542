//===- StatusFile.h - The status where others find it -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_STATUSFILE_H
#define JOPT_AGENT_ATTACH_STATUSFILE_H

#include "llvm/ADT/StringRef.h"

namespace jopt::agent {

/// A file in memory, `memfd:jopt-agent`, among the descriptors of this process.
/// A process that may look into this one reads it as /proc/PID/fd/N without a
/// request, in whatever namespace it is, and it is gone with the process. If it
/// cannot be made, there is none.
class StatusFile {
public:
  StatusFile() = default;
  StatusFile(const StatusFile &) = delete;
  StatusFile &operator=(const StatusFile &) = delete;
  /// Readers see the old text or \p Text, each whole.
  void write(llvm::StringRef Text);

private:
  int FD = -1; ///< stays to the end of the process
};

} // namespace jopt::agent

#endif
