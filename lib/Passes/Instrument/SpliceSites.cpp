//===- SpliceSites.cpp - Advices in code that is not lifted ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpliceSites.h"
#include "jopt/IR/Builder.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

ServiceKey SiteCodes::Key;

/// \p A is a call at its site and no more.
static bool isPlain(const AdviceSet &Set, unsigned N) {
  const Advice &A = Set.Advices[N];
  return (A.Kind == AdviceKind::Entry || A.Kind == AdviceKind::Exit ||
          A.Kind == AdviceKind::Handler) &&
         !needsWholeBody(A) && !findDecider(Set, N) &&
         llvm::none_of(
             A.Data,
             [](const DataUse &Use) { return Use.Item == DataItem::Result; }) &&
         A.Range == RangePlace::Outside &&
         A.Constructor == ConstructorPlace::BeforeSuper &&
         !Set.Probes[A.Probe].Nests;
}

const SiteCodes::Plan &SiteCodes::plan(ArrayRef<unsigned> Advices) {
  if (Last && Last->Of.data() == Advices.data())
    return *Last;
  for (const auto &P : Plans)
    if (P->Of.data() == Advices.data())
      return *(Last = P.get());
  Plan &P = *Plans.emplace_back(std::make_unique<Plan>());
  P.Of = Advices;
  for (unsigned N : Advices) {
    const Advice &A = Set.Advices[N];
    P.Fits &= isPlain(Set, N);
    P.NamesThis |=
        names(N, DataItem::ThisObject) || names(N, DataItem::Receiver);
    (A.Kind == AdviceKind::Entry  ? P.Entries
     : A.Kind == AdviceKind::Exit ? P.Exits
                                  : P.Handlers)
        .push_back(N);
    P.Probes.push_back(A.Probe);
  }
  llvm::sort(P.Probes);
  P.Probes.erase(llvm::unique(P.Probes), P.Probes.end());
  sortAdvices(Set, AdviceKind::Entry, P.Entries);
  sortAdvices(Set, AdviceKind::Exit, P.Exits);
  sortAdvices(Set, AdviceKind::Handler, P.Handlers);
  for (unsigned N : P.Exits) {
    if (Set.Advices[N].Way != ExitWay::Exception)
      P.Returns.push_back(N);
    if (Set.Advices[N].Way != ExitWay::Return)
      P.Throws.push_back(N);
    P.ThisAtExits |= names(N, DataItem::ThisObject);
    P.ReceiverAtExits |= names(N, DataItem::Receiver);
  }
  if (P.Fits)
    expectQuestions(Advices);
  P.Constant = !P.NamesThis && !dependsOnMethod(Advices);
  P.TakesReturned = llvm::any_of(P.Returns, [&](unsigned N) {
    return names(N, DataItem::ReturnedObject);
  });
  return *(Last = &P);
}

/// Tells the pool what it will be asked for.
void SiteCodes::expectQuestions(ArrayRef<unsigned> Advices) const {
  constexpr size_t Enough = 16; // an index pays then
  llvm::SmallVector<llvm::StringRef, Enough> Texts = {"java/lang/Throwable",
                                                      "StackMapTable"};
  for (unsigned N : Advices) {
    const AdviceBody &B = Set.Advices[N].Body;
    for (llvm::StringRef Text :
         {llvm::StringRef(B.Owner), llvm::StringRef(B.Name),
          llvm::StringRef(B.Descriptor)})
      if (Texts.size() < Enough && !llvm::is_contained(Texts, Text))
        Texts.push_back(Text);
  }
  C.classFile().Pool.expectQuestions(Texts);
}

const SiteCodes::Plan &SiteCodes::plan(const Method &M) {
  if (std::exchange(AtWork.Of, &M) != &M)
    AtWork.Has = &plan(C.get<ClassAdvices>().advicesFor(M));
  return *AtWork.Has;
}

/// The code of \p List may say something of its method.
bool SiteCodes::dependsOnMethod(ArrayRef<unsigned> List) const {
  return llvm::any_of(List, [&](unsigned N) {
    return llvm::any_of(Set.Advices[N].Data, [&](const DataUse &Use) {
      switch (Use.Item) {
      case DataItem::ClassName:
      case DataItem::ThisObject:
      case DataItem::Receiver:
      case DataItem::ReturnedObject:
      case DataItem::ExceptionObject:
      case DataItem::IsFinally:
      case DataItem::StaticField:
      case DataItem::HostClass:
        return false;
      default:
        return true;
      }
    });
  });
}

static llvm::StringRef returnType(const Body &F) {
  return returnDescriptor(F.classFile().descriptor(F.method()));
}

SiteCodes::Shape SiteCodes::shapeOf(const Body &F, Kind K,
                                    ArrayRef<unsigned> List,
                                    const OriginalReturn *R) const {
  const Method &M = F.method();
  // Lists live as long as plans do.
  uint64_t Which = uint64_t(reinterpret_cast<uintptr_t>(List.data())) << 8;
  Which |= K;
  if (llvm::any_of(List, [&](unsigned N) {
        return names(N, DataItem::ThisObject) || names(N, DataItem::Receiver);
      }))
    Which |= uint64_t(M.is(ACC_STATIC)) << 3 |
             uint64_t(F.Spliced->SuperEnd != 0) << 4;
  uint64_t Values = 0;
  if (dependsOnMethod(List))
    Values = uint64_t(M.NameIndex) << 48 | uint64_t(M.DescriptorIndex) << 32;
  if (!R)
    return {Which, Values};
  // Where the value is from, and what it is.
  const uint8_t *Code = F.Spliced->Code.Code.data();
  uint64_t Load = 1; // as long as it is
  for (uint32_t At = R->Load; At < R->BCI; ++At)
    Load = Load << 8 | Code[At];
  Values ^= Load;
  Which ^= uint64_t(uint8_t(returnType(F)[0])) << 56;
  return {Which, Values};
}

ArrayRef<unsigned> SiteCodes::listOf(const Plan &P, Kind K) {
  switch (K) {
  case Entry:
    return P.Entries;
  case Return:
    return P.Returns;
  case Catch:
  case Finally:
    return P.Handlers;
  case BeforeSuper:
  case Behind:
    return P.Throws;
  }
  llvm_unreachable("all kinds are listed");
}

llvm::Expected<SiteCode &> SiteCodes::get(Body &F, const Plan &P, Kind K,
                                          const OriginalReturn *R) {
  SiteCode **Known = P.Constant && !R ? &P.Known[K] : nullptr;
  if (Known && *Known)
    return **Known;
  const ArrayRef<unsigned> List = listOf(P, K);
  std::unique_ptr<SiteCode> &Code = Codes[shapeOf(F, K, List, R)];
  if (!Code) {
    Code = std::make_unique<SiteCode>();
    if (Error E = make(*Code, F, K, List, R))
      return E;
  }
  if (Known)
    *Known = Code.get();
  return *Code;
}

void SiteCodes::forgetPool() {
  Codes.clear();
  for (const auto &P : Plans)
    std::fill(std::begin(P->Known), std::end(P->Known), nullptr);
}

/// A load of one byte.
static bool isShortLoad(const Instruction &I) {
  return I.op() == irop::LocalGet ? I.index() < 4 : I.opcode() <= op::DCONST_1;
}

/// Makes a block with the return \p R, of which advices are given the value
/// (duplicate-finally does the same in other bodies). False: that cannot be.
static bool makeReturn(const Body &Host, const OriginalReturn &R, Block *B,
                       SiteValues &S) {
  if (!liftReturn(*Host.Spliced, R, B))
    return false;
  Instruction *Return = B->terminator();
  Value *Returned = Return->operand(0);
  if (auto *Load = llvm::dyn_cast<Instruction>(Returned)) {
    if (!Load->isPure() || &B->instructions().front() != Load)
      return false;
    Load->setFloating(isShortLoad(*Load));
  }
  S.give(DataItem::ReturnedObject, Returned);
  S.ReturnType = returnType(Host);
  return true;
}

Error SiteCodes::make(SiteCode &Code, Body &Host, Kind K,
                      ArrayRef<unsigned> List, const OriginalReturn *R) {
  Code.IR = std::make_unique<Body>(Host.classFile(), Host.method());
  Code.NumAdvices = unsigned(List.size());
  Body &F = *Code.IR;
  const bool Static = Host.method().is(ACC_STATIC);
  const bool Constructor = Host.Spliced->SuperEnd != 0;
  F.setNumSlots(Host.numSlots());
  if (!Static)
    F.setInitialLocals(F.types().ref(F.classFile().name()));
  Block *B = F.createBlock();
  SiteValues S;
  S.HasThis = !Static;
  Builder Bd(F);
  Bd.setEnd(B);
  if (K >= Catch) {
    F.setHandler(B, F.types().ref("java/lang/Throwable"));
    F.setFrame(B, {});
    Value *Thrown = B->parameters()[0];
    S.give(DataItem::ExceptionObject, Thrown);
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
    S.give(DataItem::IsFinally, int32_t(K == Finally));
    S.give(DataItem::UnitNumber, 0);
    break;
  case BeforeSuper:
  case Behind:
    S.HasThis = !Static && !Constructor;
    S.HasReceiver = !Static && K == Behind;
    break;
  }
  if (R) {
    if (!makeReturn(Host, *R, B, S))
      return makeError("what it returns is unusual");
  } else if (K < Catch) {
    F.append(F.create(irop::Return, op::RETURN, Type::Void, {}), B);
  }
  Code.Continues = !R && K <= Finally;
  Placement P(F, C);
  for (unsigned N : List)
    P.emit(B->terminator(), N, S);
  C.invalidate(F, PreservedAnalyses::none());
  return P.problem();
}

/// Reports advices as placed, for the passes here.
namespace {
class Placed {
public:
  Placed(Body &F, PassContext &C, const SiteCodes::Plan &P)
      : F(F), C(C), Advices(C.get<ClassAdvices>()), P(P) {}

  /// \p List was placed at \p BCI.
  void add(ArrayRef<unsigned> List, int32_t BCI) {
    Total += unsigned(List.size());
    if (P.Probes.size() == 1 && !Advices.keepsSites())
      return;
    for (unsigned N : List) {
      const Advice &A = Advices.set().Advices[N];
      Sites.push_back({A.Probe, {A.Kind, BCI}});
    }
  }
  void report() {
    for (unsigned Probe : P.Probes) {
      unsigned Count = Sites.empty() ? Total : 0;
      std::vector<ReportRow::Site> Found;
      for (const auto &[Of, Where] : Sites)
        if (Of == Probe) {
          ++Count;
          if (Advices.keepsSites())
            Found.push_back(Where);
        }
      if (Count)
        Advices.reportPlaced(F.method(), Probe, Count, std::move(Found));
    }
  }
  unsigned Total = 0;

private:
  Body &F;
  PassContext &C;
  ClassAdvices &Advices;
  const SiteCodes::Plan &P;
  llvm::SmallVector<std::pair<unsigned, ReportRow::Site>, 8> Sites;
};
} // namespace

llvm::Expected<unsigned> jopt::spliceEntries(Body &F, PassContext &C) {
  auto &Codes = C.get<SiteCodes>();
  const SiteCodes::Plan &P = Codes.plan(F.method());
  auto Code = Codes.get(F, P, SiteCodes::Entry);
  if (!Code)
    return Code.takeError();
  F.Spliced->Entry = &*Code;
  Placed Report(F, C, P);
  Report.add(P.Entries, 0);
  Report.report();
  return Report.Total;
}

llvm::Expected<std::pair<unsigned, unsigned>>
jopt::spliceExits(Body &F, PassContext &C) {
  auto &Codes = C.get<SiteCodes>();
  const SiteCodes::Plan &P = Codes.plan(F.method());
  Splice &S = *F.Spliced;
  Placed Report(F, C, P);
  const bool AtHandlers = !S.Sites.empty();
  if (!P.Returns.empty()) {
    for (const OriginalReturn &R : S.Returns) {
      const bool Gives = P.TakesReturned && S.Code.Code[R.BCI] != op::RETURN;
      auto Code = Codes.get(F, P, SiteCodes::Return, Gives ? &R : nullptr);
      if (!Code)
        return Code.takeError();
      S.Sites.push_back({R.Load, R.BCI + 1, Gives, &*Code});
      Report.add(P.Returns, int32_t(R.BCI));
    }
    if (AtHandlers)
      llvm::sort(S.Sites, [](const CodeSite &L, const CodeSite &R) {
        return L.BCI < R.BCI;
      });
    for (size_t I = 1; I < S.Sites.size(); ++I)
      if (S.Sites[I].BCI == S.Sites[I - 1].BCI)
        return makeError("two sites are at one place");
  }
  const unsigned NumExits = Report.Total;
  auto Cover = [&](uint32_t From, uint32_t To, SiteCodes::Kind K,
                   bool DeclaresThis) -> Error {
    auto Code = Codes.get(F, P, K);
    if (!Code)
      return Code.takeError();
    S.Handlers.push_back({From, To,
                          K == SiteCodes::BeforeSuper ? MadeHandler::UninitThis
                          : DeclaresThis              ? MadeHandler::This
                                                      : MadeHandler::None,
                          &*Code});
    Report.add(P.Throws, -1);
    return Error::success();
  };
  const bool Constructor = S.SuperEnd != 0;
  // What runs from one covered place to another may be stopped there.
  const bool MayLeave = S.MayThrow || S.Loops || AtHandlers ||
                        (S.LoopsToReturn && P.Returns.empty());
  if (!P.Throws.empty() && Constructor && S.MayThrowBeforeSuper)
    if (Error E = Cover(0, S.SuperCall, SiteCodes::BeforeSuper, false))
      return E;
  if (!P.Throws.empty() && MayLeave) {
    const bool Names = P.ReceiverAtExits || (!Constructor && P.ThisAtExits);
    if (Error E = Cover(S.SuperEnd, uint32_t(S.Code.Code.size()),
                        SiteCodes::Behind, Names && !F.method().is(ACC_STATIC)))
      return E;
  }
  Report.report();
  if (Constructor) {
    ReportRow Row;
    Row.What = ReportRow::NoSuperExit;
    C.remark(F.method(), "exceptions out of super() or this() give no exit");
    C.report(F.method(), std::move(Row));
  }
  return std::pair(NumExits, Report.Total - NumExits);
}

llvm::Expected<unsigned> jopt::spliceHandlers(Body &F, PassContext &C) {
  auto &Codes = C.get<SiteCodes>();
  const SiteCodes::Plan &P = Codes.plan(F.method());
  Splice &S = *F.Spliced;
  llvm::SmallVector<std::pair<uint32_t, bool>, 8> Targets; // finally
  for (const CodeView::Handler &H : S.Code.Handlers)
    if (llvm::none_of(Targets,
                      [&](const auto &T) { return T.first == H.Target; }))
      Targets.push_back({H.Target, H.CatchType == 0});
  llvm::sort(Targets);
  Placed Report(F, C, P);
  for (const auto &[BCI, IsFinally] : Targets) {
    if (BCI <= S.SuperEnd)
      return makeError("a handler is where all code begins");
    // What is thrown there must not come back: see OwnHandlers.h.
    if (llvm::any_of(S.Code.Handlers, [At = BCI](const CodeView::Handler &H) {
          return H.Target == At && H.Start <= At && At < H.End;
        }))
      return makeError("a handler covers its own beginning");
    auto Code =
        Codes.get(F, P, IsFinally ? SiteCodes::Finally : SiteCodes::Catch);
    if (!Code)
      return Code.takeError();
    S.Sites.push_back({BCI, BCI, false, &*Code});
    Report.add(P.Handlers, int32_t(BCI));
  }
  Report.report();
  return unsigned(Targets.size());
}
