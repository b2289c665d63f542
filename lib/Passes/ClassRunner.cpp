//===- ClassRunner.cpp - Applies a pipeline to a class --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runner. What makes a failing method harmless: until it is lowered a
/// method's bytes stay where they were, and its Body is thrown away; the pool
/// is cut back to where the method's turn began, as nobody else grew it since.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PassManager.h"
#include "jopt/Support/Statistics.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/DenseMap.h"

using namespace jopt;

JOPT_STATISTIC(NumLowered, "pass-manager", "lowered", "Methods lowered");
JOPT_STATISTIC(NumFailed, "pass-manager", "left-alone",
               "Methods put back after a failure");

/// Limits of HotSpot's compilers, in bytes of code.
static constexpr unsigned HugeMethodLimit = 8000, FreqInlineSize = 325;

/// code_length of \p M's Code attribute, 0 if it has none.
static unsigned codeSize(const ClassFile &F, const Method &M) {
  int I = M.codeAttribute(F.Pool);
  if (I < 0 || M.Attributes[I].Data.size() < 8)
    return 0;
  return readU4(M.Attributes[I].Data.data() + 4);
}

namespace jopt {

class ClassRunner {
public:
  ClassRunner(const Pipeline &P, ClassFile &F, const RunOptions &O)
      : P(P), F(F), O(O),
        C(F, O.Advices, O.Match, O.Instrumentation, O.Classes) {
    C.KeepSchema = O.Schema == SchemaPolicy::Keep;
    C.Present = &O.Present;
  }

  llvm::Expected<ClassResult> run();

private:
  /// What a method was before its turn.
  struct Before {
    llvm::SmallVector<Attribute, 2> Attributes;
    bool Changed = false;
    bool HadBody = false;
  };

  void save(const Method &M) {
    Saved.try_emplace(
        &M, Before{M.Attributes, M.Changed, M.IR && !C.Lifted.contains(&M)});
  }
  llvm::Error runOnMethod(Method &M, size_t First, size_t End);
  llvm::Error runPasses(Method &M, size_t First, size_t End);
  llvm::Error runOnClass(const Pipeline::Element &E);
  llvm::Error finish(Method &M);
  llvm::Error lower(Method &M);
  llvm::Error checkSize(Method &M, unsigned Old);
  llvm::Error attempt(Method &M, llvm::function_ref<llvm::Error()> Work);
  llvm::Error fail(Method &M, ConstantPool::Mark Mark, llvm::Error E);
  void announce(const PassInfo &I, Method *M);
  llvm::Error conclude(const PassInfo &I, Method *M, bool Changed);
  void phase(llvm::StringRef Name, bool Begins);
  llvm::Error checkPool();
  void sortRows();

  const Pipeline &P;
  ClassFile &F;
  const RunOptions &O;
  PassContext C;
  llvm::DenseMap<const Method *, Before> Saved;
  llvm::DenseSet<const Method *> Failed;
};

} // namespace jopt

void ClassRunner::phase(llvm::StringRef Name, bool Begins) {
  if (O.Instrumentation)
    for (const auto &Callback : O.Instrumentation->OnPhase)
      Callback(Name, Begins);
}

void ClassRunner::announce(const PassInfo &I, Method *M) {
  C.Current = &I;
  if (O.Instrumentation)
    for (const auto &Callback : O.Instrumentation->BeforePass)
      Callback(I, F, M);
}

llvm::Error ClassRunner::conclude(const PassInfo &I, Method *M, bool Changed) {
  if (llvm::Error E = checkPool())
    return E;
  if (!O.Instrumentation)
    return llvm::Error::success();
  for (const auto &Callback : O.Instrumentation->AfterPass)
    Callback(I, F, M, Changed);
  for (const auto &Callback : O.Instrumentation->CheckPass)
    if (llvm::Error E = Callback(I, F, M))
      return E;
  return llvm::Error::success();
}

llvm::Error ClassRunner::checkPool() {
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return llvm::Error::success();
}

/// Puts \p M back. Fails itself where there is nothing to go back to.
llvm::Error ClassRunner::fail(Method &M, ConstantPool::Mark Mark,
                              llvm::Error E) {
  const Before &B = Saved[&M];
  if (B.HadBody || C.Required.contains(&M))
    return llvm::handleErrors(std::move(E), [&](DiagnosticError &D) {
      return makeError(D.diagnostic().Where,
                       F.displayName(M) + ": " + D.diagnostic().Message);
    });
  if (M.IR)
    C.forget(*M.IR);
  M.IR.reset();
  M.Attributes = B.Attributes;
  M.Changed = B.Changed;
  F.Pool.rollback(Mark);
  Failed.insert(&M);
  ++NumFailed;
  llvm::erase_if(C.Rows, [&](const auto &Row) { return Row.first == &M; });

  std::string Reason;
  llvm::handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &D) {
        Reason += (Reason.empty() ? "" : "; ") + D.diagnostic().Message;
      },
      [&](const llvm::ErrorInfoBase &Other) { Reason += Other.message(); });
  C.remark(M, "left as it was: " + Reason);
  ReportRow Row;
  Row.What = ReportRow::LeftAlone;
  Row.Text = std::move(Reason);
  C.report(M, std::move(Row));
  return llvm::Error::success();
}

llvm::Error ClassRunner::attempt(Method &M,
                                 llvm::function_ref<llvm::Error()> Work) {
  ConstantPool::Mark Mark = F.Pool.mark();
  llvm::Error E = Work();
  return E ? fail(M, Mark, std::move(E)) : llvm::Error::success();
}

llvm::Error ClassRunner::runPasses(Method &M, size_t First, size_t End) {
  for (size_t I = First; I < End; ++I) {
    const Pipeline::Element &E = P.elements()[I];
    C.Current = E.Info;
    if (!E.Pass.wants(M, C))
      continue;
    save(M);
    llvm::Expected<Body &> B = C.lift(M);
    if (!B)
      return B.takeError();
    announce(*E.Info, &M);
    llvm::Expected<PreservedAnalyses> PA = E.Pass.run(*B, C);
    if (!PA)
      return PA.takeError();
    if (PA->changed()) {
      M.Changed = true;
      C.invalidate(*B, *PA);
    }
    if (llvm::Error Err = conclude(*E.Info, &M, PA->changed()))
      return Err;
  }
  return llvm::Error::success();
}

llvm::Error ClassRunner::runOnMethod(Method &M, size_t First, size_t End) {
  if (!M.IR && M.codeAttribute(F.Pool) < 0)
    return llvm::Error::success();
  auto Wants = [&](const Pipeline::Element &E) {
    C.Current = E.Info;
    return E.Pass.wants(M, C);
  };
  if (Failed.contains(&M) ||
      (!M.IR && llvm::none_of(P.elements().slice(First, End - First), Wants)))
    return llvm::Error::success();
  return attempt(M, [&]() -> llvm::Error {
    if (llvm::Error E = runPasses(M, First, End))
      return E;
    // Nothing but method passes follows: the body can go while it is in the
    // cache.
    return End == P.elements().size() ? finish(M) : llvm::Error::success();
  });
}

llvm::Error ClassRunner::runOnClass(const Pipeline::Element &E) {
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
/// other.
llvm::Error ClassRunner::finish(Method &M) {
  if (!M.IR || O.KeepIR)
    return llvm::Error::success();
  save(M);
  C.Current = nullptr;
  C.forget(*M.IR);
  if (C.Lifted.contains(&M) && !M.Changed) {
    M.IR.reset();
    return llvm::Error::success();
  }
  return lower(M);
}

llvm::Error ClassRunner::lower(Method &M) {
  unsigned Old = codeSize(F, M);
  M.Changed = true;
  phase("lower", true);
  llvm::Error E = lowerMethod(F, M);
  phase("lower", false);
  if (E)
    return E;
  ++NumLowered;
  if (llvm::Error Err = checkPool())
    return Err;
  return Old ? checkSize(M, Old) : llvm::Error::success();
}

llvm::Error ClassRunner::checkSize(Method &M, unsigned Old) {
  ReportRow Row;
  Row.OldSize = Old;
  Row.NewSize = codeSize(F, M);
  auto Crosses = [&](unsigned Limit) {
    return Row.OldSize <= Limit && Row.NewSize > Limit;
  };
  if (Crosses(HugeMethodLimit)) {
    if (O.Huge == HugePolicy::Skip)
      return makeError("its code would grow from " + llvm::Twine(Row.OldSize) +
                       " to " + llvm::Twine(Row.NewSize) +
                       " bytes, and HotSpot compiles none over 8,000");
    Row.What = ReportRow::CrossedHuge;
  } else if (Crosses(FreqInlineSize)) {
    Row.What = ReportRow::CrossedInline;
  } else {
    return llvm::Error::success();
  }
  C.report(M, std::move(Row));
  return llvm::Error::success();
}

/// Passes that ran one after the other over the class reported in turns.
void ClassRunner::sortRows() {
  if (C.Rows.size() < 2)
    return;
  llvm::DenseMap<const Method *, size_t> Order;
  for (const Method &M : F.Methods)
    Order.try_emplace(&M, Order.size());
  llvm::stable_sort(C.Rows, [&](const auto &A, const auto &B) {
    return Order.lookup(A.first) < Order.lookup(B.first);
  });
}

llvm::Expected<ClassResult> ClassRunner::run() {
  llvm::ArrayRef<Pipeline::Element> Elements = P.elements();
  ConstantPool::Mark Start = F.Pool.mark();
  for (const Pipeline::Element &E : Elements) {
    C.Current = E.Info;
    E.Pass.begin(C);
  }
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
    for (Method &M : F.Methods)
      if (llvm::Error E = runOnMethod(M, I, End))
        return E;
    I = End;
  }
  // What class passes lifted or left, and text that no pass saw.
  for (Method &M : F.Methods) {
    if (!M.IR)
      continue;
    if (llvm::Error E = attempt(M, [&] { return finish(M); }))
      return E;
  }

  ClassResult R;
  R.EncodeAll = C.EncodeAll;
  R.MethodsLifted = unsigned(C.Lifted.size());
  bool Changed = F.Changed;
  for (const Field &Fd : F.Fields)
    Changed |= Fd.Changed;
  for (const Method &M : F.Methods)
    R.MethodsChanged += M.Changed;
  if (C.Refused.any())
    C.report(C.refusal());
  sortRows();
  for (auto &[Owner, Row] : C.Rows) {
    R.LeftUndone |=
        Row.What == ReportRow::LeftAlone || Row.What == ReportRow::Undone;
    R.Rows.push_back(std::move(Row));
  }
  // Entries that only failed methods asked for would be all that is new.
  if (!Changed && !R.MethodsChanged)
    F.Pool.rollback(Start);
  return R;
}

llvm::Expected<ClassResult> jopt::runPipeline(const Pipeline &P, ClassFile &F,
                                              const RunOptions &O) {
  return ClassRunner(P, F, O).run();
}
