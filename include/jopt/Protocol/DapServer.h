//===- DapServer.h - Logpoints of an editor ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A debug adapter (Debug Adapter Protocol 1.65) on standard input and output
/// that never stops a program: a breakpoint with a message is a logpoint. `jopt
/// line` writes a probe file for each, and one process puts all of them in.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROTOCOL_DAPSERVER_H
#define JOPT_PROTOCOL_DAPSERVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace jopt::protocol {

/// The class that has line \p Line, counted from 1, of the source file \p Path
/// with the content \p Text: its package, by its `package` line, and the last
/// type in front of the line whose declaration is not indented; without one
/// that of the file's name, of Kotlin's files the class of their functions.
std::string classOfSource(llvm::StringRef Path, llvm::StringRef Text,
                          int64_t Line);

/// Serves an editor on standard input and output until it disconnects or the
/// process is interrupted; then ends all logpoints. \p Program is the path of
/// jopt. The exit status. For the main thread.
int serveDap(llvm::StringRef Program);

} // namespace jopt::protocol

#endif
