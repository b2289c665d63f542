//===- EncodedReport.cpp - Where advices are, in few bytes ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/EncodedReport.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include <algorithm>
#include <utility>

using namespace jopt;
using llvm::StringRef;

/// Bytes of a number, at most.
static constexpr size_t MaxNumber = 10;

/// \returns what is behind it.
static char *put(uint64_t N, char *At) {
  if (LLVM_LIKELY(N < 0x80)) {
    *At = char(N);
    return At + 1;
  }
  return At + llvm::encodeULEB128(N, reinterpret_cast<uint8_t *>(At));
}

void jopt::packNumber(uint64_t N, std::string &To) {
  char Buffer[MaxNumber];
  To.append(Buffer, put(N, Buffer));
}

void jopt::packText(StringRef S, std::string &To) {
  packNumber(S.size(), To);
  To.append(S.data(), S.size());
}

uint64_t jopt::unpackNumber(StringRef &From) {
  unsigned Size = 0;
  const uint64_t N =
      llvm::decodeULEB128(From.bytes_begin(), &Size, From.bytes_end());
  From = From.drop_front(Size);
  return N;
}

StringRef jopt::unpackText(StringRef &From) {
  const auto Size = size_t(unpackNumber(From));
  StringRef S = From.take_front(Size);
  From = From.drop_front(S.size());
  return S;
}

/// Room for \p N bytes more, to be given back in part.
static char *grow(llvm::SmallVectorImpl<char> &V, size_t N) {
  const size_t Old = V.size();
  V.resize_for_overwrite(Old + N);
  return V.data() + Old;
}

static char *put(StringRef S, char *At) {
  At = put(S.size(), At);
  return std::copy(S.begin(), S.end(), At);
}

// A row begins with 0, or, if it is the first of its method, with the number of
// that and 1, and the names. Then come the probe and whether its name follows,
// which it does if the row before is of another.
void EncodedReport::beginMethod(unsigned Order, StringRef Name,
                                StringRef Descriptor) {
  char *At = grow(Packed, 3 * MaxNumber + Name.size() + Descriptor.size());
  At = put(uint64_t(Order) + 1, At);
  At = put(Name, At);
  endAt(put(Descriptor, At));
  IsFirst = true;
}

void EncodedReport::add(unsigned Probe, StringRef ProbeName, unsigned Count,
                        llvm::ArrayRef<ReportRow::Site> Sites) {
  assert((IsFirst || !Packed.empty()) && "which method's?");
  const bool IsOther = std::exchange(Last, int64_t(Probe)) != int64_t(Probe);
  if (!IsOther)
    ProbeName = "";
  char *At = grow(Packed, 5 * MaxNumber + ProbeName.size() +
                              Sites.size() * 4 * MaxNumber);
  if (!std::exchange(IsFirst, false))
    At = put(0, At);
  At = put(uint64_t(Probe) << 1 | IsOther, At);
  if (IsOther)
    At = put(ProbeName, At);
  At = put(Count, At);
  At = put(Sites.size(), At);
  for (const ReportRow::Site &S : Sites) {
    At = put(uint64_t(S.Kind), At);
    At = put(uint64_t(S.BCI + 1), At);
    At = put(S.Line, At);
    At = put(S.Number, At);
  }
  endAt(At);
}

std::vector<ReportRow> EncodedReport::rows(StringRef Class) const {
  std::vector<ReportRow> Rows;
  ReportRow R; // what a row has of the one before
  R.What = ReportRow::Applied;
  R.Class = Class.str();
  for (StringRef Rest = bytes(); !Rest.empty();) {
    if (const uint64_t Order = unpackNumber(Rest)) {
      R.Order = unsigned(Order - 1);
      R.Method = toDisplayUTF8(unpackText(Rest));
      R.Method += toDisplayUTF8(unpackText(Rest));
    }
    const uint64_t Probe = unpackNumber(Rest);
    R.Probe = int(Probe >> 1);
    if (Probe & 1)
      R.ProbeName = unpackText(Rest).str();
    R.Count = unsigned(unpackNumber(Rest));
    R.Sites.resize(size_t(unpackNumber(Rest)));
    for (ReportRow::Site &S : R.Sites) {
      S.Kind = AdviceKind(unpackNumber(Rest));
      S.BCI = int32_t(unpackNumber(Rest)) - 1;
      S.Line = uint16_t(unpackNumber(Rest));
      S.Number = uint32_t(unpackNumber(Rest));
    }
    Rows.push_back(R);
  }
  return Rows;
}

std::vector<ReportRow> ClassRows::all() const {
  std::vector<ReportRow> Rows = Placed.rows(Class);
  llvm::append_range(Rows, Other);
  llvm::stable_sort(Rows, [](const ReportRow &A, const ReportRow &B) {
    return A.Order < B.Order;
  });
  return Rows;
}
