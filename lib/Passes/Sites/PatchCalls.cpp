//===- PatchCalls.cpp - Units and calls of code that is not lifted --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sites in the middle of code: in front of units, and around calls.
///
//===----------------------------------------------------------------------===//

#include "PatchSites.h"
#include "SelfCoveringHandlers.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

static bool isCall(Opcode Op) {
  return Op >= op::INVOKEVIRTUAL && Op <= op::INVOKEDYNAMIC;
}

/// In front of the instruction \p Step.
static InsertionPoint siteAt(const OriginalStep &Step,
                             InsertionPoint::Purpose For,
                             const SnippetInstance &Code, bool BranchesSkip,
                             bool ReplacesCaught = false) {
  return {Step.BCI, Step.BCI, false,          Code, BranchesSkip,
          false,    For,      ReplacesCaught, -1,   Step.Depth};
}

/// Follows the code of \p S.
static Error followCode(ClassFile &Class, CodePatch &S) {
  return noteSteps(Class, S)
             ? Error::success()
             : makeError("the depth of the operand stack cannot be told");
}

llvm::Expected<unsigned> jopt::patchUnits(Body &F, PassContext &C) {
  auto &Codes = C.get<Snippets>();
  const Snippets::Plan &P = Codes.plan(F.method());
  CodePatch &S = *F.Patch;
  PlacedReport Report(Codes.Advices, P.Probes);
  const size_t NumBefore = S.Sites.size();
  Snippets::Family *Family = &Codes.units(F, P, /*HasThis=*/!S.SuperEnd);
  bool IsEarly = S.SuperEnd != 0;
  if (Error E = followCode(F.classFile(), S))
    return E;
  const bool HasLines = markUnits(F.classFile(), S);
  const bool *const Ends = endsOfUnits();
  unsigned Number = 0;
  bool Begins = true;
  for (const OriginalStep *Step = S.Steps.data(); Step != &S.Steps.back();
       ++Step) {
    const uint32_t BCI = Step->BCI;
    Begins |= (S.Marks[BCI] & CodePatch::Unit) != 0;
    if (!std::exchange(Begins, Ends[Step->Op]))
      continue;
    const std::optional<bool> ReplacesCaught =
        S.Marks[BCI] & CodePatch::Border ? coversItself(S, F.pool(), BCI)
                                         : false;
    if (!ReplacesCaught)
      return makeError("a handler covers its own beginning");
    if (IsEarly && BCI >= S.SuperEnd) {
      IsEarly = false;
      Family = &Codes.units(F, P, /*HasThis=*/true);
    }
    auto Code = Codes.get(F, *Family, Number++);
    if (!Code)
      return Code.takeError();
    // Without lines it is once for an activation.
    S.Sites.push_back(siteAt(*Step, InsertionPoint::Unit, *Code,
                             /*BranchesSkip=*/!HasLines, *ReplacesCaught));
    Report.add(P.at(AdviceKind::Unit), int32_t(BCI));
    if (!HasLines)
      break;
  }
  mergeSites(S, NumBefore);
  Report.report(F.method());
  if (Error E = Codes.makeFront(F, P))
    return E;
  return Number;
}

namespace {

/// Places the advices at the calls of one method.
class CallPatcher {
public:
  CallPatcher(Body &F, PassContext &C)
      : F(F), C(C), S(*F.Patch), Codes(C.get<Snippets>()),
        Advices(C.get<ClassAdvices>()) {}

  llvm::Expected<std::pair<unsigned, unsigned>> run();

private:
  struct Call {
    const OriginalStep *Step;
    unsigned Index; ///< of the pool entry
    uint32_t BCI = Step->BCI, End = Step[1].BCI;
  };
  Error place(const Call &At, Snippets::CallPlan &P);
  void add(const InsertionPoint &New);
  Error cover(const Call &At, Snippets::CallPlan &P);
  Error declare(SyntheticHandler &H, uint32_t BCI);
  void count(const Snippets::CallPlan &P, unsigned Times);
  void noteSites(const Call &At, const Snippets::CallPlan &P, bool IsCovered);

  Body &F;
  PassContext &C;
  CodePatch &S;
  Snippets &Codes;
  ClassAdvices &Advices;
  const InsertionPoint *Before = S.Sites.data(); ///< not in NewSites yet
  unsigned NumCalls = 0, NumHandlers = 0;
  bool LeavesSuper = false;
  PlacedReport Report{Advices};
};

} // namespace

/// Gives the frame of a handler of the call at \p BCI the slots that the
/// handlers around the call declare.
Error CallPatcher::declare(SyntheticHandler &H, uint32_t BCI) {
  const bool HasThis = !isStatic(F.classFile(), F.method());
  const bool IsEarly = BCI < S.SuperEnd;
  H.Declares = !HasThis  ? SyntheticHandler::None
               : IsEarly ? SyntheticHandler::UninitThis
                         : SyntheticHandler::This;
  if (HasThis && !S.KeepsThis)
    return makeError("slot 0 does not keep this");
  if (IsEarly) {
    OriginalTypes Types(F);
    if (!Types.at(BCI) ||
        llvm::count(Types.Locals, Type(Type::UninitThis)) != 1)
      return makeError("another slot holds this, too");
  }
  Type This = Type::Void; // not asked for
  for (const CodeView::Handler &Of : S.Code.Handlers) {
    if (BCI < Of.Start || BCI >= Of.End)
      continue;
    if (S.HandlerLocals.empty())
      noteLocals(F.classFile(), F.method(), S);
    auto At = llvm::find_if(
        S.HandlerLocals, [&](const auto &L) { return L.first == Of.Target; });
    if (At == S.HandlerLocals.end())
      return makeError("the frame of a handler is not known");
    ArrayRef<Type> Locals = At->second;
    if (HasThis && This.isVoid())
      This = IsEarly ? Type(Type::UninitThis)
                     : F.types().ref(F.classFile().name());
    if (HasThis && (Locals.empty() || Locals[0] != This))
      return makeError("a handler does not know this");
    const size_t Common = std::min(Locals.size(), H.Locals.size());
    if (Locals.take_front(Common) != H.Locals.take_front(Common))
      return makeError("handlers of a call declare different types");
    if (Locals.size() > H.Locals.size())
      H.Locals = Locals;
  }
  if (H.Locals.size() > size_t(HasThis))
    H.Declares = SyntheticHandler::Listed;
  else
    H.Locals = {};
  return Error::success();
}

/// A handler for the exceptions of the call.
Error CallPatcher::cover(const Call &At, Snippets::CallPlan &P) {
  if (At.BCI == S.SuperCall && S.SuperEnd) {
    LeavesSuper = true;
    return Error::success();
  }
  auto Code = Codes.get(F, P.CallHandler, At.Index);
  if (!Code)
    return Code.takeError();
  SyntheticHandler H = {At.BCI, At.End, SyntheticHandler::None, *Code,
                        /*OfCall=*/true};
  if (Error E = declare(H, At.BCI))
    return E;
  S.Handlers.push_back(H);
  ++NumHandlers;
  return Error::success();
}

/// Puts \p New, which is behind all others that are, among the sites.
void CallPatcher::add(const InsertionPoint &New) {
  const InsertionPoint *const End = S.Sites.data() + S.Sites.size();
  for (; Before != End && !(New < *Before); ++Before)
    S.NewSites.push_back(*Before);
  S.NewSites.push_back(New);
}

Error CallPatcher::place(const Call &At, Snippets::CallPlan &P) {
  if (!P.Before.empty()) {
    auto Code = Codes.get(F, P.BeforeCall, At.Index);
    if (!Code)
      return Code.takeError();
    add(siteAt(*At.Step, InsertionPoint::Call, *Code, /*BranchesSkip=*/false));
  }
  if (!P.After.empty()) {
    if (At.End >= S.Code.Code.size())
      return makeError("nothing follows a call");
    // A block ends with the call.
    const bool IsBorder =
        S.Marks[At.End] & (CodePatch::Frame | CodePatch::Border);
    auto Code = Codes.get(F, P.AfterCall, At.Index);
    if (!Code)
      return Code.takeError();
    add(siteAt(At.Step[1], InsertionPoint::Behind, *Code, IsBorder));
    if (Error E = cover(At, P))
      return E;
  }
  return Error::success();
}

/// Notes that \p Times calls have what is of \p P.
void CallPatcher::count(const Snippets::CallPlan &P, unsigned Times) {
  NumCalls += Times;
  for (unsigned Probe : P.Probes)
    Report.count(Probe, Times);
}

/// Notes where it was placed at \p Call.
void CallPatcher::noteSites(const Call &At, const Snippets::CallPlan &P,
                            bool IsCovered) {
  auto Note = [&](ArrayRef<unsigned> List, int32_t BCI) {
    for (unsigned N : List)
      Report.note(N, BCI);
  };
  Note(P.Before, int32_t(At.BCI));
  Note(P.After, int32_t(At.End));
  if (IsCovered)
    Note(P.After, -1);
}

llvm::Expected<std::pair<unsigned, unsigned>> CallPatcher::run() {
  const uint8_t *const Code = S.Code.Code.data();
  S.NewSites.clear();
  Snippets::CallPlan *P = nullptr; // that of the last calls
  unsigned Times = 0;
  for (const OriginalStep *Step = S.Steps.data(); Step != &S.Steps.back();
       ++Step) {
    if (!isCall(Step->Op))
      continue;
    const Call Of = {Step, readU2(Code + Step->BCI + 1)};
    const ArrayRef<unsigned> List =
        Advices.advicesForCall(F.method(), Of.Index);
    if (List.empty())
      continue;
    if (!P || P->Of.data() != List.data()) {
      if (P)
        count(*P, std::exchange(Times, 0));
      P = &Codes.callPlan(List);
    }
    const unsigned NumBefore = NumHandlers;
    if (Error E = place(Of, *P))
      return E;
    ++Times;
    if (Report.keepsSites())
      noteSites(Of, *P, NumHandlers != NumBefore);
  }
  if (P)
    count(*P, Times);
  S.NewSites.insert(S.NewSites.end(), Before,
                    static_cast<const InsertionPoint *>(S.Sites.data()) +
                        S.Sites.size());
  S.Sites.swap(S.NewSites);
  Report.report(F.method());
  if (LeavesSuper)
    reportUncoveredSuper(C, F.method(), ReportRow::NoSuperAfterCall);
  return std::pair(NumCalls, NumHandlers);
}

llvm::Expected<std::pair<unsigned, unsigned>> jopt::patchCalls(Body &F,
                                                               PassContext &C) {
  if (Error E = followCode(F.classFile(), *F.Patch))
    return E;
  return CallPatcher(F, C).run();
}
