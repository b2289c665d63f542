//===- PackedCache.cpp - Small results, kept in one file ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/PackedCache.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace jopt;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {
/// In the machine's order of bytes: a cache does not travel.
struct Header {
  uint64_t Check; ///< of the rest of the header
  PackedCache::Key Key;
  uint64_t Size, ContentCheck;

  uint64_t check() const {
    return llvm::xxh3_64bits(
        Bytes(reinterpret_cast<const uint8_t *>(&Check + 1),
              sizeof(Header) - sizeof(Check)));
  }
};
} // namespace

static_assert(sizeof(Header) == 56, "without gaps, which would be hashed");

static uint64_t beginningOf(const PackedCache::Key &K) {
  uint64_t N;
  std::memcpy(&N, K.data(), sizeof(N));
  return N >> 1; // The greatest are the map's own.
}

llvm::Expected<std::unique_ptr<PackedCache>>
PackedCache::openPrivate(StringRef Folder, const Key &Name,
                         const CacheLimits &L) {
  if (llvm::Error E = makeOwnFolder(Folder, FolderRule::Private))
    return E;
  const std::string Path =
      cachePath(Folder, llvm::toHex(Name, /*LowerCase=*/true));
  const int FD = llvm::sys::RetryAfterSignal(
      -1, ::open, Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
      0600);
  if (FD < 0) {
    std::error_code EC(errno, std::generic_category());
    return llvm::createStringError(EC, Path + ": " + EC.message());
  }
  ::futimens(FD, nullptr); // Somebody asks for it.
  pruneCache(Folder, L);
  std::unique_ptr<PackedCache> Cache(
      new PackedCache(FD, L.Size ? L.Size / 2 : ~uint64_t(0)));
  struct stat S;
  if (::fstat(FD, &S) == 0)
    Cache->readOn(uint64_t(S.st_size));
  return Cache;
}

PackedCache::~PackedCache() { ::close(FD); }

/// Reads the headers from End on, in a file that has \p Size bytes by now, up
/// to one that is invalid or whose content is incomplete.
void PackedCache::readOn(uint64_t Size) {
  Header H;
  while (Size - End >= sizeof(H)) {
    if (::pread(FD, &H, sizeof(H), off_t(End)) != ssize_t(sizeof(H)) ||
        H.Check != H.check() || H.Size > Size - End - sizeof(H))
      return;
    Index[beginningOf(H.Key)] = {End, H.Size};
    End += sizeof(H) + H.Size;
  }
}

/// What others have added is known after this, and the file ends with a whole
/// record. Under both locks.
bool PackedCache::catchUp() {
  struct stat S;
  if (::fstat(FD, &S) != 0)
    return false;
  const auto Size = uint64_t(S.st_size);
  if (Size == End)
    return true;
  if (Size < End) {
    Index.clear();
    End = 0;
  }
  readOn(Size);
  // Somebody ended while writing.
  return Size == End || ::ftruncate(FD, off_t(End)) == 0;
}

std::optional<llvm::SmallVector<uint8_t, 0>> PackedCache::find(const Key &K) {
  Place At;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Found = Index.find(beginningOf(K));
    if (Found == Index.end())
      return std::nullopt;
    At = Found->second;
  }
  llvm::SmallVector<uint8_t, 0> Content;
  Content.resize_for_overwrite(size_t(At.Size));
  Header H;
  iovec Parts[] = {{&H, sizeof(H)}, {Content.data(), Content.size()}};
  if (::preadv(FD, Parts, 2, off_t(At.Offset)) ==
          ssize_t(sizeof(H) + Content.size()) &&
      H.Key == K && H.Size == At.Size &&
      H.ContentCheck == llvm::xxh3_64bits(Bytes(Content)))
    return Content;
  // Damaged: it may be put there again.
  std::lock_guard<std::mutex> Guard(Lock);
  Index.erase(beginningOf(K));
  return std::nullopt;
}

void PackedCache::put(const Key &K, Bytes What) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (::flock(FD, LOCK_EX | LOCK_NB) != 0)
    return;
  if (catchUp())
    add(K, What);
  ::flock(FD, LOCK_UN);
}

/// Under both locks.
void PackedCache::add(const Key &K, Bytes What) {
  if (Index.contains(beginningOf(K)))
    return;
  const uint64_t Size = sizeof(Header) + What.size();
  if (End + Size > MaxSize) {
    Index.clear();
    End = 0;
    if (Size > MaxSize || ::ftruncate(FD, 0) != 0)
      return;
  }
  Header H = {0, K, What.size(), llvm::xxh3_64bits(What)};
  H.Check = H.check();
  iovec Parts[] = {{&H, sizeof(H)},
                   {const_cast<uint8_t *>(What.data()), What.size()}};
  if (::pwritev(FD, Parts, 2, off_t(End)) != ssize_t(Size)) {
    // No space, it may be.
    if (::ftruncate(FD, off_t(End)) != 0)
      End = 0;
    return;
  }
  Index[beginningOf(K)] = {End, What.size()};
  End += Size;
}
