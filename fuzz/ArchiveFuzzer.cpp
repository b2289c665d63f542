//===- ArchiveFuzzer.cpp - Archives of any bytes --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any bytes are an error or an archive. If they are an archive, it can be
// edited, and the result is an archive with what was asked for.
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Signatures.h"
#include "jopt/Archive/ZipWriter.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace jopt;
using namespace llvm;

/// Without an archive's names in the message: they are the fuzzer's.
static void check(bool Holds, const char *What) {
  if (Holds)
    return;
  errs() << "does not hold: " << What << '\n';
  std::abort();
}

static std::string textOf(const Rope &R) {
  std::string Text;
  cantFail(R.forEachChunk([&](Bytes B) {
    Text += jopt::toStringRef(B);
    return Error::success();
  }));
  return Text;
}

static std::unique_ptr<ZipArchive> open(Bytes Data) {
  ArchiveLimits Limits;
  Limits.MaxDirectory = 1u << 20;
  auto A = ZipArchive::open(ByteRange::ofMemory(Data), "a.jar", Limits);
  if (A)
    return std::move(*A);
  check(!toString(A.takeError()).empty(), "an error has a message");
  return nullptr;
}

static void fuzz(Bytes Data, SpillFile &Spill, unsigned Depth) {
  Expected<bool> IsArchive = ZipArchive::isArchive(ByteRange::ofMemory(Data));
  check(bool(IsArchive), "memory can be read");
  std::unique_ptr<ZipArchive> A = open(Data);
  if (!A)
    return;
  constexpr StringLiteral New = "new content", Added = "added/P.class";
  ArrayRef<ZipEntry> Entries = A->entries();
  ZipWriter W(A.get());
  check(textOf(cantFail(W.finish())) == jopt::toStringRef(Data), "identity");
  size_t Kept = 0;
  for (size_t I = 0; I < Entries.size(); ++I) {
    const ZipEntry &E = Entries[I];
    SmallVector<uint8_t, 0> Content, Streamed;
    Error ReadError = A->read(E, 1u << 20, Content);
    if (!ReadError) {
      // Two decoders, one answer.
      cantFail(A->stream(E, [&](Bytes B) {
        Streamed.append(B.begin(), B.end());
        return Error::success();
      }));
      check(Bytes(Streamed).equals(Content), "both decoders agree");
      if (Depth < 2)
        fuzz(Content, Spill, Depth + 1);
      if (E.Name.ends_with("MANIFEST.MF")) {
        std::string Once = withoutDigests(jopt::toStringRef(Content));
        check(withoutDigests(Once) == Once, "digests are gone at once");
      }
    }
    if (E.Size <= 1u << 20 && Depth == 0) {
      Expected<ByteRange> R = A->extract(E, Spill);
      check(bool(R) == !ReadError, "extract agrees with read");
      if (!R)
        consumeError(R.takeError());
    }
    if (I % 3 == 1) {
      W.drop(I);
      continue;
    }
    ++Kept;
    if (!ReadError && I % 3 == 2)
      W.replace(I,
                cantFail(pack(toBytes(New), static_cast<ZipMethod>(E.Method))));
    consumeError(std::move(ReadError));
  }
  W.add(Added.str(), cantFail(pack(toBytes(New), ZipMethod::Deflated)));
  Expected<Rope> Edited = W.finish();
  if (!Edited) { // a field that leaves no room
    consumeError(Edited.takeError());
    return;
  }
  std::string Text = textOf(*Edited);
  std::unique_ptr<ZipArchive> B = open(toBytes(Text));
  check(B != nullptr, "an edited archive is an archive");
  check(B->entries().size() == Kept + 1, "the entries are those asked for");
  for (size_t I = 0, J = 0; I < Entries.size(); ++I) {
    if (I % 3 == 1)
      continue;
    const ZipEntry &Old = Entries[I], &E = B->entries()[J++];
    check(Old.Name == E.Name && Old.Flags == E.Flags && Old.Method == E.Method,
          "names and flags stay");
    if (W.replacement(I)) {
      SmallVector<uint8_t, 0> Content;
      cantFail(B->read(E, 100, Content));
      check(jopt::toStringRef(Content) == New, "new content is found");
    } else {
      SmallVector<uint8_t, 0> Before, After;
      cantFail(A->packed(Old).readAll(Before));
      cantFail(B->packed(E).readAll(After));
      check(Before == After && Old.CRC == E.CRC && Old.Size == E.Size,
            "the others stay");
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static std::shared_ptr<SpillFile> Spill;
  static unsigned Uses = 0;
  if (Uses++ % 10000 == 0)
    Spill = SpillFile::create(); // it only grows
  fuzz(Bytes(Data, Size), *Spill, 0);
  return 0;
}
