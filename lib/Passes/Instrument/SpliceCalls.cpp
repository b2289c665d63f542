//===- SpliceCalls.cpp - Units and calls of code that is not lifted -------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sites in the middle of code. Of such a method the dense way lifts all of the
/// code, so that what moves on the operand stack is made where it is needed: a
/// copy behind the code of the site, and what is dropped in front of it.
///
//===----------------------------------------------------------------------===//

#include "OwnHandlers.h"
#include "SpliceSites.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

static bool isCall(Opcode Op) {
  return Op >= op::INVOKEVIRTUAL && Op <= op::INVOKEDYNAMIC;
}

namespace {

/// Finds where code goes that is for an instruction, in code that was followed.
class SpotFinder {
public:
  SpotFinder(ClassFile &Class, const Splice &S, bool HasAnchors)
      : Class(Class), S(S), HasAnchors(HasAnchors) {}

  struct Spot {
    const OriginalStep *At = nullptr; ///< null: it cannot be told
    uint32_t Of = 0;
    bool PassedBy = false;
    explicit operator bool() const { return At; }
    CodeSite site(CodeSite::Purpose For, const PlacedCode &Code,
                  bool GoesOn = false) const {
      return {At->BCI, At->BCI, false, Code, PassedBy, false,
              For,     GoesOn,  Of,    -1,   At->Depth};
    }
  };

  /// In front of the instruction \p Step, which is not before that of the last
  /// question.
  Spot inFrontOf(const OriginalStep *Step) {
    if (isCopiedLater(Step))
      return {};
    if (isBorder(Step->BCI))
      return at(Step, Step->BCI);
    // What is dropped is dropped at once.
    if (drops(Step->Op)) // and it is what a call returned: S.LeavesOut
      return {Step + 1, Step[1].BCI, HasAnchors || isBorder(Step[1].BCI)};
    if (Step == First || !copiesOrSwaps(Step[-1].Op))
      return at(Step, Step->BCI);
    // The copy is made behind the code. Something may be in front of it then.
    const OriginalStep *const Before = Step - 1;
    if (!isCopy(Before->Op) ||
        (Before != First && copiesOrSwaps(Step[-2].Op)) || !takesTop(*Step) ||
        isBorder(Before->BCI) || Last == Before)
      return {};
    return at(Before, Step->BCI);
  }

  /// Behind the call in front of \p Step; likewise. \p End: of what is dropped
  /// with it.
  Spot behindCall(const OriginalStep *Step, uint32_t &End) {
    End = Step->BCI;
    if (End >= Code.size() || isCopiedLater(Step) ||
        (copiesOrSwaps(Step->Op) && !HasAnchors))
      return {};
    if (isBorder(End))
      return {Step, End, true};
    if (!drops(Step->Op))
      return {Step, End, false};
    End = Step[1].BCI;
    return {Step + 1, End, HasAnchors || isBorder(End)};
  }

private:
  static bool isCopy(Opcode Op) { return copiesOrSwaps(Op) && Op != op::SWAP; }
  /// What is on top of the stack at \p BCI is used there. Where something else
  /// is pushed first, a copy is made before that, and so may be in front of the
  /// code of a site.
  bool takesTop(const OriginalStep &Step) const {
    const Opcode Op = Step.Op;
    if (Op == op::INVOKESTATIC || Op == op::INVOKEDYNAMIC)
      return Class.stackSlots(readU2(Code.data() + Step.BCI + 1)).Takes;
    const OpcodeInfo *Info = getOpcodeInfo(Op);
    return Info && !Info->operands().empty() && !copiesOrSwaps(Op) &&
           !drops(Op);
  }
  /// A copy at \p Step is all that moves there, is for what follows, and is of
  /// what the block made: what it begins with may be loaded again instead.
  bool isCopyAtOnce(const OriginalStep *Step) const {
    return isCopy(Step->Op) && !isBorder(Step->BCI) &&
           Step[1].BCI < Code.size() && takesTop(Step[1]) &&
           !isBorder(Step[1].BCI);
  }
  /// What moves at \p Step, or behind what does not use the stack there, is no
  /// copy for what follows: it is made in front of the code.
  bool isCopiedLater(const OriginalStep *Step) const {
    while ((Step->Op == op::NOP || Step->Op == op::IINC) &&
           Step->BCI < Code.size() && !isBorder(Step[1].BCI))
      ++Step;
    return copiesOrSwaps(Step->Op) && !isCopyAtOnce(Step);
  }
  Spot at(const OriginalStep *Step, uint32_t Of) {
    Last = Step;
    return {Step, Of, false};
  }
  bool isBorder(uint32_t BCI) const {
    return S.Marks[BCI] & (Splice::Frame | Splice::Border);
  }

  ClassFile &Class;
  const Splice &S;
  const bool HasAnchors;
  const Bytes Code = S.Code.Code;
  const OriginalStep *const First = S.Steps.data();
  const OriginalStep *Last = nullptr; ///< where code was last that something is
                                      ///< behind
};

/// Follows the code of \p S.
Error followMoves(ClassFile &Class, Splice &S, bool HasAnchors) {
  if (!noteSteps(Class, S, HasAnchors))
    return makeError("the depth of the operand stack cannot be told");
  return S.LeavesOut ? makeError("the stack is moved where nothing uses it")
                     : Error::success();
}

} // namespace

llvm::Expected<unsigned> jopt::spliceUnits(Body &F, PassContext &C) {
  auto &Codes = C.get<SiteCodes>();
  const SiteCodes::Plan &P = Codes.plan(F.method());
  Splice &S = *F.Spliced;
  SplicePlaced Report(F, Codes.Advices, P.Probes);
  const size_t NumBefore = S.Sites.size();
  SiteCodes::Family *Family = &Codes.units(F, P, /*HasThis=*/!S.SuperEnd);
  bool IsEarly = S.SuperEnd != 0;
  if (Error E = followMoves(F.classFile(), S, /*HasAnchors=*/true))
    return E;
  const bool HasLines = markUnits(F.classFile(), S);
  SpotFinder Finder(F.classFile(), S, /*HasAnchors=*/true);
  const bool *const Ends = endsOfUnits();
  unsigned Number = 0;
  bool Begins = true;
  for (const OriginalStep *Step = S.Steps.data(); Step != &S.Steps.back();
       ++Step) {
    const uint32_t BCI = Step->BCI;
    Begins |= (S.Marks[BCI] & Splice::Unit) != 0;
    if (!std::exchange(Begins, Ends[Step->Op]))
      continue;
    const std::optional<bool> GoesOn =
        S.Marks[BCI] & Splice::Border ? coversItself(S, F.pool(), BCI) : false;
    if (!GoesOn)
      return makeError("a handler covers its own beginning");
    auto Spot = Finder.inFrontOf(Step);
    if (!Spot)
      return makeError("a unit begins where the stack is moved");
    if (IsEarly && BCI >= S.SuperEnd) {
      IsEarly = false;
      Family = &Codes.units(F, P, /*HasThis=*/true);
    }
    auto Code = Codes.get(F, *Family, Number++);
    if (!Code)
      return Code.takeError();
    // Without lines it is once for an activation.
    Spot.PassedBy |= !HasLines;
    S.Sites.push_back(Spot.site(CodeSite::Unit, *Code, *GoesOn));
    Report.add(P.Units, int32_t(BCI));
    if (!HasLines)
      break;
  }
  mergeSites(S, NumBefore);
  Report.report();
  if (Error E = Codes.makeFront(F, P))
    return E;
  return Number;
}

namespace {

/// Places the advices at the calls of one method.
class CallSplicer {
public:
  CallSplicer(Body &F, PassContext &C)
      : F(F), C(C), S(*F.Spliced), Codes(C.get<SiteCodes>()),
        Advices(C.get<ClassAdvices>()),
        Finder(F.classFile(), S, C.makesAnchors()),
        LiftsRaw(!C.makesAnchors() &&
                 !Codes.plan(F.method()).Handlers.empty()) {}

  llvm::Expected<std::pair<unsigned, unsigned>> run();

private:
  struct Call {
    const OriginalStep *Step;
    unsigned Index; ///< of the pool entry
    uint32_t BCI = Step->BCI, End = Step[1].BCI;
  };
  Error place(const Call &At, SiteCodes::CallPlan &P);
  void add(const CodeSite &New);
  Error cover(const Call &At, uint32_t From, uint32_t End,
              SiteCodes::CallPlan &P);
  Error declare(MadeHandler &H, uint32_t BCI);
  void count(const SiteCodes::CallPlan &P, unsigned Times);
  void noteSites(const Call &At, const SiteCodes::CallPlan &P, bool IsCovered);
  void report();

  Body &F;
  PassContext &C;
  Splice &S;
  SiteCodes &Codes;
  ClassAdvices &Advices;
  SpotFinder Finder;
  const CodeSite *Before = S.Sites.data(); ///< that are not in NewSites yet
  unsigned NumCalls = 0, NumHandlers = 0;
  /// The dense way lifts the code raw before it lifts all of it.
  const bool LiftsRaw;
  bool LeavesSuper = false;
  struct PlacedProbe {
    unsigned Probe, Count;
    std::vector<ReportRow::Site> Sites;
  };
  PlacedProbe &placed(unsigned Probe);
  llvm::SmallVector<PlacedProbe, 2> Placed;
};

} // namespace

/// A copy of what slot 0 holds is put into a slot before \p BCI.
static bool storesThisBefore(const Splice &S, uint32_t BCI) {
  const uint8_t *const Code = S.Code.Code.data();
  llvm::SmallVector<unsigned, 4> Copies; // how deep the stack is below them
  for (const OriginalStep *I = S.Steps.data(); I->BCI < BCI; ++I) {
    while (!Copies.empty() && Copies.back() >= I->Depth)
      Copies.pop_back();
    if (I->Op == op::ALOAD_0 || (I->Op == op::ALOAD && !Code[I->BCI + 1]))
      Copies.push_back(I->Depth);
    else if ((I->Op == op::ASTORE ||
              (I->Op >= op::ASTORE_0 && I->Op <= op::ASTORE_3)) &&
             !Copies.empty() && Copies.back() + 1 == I->Depth)
      return true;
  }
  return false;
}

/// What the frame of a handler of the call at \p BCI declares: what those that
/// cover the call do.
Error CallSplicer::declare(MadeHandler &H, uint32_t BCI) {
  const bool HasThis = !F.method().is(ACC_STATIC);
  const bool IsEarly = BCI < S.SuperEnd;
  H.Declares = !HasThis  ? MadeHandler::None
               : IsEarly ? MadeHandler::UninitThis
                         : MadeHandler::This;
  if (HasThis && !S.KeepsThis)
    return makeError("slot 0 does not keep this");
  if (IsEarly && storesThisBefore(S, BCI))
    return makeError("another slot holds this, too");
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
    H.Declares = MadeHandler::Listed;
  else
    H.Locals = {};
  return Error::success();
}

/// A handler for the exceptions of what stands from \p From up to \p End.
Error CallSplicer::cover(const Call &At, uint32_t From, uint32_t End,
                         SiteCodes::CallPlan &P) {
  if (At.BCI == S.SuperCall && S.SuperEnd) {
    LeavesSuper = true;
    return Error::success();
  }
  auto Code = Codes.get(F, P.CallHandler, At.Index);
  if (!Code)
    return Code.takeError();
  MadeHandler H = {From, End, MadeHandler::None, *Code, /*OfCall=*/true};
  if (Error E = declare(H, At.BCI))
    return E;
  S.Handlers.push_back(H);
  ++NumHandlers;
  return Error::success();
}

/// Puts \p New, which is behind all others that are, among the sites.
void CallSplicer::add(const CodeSite &New) {
  const CodeSite *const End = S.Sites.data() + S.Sites.size();
  for (; Before != End && !(New < *Before); ++Before)
    S.NewSites.push_back(*Before);
  S.NewSites.push_back(New);
}

Error CallSplicer::place(const Call &At, SiteCodes::CallPlan &P) {
  auto Front = Finder.inFrontOf(At.Step);
  uint32_t End = 0;
  auto Behind =
      Front ? Finder.behindCall(At.Step + 1, End) : SpotFinder::Spot();
  if (!Behind)
    return makeError("a call stands where the stack is moved");
  if (!P.Before.empty()) {
    auto Code = Codes.get(F, P.BeforeCall, At.Index);
    if (!Code)
      return Code.takeError();
    add(Front.site(CodeSite::Call, *Code));
  }
  if (!P.After.empty()) {
    // Code that is lifted raw at first has a border there.
    Behind.PassedBy |= At.End == S.SuperEnd && LiftsRaw;
    auto Code = Codes.get(F, P.AfterCall, At.Index);
    if (!Code)
      return Code.takeError();
    add(Behind.site(CodeSite::Behind, *Code));
    if (Error E = cover(At, Front.At->BCI, End, P))
      return E;
  }
  return Error::success();
}

CallSplicer::PlacedProbe &CallSplicer::placed(unsigned Probe) {
  auto It = llvm::find_if(
      Placed, [&](const PlacedProbe &P) { return P.Probe == Probe; });
  return It == Placed.end() ? Placed.emplace_back(PlacedProbe{Probe, 0, {}})
                            : *It;
}

/// Notes that \p Times calls have what is of \p P.
void CallSplicer::count(const SiteCodes::CallPlan &P, unsigned Times) {
  NumCalls += Times;
  for (unsigned Probe : P.Probes)
    placed(Probe).Count += Times;
}

/// Notes where it was placed at \p Call.
void CallSplicer::noteSites(const Call &At, const SiteCodes::CallPlan &P,
                            bool IsCovered) {
  auto Add = [&](ArrayRef<unsigned> List, uint32_t BCI) {
    for (unsigned N : List) {
      const Advice &A = Advices.set().Advices[N];
      placed(A.Probe).Sites.push_back({A.Kind, int32_t(BCI)});
    }
  };
  Add(P.Before, At.BCI);
  Add(P.After, At.End);
  if (IsCovered)
    Add(P.After, ~0u);
}

void CallSplicer::report() {
  llvm::sort(Placed, [](const PlacedProbe &A, const PlacedProbe &B) {
    return A.Probe < B.Probe;
  });
  for (PlacedProbe &Of : Placed)
    Advices.reportPlaced(F.method(), Of.Probe, Of.Count, std::move(Of.Sites));
  if (!LeavesSuper)
    return;
  ReportRow Row;
  Row.What = ReportRow::NoSuperAfterCall;
  C.remark(F.method(),
           "exceptions out of super() or this() run no afterCall advice");
  C.report(F.method(), std::move(Row));
}

llvm::Expected<std::pair<unsigned, unsigned>> CallSplicer::run() {
  const uint8_t *const Code = S.Code.Code.data();
  S.NewSites.clear();
  SiteCodes::CallPlan *P = nullptr; // that of the last calls
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
    if (Advices.keepsSites())
      noteSites(Of, *P, NumHandlers != NumBefore);
  }
  if (P)
    count(*P, Times);
  S.Follows |= NumCalls != 0;
  S.NewSites.insert(S.NewSites.end(), Before,
                    static_cast<const CodeSite *>(S.Sites.data()) +
                        S.Sites.size());
  S.Sites.swap(S.NewSites);
  report();
  return std::pair(NumCalls, NumHandlers);
}

llvm::Expected<std::pair<unsigned, unsigned>>
jopt::spliceCalls(Body &F, PassContext &C) {
  if (Error E = followMoves(F.classFile(), *F.Spliced, C.makesAnchors()))
    return E;
  return CallSplicer(F, C).run();
}
