//===- LinkedPoints.cpp - Points that record when they are linked ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkedPoints.h"
#include "jopt/Bytecode/ControlFlow.h"

using namespace jopt;
using namespace jopt::coverage;

/// Code of \p F, apart from that which initialises objects and the class, may
/// write to a final field of its own.
static bool writesFinals(const ClassFile &F) {
  llvm::SmallVector<const Field *, 16> Finals;
  for (const Field &Of : F.Fields)
    if (Of.is(ACC_FINAL))
      Finals.push_back(&Of);
  // A reference may name a subclass.
  auto Matches = [&](const DecodedInst &I) {
    const MemberRef R = F.Pool.member(I.Index);
    return llvm::any_of(Finals, [&](const Field *Of) {
      return Of->is(ACC_STATIC) == (I.Op == op::PUTSTATIC) &&
             F.name(*Of) == R.Name && F.descriptor(*Of) == R.Descriptor;
    });
  };
  return !Finals.empty() && llvm::any_of(F.Methods, [&](const Method &M) {
    const Bytes Code = M.code(F.Pool);
    const llvm::StringRef Name = F.name(M);
    const Opcode Initialises = Name == "<init>"     ? op::PUTFIELD
                               : Name == "<clinit>" ? op::PUTSTATIC
                                                    : op::NOP;
    DecodedInst I;
    for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end())
      if ((I.Op == op::PUTFIELD || I.Op == op::PUTSTATIC) &&
          I.Op != Initialises && Matches(I))
        return true;
    return false;
  });
}

void jopt::raiseForConstants(ClassFile &F) {
  constexpr unsigned First = 52; // interfaces have code from there on
  if (F.Major < First || F.Major >= FirstWithConstants || writesFinals(F))
    return;
  for (llvm::StringRef Name : {"NestHost", "NestMembers"})
    if (ClassFile::findAttribute(F.Pool, F.Attributes, Name))
      return;
  F.Major = FirstWithConstants;
}

/// The pool of \p F has room for \p Points linked points, and for all that
/// others need behind them: numbers of elements above those of sipush, for
/// stores, and some entries for other passes.
static bool hasRoom(const ClassFile &F, const CoveragePlan &P, size_t Points) {
  constexpr size_t ForPoint = 2, ForOthers = 4096, ShortNumbers = 32768;
  const size_t Elements = P.Count;
  return F.Pool.size() + ForPoint * Points + ForOthers +
             (Elements - std::min(Elements, ShortNumbers)) <=
         UINT16_MAX;
}

PointCode jopt::pointCodeFor(const ClassFile &F, const CoveragePlan &P,
                             const CoveragePlan::OfMethod &M,
                             PointCode Wanted) {
  if (P.Kind != Elements::Bits || !hasRoom(F, P, M.Points.size()))
    return PointCode::Stores;
  if (Wanted == PointCode::Constants && F.Major < FirstWithConstants)
    Wanted = PointCode::Sites;
  if (Wanted == PointCode::Sites && F.Major < FirstWithCallSites)
    Wanted = PointCode::Stores;
  return Wanted;
}

namespace {

/// Which points of one method may be linked.
class LinkablePoints {
public:
  /// Nothing may if \p Code is malformed.
  explicit LinkablePoints(const CodeView &Code) : Code(Code) {
    if (!Leaders.scan(Code.Code, Code.Handlers) ||
        errorToBool(Graph.build(Leaders, HandlerEdges::None)))
      return;
    Reached = Graph.findReached();
  }

  bool mayLink(const ProbePoint &P) {
    return !Reached.empty() && Reached[Graph.at(P.From).number()] &&
           !crossesRange(P) && !entersRange(P);
  }

private:
  bool crossesRange(const ProbePoint &P) const;
  bool entersRange(const ProbePoint &P) const;

  const CodeView &Code;
  CodeLeaders Leaders;
  CodeGraph Graph;
  llvm::BitVector Reached; ///< without exceptions, by number of the block
};

} // namespace

/// A range covers one side of \p P alone. Where it ends, a `finally` often
/// begins whose code throws nothing.
bool LinkablePoints::crossesRange(const ProbePoint &P) const {
  return llvm::any_of(Code.Handlers, [&](const CodeView::Handler &H) {
    return H.covers(P.From) != H.covers(P.To);
  });
}

/// An exception range that does not cover the instruction in front of \p P
/// begins behind the point, before another instruction may throw.
bool LinkablePoints::entersRange(const ProbePoint &P) const {
  DecodedInst I;
  for (uint32_t At = P.To; decodeInst(Code.Code, At, I); At = I.end()) {
    if (llvm::any_of(Code.Handlers, [&](const CodeView::Handler &H) {
          return H.Start == At && !H.covers(P.To);
        }))
      return true;
    if (I.info().MayThrow || isLeaderBehind(I.info()))
      return false;
  }
  return false;
}

void jopt::linkPoints(CoveragePlan::OfMethod &M, const ClassFile &F,
                      const Method &Of, const CodeView &Code) {
  if (F.name(Of) == "<clinit>" || !M.Plan.has(MethodPlan::Store))
    return;
  // Code without handlers is reached by no exception, and enters no range.
  std::optional<LinkablePoints> Points;
  if (!Code.Handlers.empty())
    Points.emplace(Code);
  for (auto [Action, Point] : llvm::zip(M.Plan.Actions, M.Points))
    if (Action == MethodPlan::Store && (!Points || Points->mayLink(Point)))
      Action = MethodPlan::Link;
}

llvm::Expected<PointLinks> jopt::addPointLinks(ClassFile &F,
                                               const CoveragePlan &P,
                                               const CoveragePlan::OfMethod &M,
                                               PointCode How,
                                               llvm::StringRef Name) {
  PointLinks Links(M.Points.size());
  for (size_t N = 0; N < M.Points.size(); ++N) {
    if (M.Plan.Actions[N] != MethodPlan::Link)
      continue;
    PointLink &L = Links[N];
    auto Bootstrap =
        addPointBootstrap(F, P, Name, M.Elements[N], How == PointCode::Sites);
    if (!Bootstrap)
      return Bootstrap.takeError();
    const bool IsConstant = How == PointCode::Constants;
    CPEntry Entry;
    Entry.Tag = IsConstant ? CPTag::Dynamic : CPTag::InvokeDynamic;
    Entry.A = L.Bootstrap = *Bootstrap;
    // C1 and C2 had faults with constants of an array type (JDK-8339694).
    Entry.B =
        F.Pool.addNameAndType(Name, IsConstant ? "Ljava/lang/Object;" : "()V");
    L.Op = IsConstant ? op::LDC : op::INVOKEDYNAMIC;
    L.Index = F.Pool.addEntry(Entry);
  }
  return Links;
}
