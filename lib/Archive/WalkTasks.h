//===- WalkTasks.h - What the threads of a walk do --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Open input files, and the work in them that waits for a thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_ARCHIVE_WALKTASKS_H
#define JOPT_LIB_ARCHIVE_WALKTASKS_H

#include "ContainerTree.h"

namespace jopt::walk {

/// The place of an event in the walk; the least failure is the one reported.
struct Place {
  uint64_t File = 0, Step = 0;
  bool operator<(const Place &O) const {
    return File != O.File ? File < O.File : Step < O.Step;
  }
};
constexpr uint64_t LastStep = UINT64_MAX;

/// One input file that is being worked on; or the plain files of a folder.
struct OpenFile {
  Place At;
  ContainerNode *Folder = nullptr; ///< if it lies in one
  /// The archive or single file; null for the plain files of a folder.
  std::unique_ptr<ContainerNode> Top;
  uint64_t Budget = 0;  ///< what may still be inflated of it
  uint64_t Pending = 0; ///< queued entries that are not done
};

/// A changed inner archive on its way into the outer one.
struct Repacking {
  Rope Content;
  size_t Index; ///< of its entry in the outer one
  ZipMethod Method;
  std::string Display;
  std::optional<llvm::Expected<PackedContent>> Result;
};

/// Work for a worker: an entry, or, if Inner is not null, an inner archive.
struct Task {
  OpenFile *File;
  ContainerNode *Node; ///< they write to its Changes alone
  size_t Index;
  uint64_t Ordinal;
  Place At;
  Repacking *Inner;
};

/// Tasks in a row, of which the queue has as many as an archive has entries:
/// each is the one before it, with Index, Ordinal and At.Step one higher.
struct TaskRun {
  Task Next;
  uint64_t Count = 1;

  /// Leaves the first \p N of them, of which there are as many.
  void drop(uint64_t N) {
    Next.Index += N;
    Next.Ordinal += N;
    Next.At.Step += N;
    Count -= N;
  }

  bool isFollowedBy(const Task &T) const {
    return !Next.Inner && !T.Inner && Next.File == T.File &&
           Next.Node == T.Node && Next.Index + Count == T.Index &&
           Next.Ordinal + Count == T.Ordinal && Next.At.File == T.At.File &&
           Next.At.Step + Count == T.At.Step;
  }
};

} // namespace jopt::walk

#endif
