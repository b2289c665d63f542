//===- ScheduleCheck.cpp - Schedules run again ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleCheck.h"
#include <algorithm>
#include <map>

using namespace jopt;

namespace {
using Cell = const Value *;

class Machine {
public:
  Machine(const Schedule &S, const Body &F) : S(S), F(F) {}
  std::string run();

private:
  bool fail(const llvm::Twine &What) {
    if (Problem.empty())
      Problem = What.str();
    return false;
  }
  Cell physical(Cell V) const {
    for (auto It = Alias.find(V); It != Alias.end(); It = Alias.find(V))
      V = It->second;
    return V;
  }
  bool isAnchored(const Instruction &I) const {
    return !I.isPure() && I.op() != irop::Anchor && I.op() != irop::FallThrough;
  }
  void readIR(size_t From, size_t To);
  bool step(const CodeItem &It);
  bool instruction(const Instruction &I);
  bool stackOp(Opcode Op);
  bool pop(unsigned Slots);
  void set(unsigned Slot, Cell V, unsigned Width);

  const Schedule &S;
  const Body &F;
  std::string Problem;
  std::map<Cell, Cell> Alias;
  std::vector<Cell> Stack;
  std::vector<const Instruction *> Anchored; ///< of the region, in order
  size_t NextAnchored = 0;
  std::map<Cell, unsigned> VersionOfGet;
  std::map<unsigned, unsigned> Version; ///< sets of a slot so far
  std::map<unsigned, Cell> Content;
};
} // namespace

static unsigned versionOf(std::map<unsigned, unsigned> &Version,
                          const Instruction &Get) {
  unsigned V = Version[Get.index()];
  if (Get.type().isCategory2())
    V += Version[Get.index() + 1];
  return V;
}

/// What the blocks [From, To) mean.
void Machine::readIR(size_t From, size_t To) {
  Anchored.clear();
  NextAnchored = 0;
  VersionOfGet.clear();
  Version.clear();
  Content.clear();
  for (size_t N = From; N < To; ++N) {
    const Block &B = *S.Blocks[N].B;
    if (N != From)
      for (size_t P = 0; P < B.parameters().size(); ++P)
        Alias[B.parameters()[P]] = S.Blocks[N - 1].B->exitValues()[P];
    for (const Instruction &I : B.instructions()) {
      if (I.isInit())
        Alias[&I] = I.operand(0);
      if (I.op() == irop::LocalGet)
        VersionOfGet[&I] = versionOf(Version, I);
      if (I.op() == irop::LocalSet || I.op() == irop::LocalInc) {
        ++Version[I.index()];
        if (I.op() == irop::LocalSet && I.operand(0)->type().isCategory2())
          ++Version[I.index() + 1];
      }
      if (isAnchored(I))
        Anchored.push_back(&I);
    }
  }
  Version.clear();
}

bool Machine::pop(unsigned Slots) {
  while (Slots) {
    if (Stack.empty() || Stack.back()->type().slots() > Slots)
      return fail("pop of half a value, or of nothing");
    Slots -= Stack.back()->type().slots();
    Stack.pop_back();
  }
  return true;
}

bool Machine::stackOp(Opcode Op) {
  if (Op == op::POP || Op == op::POP2)
    return pop(Op == op::POP ? 1 : 2);
  // Number of cells in `Slots` slots from depth `From` on; 0 if it splits one.
  auto Cells = [&](size_t From, unsigned Slots) -> size_t {
    size_t N = 0;
    while (Slots && From + N < Stack.size()) {
      unsigned Wide = Stack[Stack.size() - 1 - From - N]->type().slots();
      if (Wide > Slots)
        return 0;
      Slots -= Wide;
      ++N;
    }
    return Slots ? 0 : N;
  };
  if (Op == op::SWAP) {
    if (Cells(0, 1) != 1 || Cells(1, 1) != 1)
      return fail("swap does not fit");
    std::swap(Stack[Stack.size() - 1], Stack[Stack.size() - 2]);
    return true;
  }
  unsigned Slots = Op >= op::DUP2 ? 2 : 1;
  unsigned Under = (Op - op::DUP) % 3;
  size_t Group = Cells(0, Slots);
  size_t Below = Under ? Cells(Group, Under) : 0;
  if (!Group || (Under && !Below))
    return fail("dup does not fit");
  std::vector<Cell> Copy(Stack.end() - Group, Stack.end());
  Stack.insert(Stack.end() - Group - Below, Copy.begin(), Copy.end());
  return true;
}

void Machine::set(unsigned Slot, Cell V, unsigned Width) {
  Content[Slot] = V;
  ++Version[Slot];
  if (Width == 2) {
    Content[Slot + 1] = nullptr;
    ++Version[Slot + 1];
  }
}

bool Machine::instruction(const Instruction &I) {
  if (I.isPure()) {
    if (I.op() == irop::LocalGet && versionOf(Version, I) != VersionOfGet[&I])
      return fail("value " + llvm::Twine(I.id()) +
                  " is read after its slot changed");
    Stack.push_back(&I);
    return true;
  }
  // A drop of a value that is not on the stack needs no code.
  while (NextAnchored < Anchored.size() && Anchored[NextAnchored] != &I &&
         Anchored[NextAnchored]->op() == irop::Drop)
    ++NextAnchored;
  if (NextAnchored == Anchored.size() || Anchored[NextAnchored] != &I)
    return fail("value " + llvm::Twine(I.id()) + " is out of order");
  ++NextAnchored;
  size_t N = I.operands().size();
  if (Stack.size() < N)
    return fail("stack underflow");
  for (size_t K = 0; K < N; ++K)
    if (Stack[Stack.size() - N + K] != physical(I.operand(K)))
      return fail("value " + llvm::Twine(I.id()) + " has a wrong operand");
  Stack.resize(Stack.size() - N);
  if (I.op() == irop::LocalSet)
    set(I.index(), physical(I.operand(0)), I.operand(0)->type().slots());
  else if (I.op() == irop::LocalInc)
    set(I.index(), nullptr, 1);
  if (!I.type().isVoid() && !I.isInit())
    Stack.push_back(&I);
  return true;
}

bool Machine::step(const CodeItem &It) {
  switch (It.Kind) {
  case CodeItem::Inst:
    return instruction(*S.Insts[It.Arg].I);
  case CodeItem::StackOp:
    return stackOp(It.Op);
  case CodeItem::Load:
    if (!Content[It.Arg])
      return fail("load of slot " + llvm::Twine(It.Arg) + ", which is not set");
    Stack.push_back(Content[It.Arg]);
    return true;
  case CodeItem::Store:
    if (It.Arg < F.numSlots())
      return fail("a spill overwrites slot " + llvm::Twine(It.Arg));
    if (It.Arg >= S.MaxLocals)
      return fail("a spill beyond max_locals");
    if (Stack.empty())
      return fail("stack underflow");
    set(It.Arg, Stack.back(), Stack.back()->type().slots());
    Stack.pop_back();
    return true;
  }
  return true;
}

std::string Machine::run() {
  uint32_t Pos = 0;
  for (size_t From = 0, To; From < S.Blocks.size(); From = To) {
    for (To = From + 1; To < S.Blocks.size() && S.Blocks[To].Joined;)
      ++To;
    readIR(From, To);
    auto Params = S.Blocks[From].B->parameters();
    Stack.assign(Params.begin(), Params.end());
    size_t End = To < S.Blocks.size() ? S.Blocks[To].FirstItem : S.Items.size();
    for (size_t N = S.Blocks[From].FirstItem; N < End; ++N) {
      if (S.Items[N].Pos < Pos)
        fail("positions decrease");
      Pos = S.Items[N].Pos;
      if (!step(S.Items[N]))
        return "block " + std::to_string(S.Blocks[From].B->id()) + ": " +
               Problem;
    }
    while (NextAnchored < Anchored.size() &&
           Anchored[NextAnchored]->op() == irop::Drop)
      ++NextAnchored;
    if (NextAnchored != Anchored.size())
      fail("value " + llvm::Twine(Anchored[NextAnchored]->id()) +
           " is missing");
    const Block &Last = *S.Blocks[To - 1].B;
    IROp T = Last.terminator()->op();
    if (T != irop::Return && T != irop::Throw) {
      if (Stack.size() != Last.exitValues().size())
        fail("the stack at the end has another depth");
      for (size_t K = 0; K < Last.exitValues().size() && Problem.empty(); ++K)
        if (Stack[K] != physical(Last.exitValues()[K]))
          fail("the stack at the end differs");
    }
    if (!Problem.empty())
      return "block " + std::to_string(S.Blocks[From].B->id()) + ": " + Problem;
  }
  return {};
}

std::string jopt::checkSchedule(const Schedule &S, const Body &F) {
  return Machine(S, F).run();
}
