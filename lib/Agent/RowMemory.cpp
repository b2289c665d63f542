//===- RowMemory.cpp - What the report has of each class ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/RowMemory.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

namespace {
/// Writes numbers and texts behind one another.
class Packer {
public:
  void number(uint64_t N) { llvm::encodeULEB128(N, OS); }
  void text(StringRef S) {
    number(S.size());
    OS << S;
  }
  std::string take() { return std::move(OS.str()); }

private:
  std::string Bytes;
  llvm::raw_string_ostream OS{Bytes};
};

/// Reads what a Packer wrote.
class Unpacker {
public:
  explicit Unpacker(StringRef Packed)
      : At(Packed.bytes_begin()), End(Packed.bytes_end()) {}
  bool atEnd() const { return At == End; }
  template <typename T = unsigned> T number() {
    unsigned Size = 0;
    const uint64_t N = llvm::decodeULEB128(At, &Size, End);
    At += Size;
    return static_cast<T>(N);
  }
  std::string text() {
    const auto Size = number<size_t>();
    std::string S(reinterpret_cast<const char *>(At), Size);
    At += Size;
    return S;
  }

private:
  const uint8_t *At, *End;
};
} // namespace

std::string RowMemory::pack(llvm::ArrayRef<ReportRow> Rows) {
  Packer P;
  StringRef Method;
  for (const ReportRow &R : Rows) {
    P.number(R.What);
    // Rows of a method stand behind one another.
    P.number(R.Method == Method);
    if (R.Method != Method)
      P.text(R.Method);
    Method = R.Method;
    P.number(uint64_t(R.Probe + 1));
    P.text(R.ProbeName);
    P.number(R.Count);
    P.number(R.OldSize);
    P.number(R.NewSize);
    P.text(toMessage(R.Reasons));
    P.number(R.Sites.size());
    for (const ReportRow::Site &S : R.Sites) {
      P.number(uint64_t(S.Kind));
      P.number(uint64_t(S.BCI + 1));
      P.number(S.Line);
      P.number(S.Number);
    }
  }
  return P.take();
}

static std::vector<ReportRow> unpack(StringRef Name, StringRef Packed) {
  std::vector<ReportRow> Rows;
  for (Unpacker P(Packed); !P.atEnd();) {
    std::string Method;
    const auto What = P.number<ReportRow::Kind>();
    Method =
        P.number<bool>() ? (Rows.empty() ? "" : Rows.back().Method) : P.text();
    ReportRow &R = Rows.emplace_back();
    R.What = What;
    R.Class = toDisplayUTF8(Name);
    R.Method = std::move(Method);
    R.Probe = P.number<int>() - 1;
    R.ProbeName = P.text();
    R.Count = P.number();
    R.OldSize = P.number();
    R.NewSize = P.number();
    if (std::string Why = P.text(); !Why.empty())
      R.Reasons = toDiagnostics(makeError(Why));
    R.Sites.resize(P.number<size_t>());
    for (ReportRow::Site &S : R.Sites) {
      S.Kind = P.number<AdviceKind>();
      S.BCI = P.number<int32_t>() - 1;
      S.Line = P.number<uint16_t>();
      S.Number = P.number<uint32_t>();
    }
  }
  return Rows;
}

void RowMemory::startOver() {
  std::lock_guard<std::mutex> Guard(Lock);
  Packed.clear();
  Size = 0;
  Omitted = 0;
}

/// Under the lock.
void RowMemory::erase(StringRef Name) {
  auto At = Packed.find(Name);
  if (At == Packed.end())
    return;
  Size -= Name.size() + At->second.size();
  Packed.erase(At);
}

void RowMemory::setPacked(StringRef Name, std::string New) {
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

void RowMemory::leave(StringRef Name, std::string Why) {
  set(Name, ReportRow::problem(ReportRow::LeftAlone, std::move(Why)));
}

std::vector<ReportRow> RowMemory::find(StringRef Name) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Packed.find(Name);
  return At == Packed.end() ? std::vector<ReportRow>()
                            : unpack(Name, At->second);
}

void RowMemory::forEach(
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

uint64_t RowMemory::omitted() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Omitted;
}
