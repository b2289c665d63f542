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
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jopt {

/// The destructor removes everything that is not committed, including folders
/// that were made.
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
  /// one at a time.
  llvm::Error stage(llvm::StringRef Path, const Rope &Content, unsigned Mode);
  /// commit() removes the file \p Path, at last, and the folders below \p
  /// Folder that are empty then. One thread.
  void remove(llvm::StringRef Path, llvm::StringRef Folder);
  /// Whether anything was staged for \p Path, which is in no new folder.
  bool isStaged(llvm::StringRef Path) const;
  /// The content that was staged for \p Path.
  llvm::Expected<ByteRange> staged(llvm::StringRef Path) const;
  /// \p Content goes to standard output when committed.
  void stageStandardOutput(Rope Content);

  /// Renames everything to its final place, then writes standard output.
  llvm::Error commit();

private:
  struct Stream {
    std::string Path; ///< "-" for standard output
    Rope Content;
  };
  llvm::Error makeFolders(llvm::StringRef Folder);
  llvm::Error setMode(int FD, llvm::StringRef Folder, unsigned Mode,
                      bool IsNew);
  llvm::Error removeOld();
  std::string temporaryFor(llvm::StringRef Path) const;
  void rollBack();

  /// Distinguishes the temporary names of this transaction from all others.
  std::string Suffix;
  std::string NewFolder;            ///< without a separator at its end
  std::unique_ptr<std::mutex> Lock; ///< for what follows
  /// Those outside of NewFolder: final name, temporary name.
  std::map<std::string, std::string> Files;
  /// Folders that are there, and the mode, if one is known, that files have
  /// there which were made with it: neither a mask nor a default of the folder
  /// takes anything from that.
  llvm::StringMap<unsigned> KnownFolders;
  std::vector<std::string> MadeFolders;
  std::vector<Stream> Streams;
  struct Old {
    std::string Path, Folder;
  };
  std::vector<Old> ToRemove;
};

} // namespace jopt

#endif
