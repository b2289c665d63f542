//===- TraceVerbs.cpp - Verbs for traces ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceVerbs.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
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
            cl::desc("For print: only executions of this thread"));

llvm::ArrayRef<std::string> data::threadOptions() {
  return static_cast<std::vector<std::string> &>(Threads);
}

/// The one run of \p Runs; an error that lists them if they are several.
static Expected<const Run *> theRun(llvm::ArrayRef<Run> Runs) {
  if (Runs.size() == 1)
    return &Runs[0];
  std::string Ids;
  for (const Run &R : Runs)
    Ids += " " + R.id().str();
  return makeError("there are several runs; -run=ID chooses one of" + Ids);
}

Error data::writeTraces(
    llvm::ArrayRef<Run> Runs, StringRef Output, LeftOut Tell,
    llvm::function_ref<Error(const Traces &, llvm::raw_ostream &)> Write) {
  auto R = theRun(Runs);
  if (!R)
    return R.takeError();
  auto T = Traces::open(**R, Tell);
  if (!T)
    return T.takeError();
  std::error_code EC;
  llvm::raw_fd_ostream OS(Output.empty() ? StringRef("-") : Output, EC);
  if (EC)
    return makeError(Location(Output), EC.message());
  Error E = Write(*T, OS);
  OS.flush();
  if (!E && OS.has_error())
    E = makeError(Location(Output), OS.error().message());
  OS.clear_error();
  return E;
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
  Options.Threads.assign(Threads.begin(), Threads.end());
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

Error data::showTraces(llvm::ArrayRef<Run> Runs, LeftOut Tell) {
  for (const Run &R : Runs) {
    auto T = Traces::open(R, Tell);
    if (!T)
      return T.takeError();
    if (Error E = showTrace(*T, llvm::outs(), Tell))
      return E;
  }
  return Error::success();
}
