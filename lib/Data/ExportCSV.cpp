//===- ExportCSV.cpp - Tables as CSV --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "TableSink.h"
#include "jopt/Data/Export.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// \p Title as a file's name: every system can have it, and nothing else is
/// named by it.
static std::string fileName(StringRef Title) {
  std::string Name;
  for (char C : Title)
    Name += llvm::isPrint(C) && !StringRef("/\\:*?\"<>|").contains(C) ? C : '_';
  if (Name.empty() || Name.front() == '.')
    Name.insert(Name.begin(), '_');
  // With what makes it unique it is to stay below 255.
  Name.resize(std::min<size_t>(Name.size(), 200));
  return Name;
}

namespace {
class CSVSink : public TableSink {
public:
  CSVSink(const Recording &All, StringRef Folder) : All(All), Folder(Folder) {}

  Error begin(size_t Table) override {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(
        Path, Names.add(fileName(All.tables()[Table].Title)) + ".csv");
    auto Made = StagedFile::create(Path);
    if (!Made)
      return Made.takeError();
    File.emplace(std::move(*Made));
    StringRef Separator = "";
    for (const OutColumn &C : columnsOf(All, Table)) {
      File->os() << Separator;
      File->os() << toCSVCell(C.Title);
      Separator = ",";
    }
    File->os() << '\n';
    return Error::success();
  }

  Error row(size_t Table, const Row &R) override {
    StringRef Separator = "";
    for (const Cell &C : valuesOf(All, Table, R)) {
      File->os() << Separator;
      if (C.Kind == Cell::Number)
        File->os() << C.Value;
      else
        File->os() << toCSVCell(C.String);
      Separator = ",";
    }
    File->os() << '\n';
    return Error::success();
  }

  Error end(size_t) override {
    Error E = File->keep();
    File.reset();
    return E;
  }

private:
  const Recording &All;
  std::string Folder;
  UniqueNames Names;
  std::optional<StagedFile> File;
};
} // namespace

Error data::exportCSV(const Recording &All, StringRef Folder, LeftOut Tell) {
  if (Error E = makeFolder(Folder))
    return E;
  CSVSink Sink(All, Folder);
  return walkTables(All, Sink, Tell);
}
