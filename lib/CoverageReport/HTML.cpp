//===- HTML.cpp - Coverage as pages for a browser -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One page and data for it. A browser that opened the page from a disk loads
/// nothing but scripts, so the data are scripts: one with all counters, and one
/// for each source file, loaded when it is looked at.
///
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Report.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/StagedFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

/// Coverage.html.
static constexpr uint8_t Page[] = {
#include "jopt/CoverageReport/Coverage.inc"
};

static void writeCounters(json::OStream &J, const CounterSet &C) {
  J.attributeArray("counters", [&] {
    for (const Counter &Each : C) {
      J.value(int64_t(Each.Missed));
      J.value(int64_t(Each.Covered));
    }
  });
}

static void writeClass(json::OStream &J, const ClassCounters &C,
                       int64_t Source) {
  J.attribute("name", toDisplayUTF8(C.Name));
  J.attribute("source", Source);
  writeCounters(J, C.Counted);
  J.attributeArray("methods", [&] {
    for (const MethodCounters &M : C.Methods)
      J.object([&] {
        J.attribute("name", toDisplayUTF8(M.Name + M.Descriptor));
        J.attribute("line", M.FirstLine);
        writeCounters(J, M.Counted);
      });
  });
}

/// \p File is the number of the package's first source file.
static void writePackage(json::OStream &J, const PackageCounters &P,
                         int64_t File) {
  std::vector<int64_t> SourceOf(P.Classes.size(), -1);
  for (size_t I = 0; I < P.Sources.size(); ++I)
    for (size_t Class : P.Sources[I].Classes)
      SourceOf[Class] = int64_t(I);
  J.attribute("name", toDisplayUTF8(P.Name));
  writeCounters(J, P.Counted);
  J.attributeArray("sources", [&] {
    for (const SourceCounters &S : P.Sources)
      J.object([&] {
        J.attribute("name", toDisplayUTF8(S.Name));
        J.attribute("file", File++);
        writeCounters(J, S.Counted);
      });
  });
  J.attributeArray("classes", [&] {
    for (size_t I = 0; I < P.Classes.size(); ++I)
      J.object([&] { writeClass(J, P.Classes[I], SourceOf[I]); });
  });
}

static void writeData(const Bundle &B, bool HasTests, llvm::raw_ostream &OS) {
  OS << "COVERAGE(";
  json::OStream J(OS);
  J.object([&] {
    J.attribute("name", json::fixUTF8(B.Name));
    if (HasTests)
      J.attribute("tests", true);
    writeCounters(J, B.Counted);
    J.attributeArray("packages", [&] {
      int64_t File = 0;
      for (const PackageCounters &P : B.Packages) {
        J.object([&] { writePackage(J, P, File); });
        File += int64_t(P.Sources.size());
      }
    });
  });
  OS << ")\n";
}

static void writeSource(const SourceCounters &S, size_t File, StringRef Text,
                        llvm::raw_ostream &OS) {
  OS << "SOURCE(" << File << ',' << S.Lines.first() << ",[";
  StringRef Separator = "";
  for (const LineCounters &L : S.Lines.lines()) {
    OS << Separator << '[' << L.Instructions.Missed << ','
       << L.Instructions.Covered << ',' << L.Branches.Missed << ','
       << L.Branches.Covered;
    const bool HasFate =
        L.Fate != LineCounters::Unknown && !L.Instructions.Covered;
    if (HasFate || L.Times)
      OS << ',' << (HasFate ? int(L.Fate) : 0);
    if (L.Times)
      OS << ',' << *L.Times;
    OS << ']';
    Separator = ",";
  }
  OS << "]," << json::Value(json::fixUTF8(Text)) << ")\n";
}

Error coverage::writeHTML(const Bundle &B,
                          llvm::function_ref<std::string(
                              const PackageCounters &, const SourceCounters &)>
                              TextOf,
                          StringRef Folder, bool HasTests) {
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, "s");
  if (std::error_code EC = llvm::sys::fs::create_directories(Path))
    return makeError(Location(Path), EC.message());
  auto Write = [&](const llvm::Twine &Name, auto Content) {
    llvm::SmallString<128> File(Folder);
    llvm::sys::path::append(File, Name);
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Content(OS);
    OS.flush();
    return writeStaged(File, [&](llvm::raw_ostream &To) { To << Text; });
  };
  size_t File = 0;
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources) {
      if (Error E = Write("s/" + llvm::Twine(File) + ".js",
                          [&](llvm::raw_ostream &OS) {
                            writeSource(S, File, TextOf(P, S), OS);
                          }))
        return E;
      ++File;
    }
  if (Error E = Write("data.js", [&](llvm::raw_ostream &OS) {
        writeData(B, HasTests, OS);
      }))
    return E;
  return Write("index.html", [](llvm::raw_ostream &OS) {
    OS << jopt::toStringRef(Bytes(Page));
  });
}
