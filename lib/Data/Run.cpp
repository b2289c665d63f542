//===- Run.cpp - The files of one run -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Run.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

bool data::forEachEvent(Bytes Events,
                        llvm::function_ref<void(const EventView &)> Use) {
  while (!Events.empty()) {
    if (Events.size() < 4)
      return false;
    const size_t Length = readU2(Events.data() + 2);
    if (Length < 4 || Length > Events.size())
      return false;
    Use({Events[0], Events[1], Events.slice(4, Length - 4)});
    Events = Events.drop_front(Length);
  }
  return true;
}

Expected<std::optional<ChunkView>> data::readChunk(Bytes Slot) {
  ByteCursor C(Slot);
  const uint32_t Magic = C.u4();
  const unsigned Format = C.u2(), Kind = C.u1(), State = C.u1();
  ChunkView V;
  V.Thread = C.u8();
  V.Sequence = C.u4();
  const uint32_t Size = C.u4();
  V.Time = int64_t(C.u8());
  uint32_t Length = C.u4();
  const uint32_t Sum = C.u4();
  V.Stream = C.u4();
  V.Part = C.u4();
  if (C.failed())
    return makeError("the file ends within a chunk");
  if (Magic == 0)
    return std::nullopt;
  if (Magic != ChunkMagic)
    return makeError("no chunk is where one is expected");
  if (Format != FormatNumber)
    return makeError("format " + Twine(Format) + ", of another release");
  if (Kind < unsigned(ChunkKind::Definitions) ||
      Kind > unsigned(ChunkKind::Tests))
    return makeError("a chunk of the unknown kind " + Twine(Kind));
  V.Kind = ChunkKind(Kind);
  if (Size != ChunkSize || Length > ChunkSize - ChunkHeaderSize)
    return makeError("a chunk's length is damaged");
  // The end of events that are being written is where zeros begin.
  if (V.Kind == ChunkKind::Traces && State == 0)
    Length = ChunkSize - ChunkHeaderSize;
  if (Slot.size() < ChunkHeaderSize + Length)
    return makeError("the file ends within a chunk");
  V.Events = Slot.slice(ChunkHeaderSize, Length);
  if (V.Sequence == 0)
    return makeError("a chunk has no number");
  if (State == 1 && llvm::crc32(V.Events) != Sum)
    return makeError("a chunk is damaged: its checksum differs");
  return V;
}

bool Run::isRun(StringRef Folder) {
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, TextFile);
  // One that cannot be looked at may be a run: opening it says what is wrong.
  const std::error_code EC =
      llvm::sys::fs::access(Path, llvm::sys::fs::AccessMode::Exist);
  return EC != std::errc::no_such_file_or_directory &&
         EC != std::errc::not_a_directory;
}

StringRef Run::get(StringRef Key) const {
  for (const auto &[K, V] : Entries)
    if (K == Key)
      return V;
  return {};
}

std::string Run::describe() const {
  const StringRef Request = get("request");
  if (Request.empty())
    return id().str();
  return (id() + " (" + Request + ", " + get("durationMs") + " ms" +
          (get("kept") == "other" ? ", another call)" : ")"))
      .str();
}

Expected<Run> Run::open(StringRef Folder) {
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, TextFile);
  auto Text = readRegular(Path.str().str(), {1 << 20});
  if (!Text)
    return Text.takeError();
  Run R;
  R.Folder = Folder.str();
  for (StringRef Line : llvm::split(*Text, '\n')) {
    auto [Key, Value] = Line.split('=');
    if (!Key.empty())
      R.Entries.emplace_back(Key, Value);
  }
  unsigned Format = 0;
  if (R.get("format").getAsInteger(10, Format))
    return makeError(Location(Path), "no run of jopt: it has no format number");
  if (Format != FormatNumber)
    return makeError(Location(Path),
                     "format " + Twine(Format) +
                         ", of another release; this one reads " +
                         Twine(FormatNumber));
  if (R.get("start").getAsInteger(10, R.Start))
    return makeError(Location(Path), "it does not say when the run began");
  if (Error E = R.list())
    return E;
  return R;
}

/// The number in "events-12.jopt".
static unsigned numberOf(StringRef Path) {
  unsigned N = 0;
  llvm::sys::path::stem(Path).rsplit('-').second.getAsInteger(10, N);
  return N;
}

static bool isLive(StringRef Path) {
  return llvm::sys::path::filename(Path).starts_with("live-");
}

Error Run::list() {
  std::error_code EC;
  for (llvm::sys::fs::directory_iterator I(Folder, EC), End; !EC && I != End;
       I.increment(EC)) {
    if (!StringRef(I->path()).ends_with(".jopt"))
      continue;
    Files.push_back(I->path());
    uint64_t Bytes = 0;
    if (std::error_code Unknown = llvm::sys::fs::file_size(I->path(), Bytes))
      return makeError(Location(I->path()), Unknown.message());
    Size += Bytes;
  }
  if (EC)
    return makeError(Location(Folder), EC.message());
  llvm::sort(Files, [](StringRef A, StringRef B) {
    return std::make_tuple(isLive(A), numberOf(A), A) <
           std::make_tuple(isLive(B), numberOf(B), B);
  });
  return Error::success();
}

void data::dropCopies(std::vector<Run> &Runs) {
  llvm::StringMap<size_t> Known;
  size_t Kept = 0;
  for (size_t I = 0; I < Runs.size(); ++I) {
    const size_t At = Runs[I].id().empty()
                          ? Kept
                          : Known.try_emplace(Runs[I].id(), Kept).first->second;
    if (At < Kept && Runs[At].size() >= Runs[I].size())
      continue;
    if (At != I)
      Runs[At] = std::move(Runs[I]);
    Kept += At == Kept;
  }
  Runs.erase(Runs.begin() + ptrdiff_t(Kept), Runs.end());
}

Expected<std::vector<Run>> data::openRuns(StringRef Folder, LeftOut Tell) {
  std::vector<std::string> Folders;
  if (Run::isRun(Folder))
    Folders.push_back(Folder.str());
  std::error_code EC;
  if (Folders.empty())
    for (llvm::sys::fs::directory_iterator I(Folder, EC), End; !EC && I != End;
         I.increment(EC))
      if (Run::isRun(I->path()))
        Folders.push_back(I->path());
  if (EC)
    return makeError(Location(Folder), EC.message());
  llvm::sort(Folders);
  std::vector<Run> Runs;
  for (const std::string &F : Folders) {
    auto R = Run::open(F);
    if (!R && Folders.size() == 1)
      return R.takeError();
    if (!R) {
      Tell(toMessage(R.takeError()));
      continue;
    }
    Runs.push_back(std::move(*R));
  }
  dropCopies(Runs);
  if (Runs.empty())
    return makeError(Location(Folder), "no recording is in this folder");
  llvm::stable_sort(
      Runs, [](const Run &A, const Run &B) { return A.start() < B.start(); });
  return Runs;
}

Expected<Run> data::takeRun(std::vector<Run> Runs, StringRef Id) {
  std::string There;
  Run *Found = nullptr;
  bool IsOne = true;
  for (Run &R : Runs) {
    There += (There.empty() ? " " : ", ") + R.describe();
    if (!R.id().starts_with(Id))
      continue;
    IsOne = !Found;
    Found = &R;
  }
  if (Found && IsOne)
    return std::move(*Found);
  return makeError("-run=" + Id + (Found ? " is several runs" : " is no run") +
                   "; there is" + There);
}

namespace {
/// The chunks of a run that were read so far.
struct Met {
  llvm::DenseSet<uint64_t> Sequences;
  /// Chunks that were being appended when the process ended: they are still
  /// among those that were being written.
  std::vector<std::pair<uint64_t, std::string>> Cut;
};
} // namespace

/// Reads the slot at \p Offset of \p File into \p Buffer.
static Expected<Bytes> readSlot(llvm::sys::fs::file_t File, uint64_t Offset,
                                llvm::MutableArrayRef<char> Buffer) {
  size_t Have = 0;
  while (Have < Buffer.size()) {
    auto N = llvm::sys::fs::readNativeFileSlice(File, Buffer.drop_front(Have),
                                                Offset + Have);
    if (!N)
      return N.takeError();
    if (*N == 0)
      break;
    Have += *N;
  }
  return Bytes(reinterpret_cast<const uint8_t *>(Buffer.data()), Have);
}

/// Uses the chunks of \p Path.
static Error readFile(const std::string &Path, uint32_t Number, ChunkKind Kind,
                      Met &Seen, LeftOut Tell,
                      llvm::function_ref<Error(const ChunkView &)> Use) {
  auto File = openRegular(Path);
  if (!File) {
    Tell(Path + ": " + toMessage(File.takeError()));
    return Error::success();
  }
  std::vector<char> Buffer(ChunkSize);
  Error Failed = Error::success();
  for (uint64_t At = 0; !Failed; At += ChunkSize) {
    auto Slot = readSlot(File->get(), At, Buffer);
    if (!Slot) {
      Tell(Path + ": " + toMessage(Slot.takeError()));
      break;
    }
    if (Slot->empty())
      break;
    const std::string Where = Path + ": at " + std::to_string(At) + ": ";
    if (Slot->size() < ChunkSize) {
      const uint64_t Sequence =
          Slot->size() < ChunkHeaderSize ? 0 : readU4(Slot->data() + 16);
      Seen.Cut.emplace_back(Sequence, Where + "the file ends within a chunk");
      break;
    }
    auto Chunk = readChunk(*Slot);
    if (!Chunk)
      Tell(Where + toMessage(Chunk.takeError()));
    else if (*Chunk && Seen.Sequences.insert((*Chunk)->Sequence).second &&
             (*Chunk)->Kind == Kind) {
      (*Chunk)->Place = {Number, At};
      Failed = Use(**Chunk);
    }
  }
  return Failed;
}

Error Run::forEachChunk(
    ChunkKind Kind, LeftOut Tell,
    llvm::function_ref<Error(const ChunkView &)> Use) const {
  Met Seen;
  for (uint32_t I = 0; I < Files.size(); ++I)
    if (Error E = readFile(Files[I], I, Kind, Seen, Tell, Use))
      return E;
  for (const auto &[Sequence, What] : Seen.Cut)
    if (Sequence != 0 && !Seen.Sequences.contains(Sequence))
      Tell(What);
  // Numbers are given out before chunks are begun, so the last few may be
  // missing.
  uint64_t Last = 0;
  for (uint64_t S : Seen.Sequences)
    Last = std::max(Last, S);
  const uint64_t Missing = Last - Seen.Sequences.size();
  if (Missing > 64 && get("ring") != "true")
    Tell(Folder + ": " + Twine(Missing) + " chunks are missing");
  return Error::success();
}

Expected<ChunkView> Run::readChunk(ChunkPlace Place,
                                   std::vector<char> &Buffer) const {
  const std::string &Path = Files[Place.File];
  auto File = openRegular(Path);
  if (!File)
    return File.takeError();
  Buffer.resize(ChunkSize);
  auto Slot = readSlot(File->get(), Place.Offset, Buffer);
  if (!Slot)
    return Slot.takeError();
  auto Chunk = data::readChunk(*Slot);
  if (!Chunk)
    return Chunk.takeError();
  if (!*Chunk)
    return makeError("a chunk is not there any more");
  (*Chunk)->Place = Place;
  return **Chunk;
}
