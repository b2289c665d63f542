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
    uint32_t BCI, Of;
    bool PassedBy;
    CodeSite site(CodeSite::Purpose For, const PlacedCode &Code) const {
      return {BCI, BCI, false, Code, PassedBy, false, For, false, Of};
    }
  };

  /// In front of the instruction at \p BCI, which is not before that of the
  /// last question; nothing: it cannot be told.
  std::optional<Spot> inFrontOf(uint32_t BCI) {
    if (!advance(BCI))
      return std::nullopt;
    if (copiesOrSwaps(Code[BCI]) && !isCopyAtOnce(BCI))
      return std::nullopt;
    if (isBorder(BCI))
      return at(BCI, BCI);
    // What is dropped is dropped at once.
    if (drops(Code[BCI])) // and it is what a call returned: S.LeavesOut
      return Spot{BCI + 1, BCI + 1, HasAnchors || isBorder(BCI + 1)};
    if (Step == First || !copiesOrSwaps(Step[-1].Op))
      return at(BCI, BCI);
    // The copy is made behind the code. Something may be in front of it then.
    const OriginalStep &Before = Step[-1];
    if (!isCopy(Before.Op) ||
        (&Before != First && copiesOrSwaps(Step[-2].Op)) || !takesTop(BCI) ||
        isBorder(Before.BCI) || Last == Before.BCI)
      return std::nullopt;
    return at(Before.BCI, BCI);
  }

  /// Behind the call that ends at \p BCI; likewise. \p End: of what is dropped
  /// with it.
  std::optional<Spot> behindCall(uint32_t BCI, uint32_t &End) {
    End = BCI;
    if (!advance(BCI) || BCI >= Code.size() ||
        (copiesOrSwaps(Code[BCI]) && !(HasAnchors && isCopyAtOnce(BCI))))
      return std::nullopt;
    if (isBorder(BCI))
      return Spot{BCI, BCI, true};
    if (!drops(Code[BCI]))
      return Spot{BCI, BCI, false};
    End = BCI + 1;
    return Spot{End, End, HasAnchors || isBorder(End)};
  }

private:
  static bool isCopy(Opcode Op) { return copiesOrSwaps(Op) && Op != op::SWAP; }
  /// What is on top of the stack at \p BCI is used there. Where something else
  /// is pushed first, a copy is made before that, and so may be in front of the
  /// code of a site.
  bool takesTop(uint32_t BCI) const {
    const Opcode Op = Code[BCI];
    if (Op == op::INVOKESTATIC || Op == op::INVOKEDYNAMIC)
      return lengthAt(Code, BCI) && !Class.callee(readU2(Code.data() + BCI + 1))
                                         .Descriptor.starts_with("()");
    const OpcodeInfo *Info = getOpcodeInfo(Op);
    return Info && !Info->operands().empty() && !copiesOrSwaps(Op) &&
           !drops(Op);
  }
  /// A copy at \p BCI is all that moves there, is for what follows, and is of
  /// what the block made: what it begins with may be loaded again instead.
  bool isCopyAtOnce(uint32_t BCI) const {
    const uint32_t Next = BCI + 1;
    return isCopy(Code[BCI]) && !isBorder(BCI) && Next < Code.size() &&
           takesTop(Next) && !isBorder(Next);
  }
  Spot at(uint32_t BCI, uint32_t Of) {
    Last = BCI;
    return {BCI, Of, false};
  }
  bool isBorder(uint32_t BCI) const {
    return S.Marks[BCI] & (Splice::Frame | Splice::Border);
  }
  bool advance(uint32_t BCI) {
    while (Step->BCI < BCI)
      ++Step;
    return Step->BCI == BCI;
  }

  ClassFile &Class;
  const Splice &S;
  const bool HasAnchors;
  const Bytes Code = S.Code.Code;
  const OriginalStep *const First = S.Steps.data();
  const OriginalStep *Step = First; ///< the last is behind all code
  uint32_t Last = ~0u; ///< where code was last that something is behind
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
  const MethodUnits &Units =
      C.analysis<ClassUnits>(F.classFile()).of(F.method(), C);
  SplicePlaced Report(F, Codes.Advices, P.Probes);
  const size_t NumBefore = S.Sites.size();
  SiteCodes::Family *Family = &Codes.units(F, P, /*HasThis=*/!S.SuperEnd);
  bool IsEarly = S.SuperEnd != 0;
  if (Error E = followMoves(F.classFile(), S, /*HasAnchors=*/true))
    return E;
  SpotFinder Finder(F.classFile(), S, /*HasAnchors=*/true);
  S.Sites.reserve(NumBefore + Units.Units.size());
  for (unsigned Number = 0; Number < Units.Units.size(); ++Number) {
    const uint32_t BCI = Units.Units[Number].Start;
    const std::optional<bool> GoesOn =
        S.Marks[BCI] & Splice::Border ? coversItself(S, F.pool(), BCI) : false;
    if (!GoesOn)
      return makeError("a handler covers its own beginning");
    auto Spot = Finder.inFrontOf(BCI);
    if (!Spot)
      return makeError("a unit begins where the stack is moved");
    if (IsEarly && BCI >= S.SuperEnd) {
      IsEarly = false;
      Family = &Codes.units(F, P, /*HasThis=*/true);
    }
    auto Code = Codes.get(F, *Family, Number);
    if (!Code)
      return Code.takeError();
    // Without lines it is once for an activation.
    Spot->PassedBy |= !Units.HasLines;
    S.Sites.push_back(Spot->site(CodeSite::Unit, *Code));
    S.Sites.back().GoesOn = *GoesOn;
    Report.add(P.Units, int32_t(BCI));
  }
  mergeSites(S, NumBefore);
  Report.report();
  if (Error E = Codes.makeFront(F, P))
    return E;
  return unsigned(Units.Units.size());
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
    uint32_t BCI, End;
    unsigned Index; ///< of the pool entry
  };
  Error place(const Call &At, SiteCodes::CallPlan &P);
  Error cover(const Call &At, uint32_t From, uint32_t End,
              SiteCodes::CallPlan &P);
  Error declare(MadeHandler &H, uint32_t BCI);
  void count(const Call &At, const SiteCodes::CallPlan &P, bool IsCovered);
  void report();

  Body &F;
  PassContext &C;
  Splice &S;
  SiteCodes &Codes;
  ClassAdvices &Advices;
  SpotFinder Finder;
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

Error CallSplicer::place(const Call &At, SiteCodes::CallPlan &P) {
  auto Front = Finder.inFrontOf(At.BCI);
  uint32_t End = 0;
  auto Behind = Front ? Finder.behindCall(At.End, End) : std::nullopt;
  if (!Behind)
    return makeError("a call stands where the stack is moved");
  if (!P.Before.empty()) {
    auto Code = Codes.get(F, P.BeforeCall, At.Index);
    if (!Code)
      return Code.takeError();
    S.Sites.push_back(Front->site(CodeSite::Call, *Code));
  }
  if (!P.After.empty()) {
    // Code that is lifted raw at first has a border there.
    Behind->PassedBy |= At.End == S.SuperEnd && LiftsRaw;
    auto Code = Codes.get(F, P.AfterCall, At.Index);
    if (!Code)
      return Code.takeError();
    S.Sites.push_back(Behind->site(CodeSite::Behind, *Code));
    if (Error E = cover(At, Front->BCI, End, P))
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

/// Notes what was placed at \p Call.
void CallSplicer::count(const Call &At, const SiteCodes::CallPlan &P,
                        bool IsCovered) {
  ++NumCalls;
  for (unsigned Probe : P.Probes)
    ++placed(Probe).Count;
  if (!Advices.keepsSites())
    return;
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
  const size_t NumSites = S.Sites.size();
  for (const OriginalStep *Step = S.Steps.data(); Step != &S.Steps.back();
       ++Step) {
    if (!isCall(Step->Op))
      continue;
    const Call Of = {Step->BCI, Step[1].BCI, readU2(Code + Step->BCI + 1)};
    const ArrayRef<unsigned> List =
        Advices.advicesForCall(F.method(), Of.Index);
    if (List.empty())
      continue;
    SiteCodes::CallPlan &P = Codes.callPlan(List);
    const unsigned Before = NumHandlers;
    if (Error E = place(Of, P))
      return E;
    count(Of, P, NumHandlers != Before);
  }
  S.Follows |= NumCalls != 0;
  mergeSites(S, NumSites);
  report();
  return std::pair(NumCalls, NumHandlers);
}

llvm::Expected<std::pair<unsigned, unsigned>>
jopt::spliceCalls(Body &F, PassContext &C) {
  if (Error E = followMoves(F.classFile(), *F.Spliced, C.makesAnchors()))
    return E;
  return CallSplicer(F, C).run();
}
