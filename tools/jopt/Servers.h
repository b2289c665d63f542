//===- Servers.h - jopt mcp, jopt dap ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_SERVERS_H
#define JOPT_TOOLS_JOPT_SERVERS_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace jopt {

/// \p Word is a verb that serves a client on standard input and output.
bool isServerVerb(llvm::StringRef Word);

/// Carries out \p Arguments, of which the first is such a verb, until the
/// client has gone: the exit status.
int runServer(llvm::ArrayRef<const char *> Arguments, DiagnosticEngine &Diags);

} // namespace jopt

#endif
