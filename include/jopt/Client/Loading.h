//===- Loading.h - The agent and what it is asked ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_LOADING_H
#define JOPT_CLIENT_LOADING_H

#include "jopt/Client/StagingDirectory.h"
#include "jopt/Client/Target.h"
#include <map>

namespace jopt::client {

/// Files that a JVM may not see, or not be allowed to read: in memory, by their
/// absolute paths.
class CarriedFiles {
public:
  /// Of the JVM \p Pid: whether it sees the same files as this process, with
  /// the same rights, is not sure.
  explicit CarriedFiles(pid_t Pid);
  /// Reads \p Path, if it may be needed.
  llvm::Error add(const std::string &Path);
  /// The path by which \p T finds what is \p Path here: that, if it sees it,
  /// else of a copy in \p Folder.
  llvm::Expected<std::string> place(const std::string &Path, const Target &T,
                                    const StagingDirectory &Folder) const;

  /// Puts what is \p Path here into \p Folder as \p Name.
  llvm::Error copy(const std::string &Path, const StagingDirectory &Folder,
                   llvm::StringRef Name) const;

private:
  bool MayBeNeeded;
  /// The process, if it is of another user and this one is root's.
  std::optional<Process> Stranger;
  std::map<std::string, FileTree> Trees;
};

/// The answer of the agent.
struct AgentReply {
  int Status = 0;      ///< as docs/Agent.md has them; 0: done
  std::string Printed; ///< text for standard output
  std::string Said;    ///< for standard error, a line for each
};

/// The files beside the agent that it may need.
std::vector<std::string> filesOfAgent(const std::string &Library);

/// The folder for what \p T is to be given. An agent that it has, from a folder
/// that is gone, looks for its files there again.
llvm::Expected<StagingDirectory> makeFolderFor(const Target &T);

/// Has \p T load the agent \p Library, a file here, unless it has one, and
/// gives that \p Options, a line for each. \p Folder has what these name. What
/// is to be known before the answer goes to \p Say.
llvm::Expected<AgentReply> load(Target &T, const StagingDirectory &Folder,
                                const std::string &Library,
                                const CarriedFiles &Carried,
                                llvm::ArrayRef<std::string> Options,
                                std::chrono::seconds Timeout,
                                llvm::function_ref<void(llvm::StringRef)> Say);

} // namespace jopt::client

#endif
