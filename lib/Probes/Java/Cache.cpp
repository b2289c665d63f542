//===- Cache.cpp - Compiled probes, kept ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "jopt/Archive/Inputs.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Begins every entry and every key; its number grows with their format.
static constexpr StringRef Magic = "jopt-probes-3\n";

Cache::Cache(StringRef Where, DiagnosticEngine &Diags) {
  auto Of = FolderCache::ofUser(Where, Magic);
  if (Of)
    Kept = std::move(*Of);
  else
    Diags.report(Severity::Warning, Location(),
                 "probe-cache is not used: " + toMessage(Of.takeError()));
}

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
  for (const std::string &Entry :
       llvm::concat<const std::string>(Job.ClassPath, Job.Roots)) {
    const Input *Found = Job.Listed ? Job.Listed->find(Entry) : nullptr;
    if (Found && Found->addTo(K))
      continue;
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
  return K.text();
}

std::optional<JavacResult> Cache::find(StringRef Key) const {
  auto Entry = Kept ? Kept->find(Key) : std::nullopt;
  if (!Entry)
    return std::nullopt;
  JavacResult Result;
  ByteCursor In(*Entry);
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
  if (!Kept || Result.Status != 0)
    return;
  ByteWriter Entry;
  auto Write = [&Entry](Bytes B) {
    Entry.u4(uint32_t(B.size()));
    Entry.bytes(B);
  };
  Write(toBytes(Result.Output));
  Entry.u4(uint32_t(Result.Classes.size()));
  for (const auto &[Name, Content] : Result.Classes) {
    Write(toBytes(Name));
    Write(Content);
  }
  Kept->put(Key, Entry.data());
}
