//===- StagingDirectory.h - A folder where a JVM sees it --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_STAGINGDIRECTORY_H
#define JOPT_CLIENT_STAGINGDIRECTORY_H

#include "jopt/Client/View.h"
#include "jopt/Support/Temporary.h"
#include <memory>

namespace jopt::client {

/// A file, or a folder with all regular files that are in it, in memory: read
/// while this process has the rights for that.
struct FileTree {
  /// By their paths below it; a file has one, whose path is empty.
  std::vector<std::pair<std::string, std::string>> Files;

  /// Reads \p Path; 256 MB at most.
  static llvm::Expected<FileTree> read(const std::string &Path);
  /// The same for a process of root's, to be handed to \p Reader: what the user
  /// of that can read, else what root reaches over links of root's own.
  static llvm::Expected<FileTree> readFor(const Process &Reader,
                                          const std::string &Path);
};

/// A folder of this process's user, 0700, in the /tmp of a process (or what
/// that has in its place), and gone with its owner.
class StagingDirectory {
public:
  /// Makes one for \p P, whose files are \p V; the one that it sees as
  /// \p Wanted, if that is given and is free.
  static llvm::Expected<StagingDirectory> make(const Process &P, const View &V,
                                               llvm::StringRef Wanted = {});
  StagingDirectory(StagingDirectory &&) = default;
  StagingDirectory &operator=(StagingDirectory &&) = default;
  ~StagingDirectory() { remove(); }

  /// \p Path has the name of such a folder.
  static bool isOurs(llvm::StringRef Path);

  /// The names of sockets in such a folder.
  static constexpr char EventSocket[] = "follow", AnswerSocket[] = "answer";

  /// Its path as the process sees it.
  const std::string &path() const { return Path; }
  /// The path of \p Name in it for this process.
  std::string here(llvm::StringRef Name) const;
  /// Puts \p Content into the file \p Name in it, whose folders it makes.
  llvm::Error write(llvm::StringRef Name, llvm::StringRef Content) const;
  /// Puts \p Tree there as \p Name; its path as the process sees it.
  llvm::Expected<std::string> write(llvm::StringRef Name,
                                    const FileTree &Tree) const;
  /// Takes it away, with all that is in it.
  void remove();

private:
  explicit StagingDirectory(Descriptor Folder) : Folder(std::move(Folder)) {}

  Temporary Made; ///< by its path through Parent
  Descriptor Parent, Folder;
  std::string Path;
};

} // namespace jopt::client

#endif
