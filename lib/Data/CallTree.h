//===- CallTree.h - Calls by the calls that they are in ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_CALLTREE_H
#define JOPT_LIB_DATA_CALLTREE_H

#include "jopt/Data/TraceCalls.h"
#include <map>

namespace jopt::data {

/// A node for each stack of calls, below one for each thread.
class CallTree {
public:
  struct Node {
    uint32_t Above; ///< stands before it; 0, the root, for threads
    std::string Name;
    uint64_t Events = 0;
    int64_t Milliseconds = 0; ///< up to the next event of the thread
  };

  /// Counts the events of \p T.
  static llvm::Expected<CallTree> read(const Traces &T, LeftOut Tell);

  /// The first one is the root, without a name.
  llvm::ArrayRef<Node> nodes() const { return Nodes; }

private:
  void count(const TracedEvent &E);
  using Method = std::pair<uint32_t, uint32_t>;
  uint32_t child(uint32_t Above, Method M, const std::string &Name);

  std::vector<Node> Nodes{{0, ""}};
  std::map<std::pair<uint32_t, Method>, uint32_t> Children;
  struct Thread {
    uint32_t Node = 0;
    LevelStack<uint32_t> Stack; ///< nodes
    uint32_t Last = 0;          ///< the node of its last event
    int32_t Milliseconds = 0;   ///< when that was
  };
  std::map<uint32_t, Thread> Threads;
};

} // namespace jopt::data

#endif
