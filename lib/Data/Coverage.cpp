//===- Coverage.cpp - What covered classes recorded -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Coverage.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>
#include <unordered_map>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Definitions; then what chunks of values have.
enum : uint8_t { ClassEvent = 18, RulesEvent = 19 };
enum : uint8_t { BitsEvent = 1, CountsEvent = 2 };

size_t CoveredClass::reached() const {
  return llvm::count_if(Values, [](uint64_t V) { return V != 0; });
}

namespace {
/// Puts the events of a run together.
class CoverageReader {
public:
  bool define(const EventView &E);
  bool add(const EventView &E);
  /// All that have their elements; tells which have not.
  std::vector<CoveredClass> take(const Run &R, LeftOut Tell);

private:
  bool defineClass(uint32_t Number, bool IsCounts, ByteCursor &C);

  std::vector<CoveredClass> Classes;
  /// How many elements each is to have. What is damaged may name any number,
  /// so there is room for those alone that are there.
  std::vector<uint32_t> Elements;
  /// By the numbers of the record; texts until their classes come.
  std::unordered_map<uint32_t, size_t> Numbers;
  std::unordered_map<uint32_t, std::string> Rules;
};
} // namespace

bool CoverageReader::define(const EventView &E) {
  ByteCursor C(E.Payload);
  const uint32_t Number = C.u4();
  if (E.Kind == ClassEvent)
    return defineClass(Number, E.Argument != 0, C);
  if (E.Kind == RulesEvent && !C.failed())
    Rules[Number] += toStringRef(C.bytes(C.remaining()));
  return E.Kind != RulesEvent || !C.failed();
}

bool CoverageReader::defineClass(uint32_t Number, bool IsCounts,
                                 ByteCursor &C) {
  CoveredClass New;
  New.Number = Number;
  New.IsCounts = IsCounts;
  New.Id = C.u8();
  const uint32_t Length = C.u4();
  New.Strategy = toStringRef(C.bytes(C.u4()));
  New.Name = toStringRef(C.bytes(C.remaining()));
  if (C.failed() || !Numbers.try_emplace(Number, Classes.size()).second)
    return false;
  if (auto R = Rules.find(Number); R != Rules.end()) {
    New.Rules = std::move(R->second);
    Rules.erase(R);
  }
  Elements.push_back(Length);
  Classes.push_back(std::move(New));
  return true;
}

bool CoverageReader::add(const EventView &E) {
  if (E.Kind != BitsEvent && E.Kind != CountsEvent)
    return true;
  ByteCursor C(E.Payload);
  auto I = Numbers.find(C.u4());
  const size_t First = C.u4(), Length = C.u4();
  const bool IsCounts = E.Kind == CountsEvent;
  if (C.failed() || I == Numbers.end())
    return false;
  CoveredClass &To = Classes[I->second];
  const size_t Bytes = IsCounts ? Length * 8 : (Length + 7) / 8;
  // Parts come in order.
  if (To.IsCounts != IsCounts || First != To.Values.size() ||
      Length > Elements[I->second] - First || Bytes > C.remaining())
    return false;
  for (size_t K = 0; K < Length; ++K)
    To.Values.push_back(IsCounts ? C.u8() : E.Payload[12 + K / 8] >> K % 8 & 1);
  return true;
}

std::vector<CoveredClass> CoverageReader::take(const Run &R, LeftOut Tell) {
  std::vector<CoveredClass> Whole;
  for (size_t I = 0; I < Classes.size(); ++I)
    if (Classes[I].Values.size() == Elements[I])
      Whole.push_back(std::move(Classes[I]));
    else
      Tell(R.folder() + ": class " + toDisplayUTF8(Classes[I].Name) + ": " +
           Twine(Classes[I].Values.size()) + " of " + Twine(Elements[I]) +
           " elements are there");
  return Whole;
}

Expected<std::vector<CoveredClass>> data::readCoverage(const Run &R,
                                                       LeftOut Tell) {
  CoverageReader Reader;
  auto Read = [&](ChunkKind Kind, llvm::StringRef What, auto Use) {
    return R.forEachChunk(Kind, Tell, [&](const ChunkView &V) -> Error {
      bool Fine = true;
      Fine &=
          forEachEvent(V.Events, [&](const EventView &E) { Fine &= Use(E); });
      if (!Fine)
        Tell(R.folder() + ": " + What + " in chunk " + Twine(V.Sequence) +
             " are damaged");
      return Error::success();
    });
  };
  if (Error E = Read(ChunkKind::Definitions, "definitions",
                     [&](const EventView &E) { return Reader.define(E); }))
    return E;
  if (Error E = Read(ChunkKind::Coverage, "values",
                     [&](const EventView &E) { return Reader.add(E); }))
    return E;
  return Reader.take(R, Tell);
}

void data::showCoverage(llvm::ArrayRef<CoveredClass> Classes,
                        llvm::raw_ostream &OS) {
  struct Sums {
    size_t Classes = 0, Elements = 0, Reached = 0;
    uint64_t Times = 0;
    bool IsCounts = false;
  };
  llvm::MapVector<llvm::StringRef, Sums> ByStrategy;
  for (const CoveredClass &C : Classes) {
    Sums &S = ByStrategy[C.Strategy];
    ++S.Classes;
    S.Elements += C.Values.size();
    S.Reached += C.reached();
    // Tables of paths have more than counts.
    const bool IsCounts =
        C.IsCounts && !llvm::StringRef(C.Rules).starts_with("paths ");
    S.IsCounts |= IsCounts;
    if (IsCounts)
      S.Times = std::accumulate(C.Values.begin(), C.Values.end(), S.Times);
  }
  for (const auto &[Strategy, S] : ByStrategy) {
    OS << "coverage " << Strategy << ": " << S.Classes << " classes, "
       << S.Reached << " of " << S.Elements << " elements reached";
    if (S.IsCounts)
      OS << ", " << S.Times << " times";
    OS << '\n';
  }
}
