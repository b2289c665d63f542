//===- CoverageVerbs.cpp - Verbs for coverage -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverageVerbs.h"
#include "CoverageExports.h"
#include "SourceVerbs.h"
#include "TestVerbs.h"
#include "TraceVerbs.h"
#include "jopt/Coverage/ExecFile.h"
#include "jopt/Coverage/ProbeLines.h"
#include "jopt/CoverageReport/Check.h"
#include "jopt/CoverageReport/Compare.h"
#include "jopt/CoverageReport/Pages.h"
#include "jopt/CoverageReport/Recorded.h"
#include "jopt/CoverageReport/Report.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Support/StagedFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <functional>

using namespace jopt;
using namespace jopt::data;
using namespace jopt::coverage;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static cl::list<std::string>
    ClassFiles("classes", cl::value_desc("IN"), cl::cat(ToolOptions),
               cl::desc("For verbs about coverage: the classes as they "
                        "were before they were woven; folders, archives, class "
                        "files"));
static cl::list<std::string> TestClasses(
    "test-classes", cl::value_desc("IN"), cl::cat(ToolOptions),
    cl::desc("Classes of tests. For report and check: they do not count, but "
             "inline functions of Kotlin that only they call do. For tests: "
             "those that there are now"));
static cl::opt<std::string> XML("xml", cl::value_desc("FILE"),
                                cl::cat(ToolOptions),
                                cl::desc("For report: write JaCoCo's XML"));
static cl::opt<std::string>
    CSV("csv", cl::value_desc("FILE"), cl::cat(ToolOptions),
        cl::desc("For report: write JaCoCo's CSV; for diff and tests: a "
                 "table"));
static cl::opt<std::string>
    LCOV("lcov", cl::value_desc("FILE"), cl::cat(ToolOptions),
         cl::desc("For report and tests: write LCOV's records"));
static cl::opt<std::string>
    Cobertura("cobertura", cl::value_desc("FILE"), cl::cat(ToolOptions),
              cl::desc("For report: write Cobertura's XML"));
static cl::opt<std::string>
    SARIF("sarif", cl::value_desc("FILE"), cl::cat(ToolOptions),
          cl::desc("For report: write the lines and branches that were missed "
                   "as SARIF; with -changed-since= those of the change"));
static cl::opt<bool>
    Groups("groups", cl::cat(ToolOptions),
           cl::desc("For report: XML and CSV have a group for each of several "
                    "-classes="));
static cl::opt<std::string>
    HTML("html", cl::value_desc("FOLDER"), cl::cat(ToolOptions),
         cl::desc("For report: write pages for a browser, index.html"));
static cl::opt<std::string>
    HistoryFile("history", cl::value_desc("FILE"), cl::cat(ToolOptions),
                cl::desc("For report: add the totals to this table; the pages "
                         "show it"));
static cl::opt<std::string> Title("name", cl::value_desc("TEXT"),
                                  cl::init("coverage"), cl::cat(ToolOptions),
                                  cl::desc("For report: its name"));
static cl::opt<Filters> Rules(
    "filters", cl::init(Filters::All), cl::cat(ToolOptions),
    cl::desc("For report and check: which of the code that compilers add does "
             "not count"),
    cl::values(clEnumValN(Filters::All, "all", "all that is known (default)"),
               clEnumValN(Filters::JaCoCo0816, "jacoco-0.8.16",
                          "what JaCoCo 0.8.16 knows, its faults included"),
               clEnumValN(Filters::JaCoCo086, "jacoco-0.8.6",
                          "what JaCoCo 0.8.6 knows"),
               clEnumValN(Filters::None, "none", "everything counts")));
static cl::opt<bool>
    CountBegun("count-begun", cl::cat(ToolOptions),
               cl::desc("For report and check: lines that began and threw are "
                        "covered, if -coverage=begun recorded them"));
static cl::list<std::string>
    Excluded("exclude", cl::value_desc("CLASS"), cl::CommaSeparated,
             cl::cat(ToolOptions),
             cl::desc("For report and check: classes that do not count, as "
                      "a.b.C* or *.generated.*"));
static cl::list<std::string> ExcludedAnnotations(
    "exclude-annotation", cl::value_desc("NAME"), cl::CommaSeparated,
    cl::cat(ToolOptions),
    cl::desc("For report and check: classes and methods with such an "
             "annotation in the class file do not count"));
static cl::opt<std::string>
    RulesFile("rules", cl::value_desc("FILE"), cl::cat(ToolOptions),
              cl::desc("For check: limits for elements, a list in JSON"));
static cl::opt<std::string>
    Minimum("min", cl::value_desc("COUNTER:PERCENT,..."), cl::cat(ToolOptions),
            cl::desc("For check: fail if less is covered, as in "
                     "line:80,branch:70"));

static llvm::ArrayRef<std::string> valuesOf(cl::list<std::string> &Option) {
  return static_cast<std::vector<std::string> &>(Option);
}

/// The name of \p F as -filters= has it.
static StringRef filtersName(Filters F) {
  switch (F) {
  case Filters::None:
    return "none";
  case Filters::JaCoCo086:
    return "jacoco-0.8.6";
  case Filters::JaCoCo0816:
    return "jacoco-0.8.16";
  case Filters::All:
    return "all";
  }
  llvm_unreachable("all filters have a name");
}

llvm::ArrayRef<std::string> data::classInputs() { return valuesOf(ClassFiles); }
llvm::ArrayRef<std::string> data::testClasses() {
  return valuesOf(TestClasses);
}
Filters data::filterRules() { return Rules; }
StringRef data::csvFile() { return CSV; }
StringRef data::lcovFile() { return LCOV; }

std::vector<std::string> data::coverageOptions() {
  std::vector<std::string> All;
  auto Add = [&](StringRef Name, llvm::ArrayRef<std::string> Values) {
    for (const std::string &Value : Values)
      All.push_back(("-" + Name + "=" + Value).str());
  };
  Add("classes", classInputs());
  Add("sources", sourceFolders());
  Add("test-classes", testClasses());
  Add("exclude", valuesOf(Excluded));
  Add("exclude-annotation", valuesOf(ExcludedAnnotations));
  if (Rules.getNumOccurrences())
    All.push_back(("-filters=" + filtersName(Rules)).str());
  if (CountBegun)
    All.push_back("-count-begun");
  return All;
}

/// An exec file, or lines of probes.
static bool isProbeFile(const std::string &Path) {
  if (llvm::sys::fs::is_directory(Path))
    return false;
  if (StringRef(Path).ends_with(".exec"))
    return true;
  auto Start = llvm::MemoryBuffer::getFileSlice(Path, 16, 0);
  return Start && (isExecFile(toBytes((*Start)->getBuffer())) ||
                   isProbeLines((*Start)->getBuffer()));
}

bool data::isAboutCoverage(llvm::ArrayRef<std::string> Inputs,
                           StringRef Format) {
  return !ClassFiles.empty() || Minimum.getNumOccurrences() ||
         RulesFile.getNumOccurrences() || !changesFile().empty() ||
         Format == "exec" || Format == "probes" ||
         llvm::any_of(Inputs, isProbeFile);
}

Expected<std::vector<Run>>
data::openFolders(llvm::ArrayRef<std::string> Folders, StringRef RunId,
                  LeftOut Tell) {
  std::vector<Run> All;
  for (const std::string &Path : Folders) {
    auto Runs = openRuns(Path, Tell);
    if (!Runs)
      return Runs.takeError();
    if (!RunId.empty()) {
      auto One = takeRun(std::move(*Runs), RunId);
      if (!One)
        return One.takeError();
      Runs->clear();
      Runs->push_back(std::move(*One));
    }
    llvm::move(*Runs, std::back_inserter(All));
  }
  dropCopies(All);
  return All;
}

Expected<CoverageData> data::readInputs(llvm::ArrayRef<std::string> Inputs,
                                        StringRef Run, LeftOut Tell) {
  CoverageData All;
  std::vector<std::string> Folders;
  for (const std::string &Path : Inputs) {
    if (llvm::sys::fs::is_directory(Path)) {
      Folders.push_back(Path);
      continue;
    }
    auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (!File)
      return makeError(Location(Path), File.getError().message());
    const StringRef Text = (*File)->getBuffer();
    if (Error E = isProbeLines(Text) ? readProbeLines(Text, All)
                                     : readExec(toBytes(Text), All))
      return inFile(std::move(E), Path);
  }
  auto Runs = openFolders(Folders, Run, Tell);
  if (!Runs)
    return Runs.takeError();
  for (const data::Run &R : *Runs)
    if (Error E = addRun(R, All, Tell))
      return E;
  return All;
}

Error data::writeOutput(StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  if (Path == "-") {
    Write(llvm::outs());
    return Error::success();
  }
  return writeStaged(Path, Write);
}

static Expected<Bundle> count(const CoverageData &Ran, LeftOut Tell) {
  if (ClassFiles.empty())
    return makeError("coverage wants -classes=, the classes as they were "
                     "before they were woven");
  auto HasLines = [](const ClassCoverage *C) { return !C->Lines.empty(); };
  if (CountBegun && llvm::none_of(Ran.classes(), HasLines))
    Tell("-count-begun: it was not recorded which lines were begun; "
         "-coverage=begun does");
  BundleOptions O;
  O.Name = Title;
  O.Count.Rules = Rules;
  O.Count.CountBegun = CountBegun;
  O.Count.ExcludedAnnotations = valuesOf(ExcludedAnnotations);
  O.ExcludedClasses = valuesOf(Excluded);
  O.TextOf = readSource;
  O.Tests = testClasses();
  O.ByModule = Groups || !HTML.empty();
  return countClasses(ClassFiles, Ran, O, Tell);
}

Expected<Bundle> data::countInputs(llvm::ArrayRef<std::string> Inputs,
                                   StringRef Run, LeftOut Tell) {
  auto Ran = readInputs(Inputs, Run, Tell);
  return Ran ? ::count(*Ran, Tell) : Ran.takeError();
}

//===----------------------------------------------------------------------===//
// The verbs
//===----------------------------------------------------------------------===//

std::string data::sourcePath(const std::string &Name) {
  return sourceFile(Name).value_or(Name);
}

/// The name of a source file, with its package.
static std::string nameOf(const PackageCounters &P, const SourceCounters &S) {
  return toDisplayUTF8(P.Name.empty() ? S.Name : P.Name + "/" + S.Name);
}

/// Where a source file is, as far as that is known.
static std::string pathOf(const PackageCounters &P, const SourceCounters &S) {
  return sourcePath(nameOf(P, S));
}

/// What of the lines that -changed-since= adds was run.
static Expected<ChangedCoverage> countChanges(const Bundle &B, LeftOut Tell) {
  auto Changes = readChanges(changesFile());
  if (!Changes)
    return Changes.takeError();
  ChangedCoverage C = coverChanges(*Changes, B);
  printChanges(C, safeOuts());
  if (!C.Known && !C.Unknown.empty())
    Tell(changesFile() + ": none of its files is the source file of a class "
                         "of -classes=");
  else
    C.Others.insert(C.Others.begin(), C.Unknown.begin(), C.Unknown.end());
  if (!C.Others.empty())
    safeErrs() << "jopt-data: note: no source files of classes: "
               << llvm::join(C.Others, ", ") << '\n';
  if (C.Files.empty())
    safeOuts() << "no line that counts is changed\n";
  return C;
}

/// The history with the totals of \p B; empty if none is kept.
static Expected<std::vector<HistoryEntry>> addHistory(const Bundle &B) {
  std::vector<HistoryEntry> All;
  if (HistoryFile.empty())
    return All;
  if (llvm::sys::fs::exists(HistoryFile)) {
    auto Text = llvm::MemoryBuffer::getFile(HistoryFile);
    if (!Text)
      return makeError(Location(HistoryFile), Text.getError().message());
    auto Old = readHistory((*Text)->getBuffer());
    if (!Old)
      return inFile(Old.takeError(), HistoryFile);
    All = std::move(*Old);
  }
  if (Error E = addToHistory(B, All))
    return E;
  if (Error E = writeOutput(
          HistoryFile, [&](llvm::raw_ostream &OS) { writeHistory(All, OS); }))
    return E;
  return All;
}

/// The pages, with the tests of the folders among \p Inputs.
static Error reportHTML(const Bundle &B, const ChangedCoverage *Changes,
                        llvm::ArrayRef<HistoryEntry> History,
                        const std::vector<std::string> &Warnings,
                        llvm::ArrayRef<std::string> Inputs, StringRef Run,
                        LeftOut Tell) {
  std::vector<std::string> Folders;
  for (const std::string &Path : Inputs)
    if (llvm::sys::fs::is_directory(Path))
      Folders.push_back(Path);
  auto Tests = readTests(Folders, Run, Tell);
  if (!Tests)
    return Tests.takeError();
  const std::vector<std::string> Known = Warnings; // Tell adds to them
  PageOptions O;
  O.Folder = HTML;
  O.Version = "jopt " JOPT_VERSION;
  O.TextOf = readSource;
  O.Warnings = Known;
  O.Changes = Changes;
  O.History = History;
  if (Tests->tests().empty())
    return CoveragePages(B, O).finish();
  O.Tests = &*Tests;
  CoveragePages Pages(B, O);
  if (Error E = forEachTestedSource(
          classInputs(), *Tests, Rules, Tell, [](StringRef) { return true; },
          [&](const TestedSource &S) { return Pages.add(S); }))
    return E;
  return Pages.finish();
}

/// The reports that are one file each.
static Error reportFiles(const Bundle &B, const ChangedCoverage *Changes) {
  auto Missed = [&] {
    std::vector<CountedFile> Files;
    if (!Changes)
      return countedFiles(B, pathOf);
    for (const ChangedCoverage::File &F : Changes->Files)
      Files.push_back({sourcePath(F.Path), F.Lines});
    return Files;
  };
  const std::pair<StringRef, std::function<void(llvm::raw_ostream &)>> Files[] =
      {{XML, [&](llvm::raw_ostream &OS) { writeXML(B, OS, Groups); }},
       {CSV, [&](llvm::raw_ostream &OS) { writeCSV(B, OS, Groups); }},
       {LCOV, [&](llvm::raw_ostream &OS) { writeLCOV(B, pathOf, OS); }},
       {SARIF,
        [&](llvm::raw_ostream &OS) { writeSARIF(Missed(), JOPT_VERSION, OS); }},
       {Cobertura, [&](llvm::raw_ostream &OS) {
          writeCobertura(B, sourceFolders(), OS);
        }}};
  for (const auto &[Path, Write] : Files)
    if (!Path.empty())
      if (Error E = writeOutput(Path, Write))
        return E;
  return Error::success();
}

bool data::hasReportOutputs() {
  const cl::opt<std::string> *const Outputs[] = {
      &XML, &CSV, &LCOV, &Cobertura, &SARIF, &HTML, &HistoryFile};
  return !changesFile().empty() ||
         llvm::any_of(Outputs, [](const auto *O) { return !O->empty(); });
}

static Error report(const CoverageData &Ran, llvm::ArrayRef<std::string> Inputs,
                    StringRef Run, LeftOut Tell,
                    std::vector<std::string> &Warnings) {
  const bool HasChanges = !changesFile().empty();
  if (!hasReportOutputs())
    return makeError("report of coverage wants -o=, -xml=, -csv=, -lcov=, "
                     "-cobertura=, -sarif=, -html=, -history= or "
                     "-changed-since=");
  auto B = count(Ran, Tell);
  if (!B)
    return B.takeError();
  std::optional<ChangedCoverage> Changes;
  if (HasChanges) {
    auto C = countChanges(*B, Tell);
    if (!C)
      return C.takeError();
    Changes = std::move(*C);
  }
  if (Error E = reportFiles(*B, Changes ? &*Changes : nullptr))
    return E;
  auto History = addHistory(*B);
  if (!History)
    return History.takeError();
  return HTML.empty() ? Error::success()
                      : reportHTML(*B, Changes ? &*Changes : nullptr, *History,
                                   Warnings, Inputs, Run, Tell);
}

/// By kind of counter: the percentage that -min= wants.
using Minima = std::array<std::optional<Decimal>, NumCounters>;

static Expected<Minima> readMinima() {
  Minima Wanted;
  for (StringRef Part : llvm::split(StringRef(Minimum), ',')) {
    if (Minimum.empty())
      break;
    auto [Name, Value] = Part.split(':');
    unsigned K = 0;
    while (K < NumCounters &&
           !Name.equals_insensitive(counterName(CounterKind(K))))
      ++K;
    auto Percent = Decimal::parse(Value);
    if (K == NumCounters || !Percent || Percent->Scale > 4 ||
        Percent->isAbove(100, 1))
      return makeError("-min= wants parts as line:80, of instruction, branch, "
                       "line, complexity, method and class; not '" +
                       Part + "'");
    if (Percent->isAbove(0, 1) && !Percent->isAbove(1, 1) && Percent->Scale)
      return makeError("-min= wants percent, as in line:80; '" + Part +
                       "' looks like a ratio, which -rules= has");
    Wanted[K] = Percent;
  }
  return Wanted;
}

/// A line about \p C, and whether it is as much as \p Wanted, if that is said.
static bool tellCounter(CounterKind K, const Counter &C,
                        const std::optional<Decimal> &Wanted) {
  const bool IsEnough =
      !Wanted || !C.total() || !Wanted->percent().isAbove(C.Covered, C.total());
  safeOuts() << StringRef(counterName(K)).lower() << ": " << C.Covered << " of "
             << C.total() << ", " << percentText(C);
  if (!IsEnough)
    safeOuts() << ", less than " << Wanted->text() << " %";
  safeOuts() << '\n';
  return IsEnough;
}

static Expected<std::vector<CoverageRule>> readRulesFile() {
  if (RulesFile.empty())
    return std::vector<CoverageRule>();
  auto Text = llvm::MemoryBuffer::getFile(RulesFile);
  if (!Text)
    return makeError(Location(RulesFile), Text.getError().message());
  auto Rules = readRules((*Text)->getBuffer());
  if (!Rules)
    return inFile(Rules.takeError(), RulesFile);
  return Rules;
}

static Error check(const CoverageData &Ran, LeftOut Tell) {
  auto Wanted = readMinima();
  if (!Wanted)
    return Wanted.takeError();
  auto Limits = readRulesFile();
  if (!Limits)
    return Limits.takeError();
  auto B = count(Ran, Tell);
  if (!B)
    return B.takeError();
  unsigned Kinds = NumCounters;
  if (!changesFile().empty()) {
    if (!Limits->empty())
      return makeError("-rules= is for all of the code, -changed-since= for "
                       "changed lines; give one of them");
    auto C = countChanges(*B, Tell);
    if (!C)
      return C.takeError();
    B->Counted = C->Counted;
    Kinds = Lines + 1;
    if (llvm::any_of(llvm::ArrayRef(*Wanted).drop_front(Kinds),
                     [](const auto &W) { return W.has_value(); }))
      return makeError("-min= of changed lines is of instruction, branch and "
                       "line");
  }
  if (changesFile().empty() && !B->Counted[Instructions].total())
    return makeError("there is nothing to check: of -classes= no class counts, "
                     "or none whose data can be counted");
  bool IsEnough = true;
  for (unsigned K = 0; K < Kinds; ++K)
    IsEnough &= tellCounter(CounterKind(K), B->Counted[K], (*Wanted)[K]);
  unsigned NumViolations = 0;
  checkRules(*B, *Limits, [&](const llvm::Twine &What) {
    safeOuts() << What << '\n';
    ++NumViolations;
  });
  if (!IsEnough)
    return makeError("less is covered than -min=");
  if (NumViolations)
    return makeError(llvm::Twine(NumViolations) +
                     (NumViolations == 1 ? " limit" : " limits") +
                     " of -rules= not kept");
  return Error::success();
}

static Error show(const CoverageData &Ran, LeftOut) {
  for (const SessionInfo &S : Ran.sessions())
    safeOuts() << "session " << toDisplayUTF8(S.Id) << ": " << S.Start << " to "
               << S.Dump << '\n';
  for (const ClassCoverage *C : Ran.classes())
    safeOuts() << "class " << toDisplayUTF8(C->Name) << ' '
               << llvm::utohexstr(C->Id, true, 16) << ": " << C->Probes.count()
               << " of " << C->Probes.size() << " probes\n";
  return Error::success();
}

/// How the second of two inputs differs from the first.
static Error diff(llvm::ArrayRef<std::string> Inputs, StringRef Format,
                  StringRef Run, LeftOut Tell) {
  if (Inputs.size() != 2)
    return makeError("diff wants two folders or exec files");
  auto Old = readInputs(Inputs.take_front(), Run, Tell);
  if (!Old)
    return Old.takeError();
  auto New = readInputs(Inputs.drop_front(), Run, Tell);
  if (!New)
    return New.takeError();
  auto A = ::count(*Old, Tell);
  if (!A)
    return A.takeError();
  auto B = ::count(*New, Tell);
  if (!B)
    return B.takeError();
  if (Format == "json")
    writeDifferenceJSON(*A, *B, safeOuts());
  else
    printDifference(*A, *B, safeOuts());
  return CSV.empty() ? Error::success()
                     : writeOutput(CSV, [&](llvm::raw_ostream &OS) {
                         writeDifferenceCSV(*A, *B, OS);
                       });
}

Error data::runCoverage(StringRef Verb, llvm::ArrayRef<std::string> Inputs,
                        StringRef Output, StringRef Format, StringRef Run,
                        LeftOut Tell) {
  const bool Writes = Verb == "merge" || Verb == "export";
  auto Do = Verb == "check" ? check : Verb == "show" ? show : nullptr;
  if (Verb == "diff" && (Format.empty() || Format == "json"))
    return diff(Inputs, Format, Run, Tell);
  if (!Do && !Writes && Verb != "report")
    return makeError(Verb + " is not for coverage");
  if (Inputs.empty())
    return makeError(Verb + " wants exec files or data folders");
  if (Writes && Output.empty())
    return makeError(Verb + " wants -o=OUT");
  if (Verb == "show" && wantsHot())
    return showHot(Inputs, Run, Tell);
  if (Verb == "export" && Format == "csv")
    return exportProfile(Inputs, Output, Run, Tell);
  if (Verb == "export" && Format == "dot")
    return exportGraphs(Inputs, Output, Run, Tell);
  if (Verb == "export" && Format == "probes")
    return exportProbes(Inputs, Output, Run, Tell);
  if (Writes ? Format != "exec" && !(Verb == "merge" && Format.empty())
             : !Format.empty())
    return makeError(Verb == "export" ? "-format= wants exec, csv, dot or "
                                        "probes, for coverage"
                     : Writes         ? "-format= of merge wants exec"
                              : "-format= is not for " + Verb + " of coverage");
  // The pages list these messages, too.
  std::vector<std::string> Warnings;
  auto Note = [&](const llvm::Twine &What) {
    Warnings.push_back(What.str());
    Tell(What);
  };
  auto Ran = readInputs(Inputs, Run, Note);
  if (!Ran)
    return Ran.takeError();
  if (Verb == "report")
    return report(*Ran, Inputs, Run, Note, Warnings);
  if (!Writes)
    return Do(*Ran, Tell);
  tellOfSegments(*Ran, Tell);
  return writeOutput(Output, [&](llvm::raw_ostream &OS) {
    OS << jopt::toStringRef(writeExec(*Ran));
  });
}
