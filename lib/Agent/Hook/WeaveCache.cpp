//===- WeaveCache.cpp - What earlier JVMs wove ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/WeaveCache.h"
#include "jopt/Agent/Telemetry/ReportStore.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <elf.h>
#include <link.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Its number grows when something else is kept, or otherwise.
static constexpr StringRef Format = "jopt-classes-2";
static constexpr uint64_t MaxSize = uint64_t(1) << 30;

/// The build id in the note segment \p Segment of an object at \p Base.
static Bytes findBuildId(const ElfW(Phdr) & Segment, ElfW(Addr) Base) {
  Bytes Notes(reinterpret_cast<const uint8_t *>(Base + Segment.p_vaddr),
              Segment.p_memsz);
  ElfW(Nhdr) Note;
  auto Padded = [](size_t Size) { return (Size + 3) & ~size_t(3); };
  while (Notes.size() >= sizeof Note) {
    std::memcpy(&Note, Notes.data(), sizeof Note);
    const size_t Name = sizeof Note, Data = Name + Padded(Note.n_namesz),
                 End = Data + Padded(Note.n_descsz);
    if (End > Notes.size())
      break;
    if (Note.n_type == NT_GNU_BUILD_ID &&
        toStringRef(Notes.slice(Name, Note.n_namesz)) == StringRef("GNU", 4))
      return Notes.slice(Data, Note.n_descsz);
    Notes = Notes.drop_front(End);
  }
  return {};
}

/// What the linker made of the content of the object that this function is in.
static Bytes buildId() {
  Bytes Found;
  auto Look = [](dl_phdr_info *Object, size_t, void *To) {
    const auto Here = reinterpret_cast<ElfW(Addr)>(&findBuildId);
    auto Segments =
        llvm::ArrayRef(Object->dlpi_phdr, size_t(Object->dlpi_phnum));
    if (llvm::none_of(Segments, [&](const ElfW(Phdr) & S) {
          return S.p_type == PT_LOAD &&
                 Here - Object->dlpi_addr - S.p_vaddr < S.p_memsz;
        }))
      return 0;
    for (const ElfW(Phdr) & S : Segments)
      if (S.p_type == PT_NOTE)
        if (Bytes Id = findBuildId(S, Object->dlpi_addr); !Id.empty())
          *static_cast<Bytes *>(To) = Id;
    return 1;
  };
  dl_iterate_phdr(Look, &Found);
  return Found;
}

llvm::Expected<std::unique_ptr<WeaveCache>>
WeaveCache::open(const std::string &Folder, const KeyHash &Probes) {
  Bytes Id = buildId();
  if (Id.empty())
    return makeError("cache: this agent has no build id, by which results of "
                     "it would be known");
  KeyHash Name = Probes;
  Name.add(Format);
  Name.add(Id);
  CacheLimits L;
  L.Size = MaxSize;
  auto Cache = PackedCache::openPrivate(Folder, Name.result(), L);
  if (!Cache)
    return makeError("cache: " + toMessage(Cache.takeError()));
  return std::unique_ptr<WeaveCache>(new WeaveCache(std::move(*Cache)));
}

std::optional<WeaveCache::Result> WeaveCache::find(const PackedCache::Key &Key,
                                                   const Matcher &Match) const {
  auto Entry = Cache->find(Key);
  if (!Entry)
    return std::nullopt;
  // The class file is in front, where it stays.
  Bytes What = *Entry;
  const size_t SizeAt = What.size() < 4 ? 0 : What.size() - 4;
  const uint32_t Size = ByteCursor(What.drop_front(SizeAt)).u4();
  if (Size > SizeAt)
    return std::nullopt;
  ByteCursor In(What.take_front(SizeAt).drop_front(Size));
  auto Read = [&] { return In.bytes(In.u4()); };
  Result Found;
  ClassOutcome &Outcome = Found.Outcome;
  Outcome.Changed = In.u1() != 0;
  Outcome.Declared = toStringRef(Read()).str();
  for (uint32_t N = In.u4(); N && !In.failed(); --N) {
    std::string Name = toStringRef(Read()).str();
    Bytes Content = Read();
    Outcome.Beside.push_back(
        {std::move(Name), llvm::SmallVector<uint8_t, 0>(Content)});
  }
  const uint32_t Probes = In.u4();
  if (Probes > Match.numProbes())
    return std::nullopt;
  Outcome.Applied.resize(Probes);
  for (uint32_t N = In.u4(); N && !In.failed(); --N)
    if (uint32_t P = In.u4(); P < Probes)
      Outcome.Applied.set(P);
  Found.Rows = toStringRef(Read()).str();
  llvm::SmallVector<uint32_t, 16> Counted;
  for (uint32_t N = In.u4(); N && !In.failed(); --N)
    Counted.push_back(In.u4());
  if (In.failed() || !In.atEnd() || !Match.countAgain(Counted))
    return std::nullopt;
  Entry->truncate(Size);
  Outcome.Data = std::move(*Entry);
  return Found;
}

void WeaveCache::put(const PackedCache::Key &Key, const ClassOutcome &Outcome,
                     const MatchTally &Tally) const {
  if (!Tally.isWhole() || !Outcome.Left.empty() ||
      !Outcome.InputFindings.empty() || !Outcome.OutputFindings.empty() ||
      llvm::any_of(Outcome.Rows.Other, [](const ReportRow &R) {
        return isProblem(R.What) || !R.Reasons.empty();
      }))
    return;
  ByteWriter Entry;
  auto Write = [&](Bytes B) {
    Entry.u4(uint32_t(B.size()));
    Entry.bytes(B);
  };
  Entry.bytes(Outcome.Data);
  Entry.u1(Outcome.Changed);
  Write(toBytes(Outcome.Declared));
  Entry.u4(uint32_t(Outcome.Beside.size()));
  for (const CompanionClass &B : Outcome.Beside) {
    Write(toBytes(B.Name));
    Write(B.Data);
  }
  Entry.u4(Outcome.Applied.size());
  Entry.u4(Outcome.Applied.count());
  for (unsigned P : Outcome.Applied.set_bits())
    Entry.u4(P);
  Write(toBytes(ReportStore::pack(Outcome.Rows)));
  Entry.u4(uint32_t(Tally.counted().size()));
  for (uint32_t Count : Tally.counted())
    Entry.u4(Count);
  Entry.u4(uint32_t(Outcome.Data.size()));
  Cache->put(Key, Entry.data());
}
