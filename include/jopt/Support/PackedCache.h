//===- PackedCache.h - Small results, kept in one file ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A cache for thousands of small results that are asked for one by one, where
/// to open a file for each (FolderCache) is most of what finding it takes. All
/// that belong together are in one file, which only grows: records of a header
/// (its hash, a key, a size, a hash of the content) and the content, one behind
/// the other. They are read and never mapped, as a file that somebody cuts off
/// must not end the process.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_PACKEDCACHE_H
#define JOPT_SUPPORT_PACKEDCACHE_H

#include "jopt/Support/FolderCache.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <mutex>

namespace jopt {

/// Safe to use from several threads and processes at once. A record that is not
/// whole, or damaged, counts as missing. What another process adds is found by
/// those that open the file after that.
class PackedCache {
public:
  using Key = llvm::BLAKE3Result<>;

  /// The file of \p Name in \p Folder. Both are made if they are missing. Fails
  /// if they cannot be, or somebody else than the user of this process may read
  /// or write the folder. Other files that passed \p L go: those that nobody
  /// opened for long, and the oldest beyond a size of all; one file takes half
  /// of that at most, and begins anew when it has it.
  static llvm::Expected<std::unique_ptr<PackedCache>>
  openPrivate(llvm::StringRef Folder, const Key &Name, const CacheLimits &L);
  ~PackedCache();
  PackedCache(const PackedCache &) = delete;
  PackedCache &operator=(const PackedCache &) = delete;

  /// The content under \p K.
  std::optional<llvm::SmallVector<uint8_t, 0>> find(const Key &K);
  /// Keeps \p What. Does nothing where another process is just doing that, as
  /// nobody waits for a cache.
  void put(const Key &K, Bytes What);

private:
  struct Place {
    uint64_t Offset = 0; ///< of the header
    uint64_t Size = 0;   ///< of the content
  };

  PackedCache(int FD, uint64_t MaxSize) : FD(FD), MaxSize(MaxSize) {}
  void readOn(uint64_t Size);
  bool catchUp();
  void add(const Key &K, Bytes What);

  const int FD;
  const uint64_t MaxSize;
  std::mutex Lock; ///< of what follows
  /// By the beginning of keys. Who finds something looks at all of its key.
  llvm::DenseMap<uint64_t, Place> Index;
  uint64_t End = 0; ///< of the last record that is known
};

} // namespace jopt

#endif
