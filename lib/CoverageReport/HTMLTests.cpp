//===- HTMLTests.cpp - Tests in pages for a browser -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scripts that the page loads when they are looked at: the tests of the lines
/// of a source file, and the source files of a test.
///
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Report.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/StagedFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;

SourceNumbers coverage::numberSources(const Bundle &B) {
  SourceNumbers Numbers;
  size_t File = 0;
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources)
      Numbers[P.Name.empty() ? S.Name : P.Name + "/" + S.Name] = File++;
  return Numbers;
}

/// Writes \p Name below \p Folder, in a folder that is made.
static Error write(StringRef Folder, const llvm::Twine &Name, StringRef Text) {
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, Name);
  if (std::error_code EC =
          llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path)))
    return makeError(Location(Path), EC.message());
  return writeStaged(Path, [&](llvm::raw_ostream &To) { To << Text; });
}

/// `[1,5,7]`.
static void writeSet(llvm::raw_ostream &OS, const llvm::BitVector &Tests) {
  llvm::ListSeparator Comma(",");
  OS << '[';
  for (unsigned T : Tests.set_bits())
    OS << Comma << T;
  OS << ']';
}

Error TestsHTML::add(const TestedSource &S) {
  auto Number = Numbers.find(S.Path);
  if (Number == Numbers.end() || S.Lines.empty())
    return Error::success();
  // Neighbours often have the same tests: a set stands once.
  std::vector<const llvm::BitVector *> Sets;
  std::string Lines;
  llvm::raw_string_ostream OS(Lines);
  llvm::ListSeparator Comma(",");
  std::vector<size_t> Reached(Files.size());
  size_t I = 0;
  for (int32_t Line = S.Lines.front(); Line <= S.Lines.back(); ++Line) {
    OS << Comma;
    if (S.Lines[I] != Line) {
      OS << -1;
      continue;
    }
    const llvm::BitVector &Tests = S.Tests[I++];
    auto Known = llvm::find_if(
        Sets, [&](const llvm::BitVector *Set) { return *Set == Tests; });
    OS << Known - Sets.begin();
    if (Known == Sets.end())
      Sets.push_back(&Tests);
    for (unsigned T : Tests.set_bits())
      ++Reached[T];
  }
  for (size_t T = 0; T < Files.size(); ++T)
    if (Reached[T])
      Files[T].emplace_back(Number->second, Reached[T]);
  std::string Text = "REACHED(" + std::to_string(Number->second) + "," +
                     std::to_string(S.Lines.front()) + ",[";
  llvm::raw_string_ostream All(Text);
  llvm::ListSeparator Between(",");
  for (const llvm::BitVector *Set : Sets) {
    All << Between;
    writeSet(All, *Set);
  }
  All << "],[" << OS.str() << "])\n";
  return write(Folder, "t/" + llvm::Twine(Number->second) + ".js", All.str());
}

Error TestsHTML::finish() {
  std::string Text = "TESTS(";
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS);
  J.array([&] {
    for (size_t T = 0; T < Files.size(); ++T)
      J.array([&] {
        const TestCoverage::Test &Test = Ran.tests()[T];
        size_t Lines = 0;
        for (const auto &[File, Count] : Files[T])
          Lines += Count;
        J.value(toDisplayUTF8(Test.Name));
        J.value(int64_t(Lines));
        J.value(Test.IsAround    ? "around its tests"
                : !Test.HasEnded ? "has not ended"
                : Test.IsShared  ? "others ran at the same time"
                                 : "");
      });
  });
  J.flush();
  OS << ")\n";
  if (Error E = write(Folder, "tests.js", OS.str()))
    return E;
  for (size_t T = 0; T < Files.size(); ++T) {
    std::string Own = "TEST(" + std::to_string(T) + ",[";
    llvm::ListSeparator Comma(",");
    for (const auto &[File, Count] : Files[T])
      Own += StringRef(Comma).str() + "[" + std::to_string(File) + "," +
             std::to_string(Count) + "]";
    if (Error E = write(Folder, "u/" + llvm::Twine(T) + ".js", Own + "])\n"))
      return E;
  }
  return Error::success();
}
