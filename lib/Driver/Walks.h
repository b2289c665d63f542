//===- Walks.h - The walks of a run over its inputs -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run of jopt does with each entry of its inputs: findLowestRelease
/// looks, WeaveWalk weaves, StripWalk takes back.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_WALKS_H
#define JOPT_LIB_DRIVER_WALKS_H

#include "BundlePlacement.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Driver/Job.h"
#include "jopt/Weave/ClassWork.h"
#include "jopt/Weave/Report.h"
#include <atomic>
#include <mutex>
#include <set>

namespace jopt {

/// Which entries are looked at: with \p Filter, those that a probe can match.
class SelectingWalk : public ContainerClient {
public:
  explicit SelectingWalk(const Matcher *Filter) : Filter(Filter) {}
  EntryPlan plan(const EntryInfo &E) override;

private:
  const Matcher *Filter;
};

/// The lowest release (class-file version minus 44) of the entries of \p In
/// that a probe may go into: it decides what the fragments are compiled for. 0:
/// there is none. Kept in \p CacheFolder (FolderCache::ofUser) for as long as
/// the files of \p In are what they were.
llvm::Expected<unsigned> findLowestRelease(const InputSet &In,
                                           const Matcher &Filter,
                                           const AdviceSet &Probes,
                                           llvm::StringRef CacheFolder,
                                           const ProcessOptions &Options);

/// What walks that write share: signatures of archives.
class WritingWalk : public SelectingWalk {
public:
  WritingWalk(const JobOptions &O, const Matcher *Filter, Report &R,
              DiagnosticEngine &D)
      : SelectingWalk(Filter), Options(O), Rep(R), Diags(D) {}
  llvm::Error unreadable(const EntryInfo &E, llvm::Error Why) override;

  /// Reports what was found in entries, in their order; after the walk.
  void reportFindings();
  bool anyFinding() const { return !Findings.empty(); }

  /// Classes that an earlier run put beside woven ones are shown if these stay
  /// woven (OriginalView::keep()). They are left alone.
  bool KeepsAdded = false;

protected:
  /// Whether \p Data is such a class.
  bool leaveAdded(const EntryInfo &E, Bytes Data);
  /// To be reported by reportFindings().
  void found(const EntryInfo &E, std::vector<Diagnostic> What);
  /// \p E stays woven, though that was to be taken back.
  void leave(const EntryInfo &E, std::vector<Diagnostic> Why);
  /// Drops the signatures of \p C if its classes changed, and gives them back
  /// if these are what they were.
  llvm::Error settleSignatures(ContainerEditor &C);

  const JobOptions &Options;
  Report &Rep;
  DiagnosticEngine &Diags;
  std::mutex Lock; ///< for the members below and those of subclasses

private:
  /// Containers, by Id, that have an entry that is not what it was.
  std::set<unsigned> NotOriginal;
  std::map<uint64_t, std::vector<Diagnostic>> Findings; ///< by entries' Ordinal
};

class WeaveWalk : public WritingWalk {
public:
  WeaveWalk(const JobOptions &O, const Matcher *Filter, const ClassWork &W,
            Report &R, DiagnosticEngine &D, BundlePlacement *Placement)
      : WritingWalk(O, Filter, R, D), TheWork(W), Placement(Placement) {}

  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override;
  llvm::Error finish(ContainerEditor &C) override;

  /// Reports class files of versions that are newer than those that jopt knows,
  /// in one warning; after the walk.
  void reportNewer();

  /// The run has more than one archive, so that hashes of other modules in a
  /// module descriptor may become wrong.
  bool HasOthers = false;
  /// A class file that the user named itself changed: its probes go beside it.
  std::atomic<bool> ChangedFile{false};
  std::map<uint64_t, std::string> Modules; ///< names of probed modules
  /// Classes that others need beside them, by path in their container; of
  /// single files, by the number of the input.
  using Files = std::map<std::string, llvm::SmallVector<uint8_t, 0>>;
  std::map<unsigned, Files> LooseBeside;

private:
  void report(const EntryInfo &E, llvm::ArrayRef<Finding> Findings);
  llvm::Error dropHashes(ContainerEditor &C);
  llvm::Error addBeside(const EntryInfo &E,
                        std::vector<CompanionClass> Classes);

  void noteNewer(const EntryInfo &E, unsigned Major);

  /// Class files of newer versions: how many, and the first in order.
  struct {
    unsigned Count = 0, Major = 0;
    uint64_t Ordinal = ~uint64_t(0);
    std::string Display;
  } Newer;
  const ClassWork &TheWork;
  BundlePlacement *Placement;
  std::map<unsigned, Files> Beside; ///< by the container's Id
};

/// Walks over inputs that show their original content (OriginalView), and
/// reports woven classes without it.
class StripWalk : public WritingWalk {
public:
  StripWalk(const JobOptions &O, Report &R, DiagnosticEngine &D)
      : WritingWalk(O, nullptr, R, D) {}
  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override;
  llvm::Error finish(ContainerEditor &C) override;
};

} // namespace jopt

#endif
