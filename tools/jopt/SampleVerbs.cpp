//===- SampleVerbs.cpp - jopt top, tree --sample --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleVerbs.h"
#include "jopt/Agent/Attach/GivenOption.h"
#include "jopt/Agent/Attach/Options.h"
#include "jopt/Archive/KeptRights.h"
#include "jopt/Client/Profile.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

namespace {
struct SampleRequest {
  StringRef Verb;
  pid_t Pid = 0;
  client::SamplingOptions How;
  client::ProfileOptions Print;
  std::string During, Flame;
};
} // namespace

bool jopt::asksForSamples(llvm::ArrayRef<const char *> Arguments) {
  return (StringRef(Arguments[0]) == "top" ||
          StringRef(Arguments[0]) == "tree") &&
         llvm::any_of(Arguments.drop_front(), [](StringRef Word) {
           return Word.ltrim('-').split('=').first == "sample" &&
                  Word.starts_with("-");
         });
}

/// The library of async-profiler below the folder \p Home.
static std::string libraryIn(StringRef Home) {
  for (StringRef Name : {"/lib/libasyncProfiler.so", "/libasyncProfiler.so",
                         "/build/lib/libasyncProfiler.so"})
    if (const std::string File = (Home + Name).str();
        llvm::sys::fs::exists(File))
      return File;
  return "";
}

static Error readPattern(StringRef Name, StringRef Value, std::string &To) {
  if (!Value.contains('#') || Value.contains('('))
    return makeError((Name.empty() ? "" : "--" + Name + ": ") + "'" + Value +
                     "' is no method such as com.foo.Bar#baz: samples know "
                     "classes and names");
  To = Value.str();
  return Error::success();
}

static Error readKind(StringRef Value, SampleRequest &R) {
  using client::SampledKind;
  if (!Value.empty() && Value != "cpu" && Value != "wall" && Value != "alloc")
    return makeError("--sample: '" + Value +
                     "': there are cpu, wall and alloc");
  R.How.Kind = R.Print.Kind = Value == "wall"    ? SampledKind::Wall
                              : Value == "alloc" ? SampledKind::Alloc
                                                 : SampledKind::Cpu;
  return Error::success();
}

static Error readSampleOption(StringRef Name, StringRef Value,
                              SampleRequest &R) {
  if (Name == "sample")
    return readKind(Value, R);
  if (Name == "for") {
    auto Time = agent::parseTime(Value);
    if (!Time || Time->count() < 100)
      return makeError("--for: '" + Value + "' is no time such as 10s");
    R.How.For = *Time;
  } else if (Name == "format" && (Value == "text" || Value == "json")) {
    R.Print.AsJson = Value == "json";
  } else if (Name == "format") {
    return makeError("--format: '" + Value + "': there are text and json");
  } else if (Name == "during") {
    return readPattern(Name, Value, R.During);
  } else if (Name == "flame") {
    R.Flame = Value.str();
  } else if (Name == "rows" && R.Verb == "top") {
    if (!llvm::to_integer(Value, R.Print.Rows, 10) || !R.Print.Rows)
      return makeError("--rows: '" + Value + "' is no number from 1 on");
  } else if (Name == "async-profiler") {
    R.How.AsyncProfiler = Value.str();
    if (llvm::sys::fs::is_directory(Value))
      R.How.AsyncProfiler = libraryIn(Value);
    if (!llvm::sys::fs::exists(R.How.AsyncProfiler))
      return makeError("--async-profiler: no library of it at '" + Value + "'");
  } else {
    return makeError("'--" + Name + "' is not for " + R.Verb +
                     " --sample; there are --for, --during, --flame, " +
                     (R.Verb == "top" ? "--rows, " : "") +
                     "--format and --async-profiler");
  }
  return Error::success();
}

static llvm::Expected<SampleRequest>
readSampleRequest(llvm::ArrayRef<const char *> Arguments) {
  SampleRequest R;
  R.Verb = Arguments[0];
  R.Print.AsJson = !llvm::outs().is_displayed();
  bool HasPid = false;
  for (size_t N = 1; N < Arguments.size(); ++N) {
    const StringRef Word = Arguments[N];
    auto [Name, Value] = Word.ltrim('-').split('=');
    if (Word.starts_with("-")) {
      if (Name != "sample" && !Word.contains('=')) {
        if (N + 1 == Arguments.size())
          return makeError("--" + Name + " needs a value");
        Value = Arguments[++N];
      }
      if (Error E = readSampleOption(Name, Value, R))
        return E;
    } else if (!HasPid && llvm::to_integer(Word, R.Pid, 10) && R.Pid > 0) {
      HasPid = true;
    } else {
      R.Print.Patterns.emplace_back();
      if (Error E = readPattern("", Word, R.Print.Patterns.back()))
        return E;
    }
  }
  if (!HasPid)
    return makeError("jopt " + R.Verb +
                     " --sample needs the number of a process, which 'jopt ps' "
                     "lists");
  if (R.Verb == "tree" && !R.Print.Patterns.empty())
    return makeError("--during '" + R.Print.Patterns.front() +
                     "' leaves the samples in that method");
  if (R.How.AsyncProfiler.empty())
    if (auto Home = llvm::sys::Process::GetEnv("ASYNC_PROFILER_HOME"))
      R.How.AsyncProfiler = libraryIn(*Home);
  if (!R.How.AsyncProfiler.empty()) { // The JVM has another current folder.
    llvm::SmallString<128> Path(R.How.AsyncProfiler);
    llvm::sys::fs::make_absolute(Path);
    R.How.AsyncProfiler = Path.str().str();
  }
  return R;
}

/// `jopt top 4711 --sample=wall`
static std::string titleOf(llvm::ArrayRef<const char *> Arguments) {
  return "jopt " + llvm::join(Arguments, " ");
}

static llvm::Expected<int> carryOut(const SampleRequest &R, StringRef Title) {
  std::optional<KeptRights> Page;
  if (!R.Flame.empty()) { // While this process has its own rights.
    auto File = KeptRights::forFile(R.Flame);
    if (!File)
      return File.takeError();
    Page.emplace(std::move(*File));
  }
  client::CarriedFiles Carried(R.Pid);
  if (!R.How.AsyncProfiler.empty())
    if (Error E = Carried.add(R.How.AsyncProfiler))
      return E;
  auto T = client::Target::open(R.Pid);
  if (!T)
    return T.takeError();
  auto Folder = client::makeFolderFor(*T);
  if (!Folder)
    return Folder.takeError();
  catchFurtherInterrupts();
  auto S = client::sample(*T, *Folder, Carried, R.How, interrupted);
  if (!S)
    return S.takeError();
  const bool WereAny = !S->Stacks.empty();
  if (!R.During.empty())
    client::keepDuring(*S, R.During);
  if (R.Verb == "top")
    client::printTop(*S, R.Print, R.Print.AsJson ? llvm::outs() : safeOuts());
  else
    client::printTree(*S, R.Print, R.Print.AsJson ? llvm::outs() : safeOuts());
  llvm::outs().flush();
  if (Page)
    if (Error E = Page->write(client::makeFlameGraph(*S, R.How.Kind, Title)))
      return E;
  if (S->Truncated)
    safeErrs()
        << "jopt: " << S->Truncated
        << " stacks are deeper than the recorder keeps, and without "
           "their outer frames (-XX:FlightRecorderOptions=stackdepth=)\n";
  if (S->LostBytes)
    safeErrs() << "jopt: the recorder lost " << S->LostBytes << " bytes\n";
  if (S->Stacks.empty())
    safeErrs() << "jopt: no sample was taken"
               << (WereAny ? " in " + R.During
                   : R.How.Kind == client::SampledKind::Alloc
                       ? ": no thread made enough objects"
                       : ": no thread ran, or the recorder found no frames of "
                         "the code that ran (-XX:+UnlockDiagnosticVMOptions "
                         "-XX:+DebugNonSafepoints gives it more)")
               << '\n';
  return S->Stacks.empty() || S->LostBytes ? 2 : 0;
}

int jopt::runSampleVerb(llvm::ArrayRef<const char *> Arguments,
                        DiagnosticEngine &Diags) {
  auto Fail = [&](Error E) {
    Diags.report(std::move(E));
    return 1;
  };
  auto R = readSampleRequest(Arguments);
  if (!R)
    return Fail(R.takeError());
  auto Status = carryOut(*R, titleOf(Arguments));
  return Status ? *Status : Fail(Status.takeError());
}
