//===- PatchSites.cpp - Advices in code that is not lifted ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatchSites.h"
#include "SelfCoveringHandlers.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

ServiceKey Snippets::Key;

/// Advice \p N, of a call, is a call in front of it or behind and no more, and
/// gets no values but an exception.
static bool isPlainAtCall(const AdviceSet &Set, unsigned N) {
  const Advice &A = Set.Advices[N];
  return A.Result == ResultUse::Ignore && !needsWholeBody(A) &&
         !hasBranches(A) && !findDecider(Set, N) && A.Site.Ordinal == 0 &&
         !A.Site.says(SelectsLines) &&
         llvm::all_of(A.Data, [](const DataUse &Use) {
           return getInfo(Use.Item).AtPatchedCalls;
         });
}

Snippets::Snippets(PassContext &C, const AdviceSet &Set, const Matcher *Match)
    : Advices(C.get<ClassAdvices>()), C(C), Set(Set), Match(Match) {
  C.add(*this);
  for (unsigned N = 0; N < Set.Advices.size(); ++N)
    if (isCallKind(Set.Advices[N].Kind)) {
      HasCalls = true;
      FitCalls &= isPlainAtCall(Set, N);
    }
}

Snippets::~Snippets() {
  for (const Model &Of : Models)
    ofRun().Templates.add(Of.Key, *Of.Code, Of.List, C.get<AdviceCalls>());
  handOver();
}

ArrayRef<unsigned> Snippets::listOf(const Plan &P, Kind K) {
  switch (K) {
  case Entry:
    return P.at(AdviceKind::Entry);
  case Return:
    return P.Returns;
  case Unit:
    return P.at(AdviceKind::Unit);
  case Catch:
  case Finally:
    return P.at(AdviceKind::Handler);
  case BeforeSuper:
  case Behind:
    return P.Throws;
  case BeforeCall:
  case AfterCall:
  case CallHandler:
    break;
  }
  llvm_unreachable("of a call, which has a plan of its own");
}

/// Gives \p Code its template, if there is one: a snippet that is the same in
/// all classes but for its fixups is made once. \p Known, if it is not null,
/// caches the template. False: \p Code has to be made.
bool Snippets::useTemplate(Snippet &Code, const Body &F, Kind K,
                           ArrayRef<unsigned> List, const Site &At,
                           Plan::Differs By, const SnippetTemplate **Known) {
  if (!Match || By.ByName || By.ByDescriptor || By.BySlots ||
      !F.PinnedLocals.empty() ||
      !SnippetTemplates::fits(C.get<AdviceCalls>(), List, By.HasFixups))
    return false;
  auto Use = [&](const SnippetTemplate &T) {
    Code.Template = &T;
    if (T.Fixups)
      Code.Fixups = std::make_unique<SnippetFixups>(*T.Fixups);
    return true;
  };
  if (Known && *Known)
    return Use(**Known);
  Site Where = At;
  Where.Number = 0; // No code depends on it, or it is a fixup.
  const auto [Which, Values, Slots, Top] = shapeOf(F, K, {}, Where, By);
  const SnippetTemplates::Key Key =
      SnippetTemplates::key({Which, Values}, List);
  const SnippetTemplate *Found = ofRun().Templates.find(Key);
  if (!Found) {
    Models.push_back({Key.str().str(), &Code, List});
    return false;
  }
  if (Known)
    *Known = Found;
  return Use(*Found);
}

llvm::Expected<Snippet *> Snippets::find(Body &F, Kind K,
                                         ArrayRef<unsigned> List,
                                         const Site &At, Plan::Differs By,
                                         const SnippetTemplate **Known) {
  std::unique_ptr<Snippet> &Own = Made.Codes[shapeOf(F, K, List, At, By)];
  if (Own)
    return Own.get();
  Own = std::make_unique<Snippet>();
  Snippet &Code = *Own; // a table that grows does not move it
  Code.NumAdvices = unsigned(List.size());
  Code.Continues = !At.Return && K <= Finally;
  if (C.isWatched())
    keepPlaced(Code, F, K, List, At);
  if (useTemplate(Code, F, K, List, At, By, Known))
    return &Code;
  if (By.HasFixups)
    if (Error E = addFixups(Code, F, List))
      return E;
  if (Error E = make(Code, F, K, List, At))
    return E;
  return &Code;
}

llvm::Expected<Snippet *> Snippets::get(Body &F, const Plan &P, Kind K,
                                        const Site &At) {
  return find(F, K, listOf(P, K), At, differ(P, K));
}

llvm::Expected<Snippet *> Snippets::getFirst(Body &F, const Plan &P, Kind K) {
  if (!P.Constant)
    return get(F, P, K, Site());
  auto Code = find(F, K, listOf(P, K), Site(), differ(P, K), &P.Templates[K]);
  if (Code)
    P.Known[K] = *Code;
  return Code;
}

std::shared_ptr<const void> Snippets::keep() {
  if (!Heir)
    Heir = std::make_shared<Store>();
  return Heir;
}

void Snippets::handOver() {
  if (const auto To = std::exchange(Heir, nullptr))
    *To = std::move(Made);
}

void Snippets::forgetPool() {
  handOver();
  Made.Codes.clear();
  Made.OfFamilies.clear();
  Units.clear();
  Models.clear();
  AtWork.Of = nullptr; // another attempt may select other advices
  for (const Plan *P : Plans.OfClass)
    std::fill(std::begin(P->Known), std::end(P->Known), nullptr);
  for (const auto &P : CallPlans)
    for (Family *Of : {&P->BeforeCall, &P->AfterCall, &P->CallHandler}) {
      Of->Model = nullptr;
      Of->Known.clear();
    }
}

/// A load of one byte.
static bool isShortLoad(const Instruction &I) {
  return I.op() == irop::LocalGet ? I.index() < 4 : I.opcode() <= op::DCONST_1;
}

/// Makes a block with the return \p R, of which advices are given the value
/// (place-exits does the same in other bodies). False: that cannot be.
static bool makeHostReturn(const Body &Host, const OriginalReturn &R, Block *B,
                           SiteValues &S, Type Known, bool IsNamed) {
  if (!liftReturn(*Host.Patch, R, B, Known))
    return false;
  Instruction *Return = B->terminator();
  Value *Returned = Return->operand(0);
  if (auto *Load = llvm::dyn_cast<Instruction>(Returned)) {
    if (!Load->isPure() || &B->instructions().front() != Load)
      return false;
    Load->setFloating(!IsNamed || isShortLoad(*Load));
  }
  S.giveReturned(Returned,
                 returnDescriptor(Host.classFile().descriptor(Host.method())));
  return true;
}

Error Snippets::make(Snippet &Code, Body &Host, Kind K, ArrayRef<unsigned> List,
                     const Site &At) {
  const OriginalReturn *R = At.Return;
  Code.IR = std::make_unique<Body>(Host.classFile(), Host.method());
  Host.Patch->AllWritten = false;
  Body &F = *Code.IR;
  const bool Static = isStatic(Host.classFile(), Host.method());
  const bool Constructor = Host.Patch->SuperEnd != 0;
  Code.NumSlots = Host.numSlots();
  F.setNumSlots(Code.NumSlots);
  F.PinnedLocals = Host.PinnedLocals;
  if (!Static)
    F.setInitialLocals(F.types().ref(F.classFile().name()));
  Block *B = F.createBlock();
  SiteValues S;
  S.HasThis = !Static;
  Builder Bd(F);
  Bd.setEnd(B);
  Value *Thrown = nullptr;
  if (K >= Catch) {
    F.setHandler(B, At.Top.isReference()
                        ? At.Top
                        : F.types().ref("java/lang/Throwable"));
    F.setFrame(B, {});
    Thrown = B->parameters()[0];
    Bd.raise(Thrown);
  }
  switch (K) {
  case Entry:
    S.HasThis = !Static && !Constructor;
    break;
  case Return:
    break;
  case Catch:
  case Finally:
    S.giveCaught(Thrown, K == Finally, At.Number);
    break;
  case Unit:
    S.HasThis = !Static && At.HasThis;
    S.give(DataItem::UnitNumber, int32_t(At.Number));
    break;
  case BeforeCall:
  case AfterCall:
  case CallHandler: {
    S.HasThis = false;
    S.give(DataItem::ExceptionObject, Thrown);
    if (At.Number)
      S.giveCallee(F.classFile().callee(At.Number));
    break;
  }
  case BeforeSuper:
  case Behind:
    S.giveThrown(Thrown, Static, Constructor, K == Behind);
    break;
  }
  if (R) {
    const bool IsNamed = llvm::any_of(List, [&](unsigned N) {
      return takes(Set, N, DataItem::ReturnedObject);
    });
    if (!makeHostReturn(Host, *R, B, S, At.Top, IsNamed))
      return makeError("what it returns is unusual");
  } else if (K < Catch) {
    F.append(F.create(irop::Return, op::RETURN, Type::Void, {}), B);
  }
  Bd.setPoint(B->terminator());
  if (K == Entry)
    makeFront(Bd, Code, List);
  return place(Bd, *B->terminator(), List, S);
}

/// Makes the copy of \p Code that printing shows in methods that get it after
/// it was written, or made of a template.
void Snippets::keepPlaced(Snippet &Code, Body &F, Kind K,
                          ArrayRef<unsigned> List, const Site &At) {
  const bool AllWritten = F.Patch->AllWritten;
  Snippet Copy;
  if (Error E = make(Copy, F, K, List, At))
    return llvm::consumeError(std::move(E)); // so fails the snippet itself
  Code.Placed = std::move(Copy.IR);
  F.Patch->AllWritten = AllWritten;
}

/// Places \p List in front of \p Before, where \p B stands.
Error Snippets::place(Builder &B, Instruction &Before, ArrayRef<unsigned> List,
                      const SiteValues &S) {
  Body &F = Before.block()->body();
  Placement P(F, C);
  for (unsigned N : List) {
    Instruction *I = P.emit(&Before, N, S);
    const Advice &A = Set.Advices[N];
    if (A.Result != ResultUse::Keep)
      continue;
    if (const auto *W = F.findPinnedLocal(KeptSlot, A.Probe)) {
      B.setAdvice(int32_t(N));
      B.set(W->Slot, I);
    } else {
      I->setType(Type::Void); // Nobody wants it.
    }
  }
  C.invalidate(F, PreservedAnalyses::none());
  return P.problem();
}

void jopt::mergeSites(CodePatch &S, size_t Before) {
  if (!Before || Before == S.Sites.size() ||
      !(S.Sites[Before] < S.Sites[Before - 1]))
    return;
  S.NewSites.assign(S.Sites.begin() + ptrdiff_t(Before), S.Sites.end());
  // From behind, so that what is in front of all that are new stays.
  InsertionPoint *To = S.Sites.data() + S.Sites.size();
  InsertionPoint *Old = S.Sites.data() + Before;
  for (const InsertionPoint &New : llvm::reverse(S.NewSites)) {
    for (; Old != S.Sites.data() && New < Old[-1]; --Old)
      *--To = Old[-1];
    *--To = New;
  }
}

llvm::Expected<unsigned> jopt::patchEntries(Body &F, PassContext &C) {
  auto &Codes = C.get<Snippets>();
  const Snippets::Plan &P = Codes.plan(F.method());
  auto Code = Codes.get(F, P, Snippets::Entry);
  if (!Code)
    return Code.takeError();
  F.Patch->Entry = *Code;
  PlacedReport Report(Codes.Advices, P.Probes);
  Report.add(P.at(AdviceKind::Entry), 0);
  Report.report(F.method());
  return Report.total();
}

/// A branch to the first instruction leads to code whose exceptions no exit
/// advice sees.
static bool passesUnit(const CodePatch &S) {
  return llvm::any_of(S.Sites, [](const InsertionPoint &Of) {
    return Of.BCI == 0 && Of.For == InsertionPoint::Unit && !Of.BranchesSkip;
  });
}

/// Notes what slots hold at the last site of \p S.
static void noteSiteLocals(CodePatch &S, const OriginalTypes &Types) {
  S.Sites.back().Locals = int32_t(S.Locals.size());
  S.Locals.push_back(Types.Locals);
}

/// The exits of \p P at returns of code that no other site is in, where all of
/// it stays where it is.
static Error placePlainReturns(Body &F, Snippets &Codes,
                               const Snippets::Plan &P, PlacedReport &Report) {
  CodePatch &S = *F.Patch;
  Snippet *Alike = nullptr; // where no value is given
  for (const OriginalReturn &R : S.Returns) {
    const bool Gives = P.TakesReturned && S.Code.Code[R.BCI] != op::RETURN;
    Snippet *Code = Alike;
    if (Gives || !Alike) {
      auto Made = Gives ? Codes.get(F, P, Snippets::Return, {&R})
                        : Codes.get(F, P, Snippets::Return);
      if (!Made)
        return Made.takeError();
      Code = *Made;
      if (!Gives)
        Alike = Code;
    }
    S.Sites.push_back({R.Load, R.BCI + 1, Gives, Code});
    Report.add(P.Returns, int32_t(R.BCI));
  }
  return Error::success();
}

/// The exits of \p P at returns.
static Error placeReturns(Body &F, Snippets &Codes, const Snippets::Plan &P,
                          PlacedReport &Report) {
  CodePatch &S = *F.Patch;
  const size_t NumBefore = S.Sites.size();
  if (!NumBefore && !P.ReturnsBranch)
    return placePlainReturns(F, Codes, P, Report);
  size_t Next = 0;
  std::optional<OriginalTypes> Types;
  if (P.ReturnsBranch)
    Types.emplace(F);
  for (const OriginalReturn &Of : S.Returns) {
    OriginalReturn R = Of;
    // Code between a load and its return stays behind the load.
    while (Next < NumBefore && S.Sites[Next].BCI <= R.BCI)
      ++Next;
    if (Next && S.Sites[Next - 1].BCI > R.Load)
      R.Load = R.BCI;
    const bool IsVoid = S.Code.Code[R.BCI] == op::RETURN;
    const bool Gives = !IsVoid && P.TakesReturned;
    if (P.ReturnsBranch &&
        (!Types->at(R.BCI) || Types->Stack.size() != size_t(!IsVoid)))
      return makeError("it is not known what slots hold at a return");
    // A value loaded in front of other code would be loaded again for an
    // advice.
    if (Gives && R.Load != Of.Load)
      return makeError("other code stands between a return and its load");
    Snippets::Site At = {Gives ? &R : nullptr};
    if (P.ReturnsBranch && Gives && Types->Stack[0].isReference())
      At.Top = Types->Stack[0];
    auto Code = Gives ? Codes.get(F, P, Snippets::Return, At)
                      : Codes.get(F, P, Snippets::Return);
    if (!Code)
      return Code.takeError();
    S.Sites.push_back({R.Load, R.BCI + 1, Gives, *Code});
    if (P.ReturnsBranch)
      noteSiteLocals(S, *Types);
    Report.add(P.Returns, int32_t(R.BCI));
  }
  mergeSites(S, NumBefore);
  return Error::success();
}

bool jopt::mayLeave(const CodePatch &S, const Snippets::Plan &P, bool InCode) {
  // A thread may be stopped on its way from one covered place to another.
  return S.MayThrow || S.Loops || InCode ||
         (S.LoopsToBegin && !passesUnit(S)) ||
         (S.LoopsToReturn && P.Returns.empty());
}

llvm::Expected<std::pair<unsigned, unsigned>> jopt::patchExits(Body &F,
                                                               PassContext &C) {
  auto &Codes = C.get<Snippets>();
  const Snippets::Plan &P = Codes.plan(F.method());
  CodePatch &S = *F.Patch;
  PlacedReport Report(Codes.Advices, P.Probes);
  // Code with snippets may throw. Among the snippets in front of all code, only
  // those of calls are part of it.
  const bool InCode = llvm::any_of(S.Sites, [](const InsertionPoint &Of) {
    return Of.BCI || Of.For == InsertionPoint::Call;
  });
  if (!P.Returns.empty())
    if (Error E = placeReturns(F, Codes, P, Report))
      return E;
  const unsigned NumExits = Report.total();
  auto Cover = [&](uint32_t From, uint32_t To, Snippets::Kind K,
                   bool DeclaresThis) -> Error {
    auto Code = Codes.get(F, P, K);
    if (!Code)
      return Code.takeError();
    S.Handlers.push_back({From, To,
                          K == Snippets::BeforeSuper
                              ? SyntheticHandler::UninitThis
                          : DeclaresThis ? SyntheticHandler::This
                                         : SyntheticHandler::None,
                          *Code});
    Report.add(P.Throws, -1);
    return Error::success();
  };
  const bool Constructor = S.SuperEnd != 0;
  if (Constructor && !P.Throws.empty()) {
    // The ranges between calls with handlers of their own are not known here.
    if (llvm::any_of(S.Handlers, [&](const SyntheticHandler &H) {
          return H.OfCall && H.From < S.SuperCall;
        }))
      return makeError("a call before super() has a handler");
    auto [From, To] = S.ThrowsBeforeSuper;
    if (llvm::any_of(S.Sites, [&](const InsertionPoint &Of) {
          return (Of.BCI || Of.For == InsertionPoint::Call) &&
                 Of.BCI <= S.SuperCall;
        }))
      From = 0, To = S.SuperCall;
    if (To)
      if (Error E = Cover(From, To, Snippets::BeforeSuper, false))
        return E;
  }
  if (!P.Throws.empty() && mayLeave(S, P, InCode)) {
    const bool Names = P.readsThisInHandler(Constructor);
    if (Error E =
            Cover(S.SuperEnd, uint32_t(S.Code.Code.size()), Snippets::Behind,
                  Names && !isStatic(F.classFile(), F.method())))
      return E;
  }
  Report.report(F.method());
  if (Error E = Codes.makeFront(F, P))
    return E;
  if (Constructor)
    reportUncoveredSuper(C, F.method(), ReportRow::NoSuperExit);
  return std::pair(NumExits, Report.total() - NumExits);
}

llvm::Expected<unsigned> jopt::patchHandlers(Body &F, PassContext &C) {
  auto &Codes = C.get<Snippets>();
  const Snippets::Plan &P = Codes.plan(F.method());
  CodePatch &S = *F.Patch;
  llvm::SmallVector<std::pair<uint32_t, bool>, 8> Targets; // finally
  for (const CodeView::Handler &H : S.Code.Handlers)
    if (llvm::none_of(Targets,
                      [&](const auto &T) { return T.first == H.Target; }))
      Targets.push_back({H.Target, H.CatchType == 0});
  llvm::sort(Targets);
  PlacedReport Report(Codes.Advices, P.Probes);
  const MethodUnits *Units =
      P.NumbersHandlers
          ? &C.analysis<ClassUnits>(F.classFile()).of(F.method(), C)
          : nullptr;
  std::optional<OriginalTypes> Types;
  if (P.HandlersBranch)
    Types.emplace(F);
  for (const auto &[BCI, IsFinally] : Targets) {
    if (BCI <= S.SuperEnd)
      return makeError("a handler is where all code begins");
    const std::optional<bool> ReplacesCaught = coversItself(S, F.pool(), BCI);
    if (!ReplacesCaught || (*ReplacesCaught && P.HandlersBranch))
      return makeError("a handler covers its own beginning");
    const auto K = IsFinally ? Snippets::Finally : Snippets::Catch;
    Snippets::Site At = {nullptr, Units ? Units->unitAt(BCI) : 0};
    if (P.HandlersBranch) {
      if (!Types->at(BCI) || Types->Stack.size() != 1)
        return makeError("it is not known what slots hold at a handler");
      At.Top = Types->Stack[0];
      if (!storesObject(S.Code.Code[BCI]))
        return makeError("an exception waits for its use below other code");
    }
    auto Code =
        Units || P.HandlersBranch ? Codes.get(F, P, K, At) : Codes.get(F, P, K);
    if (!Code)
      return Code.takeError();
    S.Sites.push_back({BCI, BCI, false, *Code, false, false,
                       InsertionPoint::Handler, *ReplacesCaught});
    if (P.HandlersBranch)
      noteSiteLocals(S, *Types);
    Report.add(P.at(AdviceKind::Handler), int32_t(BCI));
  }
  Report.report(F.method());
  if (Error E = Codes.makeFront(F, P))
    return E;
  return unsigned(Targets.size());
}
