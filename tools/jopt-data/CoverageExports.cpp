//===- CoverageExports.cpp - Recorded coverage as files -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverageExports.h"
#include "CoverageVerbs.h"
#include "SourceVerbs.h"
#include "TraceVerbs.h"
#include "jopt/Coverage/ProbeLines.h"
#include "jopt/CoverageReport/HotReport.h"
#include "jopt/CoverageReport/PointReport.h"
#include "jopt/CoverageReport/Recorded.h"
#include "jopt/CoverageReport/Report.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using namespace jopt::coverage;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static cl::opt<std::string>
    Hot("hot", cl::ValueOptional, cl::value_desc("N"), cl::cat(ToolOptions),
        cl::desc("For show: the methods, edges and paths that were taken most, "
                 "10 of each or N, as lines of -sources="));

bool data::wantsHot() { return Hot.getNumOccurrences(); }

/// Names the classes whose segments alone are known: no exec file has these.
void data::tellOfSegments(const CoverageData &Ran, LeftOut Tell) {
  for (const ClassCoverage *C : Ran.classes())
    if (C->Probes.empty() && !C->Segments.empty())
      Tell("class " + toDisplayUTF8(C->Name) +
           ": JaCoCo's probes do not follow from the strategy 'blocks'");
}

namespace {
/// Recorded data other than JaCoCo's probes.
struct Profile {
  std::vector<MethodEdges> Edges;
  std::vector<MethodPath> Paths;
  std::vector<RecordedPoint> Points;
};
} // namespace

static Expected<Profile> readCounts(llvm::ArrayRef<std::string> Inputs,
                                    StringRef Run, StringRef What,
                                    LeftOut Tell) {
  auto Runs = openFolders(Inputs, Run, Tell);
  if (!Runs)
    return Runs.takeError();
  if (classInputs().empty())
    return makeError(What + " wants -classes=, the classes as they were before "
                            "they were woven");
  auto Edges = findMethodEdges(*Runs, classInputs(), Tell);
  if (!Edges)
    return Edges.takeError();
  auto Paths = findPaths(*Runs, classInputs(), Tell);
  if (!Paths)
    return Paths.takeError();
  auto Points = findRecordedPoints(*Runs, classInputs(), Tell);
  if (!Points)
    return Points.takeError();
  return Profile{std::move(*Edges), std::move(*Paths), std::move(*Points)};
}

/// Prints the edges and paths that were taken most.
Error data::showHot(llvm::ArrayRef<std::string> Inputs, StringRef Run,
                    LeftOut Tell) {
  unsigned Most = 10;
  if (!Hot.empty() && StringRef(Hot).getAsInteger(10, Most))
    return makeError("-hot= wants a number, not '" + Hot + "'");
  auto Counted = readCounts(Inputs, Run, "-hot", Tell);
  if (!Counted)
    return Counted.takeError();
  if (Counted->Edges.empty() && Counted->Paths.empty())
    return makeError("-hot wants what -coverage=edges or paths recorded");
  writeHot(Counted->Edges, Counted->Paths, {Most, readSource}, safeOuts());
  return Error::success();
}

/// A graph of each method that ran, into the folder \p Output.
Error data::exportGraphs(llvm::ArrayRef<std::string> Inputs, StringRef Output,
                         StringRef Run, LeftOut Tell) {
  auto Counted = readCounts(Inputs, Run, "-format=dot", Tell);
  if (!Counted)
    return Counted.takeError();
  if (std::error_code EC = llvm::sys::fs::create_directories(Output))
    return makeError(Location(Output), EC.message());
  for (const MethodEdges &M : Counted->Edges) {
    if (llvm::all_of(M.Counts.Edges, [](int64_t N) { return !N; }))
      continue;
    llvm::SmallString<128> File(Output);
    llvm::sys::path::append(
        File, methodFileName(M.Class, M.Method, M.Descriptor, ".dot"));
    if (Error E = writeOutput(
            File, [&](llvm::raw_ostream &OS) { writeEdgesDot(M, OS); }))
      return E;
  }
  return Error::success();
}

/// Writes the counts as tables into the folder \p Output.
Error data::exportProfile(llvm::ArrayRef<std::string> Inputs, StringRef Output,
                          StringRef Run, LeftOut Tell) {
  auto Counted = readCounts(Inputs, Run, "-format=csv of coverage", Tell);
  if (!Counted)
    return Counted.takeError();
  if (std::error_code EC = llvm::sys::fs::create_directories(Output))
    return makeError(Location(Output), EC.message());
  auto Write = [&](StringRef Name, auto Content) {
    llvm::SmallString<128> File(Output);
    llvm::sys::path::append(File, Name);
    return writeOutput(File, Content);
  };
  // Data that was not recorded gets no table. If nothing was recorded, write an
  // empty one.
  const bool HasEdges = !Counted->Edges.empty(),
             HasPoints = !Counted->Points.empty();
  if (HasEdges)
    if (Error E = Write("edges.csv", [&](llvm::raw_ostream &OS) {
          writeEdgesCSV(Counted->Edges, OS);
        }))
      return E;
  if (HasPoints)
    if (Error E = Write("points.csv", [&](llvm::raw_ostream &OS) {
          writePointsCSV(Counted->Points, OS);
        }))
      return E;
  if (Counted->Paths.empty() && (HasEdges || HasPoints))
    return Error::success();
  return Write("paths.csv", [&](llvm::raw_ostream &OS) {
    writePathsCSV(Counted->Paths, OS);
  });
}

/// Writes the probes of each run, and then those of files, as lines.
Error data::exportProbes(llvm::ArrayRef<std::string> Inputs, StringRef Output,
                         StringRef Run, LeftOut Tell) {
  std::vector<std::string> Folders, Files;
  for (const std::string &Path : Inputs)
    (llvm::sys::fs::is_directory(Path) ? Folders : Files).push_back(Path);
  auto Runs = openFolders(Folders, Run, Tell);
  if (!Runs)
    return Runs.takeError();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const data::Run &R : *Runs) {
    CoverageData Own;
    if (Error E = addRun(R, Own, Tell))
      return E;
    tellOfSegments(Own, Tell);
    writeProbeLines(Own, R.id(), OS);
  }
  auto Rest = readInputs(Files, Run, Tell);
  if (!Rest)
    return Rest.takeError();
  writeProbeLines(*Rest, {}, OS);
  return writeOutput(Output, [&](llvm::raw_ostream &To) { To << Text; });
}
