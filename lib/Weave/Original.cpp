//===- Original.cpp - What a class was before it was woven ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/Original.h"
#include "jopt/Archive/ZipWriter.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/TF/ClassData.h"
#include "jopt/Weave/ProbeMark.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr StringLiteral OriginalName = "jopt.Original",
                               AddedName = "jopt.Added",
                               LinkClass = "jopt/boot/Link";
static constexpr uint8_t Format = 1;

/// Whether an attribute of that name is possible: its name would be in the
/// pool. Most classes need not be read.
static bool mayHave(Bytes Data, StringRef Name) {
  return toStringRef(Data).contains(Name);
}

/// In front of the deflated bytes.
static constexpr size_t HashAt = 1, HeaderSize = 1 + 8 + 4;

Error jopt::keepOriginal(ClassFile &F, Bytes Original) {
  auto Packed = pack(Original, ZipMethod::Deflated);
  if (!Packed)
    return Packed.takeError();
  ByteWriter W;
  W.u1(Format);
  W.u8(0); // sealOriginal()
  W.u4(uint32_t(Original.size()));
  if (Error E = Packed->Data.forEachChunk([&](Bytes Chunk) {
        W.bytes(Chunk);
        return Error::success();
      }))
    return E;
  F.dropAttribute(OriginalName); // a new one is the last
  F.setAttribute(OriginalName, W.data());
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return Error::success();
}

void jopt::sealOriginal(const ClassFile &F,
                        llvm::MutableArrayRef<uint8_t> Written) {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, OriginalName);
  if (!A)
    return;
  const auto Payload = Written.take_back(A->Data.size());
  const uint64_t Hash = llvm::xxh3_64bits(Written.drop_back(A->Data.size()));
  writeU4(&Payload[HashAt], uint32_t(Hash >> 32));
  writeU4(&Payload[HashAt + 4], uint32_t(Hash));
}

/// The original in the attribute \p Payload at the end of the class file
/// \p Data.
static Expected<SmallVector<uint8_t, 0>> unpackOriginal(Bytes Data,
                                                        Bytes Payload) {
  ByteCursor R(Payload);
  const uint8_t Found = R.u1();
  const uint64_t Hash = R.u8();
  PackedContent Packed;
  Packed.Size = R.u4();
  if (R.failed() || Found != Format || Packed.Size > ArchiveLimits().MaxEntry)
    return makeError("its original is kept in a form that this jopt does not "
                     "know");
  if (!Data.take_back(Payload.size()).equals(Payload) ||
      Hash != llvm::xxh3_64bits(Data.drop_back(Payload.size())))
    return makeError("something else changed it since it was woven, which its "
                     "original does not have");
  Packed.Data = Rope(R.bytes(R.remaining()));
  auto Original = unpack(Packed);
  if (!Original) {
    llvm::consumeError(Original.takeError());
    return makeError("its original is damaged");
  }
  return Original;
}

Expected<std::optional<SmallVector<uint8_t, 0>>>
jopt::readOriginal(Bytes Data) {
  std::optional<SmallVector<uint8_t, 0>> None;
  if (!mayHave(Data, OriginalName))
    return None;
  auto Class = readClass(Data);
  if (!Class) {
    // Who reads it as a class will say so.
    llvm::consumeError(Class.takeError());
    return None;
  }
  const Attribute *A = ClassFile::findAttribute(
      (*Class)->Pool, (*Class)->Attributes, OriginalName);
  if (!A)
    return None;
  auto Original = unpackOriginal(Data, A->Data);
  if (!Original)
    return Original.takeError();
  return std::optional(std::move(*Original));
}

bool jopt::hasOriginal(const ClassFile &F) {
  return ClassFile::findAttribute(F.Pool, F.Attributes, OriginalName);
}

bool jopt::mayBeWoven(Bytes Data) {
  // What isWoven() looks for has one of these in its name.
  return mayHave(Data, "jopt") || mayHave(Data, tf::ClassData::HolderPrefix);
}

bool jopt::isWoven(const ClassFile &F) {
  if (readProbeMark(F))
    return true;
  for (unsigned I = 1; I < F.Pool.size(); ++I) {
    if (F.Pool.has(I, CPTag::Class) && F.Pool.className(I) == LinkClass)
      return true;
    if (!F.Pool.has(I, CPTag::Methodref))
      continue;
    // The array of coverage may be in a class beside it.
    StringRef Holder = F.Pool.member(I).Owner;
    if (Holder.consume_front(F.name()) && Holder.starts_with("$jopt"))
      return true;
  }
  return llvm::any_of(F.Fields, [&](const Field &Fd) {
    return F.name(Fd).starts_with(tf::ClassData::HolderPrefix);
  });
}

Error jopt::wovenWithoutOriginal() {
  return makeError("was woven before, without -keep-original: it cannot be "
                   "taken back");
}

Expected<SmallVector<uint8_t, 0>> jopt::withOriginal(Bytes Data,
                                                     Bytes Original) {
  auto Class = readClass(Data);
  if (!Class)
    return Class.takeError();
  if (Error E = keepOriginal(**Class, Original))
    return E;
  auto Written = writeClass(**Class);
  if (Written)
    sealOriginal(**Class, *Written);
  return Written;
}

Expected<SmallVector<uint8_t, 0>> jopt::markAdded(Bytes Data) {
  auto Class = readClass(Data);
  if (!Class)
    return Class.takeError();
  (*Class)->setAttribute(AddedName, {});
  return writeClass(**Class);
}

std::optional<std::string> jopt::addedName(Bytes Data) {
  if (!mayHave(Data, AddedName))
    return std::nullopt;
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return std::nullopt;
  }
  if (!ClassFile::findAttribute((*Class)->Pool, (*Class)->Attributes,
                                AddedName))
    return std::nullopt;
  return (*Class)->name().str();
}

bool jopt::isAdded(Bytes Data) { return addedName(Data).has_value(); }

static bool isModuleDescriptor(StringRef Path) {
  return Path.substr(Path.rfind('/') + 1) == "module-info.class";
}

Expected<EntryView::Seen> OriginalView::look(const EntryInfo &E,
                                             Bytes Data) const {
  Seen S;
  if (keepsAny() && isModuleDescriptor(E.Name) &&
      Containers.count(E.Container->Id))
    return S;
  if (KeepsWoven && mayBeWoven(Data)) {
    auto Class = readClass(Data);
    if (Class && isWoven(**Class))
      return S;
    llvm::consumeError(Class.takeError());
  }
  auto Original = readOriginal(Data);
  if (!Original)
    return Original.takeError();
  S.Content = std::move(*Original);
  if (S.Content)
    return S;
  const std::optional<std::string> Added = addedName(Data);
  S.Gone = Added && !Names.contains(*Added);
  return S;
}
