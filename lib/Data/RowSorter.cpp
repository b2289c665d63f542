//===- RowSorter.cpp - Events by row, in bounded memory -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSorter.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;

/// What one spill wrote, read from its beginning.
class RowSorter::Part {
public:
  Part(int File, uint64_t Begin, uint64_t End)
      : File(File), Position(Begin), End(End) {}

  RowKey Key;
  Bytes Payload;

  /// Takes the next; false at the end.
  Expected<bool> advance() {
    if (At == Have && Position == End)
      return false;
    if (Error E = fill(sizeof(Header)))
      return E;
    Header H;
    memcpy(&H, Buffer.data() + At, sizeof H);
    if (Error E = fill(sizeof H + H.Length))
      return E;
    Key = H.Key;
    Payload = Bytes(Buffer.data() + At + sizeof H, H.Length);
    At += sizeof H + H.Length;
    return true;
  }

  struct Header {
    RowKey Key;
    uint64_t Length;
  };

private:
  /// At least \p N bytes are in the buffer.
  Error fill(size_t N) {
    if (Have - At >= N)
      return Error::success();
    Buffer.erase(Buffer.begin(), Buffer.begin() + At);
    Have -= At;
    At = 0;
    Buffer.resize(std::max<size_t>(N, 1 << 17));
    while (Have < N) {
      const size_t Ask =
          std::min<uint64_t>(Buffer.size() - Have, End - Position);
      const ssize_t Got =
          Ask ? pread(File, Buffer.data() + Have, Ask, off_t(Position)) : 0;
      if (Got <= 0)
        return makeError("the temporary file cannot be read");
      Have += size_t(Got);
      Position += uint64_t(Got);
    }
    return Error::success();
  }

  int File;
  uint64_t Position, End;
  std::vector<uint8_t> Buffer;
  size_t At = 0, Have = 0;
};

RowSorter::RowSorter(size_t Memory) : Memory(Memory) {}

RowSorter::~RowSorter() {
  if (File >= 0)
    close(File);
}

Error RowSorter::add(const RowKey &Key, Bytes Payload) {
  Entries.push_back({Key, Data.size(), Payload.size()});
  Data.insert(Data.end(), Payload.begin(), Payload.end());
  if (Data.size() + Entries.size() * sizeof(Entry) < Memory)
    return Error::success();
  return spill();
}

Error RowSorter::spill() {
  if (File < 0) {
    auto Made = openNamelessFile();
    if (!Made)
      return Made.takeError();
    File = *Made;
  }
  llvm::sort(Entries, [](auto &A, auto &B) { return A.Key < B.Key; });
  const uint64_t Begin = FileSize;
  llvm::raw_fd_ostream OS(File, /*shouldClose=*/false);
  for (const Entry &E : Entries) {
    Part::Header H;
    memset(static_cast<void *>(&H), 0, sizeof H);
    H.Key = E.Key;
    H.Length = E.Length;
    OS.write(reinterpret_cast<const char *>(&H), sizeof H);
    OS.write(reinterpret_cast<const char *>(Data.data() + E.Offset), E.Length);
    FileSize += sizeof H + E.Length;
  }
  OS.flush();
  const std::error_code EC = OS.error();
  OS.clear_error();
  if (EC)
    return makeError("the temporary file: " + EC.message());
  Parts.push_back(std::make_unique<Part>(File, Begin, FileSize));
  Entries.clear();
  Data.clear();
  return Error::success();
}

/// For a heap with the smallest on top.
static bool isLater(const RowKey &A, const RowKey &B) { return B < A; }

Error RowSorter::finish() {
  if (File < 0) {
    llvm::sort(Entries, [](auto &A, auto &B) { return A.Key < B.Key; });
    return Error::success();
  }
  if (!Entries.empty())
    if (Error E = spill())
      return E;
  Data = {};
  Entries = {};
  for (auto &P : Parts) {
    auto Some = P->advance();
    if (!Some)
      return Some.takeError();
  }
  std::make_heap(Parts.begin(), Parts.end(),
                 [](auto &A, auto &B) { return isLater(A->Key, B->Key); });
  return Error::success();
}

Expected<bool> RowSorter::next(RowKey &Key, Bytes &Payload) {
  if (File < 0) {
    if (At == Entries.size())
      return false;
    const Entry &E = Entries[At++];
    Key = E.Key;
    Payload = Bytes(Data).slice(E.Offset, E.Length);
    return true;
  }
  auto Later = [](auto &A, auto &B) { return isLater(A->Key, B->Key); };
  if (Taken) {
    // Its payload was valid until now.
    std::pop_heap(Parts.begin(), Parts.end(), Later);
    auto More = Parts.back()->advance();
    if (!More)
      return More.takeError();
    if (*More)
      std::push_heap(Parts.begin(), Parts.end(), Later);
    else
      Parts.pop_back();
    Taken = nullptr;
  }
  if (Parts.empty())
    return false;
  Taken = Parts.front().get();
  Key = Taken->Key;
  Payload = Taken->Payload;
  return true;
}
