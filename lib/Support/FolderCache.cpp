//===- FolderCache.cpp - Results, kept in a folder ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/FolderCache.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/SharedPlaces.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace jopt;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

using Digest = llvm::BLAKE3Result<>;
constexpr size_t DigestSize = sizeof(Digest);

void KeyHash::add(StringRef S) {
  add(uint64_t(S.size()));
  Hash.update(S);
}

void KeyHash::add(uint64_t N) {
  uint8_t Raw[8];
  writeU4(Raw, uint32_t(N >> 32));
  writeU4(Raw + 4, uint32_t(N));
  Hash.update(Raw);
}

void KeyHash::addFile(StringRef File) {
  add(File);
  fs::file_status S;
  if (fs::status(File, S))
    return;
  add(S.getSize());
  add(uint64_t(S.getLastModificationTime().time_since_epoch().count()));
}

llvm::BLAKE3Result<> KeyHash::result() const {
  llvm::BLAKE3 Copy = Hash;
  return Copy.final();
}

std::string KeyHash::text() const {
  return llvm::toHex(result(), /*LowerCase=*/true);
}

std::string jopt::cachePath(StringRef Folder, StringRef Key) {
  // The prefix is what LLVM's pruneCache asks for.
  return (Folder + "/llvmcache-" + Key).str();
}

void jopt::pruneCache(StringRef Folder, const CacheLimits &L) {
  llvm::CachePruningPolicy Policy;
  Policy.Expiration = L.Unused;
  Policy.MaxSizeFiles = L.Entries;
  Policy.MaxSizeBytes = L.Size;
  Policy.MaxSizePercentageOfAvailableSpace = 0; // would ask the file system
  llvm::pruneCache(Folder, Policy);
}

/// Entries are found again for a month, and at most so many are kept.
static constexpr CacheLimits OfUser{std::chrono::hours(30 * 24), 1000, 0};

/// Whether others can put something into \p Folder, if it is there.
static llvm::Error checkWriters(const std::string &Folder) {
  return fs::exists(Folder) ? makeOwnFolder(Folder, FolderRule::OwnWrites)
                            : llvm::Error::success();
}

llvm::Expected<std::optional<FolderCache>>
FolderCache::ofUser(StringRef Where, StringRef Magic) {
  if (Where == "off")
    return std::nullopt;
  llvm::SmallString<128> Path(Where);
  if (Path.empty()) {
    if (!llvm::sys::path::cache_directory(Path))
      return std::nullopt;
    llvm::sys::path::append(Path, "jopt");
  }
  const std::string Folder = Path.str().str();
  if (llvm::Error E = checkWriters(Folder)) {
    if (!Where.empty())
      return E;
    llvm::consumeError(std::move(E));
    return std::nullopt;
  }
  return FolderCache(Folder, Magic.str(), OfUser);
}

std::optional<llvm::SmallVector<uint8_t, 0>>
FolderCache::find(StringRef Key) const {
  constexpr size_t Most = size_t(256) << 20;
  auto Entry =
      readRegular(cachePath(Folder, Key), {Most, Links::Refuse, ::geteuid()});
  if (!Entry) {
    llvm::consumeError(Entry.takeError());
    return std::nullopt;
  }
  StringRef Rest = *Entry;
  if (!Rest.consume_front(Magic) || Rest.size() < DigestSize)
    return std::nullopt;
  Bytes Said = toBytes(Rest.take_front(DigestSize));
  Bytes What = toBytes(Rest.drop_front(DigestSize));
  if (Said != Bytes(llvm::BLAKE3::hash(What)))
    return std::nullopt;
  return llvm::SmallVector<uint8_t, 0>(What);
}

void FolderCache::put(StringRef Key, Bytes What) const {
  if (fs::create_directories(Folder, /*IgnoreExisting=*/true, fs::owner_all))
    return;
  removeLeftovers(Folder);
  int FD;
  Temporary New(Folder + "/new" + temporarySuffix());
  if (fs::openFileForWrite(New.path(), FD, fs::CD_CreateNew, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return;
  llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
  OS << Magic << jopt::toStringRef(llvm::BLAKE3::hash(What))
     << jopt::toStringRef(What);
  OS.close();
  bool Failed = OS.has_error();
  OS.clear_error();
  if (Failed || fs::rename(New.path(), cachePath(Folder, Key)))
    return;
  New.keep();
  pruneCache(Folder, L);
}
