//===- Tests.cpp - What tests reached -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Tests.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/Twine.h"
#include <map>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Twine;

/// Definitions; then what chunks of tests have.
enum : uint8_t { TestEvent = 20 };
enum : uint8_t { ReachedEvent = 1, EndEvent = 2 };

namespace {
/// Puts the events of a run together.
class TestReader {
public:
  TestReader(const Run &R, LeftOut Tell,
             llvm::function_ref<Error(const RecordedTest &)> Use)
      : R(R), Tell(Tell), Use(Use) {}

  Error read() {
    if (Error E = R.forEachChunk(
            ChunkKind::Definitions, Tell,
            [&](const ChunkView &V) { return readChunk(V, false); }))
      return E;
    if (Defined.empty())
      return Error::success();
    if (Error E =
            R.forEachChunk(ChunkKind::Tests, Tell, [&](const ChunkView &V) {
              return readChunk(V, true);
            }))
      return E;
    for (const auto &[Number, D] : Defined) {
      RecordedTest Open;
      Open.Name = D.first;
      Open.IsAround = D.second;
      if (Error E = Use(Open))
        return E;
    }
    return Error::success();
  }

private:
  Error readChunk(const ChunkView &V, bool OfTests) {
    Error Failed = Error::success();
    bool Fine = forEachEvent(V.Events, [&](const EventView &E) {
      if (!Failed)
        Failed = OfTests ? add(E) : define(E);
    });
    if (!Failed && (!Fine || IsDamaged))
      Tell(R.folder() + ": events of tests in chunk " + Twine(V.Sequence) +
           " are damaged");
    IsDamaged = false;
    return Failed;
  }

  Error define(const EventView &E) {
    if (E.Kind != TestEvent)
      return Error::success();
    ByteCursor C(E.Payload);
    const uint32_t Number = C.u4();
    if (C.failed() ||
        !Defined
             .try_emplace(Number, toStringRef(C.bytes(C.remaining())),
                          E.Argument != 0)
             .second)
      IsDamaged = true;
    return Error::success();
  }

  Error add(const EventView &E) {
    ByteCursor C(E.Payload);
    const uint32_t Number = C.u4();
    if (C.failed())
      IsDamaged = true;
    else if (E.Kind == ReachedEvent)
      addPieces(Number, E.Payload.drop_front(4));
    else if (E.Kind == EndEvent)
      return end(Number, E.Argument != 0, C);
    return Error::success();
  }

  /// The events of a test are in a row, perhaps in several chunks.
  void addPieces(uint32_t Number, Bytes Pieces) {
    if (Number != Of)
      Kept.clear();
    Of = Number;
    Kept.emplace_back(Pieces.begin(), Pieces.end());
  }

  /// False if they are damaged.
  static bool split(Bytes All, std::vector<RecordedTest::Piece> &To) {
    for (ByteCursor C(All); !C.atEnd();) {
      RecordedTest::Piece P;
      P.Class = C.u4();
      P.First = C.u4();
      P.Bits = C.bytes(C.u2());
      if (C.failed() || P.First % 8)
        return false;
      To.push_back(P);
    }
    return true;
  }

  Error end(uint32_t Number, bool IsShared, ByteCursor &C) {
    auto Known = Defined.find(Number);
    RecordedTest T;
    T.HasEnded = true;
    T.IsShared = IsShared;
    const auto Begin = int64_t(C.u8()), End = int64_t(C.u8());
    const uint32_t Count = C.u4();
    if (C.failed() || Known == Defined.end() || End < Begin) {
      IsDamaged = true;
      return Error::success();
    }
    T.Nanoseconds = End - Begin;
    T.Name = std::move(Known->second.first);
    T.IsAround = Known->second.second;
    Defined.erase(Known);
    bool Fine = true;
    if (Of == Number)
      for (const std::vector<uint8_t> &Pieces : Kept)
        Fine &= split(Pieces, T.Reached);
    if (!Fine || T.Reached.size() != Count) {
      Tell(R.folder() + ": test " + toDisplayUTF8(T.Name) + ": " +
           Twine(T.Reached.size()) + " of " + Twine(Count) +
           " parts of what it reached are there");
      return Error::success();
    }
    return Use(T);
  }

  const Run &R;
  const LeftOut Tell;
  const llvm::function_ref<Error(const RecordedTest &)> Use;
  /// Those that have not ended yet, in order: the name, IsAround.
  std::map<uint32_t, std::pair<std::string, bool>> Defined;
  uint32_t Of = 0;
  std::vector<std::vector<uint8_t>> Kept;
  bool IsDamaged = false;
};
} // namespace

Error data::forEachTest(const Run &R, LeftOut Tell,
                        llvm::function_ref<Error(const RecordedTest &)> Use) {
  return TestReader(R, Tell, Use).read();
}
