//===- KeptRights.h - Writes with rights given up since ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_KEPTRIGHTS_H
#define JOPT_ARCHIVE_KEPTRIGHTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <sys/types.h>

namespace jopt {

/// Writes one file with the rights that this process has now, whatever user it
/// becomes later: a process of its own, made by fork(2), waits for the content.
/// Not for several threads, and for processes that have one thread so far.
class KeptRights {
public:
  /// For the file \p Path. Fails if the folder is not there, or cannot be
  /// written to.
  static llvm::Expected<KeptRights> forFile(llvm::StringRef Path);
  KeptRights(KeptRights &&Other) noexcept;
  KeptRights &operator=(KeptRights &&) = delete;
  /// Without write() there is no file.
  ~KeptRights();

  /// The file appears whole, in place of one that is there. Once.
  llvm::Error write(llvm::StringRef Content);

private:
  KeptRights(std::string Path, pid_t Child, int Socket)
      : Path(std::move(Path)), Child(Child), Socket(Socket) {}
  /// The answer of the other process, once it has ended.
  std::string end();

  std::string Path;
  pid_t Child = -1;
  int Socket = -1;
};

} // namespace jopt

#endif
