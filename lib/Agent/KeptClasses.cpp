//===- KeptClasses.cpp - What earlier JVMs wove ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/KeptClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <elf.h>
#include <link.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Begins every entry; its number grows with their format.
static constexpr StringRef Magic = "jopt-classes-1\n";
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

llvm::Expected<KeptClasses> KeptClasses::open(const std::string &Folder) {
  Bytes Id = buildId();
  if (Id.empty())
    return makeError("cache: this agent has no build id, by which results of "
                     "it would be known");
  FolderCache::Limits L;
  L.Size = MaxSize;
  auto Cache = FolderCache::openPrivate(Folder, Magic.str(), L);
  if (!Cache)
    return makeError("cache: " + toMessage(Cache.takeError()));
  KeptClasses Kept(std::move(*Cache));
  Kept.Build.add(Magic);
  Kept.Build.add(Id);
  return Kept;
}

static void writeRow(const ReportRow &R, ByteWriter &Out) {
  auto Write = [&](StringRef S) {
    Out.u4(uint32_t(S.size()));
    Out.bytes(S);
  };
  Out.u1(R.What);
  Write(R.Class);
  Write(R.Method);
  Write(R.ProbeName);
  for (unsigned N : {unsigned(R.Probe), R.Count, R.OldSize, R.NewSize,
                     unsigned(R.Sites.size())})
    Out.u4(N);
  for (const ReportRow::Site &At : R.Sites) {
    Out.u1(uint8_t(At.Kind));
    Out.u4(uint32_t(At.BCI));
    Out.u2(At.Line);
  }
}

/// What writeRow() wrote; none if it is no row.
static std::optional<ReportRow> readRow(ByteCursor &In) {
  ReportRow R;
  auto Read = [&] { return toStringRef(In.bytes(In.u4())).str(); };
  const uint8_t What = In.u1();
  R.What = ReportRow::Kind(What);
  R.Class = Read();
  R.Method = Read();
  R.ProbeName = Read();
  R.Probe = int(In.u4());
  R.Count = In.u4();
  R.OldSize = In.u4();
  R.NewSize = In.u4();
  for (uint32_t N = In.u4(); N && !In.failed(); --N) {
    const uint8_t Kind = In.u1();
    if (Kind >= NumAdviceKinds)
      return std::nullopt;
    const auto BCI = int32_t(In.u4());
    R.Sites.push_back({AdviceKind(Kind), BCI, In.u2()});
  }
  if (In.failed() || What > ReportRow::CrossedInline)
    return std::nullopt;
  return R;
}

std::optional<ClassOutcome> KeptClasses::find(const KeyHash &Key,
                                              const Matcher &Match) const {
  auto Entry = Cache.find(Key.text());
  if (!Entry)
    return std::nullopt;
  ByteCursor In(*Entry);
  auto Read = [&] { return In.bytes(In.u4()); };
  ClassOutcome Outcome;
  Outcome.Changed = In.u1() != 0;
  Bytes Data = Read();
  Outcome.Data.append(Data.begin(), Data.end());
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
  for (uint32_t N = In.u4(); N && !In.failed(); --N) {
    auto Row = readRow(In);
    if (!Row)
      return std::nullopt;
    Outcome.Rows.push_back(std::move(*Row));
  }
  llvm::SmallVector<uint32_t, 16> Counted;
  for (uint32_t N = In.u4(); N && !In.failed(); --N)
    Counted.push_back(In.u4());
  if (In.failed() || !In.atEnd() || !Match.countAgain(Counted))
    return std::nullopt;
  return Outcome;
}

void KeptClasses::put(const KeyHash &Key, const ClassOutcome &Outcome,
                      const MatchTally &Tally) const {
  if (!Tally.isWhole() || !Outcome.Left.empty() ||
      !Outcome.InputFindings.empty() || !Outcome.OutputFindings.empty() ||
      llvm::any_of(Outcome.Rows, [](const ReportRow &R) {
        return isProblem(R.What) || !R.Reasons.empty();
      }))
    return;
  ByteWriter Entry;
  auto Write = [&](Bytes B) {
    Entry.u4(uint32_t(B.size()));
    Entry.bytes(B);
  };
  Entry.u1(Outcome.Changed);
  Write(Outcome.Data);
  Write(toBytes(Outcome.Declared));
  Entry.u4(uint32_t(Outcome.Beside.size()));
  for (const ClassBeside &B : Outcome.Beside) {
    Write(toBytes(B.Name));
    Write(B.Data);
  }
  Entry.u4(Outcome.Applied.size());
  Entry.u4(Outcome.Applied.count());
  for (unsigned P : Outcome.Applied.set_bits())
    Entry.u4(P);
  Entry.u4(uint32_t(Outcome.Rows.size()));
  for (const ReportRow &R : Outcome.Rows)
    writeRow(R, Entry);
  Entry.u4(uint32_t(Tally.counted().size()));
  for (uint32_t Count : Tally.counted())
    Entry.u4(Count);
  Cache.put(Key.text(), Entry.data());
}
