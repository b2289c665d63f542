//===- BundleArchive.cpp - Probe classes in a jar -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Archive/ZipWriter.h"
#include "jopt/Probes/Script/Script.h"
#include <algorithm>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

Expected<Rope> jopt::makeBundleArchive(const ProbeBundle &B, bool WithScript) {
  ZipWriter W;
  if (WithScript) {
    auto Packed = pack(toBytes(writeScript(B.Advices)), ZipMethod::Stored);
    if (!Packed)
      return Packed.takeError();
    W.add(ScriptInBundle.str(), std::move(*Packed));
  }
  for (const auto &[Path, Data] : B.Classes) {
    auto Packed = pack(Bytes(Data), ZipMethod::Stored);
    if (!Packed)
      return Packed.takeError();
    W.add(Path, std::move(*Packed));
  }
  return W.finish();
}

Expected<CompiledClasses> jopt::readBundleArchive(const std::string &File) {
  auto Range = ByteRange::openFile(File, File);
  if (!Range)
    return Range.takeError();
  ArchiveLimits Limits;
  auto Zip = ZipArchive::open(*Range, File, Limits);
  if (!Zip)
    return Zip.takeError();
  CompiledClasses Files;
  uint64_t Left = Limits.MaxInflated;
  for (const ZipEntry &E : (*Zip)->entries()) {
    if (!E.Name.ends_with(".class") && !E.Name.ends_with(".probescript"))
      continue;
    if (Error Why = (*Zip)->checkReadable(E))
      return Why;
    auto &[Name, Content] = Files.emplace_back();
    Name = E.Name.str();
    if (Error Why = (*Zip)->read(E, std::min(Left, Limits.MaxEntry), Content))
      return Why;
    Left -= Content.size();
  }
  return Files;
}
