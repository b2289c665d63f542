//===- Signatures.cpp - Signed jars ---------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Signatures.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

bool jopt::isSignatureFile(StringRef Name) {
  constexpr StringLiteral Folder = "META-INF/";
  if (!Name.starts_with_insensitive(Folder))
    return false;
  Name = Name.drop_front(Folder.size());
  if (Name.contains('/'))
    return false;
  return Name.starts_with_insensitive("SIG-") ||
         llvm::any_of(
             ArrayRef<StringRef>{".SF", ".RSA", ".DSA", ".EC"},
             [&](StringRef End) { return Name.ends_with_insensitive(End); });
}

/// Cuts the first line off \p Text, its end (CR LF, CR or LF) included.
static StringRef takeLine(StringRef &Text) {
  size_t End = Text.find_first_of("\r\n");
  if (End == StringRef::npos)
    End = Text.size();
  else
    End += Text.substr(End, 2) == "\r\n" ? 2 : 1;
  StringRef Line = Text.take_front(End);
  Text = Text.drop_front(End);
  return Line;
}

/// True for the attributes that a signer adds to the section of an entry.
static bool isDigest(StringRef Line) {
  StringRef Key = Line.split(':').first;
  if (Key.equals_insensitive("Magic"))
    return true;
  size_t At = Key.find_insensitive("-Digest");
  if (At == StringRef::npos || At == 0)
    return false;
  StringRef Rest = Key.drop_front(At + StringRef("-Digest").size());
  return Rest.empty() || Rest.starts_with("-");
}

std::string jopt::withoutDigests(StringRef Manifest) {
  std::string Result;
  bool IsMain = true;
  while (!Manifest.empty()) {
    // One section, up to and with the blank lines behind it.
    std::string Kept;
    unsigned Attributes = 0, Removed = 0;
    bool InBlank = false, Removing = false;
    while (!Manifest.empty()) {
      StringRef Rest = Manifest;
      StringRef Line = takeLine(Rest);
      bool Blank = Line.trim("\r\n").empty();
      if (InBlank && !Blank)
        break;
      Manifest = Rest;
      if (Blank) {
        InBlank = true;
      } else if (Line.front() != ' ') { // not the rest of a long line
        Removing = !IsMain && isDigest(Line);
        ++(Removing ? Removed : Attributes);
      }
      if (Blank || !Removing)
        Kept += Line;
    }
    // A section with its name alone said nothing but the digest.
    if (!Removed || Attributes > 1)
      Result += Kept;
    IsMain = false;
  }
  return Result;
}

/// Where entries of META-INF/ are kept.
static constexpr StringLiteral MetaFolder = "META-INF/",
                               KeptFolder = "META-INF/jopt/",
                               KeptEnd = ".original";

static std::string keptName(StringRef Name) {
  return (KeptFolder + Name.drop_front(MetaFolder.size()) + KeptEnd).str();
}

static bool isManifest(StringRef Name) {
  return Name.equals_insensitive("META-INF/MANIFEST.MF");
}

/// Takes the digests out of the manifest \p I of \p C.
static Error dropDigests(ContainerEditor &C, size_t I, bool Keep) {
  Expected<SmallVector<uint8_t, 0>> Old = C.read(I);
  if (!Old)
    return Old.takeError();
  std::string New = withoutDigests(toStringRef(*Old));
  if (StringRef(New) == toStringRef(*Old))
    return Error::success();
  if (Error E = Keep ? C.add(keptName(C.name(I)), *Old) : Error::success())
    return E;
  return C.replace(I, toBytes(New));
}

Expected<std::vector<std::string>> jopt::dropSignatures(ContainerEditor &C,
                                                        bool Keep) {
  std::vector<std::string> Dropped;
  if (C.info().TheKind != ContainerInfo::Kind::Archive || !C.changed())
    return Dropped;
  for (size_t I = 0; I < C.size(); ++I) {
    const StringRef Name = C.name(I);
    if (!isSignatureFile(Name))
      continue;
    Dropped.push_back(Name.str());
    const std::string Kept = keptName(Name);
    if (Error E = Keep && !C.find(Kept) ? C.rename(I, Kept) : C.drop(I))
      return E;
  }
  if (Dropped.empty())
    return Dropped;
  for (size_t I = 0; I < C.size(); ++I)
    if (isManifest(C.name(I)))
      if (Error E = dropDigests(C, I, Keep))
        return E;
  return Dropped;
}

Error jopt::restoreSignatures(ContainerEditor &C) {
  if (C.info().TheKind != ContainerInfo::Kind::Archive)
    return Error::success();
  for (size_t I = 0; I < C.size(); ++I) {
    StringRef Name = C.name(I);
    if (!Name.consume_front(KeptFolder) || !Name.consume_back(KeptEnd))
      continue;
    const std::string Old = (MetaFolder + Name).str();
    std::optional<size_t> Now = C.find(Old);
    if (!Now) {
      if (Error E = C.rename(I, Old))
        return E;
      continue;
    }
    // The manifest; what was signed again since stays.
    if (isManifest(Old)) {
      Expected<SmallVector<uint8_t, 0>> Data = C.read(I);
      if (!Data)
        return Data.takeError();
      if (Error E = C.replace(*Now, *Data))
        return E;
    }
    if (Error E = C.drop(I))
      return E;
  }
  return Error::success();
}
