//===- TraceVerbs.cpp - Verbs for traces ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceVerbs.h"
#include "jopt/Data/TraceDiff.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Support/StagedFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static cl::opt<std::string> Flavour("flavour", cl::value_desc("seed|blinky"),
                                    cl::init("seed"), cl::cat(ToolOptions),
                                    cl::desc("For print: whose lines"));
static cl::opt<std::string>
    Only("only", cl::value_desc("static|executions"), cl::cat(ToolOptions),
         cl::desc("For print: declarations, or executions, only"));
static cl::list<std::string>
    Threads("thread", cl::value_desc("ID|NAME"), cl::cat(ToolOptions),
            cl::desc("For print and diff: only executions of this thread"));
static cl::list<std::string>
    MethodGlobs("method", cl::value_desc("GLOB"), cl::cat(ToolOptions),
                cl::desc("For print and diff: only executions of methods whose "
                         "binary.Class.name GLOB matches"));
static cl::list<std::string> Types(
    "type", cl::CommaSeparated, cl::value_desc("TYPE"), cl::cat(ToolOptions),
    cl::desc("For print and diff: only executions of this type, as line"));
static cl::opt<std::string> Time(
    "time", cl::value_desc("FROM-TO"), cl::cat(ToolOptions),
    cl::desc(
        "For print and diff: only executions of these milliseconds; without "
        "FROM from the beginning, without TO up to the end"));

llvm::ArrayRef<std::string> data::threadOptions() {
  return static_cast<std::vector<std::string> &>(Threads);
}

/// The one run of \p Runs; an error that lists them if they are several.
static Expected<const Run *> theRun(llvm::ArrayRef<Run> Runs) {
  if (Runs.size() == 1)
    return &Runs[0];
  std::string Ids;
  for (const Run &R : Runs)
    Ids += (Ids.empty() ? " " : ", ") + R.describe();
  return makeError("there are several runs; -run=ID chooses one of" + Ids);
}

/// The traces of the one run of \p Runs.
static Expected<Traces> theTraces(llvm::ArrayRef<Run> Runs, LeftOut Tell) {
  auto R = theRun(Runs);
  return R ? Traces::open(**R, Tell) : R.takeError();
}

/// Writes what \p Write makes of the traces of the one run of \p Runs.
Error data::writeTraces(
    llvm::ArrayRef<Run> Runs, StringRef Output, LeftOut Tell,
    llvm::function_ref<Error(const Traces &, llvm::raw_ostream &)> Write) {
  auto T = theTraces(Runs, Tell);
  if (!T)
    return T.takeError();
  // The end of the tool reports errors of standard output.
  if (Output.empty() || Output == "-")
    return Write(*T, llvm::outs());
  auto File = StagedFile::create(Output);
  if (!File)
    return File.takeError();
  if (Error E = Write(*T, File->os()))
    return E;
  return File->keep();
}

/// What the options ask for.
static Expected<TraceFilterOptions> filter() {
  TraceFilterOptions O;
  O.Threads.assign(Threads.begin(), Threads.end());
  O.Methods.assign(MethodGlobs.begin(), MethodGlobs.end());
  O.Types.assign(Types.begin(), Types.end());
  auto [From, To] = StringRef(Time).split('-');
  if (!Time.empty() &&
      (!StringRef(Time).contains('-') ||
       (!From.empty() && From.getAsInteger(10, O.From)) ||
       (!To.empty() && To.getAsInteger(10, O.To)) || O.From > O.To))
    return makeError("-time= wants FROM-TO in milliseconds, not '" + Time +
                     "'");
  return O;
}

Error data::printTraces(llvm::ArrayRef<Run> Runs, StringRef Output,
                        LeftOut Tell) {
  TracePrintOptions Options;
  if (Flavour == "blinky")
    Options.Flavour = trace::Flavour::Blinky;
  else if (Flavour != "seed")
    return makeError("-flavour= wants seed or blinky, not '" + Flavour + "'");
  Options.Declarations = Only != "executions";
  Options.Executions = Only != "static";
  if (!Only.empty() && Options.Declarations && Options.Executions)
    return makeError("-only= wants static or executions, not '" + Only + "'");
  auto Wanted = filter();
  if (!Wanted)
    return Wanted.takeError();
  Options.Filter = std::move(*Wanted);
  return writeTraces(Runs, Output, Tell,
                     [&](const Traces &T, llvm::raw_ostream &OS) {
                       return printTrace(T, Options, OS, Tell);
                     });
}

Error data::exportTraces(TraceWriter Write, llvm::ArrayRef<Run> Runs,
                         StringRef Output, LeftOut Tell) {
  return writeTraces(Runs, Output, Tell,
                     [&](const Traces &T, llvm::raw_ostream &OS) {
                       return Write(T, OS, Tell);
                     });
}

Error data::exportTraces(TraceFolderWriter Write, llvm::ArrayRef<Run> Runs,
                         StringRef Output, LeftOut Tell) {
  auto T = theTraces(Runs, Tell);
  return T ? Write(*T, Output, Tell) : T.takeError();
}

/// The one trace of \p Runs; null if there is none.
static Expected<std::optional<Traces>> traceOf(llvm::ArrayRef<Run> Runs,
                                               LeftOut Tell) {
  std::optional<Traces> Found;
  for (const Run &R : Runs) {
    auto T = Traces::open(R, Tell);
    if (!T)
      return T.takeError();
    if (T->empty())
      continue;
    if (Found)
      return theRun(Runs).takeError();
    Found = std::move(*T);
  }
  return Found;
}

Expected<bool> data::diffTraces(llvm::ArrayRef<Run> Runs, size_t First,
                                LeftOut Tell) {
  auto Wanted = filter();
  if (!Wanted)
    return Wanted.takeError();
  auto A = traceOf(Runs.take_front(First), Tell);
  if (!A)
    return A.takeError();
  auto B = traceOf(Runs.drop_front(First), Tell);
  if (!B)
    return B.takeError();
  if (!*A && !*B)
    return false;
  if (!*A || !*B)
    return makeError("only one of the folders has a trace");
  if (Error E = diffTraces(**A, **B, *Wanted, safeOuts(), Tell))
    return E;
  return true;
}

Error data::showTraces(llvm::ArrayRef<Run> Runs, LeftOut Tell) {
  for (const Run &R : Runs) {
    auto T = Traces::open(R, Tell);
    if (!T)
      return T.takeError();
    if (Error E = showTrace(*T, safeOuts(), Tell))
      return E;
  }
  return Error::success();
}
