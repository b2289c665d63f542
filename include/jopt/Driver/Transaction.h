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

#ifndef JOPT_DRIVER_TRANSACTION_H
#define JOPT_DRIVER_TRANSACTION_H

#include "jopt/Driver/Storage.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt {

/// Not thread-safe. What is not committed is removed by the destructor, folders
/// that were made included.
class Transaction {
public:
  Transaction() = default;
  Transaction(Transaction &&);
  Transaction &operator=(Transaction &&);
  ~Transaction();

  /// Writes \p Content to a temporary file in the folder of \p Path (made if
  /// missing). \p Mode: permission bits, 0 for the user's default. What is
  /// neither file nor folder (/dev/null, a pipe) is written by commit().
  llvm::Error stage(llvm::StringRef Path, const Rope &Content, unsigned Mode);
  /// \p Content goes to standard output when committed.
  void stageStandardOutput(Rope Content);

  /// Makes an empty folder, unless there is one.
  llvm::Error makeFolders(llvm::StringRef Folder);

  /// Renames everything to its final place, then writes standard output.
  llvm::Error commit();

private:
  struct File {
    std::string Temporary, Final;
  };
  struct Stream {
    std::string Path; ///< "-" for standard output
    Rope Content;
  };
  void rollBack();

  std::vector<File> Files;
  std::vector<std::string> MadeFolders;
  std::vector<Stream> Streams;
};

} // namespace jopt

#endif
