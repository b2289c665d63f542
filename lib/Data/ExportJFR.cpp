//===- ExportJFR.cpp - Tables as events of Flight Recorder ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "FlightChunk.h"
#include "TableSink.h"
#include "jopt/Data/Export.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// \p Title as a Java identifier that \p Used has not.
static std::string identifier(StringRef Title, UniqueNames &Used) {
  std::string Name;
  for (char C : Title)
    Name += llvm::isAlnum(C) ? C : '_';
  if (Name.empty() || llvm::isDigit(Name[0]))
    Name.insert(Name.begin(), '_');
  return Used.add(Name, "_", "");
}

namespace {
class JFRSink : public TableSink {
public:
  JFRSink(const Recording &All, llvm::raw_pwrite_stream &OS)
      : All(All), Start(All.runs().front().start() * 1000000), End(Start),
        Chunk(OS, Start) {
    for (const Run &R : All.runs())
      Start = std::min(Start, R.start() * 1000000);
    Chunk.addType({"java.lang.Thread",
                   "",
                   {{"osName", "java.lang.String"},
                    {"osThreadId", "long"},
                    {"javaName", "java.lang.String"},
                    {"javaThreadId", "long"}}});
    Chunk.addType({"java.lang.Class", "", {{"name", "java.lang.String"}}});
    Chunk.addType({"jdk.types.Method",
                   "",
                   {{"type", "java.lang.Class", true},
                    {"name", "java.lang.String"},
                    {"descriptor", "java.lang.String"},
                    {"hidden", "boolean"}}});
    Chunk.addType({"jdk.types.StackFrame",
                   "",
                   {{"method", "jdk.types.Method", true},
                    {"lineNumber", "int"},
                    {"bytecodeIndex", "int"},
                    {"type", "java.lang.String"}}});
    Chunk.addType({"jdk.types.StackTrace",
                   "",
                   {{"truncated", "boolean"},
                    {"frames", "jdk.types.StackFrame", false, true}}});
    UniqueNames Used;
    for (size_t I = 0; I < All.tables().size(); ++I)
      Ids.push_back(Chunk.addType(typeOf(I, Used)));
  }

  Error begin(size_t) override { return Error::success(); }
  Error end(size_t) override { return Error::success(); }

  Error row(size_t Index, const Row &R) override {
    const Table &T = All.tables()[Index];
    FlightValues V;
    V.number(uint64_t(R.Start - Start));
    if (T.Mask & LastingEvents)
      V.number(uint64_t(R.Duration.value_or(0)));
    if (T.Mask & RecordsThread)
      V.number(thread(R.Thread));
    if (T.Mask & RecordsStack)
      V.number(stack(R.Stack));
    V.number(R.Number);
    V.number(R.Parent);
    for (size_t I = 0; I < R.Cells.size(); ++I)
      writeCell(V, T.Columns[I], R.Cells[I]);
    V.string(textOf(R.Exception));
    if (T.Mask & RecordsThreadTime)
      V.number(uint64_t(R.ThreadTime.value_or(INT64_MIN)));
    Chunk.event(Ids[Index], V.data());
    End = std::max(End, R.Start + R.Duration.value_or(0));
    return Error::success();
  }

  void finish() { Chunk.finish(End); }

private:
  static std::optional<StringRef> textOf(const std::string &Text) {
    return Text.empty() ? std::nullopt : std::optional<StringRef>(Text);
  }

  FlightType typeOf(size_t Index, UniqueNames &Used) const {
    const Table &T = All.tables()[Index];
    FlightType Type{
        "jopt." + identifier(T.Title, Used), "jdk.jfr.Event", {}, T.Title};
    auto &Fields = Type.Fields;
    Fields.push_back(
        {"startTime", "long", false, false, "Start Time", "Timestamp"});
    if (T.Mask & LastingEvents)
      Fields.push_back(
          {"duration", "long", false, false, "Duration", "Timespan"});
    if (T.Mask & RecordsThread)
      Fields.push_back(
          {"eventThread", "java.lang.Thread", true, false, "Event Thread"});
    if (T.Mask & RecordsStack)
      Fields.push_back(
          {"stackTrace", "jdk.types.StackTrace", true, false, "Stack Trace"});
    UniqueNames Names;
    for (const FlightField &F : Fields)
      Names.add(F.Name);
    auto Add = [&](const std::string &Title, bool IsText) {
      Fields.push_back({identifier(Title, Names),
                        IsText ? "java.lang.String" : "long", false, false,
                        Title});
    };
    Add("row", false);
    Add("parent", false);
    for (const ColumnDefinition &C : T.Columns)
      Add(C.Title, C.isText());
    Add("exception", true);
    if (T.Mask & RecordsThreadTime)
      Fields.push_back({Names.add("cpuTime", "_", ""), "long", false, false,
                        "CPU Time", "Timespan"});
    return Type;
  }

  static void writeCell(FlightValues &V, const ColumnDefinition &C,
                        const Cell &Value) {
    if (C.isText())
      V.string(Value.Kind == Cell::Text ? std::optional<StringRef>(Value.String)
                                        : std::nullopt);
    else
      // What JFR's tools show as "N/A".
      V.number(uint64_t(Value.Kind == Cell::Number ? Value.Value : INT64_MIN));
  }

  /// A constant for "name (id)".
  uint64_t thread(const std::string &Text) {
    return Chunk.constant("java.lang.Thread", Text, [&](FlightValues &V) {
      auto [Name, Rest] = StringRef(Text).rsplit(" (");
      uint64_t Id = 0;
      Rest.consumeInteger(10, Id);
      V.string(Name);
      V.number(0);
      V.string(Name);
      V.number(Id);
    });
  }

  uint64_t method(StringRef Class, StringRef Name) {
    return Chunk.constant(
        "jdk.types.Method", (Class + "." + Name).str(), [&](FlightValues &V) {
          V.number(Chunk.constant("java.lang.Class", Class.str(),
                                  [&](FlightValues &V) { V.string(Class); }));
          V.string(Name);
          V.string("()V");
          V.boolean(false);
        });
  }

  /// A constant for lines of the form "class.method(file:line)"; 0 for none.
  uint64_t stack(const std::string &Text) {
    if (Text.empty())
      return 0;
    return Chunk.constant("jdk.types.StackTrace", Text, [&](FlightValues &V) {
      llvm::SmallVector<StringRef, 32> Lines;
      StringRef(Text).split(Lines, '\n');
      V.boolean(false);
      V.number(Lines.size());
      for (StringRef Line : Lines) {
        auto [Where, File] = Line.rsplit('(');
        auto [Class, Name] = Where.rsplit('.');
        int32_t Number = -1;
        StringRef Digits = File.rsplit(':').second;
        if (Digits.consumeInteger(10, Number))
          Number = -1;
        V.number(method(Class, Name));
        V.number(uint32_t(Number));
        V.number(0);
        V.string("Interpreted");
      }
    });
  }

  const Recording &All;
  int64_t Start, End;
  FlightChunk Chunk;
  std::vector<uint64_t> Ids;
};
} // namespace

Error data::exportJFR(const Recording &All, StringRef Path, LeftOut Tell) {
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  JFRSink Sink(All, File->file());
  if (Error E = walkTables(All, Sink, Tell))
    return E;
  Sink.finish();
  return File->keep();
}
