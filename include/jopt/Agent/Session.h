//===- Session.h - A set of probes at work ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the options of one start or attach come to: probes, pipeline, filter.
/// Knows no JVM.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_SESSION_H
#define JOPT_AGENT_SESSION_H

#include "jopt/Agent/ClassFilter.h"
#include "jopt/Agent/Options.h"
#include "jopt/Probes/Probekit/Probekit.h"
#include "jopt/Weave/ClassWork.h"
#include <memory>

namespace jopt::agent {

/// Immutable after create(), so that any number of threads may weave at once;
/// shared by them, and gone when the last has finished.
class Session {
public:
  /// What the JVM says of itself.
  struct Surroundings {
    std::string JavaHome;               ///< where to look for javac first
    std::vector<std::string> ClassPath; ///< what fragments may refer to
    /// Internal names of those of earlier probes, which never get any.
    std::vector<std::string> ProbeClasses;
  };

  /// Reads and compiles the probes of \p Options. The error holds every
  /// finding; warnings go to \p Diags.
  static llvm::Expected<std::shared_ptr<const Session>>
  create(const AgentOptions &Options, const Surroundings &Around,
         DiagnosticEngine &Diags);

  const AgentOptions &options() const { return Options; }
  const ProbeBundle &bundle() const { return Bundle; }
  const Matcher &matcher() const { return *Match; }
  const ClassFilter &filter() const { return *Filter; }

  /// Whether some probe can select something in a class with this name and
  /// these direct interfaces. False is certain.
  bool canMatch(llvm::StringRef Name,
                llvm::ArrayRef<llvm::StringRef> Interfaces) const;

  /// Some methods may be traced in a class with this constant pool, or class
  /// file. False is certain.
  bool mayTrace(Bytes Pool) const;

  /// The class file \p Data with its probes. Fails if it is none. \p Loaded:
  /// the class is there already, so that its members must stay.
  llvm::Expected<ClassOutcome> weave(Bytes Data, bool Loaded,
                                     Dispatch How) const;
  /// \p Data with the members that weave() gives a class that is not loaded
  /// yet, and no more of what runs in its methods than they need.
  llvm::Expected<ClassOutcome> addMembers(Bytes Data) const;

  /// Classes get members that they must keep.
  bool addsMembers() const {
    return Options.Schema == SchemaPolicy::Change || Tracing;
  }

  /// Some class may ask for what is in `jopt.boot` (runtime/boot).
  bool usesLink() const { return UsesLink; }
  /// The class file \p Data has a static initialiser, and its probes have
  /// fragments for that.
  bool putsIntoInitializer(Bytes Data) const;

  /// Both make the same of every class.
  bool equals(const Session &Other) const { return Identity == Other.Identity; }

  /// The options with which `jopt` does what weave() does, one to a line, as
  /// its response files have them.
  std::string joptOptions(bool Loaded, Dispatch How) const;

  /// Methods of the class file \p Data with probes that HotSpot replaces by
  /// code of its own, so that their bytecode is skipped: name and descriptor.
  std::vector<std::string> probedIntrinsics(Bytes Data) const;

private:
  Session() = default;

  AgentOptions Options;
  bool Guards = false, UsesLink = false;
  ProbeBundle Bundle;
  PassRegistry Registry;
  /// For a class that comes, one that is there, and members alone.
  Pipeline Passes, LoadedPasses, MembersPasses;
  /// What the tracing facility is to do.
  std::optional<tf::Program> Tracing;
  ClassBytes Callees;
  std::unique_ptr<Matcher> Match;
  std::unique_ptr<ClassFilter> Filter;
  /// The options and the advices, as text.
  std::string Identity;
  ClassWork Work, LoadedWork, SiteWork, MembersWork;
  /// What addMembers() needs: the advices of static initialisers.
  AdviceSet Members;
  std::unique_ptr<Matcher> MembersMatch;
};

} // namespace jopt::agent

#endif
