//===- TracedEvents.cpp - The events of a traced class --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Events are found in the bytes of the original code, dead code included, so
/// that they and their numbers depend on nothing but the class and what is
/// asked for.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/TracedEvents.h"
#include "TracedHandlers.h"
#include "TracedSegments.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/CodeFacts.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <numeric>

using namespace jopt;
using namespace jopt::trace;
using llvm::StringRef;

namespace {
#define GET_TraceEventTable_IMPL
#include "jopt/Passes/TraceEvents.inc"
} // namespace

AnalysisKey TracedEvents::Key;
ServiceKey DeclarationSink::Key;

std::optional<unsigned> jopt::findTrace(const AdviceSet &Set) {
  for (unsigned P = 0; P < Set.Probes.size(); ++P)
    if (!Set.Probes[P].Trace.empty())
      return P;
  return std::nullopt;
}

/// The rows of \p Site, in their order.
static llvm::ArrayRef<EventInfo> eventsOf(uint16_t Site) {
  static const auto *Rows = [] {
    auto *By = new std::array<llvm::ArrayRef<EventInfo>, AbortSite + 1>;
    for (const EventInfo *I = std::begin(TraceEventTable), *Next;
         I != std::end(TraceEventTable); I = Next) {
      Next = std::find_if(
          I, std::end(TraceEventTable),
          [&](const EventInfo &Other) { return Other.Site != I->Site; });
      (*By)[I->Site] = {I, Next};
    }
    return By;
  }();
  return (*Rows)[Site];
}

namespace {

/// Finds the events of a class.
class EventFinder {
public:
  EventFinder(const ClassFile &F, TracedEvents &Out)
      : F(F), Out(Out), D(Out.Declared), Letters(Out.Letters),
        Members(F.Pool.size()) {
    std::fill(std::begin(Kinds), std::end(Kinds), NoKind);
  }

  void declare(const Method &M, bool Traced);

private:
  /// \p Letters has one of \p Any; none: always.
  bool asked(const char *Any) const {
    if (!*Any)
      return true;
    for (; *Any; ++Any)
      if (Letters.contains(*Any))
        return true;
    return false;
  }
  uint32_t string(StringRef S) {
    auto [It, New] = Strings.try_emplace(S, D.Strings.size());
    if (New)
      D.Strings.push_back(S.str());
    return It->second;
  }
  uint32_t kind(const EventInfo &I);
  void operands(const EventInfo &I, const DecodedInst &At);
  void add(const EventInfo &I, uint32_t BCI, const DecodedInst *At);
  void declareCatch(const CodeView &Code, uint32_t BCI);
  bool hasTooManyFlows(const CodeView &Code) const;
  void findFlows(const CodeView &Code);

  const ClassFile &F;
  TracedEvents &Out;
  ClassDeclarations &D;
  const StringRef Letters;
  llvm::StringMap<uint32_t> Strings;
  static constexpr uint32_t NoKind = ~0u;
  uint32_t Kinds[std::size(TraceEventTable)]; ///< by row
  /// Strings that name a member, and one more, by its pool entry; 0: not known
  /// yet.
  std::vector<std::array<uint32_t, 3>> Members;
  uint32_t NextNumber = 0;
  /// The method at work.
  MethodDeclaration *Into = nullptr;
  TracedEvents::MethodEvents *Events = nullptr;
  int32_t Line = -1;
};

} // namespace

static StringRef operandLetters(OperandsEnum Ops) {
  switch (Ops) {
  case NoOperands:
    return "";
  case MemberOperands:
    return "sss";
  case SlotOperand:
  case ValueOperand:
    return "n";
  case LdcOperand:
  case CaughtOperand:
    return "s";
  case ClassOperand:
  case ElementOperand:
  case PrimitiveOperand:
  case DimensionsOperand:
    return "sn";
  }
  llvm_unreachable("all operands are listed");
}

uint32_t EventFinder::kind(const EventInfo &I) {
  uint32_t &Known = Kinds[&I - TraceEventTable];
  if (Known != NoKind)
    return Known;
  Known = uint32_t(D.Kinds.size());
  Kind K;
  K.Type = I.Type;
  K.Executed = I.Executed;
  K.Opcode = I.printed();
  K.Operands = operandLetters(I.Ops).str();
  K.Emit = I.Emit;
  K.Log = I.Log;
  D.Kinds.push_back(std::move(K));
  return Known;
}

void EventFinder::operands(const EventInfo &I, const DecodedInst &At) {
  auto Text = [&](StringRef S) { Into->Operands.push_back({0, string(S)}); };
  auto Number = [&](int32_t N) { Into->Operands.push_back({N, 0}); };
  switch (I.Ops) {
  case NoOperands:
  case CaughtOperand: // of no instruction
    return;
  case MemberOperands: {
    // Entry 0 is what is outside of the pool, too.
    auto &[Owner, Name, Descriptor] =
        Members[At.Index < Members.size() ? At.Index : 0];
    if (!Owner) {
      const MemberRef R = F.Pool.member(At.Index);
      Owner = string(R.Owner) + 1;
      Name = string(R.Name) + 1;
      Descriptor = string(R.Descriptor) + 1;
    }
    for (uint32_t Of : {Owner, Name, Descriptor})
      Into->Operands.push_back({0, Of - 1});
    return;
  }
  case SlotOperand:
    return Number(int32_t(At.Index));
  case ValueOperand:
    return Number(At.Value);
  case LdcOperand:
    return Text(At.info().results() == "w" ? "$ldc_16$" : "$ldc_8$");
  case ClassOperand:
    Text(F.Pool.className(At.Index));
    return Number(0);
  case ElementOperand:
    Text(F.Pool.className(At.Index));
    return Number(1);
  case PrimitiveOperand:
    Text(arrayTypeDescriptor(At.Index).drop_front());
    return Number(1);
  case DimensionsOperand:
    Text(F.Pool.className(At.Index));
    return Number(At.Value);
  }
}

/// An event of the method at work; \p At: the instruction, null if it has none.
void EventFinder::add(const EventInfo &I, uint32_t BCI, const DecodedInst *At) {
  Event E;
  E.Kind = kind(I);
  E.Line = Line;
  E.BCI = BCI;
  E.FirstOperand = uint32_t(Into->Operands.size());
  if (At)
    operands(I, *At);
  Into->Events.push_back(E);
  Events->Sites.push_back({BCI, NextNumber++, &I});
}

/// Exceptions alone make more edges between instructions than CodeGraph takes
/// between blocks.
bool EventFinder::hasTooManyFlows(const CodeView &Code) const {
  if (!D.hasOption("control") || Code.Handlers.empty())
    return false;
  std::vector<uint32_t> Before(Code.Code.size() + 1); // instructions, by index
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end())
    Before[At + 1] = 1;
  std::partial_sum(Before.begin(), Before.end(), Before.begin());
  size_t Flows = 0;
  for (const CodeView::Handler &H : Code.Handlers)
    if (H.Start < H.End && H.End < Before.size())
      Flows += Before[H.End] - Before[H.Start];
  return Flows > CodeGraph::MostEdges;
}

/// The edges between instructions: option `control`.
void EventFinder::findFlows(const CodeView &Code) {
  auto Edge = [&](const DecodedInst &From, uint32_t To, bool Exceptional) {
    DecodedInst T;
    if (!decodeInst(Code.Code, To, T))
      return;
    Into->Flows.push_back({int32_t(From.BCI), From.info().Canonical,
                           int32_t(To), T.info().Canonical, Exceptional});
  };
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end()) {
    if (!I.info().EndsBlock)
      Edge(I, I.end(), false);
    I.forEachTarget([&](int32_t To) { Edge(I, uint32_t(To), false); });
    for (const CodeView::Handler &H : Code.Handlers)
      if (H.covers(At))
        Edge(I, H.Target, true);
  }
}

/// An exception arrives at the handler at \p BCI, if there is one.
void EventFinder::declareCatch(const CodeView &Code, uint32_t BCI) {
  const auto *H = llvm::find_if(Code.Handlers, [&](const CodeView::Handler &H) {
    return H.Target == BCI;
  });
  if (H == Code.Handlers.end())
    return;
  add(eventsOf(CatchSite).front(), BCI, nullptr);
  Into->Operands.push_back(
      {0, string(H->CatchType ? F.Pool.className(H->CatchType) : "")});
}

void EventFinder::declare(const Method &M, bool Traced) {
  Into = &D.Methods.emplace_back();
  Into->Name = string(F.name(M));
  Into->Descriptor = string(F.descriptor(M));
  Into->Access = M.Access;
  Events = &Out.Methods[&M];
  CodeView Code;
  if (!Traced || methodIs(F, M, ACC_ABSTRACT))
    return;
  if (llvm::Error E = parseCode(F, originalCode(F, M), Code)) {
    llvm::consumeError(std::move(E)); // the reader says so
    return;
  }

  // About so many there are.
  Into->Events.reserve(Code.Code.size() / 2 + 4);
  Events->Sites.reserve(Code.Code.size() / 2 + 4);
  const bool Constructor = F.name(M) == "<init>";
  CodeBeforeSuper Uninitialized;
  if (Constructor)
    Uninitialized = findCodeBeforeSuper(F, Code);
  if (Constructor && Uninitialized.Calls != 1) {
    Events->LeftOut = "the constructor has no call of super() or this(), or "
                      "several: its events would not be those of one object";
    return;
  }
  if (hasTooManyFlows(Code)) {
    Events->LeftOut = toMessage(tooManyEdges());
    return;
  }
  const llvm::BitVector &Before = Uninitialized.Code;
  Into->HasEvents = Events->IsTraced = true;
  Line = -1;
  Events->Enter = NextNumber;
  add(eventsOf(Constructor      ? EnterConstructor
               : isStatic(F, M) ? EnterStatic
                                : EnterInstance)
          .front(),
      0, nullptr);
  const bool Exceptional = D.hasOption("exceptional");
  if (Exceptional) {
    Events->Abort = NextNumber;
    add(eventsOf(AbortSite).front(), 0, nullptr);
  }
  Events->Sites.clear(); // these are at no instruction

  auto Lines = lineEntries(F, Code);
  llvm::stable_sort(Lines, [](const LineEntry &L, const LineEntry &R) {
    return L.Start < R.Start;
  });
  const LineEntry *NextLine = Lines.begin();
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end()) {
    const bool Counts = Before.empty() || !Before[At];
    if (Exceptional && Counts)
      declareCatch(Code, At);
    for (; NextLine != Lines.end() && NextLine->Start <= At; ++NextLine) {
      if (NextLine->Start != At)
        continue;
      Line = NextLine->Line;
      const EventInfo &Row = eventsOf(LineSite).front();
      if (Counts && asked(Row.Emit))
        add(Row, At, nullptr);
    }
    if (!Counts)
      continue;
    // Those behind it come after those in front of it.
    for (bool Behind : {false, true})
      for (const EventInfo &Row : eventsOf(I.info().Canonical))
        if (Row.Behind == Behind && asked(Row.Emit))
          add(Row, At, &I);
  }
  if (D.hasOption("control"))
    findFlows(Code);
  if (D.hasOption(ReconstructOption))
    Into->Segments = findSegments(F, M, Code, Before, *Events);
  if (!Events->Paths)
    Events->Handlers = findHandlers(F, Code, Before, Events->Sites, Letters);
}

TracedEvents TracedEvents::run(const ClassFile &F, PassContext &C) {
  TracedEvents R;
  auto &Advices = C.get<ClassAdvices>();
  std::optional<unsigned> Trace = findTrace(Advices.set());
  if (!Trace || F.isInterface())
    return R;
  ClassDeclarations &D = R.Declared;
  D.Options = Advices.set().Probes[*Trace].Trace;
  R.Letters = D.letters();
  D.Id = llvm::xxh3_64bits(F.Original.empty() ? toBytes(F.name()) : F.Original);
  D.Name = F.name().str();
  if (const Attribute *A =
          ClassFile::findAttribute(F.Pool, F.Attributes, "SourceFile");
      A && A->Data.size() == 2)
    D.SourceFile = F.Pool.utf8(readU2(A->Data.data())).str();
  D.Access = F.Access;
  EventFinder Finder(F, R);
  for (const Method *M : C.analysis<OriginalMethods>(F).Methods) {
    if (methodIs(F, *M, ACC_NATIVE))
      continue;
    bool Traced = llvm::any_of(Advices.advicesFor(*M), [&](unsigned N) {
      return Advices.set().Advices[N].Kind == AdviceKind::TraceEnter;
    });
    R.Any |= Traced;
    Finder.declare(*M, Traced);
  }
  R.Text = encode(D);
  return R;
}
