//===- ProbeLines.cpp - Probes as lines of JSON ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ProbeLines.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Json.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

/// Which key stands first tells these lines from others.
static constexpr StringRef Probes = "probes";
static constexpr unsigned WordBits = 64;
/// More than any class has: methods have up to 65,535 bytes, classes up to
/// 65,535 methods, but no class file is larger than 4 GB.
static constexpr int64_t MaxProbes = 1 << 28;

bool coverage::isProbeLines(StringRef File) {
  return File.consume_front("{") && File.ltrim(" ").consume_front("\"probes\"");
}

static Error readSession(const json::Object &Line, CoverageData &To) {
  const auto Run = Line.getString("run");
  const auto Start = Line.getInteger("start");
  const auto Dump = Line.getInteger("dump");
  const auto Id = Run ? toModifiedUTF8(*Run) : std::nullopt;
  if (!Id || !Start)
    return makeError("a line without a class has a run and its start");
  To.add(SessionInfo{*Id, *Start, Dump.value_or(*Start)});
  return Error::success();
}

static Error readClass(StringRef Name, const json::Object &Line,
                       CoverageData &To) {
  const auto Id = Line.getString("id");
  const auto Count = Line.getInteger(Probes);
  const json::Array *Bits = Line.getArray("bits");
  const auto Own = toModifiedUTF8(Name);
  uint64_t Number;
  if (!Own || !Id || Id->getAsInteger(16, Number) || !Count || *Count < 0 ||
      *Count > MaxProbes || !Bits ||
      Bits->size() != size_t(*Count + WordBits - 1) / WordBits)
    return makeError("the line of a class has its id, 16 hexadecimal digits, "
                     "the number of its probes, and bits, a number for each 64 "
                     "of them");
  ClassCoverage C{Number, *Own, llvm::BitVector(unsigned(*Count))};
  for (unsigned W = 0; W < Bits->size(); ++W) {
    const auto Word = (*Bits)[W].getAsInteger();
    if (!Word)
      return makeError("bits are whole numbers of 64 bits");
    for (unsigned B = 0; B < WordBits; ++B)
      if (uint64_t(*Word) >> B & 1) {
        const unsigned Probe = W * WordBits + B;
        if (Probe >= C.Probes.size())
          return makeError("there is a bit for probe " + llvm::Twine(Probe) +
                           " of " + llvm::Twine(C.Probes.size()));
        C.Probes.set(Probe);
      }
  }
  return To.add(C);
}

Error coverage::readProbeLines(StringRef File, CoverageData &To) {
  for (size_t Number = 1; !File.empty(); ++Number) {
    StringRef Text;
    std::tie(Text, File) = File.split('\n');
    if (Text.trim().empty())
      continue;
    auto Wrong = [&](Error E) {
      return makeError("line " + llvm::Twine(Number) + ": " +
                       toMessage(std::move(E)));
    };
    auto Value = parseJson(Text);
    if (!Value)
      return Wrong(Value.takeError());
    const json::Object *Line = Value->getAsObject();
    if (!Line)
      return Wrong(makeError("a line is an object"));
    const auto Name = Line->getString("class");
    if (Error E = Name ? readClass(*Name, *Line, To) : readSession(*Line, To))
      return Wrong(std::move(E));
  }
  return Error::success();
}

void coverage::writeProbeLines(const CoverageData &From, StringRef Run,
                               llvm::raw_ostream &OS) {
  for (const SessionInfo &S : From.sessions()) {
    json::OStream J(OS);
    J.object([&] {
      J.attribute(Probes, 0);
      J.attribute("run", toDisplayUTF8(S.Id));
      J.attribute("start", S.Start);
      J.attribute("dump", S.Dump);
    });
    OS << '\n';
  }
  for (const ClassCoverage *C : From.classes()) {
    if (C->Probes.none())
      continue;
    json::OStream J(OS);
    J.object([&] {
      J.attribute(Probes, int64_t(C->Probes.size()));
      J.attribute("class", toDisplayUTF8(C->Name));
      J.attribute("id", llvm::utohexstr(C->Id, /*LowerCase=*/true, 16));
      if (!Run.empty())
        J.attribute("run", Run);
      J.attributeArray("bits", [&] {
        for (unsigned First = 0; First < C->Probes.size(); First += WordBits) {
          uint64_t Word = 0;
          for (unsigned B = 0; B < WordBits && First + B < C->Probes.size();
               ++B)
            Word |= uint64_t(C->Probes.test(First + B)) << B;
          J.value(int64_t(Word));
        }
      });
    });
    OS << '\n';
  }
}
