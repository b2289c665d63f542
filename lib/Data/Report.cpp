//===- Report.cpp - A page for a browser ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableSink.h"
#include "jopt/Data/Export.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// Report.html.
static constexpr uint8_t ReportPage[] = {
#include "jopt/Data/Report.inc"
};

static constexpr StringRef ReportMark = "@DATA@";

/// Writes \p Text as JSON that may stand within a script element.
static void writeString(llvm::raw_ostream &OS, StringRef Text) {
  OS << '"';
  for (char C : Text)
    if (C == '"' || C == '\\')
      OS << '\\' << C;
    else if (uint8_t(C) < 0x20 || C == '<')
      OS << llvm::format("\\u%04x", unsigned(C));
    else
      OS << C;
  OS << '"';
}

namespace {
/// Writes what the script of the page reads.
class ReportSink : public TableSink {
public:
  ReportSink(const Recording &All, llvm::raw_ostream &OS, uint64_t MaxRows)
      : All(All), OS(OS), MaxRows(MaxRows) {}

  uint64_t leftOut() const { return LeftOutRows; }

  void head() {
    const Run &First = All.runs().front();
    Start = First.start();
    OS << "{\"start\":" << Start << ",\"about\":";
    std::string About = First.get("java").str();
    About = "Java " + About + ", run " + First.get("run").str();
    if (All.runs().size() > 1)
      About += " and " + std::to_string(All.runs().size() - 1) + " more";
    writeString(OS, About);
    OS << ",\"tables\":[";
  }

  Error begin(size_t Index) override {
    const Table &T = All.tables()[Index];
    OS << (Index ? ",\n" : "\n") << "{\"title\":";
    writeString(OS, T.Title);
    OS << ",\"parent\":";
    if (T.Parent >= 0)
      OS << T.Parent;
    else
      OS << "null";
    writeFlag("lasting", T.Mask & LastingEvents);
    writeFlag("thread", T.Mask & RecordsThread);
    writeFlag("threadTime", T.Mask & RecordsThreadTime);
    writeFlag("stack", T.Mask & RecordsStack);
    writeFlag("endStack", T.Mask & RecordsCloseStack);
    OS << ",\"columns\":[";
    StringRef Separator = "";
    for (const ColumnDefinition &C : T.Columns) {
      OS << Separator << "{\"title\":";
      writeString(OS, C.Title);
      writeFlag("number", !C.isText());
      OS << '}';
      Separator = ",";
    }
    OS << "],\"rows\":[";
    IsFirst = true;
    return Error::success();
  }

  Error row(size_t Index, const Row &R) override {
    if (Rows == MaxRows) {
      ++LeftOutRows;
      return Error::success();
    }
    ++Rows;
    OS << (IsFirst ? "\n[" : ",\n[") << R.Number << ',' << R.Parent << ','
       << R.Start - Start * 1000000 << ',';
    IsFirst = false;
    writeNumber(R.Duration);
    for (const std::string *S :
         {&R.Exception, &R.Thread, &R.Stack, &R.CloseStack})
      OS << ',' << (S->empty() ? 0 : number(*S));
    const Table &T = All.tables()[Index];
    if (T.Mask & RecordsThreadTime) {
      OS << ',';
      writeNumber(R.ThreadTime);
    }
    for (size_t I = 0; I < R.Cells.size(); ++I)
      writeCell(T.Columns[I], R.Cells[I]);
    OS << ']';
    return Error::success();
  }

  Error end(size_t) override {
    OS << "]}";
    return Error::success();
  }

  void tail() {
    OS << "],\n\"strings\":[null";
    for (const llvm::StringMapEntry<uint32_t> *S : InOrder) {
      OS << ",\n";
      writeString(OS, S->getKey());
    }
    OS << "]}\n";
  }

private:
  void writeFlag(StringRef Name, bool Value) {
    OS << ",\"" << Name << "\":" << (Value ? "true" : "false");
  }

  void writeNumber(std::optional<int64_t> Value) {
    if (Value)
      OS << *Value;
    else
      OS << "null";
  }

  void writeCell(const ColumnDefinition &C, const Cell &Value) {
    OS << ',';
    if (C.isText())
      OS << (Value.Kind == Cell::Text ? number(Value.String) : 0);
    else if (Value.Kind == Cell::Number)
      OS << Value.Value;
    else
      OS << "null";
  }

  /// The place of \p Text among the strings; 0 is none.
  uint32_t number(StringRef Text) {
    auto [I, IsNew] = Strings.try_emplace(Text, uint32_t(InOrder.size() + 1));
    if (IsNew)
      InOrder.push_back(&*I);
    return I->second;
  }

  const Recording &All;
  llvm::raw_ostream &OS;
  const uint64_t MaxRows;
  int64_t Start = 0;
  uint64_t Rows = 0, LeftOutRows = 0;
  bool IsFirst = true;
  llvm::StringMap<uint32_t> Strings;
  std::vector<const llvm::StringMapEntry<uint32_t> *> InOrder;
};
} // namespace

Error data::writeReport(const Recording &All, StringRef Folder,
                        uint64_t MaxRows, LeftOut Tell) {
  if (Error E = makeFolder(Folder))
    return E;
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, "index.html");
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  const auto [Before, After] = toStringRef(Bytes(ReportPage)).split(ReportMark);
  File->os() << Before;
  ReportSink Sink(All, File->os(), MaxRows);
  Sink.head();
  if (Error E = walkTables(All, Sink, Tell))
    return E;
  Sink.tail();
  File->os() << After;
  if (Sink.leftOut())
    Tell("the report has " + llvm::Twine(MaxRows) + " rows, " +
         llvm::Twine(Sink.leftOut()) + " are not in it (-rows=N)");
  return File->keep();
}
