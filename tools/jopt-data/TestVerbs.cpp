//===- TestVerbs.cpp - Which tests reached what ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestVerbs.h"
#include "CoverageVerbs.h"
#include "TraceVerbs.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/CoverageReport/TestReport.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace jopt;
using namespace jopt::data;
using namespace jopt::coverage;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static cl::opt<std::string>
    Line("line", cl::value_desc("FILE:LINE"), cl::cat(ToolOptions),
         cl::desc("For tests: those that reach that line, as p/A.java:12"));
static cl::opt<std::string>
    Changes("changed-since", cl::value_desc("FILE"), cl::cat(ToolOptions),
            cl::desc("A unified diff. For tests: those to run for that change; "
                     "for report and check: the lines that it adds"));

StringRef data::changesFile() { return Changes; }

/// Says something that is no error.
static void note(const llvm::Twine &What) {
  safeErrs() << "jopt-data: note: " << What << '\n';
}

/// Says if tests in which the line threw may be missing.
static void noteMissedThrows(const TestCoverage &Ran) {
  if (Ran.missesThrows())
    note("the strategy does not tell which lines were begun: a test in which "
         "the line threw may be missing; -coverage=begun finds it");
}

Expected<TestCoverage> data::readTests(llvm::ArrayRef<std::string> Folders,
                                       StringRef RunId, LeftOut Tell) {
  TestCoverage All;
  auto Runs = openFolders(Folders, RunId, Tell);
  if (!Runs)
    return Runs.takeError();
  for (const data::Run &R : *Runs)
    if (Error E = All.add(R, Tell))
      return E;
  All.finish();
  return All;
}

static Error
forEachSource(const TestCoverage &Ran, LeftOut Tell,
              llvm::function_ref<bool(StringRef)> IsWanted,
              llvm::function_ref<Error(const TestedSource &)> Use) {
  if (classInputs().empty())
    return makeError("tests wants -classes=, the classes as they were before "
                     "they were woven");
  return forEachTestedSource(classInputs(), Ran, filterRules(), Tell, IsWanted,
                             Use);
}

static Error listTests(const TestCoverage &Ran, LeftOut Tell) {
  TestSums Sums(Ran);
  if (!classInputs().empty())
    if (Error E = forEachSource(
            Ran, Tell, [](StringRef) { return true; },
            [&](const TestedSource &S) {
              Sums.add(S);
              return Error::success();
            }))
      return E;
  Sums.print(safeOuts(), !classInputs().empty());
  return Error::success();
}

/// The tests of the one line that -line= names.
static Error listTestsOfLine(const TestCoverage &Ran, LeftOut Tell) {
  auto [Path, Digits] = StringRef(Line).rsplit(':');
  int32_t Number = 0;
  if (Path.empty() || Digits.getAsInteger(10, Number) || Number < 1)
    return makeError("-line= wants a line as p/A.java:12, not '" + Line + "'");
  // `A.java` is that of any package, and `src/p/A.java` p/A.java.
  auto IsWanted = [Path = Path](StringRef Known) {
    return !matchSource(Known, [&](StringRef P) { return P == Path; })
                .empty() ||
           !matchSource(Path, [&](StringRef P) { return P == Known; }).empty();
  };
  std::vector<TestedSource> Found;
  if (Error E = forEachSource(Ran, Tell, IsWanted, [&](const TestedSource &S) {
        Found.push_back(S);
        return Error::success();
      }))
    return E;
  if (Found.empty())
    return makeError("no class is of the source file " + Path);
  if (Found.size() > 1)
    return makeError(
        Path + " is several source files: " + toDisplayUTF8(Found[0].Path) +
        ", " + toDisplayUTF8(Found[1].Path));
  const llvm::BitVector *Tests = Found.front().find(Number);
  if (!Tests)
    return makeError("nothing on line " + llvm::Twine(Number) + " of " + Path +
                     " counts");
  if (Tests->none())
    note(Line + " is reached by no test");
  for (unsigned T : Tests->set_bits())
    safeOuts() << toDisplayUTF8(Ran.tests()[T].Name) << '\n';
  safeOuts().flush();
  noteMissedThrows(Ran);
  return Error::success();
}

/// \p What of each of \p All, as one note.
static void noteAll(StringRef What, llvm::ArrayRef<std::string> All) {
  for (const std::string &Each : All)
    note(What + Each);
}

static Error listTestsOfChange(const TestCoverage &Ran, LeftOut Tell) {
  if (classInputs().empty())
    return makeError("tests wants -classes=, the classes as they were before "
                     "they were woven");
  auto Diff = readChanges(Changes);
  if (!Diff)
    return Diff.takeError();
  std::vector<FoundTest> Now;
  if (!testClasses().empty()) {
    auto Found = findTests(testClasses(), Tell);
    if (!Found)
      return Found.takeError();
    Now = std::move(*Found);
  }
  auto Chosen =
      selectTests(*Diff, classInputs(), Ran,
                  testClasses().empty() ? nullptr : &Now, filterRules(), Tell);
  if (!Chosen)
    return Chosen.takeError();
  for (const std::string &Test : Chosen->Run)
    safeOuts() << Test << '\n';
  safeOuts().flush();
  noteAll("new test: ", Chosen->New);
  noteAll("has not ended when it was recorded: ", Chosen->Open);
  noteAll("is recorded, and there no more: ", Chosen->Gone);
  noteAll("changed, and reached by no test: ", Chosen->Unreached);
  noteAll("new source file, which no test has reached: ", Chosen->NewSources);
  if (!Chosen->Others.empty())
    note("no source files of classes: " + llvm::join(Chosen->Others, ", "));
  if (!Chosen->Run.empty() || !Chosen->Unreached.empty())
    noteMissedThrows(Ran);
  for (const std::string &File : Chosen->Unknown)
    Tell(File + ": is changed, and the source file of no class");
  return Error::success();
}

Expected<std::vector<ChangedFile>> data::readChanges(StringRef Path) {
  auto Text = llvm::MemoryBuffer::getFileOrSTDIN(Path);
  if (!Text)
    return makeError(Location(Path), Text.getError().message());
  auto Changes = readDiff((*Text)->getBuffer());
  if (!Changes)
    return inFile(Changes.takeError(), Path);
  return Changes;
}

Error data::runTests(llvm::ArrayRef<std::string> Folders, StringRef Run,
                     LeftOut Tell) {
  if (Folders.empty())
    return makeError("tests wants data folders");
  auto Ran = readTests(Folders, Run, Tell);
  if (!Ran)
    return Ran.takeError();
  if (Ran->tests().empty())
    return makeError("no test is recorded there: jopt-junit.jar is to be on "
                     "the class path of the tests");
  const bool HasLine = Line.getNumOccurrences(),
             HasChanges = Changes.getNumOccurrences(),
             Writes = !csvFile().empty() || !lcovFile().empty();
  if (HasLine + HasChanges + Writes > 1)
    return makeError("tests wants one of -line=, -changed-since=, and -csv= or "
                     "-lcov=");
  if (HasLine)
    return listTestsOfLine(*Ran, Tell);
  if (HasChanges)
    return listTestsOfChange(*Ran, Tell);
  if (!Writes)
    return listTests(*Ran, Tell);
  auto Write = [&](StringRef Path, auto Header, auto Each) -> Error {
    if (Path.empty())
      return Error::success();
    Error Failed = Error::success();
    if (Error E = writeOutput(Path, [&](llvm::raw_ostream &OS) {
          Header(OS);
          Failed = forEachSource(
              *Ran, Tell, [](StringRef) { return true; },
              [&](const TestedSource &S) {
                Each(S, OS);
                return Error::success();
              });
        }))
      return llvm::joinErrors(std::move(Failed), std::move(E));
    return Failed;
  };
  if (Error E = Write(
          csvFile(), [](llvm::raw_ostream &OS) { writeTestCSVHeader(OS); },
          [&](const TestedSource &S, llvm::raw_ostream &OS) {
            writeTestCSV(S, *Ran, OS);
          }))
    return E;
  return Write(
      lcovFile(), [](llvm::raw_ostream &) {},
      [&](const TestedSource &S, llvm::raw_ostream &OS) {
        writeTestLCOV(S, *Ran, sourcePath(toDisplayUTF8(S.Path)), OS);
      });
}
