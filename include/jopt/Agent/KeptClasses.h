//===- KeptClasses.h - What earlier JVMs wove -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cache=FOLDER`: what weave() made of classes, for the next start of the
/// program. A result is found again for the same bytes of the class, the same
/// probes and settings, the same answers about its ancestors, and the same
/// build of the agent: by a hash over all of them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_KEPTCLASSES_H
#define JOPT_AGENT_KEPTCLASSES_H

#include "jopt/Advice/Matcher.h"
#include "jopt/Support/FolderCache.h"
#include "jopt/Weave/ClassWork.h"

namespace jopt::agent {

/// Any number of threads, and of processes, may use one folder.
class KeptClasses {
public:
  /// Fails if the folder is not the user's alone, or the agent was linked
  /// without a build id, so that nothing would tell two of them apart.
  static llvm::Expected<KeptClasses> open(const std::string &Folder);

  /// Begins the keys of all sessions of this build of the agent.
  KeyHash key() const { return Build; }

  /// The result that is kept under \p Key, with what \p Match counted for it,
  /// which counts again.
  std::optional<ClassOutcome> find(const KeyHash &Key,
                                   const Matcher &Match) const;
  /// Keeps \p Outcome with what \p Tally knows; not one about which there is
  /// something to be said.
  void put(const KeyHash &Key, const ClassOutcome &Outcome,
           const MatchTally &Tally) const;

private:
  explicit KeptClasses(FolderCache Cache) : Cache(std::move(Cache)) {}

  FolderCache Cache;
  KeyHash Build;
};

} // namespace jopt::agent

#endif
