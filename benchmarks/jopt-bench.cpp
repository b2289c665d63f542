//===- jopt-bench.cpp - Throughput in memory ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a pipeline over all classes of the inputs, which are held in memory, on
/// one thread, and prints megabytes of class file per second: the figure that
/// benchmarks/run.py sets beside its peers'.
///
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Matcher.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Passes/AdviceRun.h"
#include "jopt/Probes/LoadProbes.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

using namespace jopt;
namespace cl = llvm::cl;

static cl::list<std::string> Inputs(cl::Positional, cl::OneOrMore,
                                    cl::desc("INPUT..."));
static cl::opt<std::string> Work(
    "work", cl::init("identity"),
    cl::desc("identity, relower, O1, O2, probes (entry and exit of every "
             "method), "
             "args (the same with name, arguments and a kept value), "
             "probes1pct (of toString methods), all (every kind of fragment "
             "everywhere), or ready (the probes of -probes=)"));
static cl::opt<bool> Patch("patch", cl::init(true),
                           cl::desc("Patch methods where that can be"));
static cl::opt<bool> Report("report", cl::init(false),
                            cl::desc("Note where advices are, as the agent "
                                     "does"));
static cl::list<std::string> Probes("probes", cl::CommaSeparated,
                                    cl::desc("Compiled probes for -work=ready"),
                                    cl::value_desc("FILE"));
static cl::opt<unsigned> Repeat("repeat", cl::init(5),
                                cl::desc("Timed rounds after one warm-up"));

namespace {
class Loader : public ContainerClient {
public:
  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override {
    Classes[E.Ordinal].assign(Data.begin(), Data.end());
    return EntryResult::unchanged();
  }
  std::map<uint64_t, llvm::SmallVector<uint8_t, 0>> Classes;
};

struct Totals {
  size_t Out = 0, Methods = 0, Changed = 0, Failed = 0;
};
} // namespace

/// Every kind of fragment on every method and at every call, as a probe file
/// would have them, with the data items that are most used.
static AdviceSet allFragments() {
  AdviceSet A;
  using K = AdviceKind;
  using D = DataItem;
  auto Add = [&](K Kind, const char *Name, const char *Descriptor,
                 std::vector<DataUse> Data) {
    Advice Ad;
    Ad.Kind = Kind;
    Ad.Probe = unsigned(A.Probes.size()) - 1;
    Ad.Body = {"bench/Probe", Name, Descriptor};
    Ad.Data = std::move(Data);
    A.Advices.push_back(Ad);
  };
  for (const char *Name : {"methods", "calls"}) {
    Probe P;
    P.Name = Name;
    P.Rules.emplace_back();
    A.Probes.push_back(P);
    if (A.Probes.size() == 2)
      break;
    Add(K::Entry, "entry", "(Ljava/lang/String;)V", {D::MethodName});
    Add(K::Exit, "exit", "(Ljava/lang/Throwable;)V", {D::ExceptionObject});
    Add(K::Handler, "caught", "(Ljava/lang/Throwable;)V", {D::ExceptionObject});
    Add(K::Unit, "unit", "(I)V", {D::UnitNumber});
    Add(K::StaticInitializer, "init", "(Ljava/lang/String;)V", {D::ClassName});
  }
  Add(K::BeforeCall, "before", "(Ljava/lang/String;)V", {D::MethodName});
  Add(K::AfterCall, "after", "(Ljava/lang/Throwable;)V", {D::ExceptionObject});
  return A;
}

static AdviceSet entryAndExit(llvm::StringRef Method) {
  AdviceSet A;
  Probe P;
  P.Name = "bench";
  TargetRule Selected, Rest;
  Selected.Method = Method.str();
  Rest.Include = false;
  P.Rules = {Selected, Rest};
  A.Probes.push_back(P);
  for (AdviceKind K : {AdviceKind::Entry, AdviceKind::Exit}) {
    Advice Ad;
    Ad.Kind = K;
    Ad.Body = {"bench/Probe", K == AdviceKind::Entry ? "enter" : "leave",
               "()V"};
    A.Advices.push_back(Ad);
  }
  return A;
}

/// The same, given the name, the arguments, and what the entry returned.
static AdviceSet withArguments(AdviceSet A) {
  using D = DataItem;
  Advice &Entry = A.Advices[0], &Exit = A.Advices[1];
  Entry.Body.Descriptor = "(Ljava/lang/String;[Ljava/lang/Object;)J";
  Entry.Data = {D::MethodName, D::Args};
  Entry.Result = ResultUse::Keep;
  Exit.Body.Descriptor = "([Ljava/lang/Object;J)V";
  Exit.Data = {D::Args, D::Kept};
  return A;
}

static Totals round(const Loader &L, const Pipeline &P,
                    const AdviceRunOptions &RO) {
  Totals T;
  for (const auto &[Ordinal, Data] : L.Classes) {
    auto Class = readClass(Data);
    if (!Class) {
      llvm::consumeError(Class.takeError());
      ++T.Failed;
      continue;
    }
    T.Methods += (*Class)->Methods.size();
    auto Ran = runWithAdvices(P, **Class, RO);
    if (!Ran) {
      llvm::consumeError(Ran.takeError());
      ++T.Failed;
      continue;
    }
    T.Changed += Ran->MethodsChanged;
    WriteOptions WO;
    WO.EncodeAll = Ran->EncodeAll;
    auto Out = writeClass(**Class, WO);
    if (!Out) {
      llvm::consumeError(Out.takeError());
      ++T.Failed;
      continue;
    }
    T.Out += Out->size();
  }
  return T;
}

int main(int Argc, char **Argv) {
  cl::ParseCommandLineOptions(Argc, Argv, "jopt's throughput in memory\n");
  llvm::ExitOnError Check("jopt-bench: ");
  InputSet In = Check(InputSet::open(std::vector<std::string>(Inputs)));
  Loader L;
  Check(processInputs(In, L, nullptr, ProcessOptions()));
  size_t InBytes = 0;
  for (const auto &[Ordinal, Data] : L.Classes)
    InBytes += Data.size();

  PassRegistry Registry;
  AdviceSet Advices;
  std::string Text;
  if (Work == "relower") {
    Text = "relower";
  } else if (Work == "O1" || Work == "O2") {
    Text = "default<" + Work + ">";
  } else if (Work == "probes" || Work == "probes1pct") {
    Text = "insert-probes";
    Advices = entryAndExit(Work == "probes" ? "*" : "toString");
  }
  if (Work == "args") {
    Text = "insert-probes";
    Advices = withArguments(entryAndExit("*"));
  }
  if (Work == "all") {
    Text = "insert-probes";
    Advices = allFragments();
  }
  MemoryHierarchy Ancestry;
  if (Work == "ready") {
    Text = "insert-probes";
    DiagnosticEngine Diags([](const Diagnostic &) {});
    Advices = std::move(Check(readProbes(std::vector<std::string>(Probes),
                                         ProbeOptions(), Diags))
                            .Bundle.Advices);
    for (const auto &[Ordinal, Data] : L.Classes)
      llvm::consumeError(Ancestry.addClass(Data));
  }
  Pipeline P = Check(Pipeline::parse(Text, Registry));
  Matcher Match(Advices, RuleCounts::OfIncludes);
  AdviceRunOptions RO;
  RO.ReportDetails = Report;
  RO.Patch = Patch;
  if (!Advices.empty()) {
    RO.Advices = &Advices;
    RO.Match = &Match;
    RO.Ancestry = &Ancestry;
  }
  Totals T = round(L, P, RO);
  std::vector<double> Seconds;
  for (unsigned I = 0; I < Repeat; ++I) {
    auto Start = std::chrono::steady_clock::now();
    T = round(L, P, RO);
    Seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
            .count());
  }
  std::sort(Seconds.begin(), Seconds.end());
  double Median = Seconds[Seconds.size() / 2];
  llvm::outs() << "{\"work\": \"" << Work
               << "\", \"classes\": " << L.Classes.size()
               << ", \"methods\": " << T.Methods
               << ", \"changed\": " << T.Changed << ", \"failed\": " << T.Failed
               << ", \"bytes\": " << InBytes << ", \"out\": " << T.Out
               << ", \"seconds\": " << llvm::format("%.7f", Median)
               << ", \"mb_per_s\": "
               << llvm::format("%.1f", InBytes / 1e6 / Median) << "}\n";
  return T.Failed != 0;
}
