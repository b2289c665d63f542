//===- ReportStore.cpp - What the report has of each class
//------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/ReportStore.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

// The placed rows in their own encoding, then the other rows one by one.
std::string ReportStore::pack(const ClassRows &Rows) {
  std::string To;
  if (Rows.empty())
    return To;
  packText(Rows.Placed.bytes(), To);
  for (const ReportRow &R : Rows.Other) {
    packNumber(R.What, To);
    packText(R.Method, To);
    packNumber(R.Order, To);
    packNumber(R.Count, To);
    packNumber(R.OldSize, To);
    packNumber(R.NewSize, To);
    packText(toMessage(R.Reasons), To);
  }
  return To;
}

static std::vector<ReportRow> unpack(StringRef Name, StringRef Packed) {
  ClassRows Rows;
  Rows.Class = toDisplayUTF8(Name);
  Rows.Placed = EncodedReport(unpackText(Packed));
  while (!Packed.empty()) {
    ReportRow &R = Rows.Other.emplace_back();
    R.What = ReportRow::Kind(unpackNumber(Packed));
    R.Class = Rows.Class;
    R.Method = unpackText(Packed).str();
    R.Order = unsigned(unpackNumber(Packed));
    R.Count = unsigned(unpackNumber(Packed));
    R.OldSize = unsigned(unpackNumber(Packed));
    R.NewSize = unsigned(unpackNumber(Packed));
    if (StringRef Why = unpackText(Packed); !Why.empty())
      R.Reasons = toDiagnostics(makeError(Why));
  }
  return Rows.all();
}

void ReportStore::startOver() {
  std::lock_guard<std::mutex> Guard(Lock);
  Packed.clear();
  Size = 0;
  Omitted = 0;
}

/// Under the lock.
void ReportStore::erase(StringRef Name) {
  auto At = Packed.find(Name);
  if (At == Packed.end())
    return;
  Size -= Name.size() + At->second.size();
  Packed.erase(At);
}

void ReportStore::setPacked(StringRef Name, std::string New) {
  std::lock_guard<std::mutex> Guard(Lock);
  erase(Name);
  if (New.empty())
    return;
  if (Size + Name.size() + New.size() > MaxBytes) {
    ++Omitted;
    return;
  }
  Size += Name.size() + New.size();
  Packed[Name] = std::move(New);
}

void ReportStore::leave(StringRef Name, std::string Why) {
  ClassRows Rows;
  Rows.Other.push_back(
      ReportRow::problem(ReportRow::LeftAlone, std::move(Why)));
  set(Name, Rows);
}

std::vector<ReportRow> ReportStore::find(StringRef Name) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Packed.find(Name);
  return At == Packed.end() ? std::vector<ReportRow>()
                            : unpack(Name, At->second);
}

void ReportStore::forEach(
    llvm::function_ref<void(StringRef Name, std::vector<ReportRow>)> Use)
    const {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<StringRef> Names;
  for (const auto &Entry : Packed)
    Names.push_back(Entry.getKey());
  llvm::sort(Names);
  for (StringRef Name : Names)
    Use(Name, unpack(Name, Packed.find(Name)->second));
}

uint64_t ReportStore::omitted() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Omitted;
}
