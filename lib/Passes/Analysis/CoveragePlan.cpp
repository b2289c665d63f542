//===- CoveragePlan.cpp - What coverage records of a class ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Coverage/MethodGraph.h"
#include "jopt/Coverage/Rules.h"
#include "jopt/Passes/Dispatch.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/MathExtras.h"

using namespace jopt;
using namespace jopt::coverage;

ServiceKey KnownElements::Key;
ServiceKey MeasuredEdges::Key;

namespace {

/// The plan of one strategy is an analysis of its own.
template <Strategy S> struct PlanOf {
  static inline AnalysisKey Key;
  static PlanOf run(const ClassFile &F, PassContext &C);
  CoveragePlan Plan;
};

class ClassPlanner {
public:
  ClassPlanner(Strategy S, const ClassFile &F, const KnownElements *Known);

  CoveragePlan run();

private:
  Strategy strategyFor(const Method &M, Bytes Code) const;
  bool endsProgram(Bytes Code) const;
  llvm::Error add(const Method &M);
  void addRules(const MethodPoints &Points, const CoveragePlan::OfMethod &Of);
  void number(CoveragePlan::OfMethod &Of);
  void leaveKnown(CoveragePlan::OfMethod &Of) const;

  const Strategy S;
  const ClassFile &F;
  const KnownElements *Known; ///< null: nothing
  MethodGraphs Graphs;
  /// The methods of the pool that end the program without returning.
  llvm::SmallVector<unsigned, 1> Exits;
  CoveragePlan P;
  ClassRules Rules;
};

} // namespace

/// \p S has positions, which only handlers see.
static bool hasPositions(Strategy S) {
  return S == Strategy::Pos || S == Strategy::Begun || S == Strategy::Mask;
}

/// The pool of \p F has a Class entry whose name \p Fits. There are few such
/// entries, compared with those of members.
static bool namesClass(const ClassFile &F,
                       llvm::function_ref<bool(llvm::StringRef)> Fits) {
  return llvm::any_of(F.Pool.entries(), [&](const CPEntry &E) {
    return E.Tag == CPTag::Class && Fits(F.Pool.utf8(E.A));
  });
}

ClassPlanner::ClassPlanner(Strategy S, const ClassFile &F,
                           const KnownElements *Known)
    : S(S), F(F), Known(Known), Graphs(getStrategyInfo(S).Points, F) {
  if (!hasPositions(S))
    return;
  constexpr llvm::StringLiteral System = "java/lang/System",
                                Runtime = "java/lang/Runtime";
  if (!namesClass(F, [&](llvm::StringRef Name) {
        return Name == System || Name == Runtime;
      }))
    return;
  for (unsigned I = 1; I < F.Pool.size(); ++I)
    if (F.Pool.has(I, CPTag::Methodref)) {
      const MemberRef M = F.Pool.member(I);
      if ((M.Owner == System && M.Name == "exit") ||
          (M.Owner == Runtime && (M.Name == "exit" || M.Name == "halt")))
        Exits.push_back(I);
    }
}

bool ClassPlanner::endsProgram(Bytes Code) const {
  if (Exits.empty())
    return false;
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end())
    if (I.info().Cat == op::CatInvoke && llvm::is_contained(Exits, I.Index))
      return true;
  return false;
}

/// That of \p M: what a program or a thread begins with, and what calls
/// System.exit, is running when the program ends so, and what is in slots is
/// not seen then.
Strategy ClassPlanner::strategyFor(const Method &M, Bytes Code) const {
  return hasPositions(S) && (isOutermost(F, M) || endsProgram(Code))
             ? Strategy::Min
             : S;
}

/// Takes the actions away whose elements are known. A position that is not set
/// leaves one that was set before, and was passed as well.
void ClassPlanner::leaveKnown(CoveragePlan::OfMethod &Of) const {
  for (auto [Action, Element] : llvm::zip(Of.Plan.Actions, Of.Elements))
    if (Element < Known->Elements.size() && Known->Elements.test(Element))
      Action = MethodPlan::Nothing;
  if (!Of.Plan.has(MethodPlan::Mark) && !Of.Plan.has(MethodPlan::Bit))
    Of.Plan.Handlers.clear();
}

/// Gives the points of a method with actions their elements: bits of a mask in
/// one word.
void ClassPlanner::number(CoveragePlan::OfMethod &Of) {
  const llvm::ArrayRef<MethodPlan::Action> Actions = Of.Plan.Actions;
  Of.Elements.assign(Actions.size(), 0);
  const auto Bits = unsigned(llvm::count(Actions, MethodPlan::Bit));
  if (P.Count % MethodPlan::MostBits + Bits > MethodPlan::MostBits)
    P.Count = unsigned(llvm::alignTo(P.Count, MethodPlan::MostBits));
  for (const bool AreBits : {true, false})
    for (size_t N = 0; N < Actions.size(); ++N)
      if (Actions[N] != MethodPlan::Nothing &&
          (Actions[N] == MethodPlan::Bit) == AreBits)
        Of.Elements[N] = P.Count++;
}

/// Plans \p M, with numbers of points as if it were alone.
llvm::Error ClassPlanner::add(const Method &M) {
  const int At = M.codeAttribute(F.Pool);
  if (At < 0)
    return llvm::Error::success();
  CodeView Code;
  if (llvm::Error E = parseCode(F, M.Attributes[size_t(At)].Data, Code))
    return E;
  const Strategy Own = strategyFor(M, Code.Code);
  // Most code is straight, and needs no graph; in front of super() no handler
  // sees a line.
  std::optional<MethodPoints> Straight;
  if (Own == Strategy::Pos)
    Straight = findStraightPoints(F, Code);
  if (Straight && Straight->NumProbes > 1 && F.name(M) == "<init>")
    Straight.reset();
  MethodPoints Points;
  if (Straight)
    Points = std::move(*Straight);
  else if (llvm::Error E = Graphs.findPoints(M, Code).moveInto(Points))
    return E;
  if (Points.Points.empty())
    return llvm::Error::success();
  CoveragePlan::OfMethod &Of = P.Methods[&M];
  if (Straight) {
    Of.Plan = planStraight(Points.NumProbes);
  } else {
    auto Graph = Graphs.makeGraph(M, Code, Points.Points);
    if (!Graph)
      return Graph.takeError();
    Of.Plan = planMethod(Own, *Graph);
  }
  number(Of);
  Of.NumProbes = Points.NumProbes;
  Of.Points = std::move(Points.Points);
  return llvm::Error::success();
}

/// Adds those of a method, all of whose numbers are known.
void ClassPlanner::addRules(const MethodPoints &Points,
                            const CoveragePlan::OfMethod &Of) {
  for (uint32_t N = 0; N < Of.Points.size(); ++N) {
    Rule &R = Rules.Rules[Points.numberOf(N)];
    if (Of.Plan.Actions[N] != MethodPlan::Nothing)
      R.Element = Of.Elements[N];
    for (uint32_t Other : Of.Plan.Told[N])
      R.Points.push_back(Points.numberOf(Other));
  }
}

/// The class gets an array already, itself or from one that is beside it.
static bool isCovered(const ClassFile &F) {
  constexpr llvm::StringLiteral Link = "jopt/boot/Link", Holder = "$jopt";
  auto MayLink = [&](llvm::StringRef Owner) {
    return Owner == Link ||
           (Owner.consume_front(F.name()) && Owner.starts_with(Holder));
  };
  if (!namesClass(F, MayLink))
    return false;
  for (unsigned I = 1; I < F.Pool.size(); ++I)
    if (F.Pool.has(I, CPTag::Methodref)) {
      const MemberRef M = F.Pool.member(I);
      if (MayLink(M.Owner) &&
          (M.Owner != Link || M.Name.starts_with("coverage") ||
           M.Name == "reached"))
        return true;
    }
  return false;
}

bool CoveragePlan::isRefused(const ClassFile &F) {
  if (!canAskLink(F.name())) {
    Problem = "classes of java.*, jdk.* and sun.* are not covered: linking "
              "what coverage needs runs them";
    return true;
  }
  if (!isCovered(F))
    return false;
  ProblemKind = ReportRow::Present;
  // One that is beside another is no part of the program, and the agent records
  // the arrays of JaCoCo's agent.
  const bool HasOther = llvm::any_of(F.Pool.entries(), [](const CPEntry &E) {
    return E.Tag == CPTag::Utf8 && E.text() == "coverageOfOther";
  });
  if (!(F.Access & ACC_SYNTHETIC) && !HasOther)
    Problem = "is covered already";
  return true;
}

CoveragePlan ClassPlanner::run() {
  if (P.isRefused(F))
    return std::move(P);
  P.Kind = getStrategyInfo(S).Kind;
  // Where a method has passed no line yet its position is element 0.
  P.Count = hasPositions(S);
  P.Methods.reserve(unsigned(F.Methods.size()));
  for (const Method &M : F.Methods)
    if (llvm::Error E = add(M)) {
      P.Methods.clear();
      P.Problem = "has no coverage, because of " + toDisplayUTF8(F.name(M)) +
                  toDisplayUTF8(F.descriptor(M)) + ": " +
                  toMessage(std::move(E));
      return std::move(P);
    }
  uint32_t Count = 0;
  for (const auto &[M, Of] : P.Methods) {
    Rules.NumProbes += Of.NumProbes;
    Count += uint32_t(Of.Points.size());
  }
  Rules.Rules.resize(Count);
  MethodPoints Numbers;
  Numbers.FirstOther = Rules.NumProbes;
  for (const Method &M : F.Methods) {
    auto It = P.Methods.find(&M);
    if (It == P.Methods.end())
      continue;
    CoveragePlan::OfMethod &Of = It->second;
    Numbers.NumProbes = Of.NumProbes;
    addRules(Numbers, Of);
    Numbers.FirstProbe += Of.NumProbes;
    Numbers.FirstOther += uint32_t(Of.Points.size()) - Of.NumProbes;
    if (Known)
      leaveKnown(Of);
  }
  if (S != Strategy::JaCoCo && S != Strategy::JaCoCoCounts)
    P.Rules = encodeRules(Rules);
  if (!F.Original.empty())
    P.Id = classId(F.Original);
  return std::move(P);
}

template <Strategy S>
PlanOf<S> PlanOf<S>::run(const ClassFile &F, PassContext &C) {
  return {ClassPlanner(S, F, C.find<KnownElements>()).run()};
}

const CoveragePlan &CoveragePlan::get(Strategy S, PassContext &C) {
  switch (S) {
  case Strategy::JaCoCo:
    return C.analysis<PlanOf<Strategy::JaCoCo>>(C.classFile()).Plan;
  case Strategy::JaCoCoCounts:
    return C.analysis<PlanOf<Strategy::JaCoCoCounts>>(C.classFile()).Plan;
  case Strategy::Dom:
    return C.analysis<PlanOf<Strategy::Dom>>(C.classFile()).Plan;
  case Strategy::Min:
    return C.analysis<PlanOf<Strategy::Min>>(C.classFile()).Plan;
  case Strategy::Mask:
    return C.analysis<PlanOf<Strategy::Mask>>(C.classFile()).Plan;
  case Strategy::Pos:
    return C.analysis<PlanOf<Strategy::Pos>>(C.classFile()).Plan;
  case Strategy::Begun:
    return C.analysis<PlanOf<Strategy::Begun>>(C.classFile()).Plan;
  case Strategy::Entered:
    return C.analysis<PlanOf<Strategy::Entered>>(C.classFile()).Plan;
  case Strategy::Blocks:
    return C.analysis<PlanOf<Strategy::Blocks>>(C.classFile()).Plan;
  }
  llvm_unreachable("all strategies are listed");
}
