//===- Report.cpp - Tables and traces for the viewer ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "CallTree.h"
#include "TableSink.h"
#include "jopt/Data/Viewer.h"
#include <map>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

namespace {
/// Makes a table of the page of each table.
class ViewerSink : public TableSink {
public:
  ViewerSink(const Recording &All, size_t Input, uint64_t MaxRows,
             ViewerPage &To)
      : All(All), Input(Input), Rows(MaxRows), To(To), First(To.next()) {}

  uint64_t leftOut() const { return LeftOutRows; }

  Error begin(size_t Index) override {
    const Table &T = All.tables()[Index];
    Of = {T.Title, "Tables", T.Parent < 0 ? -1 : First + T.Parent, {}};
    auto Add = [&](std::string Title, ViewerColumn::ValueKind Kind,
                   StringRef Role = {}, StringRef Unit = {}) {
      Of.Columns.emplace_back(std::move(Title), Kind, Role, Unit);
    };
    Add(T.Title, ViewerColumn::Number, "number");
    if (T.Parent >= 0)
      Add(All.tables()[T.Parent].Title, ViewerColumn::Number, "parent");
    for (const ColumnDefinition &C : T.Columns)
      Add(C.Title, C.isText() ? ViewerColumn::Text : ViewerColumn::Number);
    Add("start", ViewerColumn::Number, "start", "clock");
    if (T.Mask & LastingEvents)
      Add("duration", ViewerColumn::Number, "duration", "ns");
    Add("exception", ViewerColumn::Text, "failed");
    if (T.Mask & RecordsThread)
      Add("thread", ViewerColumn::Text, "thread");
    if (T.Mask & RecordsThreadTime)
      Add("cpu time", ViewerColumn::Number, {}, "ns");
    if (T.Mask & RecordsStack)
      Add("stack trace", ViewerColumn::Text, "stack");
    if (T.Mask & RecordsCloseStack)
      Add("stack trace at the end", ViewerColumn::Text, "stack");
    return Error::success();
  }

  Error row(size_t Index, const Row &R) override {
    if (!Rows) {
      ++LeftOutRows;
      return Error::success();
    }
    --Rows;
    const Table &T = All.tables()[Index];
    size_t At = 0;
    auto Add = [&](auto Value) { Of.Columns[At++].add(Value); };
    // Runs number their rows each on its own.
    auto Number = [&](uint32_t N) {
      return std::optional<int64_t>(int64_t(R.Run) << 32 | N);
    };
    Add(Number(R.Number));
    if (T.Parent >= 0)
      Add(R.Parent ? Number(R.Parent) : std::nullopt);
    for (size_t I = 0; I < R.Cells.size(); ++I)
      if (T.Columns[I].isText())
        Add(StringRef(R.Cells[I].Kind == Cell::Text ? R.Cells[I].String : ""));
      else
        Add(R.Cells[I].Kind == Cell::Number
                ? std::optional<int64_t>(R.Cells[I].Value)
                : std::nullopt);
    Add(std::optional<int64_t>(R.Start - All.runs().front().start() * 1000000));
    if (T.Mask & LastingEvents)
      Add(R.Duration);
    Add(StringRef(R.Exception));
    if (T.Mask & RecordsThread)
      Add(StringRef(R.Thread));
    if (T.Mask & RecordsThreadTime)
      Add(R.ThreadTime);
    if (T.Mask & RecordsStack)
      Add(StringRef(R.Stack));
    if (T.Mask & RecordsCloseStack)
      Add(StringRef(R.CloseStack));
    return Error::success();
  }

  Error end(size_t) override {
    To.add(std::move(Of), Input);
    return Error::success();
  }

private:
  const Recording &All;
  const size_t Input;
  uint64_t Rows,
      LeftOutRows = 0; ///< that there is room for; that were too many
  ViewerPage &To;
  const int First;
  ViewerTable Of;
};

/// The calls of a trace as rows of a table, in the order of their ends.
class SpanRows : public CallSpans {
public:
  explicit SpanRows(uint64_t MaxRows) : Rows(MaxRows) {
    Of.Title = "Calls over time";
    Of.Group = "Trace";
    Of.Columns.emplace_back("method", ViewerColumn::Text, "name");
    Of.Columns.emplace_back("start", ViewerColumn::Number, "start", "clock");
    Of.Columns.emplace_back("duration", ViewerColumn::Number, "duration", "ns");
    Of.Columns.emplace_back("thread", ViewerColumn::Text, "thread");
    Of.Columns.emplace_back("depth", ViewerColumn::Number, "depth");
  }
  ViewerTable Of;
  uint64_t LeftOutRows = 0;

protected:
  void thread(const TracedThread &) override {}
  void begin(const TracedThread &Of, int32_t Time, StringRef Name) override {
    Open[Of.Number].push_back({Time, Name.str()});
  }
  void end(const TracedThread &Thread, int32_t Time) override {
    std::vector<Span> &Stack = Open[Thread.Number];
    const Span S = std::move(Stack.back());
    Stack.pop_back();
    if (!Rows) {
      ++LeftOutRows;
      return;
    }
    --Rows;
    constexpr int64_t Nanoseconds = 1000000;
    Of.Columns[0].add(StringRef(S.Name));
    Of.Columns[1].add(S.Begin * Nanoseconds);
    Of.Columns[2].add((Time - S.Begin) * Nanoseconds);
    Of.Columns[3].add(StringRef(displayName(Thread)));
    Of.Columns[4].add(int64_t(Stack.size()));
  }

private:
  struct Span {
    int32_t Begin;
    std::string Name;
  };
  uint64_t Rows;
  std::map<uint32_t, std::vector<Span>> Open; ///< by the thread's number
};
} // namespace

static void tellOfRows(StringRef What, uint64_t Left, LeftOut Tell) {
  if (Left)
    Tell("the page has no room for " + llvm::Twine(Left) + " more " + What +
         " (-rows=N)");
}

Error data::addTables(const Recording &All, size_t Input, uint64_t MaxRows,
                      ViewerPage &To, LeftOut Tell) {
  ViewerSink Sink(All, Input, MaxRows, To);
  if (Error E = walkTables(All, Sink, Tell))
    return E;
  tellOfRows("rows", Sink.leftOut(), Tell);
  return Error::success();
}

Error data::addTrace(const Traces &T, size_t Input, uint64_t MaxRows,
                     ViewerPage &To, LeftOut Tell) {
  auto Tree = CallTree::read(T, Tell);
  if (!Tree)
    return Tree.takeError();
  llvm::ArrayRef<CallTree::Node> Nodes = Tree->nodes();
  std::vector<int64_t> Totals;
  for (const CallTree::Node &N : Nodes)
    Totals.push_back(int64_t(N.Events));
  for (size_t I = Nodes.size() - 1; I > 0; --I)
    Totals[Nodes[I].Above] += Totals[I];
  ViewerTable Of{"Calls", "Trace", -1, {}};
  Of.Columns.emplace_back("above", ViewerColumn::Number, "above");
  Of.Columns.emplace_back("method", ViewerColumn::Text, "name");
  Of.Columns.emplace_back("events", ViewerColumn::Number, "total", "count");
  Of.Columns.emplace_back("own events", ViewerColumn::Number, "", "count");
  // Rows are counted from 0 on, and the root is none.
  for (size_t I = 1; I < Nodes.size(); ++I) {
    Of.Columns[0].add(int64_t(Nodes[I].Above) - 1);
    Of.Columns[1].add(StringRef(Nodes[I].Name));
    Of.Columns[2].add(Totals[I]);
    Of.Columns[3].add(int64_t(Nodes[I].Events));
  }
  To.add(std::move(Of), Input);
  SpanRows Spans(MaxRows);
  if (Error E = Spans.run(T, Tell))
    return E;
  To.add(std::move(Spans.Of), Input);
  tellOfRows("calls", Spans.LeftOutRows, Tell);
  return Error::success();
}
