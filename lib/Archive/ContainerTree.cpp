//===- ContainerTree.cpp - The containers of a walk -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContainerTree.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

namespace path = llvm::sys::path;

using Kind = ContainerInfo::Kind;

ContainerEditor::~ContainerEditor() = default;
EntryView::~EntryView() = default;
ContainerClient::~ContainerClient() = default;

EntryPlan ContainerClient::plan(const EntryInfo &E) { return planByName(E); }

Error ContainerClient::finish(ContainerEditor &) { return Error::success(); }

Error ContainerClient::unreadable(const EntryInfo &, Error Why) { return Why; }

EntryPlan jopt::planByName(const EntryInfo &E) {
  if (E.Name.ends_with_insensitive(".class"))
    return EntryPlan::Transform;
  for (StringRef End : {".jar", ".war", ".ear", ".rar", ".zip", ".jmod"})
    if (E.Name.ends_with_insensitive(End))
      return EntryPlan::Descend;
  return EntryPlan::Copy;
}

std::string EntryInfo::display() const {
  switch (Container->TheKind) {
  case Kind::File:
    return Container->Display;
  case Kind::Folder: {
    SmallString<128> Path(Container->Display);
    path::append(Path, Name);
    return std::string(Path);
  }
  case Kind::Archive:
    break;
  }
  return Container->Display + "!/" + Name.str();
}

void EntryChanges::note() {
  std::lock_guard<std::mutex> Guard(Lock);
  EntriesChanged = Changed = true;
}

void EntryChanges::replace(size_t I, PackedContent Content, std::string NewName,
                           bool ByTransform) {
  std::lock_guard<std::mutex> Guard(Lock);
  EntriesChanged |= ByTransform;
  Changed = true;
  if (Edit)
    Edit->replace(I, std::move(Content), std::move(NewName));
  else
    Files[I] = {std::move(Content.Data), std::move(NewName)};
}

void EntryChanges::drop(size_t I) {
  std::lock_guard<std::mutex> Guard(Lock);
  Changed = true;
  if (Edit)
    Edit->drop(I);
  else
    Dropped.insert(I);
}

bool EntryChanges::isEmptied(const ZipArchive &Zip) const {
  const size_t Size = Zip.entries().size();
  for (size_t I = 0; I < Size; ++I)
    if (!Edit->isDropped(I))
      return false;
  return Size != 0;
}

void EntryChanges::noteWritten(size_t I, bool ByTransform, bool IsArchive,
                               bool Inside) {
  std::lock_guard<std::mutex> Guard(Lock);
  EntriesChanged |= ByTransform;
  Changed |= ByTransform || Inside;
  if (I >= Written.size())
    Written.resize(unsigned(std::max(I + 1, size_t(2) * Written.size())));
  Written.set(unsigned(I));
  if (IsArchive)
    Archives.insert(I);
}

EntryInfo ContainerNode::entry(size_t I) const {
  EntryInfo E;
  E.Container = &Info;
  if (Zip) {
    E.Name = Zip->entries()[I].Name;
    if (Zip->entries()[I].isClassNamedLikeFolder())
      E.Name = E.Name.drop_back();
    E.Size = Zip->entries()[I].Size;
  } else {
    E.Name = file(I).Relative;
    E.Size = file(I).Size;
  }
  return E;
}

Error ContainerNode::read(size_t I, uint64_t Limit,
                          SmallVectorImpl<uint8_t> &To, uint64_t Wanted) const {
  if (Zip) {
    const ZipEntry &E = Zip->entries()[I];
    return Wanted < E.Size ? Zip->readBeginning(E, Wanted, To)
                           : Zip->read(E, Limit, To);
  }
  const InputFile &F = file(I);
  if (F.Size > Limit)
    return makeError(Location(F.Display), "has " + Twine(F.Size) +
                                              " bytes, the limit is " +
                                              Twine(Limit));
  Expected<ByteRange> R = F.open();
  return R ? R->slice(0, std::min(Wanted, R->size())).readAll(To)
           : R.takeError();
}

size_t NodeEditor::size() const {
  return isZip() ? Node.Zip->entries().size() : Node.Owner->Files.size();
}

StringRef NodeEditor::name(size_t I) const { return Node.entry(I).Name; }

std::optional<size_t> NodeEditor::find(StringRef Name) const {
  auto HashOf = [](StringRef N) { return uint32_t(llvm::xxh3_64bits(N)); };
  if (Index.empty()) {
    Index.reserve(size());
    for (size_t I = 0, E = size(); I < E; ++I)
      Index.emplace_back(HashOf(name(I)), uint32_t(I));
    llvm::sort(Index);
  }
  const uint32_t Hash = HashOf(Name);
  for (auto It = llvm::lower_bound(Index, std::pair(Hash, 0u));
       It != Index.end() && It->first == Hash; ++It)
    if (name(It->second) == Name)
      return It->second;
  return std::nullopt;
}

Expected<SmallVector<uint8_t, 0>> NodeEditor::read(size_t I) const {
  if (isZip()) {
    if (std::optional<PackedContent> New = Node.Changes.Edit->replacement(I))
      return unpack(*New);
  } else if (auto F = Node.Changes.Files.find(I);
             F != Node.Changes.Files.end()) {
    return unpack({F->second.Content, ZipMethod::Stored});
  }
  SmallVector<uint8_t, 0> Data;
  if (Node.Changes.isWritten(I) && !Node.Changes.Archives.count(I)) {
    Expected<ByteRange> R = Out->get(*Node.Owner, Node.file(I));
    if (Error E = R ? R->readAll(Data) : R.takeError())
      return E;
    return Data;
  }
  if (Error E = Node.read(I, Limit, Data))
    return E;
  return Data;
}

Error NodeEditor::checkEdit(const Twine &Doing) const {
  if (!Out)
    return makeError(Location(Node.Info.Display),
                     "cannot " + Doing + " without an output");
  return Error::success();
}

Error NodeEditor::replace(size_t I, Bytes Data) {
  if (Error E = checkEdit("replace an entry"))
    return E;
  if (!isZip()) {
    if (Node.Changes.Archives.count(I))
      return makeError(Location(Node.file(I).Display),
                       "cannot replace an archive in a folder: it is done");
    Node.Changes.Files[I].Content = Rope(Data);
    Node.Changes.Changed = true;
    return Error::success();
  }
  const ZipEntry &E = Node.Zip->entries()[I];
  if (Error Err = Node.Zip->checkReadable(E))
    return Err;
  Expected<PackedContent> New =
      pack(Data, static_cast<ZipMethod>(E.Method), Node.Spill.get());
  if (!New)
    return New.takeError();
  Node.Changes.Edit->replace(I, std::move(*New));
  Node.Changes.Changed = true;
  return Error::success();
}

Error NodeEditor::rename(size_t I, std::string Name) {
  if (Error E = checkEdit("rename an entry"))
    return E;
  if (!isZip())
    return makeError(Location(Node.Info.Display),
                     "only entries of archives are renamed");
  Expected<SmallVector<uint8_t, 0>> Data = read(I);
  if (!Data)
    return Data.takeError();
  Expected<PackedContent> Same =
      pack(*Data, static_cast<ZipMethod>(Node.Zip->entries()[I].Method),
           Node.Spill.get());
  if (!Same)
    return Same.takeError();
  Node.Changes.Edit->replace(I, std::move(*Same), std::move(Name));
  Node.Changes.Changed = true;
  return Error::success();
}

Error NodeEditor::drop(size_t I) {
  if (Error E = checkEdit("drop an entry"))
    return E;
  if (!isZip() &&
      (Node.Info.TheKind == Kind::File || Node.Changes.Archives.count(I)))
    return makeError(Location(Node.Info.Display),
                     "only entries of folders and archives are dropped");
  Node.Changes.drop(I);
  return Error::success();
}

/// True for a path that stays inside the folder it is put in.
static bool isInside(StringRef Path) {
  if (Path.empty() || Path.contains('\0') || Path.contains('\\'))
    return false;
  while (!Path.empty()) {
    auto [Part, Rest] = Path.split('/');
    if (Part.empty() || Part == "." || Part == "..")
      return false;
    Path = Rest;
  }
  return true;
}

Error NodeEditor::add(StringRef Path, Bytes Data, bool Deflate) {
  if (Error E = checkEdit("add an entry"))
    return E;
  auto Refuse = [&](const Twine &Why) {
    return makeError(Location(Node.Info.Display),
                     "cannot add '" + Path + "': " + Why);
  };
  if (!isInside(Path))
    return Refuse("not a path inside");
  if (Node.Info.TheKind == Kind::File)
    return Refuse("this is a single file");
  if (std::optional<size_t> Known = find(Path))
    return replace(*Known, Data);
  if (!Node.Changes.AddedFiles
           .try_emplace(Path.str(), isZip() ? Rope() : Rope(Data))
           .second)
    return Refuse("added twice");
  Node.Changes.Changed = true;
  if (!isZip())
    return Error::success();
  Expected<PackedContent> New =
      pack(Data, Deflate ? ZipMethod::Deflated : ZipMethod::Stored,
           Node.Spill.get());
  if (!New)
    return New.takeError();
  Node.Changes.Edit->add(Path.str(), std::move(*New));
  return Error::success();
}
