//===- ClassRunner.cpp - Applies a pipeline to a class --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runner. A failing method is harmless: until it is lowered a method's
/// bytes stay where they were, and its Body is thrown away; the pool is cut
/// back to where the attempt began, as nobody else grew it since. So a method
/// that outgrew a limit can have another attempt, in which its advices go into
/// methods of their own; those are part of the attempt.
///
//===----------------------------------------------------------------------===//

#include "ActivePasses.h"
#include "ClassRows.h"
#include "Optimize/RemarkLimits.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Passes/ClassServices.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Statistics.h"
#include "jopt/Writer/ClassWriter.h"
#include "jopt/Writer/TrimPool.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;

JOPT_STATISTIC(NumLowered, "pass-manager", "lowered", "Methods lowered");
JOPT_STATISTIC(NumLiftedAfterAll, "pass-manager", "lifted-after-all",
               "Methods lifted after all, as patched bodies did not do");
JOPT_STATISTIC(NumFailed, "pass-manager", "left-alone",
               "Methods put back after a failure");
JOPT_STATISTIC(NumOptimized, "optimizer", "methods", "Methods optimised");
JOPT_STATISTIC(NumKept, "optimizer", "kept",
               "Methods kept as they were, as optimising made them no better");
JOPT_STATISTIC(NumBytesSaved, "optimizer", "bytes",
               "Bytes of code less in optimised methods");
JOPT_STATISTIC(NumOutlined, "pass-manager", "outlined",
               "Methods made for the advices of methods that were too large");

/// Bytes of code that are lifted in one go. Lifting and all that comes after
/// do not fit into the instruction cache together, and bodies of more code not
/// into the other.
static constexpr size_t Chunk = 1024;

namespace {

class ClassRunner {
public:
  ClassRunner(const Pipeline &P, ClassFile &F, const RunOptions &O,
              MakeServices Make)
      : P(P), F(F), O(O), PI(listened(O.Instrumentation)), C(F, PI, &Now),
        Editor(C, O.Schema),
        Services(Make ? Make(C, Editor) : std::make_unique<ClassServices>()),
        Elements(C, *Services, Editor, PI) {
    C.setDebugTables(O.Debug);
    C.add(Elements);
    Now.MayOutline =
        O.Oversize == OversizePolicy::Outline && cannotOutline() == nullptr;
  }

  llvm::Expected<ClassResult> run();

private:
  /// \p PI, or null if it has no callbacks. They would be looked for before and
  /// after each pass of each unit.
  static const PassInstrumentation *listened(const PassInstrumentation *PI) {
    return PI && !PI->empty() ? PI : nullptr;
  }

  /// The state of a method before the attempt.
  struct Before {
    bool IsKnown = false;
    llvm::ArrayRef<Attribute> Attributes; ///< live as long as the class
    bool Changed = false;
    bool HadBody = false;
    bool HasFailed = false; ///< it was put back
    bool IsPatched = false; ///< in the last attempt
  };

  void save(const Method &M) {
    Before &B = saved(M);
    if (std::exchange(B.IsKnown, true))
      return;
    B.Attributes = llvm::ArrayRef(M.Attributes).copy(F.allocator());
    B.Changed = M.Changed;
    B.HadBody = M.IR && !C.wasLifted(M);
  }
  /// There is one. A deque has to divide for its size.
  size_t numMethods() const { return F.Methods.back().Number + size_t(1); }
  Before &saved(const Method &M) {
    if (M.Number >= Saved.size())
      Saved.resize(F.Methods.size());
    return Saved[M.Number];
  }
  /// Of the code; 0 if there was none.
  unsigned oldSize(const Method &M) {
    return CodeSize::of(F.Pool, saved(M).Attributes).Code;
  }
  bool hasFailed(const Method &M) const {
    return M.Number < Saved.size() && Saved[M.Number].HasFailed;
  }
  /// The code of \p M that may stay raw for all elements from \p First to
  /// \p End that want it; nothing if none does. Methods that are kept as IR are
  /// lifted all the same, but for text that has raw code.
  std::optional<KeepRaw> mayStayRaw(const Method &M, size_t First, size_t End);
  size_t liftAhead(Method &M, size_t First, size_t End);
  llvm::Error runOnMethod(Method &M, size_t First, size_t End);
  llvm::Error runPasses(Method &M, size_t First, size_t End);
  llvm::Error runOnClass(const Pipeline::Element &E);
  llvm::Error finish(Method &M);
  llvm::Error lower(Method &M);
  llvm::Error checkSize(Method &M, unsigned Old);
  llvm::Error crossed(Method &M, unsigned Old, unsigned New);
  /// The state of the class before an attempt on a method.
  struct Start {
    ConstantPool::Mark Pool;
    size_t NumMethods;
    unsigned NumBootstrapMethods;
    bool Changed;
  };
  Start begin() const {
    return {F.Pool.mark(), numMethods(), F.numAddedBootstrapMethods(),
            F.Changed};
  }
  void undo(Method &M, const Start &T);
  llvm::Error attempt(Method &M, llvm::function_ref<llvm::Error()> Work);
  llvm::Error work(Method &M, size_t First, size_t End);
  llvm::Error outline(Method &M, const Start &T, llvm::Error E);
  llvm::Error keepBetter(Method &M, const Start &T, size_t First, size_t End,
                         llvm::Error E);
  llvm::Error optimizeOverLimit(Method &M, const Start &T, size_t First,
                                size_t End);
  void remarkSizes();
  llvm::Error workPlainly(Method &M, const Start &T, size_t First, size_t End);
  llvm::Error doRequired(Method &M, const Start &T, llvm::Error E);
  void reportOutlined(const Method &M, const Start &T, unsigned Old);
  unsigned codeSize(const Method &M) const {
    return unsigned(M.code(F.Pool).size());
  }
  const char *cannotOutline() const;
  const char *cannotOutline(const Method &M);
  llvm::Error fail(Method &M, const Start &T, llvm::Error E);
  void announce(const PassInfo &I, Method *M);
  llvm::Error conclude(const PassInfo &I, Method *M, bool Changed) {
    if (!PI && !F.Pool.overflowed())
      return llvm::Error::success();
    return tellEnd(I, M, Changed);
  }
  llvm::Error tellEnd(const PassInfo &I, Method *M, bool Changed);
  void phase(llvm::StringRef Name, bool Begins);
  llvm::Error checkPool();

  const Pipeline &P;
  ClassFile &F;
  const bool IsText = F.Original.empty(); ///< the class comes from text
  const RunOptions &O;
  const PassInstrumentation *const PI; ///< null: nobody listens
  Attempt Now;                         ///< of the method at work
  PassContext C;
  ClassEditor Editor;
  const std::unique_ptr<ClassServices> Services;
  ActivePasses Elements;
  std::vector<Before> Saved; ///< by Method::Number
  bool KeepsLimits = false;  ///< an attempt exceeded one for nothing
  /// What passes changed the method at work.
  struct {
    bool Optimized = false; ///< some that optimise
    bool Rewritten = false; ///< others
  } Did;
  /// The size of the code at work.
  struct {
    /// The limit that the code just made exceeds.
    enum { No, ForHotSpot, ForTheJVM } Outgrown = No;
    bool AcceptsOversize = true; ///< too large for HotSpot only is no error
    /// Why the method at work is not outlined after all.
    std::vector<Diagnostic> NotOutlined;
  } Size;
};

} // namespace

void ClassRunner::phase(llvm::StringRef Name, bool Begins) {
  if (PI)
    for (const auto &Callback : PI->OnPhase)
      Callback(Name, Begins);
}

void ClassRunner::announce(const PassInfo &I, Method *M) {
  C.setPass(&I);
  if (PI)
    for (const auto &Callback : PI->BeforePass)
      Callback(I, F, M);
}

llvm::Error ClassRunner::tellEnd(const PassInfo &I, Method *M, bool Changed) {
  if (llvm::Error E = checkPool())
    return E;
  for (const auto &Callback : PI->AfterPass)
    Callback(I, F, M, Changed);
  for (const auto &Callback : PI->CheckPass)
    if (llvm::Error E = Callback(I, F, M))
      return E;
  return llvm::Error::success();
}

llvm::Error ClassRunner::checkPool() {
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return llvm::Error::success();
}

/// Puts \p M back, and removes what else the attempt made.
void ClassRunner::undo(Method &M, const Start &T) {
  Editor.dropMethods(T.NumMethods);
  const Before &B = saved(M);
  Elements.forget();
  C.withdraw(M);
  M.IR.reset();
  M.Attributes.assign(B.Attributes.begin(), B.Attributes.end());
  M.Changed = B.Changed;
  F.dropBootstrapMethods(T.NumBootstrapMethods);
  F.Changed = T.Changed;
  F.Pool.rollback(T.Pool);
  Services->undo(M);
}

/// Gives \p M up. Fails itself where there is nothing to go back to.
llvm::Error ClassRunner::fail(Method &M, const Start &T, llvm::Error E) {
  if (saved(M).HadBody || Editor.isRequired(M))
    return llvm::handleErrors(std::move(E), [&](DiagnosticError &Of) {
      Diagnostic D = Of.diagnostic();
      D.Method = F.displayName(M);
      return llvm::make_error<DiagnosticError>(std::move(D));
    });
  undo(M, T);
  saved(M).HasFailed = true;
  ++NumFailed;

  std::vector<Diagnostic> Reasons = toDiagnostics(std::move(E));
  C.remark(M, "left as it was: " + toMessage(Reasons));
  C.report(M, ReportRow::problem(ReportRow::LeftAlone, std::move(Reasons)));
  return llvm::Error::success();
}

llvm::Error ClassRunner::attempt(Method &M,
                                 llvm::function_ref<llvm::Error()> Work) {
  Start T = begin();
  llvm::Error E = Work();
  return E ? fail(M, T, std::move(E)) : llvm::Error::success();
}

std::optional<KeepRaw> ClassRunner::mayStayRaw(const Method &M, size_t First,
                                               size_t End) {
  std::optional<KeepRaw> Raw;
  const bool AllLifted = !M.IR && O.KeepIR;
  for (size_t I = First; I < End; ++I)
    if (Elements.wants(I, M))
      Raw = std::min(Raw.value_or(KeepRaw::Straight),
                     AllLifted ? KeepRaw::No : Elements[I].Info->Raw);
  return Raw;
}

llvm::Error ClassRunner::runPasses(Method &M, size_t First, size_t End) {
  size_t Changed = First; // the last that changed something
  for (size_t I = First; I < End; ++I) {
    const Pipeline::Element &E = Elements[I];
    if ((Now.IsPlain && E.Info->Optimizes) || !Elements.wants(I, M) ||
        Elements.isRepeated(I, Changed) || !Elements.mayRun(*E.Info, &M))
      continue;
    if (M.IR && M.IR->Patch) {
      if (!E.Info->TakesPatched && !C.isPatcher(*E.Info))
        return makeError(E.Info->Argument + " takes no patched bodies");
    } else if (!M.IR || M.IR->Raw != KeepRaw::No) {
      if (llvm::Error Err = C.lift(M, *mayStayRaw(M, I, End)).takeError())
        return Err;
    }
    announce(*E.Info, &M);
    llvm::Expected<PreservedAnalyses> PA = E.Pass.run(*M.IR, C);
    if (!PA)
      return PA.takeError();
    if (PA->changed()) {
      Changed = I;
      M.Changed = true;
      (E.Info->Optimizes ? Did.Optimized : Did.Rewritten) = true;
      C.invalidate(*M.IR, *PA);
    }
    if (llvm::Error Err = conclude(*E.Info, &M, PA->changed()))
      return Err;
  }
  return llvm::Error::success();
}

/// Lifts \p M before its attempt, if it will have one; returns how much code it
/// has then. If that fails, the attempt will fail with the error.
size_t ClassRunner::liftAhead(Method &M, size_t First, size_t End) {
  if (M.IR)
    return 0;
  const std::optional<KeepRaw> Raw = mayStayRaw(M, First, End);
  if (!Raw)
    return 0;
  llvm::consumeError(C.lift(M, *Raw).takeError());
  return codeSize(M);
}

llvm::Error ClassRunner::runOnMethod(Method &M, size_t First, size_t End) {
  if (hasFailed(M))
    return llvm::Error::success();
  Start T = begin();
  Size.AcceptsOversize = O.Oversize == OversizePolicy::Report;
  // A body from text has no other code.
  const bool MayLift = M.IR && M.IR->Patch && !(IsText && M.IR->OwnPatch);
  llvm::Error E = work(M, First, End);
  if (Did.Optimized && !O.KeepIR)
    E = keepBetter(M, T, First, End, std::move(E));
  else if (!E && O.OptimizesOverLimits)
    E = optimizeOverLimit(M, T, First, End);
  // Lift the method: either that reports the real error, or it works.
  if (E && MayLift && Size.Outgrown != Size.ForHotSpot) {
    C.remark(M, "lifted, as its code cannot be patched: " +
                    toMessage(std::move(E)));
    undo(M, T);
    ++NumLiftedAfterAll;
    E = work(M, First, End);
  }
  if (E && O.Oversize == OversizePolicy::Outline && Size.Outgrown != Size.No)
    E = outline(M, T, std::move(E));
  if (E && Editor.isRequired(M))
    E = doRequired(M, T, std::move(E));
  return E ? fail(M, T, std::move(E)) : llvm::Error::success();
}

/// \p M was woven without optimising. If that brought it over a limit of
/// HotSpot, another attempt optimises it.
llvm::Error ClassRunner::optimizeOverLimit(Method &M, const Start &T,
                                           size_t First, size_t End) {
  const unsigned Old = oldSize(M);
  if (M.IR || !M.Changed || !Old || !outgrowsLimit(Old, codeSize(M)))
    return llvm::Error::success();
  undo(M, T);
  Elements.skipOptimizing(false);
  Now.Remarks = Attempt::OfOptimizing;
  llvm::Error E = work(M, First, End);
  Now.Remarks = Attempt::OfAll;
  if (Did.Optimized)
    E = keepBetter(M, T, First, End, std::move(E));
  Elements.skipOptimizing(true);
  return E;
}

/// Remarks about the methods that are on another side of a limit now.
void ClassRunner::remarkSizes() {
  C.setPass(Editor.limitPass());
  for (const Method &M : F.Methods)
    if (unsigned Old = M.Changed ? oldSize(M) : 0)
      remarkLimits(C, M, Old, codeSize(M));
}

/// An attempt on \p M without optimising.
llvm::Error ClassRunner::workPlainly(Method &M, const Start &T, size_t First,
                                     size_t End) {
  undo(M, T);
  Now.IsPlain = true;
  Now.Remarks = Attempt::OfNone;
  llvm::Error E = work(M, First, End);
  Now.Remarks = Attempt::OfAll;
  Now.IsPlain = false;
  return E;
}

/// \p M was optimised with the result \p E. Puts it back if that failed, or
/// made it larger than it is without. Where other passes change it too, this
/// takes attempts. If they exceeded a limit for nothing, they first keep to it.
llvm::Error ClassRunner::keepBetter(Method &M, const Start &T, size_t First,
                                    size_t End, llvm::Error E) {
  if (saved(M).HadBody || (!E && M.IR))
    return E; // there is nothing to compare it with, or it is not lowered yet
  const bool Rewritten = Did.Rewritten, Exceeded = C.takeExceeds();
  CodeSize New = E ? CodeSize() : CodeSize::of(F.Pool, M.Attributes);
  CodeSize Old = CodeSize::of(F.Pool, saved(M).Attributes);
  bool IsPlain = false;
  if (!E && Rewritten) {
    if (llvm::Error Plain = workPlainly(M, T, First, End))
      return Plain;
    Old = CodeSize::of(F.Pool, M.Attributes);
    IsPlain = true;
  }
  if (!E && IsPlain && Exceeded && !New.isNoLargerThan(Old)) {
    C.missed(M, "kept within HotSpot's limits: " + New.against(Old));
    undo(M, T);
    KeepsLimits = true;
    E = work(M, First, End);
    KeepsLimits = false;
    New = E ? CodeSize() : CodeSize::of(F.Pool, M.Attributes);
    IsPlain = false;
  }
  if (!E && New.isNoLargerThan(Old)) {
    if (New.Code < Old.Code || New.WithTables < Old.WithTables)
      ++NumOptimized;
    NumBytesSaved += Old.Code - New.Code;
    if (!IsPlain)
      return E;
    undo(M, T);
    Now.Remarks = Attempt::OfNone;
    E = work(M, First, End);
    Now.Remarks = Attempt::OfAll;
    return E;
  }
  ++NumKept;
  const std::string Why = E ? toMessage(std::move(E)) : New.against(Old);
  if (!IsPlain)
    E = workPlainly(M, T, First, End);
  C.missed(M, "not optimised, as that would make it worse: " + Why);
  return E;
}

/// One attempt on \p M: the passes, and what they end in.
llvm::Error ClassRunner::work(Method &M, size_t First, size_t End) {
  Size.Outgrown = Size.No;
  Did = {};
  Now.JudgesLater = Elements.optimizes() && !Now.IsPlain && !KeepsLimits;
  C.takeExceeds();
  save(M);
  if (IsText && M.IR && M.IR->OwnPatch &&
      !Services->adopt(M, Elements, First, End))
    return makeError("its advices need a lifted body");
  const size_t NumMethods = numMethods();
  if (llvm::Error E = runPasses(M, First, End))
    return E;
  // Nothing but method passes follows: the body can go while it is in the
  // cache.
  if (End != Elements.size())
    return llvm::Error::success();
  for (size_t I = NumMethods; I < numMethods(); ++I) {
    Method &Made = F.Methods[I];
    if (llvm::Error E = runPasses(Made, First, End))
      return E;
    save(Made);
    if (llvm::Error E = finish(Made))
      return E;
  }
  return finish(M);
}

/// Why advices cannot be in methods of their own; null if they can.
const char *ClassRunner::cannotOutline() const {
  if (P.hasClassPass())
    return "the pipeline has passes over whole classes";
  if (F.isInterface() && F.Major < 52)
    return "an interface can have no private method before version 52";
  if (Editor.keepsSchema())
    return "the schema of the class must stay as it is";
  return nullptr;
}

/// The same for those of \p M.
const char *ClassRunner::cannotOutline(const Method &M) {
  return saved(M).HadBody ? "it is not from a class file" : cannotOutline();
}

/// A row for the methods that were made since \p T for the advices of \p M.
void ClassRunner::reportOutlined(const Method &M, const Start &T,
                                 unsigned Old) {
  ReportRow Row;
  Row.Count = unsigned(F.Methods.size() - T.NumMethods);
  if (!Row.Count)
    return;
  NumOutlined += Row.Count;
  Row.What = ReportRow::Outlined;
  Row.OldSize = Old;
  Row.NewSize = codeSize(M);
  C.remark(M, "the code of its advices is in " + llvm::Twine(Row.Count) +
                  " methods of its own");
  C.report(M, std::move(Row));
}

/// Another attempt on \p M, which outgrew a limit, with its advices in methods
/// of their own.
llvm::Error ClassRunner::outline(Method &M, const Start &T, llvm::Error E) {
  if (const char *Why = cannotOutline(M))
    return makeError(toMessage(std::move(E)) + "; it is not outlined, as " +
                     Why);
  const bool Runs = Size.Outgrown == Size.ForHotSpot;
  llvm::consumeError(std::move(E));
  undo(M, T);
  const unsigned Old = codeSize(M);
  Size.AcceptsOversize = true;
  Now.Which = Attempt::Outline;
  E = work(M, 0, Elements.size());
  if (E && Runs) {
    undo(M, T);
    Size.NotOutlined = toDiagnostics(std::move(E));
    Now.Which = Attempt::Again;
    E = work(M, 0, Elements.size());
    Size.NotOutlined.clear();
  }
  Now.Which = Attempt::First;
  if (!E)
    reportOutlined(M, T, Old);
  return E;
}

/// Another attempt on \p M, whose advices \p E keeps out, with nothing but what
/// its class needs.
llvm::Error ClassRunner::doRequired(Method &M, const Start &T, llvm::Error E) {
  if (P.hasClassPass() || saved(M).HadBody)
    return E;
  undo(M, T);
  std::string Reason = "only what makes its static fields, no other advices: " +
                       toMessage(std::move(E));
  const unsigned Old = codeSize(M);
  Size.AcceptsOversize = true;
  Now.Which = Attempt::Required;
  E = work(M, 0, Elements.size());
  Now.Which = Attempt::First;
  if (E)
    return E;
  reportOutlined(M, T, Old);
  C.remark(M, Reason);
  C.report(M, ReportRow::problem(ReportRow::Undone, std::move(Reason)));
  return llvm::Error::success();
}

llvm::Error ClassRunner::runOnClass(const Pipeline::Element &E) {
  if (!Elements.mayRun(*E.Info, nullptr))
    return llvm::Error::success();
  announce(*E.Info, nullptr);
  llvm::Expected<PreservedAnalyses> PA = E.Pass.run(F, C);
  if (!PA)
    return PA.takeError();
  if (PA->changed())
    for (Method &M : F.Methods)
      if (M.IR)
        C.invalidate(*M.IR, *PA);
  return conclude(*E.Info, nullptr, PA->changed());
}

/// Drops the body of a method that was lifted and not changed, lowers any
/// other. \p M has been saved.
llvm::Error ClassRunner::finish(Method &M) {
  if (!M.IR || O.KeepIR)
    return llvm::Error::success();
  C.setPass(nullptr);
  C.invalidate(*M.IR, PreservedAnalyses::none());
  if (C.wasLifted(M) && !M.Changed) {
    M.IR.reset();
    return llvm::Error::success();
  }
  return lower(M);
}

llvm::Error ClassRunner::lower(Method &M) {
  const bool IsPatched = M.IR->Patch != nullptr;
  saved(M).IsPatched = IsPatched;
  const unsigned Old = IsPatched ? M.IR->OriginalCodeLength : codeSize(M);
  phase("lower", true);
  llvm::Error E = lowerMethod(F, M);
  phase("lower", false);
  if (E) {
    Size.Outgrown = Size.ForTheJVM;
    return E;
  }
  ++NumLowered;
  if (F.Pool.overflowed())
    return checkPool();
  return Old ? checkSize(M, Old) : llvm::Error::success();
}

inline llvm::Error ClassRunner::checkSize(Method &M, unsigned Old) {
  // Most are so short that there is no need to look for their code.
  if (llvm::all_of(M.Attributes, [](const Attribute &A) {
        return A.Data.size() <= hotspot::FreqInlineSize;
      }))
    return llvm::Error::success();
  const unsigned New = codeSize(M);
  return outgrows(hotspot::FreqInlineSize, Old, New) ||
                 outgrows(hotspot::HugeMethodLimit, Old, New)
             ? crossed(M, Old, New)
             : llvm::Error::success();
}

/// The code of \p M outgrew a limit of HotSpot.
llvm::Error ClassRunner::crossed(Method &M, unsigned Old, unsigned New) {
  ReportRow Row;
  Row.OldSize = Old;
  Row.NewSize = New;
  if (outgrows(hotspot::HugeMethodLimit, Old, New)) {
    Row.Reasons = Size.NotOutlined;
    if (O.Oversize == OversizePolicy::Outline && !Size.AcceptsOversize &&
        Size.NotOutlined.empty())
      if (const char *Why = cannotOutline(M))
        Row.Reasons = toDiagnostics(makeError(Why));
    if (!Size.AcceptsOversize && Row.Reasons.empty()) {
      Size.Outgrown = Size.ForHotSpot;
      return makeError(
          llvm::formatv(
              "its code would grow from {0} to {1} bytes, and HotSpot "
              "compiles none over {2:N}",
              Old, New, hotspot::HugeMethodLimit)
              .str());
    }
    Row.What = ReportRow::CrossedOversize;
  } else {
    Row.What = ReportRow::CrossedInline;
  }
  C.report(M, std::move(Row));
  return llvm::Error::success();
}

llvm::Expected<ClassResult> ClassRunner::run() {
  if (IsText)
    if (llvm::Error E = notePatchFacts(F))
      return E;
  // A class pass would look into the bodies, and so does who keeps them.
  ConstantPool::Mark Start = F.Pool.mark();
  Elements.begin(P);
  Elements.skipOptimizing(O.OptimizesOverLimits);
  if (llvm::Error E = checkPool())
    return E;
  for (size_t I = 0; I < Elements.size();) {
    if (!Elements[I].Pass.isMethodPass()) {
      if (llvm::Error E = runOnClass(Elements[I++]))
        return E;
      continue;
    }
    size_t End = I;
    while (End < Elements.size() && Elements[End].Pass.isMethodPass())
      ++End;
    // Methods added while one is at work are part of its attempt.
    const size_t NumMethods = F.Methods.size();
    auto MayPatch = [&, Patches = !O.KeepIR && !P.hasClassPass()](Method &M) {
      return Patches && !M.IR && Services->mayPatch(M, Elements, I, End);
    };
    for (size_t M = 0, Ahead = 0; M < NumMethods; ++M) {
      Method &Of = F.Methods[M];
      if (!Elements.mayWant(Of, I, End)) {
        Ahead = std::max(Ahead, M + 1);
        continue;
      }
      if (Ahead == M) {
        ++Ahead;
        // There is one patched body at a time: it is not made ahead.
        size_t Code = 0;
        if (!MayPatch(Of) || !Services->patch(Of))
          Code = liftAhead(Of, I, End);
        while (Code && Code < Chunk && Ahead < NumMethods &&
               !MayPatch(F.Methods[Ahead]))
          Code += liftAhead(F.Methods[Ahead++], I, End);
      }
      if (llvm::Error E = runOnMethod(Of, I, End))
        return E;
    }
    I = End;
  }
  // Bodies that class passes lifted or left, and text that no pass saw.
  Size.AcceptsOversize = O.Oversize != OversizePolicy::Skip;
  for (Method &M : F.Methods) {
    if (!M.IR)
      continue;
    save(M);
    if (llvm::Error E = attempt(M, [&] { return finish(M); }))
      return E;
  }

  Editor.finish();
  if (PI && Editor.limitPass())
    remarkSizes();
  if (Editor.trimsPool())
    trimPool(F);
  ClassResult R;
  R.EncodeAll = Editor.encodesAll();
  R.CollectPool = Editor.collectsPool();
  R.MethodsLifted = C.numLifted();
  bool Changed = F.Changed || llvm::any_of(F.Fields, [](const Field &Fd) {
                   return Fd.Changed;
                 });
  R.Patched.resize(unsigned(F.Methods.size()));
  for (const Method &M : F.Methods) {
    R.MethodsChanged += M.Changed;
    if (M.Changed && saved(M).IsPatched)
      R.Patched.set(M.Number);
  }
  Services->takeResult(R);
  takeRows(C, O.ReportDetails, R);
  // Entries that only failed methods asked for would be all that is new.
  if (!Changed && !R.MethodsChanged)
    F.Pool.rollback(Start);
  return R;
}

llvm::Expected<ClassResult> jopt::runPipeline(const Pipeline &P, ClassFile &F,
                                              const RunOptions &O,
                                              MakeServices Make) {
  return ClassRunner(P, F, O, Make).run();
}
