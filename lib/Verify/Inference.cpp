//===- Inference.cpp - Type inference (4.10.2) ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Data flow over the frames at the starts of blocks. Code that is not reached
/// is not typed. Subroutines follow 4.10.2.5: beside the frame goes the list of
/// the subroutines the code is in, outermost first, each with the locals it
/// used so far; where ret returns to, the other locals are those of the jsr.
///
//===----------------------------------------------------------------------===//

#include "CodeVerifier.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <queue>

using namespace jopt;
using namespace jopt::verify;
using llvm::Twine;

namespace {

/// A list of subroutines; 0 is empty.
using Chain = uint32_t;

struct State {
  Frame F;
  Chain In = 0;
  bool Reached = false;
  bool Queued = false;
};

/// The lists of subroutines that there are, each once, so that two are equal
/// if their numbers are.
class SubroutineChains {
public:
  struct Node {
    uint32_t Entry; ///< first instruction of the subroutine
    SlotRoot Used;  ///< int where a local was used, else top
    Chain Outer;
  };

  explicit SubroutineChains(SlotPool &Locals) : Locals(Locals) {
    Nodes.push_back({0, 0, 0});
  }
  const Node &operator[](Chain C) const { return Nodes[C]; }
  Chain make(uint32_t Entry, SlotRoot Used, Chain Outer);
  /// \p C with \p Used added to the locals used in each of its subroutines.
  Chain addUsed(Chain C, SlotRoot Used);
  /// What both are in.
  Chain merge(Chain A, Chain B);
  /// The link of \p C whose subroutine begins at \p Entry; 0 if none does.
  Chain find(Chain C, uint32_t Entry) {
    for (; C && Nodes[C].Entry != Entry; ++Work)
      C = Nodes[C].Outer;
    return C;
  }
  /// Subroutines are nested, and go on, as no compiler has them.
  bool areTooLong() const { return Work > MaxWork; }

private:
  SlotRoot mergeUsed(SlotRoot A, SlotRoot B) {
    return Locals.merge<false>(A, B,
                               [](VType, VType) { return VType(VKind::Int); });
  }

  /// Less than a second.
  static constexpr uint64_t MaxWork = 1u << 24;
  static constexpr uint64_t WorkOfLink = 64; ///< that is made, of one passed

  SlotPool &Locals;
  uint64_t Work = 0;
  std::vector<Node> Nodes;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, Chain> Numbers;
};

/// The exception handlers by the range that they cover.
class HandlerRanges {
public:
  struct Handler {
    uint32_t Target;
    VType Caught;
  };
  /// The handlers of one range, and the state at the start of them all.
  struct Range {
    uint32_t Start, End;
    llvm::SmallVector<Handler, 1> Handlers;
    State At;
  };

  void add(uint32_t Start, uint32_t End, Handler H);
  /// All ranges are there.
  void finish();
  Range &operator[](uint32_t N) { return Ranges[N]; }
  /// Makes \p Covering the ranges that cover \p BCI. \returns up to where they
  /// do.
  uint32_t find(uint32_t BCI, std::vector<uint32_t> &Covering) const;

private:
  std::vector<Range> Ranges;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, size_t> RangeOf;
  /// Where the set of covering handlers may change, sorted; a segment tree over
  /// the spans between says which handlers cover which.
  std::vector<uint32_t> Borders;
  std::vector<llvm::SmallVector<uint32_t, 1>> Tree;
};

class Inference {
public:
  explicit Inference(Machine &M) : M(M), Chains(M.LocalPool) {}
  bool run();

private:
  struct Subroutine {
    llvm::SmallVector<uint32_t, 4> Callers; ///< the jsr instructions
    uint32_t Ret = ~0u;                     ///< its only ret
    State AtRet;
    SlotRoot Used = 0;
  };
  /// What the ranges around the instruction at hand were given last.
  struct Merged {
    Frame F;
    Chain In = 0;
    bool Known = false;
  };

  bool prepare();
  bool prepareHandlers();
  void use(unsigned Local) { PendingUse.push_back(Local); }
  Chain currentChain();
  /// Joins \p S, the state at \p Target, with a frame that reaches it.
  bool mergeStates(State &S, uint32_t Target, const Frame &F, Chain Via,
                   bool &Changed);
  bool mergeInto(uint32_t Target, const Frame &F, Chain In);
  bool mergeHandlers();
  bool runBlock(uint32_t BCI);
  bool jump(int32_t Target);
  bool callSubroutine(const DecodedInst &I);
  bool returnFrom(const DecodedInst &I);
  bool returnTo(Subroutine &S, uint32_t Jsr);

  Machine &M;
  llvm::BitVector Leader;
  llvm::DenseMap<uint32_t, State> States; ///< of leaders
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> Queue;
  SubroutineChains Chains;
  llvm::DenseMap<uint32_t, Subroutine> Subroutines;
  llvm::DenseMap<uint32_t, State> AtJsr;

  HandlerRanges Handlers;
  std::vector<uint32_t> Covering; ///< ranges of the instruction at hand
  uint32_t CoveredUntil = 0;
  Merged Last;

  Chain In = 0;                               ///< of the instruction at hand
  llvm::SmallVector<unsigned, 16> PendingUse; ///< not yet in In
  /// Code whose frames change over and over is given up.
  uint64_t Budget = uint64_t(1) << 26;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lists of subroutines
//===----------------------------------------------------------------------===//

Chain SubroutineChains::make(uint32_t Entry, SlotRoot Used, Chain Outer) {
  Work += WorkOfLink;
  auto [It, New] =
      Numbers.try_emplace({uint64_t(Entry) << 32 | Used, Outer}, Nodes.size());
  if (New)
    Nodes.push_back({Entry, Used, Outer});
  return It->second;
}

Chain SubroutineChains::addUsed(Chain C, SlotRoot Used) {
  llvm::SmallVector<Node, 8> Links;
  for (; C; C = Nodes[C].Outer)
    Links.push_back(Nodes[C]);
  Chain Result = 0;
  for (const Node &N : llvm::reverse(Links))
    Result = make(N.Entry, mergeUsed(N.Used, Used), Result);
  return Result;
}

Chain SubroutineChains::merge(Chain A, Chain B) {
  if (A == B)
    return A;
  llvm::SmallVector<Node, 8> Links;
  for (; A; A = Nodes[A].Outer)
    if (Chain Same = find(B, Nodes[A].Entry)) {
      Links.push_back(
          {Nodes[A].Entry, mergeUsed(Nodes[A].Used, Nodes[Same].Used), 0});
      B = Nodes[Same].Outer;
    }
  Chain Result = 0;
  for (const Node &N : llvm::reverse(Links))
    Result = make(N.Entry, N.Used, Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

void HandlerRanges::add(uint32_t Start, uint32_t End, Handler H) {
  auto [It, Fresh] = RangeOf.try_emplace({Start, End}, Ranges.size());
  if (Fresh)
    Ranges.push_back({Start, End, {}, {}});
  Ranges[It->second].Handlers.push_back(H);
  Borders.push_back(Start);
  Borders.push_back(End);
}

void HandlerRanges::finish() {
  std::sort(Borders.begin(), Borders.end());
  Borders.erase(std::unique(Borders.begin(), Borders.end()), Borders.end());
  size_t Spans = Borders.size();
  Tree.resize(2 * Spans);
  auto SpanOf = [&](uint32_t At) {
    return size_t(std::lower_bound(Borders.begin(), Borders.end(), At) -
                  Borders.begin());
  };
  for (uint32_t N = 0; N < Ranges.size(); ++N) {
    size_t L = SpanOf(Ranges[N].Start) + Spans;
    size_t R = SpanOf(Ranges[N].End) + Spans;
    for (; L < R; L /= 2, R /= 2) {
      if (L & 1)
        Tree[L++].push_back(N);
      if (R & 1)
        Tree[--R].push_back(N);
    }
  }
}

uint32_t HandlerRanges::find(uint32_t BCI,
                             std::vector<uint32_t> &Covering) const {
  Covering.clear();
  auto It = std::upper_bound(Borders.begin(), Borders.end(), BCI);
  if (It != Borders.begin())
    for (size_t N = size_t(It - Borders.begin()) - 1 + Borders.size(); N;
         N /= 2)
      Covering.insert(Covering.end(), Tree[N].begin(), Tree[N].end());
  return It == Borders.end() ? ~0u : *It;
}

//===----------------------------------------------------------------------===//
// Data flow
//===----------------------------------------------------------------------===//

Chain Inference::currentChain() {
  if (In && !PendingUse.empty()) {
    SlotRoot Used = 0;
    for (unsigned Local : PendingUse)
      Used = M.LocalPool.set(Used, Local, VKind::Int);
    In = Chains.addUsed(In, Used);
  }
  PendingUse.clear();
  return In;
}

/// Checks the operands of all instructions, reached or not, and finds where
/// blocks start and which handlers there are.
bool Inference::prepare() {
  const CodeAttribute &C = M.code();
  Leader.resize(unsigned(C.Code.size()));
  DecodedInst I;
  for (uint32_t BCI = 0; BCI < C.Code.size(); BCI += I.Length) {
    decodeInst(C.Code, BCI, I);
    if (!M.checkOperands(I))
      return false;
    if (!I.info().Branches)
      continue;
    Leader.set(unsigned(I.Value));
    for (uint32_t Case = 0; Case < I.NumCases; ++Case)
      Leader.set(unsigned(I.caseTarget(Case)));
    if ((I.Op == op::JSR || I.Op == op::JSR_W) && I.end() < C.Code.size())
      Leader.set(I.end());
  }
  return prepareHandlers();
}

bool Inference::prepareHandlers() {
  const CodeAttribute &C = M.code();
  if (!checkHandlerTable(M))
    return false;
  for (size_t H = 0, E = C.numHandlers(); H < E; ++H) {
    uint32_t Target = C.handlerField(H, 2);
    if (Target == 0)
      return M.failFormat("an exception handler is the first instruction",
                          "4.7.3");
    unsigned Class = C.handlerField(H, 3);
    VType Caught =
        Class ? M.Types.object(M.V.className(Class)) : M.Types.Throwable;
    Handlers.add(C.handlerField(H, 0), C.handlerField(H, 1), {Target, Caught});
    Leader.set(Target);
  }
  Handlers.finish();
  return true;
}

/// Whether two types were merged into nothing where there must be something.
static bool lostType(const SlotPool &Pool, SlotRoot Before, SlotRoot After) {
  return !Pool.diff(
      Before, After,
      [](unsigned, const SlotPool::Node &A, const SlotPool::Node &B) {
        for (unsigned I = 0; I < SlotPool::Fan; ++I)
          if (A[I] && !B[I])
            return false;
        return true;
      });
}

bool Inference::mergeStates(State &S, uint32_t Target, const Frame &F,
                            Chain Via, bool &Changed) {
  Changed = true;
  if (!S.Reached) {
    S.F = F;
    S.In = Via;
    S.Reached = true;
    return true;
  }
  if (S.F.Depth != F.Depth)
    return M.fail("instruction " + Twine(Target) + " is reached with " +
                      Twine(S.F.Depth) + " and with " + Twine(F.Depth) +
                      " stack slots",
                  "4.10.2.2");
  auto Join = [&](VType A, VType B) { return M.Types.merge(A, B); };
  Frame New = S.F;
  New.Locals = M.LocalPool.merge<true>(S.F.Locals, F.Locals, Join);
  New.Stack = M.StackPool.merge<true>(S.F.Stack, F.Stack, Join);
  New.ThisUninit |= F.ThisUninit;
  if (lostType(M.StackPool, S.F.Stack, New.Stack))
    return M.fail("instruction " + Twine(Target) +
                      " is reached with different kinds of values on the "
                      "stack",
                  "4.10.2.2");
  Chain NewIn = Chains.merge(S.In, Via);
  Changed = New.Locals != S.F.Locals || New.Stack != S.F.Stack ||
            New.ThisUninit != S.F.ThisUninit || NewIn != S.In;
  S.F = New;
  S.In = NewIn;
  return true;
}

bool Inference::mergeInto(uint32_t Target, const Frame &F, Chain Via) {
  State &S = States[Target];
  bool Changed;
  if (!mergeStates(S, Target, F, Via, Changed))
    return false;
  if (Changed && !S.Queued) {
    S.Queued = true;
    Queue.push(Target);
  }
  return true;
}

bool Inference::mergeHandlers() {
  bool Fresh = M.BCI >= CoveredUntil;
  if (Fresh)
    CoveredUntil = Handlers.find(M.BCI, Covering);
  if (Covering.empty())
    return true;
  Chain Now = currentChain();
  Frame F;
  F.Locals = M.Locals.root();
  F.ThisUninit = M.ThisUninit;
  F.Depth = 1;
  if (Last.Known && !Fresh && F.Locals == Last.F.Locals &&
      F.ThisUninit == Last.F.ThisUninit && Now == Last.In)
    return true;
  Last = {F, Now, true};
  if (M.Stack.size() == 0)
    return M.fail("the operand stack overflows in an exception handler",
                  "4.10.2.2");
  for (uint32_t N : Covering) {
    HandlerRanges::Range &R = Handlers[N];
    // A range knows no stack, only what its handlers have in common.
    Frame AtRange = F;
    AtRange.Depth = 0;
    bool Changed;
    if (!mergeStates(R.At, R.Start, AtRange, Now, Changed))
      return false;
    if (!Changed)
      continue;
    for (const HandlerRanges::Handler &H : R.Handlers) {
      Frame AtHandler = R.At.F;
      AtHandler.Stack = M.StackPool.set(0, 0, H.Caught);
      AtHandler.Depth = 1;
      if (!mergeInto(H.Target, AtHandler, R.At.In))
        return false;
    }
  }
  return true;
}

bool Inference::jump(int32_t Target) {
  return mergeInto(uint32_t(Target), M.save(), currentChain());
}

bool Inference::callSubroutine(const DecodedInst &I) {
  uint32_t Entry = uint32_t(I.Value);
  Chain Now = currentChain();
  if (Chains.find(Now, Entry))
    return M.fail("a subroutine calls itself", "4.10.2.5");
  Subroutine &S = Subroutines[Entry];
  State &At = AtJsr[I.BCI];
  if (!At.Reached)
    S.Callers.push_back(I.BCI);
  At.Reached = true;
  At.F = M.save();
  At.In = Now;
  if (!M.push(VType(VKind::RetAddr, Entry)))
    return false;
  // A subroutine that has returned before returns here as well.
  return (!S.AtRet.Reached || returnTo(S, I.BCI)) &&
         mergeInto(Entry, M.save(), Chains.make(Entry, 0, Now));
}

/// Continues after \p Jsr with what \p S left.
bool Inference::returnTo(Subroutine &S, uint32_t Jsr) {
  const State &At = AtJsr[Jsr];
  DecodedInst I;
  decodeInst(M.code().Code, Jsr, I);
  if (I.end() >= M.code().Code.size())
    return M.fail("control runs off the end", "4.10.2.2");
  Frame F = S.AtRet.F;
  // Unused locals are those of the caller.
  SlotRoot Locals = At.F.Locals;
  llvm::SmallVector<std::pair<unsigned, VType>, 8> Taken;
  M.LocalPool.diff(
      At.F.Locals, F.Locals,
      [&](unsigned First, const SlotPool::Node &A, const SlotPool::Node &B) {
        for (unsigned K = 0; K < SlotPool::Fan; ++K)
          if (A[K] != B[K] && !M.LocalPool.get(S.Used, First + K).isTop())
            Taken.push_back({First + K, VType::fromRaw(B[K])});
        return true;
      });
  for (auto &[Local, T] : Taken)
    Locals = M.LocalPool.set(Locals, Local, T);
  F.Locals = Locals;
  return mergeInto(I.end(), F, Chains.addUsed(At.In, S.Used));
}

bool Inference::returnFrom(const DecodedInst &I) {
  VType T = M.Locals.get(I.Index);
  if (!T.is(VKind::RetAddr))
    return M.mismatch("in a local", "a return address", T, "4.10.2.5");
  use(I.Index);
  Chain C = Chains.find(currentChain(), T.payload());
  if (!C)
    return M.fail("ret from a subroutine that was not called", "4.10.2.5");
  Subroutine &S = Subroutines[T.payload()];
  if (S.Ret != ~0u && S.Ret != I.BCI)
    return M.fail("a subroutine has more than one ret", "4.10.2.5");
  S.Ret = I.BCI;
  S.AtRet.Reached = true;
  S.AtRet.F = M.save();
  S.Used = Chains[C].Used;
  // Merging may add subroutines, and so move S.
  Subroutine Copy = S;
  for (uint32_t Jsr : Copy.Callers)
    if (!returnTo(Copy, Jsr))
      return false;
  return true;
}

bool Inference::runBlock(uint32_t BCI) {
  Bytes Code = M.code().Code;
  State &S = States[BCI];
  S.Queued = false;
  M.load(S.F);
  In = S.In;
  PendingUse.clear();
  CoveredUntil = 0;
  Last.Known = false;
  DecodedInst I;
  for (;; BCI += I.Length) {
    if (Budget-- == 0 || Chains.areTooLong())
      return M.fail("the code is too complicated", "4.10.2.2");
    decodeInst(Code, BCI, I);
    M.BCI = BCI;
    if (!mergeHandlers())
      return false;
    if (I.Op == op::JSR || I.Op == op::JSR_W)
      return callSubroutine(I);
    if (I.Op == op::RET)
      return returnFrom(I);
    const OpcodeInfo &Info = I.info();
    if (Info.Cat == op::CatLocal) {
      for (unsigned Slot = 0; Slot < slotsOfLocal(Info); ++Slot)
        use(I.Index + Slot);
    }
    SlotRoot Before = I.Op == op::INVOKESPECIAL ? M.Locals.root() : 0;
    if (!M.execute(I))
      return false;
    if (M.Initialised.This || M.Initialised.New)
      M.LocalPool.diff(Before, M.Locals.root(),
                       [&](unsigned First, const SlotPool::Node &A,
                           const SlotPool::Node &B) {
                         for (unsigned K = 0; K < SlotPool::Fan; ++K)
                           if (A[K] != B[K])
                             use(First + K);
                         return true;
                       });
    if (Info.Branches) {
      if (!jump(I.Value))
        return false;
      for (uint32_t C = 0; C < I.NumCases; ++C)
        if (!jump(I.caseTarget(C)))
          return false;
    }
    if (Info.EndsBlock)
      return true;
    if (I.end() >= Code.size())
      return M.fail("control runs off the end", "4.10.2.2");
    if (Leader[I.end()])
      return jump(int32_t(I.end()));
  }
}

bool Inference::run() {
  if (!prepare() || !mergeInto(0, M.save(), 0))
    return false;
  while (!Queue.empty()) {
    uint32_t BCI = Queue.top();
    Queue.pop();
    if (!runBlock(BCI))
      return false;
  }
  return true;
}

bool verify::inferTypes(Machine &M) { return Inference(M).run(); }
