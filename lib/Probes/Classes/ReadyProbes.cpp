//===- ReadyProbes.cpp - Probes that come with jopt -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Archive/ZipReader.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr llvm::StringLiteral Index = "META-INF/ready-probes.txt";
static constexpr llvm::StringLiteral Package = "jopt/probes/ready/";
/// What they share, and each brings with it.
static constexpr llvm::StringLiteral Shared = "jopt/probes/ready/shared/";

/// The entries of the library whose names \p Wanted takes.
static Expected<CompiledClasses>
readEntries(llvm::function_ref<bool(StringRef)> Wanted) {
  const std::string File = findInstalled(ReadyProbesJar);
  if (File.empty())
    return makeError("there is no " + ReadyProbesJar +
                     " beside this program, which has the probes of 'lib:'");
  auto Range = ByteRange::openFile(File, File);
  if (!Range)
    return Range.takeError();
  const ArchiveLimits Limits;
  auto Zip = ZipArchive::open(*Range, File, Limits);
  if (!Zip)
    return Zip.takeError();
  CompiledClasses Entries;
  for (const ZipEntry &E : (*Zip)->entries()) {
    if (!Wanted(E.Name))
      continue;
    if (Error Why = (*Zip)->checkReadable(E))
      return Why;
    auto &[Name, Content] = Entries.emplace_back();
    Name = E.Name.str();
    if (Error Why = (*Zip)->read(E, Limits.MaxEntry, Content))
      return Why;
  }
  llvm::sort(Entries);
  return Entries;
}

namespace {

/// A line of the index.
struct IndexRow {
  std::string Name, Class, What;
};

} // namespace

static Expected<std::vector<IndexRow>> readIndex() {
  auto Entries = readEntries([](StringRef Name) { return Name == Index; });
  if (!Entries)
    return Entries.takeError();
  std::vector<IndexRow> Rows;
  for (const auto &[Path, Content] : *Entries)
    for (StringRef Line : llvm::split(llvm::toStringRef(Content), '\n')) {
      auto [Name, Rest] = Line.split(' ');
      auto [Class, What] = Rest.split(' ');
      if (!What.empty())
        Rows.push_back({Name.str(), Class.str(), What.str()});
    }
  return Rows;
}

Expected<std::string> jopt::listReadyProbes() {
  auto Rows = readIndex();
  if (!Rows)
    return Rows.takeError();
  std::string Text;
  for (const IndexRow &R : *Rows)
    Text +=
        llvm::formatv("{0,-18} {1}\n", ReadyProbePrefix.str() + R.Name, R.What)
            .str();
  return Text;
}

Expected<CompiledClasses> jopt::readReadyProbe(StringRef Name) {
  auto Rows = readIndex();
  if (!Rows)
    return Rows.takeError();
  auto Found =
      llvm::find_if(*Rows, [&](const IndexRow &R) { return R.Name == Name; });
  if (Found == Rows->end()) {
    auto Names =
        llvm::map_range(*Rows, [](const IndexRow &R) { return R.Name; });
    return makeError(Location((ReadyProbePrefix + Name).str()),
                     "there is no such probe; there are " +
                         llvm::join(Names, ", "));
  }
  const std::string Class = Package.str() + Found->Class;
  return readEntries([&](StringRef Path) {
    return Path.consume_back(".class") &&
           (Path.starts_with(Shared) ||
            (Path.consume_front(Class) && (Path.empty() || Path[0] == '$')));
  });
}
