//===- ExportSQLite.cpp - Tables as a database ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "TableSink.h"
#include "jopt/Data/Export.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/NoMemory.h"
#include <sqlite3.h>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// \p Name between quotes.
static std::string quotedSQL(StringRef Name) {
  std::string Text = "\"";
  for (char C : Name)
    if (C == '"')
      Text += "\"\"";
    else if (C != 0)
      Text += C;
  return Text + '"';
}

namespace {
/// A database that is being written.
class SQLiteSink : public TableSink {
public:
  SQLiteSink(const Recording &All, StringRef Path) : All(All), Path(Path) {}
  ~SQLiteSink() override {
    sqlite3_finalize(Insert);
    sqlite3_close(Database);
  }

  Error open(StringRef File) {
    if (sqlite3_open(File.str().c_str(), &Database) != SQLITE_OK)
      return failed();
    // Nobody sees the file before it is complete.
    return run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
  }

  Error close() {
    if (Error E = run("COMMIT"))
      return E;
    const int Status = sqlite3_close(Database);
    if (Status != SQLITE_OK)
      return failed();
    Database = nullptr;
    return Error::success();
  }

  Error begin(size_t Table) override {
    const std::string Name = quotedSQL(nameOf(All.tables()[Table].Title));
    std::string Make = "CREATE TABLE " + Name + " (";
    std::string Add = "INSERT INTO " + Name + " VALUES (";
    StringRef Separator = "";
    UniqueNames Titles;
    for (const OutColumn &C : columnsOf(All, Table)) {
      Make += Separator.str() + quotedSQL(Titles.add(C.Title)) +
              (C.IsNumber ? " INTEGER" : " TEXT");
      Add += Separator.str() + '?';
      if (Separator.empty())
        Make += " PRIMARY KEY";
      Separator = ", ";
    }
    if (Error E = run(Make + ")"))
      return E;
    Add += ')';
    if (sqlite3_prepare_v2(Database, Add.c_str(), -1, &Insert, nullptr) !=
        SQLITE_OK)
      return failed();
    return Error::success();
  }

  Error row(size_t Table, const Row &R) override {
    int I = 0;
    const std::vector<Cell> Values = valuesOf(All, Table, R);
    for (const Cell &C : Values) {
      ++I;
      const int Bound =
          C.Kind == Cell::Number ? sqlite3_bind_int64(Insert, I, C.Value)
          : C.Kind == Cell::Text
              ? sqlite3_bind_text(Insert, I, C.String.data(),
                                  int(C.String.size()), SQLITE_STATIC)
              : sqlite3_bind_null(Insert, I);
      if (Bound != SQLITE_OK)
        return failed();
    }
    const int Status = sqlite3_step(Insert);
    sqlite3_reset(Insert);
    return Status == SQLITE_DONE ? Error::success() : failed();
  }

  Error end(size_t) override {
    sqlite3_finalize(Insert);
    Insert = nullptr;
    return Error::success();
  }

private:
  /// SQLite has no table without a name, and keeps a prefix for itself.
  std::string nameOf(StringRef Title) {
    const bool IsRefused =
        Title.empty() || Title.starts_with_insensitive("sqlite_");
    return Names.add((IsRefused ? "_" : "") + Title.str());
  }

  Error run(const std::string &Text) {
    if (sqlite3_exec(Database, Text.c_str(), nullptr, nullptr, nullptr) !=
        SQLITE_OK)
      return failed();
    return Error::success();
  }

  Error failed() {
    return makeError(Location(Path),
                     Database ? sqlite3_errmsg(Database) : NoMemory.data());
  }

  const Recording &All;
  std::string Path;
  UniqueNames Names;
  sqlite3 *Database = nullptr;
  sqlite3_stmt *Insert = nullptr;
};
} // namespace

Error data::exportSQLite(const Recording &All, StringRef Path, LeftOut Tell) {
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  SQLiteSink Sink(All, Path);
  if (Error E = Sink.open(File->temporary()))
    return E;
  if (Error E = walkTables(All, Sink, Tell))
    return E;
  if (Error E = Sink.close())
    return E;
  return File->keep();
}
