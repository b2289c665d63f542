//===- StandardInstrumentations.cpp - print-after... ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/StandardInstrumentations.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/Support/LineDiff.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include <algorithm>
#include <chrono>

using namespace jopt;
using Clock = std::chrono::steady_clock;

/// When the pass or phase that runs on this thread began. Passes do not nest;
/// lifting may happen inside a class pass.
static thread_local Clock::time_point PassBegan, PhaseBegan;
/// The unit before that pass, for a diff.
static thread_local std::string TextBefore;

struct StandardInstrumentations::State {
  State(llvm::raw_ostream &OS, DiagnosticEngine &Diags)
      : OS(OS), Diags(Diags) {}

  std::string unitText(const ClassFile &F, const Method *M) const;
  void print(llvm::StringRef When, const PassInfo &I, ClassFile &F, Method *M);
  void printDiff(const PassInfo &I, ClassFile &F, Method *M);
  bool mayRun(const PassInfo &I, const ClassFile &F, const Method *M);
  void addTime(llvm::StringRef Name, Clock::time_point Began);

  llvm::raw_ostream &OS;
  DiagnosticEngine &Diags;
  std::mutex Lock; ///< of OS, Times and Executions
  llvm::StringSet<> Before, After;
  llvm::Regex Remarks, Missed; ///< of passes; not valid: of none
  struct Time {
    Clock::duration Wall{};
    uint64_t Runs = 0;
  };
  llvm::StringMap<Time> Times;
  std::vector<std::string> FilterMethods;
  bool ClassScope = false; ///< texts are of classes, never of methods
  int64_t BisectLimit = -1, Executions = 0;
};

static std::string unitName(const ClassFile &F, const Method *M) {
  return M ? F.displayName(*M) : toDisplayUTF8(F.name());
}

std::string StandardInstrumentations::State::unitText(const ClassFile &F,
                                                      const Method *M) const {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  if (M && !ClassScope)
    printMethod(F, *M, Stream);
  else
    printClass(F, Stream);
  return Text;
}

/// A heading and the unit's IR, in one piece.
void StandardInstrumentations::State::print(llvm::StringRef When,
                                            const PassInfo &I, ClassFile &F,
                                            Method *M) {
  std::string Text = unitText(F, M);
  std::lock_guard<std::mutex> Guard(Lock);
  OS << "; *** IR " << When << ' ' << I.Argument << " on " << unitName(F, M)
     << " ***\n"
     << Text;
}

/// A heading and what changed in the unit's IR, in one piece.
void StandardInstrumentations::State::printDiff(const PassInfo &I, ClassFile &F,
                                                Method *M) {
  std::string Text = unitText(F, M);
  std::lock_guard<std::mutex> Guard(Lock);
  OS << "; *** IR changed by " << I.Argument << " on " << unitName(F, M)
     << " ***\n--- before " << I.Argument << "\n+++ after " << I.Argument
     << '\n';
  printLineDiff(TextBefore, Text, OS);
}

/// Numbers the execution, and says whether it is one of the first.
bool StandardInstrumentations::State::mayRun(const PassInfo &I,
                                             const ClassFile &F,
                                             const Method *M) {
  std::lock_guard<std::mutex> Guard(Lock);
  const bool Runs = ++Executions <= BisectLimit || BisectLimit < 0;
  OS << "BISECT: " << (Runs ? "" : "NOT ") << "running pass (" << Executions
     << ") " << I.Argument << " on " << unitName(F, M) << '\n';
  return Runs;
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

/// The passes see only methods that one of \p Patterns names.
static bool isNamed(llvm::ArrayRef<std::string> Patterns, const ClassFile &F,
                    const Method &M) {
  std::string Name = toDisplayUTF8(F.name()) + "." + toDisplayUTF8(F.name(M));
  std::replace(Name.begin(), Name.end(), '/', '.');
  return llvm::any_of(
      Patterns, [&](const std::string &P) { return matchesWildcard(P, Name); });
}

void StandardInstrumentations::addPrinting(
    const StandardInstrumentationOptions &O, PassInstrumentation &PI) {
  const bool Diff = O.PrintChanged == ChangedText::Diff;
  if (O.PrintBeforeAll || !S->Before.empty() || Diff)
    PI.BeforePass.push_back([S = S.get(), All = O.PrintBeforeAll,
                             Diff](const PassInfo &I, ClassFile &F, Method *M) {
      if (All || S->Before.contains(I.Argument))
        S->print("before", I, F, M);
      if (Diff)
        TextBefore = S->unitText(F, M);
    });
  if (O.PrintAfterAll || O.PrintChanged != ChangedText::None ||
      !S->After.empty())
    PI.AfterPass.push_back(
        [S = S.get(), All = O.PrintAfterAll, What = O.PrintChanged](
            const PassInfo &I, ClassFile &F, Method *M, bool Changed) {
          if (All || (What == ChangedText::Whole && Changed) ||
              S->After.contains(I.Argument))
            S->print("after", I, F, M);
          if (What == ChangedText::Diff && Changed)
            S->printDiff(I, F, M);
        });
}

void StandardInstrumentations::addTiming(PassInstrumentation &PI) {
  // Last before the pass and first after it, so that printing is not timed.
  PI.BeforePass.push_back([](const PassInfo &, ClassFile &, Method *) {
    PassBegan = Clock::now();
  });
  PI.AfterPass.insert(
      PI.AfterPass.begin(),
      [S = S.get()](const PassInfo &I, ClassFile &, Method *, bool) {
        S->addTime(I.Argument, PassBegan);
      });
  PI.OnPhase.push_back([S = S.get()](llvm::StringRef Name, bool Begins) {
    if (Begins)
      PhaseBegan = Clock::now();
    else
      S->addTime(("(" + Name + ")").str(), PhaseBegan);
  });
}

llvm::Error
StandardInstrumentations::addRemarks(const StandardInstrumentationOptions &O,
                                     PassInstrumentation &PI) {
  auto Set = [](llvm::Regex &R, llvm::StringRef Text,
                llvm::StringRef Option) -> llvm::Error {
    std::string Message;
    if (!Text.empty())
      R = llvm::Regex(Text);
    if (!Text.empty() && !R.isValid(Message))
      return makeError("-" + Option + ": " + Message);
    return llvm::Error::success();
  };
  if (llvm::Error E = Set(S->Remarks, O.PassRemarks, "Rpass"))
    return E;
  if (llvm::Error E = Set(S->Missed, O.MissedRemarks, "Rpass-missed"))
    return E;
  PI.OnRemark.push_back([S = S.get()](const Diagnostic &D) {
    const llvm::Regex &R = D.IsMissed ? S->Missed : S->Remarks;
    if (R.isValid() && R.match(D.Pass))
      S->Diags.report(D);
  });
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<StandardInstrumentations>>
StandardInstrumentations::create(const StandardInstrumentationOptions &O,
                                 const PassRegistry &R, PassInstrumentation &PI,
                                 llvm::raw_ostream &OS,
                                 DiagnosticEngine &Diags) {
  std::unique_ptr<StandardInstrumentations> Made(
      new StandardInstrumentations(std::make_unique<State>(OS, Diags)));
  State *S = Made->S.get();
  if (llvm::Error E = addNames(S->Before, O.PrintBefore, R, "print-before"))
    return E;
  if (llvm::Error E = addNames(S->After, O.PrintAfter, R, "print-after"))
    return E;
  Made->addPrinting(O, PI);
  if (O.VerifyEach)
    PI.CheckPass.push_back(verifyUnit);
  if (O.TimePasses)
    Made->addTiming(PI);
  if (!O.PassRemarks.empty() || !O.MissedRemarks.empty())
    if (llvm::Error E = Made->addRemarks(O, PI))
      return E;
  S->FilterMethods = O.FilterMethods;
  S->ClassScope = O.PrintClassScope;
  if (!O.FilterMethods.empty())
    PI.Sees = [S](const ClassFile &F, const Method &M) {
      return isNamed(S->FilterMethods, F, M);
    };
  S->BisectLimit = O.BisectLimit.value_or(-1);
  if (O.BisectLimit)
    PI.MayRun.push_back([S](const PassInfo &I, const ClassFile &F,
                            const Method *M) { return S->mayRun(I, F, M); });
  return Made;
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
