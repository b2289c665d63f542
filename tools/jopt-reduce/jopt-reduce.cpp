//===- jopt-reduce.cpp - The smallest class that still goes wrong ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options and the run of the test; the reduction is lib/Reduce.
///
//===----------------------------------------------------------------------===//

#include "../CommandLine.h"
#include "../ToolProcess.h"
#include "jopt/Reduce/Reduce.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/StagedFile.h"
#include "jopt/Support/Temporary.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace jopt;
namespace cl = llvm::cl;

static cl::OptionCategory Cat("jopt-reduce options");

static cl::opt<std::string> Input(cl::Positional, cl::desc("INPUT"),
                                  cl::Required, cl::cat(Cat));
static cl::opt<std::string> Output("o", cl::value_desc("OUT"), cl::Required,
                                   cl::cat(Cat), cl::desc("Output: a file"));
static cl::opt<std::string>
    Test("test", cl::value_desc("SCRIPT"), cl::Required, cl::cat(Cat),
         cl::desc("SCRIPT CANDIDATE ends with 0 while it is still interesting; "
                  "the candidate has the name of the input"));
static cl::list<std::string>
    TestArguments("test-arg", cl::value_desc("ARGUMENT"), cl::cat(Cat),
                  cl::desc("An argument of the script, before the candidate"));
static cl::opt<unsigned>
    Timeout("test-timeout", cl::value_desc("SECONDS"), cl::init(60),
            cl::cat(Cat),
            cl::desc("A test that takes longer says no; 0 for no limit"));
static cl::opt<bool> Quiet("q", cl::cat(Cat), cl::desc("Only errors"));

/// Writes \p Data to \p Path.
static llvm::Error writeFile(llvm::StringRef Path, Bytes Data) {
  return writeStaged(Path,
                     [&](llvm::raw_ostream &OS) { OS << toStringRef(Data); });
}

/// Runs \p Script on \p File.
static llvm::Expected<bool> passes(llvm::StringRef Script,
                                   llvm::StringRef File) {
  llvm::SmallVector<llvm::StringRef, 4> Arguments = {Script};
  llvm::append_range(Arguments, TestArguments);
  Arguments.push_back(File);
  const std::optional<llvm::StringRef> Nowhere[] = {{""}, {""}, {""}};
  std::string Message;
  bool Failed = false;
  const int Status = llvm::sys::ExecuteAndWait(
      Script, Arguments, std::nullopt, Nowhere, Timeout, 0, &Message, &Failed);
  if (Failed || Status == -1)
    return makeError(Location(Script), "cannot be run: " + Message);
  return Status == 0;
}

/// The script as a path, looked for on PATH if it names no folder.
static llvm::Expected<std::string> findScript() {
  if (llvm::sys::fs::exists(Test)) {
    llvm::SmallString<128> Path(Test);
    llvm::sys::fs::make_absolute(Path);
    return Path.str().str();
  }
  auto Found = llvm::sys::findProgramByName(Test);
  if (!Found)
    return makeError(Location(Test), Found.getError().message());
  return *Found;
}

static llvm::Error run() {
  auto Script = findScript();
  if (!Script)
    return Script.takeError();
  auto Buffer = llvm::MemoryBuffer::getFile(Input);
  if (!Buffer)
    return makeError(Location(Input), Buffer.getError().message());
  auto Folder = makeTemporaryFolder("jopt-reduce");
  if (!Folder)
    return Folder.takeError();
  llvm::SmallString<128> Candidate(Folder->path());
  llvm::sys::path::append(Candidate, llvm::sys::path::filename(Input));

  ReduceOptions O;
  O.IsInteresting = [&](Bytes Data) -> llvm::Expected<bool> {
    if (llvm::Error E = writeFile(Candidate, Data))
      return E;
    return passes(*Script, Candidate);
  };
  if (!Quiet)
    O.Progress = [](llvm::StringRef Reducer, size_t Size) {
      llvm::errs() << "fewer " << Reducer << ": " << Size << " bytes\n";
    };
  auto Result = reduceClass(toBytes((*Buffer)->getBuffer()), Input,
                            llvm::StringRef(Input).ends_with(".jir"), O);
  if (!Result)
    return Result.takeError();
  if (!Quiet)
    llvm::errs() << Result->Asked << " tests, " << Result->Instructions
                 << " instructions\n";
  return writeFile(Output, Result->Data);
}

int main(int Argc, char **Argv) {
  beginTool("jopt-reduce");
  cl::HideUnrelatedOptions(Cat);
  if (!parseCommandLine(
          Argc, Argv,
          "jopt-reduce: the smallest class with which something goes wrong\n"))
    return 1;
  llvm::Error E = run();
  const bool Failed = bool(E);
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (D.Where.File.empty())
      llvm::errs() << "jopt-reduce: ";
    D.print(llvm::errs());
    llvm::errs() << '\n';
  });
  Diags.report(std::move(E));
  return Failed;
}
