//===- Recording.cpp - The rows of all runs -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Recording.h"
#include "RowSorter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
enum RowEvent : uint8_t {
  Create = 1,
  SetInt,
  SetLong,
  SetRef,
  SetText,
  MoreText,
  Close,
  Delete,
  ThreadEvent
};
/// Numbers, above those of columns, of values that belong to no column.
enum : uint8_t {
  ThreadTimeColumn = 252,
  CloseStackColumn,
  StackColumn,
  ExceptionColumn
};
/// The size of a piece's head: the number and the name of its thread.
constexpr size_t PieceHead = 12;
} // namespace

Expected<Recording> Recording::open(std::vector<Run> Runs, LeftOut Tell) {
  Recording All;
  All.Runs = std::move(Runs);
  for (size_t I = 0; I < All.Runs.size(); ++I) {
    All.Defined.push_back(std::make_unique<Definitions>());
    if (Error E = All.Defined.back()->read(All.Runs[I], Tell))
      return E;
    All.addTables(I);
  }
  return All;
}

void Recording::addTables(size_t R) {
  const auto &Defined = this->Defined[R]->tables();
  std::map<uint32_t, size_t> &Index = Indices.emplace_back();
  std::map<std::string, unsigned> Same;
  for (const auto &[Id, D] : Defined) {
    // A parent has a smaller number: it was there first.
    auto Above = D.Parent < Id ? Index.find(D.Parent) : Index.end();
    const int Parent = Above == Index.end() ? -1 : int(Above->second);
    std::string Key = std::to_string(Parent) + '\n' + D.Holder + '\n' +
                      D.Title + '\n' + std::to_string(D.Mask & LastingEvents);
    for (const ColumnDefinition &C : D.Columns)
      Key += '\n' + std::string(1, char(C.Type)) + C.Title;
    Key += '\n' + std::to_string(Same[Key]++);
    auto [I, IsNew] = Known.try_emplace(Key, Tables.size());
    if (IsNew)
      Tables.push_back({D.Title, D.Holder, Parent, 0, {}, D.Columns, {}});
    Index[Id] = I->second;
    Table &T = Tables[I->second];
    T.Mask |= D.Mask;
    T.MinimumMs.resize(R + 1);
    T.MinimumMs[R] = D.MinimumMs;
  }
  for (const auto &[Id, D] : Defined) {
    Table &T = Tables[Index[Id]];
    T.Others.assign(T.Columns.size(), -1);
    for (size_t C = 0; C < D.Columns.size(); ++C)
      if (auto O = Index.find(D.Columns[C].Other); O != Index.end())
        T.Others[C] = int(O->second);
  }
}

namespace {
/// Threads by number; many rows have the same.
class ThreadNames {
public:
  uint32_t add(std::string Name) {
    auto [I, IsNew] = Numbers.try_emplace(Name, Names.size());
    if (IsNew)
      Names.push_back(std::move(Name));
    return I->second;
  }
  StringRef operator[](uint32_t I) const {
    return I < Names.size() ? StringRef(Names[I]) : StringRef();
  }

private:
  std::map<std::string, uint32_t> Numbers;
  std::vector<std::string> Names;
};

/// Gives the events of chunks to the sorter: what a thread wrote of a row in a
/// row, in one piece.
class ChunkSplitter {
public:
  ChunkSplitter(RowSorter &Sorter, ThreadNames &Threads,
                const std::map<uint32_t, size_t> &Tables, uint32_t Run)
      : Sorter(Sorter), Threads(Threads), Tables(Tables), Run(Run) {}

  /// True if all of \p V is as it should be.
  Expected<bool> split(const ChunkView &V) {
    Clock = V.Time;
    ThreadId = V.Thread;
    Thread = Threads.add(std::to_string(V.Thread));
    uint64_t Place = uint64_t(V.Sequence) << 32;
    bool Fine = true;
    Error Failed = Error::success();
    Fine &= forEachEvent(V.Events, [&](const EventView &E) {
      if (!Failed)
        Fine = take(E, ++Place, Failed) && Fine;
    });
    if (!Failed)
      Failed = flush();
    if (Failed)
      return Failed;
    return Fine;
  }

private:
  Error flush() {
    if (Piece.empty())
      return Error::success();
    Error E = Sorter.add(Key, Piece);
    Piece.clear();
    return E;
  }

  void setThread(const EventView &E) {
    ByteCursor C(E.Payload);
    const uint64_t Id = ThreadId = C.u8();
    std::string Name = toDisplayUTF8(jopt::toStringRef(C.bytes(C.remaining())));
    Thread = Threads.add(Name.empty() ? (E.Argument ? "virtual " : "") +
                                            std::to_string(Id)
                                      : Name + " (" + std::to_string(Id) + ")");
  }

  /// The time at the end of an event that has one.
  static std::optional<int64_t> timeOf(const EventView &E) {
    size_t Offset;
    switch (E.Kind) {
    case Create:
    case SetInt:
    case SetRef:
      Offset = 12;
      break;
    case SetLong:
      Offset = 16;
      break;
    case SetText:
    case MoreText:
    case Close:
    case Delete:
      Offset = 8;
      break;
    default:
      return std::nullopt;
    }
    ByteCursor C(E.Payload);
    C.skip(Offset);
    const int64_t Time = int64_t(C.u8());
    return C.failed() ? std::nullopt : std::optional(Time);
  }

  bool take(const EventView &E, uint64_t Place, Error &Failed) {
    if (E.Kind == ThreadEvent) {
      Failed = flush();
      setThread(E);
      return E.Payload.size() >= 8;
    }
    if (E.Kind < Create || E.Kind > Delete || E.Payload.size() < 8)
      return false;
    auto Table = Tables.find(readU4(E.Payload.data()));
    const uint32_t Row = readU4(E.Payload.data() + 4);
    if (Table == Tables.end() || Row == 0)
      return false;
    if (auto Time = timeOf(E))
      Clock = std::max(Clock, *Time);
    RowKey Next{uint32_t(Table->second), Run, Row, Clock, Place};
    // Whatever it began before, a row begins with its creation.
    if (E.Kind == Create)
      Next.Time = INT64_MIN;
    if (Piece.empty() || !Next.isRowOf(Key)) {
      Failed = flush();
      Key = Next;
      Piece.resize(PieceHead);
      writeU4(Piece.data(), uint32_t(ThreadId >> 32));
      writeU4(Piece.data() + 4, uint32_t(ThreadId));
      writeU4(Piece.data() + 8, Thread);
    }
    const size_t At = Piece.size();
    Piece.resize(At + 4);
    Piece[At] = E.Kind;
    Piece[At + 1] = E.Argument;
    writeU2(&Piece[At + 2], uint16_t(E.Payload.size() - 4));
    Piece.append(E.Payload.begin() + 8, E.Payload.end());
    return true;
  }

  RowSorter &Sorter;
  ThreadNames &Threads;
  const std::map<uint32_t, size_t> &Tables;
  const uint32_t Run;
  int64_t Clock = 0;
  uint64_t ThreadId = 0;
  uint32_t Thread = 0;
  RowKey Key;
  llvm::SmallVector<uint8_t, 256> Piece;
};

/// Puts a row together from its pieces.
class RowBuilder {
public:
  Row R;
  bool IsCreated = false, IsDeleted = false;

  void begin(size_t Columns) {
    R = Row();
    R.Cells.resize(Columns);
    IsCreated = IsDeleted = false;
    ThreadTime.reset();
  }

  void add(Bytes Piece, const Definitions &D, const ThreadNames &Threads) {
    ByteCursor C(Piece);
    Thread = C.u8();
    const uint32_t Name = C.u4();
    forEachEvent(Piece.drop_front(PieceHead), [&](const EventView &E) {
      if (E.Kind == Create)
        R.Thread = Threads[Name].str();
      apply(E, D);
    });
  }

  /// Nanoseconds, since the run's start.
  int64_t Begin = 0;
  std::optional<int64_t> End;

private:
  uint64_t Thread = 0;
  /// Who created the row, and the thread's time then.
  std::optional<std::pair<uint64_t, int64_t>> ThreadTime;

  std::string *textOf(uint8_t Column) {
    if (Column == ExceptionColumn)
      return &R.Exception;
    if (Column >= R.Cells.size())
      return nullptr;
    R.Cells[Column].Kind = Cell::Text;
    return &R.Cells[Column].String;
  }

  /// \p Value is that of the thread that tells it, at the creation of a row and
  /// at its end; negative if it is not known.
  void setThreadTime(int64_t Value) {
    if (!ThreadTime)
      ThreadTime = {Thread, Value};
    else if (ThreadTime->first == Thread && ThreadTime->second >= 0 &&
             Value >= ThreadTime->second)
      R.ThreadTime = Value - ThreadTime->second;
  }

  void setNumber(uint8_t Column, int64_t Value, const Definitions &D) {
    if (Column == ThreadTimeColumn)
      setThreadTime(Value);
    else if (Column == StackColumn)
      R.Stack = D.stack(uint32_t(Value));
    else if (Column == CloseStackColumn)
      R.CloseStack = D.stack(uint32_t(Value));
    else if (Column < R.Cells.size())
      R.Cells[Column] = {Cell::Number, Value, {}};
  }

  void apply(const EventView &E, const Definitions &D) {
    ByteCursor C(E.Payload);
    switch (E.Kind) {
    case Create:
      IsCreated = true;
      R.Parent = C.u4();
      Begin = int64_t(C.u8());
      break;
    case SetInt:
      setNumber(E.Argument, int32_t(C.u4()), D);
      break;
    case SetLong:
      setNumber(E.Argument, int64_t(C.u8()), D);
      break;
    case SetRef:
      if (const uint32_t Id = C.u4()) {
        if (std::string *Text = textOf(E.Argument))
          *Text = D.string(Id).str();
      } else if (E.Argument < R.Cells.size()) {
        R.Cells[E.Argument] = Cell();
      }
      break;
    case SetText:
    case MoreText:
      C.skip(8);
      if (std::string *Text = textOf(E.Argument))
        *Text = (E.Kind == SetText ? "" : *Text) +
                toDisplayUTF8(jopt::toStringRef(C.bytes(C.remaining())));
      break;
    case Close:
      if (!End)
        End = int64_t(C.u8());
      break;
    case Delete:
      IsDeleted = true;
      break;
    }
  }
};
} // namespace

namespace {
/// Takes rows from the sorter and gives them to who asked.
class RowReader {
public:
  RowReader(const Recording &All, RowSorter &Sorter, const ThreadNames &Threads,
            std::vector<std::vector<uint32_t>> Base,
            llvm::function_ref<Error(size_t, const Row &)> Use,
            std::vector<RowCounts> &Counts)
      : All(All), Sorter(Sorter), Threads(Threads), Base(std::move(Base)),
        Use(Use), Counts(Counts) {}

  Error run() {
    RowKey Next;
    Bytes Piece;
    for (;;) {
      auto Some = Sorter.next(Next, Piece);
      if (!Some)
        return Some.takeError();
      if (IsOpen && (!*Some || !Next.isRowOf(Key)))
        if (Error E = finish())
          return E;
      if (!*Some)
        return Error::success();
      if (!IsOpen) {
        Key = Next;
        IsOpen = true;
        Builder.begin(All.tables()[Key.Table].Columns.size());
        Builder.End.reset();
      }
      Builder.add(Piece, All.definitions(Key.Run), Threads);
    }
  }

private:
  Error finish() {
    IsOpen = false;
    const Table &T = All.tables()[Key.Table];
    RowCounts &C = Counts[Key.Table];
    Row &R = Builder.R;
    if (!Builder.IsCreated) {
      ++C.Lost;
      return Error::success();
    }
    const bool Lasts = T.Mask & LastingEvents;
    if (Lasts && Builder.End)
      R.Duration = std::max<int64_t>(0, *Builder.End - Builder.Begin);
    if (Builder.IsDeleted ||
        (R.Duration && *R.Duration < int64_t(T.MinimumMs[Key.Run]) * 1000000)) {
      ++C.Deleted;
      return Error::success();
    }
    ++C.Rows;
    C.Open += Lasts && !R.Duration;
    R.Run = Key.Run;
    R.Start = All.runs()[Key.Run].start() * 1000000 + Builder.Begin;
    if (!(T.Mask & RecordsThread))
      R.Thread.clear();
    renumber(T);
    return Use(Key.Table, R);
  }

  /// The rows of later runs follow those of earlier ones.
  void renumber(const Table &T) {
    Row &R = Builder.R;
    const std::vector<uint32_t> &B = Base[Key.Run];
    R.Number = Key.Row + B[Key.Table];
    if (R.Parent && T.Parent >= 0)
      R.Parent += B[T.Parent];
    for (size_t I = 0; I < R.Cells.size(); ++I)
      if (R.Cells[I].Kind == Cell::Number &&
          T.Columns[I].Type == ColumnType::Row && T.Others[I] >= 0)
        R.Cells[I].Value += B[T.Others[I]];
  }

  const Recording &All;
  RowSorter &Sorter;
  const ThreadNames &Threads;
  std::vector<std::vector<uint32_t>> Base; ///< by run and table
  llvm::function_ref<Error(size_t, const Row &)> Use;
  std::vector<RowCounts> &Counts;
  RowBuilder Builder;
  RowKey Key;
  bool IsOpen = false;
};
} // namespace

/// The largest row number of each table in the events of \p V.
static void noteLargest(const ChunkView &V,
                        const std::map<uint32_t, size_t> &Tables,
                        std::vector<uint32_t> &Largest) {
  forEachEvent(V.Events, [&](const EventView &E) {
    if (E.Kind != Create || E.Payload.size() < 8)
      return;
    auto T = Tables.find(readU4(E.Payload.data()));
    if (T != Tables.end())
      Largest[T->second] =
          std::max(Largest[T->second], readU4(E.Payload.data() + 4));
  });
}

Error Recording::forEachRow(LeftOut Tell,
                            llvm::function_ref<Error(size_t, const Row &)> Use,
                            std::vector<RowCounts> *Counts) const {
  RowSorter Sorter;
  ThreadNames Threads;
  std::vector<std::vector<uint32_t>> Base(Runs.size() + 1);
  Base[0].assign(Tables.size(), 0);
  for (size_t I = 0; I < Runs.size(); ++I) {
    ChunkSplitter Splitter(Sorter, Threads, Indices[I], uint32_t(I));
    std::vector<uint32_t> Largest(Tables.size(), 0);
    Error E = Runs[I].forEachChunk(
        ChunkKind::Rows, Tell, [&](const ChunkView &V) -> Error {
          noteLargest(V, Indices[I], Largest);
          auto Fine = Splitter.split(V);
          if (!Fine)
            return Fine.takeError();
          if (!*Fine)
            Tell(Runs[I].folder() + ": events in chunk " +
                 llvm::Twine(V.Sequence) +
                 " are damaged, or of another release");
          return Error::success();
        });
    if (E)
      return E;
    Base[I + 1] = Base[I];
    for (size_t T = 0; T < Tables.size(); ++T)
      Base[I + 1][T] += Largest[T];
  }
  if (Error E = Sorter.finish())
    return E;
  std::vector<RowCounts> Own;
  std::vector<RowCounts> &C = Counts ? *Counts : Own;
  C.assign(Tables.size(), {});
  return RowReader(*this, Sorter, Threads, std::move(Base), Use, C).run();
}
