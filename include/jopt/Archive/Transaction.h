//===- Transaction.h - Files that appear together ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A set of output files that appears whole or not at all.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_TRANSACTION_H
#define JOPT_ARCHIVE_TRANSACTION_H

#include "jopt/Archive/Storage.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jopt {

struct InputFile;

/// The destructor removes everything that is not committed, including folders
/// that were made. What a process left that was killed goes when another one
/// stages something in the same folder.
class Transaction {
public:
  Transaction();
  Transaction(Transaction &&);
  Transaction &operator=(Transaction &&);
  ~Transaction();

  /// \p Folder shall be there after commit(), if only as an empty folder. One
  /// that is not there yet appears by a single renaming, with all that is
  /// staged below it under a path that begins with this text. Before anything
  /// is staged, and once.
  void addFolder(llvm::StringRef Folder);
  /// Whether \p Path lies in a folder that is not there yet.
  bool isInNewFolder(llvm::StringRef Path) const;

  /// Writes \p Content to a temporary file beside \p Path (its folder is made
  /// if missing), in place of what was staged for that path before. \p Mode:
  /// permission bits, 0 for the user's default. What is neither file nor folder
  /// (/dev/null, a pipe) is written by commit(). Any thread, but each path by
  /// one at a time. With \p Of, the content was made of that file at \p Path,
  /// and is in place of nothing else: see commit().
  llvm::Error stage(llvm::StringRef Path, const Rope &Content, unsigned Mode,
                    const InputFile *Of = nullptr);
  /// commit() removes the file \p Path, at last, and the folders below \p
  /// Folder that are empty then; \p Of as for stage(). One thread.
  void remove(llvm::StringRef Path, llvm::StringRef Folder,
              const InputFile *Of = nullptr);
  /// Whether anything was staged for \p Path, which is in no new folder.
  bool isStaged(llvm::StringRef Path) const;
  /// The content that was staged for \p Path.
  llvm::Expected<ByteRange> staged(llvm::StringRef Path) const;
  /// \p Content goes to standard output when committed.
  void stageStandardOutput(Rope Content);

  /// Files that something was staged in place of and that are no longer what
  /// they were when they were found, so that commit() would leave them.
  std::vector<const InputFile *> changed() const;
  /// Writes standard output and what else is no file, then renames everything
  /// to its final place. A file that somebody changed meanwhile stays as it is
  /// then: it is added to \p Left.
  llvm::Error commit(std::vector<const InputFile *> *Left = nullptr);

private:
  struct Stream {
    std::string Path; ///< "-" for standard output
    Rope Content;
  };
  llvm::Error makeFolders(llvm::StringRef Folder);
  llvm::Error setMode(int FD, llvm::StringRef Folder, unsigned Mode);
  llvm::Error writeStreams();
  llvm::Error removeOld(std::vector<const InputFile *> *Left);
  std::string temporaryFor(llvm::StringRef Path) const;
  void rollBack();

  /// Distinguishes the temporary names of this transaction from all others.
  std::string Suffix;
  std::string NewFolder;            ///< without a separator at its end
  Temporary NewContents;            ///< what is to be NewFolder
  std::unique_ptr<std::mutex> Lock; ///< for what follows
  struct Staged {
    Temporary File;
    const InputFile *Of; ///< null: whatever is there
  };
  std::map<std::string, Staged> Files; ///< outside of NewFolder, by final name
  /// Folders that are there, and the mode, if one is known, that files have
  /// there which were made with it: neither a mask nor a default of the folder
  /// takes anything from that.
  llvm::StringMap<unsigned> KnownFolders;
  std::vector<Temporary> MadeFolders;
  std::vector<Stream> Streams;
  struct Old {
    std::string Path, Folder;
    const InputFile *Of;
  };
  std::vector<Old> ToRemove;
};

} // namespace jopt

#endif
