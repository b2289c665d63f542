//===- McpServer.h - Verbs as tools of a language model ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A server of the Model Context Protocol over standard input and output
/// (revisions 2024-11-05, 2025-06-18, 2025-11-25; a client of a later revision
/// falls back to these). Its tools are verbs of jopt. Each call is a process of
/// its own, bounded in time, events and bytes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROTOCOL_MCPSERVER_H
#define JOPT_PROTOCOL_MCPSERVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace jopt::protocol {

/// What a verb takes.
struct McpArgument {
  enum Type {
    Process,    ///< the number of a JVM
    Flag,       ///< true or false
    Number,     ///< 1 or more
    Text,       ///< a line
    Expression, ///< in Java, which the program evaluates
    Template,   ///< a line with expressions in braces
  };
  std::string Name, What;
  Type Is;
  /// It is needed, and stands without a name, in the order of the list.
  bool IsPositional = false;
  int64_t Default = 0, Most = 0; ///< of a Number; 0: none
};

/// A verb as a tool.
struct McpTool {
  std::string Name, What;
  std::vector<McpArgument> Arguments;
  /// It follows a JVM for a time, and takes its probes out then.
  bool Follows = false;
  /// It changes a JVM, or leaves something in it.
  bool Changes = false;
};

struct McpOptions {
  std::string Program; ///< the path of jopt
  std::string Version; ///< for clients
  /// Expressions may call methods of the program.
  bool AllowCalls = false;
  /// There are tools that change a JVM.
  bool AllowChanges = false;
};

/// Seconds that a call may follow a JVM.
constexpr int64_t DefaultSeconds = 10, MostSeconds = 300;

/// The command of jopt for a call of \p Tool with \p Given; the error is for
/// the model that made the call.
llvm::Expected<std::vector<std::string>>
makeCommand(const McpTool &Tool, const llvm::json::Object &Given,
            const McpOptions &Options);

/// The description of \p Tool as `tools/list` has it.
llvm::json::Object describeTool(const McpTool &Tool);

/// Serves a client on standard input and output until it closes them or the
/// process is interrupted; then ends all calls, whose probes leave. The exit
/// status. For the main thread.
int serveMcp(llvm::ArrayRef<McpTool> Tools, const McpOptions &Options);

/// \p Java only reads: no call, no `new`, no assignment, no lambda. A stricter
/// reading of the language than javac's: what is not understood is refused.
bool onlyReads(llvm::StringRef Java);
/// All expressions of \p Template only read; `{{` and `}}` are braces.
bool onlyReadsInBraces(llvm::StringRef Template);

} // namespace jopt::protocol

#endif
