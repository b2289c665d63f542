//===- WeaveRequest.h - What is to be made of a class -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_WEAVEREQUEST_H
#define JOPT_AGENT_HOOK_WEAVEREQUEST_H

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Verify/TypeHierarchy.h"

namespace jopt::agent {

/// With what a class was loaded.
struct LoadedWith {
  std::shared_ptr<const Session> By; ///< null: with nothing of ours
  Dispatch How = Dispatch::Direct;
};

/// A class to be changed and its bytes: all that weave() needs, so that it
/// never asks the JVM while it works.
struct WeaveRequest {
  /// Whose probes it gets; null: it only keeps members that it has.
  std::shared_ptr<const Session> S;
  /// With which members it was loaded, if it is there already.
  LoadedWith Members;
  WeaveMode Mode;
  Bytes Came; ///< from the JVM
  /// The same with what the JVM does not keep of loaded classes, if there is
  /// something to add.
  llvm::SmallVector<uint8_t, 0> Restored;
  /// Restored is the class with a call that has JaCoCo's array recorded
  /// (JaCoCoClass.h): it is to be handed over, whatever else is woven.
  bool IsAdopted = false;
  std::unique_ptr<MemoryHierarchy> Ancestry; ///< Mode.Ancestry

  Bytes data() const { return Restored.empty() ? Came : Bytes(Restored); }
  /// The class has members of other probes than those that it gets: they are
  /// put in first, and then it is woven as a class that is loaded already.
  bool inTwoSteps() const {
    return Members.By &&
           !(S && S->equals(*Members.By) && Mode.How == Members.How);
  }
};

struct WeaveResult {
  /// Of both steps, if there were two.
  ClassOutcome Outcome;
  /// It has what S puts into it, and not just members.
  bool HasProbes = false;
  /// An earlier JVM has made it, and these are its rows, which Outcome is
  /// without.
  std::optional<std::string> KeptRows; ///< as ReportStore packs them
  /// The bytes into which S put its probes, if not WeaveRequest::data().
  llvm::SmallVector<uint8_t, 0> WithMembers;
};

/// Does it. Fails if the bytes are no class file. Thread-safe.
llvm::Expected<WeaveResult> weave(const WeaveRequest &R);

} // namespace jopt::agent

#endif
