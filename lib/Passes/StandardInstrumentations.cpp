//===- StandardInstrumentations.cpp - print-after... ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/StandardInstrumentations.h"
#include "jopt/IR/Printer.h"
#include "jopt/IR/Verifier.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include <chrono>

using namespace jopt;
using Clock = std::chrono::steady_clock;

/// When the pass or phase that runs on this thread began. Passes do not nest;
/// lifting may happen inside a class pass.
static thread_local Clock::time_point PassBegan, PhaseBegan;

struct StandardInstrumentations::State {
  State(llvm::raw_ostream &OS, DiagnosticEngine &Diags)
      : OS(OS), Diags(Diags) {}

  void print(llvm::StringRef When, const PassInfo &I, ClassFile &F, Method *M);
  void addTime(llvm::StringRef Name, Clock::time_point Began);

  llvm::raw_ostream &OS;
  DiagnosticEngine &Diags;
  std::mutex Lock; ///< of OS and Times
  llvm::StringSet<> Before, After;
  llvm::Regex Remarks;
  struct Time {
    Clock::duration Wall{};
    uint64_t Runs = 0;
  };
  llvm::StringMap<Time> Times;
};

/// A heading and the unit's IR, in one piece.
void StandardInstrumentations::State::print(llvm::StringRef When,
                                            const PassInfo &I, ClassFile &F,
                                            Method *M) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  Stream << "; *** IR " << When << ' ' << I.Argument << " on "
         << (M ? F.displayName(*M) : toDisplayUTF8(F.name())) << " ***\n";
  if (M)
    printMethod(F, *M, Stream);
  else
    printClass(F, Stream);
  std::lock_guard<std::mutex> Guard(Lock);
  OS << Text;
}

void StandardInstrumentations::State::addTime(llvm::StringRef Name,
                                              Clock::time_point Began) {
  Clock::duration Wall = Clock::now() - Began;
  std::lock_guard<std::mutex> Guard(Lock);
  Time &T = Times[Name];
  T.Wall += Wall;
  ++T.Runs;
}

StandardInstrumentations::StandardInstrumentations(std::unique_ptr<State> S)
    : S(std::move(S)) {}
StandardInstrumentations::~StandardInstrumentations() = default;

/// Everything the IR verifier finds in the unit, as one error each.
static llvm::Error verifyUnit(const PassInfo &I, ClassFile &F, Method *M) {
  llvm::Error All = llvm::Error::success();
  for (const IRFinding &Finding : M ? verifyBody(*M->IR) : verifyClassIR(F))
    All = llvm::joinErrors(
        std::move(All),
        makeError("broken IR after " + I.Argument + ": " + Finding.str()));
  return All;
}

static llvm::Error addNames(llvm::StringSet<> &Set,
                            llvm::ArrayRef<std::string> Names,
                            const PassRegistry &R, llvm::StringRef Option) {
  for (const std::string &N : Names) {
    const PassInfo *I = R.find(N);
    if (!I || !I->Pipeline.empty())
      return makeError("-" + Option + ": there is no pass '" + N + "'");
    Set.insert(N);
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<StandardInstrumentations>>
StandardInstrumentations::create(const StandardInstrumentationOptions &O,
                                 const PassRegistry &R, PassInstrumentation &PI,
                                 llvm::raw_ostream &OS,
                                 DiagnosticEngine &Diags) {
  auto Owned = std::make_unique<State>(OS, Diags);
  State *S = Owned.get();
  if (llvm::Error E = addNames(S->Before, O.PrintBefore, R, "print-before"))
    return E;
  if (llvm::Error E = addNames(S->After, O.PrintAfter, R, "print-after"))
    return E;

  if (O.PrintBeforeAll || !S->Before.empty())
    PI.BeforePass.push_back([S, All = O.PrintBeforeAll](
                                const PassInfo &I, ClassFile &F, Method *M) {
      if (All || S->Before.contains(I.Argument))
        S->print("before", I, F, M);
    });
  if (O.PrintAfterAll || O.PrintChanged || !S->After.empty())
    PI.AfterPass.push_back(
        [S, All = O.PrintAfterAll, OnlyChanged = O.PrintChanged](
            const PassInfo &I, ClassFile &F, Method *M, bool Changed) {
          if (All || (OnlyChanged && Changed) || S->After.contains(I.Argument))
            S->print("after", I, F, M);
        });
  if (O.VerifyEach)
    PI.CheckPass.push_back(verifyUnit);
  if (O.TimePasses) {
    // Last before the pass and first after it, so that printing is not timed.
    PI.BeforePass.push_back([](const PassInfo &, ClassFile &, Method *) {
      PassBegan = Clock::now();
    });
    PI.AfterPass.insert(PI.AfterPass.begin(),
                        [S](const PassInfo &I, ClassFile &, Method *, bool) {
                          S->addTime(I.Argument, PassBegan);
                        });
    PI.OnPhase.push_back([S](llvm::StringRef Name, bool Begins) {
      if (Begins)
        PhaseBegan = Clock::now();
      else
        S->addTime(("(" + Name + ")").str(), PhaseBegan);
    });
  }
  if (!O.PassRemarks.empty()) {
    S->Remarks = llvm::Regex(O.PassRemarks);
    std::string Message;
    if (!S->Remarks.isValid(Message))
      return makeError("-pass-remarks: " + Message);
    PI.OnRemark.push_back([S](const Diagnostic &D) {
      if (S->Remarks.match(D.Pass))
        S->Diags.report(D);
    });
  }
  return std::unique_ptr<StandardInstrumentations>(
      new StandardInstrumentations(std::move(Owned)));
}

void StandardInstrumentations::printTimes(llvm::raw_ostream &OS) const {
  std::lock_guard<std::mutex> Guard(S->Lock);
  std::vector<std::pair<Clock::duration, llvm::StringRef>> Rows;
  for (const auto &E : S->Times)
    Rows.push_back({E.second.Wall, E.first()});
  llvm::sort(Rows, [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first > B.first : A.second < B.second;
  });
  if (!Rows.empty())
    OS << "   wall ms        runs  pass\n";
  for (const auto &[Wall, Name] : Rows)
    OS << llvm::format("%10.3f  %10llu  ",
                       std::chrono::duration<double, std::milli>(Wall).count(),
                       (unsigned long long)S->Times.lookup(Name).Runs)
       << Name << '\n';
}
