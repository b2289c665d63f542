//===- Cache.cpp - Compiled probes, kept ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Begins every entry and every key; its number grows with their format.
static constexpr StringRef Magic = "jopt-probes-2\n";

/// Entries are found again for a month, and at most so many are kept.
static constexpr auto Expiration = std::chrono::hours(30 * 24);
static constexpr unsigned MaxEntries = 1000;

Cache::Cache(StringRef Where) {
  if (Where == "off")
    return;
  llvm::SmallString<128> Path(Where);
  if (Path.empty()) {
    if (!path::cache_directory(Path))
      return;
    path::append(Path, "jopt");
  }
  Folder = Path.str().str();
}

std::string Cache::makePath(StringRef Key) const {
  // The prefix is what LLVM's pruneCache asks for.
  return Folder + "/llvmcache-" + Key.str();
}

namespace {
/// A hash over parts that cannot run into each other.
class KeyHash {
public:
  void add(StringRef S) {
    add(uint64_t(S.size()));
    Hash.update(S);
  }
  void add(uint64_t N) {
    uint8_t Raw[8];
    writeU4(Raw, uint32_t(N >> 32));
    writeU4(Raw + 4, uint32_t(N));
    Hash.update(Raw);
  }
  void addFile(StringRef File) {
    add(File);
    fs::file_status S;
    if (fs::status(File, S))
      return;
    add(S.getSize());
    add(uint64_t(S.getLastModificationTime().time_since_epoch().count()));
  }
  std::string finish() { return llvm::toHex(Hash.final(), true); }

private:
  llvm::SHA256 Hash;
};
} // namespace

std::string Cache::makeKey(const Javac &Compiler, const JavacJob &Job) {
  KeyHash K;
  K.add(Magic);
  K.add(Compiler.Identity);
  K.add(Job.Release);
  K.add(Job.Sources.size());
  for (const auto &[Name, Text] : Job.Sources) {
    K.add(Name);
    K.add(Text);
  }
  for (const std::string &Entry : Job.ClassPath) {
    llvm::SmallString<128> Path(Entry);
    fs::make_absolute(Path);
    K.addFile(Path);
    if (!fs::is_directory(Path))
      continue;
    std::vector<std::string> Files;
    std::error_code EC;
    for (fs::recursive_directory_iterator It(Path, EC), End; It != End && !EC;
         It.increment(EC))
      Files.push_back(It->path());
    llvm::sort(Files);
    for (const std::string &File : Files)
      K.addFile(File);
  }
  return K.finish();
}

std::optional<JavacResult> Cache::find(StringRef Key) const {
  if (Folder.empty())
    return std::nullopt;
  auto Buffer = llvm::MemoryBuffer::getFile(makePath(Key), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!Buffer)
    return std::nullopt;
  StringRef Rest = (*Buffer)->getBuffer();
  if (!Rest.consume_front(Magic) || Rest.size() < 32)
    return std::nullopt;
  Bytes Digest = toBytes(Rest.take_front(32));
  Bytes Payload = toBytes(Rest.drop_front(32));
  if (Digest != Bytes(llvm::SHA256::hash(Payload)))
    return std::nullopt;

  JavacResult Result;
  ByteCursor In(Payload);
  Result.Output = jopt::toStringRef(In.bytes(In.u4())).str();
  for (uint32_t N = In.u4(); N && !In.failed(); --N) {
    std::string Name = jopt::toStringRef(In.bytes(In.u4())).str();
    Bytes Content = In.bytes(In.u4());
    Result.Classes.emplace_back(
        Name, llvm::SmallVector<uint8_t, 0>(Content.begin(), Content.end()));
  }
  if (In.failed() || !In.atEnd())
    return std::nullopt;
  return Result;
}

void Cache::put(StringRef Key, const JavacResult &Result) const {
  if (Folder.empty() || Result.Status != 0)
    return;
  ByteWriter Payload;
  auto Write = [&Payload](Bytes B) {
    Payload.u4(uint32_t(B.size()));
    Payload.bytes(B);
  };
  Write(toBytes(Result.Output));
  Payload.u4(uint32_t(Result.Classes.size()));
  for (const auto &[Name, Content] : Result.Classes) {
    Write(toBytes(Name));
    Write(Content);
  }

  int FD;
  llvm::SmallString<128> Temp;
  if (fs::create_directories(Folder, /*IgnoreExisting=*/true, fs::owner_all) ||
      fs::createUniqueFile(Folder + "/new-%%%%%%%%", FD, Temp, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return;
  llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
  OS << Magic << jopt::toStringRef(llvm::SHA256::hash(Payload.data()))
     << jopt::toStringRef(Payload.data());
  OS.close();
  bool Failed = OS.has_error();
  OS.clear_error();
  if (Failed || fs::rename(Temp, makePath(Key))) {
    fs::remove(Temp);
    return;
  }

  llvm::CachePruningPolicy Policy;
  Policy.Expiration = Expiration;
  Policy.MaxSizeFiles = MaxEntries;
  Policy.MaxSizePercentageOfAvailableSpace = 0; // would ask the file system
  llvm::pruneCache(Folder, Policy);
}
