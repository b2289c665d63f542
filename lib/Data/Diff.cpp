//===- Diff.cpp - What two recordings have and have not -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Diff.h"
#include "RowSorter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// The diff of a table has no more lines than this.
static constexpr size_t MostFound = 100;

/// The values that probes gave a row, as a text to compare.
static std::string textOf(const Table &T, const Row &R) {
  std::string Text;
  auto Add = [&](StringRef Title, const llvm::Twine &Value) {
    Text += (Text.empty() ? "" : ", ") + (Title + ": " + Value).str();
  };
  for (size_t I = 0; I < R.Cells.size(); ++I) {
    const Cell &C = R.Cells[I];
    if (T.Columns[I].Type == ColumnType::Row || C.Kind == Cell::None)
      continue;
    if (C.Kind == Cell::Number)
      Add(T.Columns[I].Title, llvm::Twine(C.Value));
    else
      Add(T.Columns[I].Title, C.String);
  }
  if (!R.Exception.empty())
    Add("exception", R.Exception);
  if ((T.Mask & LastingEvents) && !R.Duration)
    Add("open", "yes");
  return Text;
}

namespace {
/// The rows of one side in a table.
struct TableTotals {
  uint64_t Rows = 0;
  int64_t Nanoseconds = 0;
};

/// Equal rows, more of which are on one side.
struct Difference {
  uint64_t Place; ///< the first, in the order of rows
  int64_t More;   ///< of the first side; negative, of the second
  std::string Text;
};

/// Compares the rows of all tables, sorted by their texts.
class TableDiff {
public:
  TableDiff(const Recording &All, size_t First)
      : All(All), First(First), Sides(All.tables().size()) {}

  Error add(size_t Table, const Row &R) {
    const bool IsSecond = R.Run >= First;
    TableTotals &S = Sides[Table][IsSecond];
    ++S.Rows;
    S.Nanoseconds += R.Duration.value_or(0);
    const std::string Text = textOf(All.tables()[Table], R);
    const auto Hash = llvm::xxh3_128bits(toBytes(Text));
    llvm::SmallString<128> Payload;
    Payload.push_back(char(IsSecond));
    Payload += Text;
    return Rows.add({uint32_t(Table), uint32_t(Hash.high64 >> 32),
                     uint32_t(Hash.high64), int64_t(Hash.low64), Place++},
                    toBytes(Payload));
  }

  Error print(llvm::raw_ostream &OS) {
    if (Error E = Rows.finish())
      return E;
    RowKey Next;
    Bytes Payload;
    size_t Table = 0;
    for (;;) {
      auto Some = Rows.next(Next, Payload);
      if (!Some)
        return Some.takeError();
      const bool IsOther =
          !*Some || !(Next.isRowOf(Key) && Next.Time == Key.Time);
      if (IsOther)
        keep();
      for (const size_t End = *Some ? Next.Table : Sides.size(); Table < End;
           ++Table)
        printTable(OS, Table);
      if (!*Some)
        break;
      if (IsOther) {
        Key = Next;
        Equal = {Next.Place, 0, toStringRef(Payload.drop_front()).str()};
      }
      Equal.More += Payload[0] ? -1 : 1;
    }
    if (!IsDifferent)
      OS << "no differences\n";
    return Error::success();
  }

private:
  /// All rows that are equal to the last were seen.
  void keep() {
    if (Equal.More == 0)
      return;
    Found.push_back(std::move(Equal));
    Equal = {};
    if (Found.size() < 2 * MostFound)
      return;
    forget();
  }

  /// Keeps the first ones.
  void forget() {
    llvm::sort(Found, [](const Difference &A, const Difference &B) {
      return A.Place < B.Place;
    });
    for (; Found.size() > MostFound; ++Others)
      Found.pop_back();
  }

  void printTable(llvm::raw_ostream &OS, size_t Index) {
    const auto &[A, B] = Sides[Index];
    if (A.Rows != B.Rows || !Found.empty()) {
      IsDifferent = true;
      const Table &T = All.tables()[Index];
      OS << "table " << T.Title << ": " << A.Rows << " rows and " << B.Rows;
      if (T.Mask & LastingEvents)
        OS << llvm::format("; %.3f s and %.3f s", double(A.Nanoseconds) / 1e9,
                           double(B.Nanoseconds) / 1e9);
      OS << '\n';
    }
    forget();
    for (const Difference &D : Found) {
      OS << (D.More > 0 ? "  - " : "  + ");
      if (std::abs(D.More) > 1)
        OS << std::abs(D.More) << " x ";
      for (char C : D.Text)
        OS << (uint8_t(C) < 0x20 ? ' ' : C); // a line each
      OS << '\n';
    }
    if (Others)
      OS << "  and " << Others << " others\n";
    Found.clear();
    Others = 0;
  }

  const Recording &All;
  const size_t First;
  RowSorter Rows;
  std::vector<std::array<TableTotals, 2>> Sides;
  uint64_t Place = 0;
  RowKey Key;
  Difference Equal = {};
  std::vector<Difference> Found; ///< of one table
  uint64_t Others = 0;           ///< that are not in Found
  bool IsDifferent = false;
};
} // namespace

Error data::diffTables(const Recording &All, size_t First,
                       llvm::raw_ostream &OS, LeftOut Tell) {
  TableDiff D(All, First);
  if (Error E = All.forEachRow(
          Tell, [&](size_t T, const Row &R) { return D.add(T, R); }))
    return E;
  return D.print(OS);
}
