//===- ExportJSON.cpp - Tables as JSON ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "TableSink.h"
#include "jopt/Data/Export.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

namespace {
class JSONSink : public TableSink {
public:
  JSONSink(const Recording &All, llvm::json::OStream &J) : All(All), J(J) {}

  Error begin(size_t Index) override {
    const Table &T = All.tables()[Index];
    IsOpen = true;
    J.objectBegin();
    J.attribute("title", T.Title);
    if (!T.Holder.empty())
      J.attribute("class", T.Holder);
    if (T.Parent >= 0)
      J.attribute("parent", T.Parent);
    J.attributeArray("columns", [&] {
      for (const OutColumn &C : columnsOf(All, Index))
        J.value(C.Title);
    });
    J.attributeBegin("rows");
    J.arrayBegin();
    return Error::success();
  }

  Error row(size_t Index, const Row &R) override {
    J.arrayBegin();
    for (const Cell &C : valuesOf(All, Index, R)) {
      if (C.Kind == Cell::Number)
        J.value(C.Value);
      else if (C.Kind == Cell::Text)
        J.value(C.String);
      else
        J.value(nullptr);
    }
    J.arrayEnd();
    return Error::success();
  }

  Error end(size_t) override {
    close();
    return Error::success();
  }

  /// Ends the table that is being written, if there is one.
  void close() {
    if (!IsOpen)
      return;
    IsOpen = false;
    J.arrayEnd();
    J.attributeEnd();
    J.objectEnd();
  }

private:
  const Recording &All;
  llvm::json::OStream &J;
  bool IsOpen = false;
};
} // namespace

Error data::exportJSON(const Recording &All, StringRef Path, LeftOut Tell) {
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  Error Failed = Error::success();
  {
    llvm::json::OStream J(File->os());
    J.objectBegin();
    J.attributeArray("runs", [&] {
      for (const Run &R : All.runs())
        J.object([&] {
          J.attribute("run", R.get("run"));
          J.attribute("start", timeText(R.start() * 1000000));
        });
    });
    J.attributeBegin("tables");
    J.arrayBegin();
    JSONSink Sink(All, J);
    Failed = walkTables(All, Sink, Tell);
    Sink.close();
    J.arrayEnd();
    J.attributeEnd();
    J.objectEnd();
  }
  File->os() << '\n';
  return Failed ? std::move(Failed) : File->keep();
}
