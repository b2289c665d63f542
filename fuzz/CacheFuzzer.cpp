//===- CacheFuzzer.cpp - Any bytes as files of caches ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bytes are the file of woven classes, to which something is added, and an
/// entry of the cache of compiled probes.
///
//===----------------------------------------------------------------------===//

#include "jopt/Support/FolderCache.h"
#include "jopt/Support/PackedCache.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace jopt;

static void write(const std::string &Path, Bytes Content) {
  const int FD = ::open(Path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (FD < 0 ||
      ::write(FD, Content.data(), Content.size()) != ssize_t(Content.size()))
    abort();
  ::close(FD);
}

/// Whatever stood before, content is found as it was put there.
static void checkPacked(const std::string &Folder, Bytes Content) {
  const PackedCache::Key Name = {}, Added = llvm::BLAKE3::hash(toBytes("a"));
  write(cachePath(Folder, llvm::toHex(Name, /*LowerCase=*/true)), Content);
  const Bytes What = toBytes("what is kept");
  for (int Turn = 0; Turn != 2; ++Turn) {
    auto Cache =
        llvm::cantFail(PackedCache::openPrivate(Folder, Name, CacheLimits()));
    (void)Cache->find(Name);
    Cache->put(Added, What);
    if (auto Found = Cache->find(Added); Found && Bytes(*Found) != What)
      abort();
  }
}

/// An entry that is found has its digest.
static void checkFolder(const std::string &Folder, Bytes Content) {
  const FolderCache Cache(Folder, "magic", CacheLimits());
  write(cachePath(Folder, "0a"), Content);
  if (auto Found = Cache.find("0a")) {
    const auto Digest = llvm::BLAKE3::hash(*Found);
    if (Content.drop_front(5).take_front(Digest.size()) != Bytes(Digest))
      abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const Temporary Folder = llvm::cantFail(makeTemporaryFolder("fuzz"));
  checkPacked(Folder.path(), Bytes(Data, Size));
  checkFolder(Folder.path(), Bytes(Data, Size));
  return 0;
}
