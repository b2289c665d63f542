//===- TestMethods.cpp - Methods made to be covered -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestMethods.h"
#include "jopt/Bytecode/Opcodes.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::coverage;

TestMethod &TestMethod::add(uint8_t Op, std::vector<unsigned> Targets) {
  Insts.push_back({Op, std::move(Targets)});
  return *this;
}
TestMethod &TestMethod::nop() { return add(op::NOP); }
TestMethod &TestMethod::call() { return add(Call); }
TestMethod &TestMethod::divide() { return add(op::IDIV); }
TestMethod &TestMethod::jumpIf(unsigned To) { return add(op::IFEQ, {To}); }
TestMethod &TestMethod::jump(unsigned To) { return add(op::GOTO, {To}); }
TestMethod &TestMethod::select(std::vector<unsigned> To) {
  return add(op::LOOKUPSWITCH, std::move(To));
}
TestMethod &TestMethod::leave() { return add(op::RETURN); }
TestMethod &TestMethod::raise() { return add(op::ATHROW); }
TestMethod &TestMethod::handler(unsigned Start, unsigned End, unsigned To,
                                bool All) {
  Ranges.push_back({Start, End, To, All});
  return *this;
}

bool TestMethod::fallsThrough(const Inst &I) const {
  return I.Op == op::NOP || I.Op == op::INVOKESTATIC || I.Op == op::IDIV ||
         I.Op == op::IFEQ;
}

void TestMethod::layOut() {
  uint32_t At = 0;
  for (Inst &I : Insts) {
    I.BCI = At;
    At += I.Op == op::LOOKUPSWITCH
              ? (4 - At % 4) + 8 + 8 * uint32_t(I.Targets.size() - 1)
          : I.Op == op::INVOKESTATIC || !I.Targets.empty() ? 3
                                                           : 1;
  }
  auto Put = [&](uint32_t V, unsigned Bytes) {
    while (Bytes--)
      Code.push_back(uint8_t(V >> 8 * Bytes));
  };
  for (const Inst &I : Insts) {
    Put(I.Op, 1);
    if (I.Op == op::LOOKUPSWITCH) {
      while (Code.size() % 4)
        Put(0, 1);
      Put(Insts[I.Targets[0]].BCI - I.BCI, 4);
      Put(uint32_t(I.Targets.size() - 1), 4);
      for (size_t C = 1; C < I.Targets.size(); ++C) {
        Put(uint32_t(C), 4);
        Put(Insts[I.Targets[C]].BCI - I.BCI, 4);
      }
    } else if (I.Op == op::INVOKESTATIC) {
      Put(0, 2);
    } else if (!I.Targets.empty()) {
      Put(Insts[I.Targets[0]].BCI - I.BCI, 2);
    }
  }
  View.Code = Code;
  const uint16_t Some = Class.Pool.addClass("java/lang/RuntimeException");
  for (const Range &R : Ranges)
    View.Handlers.push_back(
        {uint16_t(Insts[R.Start].BCI),
         uint16_t(R.End == Insts.size() ? Code.size() : Insts[R.End].BCI),
         uint16_t(Insts[R.To].BCI), uint16_t(R.All ? 0 : Some)});
  M.Access = ACC_STATIC;
  M.NameIndex = Class.Pool.addUtf8(Name);
  M.DescriptorIndex = Class.Pool.addUtf8("()V");
  auto Put2 = [&](size_t V) {
    LineTable.push_back(uint8_t(V >> 8));
    LineTable.push_back(uint8_t(V));
  };
  Put2(LineStarts.size());
  for (size_t L = 0; L < LineStarts.size(); ++L) {
    Put2(Insts[LineStarts[L]].BCI);
    Put2(L + 1);
  }
  View.Attributes.push_back(
      {Class.Pool.addUtf8("LineNumberTable"), Bytes(LineTable)});
}

void TestMethod::finish(PointSet Which) {
  layOut();
  MethodPoints All = llvm::cantFail(findPoints(Which, Class, M, View));
  Points = std::move(All.Points);
  NumProbes = All.NumProbes;
}

llvm::Expected<ProbeGraph> TestMethod::graph() const {
  return makeGraph(Class, M, View, Points);
}

std::optional<MethodPoints> TestMethod::straight() const {
  return findStraightPoints(Class, View);
}

llvm::Expected<std::vector<PathBlock>> TestMethod::blocks() const {
  return findBlocks(Class, M, View);
}

llvm::Expected<CodeEdges> TestMethod::edges() const {
  auto Found = findEdges(Class, M, View);
  // Conditions have no operands here: each is as one that depends on a slot.
  if (Found)
    for (CodeEdges::Range &R : Found->Code)
      R.Loads = R.Stores = 1;
  return Found;
}

std::optional<uint32_t> TestMethod::pointAt(ProbePoint::Kinds How,
                                            unsigned From, unsigned To) const {
  for (uint32_t P = 0; P < Points.size(); ++P)
    if (Points[P].Kind == How && Points[P].To == Insts[To].BCI &&
        (How == ProbePoint::Fall || Points[P].From == Insts[From].BCI))
      return P;
  return std::nullopt;
}

std::optional<std::vector<TestMethod::Event>>
TestMethod::run(std::mt19937 &Random, unsigned Failing, bool MayFail,
                std::vector<Step> *All) const {
  std::vector<Event> Events;
  auto Pass = [&](ProbePoint::Kinds How, unsigned From, unsigned To) {
    if (auto P = pointAt(How, From, To))
      Events.push_back({P});
  };
  unsigned Calls = 0;
  for (unsigned At = 0, Steps = 0; Steps < 60; ++Steps) {
    const Inst &I = Insts[At];
    if (All)
      All->push_back({I.BCI});
    Pass(ProbePoint::Arrive, At, At);
    const bool Leaves = I.Op == op::RETURN || I.Op == op::ATHROW;
    if (Leaves)
      Pass(ProbePoint::Leave, At, At);
    if (I.Op == op::RETURN)
      return Events;
    const bool Throws =
        I.Op == op::ATHROW ||
        ((I.Op == op::INVOKESTATIC || I.Op == op::IDIV) &&
         (Calls++ == Failing || (MayFail && Random() % 8 == 0)));
    if (Throws) {
      if (All)
        All->back().Throws = true;
      const Range *Caught = nullptr;
      for (const Range &R : Ranges)
        if (!Caught && R.Start <= At && At < R.End && (R.All || Random() % 2))
          Caught = &R;
      if (!Caught) {
        Events.push_back({std::nullopt, Thrown::OutOfMethod});
        return Events;
      }
      Events.push_back({std::nullopt, Thrown(Insts[Caught->To].BCI)});
      At = Caught->To;
      continue;
    }
    const size_t Ways = I.Targets.size() + fallsThrough(I);
    const size_t Way = Ways > 1 ? Random() % Ways : 0;
    const bool Jumps = Way < I.Targets.size();
    const unsigned To = Jumps ? I.Targets[Way] : At + 1;
    if (All)
      All->back().Jumps = Jumps;
    Pass(!Jumps                     ? ProbePoint::Fall
         : I.Op == op::LOOKUPSWITCH ? ProbePoint::Switch
                                    : ProbePoint::Jump,
         At, To);
    At = To;
  }
  return std::nullopt;
}

void jopt::coverage::makeRandomMethod(TestMethod &Into, std::mt19937 &Random,
                                      unsigned Size, PointSet Which) {
  const unsigned N = 2 + unsigned(Random()) % (Size - 1);
  // Mostly forwards.
  auto Target = [&](unsigned From) {
    return Random() % 4 && From + 1 < N
               ? From + 1 + unsigned(Random()) % (N - From - 1)
               : unsigned(Random()) % N;
  };
  for (unsigned I = 0; I + 1 < N; ++I) {
    if (Random() % 2)
      Into.line();
    switch (Random() % 12) {
    case 0:
    case 1:
      Into.nop();
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      Into.call();
      break;
    case 6:
    case 7:
    case 8:
      Into.jumpIf(Target(I));
      break;
    case 9:
      Into.jump(Target(I));
      break;
    case 10:
      Into.select({Target(I), Target(I), Target(I)});
      break;
    default:
      Random() % 3 ? Into.leave() : Into.raise();
      break;
    }
  }
  Into.leave();
  for (unsigned H = unsigned(Random()) % 5; H > 2; --H) {
    const unsigned Start = unsigned(Random()) % N;
    Into.handler(Start, Start + 1 + unsigned(Random()) % (N - Start),
                 unsigned(Random()) % N, Random() % 2);
  }
  Into.finish(Which);
}
