//===- FolderCache.h - Results, kept in a folder ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps results that took time to make in a folder that processes share, by a
/// hash of everything that they were made of. A cache saves time and nothing
/// else, so its failures are silent: an entry that cannot be written is not
/// there.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_FOLDERCACHE_H
#define JOPT_SUPPORT_FOLDERCACHE_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <string>

namespace jopt {

/// A hash over parts that cannot run into each other. A value: what several
/// keys begin with is hashed once.
class KeyHash {
public:
  void add(llvm::StringRef S);
  void add(Bytes B) { add(toStringRef(B)); }
  void add(uint64_t N);
  /// The file's path, size and time of change; the path alone if it has none.
  void addFile(llvm::StringRef File);
  /// The hash so far.
  llvm::BLAKE3Result<> result() const;
  /// The same in hexadecimal digits.
  std::string text() const;

private:
  llvm::BLAKE3 Hash;
};

/// The limits of a cache's folder.
struct CacheLimits {
  std::chrono::hours Unused{30 * 24}; ///< entries go that nobody asked for
  uint64_t Entries = 0, Size = 0;     ///< in bytes; 0: any
};
/// The file of \p Key, a name of hexadecimal digits, in \p Folder.
std::string cachePath(llvm::StringRef Folder, llvm::StringRef Key);
/// Has such files of \p Folder go that passed \p L, now and then.
void pruneCache(llvm::StringRef Folder, const CacheLimits &L);

/// Safe to use from several threads and processes at once: entries appear whole
/// or not at all, and one that is damaged counts as missing.
class FolderCache {
public:
  /// \p Magic begins every entry; it changes when the format of the content
  /// does. The folder is made when the first entry is.
  FolderCache(std::string Folder, std::string Magic, CacheLimits L)
      : Folder(std::move(Folder)), Magic(std::move(Magic)), L(L) {}

  /// That which the user wants by \p Where: a folder, "off" for none, or empty
  /// for `$XDG_CACHE_HOME/jopt` (else `~/.cache/jopt`). What is kept there runs
  /// in programs, so it is an error if somebody else can write there. One that
  /// nobody named (\p Where is empty) is not used then.
  static llvm::Expected<std::optional<FolderCache>>
  ofUser(llvm::StringRef Where, llvm::StringRef Magic);

  /// The content under \p Key, a name of hexadecimal digits.
  std::optional<llvm::SmallVector<uint8_t, 0>> find(llvm::StringRef Key) const;
  /// Keeps \p What. Now and then entries beyond the limits go.
  void put(llvm::StringRef Key, Bytes What) const;

private:
  std::string Folder, Magic;
  CacheLimits L;
};

} // namespace jopt

#endif
