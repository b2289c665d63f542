//===- WeaveCache.h - What earlier JVMs wove --------------------*- C++ -*-===//
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
/// build of the agent: by a hash over all of them. The results of one build
/// and set of probes are in one file.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_WEAVECACHE_H
#define JOPT_AGENT_HOOK_WEAVECACHE_H

#include "jopt/Advice/Matcher.h"
#include "jopt/Support/PackedCache.h"
#include "jopt/Weave/ClassWork.h"

namespace jopt::agent {

/// Any number of threads, and of processes, may use one folder.
class WeaveCache {
public:
  /// Opens the cache for \p Probes, a hash over the probes and their code.
  /// Fails if the folder is not the user's alone, or if the agent was linked
  /// without a build id, as nothing would distinguish two agents then.
  static llvm::Expected<std::unique_ptr<WeaveCache>>
  open(const std::string &Folder, const KeyHash &Probes);

  struct Result {
    ClassOutcome Outcome; ///< without its rows
    std::string Rows;     ///< as ReportStore packs them
  };
  /// The result that is kept under \p Key, a hash over all but build and
  /// probes, with what \p Match counted for it, which counts again.
  std::optional<Result> find(const PackedCache::Key &Key,
                             const Matcher &Match) const;
  /// Keeps \p Outcome with what \p Tally knows; not one about which there is
  /// something to be said.
  void put(const PackedCache::Key &Key, const ClassOutcome &Outcome,
           const MatchTally &Tally) const;

private:
  explicit WeaveCache(std::unique_ptr<PackedCache> Cache)
      : Cache(std::move(Cache)) {}

  std::unique_ptr<PackedCache> Cache;
};

} // namespace jopt::agent

#endif
