//===- ViewerVerbs.cpp - The page of a report -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewerVerbs.h"
#include "CoverageVerbs.h"
#include "TestVerbs.h"
#include "jopt/CoverageReport/ViewerCoverage.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// What of \p Input has coverage: itself, or folders of its runs. Others have
/// something else to show.
static llvm::Expected<std::vector<std::string>>
coveredInputs(const std::string &Input, StringRef RunId, LeftOut Tell) {
  if (!llvm::sys::fs::is_directory(Input))
    return std::vector<std::string>{Input};
  auto Runs = openFolders(Input, RunId, Tell);
  if (!Runs)
    return Runs.takeError();
  std::vector<std::string> Covered;
  for (const Run &R : *Runs) {
    auto Classes = readCoverage(R, Tell);
    if (!Classes)
      return Classes.takeError();
    if (!Classes->empty())
      Covered.push_back(R.folder().str());
  }
  if (Covered.empty())
    Tell(Input + " has no coverage");
  return Covered;
}

/// The coverage of one input, with its tests if it is a folder.
static Error addCoverageOf(const std::string &Input, StringRef RunId,
                           size_t Number, ViewerPage &To, LeftOut Tell) {
  auto Covered = coveredInputs(Input, RunId, Tell);
  if (!Covered)
    return Covered.takeError();
  if (Covered->empty())
    return Error::success();
  auto B = countInputs(*Covered, {}, Tell);
  if (!B)
    return B.takeError();
  coverage::addCoverage(*B, Number, To);
  if (!llvm::sys::fs::is_directory(Input))
    return Error::success();
  auto Tests = readTests(Input, RunId, Tell);
  if (!Tests)
    return Tests.takeError();
  if (Tests->tests().empty())
    return Error::success();
  coverage::ViewerTests Reached(*Tests);
  if (Error E = forEachTestedSource(
          classInputs(), *Tests, filterRules(), Tell,
          [](StringRef) { return true; },
          [&](const coverage::TestedSource &S) {
            Reached.add(S);
            return Error::success();
          }))
    return E;
  Reached.finish(Number, To);
  return Error::success();
}

static Error addFolder(const std::string &Folder, StringRef RunId,
                       size_t Number, uint64_t MaxRows, ViewerPage &To,
                       LeftOut Tell) {
  auto Runs = openFolders(Folder, RunId, Tell);
  if (!Runs)
    return Runs.takeError();
  for (const Run &R : *Runs)
    To.about(R);
  auto All = Recording::open(*Runs, Tell);
  if (!All)
    return All.takeError();
  if (Error E = addTables(*All, Number, MaxRows, To, Tell))
    return E;
  for (const Run &R : *Runs) {
    auto T = Traces::open(R, Tell);
    if (!T)
      return T.takeError();
    if (T->empty())
      continue;
    if (Error E = addTrace(*T, Number, MaxRows, To, Tell))
      return E;
  }
  return Error::success();
}

Error data::writeViewer(llvm::ArrayRef<std::string> Inputs, StringRef Output,
                        StringRef RunId, uint64_t MaxRows, LeftOut Tell) {
  // Lines of live output belong to the first of what may be compared.
  auto IsLines = [](const std::string &Path) {
    const StringRef Ending = llvm::sys::path::extension(Path);
    return !llvm::sys::fs::is_directory(Path) &&
           (Ending == ".json" || Ending == ".jsonl" || Ending == ".ndjson");
  };
  std::vector<std::string> Compared;
  for (const std::string &Path : Inputs)
    if (!IsLines(Path))
      Compared.push_back(Path);
  if (Compared.size() > 2)
    return makeError("a page shows one input, or compares two: merge puts "
                     "several into one");
  auto To = ViewerPage::create(Output, Compared);
  if (!To)
    return To.takeError();
  for (size_t I = 0; I < Compared.size(); ++I) {
    if (llvm::sys::fs::is_directory(Compared[I]))
      if (Error E = addFolder(Compared[I], RunId, I, MaxRows, *To, Tell))
        return E;
    if (!classInputs().empty())
      if (Error E = addCoverageOf(Compared[I], RunId, I, *To, Tell))
        return E;
  }
  for (const std::string &Path : Inputs) {
    if (!IsLines(Path))
      continue;
    auto Text = llvm::MemoryBuffer::getFile(Path);
    if (!Text)
      return makeError(Location(Path), Text.getError().message());
    To->addLines(llvm::sys::path::stem(Path), (*Text)->getBuffer(), 0);
  }
  return To->finish();
}
