//===- Inputs.h - What the user named ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The inputs of a run: files, folders and standard input, found and listed
/// once, so that several walks see the same files in the same order.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_INPUTS_H
#define JOPT_ARCHIVE_INPUTS_H

#include "jopt/Archive/Storage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <vector>

namespace jopt {

class KeyHash;

/// A regular file as it was found.
struct InputFile {
  std::string Path; ///< to open it; empty for what is no file of its own
  std::string
      Relative;        ///< in its folder, '/' between parts; else its last part
  std::string Display; ///< for messages
  uint64_t Size = 0;
  unsigned Mode = 0;
  bool IsLink = false; ///< the name is a symbolic link
  llvm::sys::fs::UniqueID Id;
  llvm::sys::TimePoint<> Time;

  /// Opens it for reading. An error if it is no longer the file that was found
  /// (another file, size or time).
  llvm::Expected<ByteRange> open() const;
  /// Whether at Path there is the file that was found, as far as its number,
  /// size and time tell.
  bool isAsFound() const;

private:
  bool isAsFound(const llvm::sys::fs::file_status &Status) const;
  friend class InputSet;
  ByteRange Content; ///< standard input, already read; a part of an image
};

/// One of the user's arguments.
struct Input {
  std::string Name; ///< as the user wrote it
  bool IsFolder = false;
  /// A run-time image of a JDK (JImage.h), which is shown as a folder of its
  /// modules. It cannot be written.
  bool IsImage = false;
  /// One for a file. For a folder all regular files below it, sorted by the
  /// bytes of Relative. Links to files are followed. Links to folders are too,
  /// except upwards.
  std::vector<InputFile> Files;

  /// The files by path, size and time of change, as they were found. False if
  /// that does not tell what is in them: they came through a pipe.
  bool addTo(KeyHash &K) const;
};

class EntryView;

class InputSet {
public:
  /// Finds the files of \p Names; "-" is standard input, which is read to a
  /// temporary file. What is neither a file nor a folder is an error. \p
  /// Threads look at files of folders; 0: as many as there are processors.
  static llvm::Expected<InputSet> open(llvm::ArrayRef<std::string> Names,
                                       unsigned Threads = 1);

  llvm::ArrayRef<Input> inputs() const { return Inputs; }
  /// The one that the user wrote as \p Name; null if there is none.
  const Input *find(llvm::StringRef Name) const;
  /// Temporary space of the run; thread-safe.
  SpillFile &spill() const { return *Spill; }

  /// Walks show entries by \p V from now on; null: as they are. It outlives
  /// them.
  void setView(const EntryView *V) { View = V; }
  const EntryView *view() const { return View; }

private:
  static llvm::Error listImage(Input &To, const ByteRange &File,
                               const llvm::sys::fs::file_status &Status,
                               SpillFile &Spill);

  std::vector<Input> Inputs;
  std::shared_ptr<SpillFile> Spill;
  const EntryView *View = nullptr;
};

} // namespace jopt

#endif
