//===- Dependences.h - What executions depend on ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_DEPENDENCES_H
#define JOPT_LIB_SLICE_DEPENDENCES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace jopt::slice {

/// One execution of an instruction, or several that count as one. 0: none.
using NodeId = uint32_t;

/// A place in the code of a method, over all classes (SlicedMethod::site). 0:
/// none.
using SiteId = uint32_t;

/// Something that the trace does not tell.
struct Doubt {
  enum KindTy : uint8_t {
    UntracedCall,   ///< code that is not traced was given something
    UntracedCaller, ///< the method of the site was called by such code
    Unknown,        ///< no traced code wrote what is read
    TakenByHash,    ///< an object is taken for the one of Other
    SameHash,       ///< several objects have the hash; one of them is of Other
    OtherThread,    ///< another thread wrote what is read, at Other
    BeforeSuper,    ///< code with branches, in front of super()
  };
  KindTy Kind;
  SiteId Site = 0;  ///< where
  SiteId Other = 0; ///< see Kind
};

/// The executions, and what each depends on: older ones.
class Dependences {
public:
  /// One of \p Site that depends on \p On; zeros and repetitions do not count.
  NodeId add(SiteId Site, llvm::ArrayRef<NodeId> On);
  void doubt(NodeId N, Doubt D) { Doubts[N].push_back(D); }

  size_t size() const { return Nodes.size() - 1; }
  SiteId site(NodeId N) const { return Nodes[N].Site; }

  /// Calls \p Use for all that \p From depends on, themselves included, once.
  void
  forEach(llvm::ArrayRef<NodeId> From,
          llvm::function_ref<void(NodeId, llvm::ArrayRef<Doubt>)> Use) const;

private:
  struct Node {
    SiteId Site;
    uint64_t First; ///< in On; up to that of the next node
  };
  std::vector<Node> Nodes = {{0, 0}};
  std::vector<NodeId> On;
  std::unordered_map<NodeId, std::vector<Doubt>> Doubts;
};

} // namespace jopt::slice

#endif
