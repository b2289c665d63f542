//===- InferenceLifter.cpp - Lifting without frames -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Class files below version 50 (and those of 50 whose table does not fit) have
/// no frames: the state at each block is the fixed point of merging the states
/// of its predecessors, as in the verifier by type inference (JVM
/// specification, 4.10.2).
///
/// Subroutines are copied: a block is known by its bytecode index and the chain
/// of jsr instructions that led to it.
///
//===----------------------------------------------------------------------===//

#include "BlockLifter.h"
#include "Lifters.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>
#include <map>

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

namespace {

/// The activations of subroutines: chains of jsr instructions.
class Subroutines {
public:
  /// The activation of a subroutine that jsr \p Jsr, at the end of a block of
  /// context \p Caller, calls. \p Handlers are those that cover the jsr.
  uint32_t enter(uint32_t Caller, const DecodedInst &Jsr,
                 ArrayRef<uint32_t> Handlers, const CodeView &Code);
  /// The context of handler \p H for what is thrown in context \p Thrower.
  uint32_t contextOf(const CodeView::Handler &H, uint32_t Thrower) const;
  /// The context that called \p Context, and where it goes on there, if a ret
  /// of \p Inner may return from it; nothing if it is not active.
  std::optional<std::pair<uint32_t, uint32_t>> leave(uint32_t Context,
                                                     uint32_t Inner) const;
  size_t size() const { return Contexts.size(); }

private:
  /// One activation: the jsr that called it, in which context.
  struct Context {
    uint32_t Parent = 0;
    uint32_t Entry = 0;  ///< where the subroutine begins
    uint32_t Return = 0; ///< where its ret continues
    /// Where the handlers of the jsr are, sorted.
    const std::vector<uint32_t> *Handlers = nullptr;
  };

  std::vector<Context> Contexts{1}; ///< 0 is outside of all
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ContextOf; ///< caller, jsr
  std::map<uint32_t, std::vector<uint32_t>> HandlersOfJsr;
};

/// A block before and while it is lifted.
struct Node {
  uint32_t Context, BCI, End;
  Block *B = nullptr;
  std::vector<Type> Stack, Slots; ///< entry state
  bool Reached = false;
  bool Queued = false;
  bool Handler = false;
  bool Jumped = false; ///< entered otherwise than by falling through
  /// After lifting: where control goes.
  BlockEnd Last{BlockEnd::FallThrough, nullptr, {}, 0};
  std::vector<Value *> Exit;
  std::vector<Node *> Succs;
};

class InferenceLifter {
public:
  InferenceLifter(Body &F, const CodeView &Code, const CodeLeaders &From,
                  const LiftOptions &O)
      : F(F), Code(Code), Lifter(F, Code.Code, O, State) {
    From.forEachLeader([&](uint32_t BCI) { Leaders.push_back(BCI); });
  }
  Error run();

private:
  Error node(uint32_t Context, uint32_t BCI, Node *&Result);
  Error flow(Node *To, ArrayRef<Type> Stack, ArrayRef<Type> Slots);
  Error lift(Node *N);
  Error successors(Node *N);
  void layOut(uint32_t Context);
  void finish(Node *N);
  void coverByHandlers();
  ArrayRef<uint32_t> handlersOf(const Node *N) const;
  Type plain(Type T) const {
    return T.is(Type::RetAddr) ? Type(Type::Null) : T;
  }

  Body &F;
  const CodeView &Code;
  std::vector<uint32_t> Leaders;
  std::vector<std::vector<uint32_t>> CoveredBy; ///< by leader
  LiftState State;
  BlockLifter Lifter;
  Subroutines Calls;
  /// Keyed by context, then bytecode index: the order of the layout within a
  /// context.
  std::map<std::pair<uint32_t, uint32_t>, Node> Nodes;
  /// Sites of `new` per context, by bytecode index.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Sites;
  std::vector<Node *> Work;
  std::vector<Block *> Layout;
  std::vector<bool> LaidOut;
  uint64_t CopiedBytes = 0, Steps = 0, Flowed = 0;
};
} // namespace

/// Copies may not grow past what a method may have.
static constexpr uint64_t MaxBytes = 65535;
/// Lattices are low; a method that needs more rounds than this was made to be
/// slow.
static constexpr uint64_t MaxRounds = 64;

/// Slots of all blocks: each keeps the types of its own.
static constexpr size_t MaxSlots = 1u << 23;

/// Types that flow from one block to another, over all rounds.
static constexpr uint64_t MaxFlow = uint64_t(1) << 29;

Error InferenceLifter::node(uint32_t Ctx, uint32_t BCI, Node *&Result) {
  auto [It, New] = Nodes.try_emplace({Ctx, BCI});
  Result = &It->second;
  if (!New)
    return Error::success();
  Node &N = It->second;
  N.Context = Ctx;
  N.BCI = BCI;
  auto Next = std::upper_bound(Leaders.begin(), Leaders.end(), BCI);
  N.End = Next == Leaders.end() ? uint32_t(Code.Code.size()) : *Next;
  CopiedBytes += N.End - N.BCI;
  if (CopiedBytes > MaxBytes)
    return makeError("subroutines grow past 65,535 bytes when they are copied");
  if (Nodes.size() * size_t(F.numSlots()) > MaxSlots)
    return makeError("it has too many local variables for its branches: more "
                     "than " +
                     llvm::Twine(MaxSlots) + " pairs of a slot and a block");
  return Error::success();
}

/// Merges a state into the entry of \p To and queues it if that changed.
Error InferenceLifter::flow(Node *To, ArrayRef<Type> Stack,
                            ArrayRef<Type> Slots) {
  Flowed += 1 + Slots.size();
  if (Flowed > MaxFlow)
    return makeError("types do not settle");
  if (!To->Reached) {
    To->Reached = true;
    To->Stack = Stack.vec();
    To->Slots = Slots.vec();
    To->Queued = true;
    Work.push_back(To);
    return Error::success();
  }
  if (To->Stack.size() != Stack.size())
    return makeError("bytecode " + llvm::Twine(To->BCI) +
                     ": stack heights differ on the ways that lead here");
  bool Changed = false;
  for (size_t I = 0; I < Stack.size(); ++I) {
    Type T = F.types().merge(To->Stack[I], Stack[I]);
    if (T.slots() != Stack[I].slots() ||
        (T.is(Type::Top) && !Stack[I].is(Type::Top)))
      return makeError("bytecode " + llvm::Twine(To->BCI) +
                       ": stacks differ on the ways that lead here");
    Changed |= T != To->Stack[I];
    To->Stack[I] = T;
  }
  for (size_t I = 0; I < Slots.size(); ++I) {
    Type T = F.types().merge(To->Slots[I], Slots[I]);
    Changed |= T != To->Slots[I];
    To->Slots[I] = T;
  }
  // Half a pair is nothing.
  for (size_t I = 0; I < To->Slots.size(); ++I) {
    bool Pair = I + 1 < To->Slots.size() && To->Slots[I].isCategory2();
    if (Pair && !To->Slots[I + 1].is(Type::High))
      To->Slots[I] = Type::Top;
    if (To->Slots[I].is(Type::High) &&
        (I == 0 || !To->Slots[I - 1].isCategory2()))
      To->Slots[I] = Type::Top;
  }
  if (Changed && !To->Queued) {
    To->Queued = true;
    Work.push_back(To);
  }
  return Error::success();
}

/// No chain of calls enters a subroutine twice (JVM specification, 4.10.2.5):
/// one that is called from its own chain was left before, by an exception or a
/// jump, and the code after the call is outside of it again. Otherwise there
/// would be no end to the copies.
uint32_t Subroutines::enter(uint32_t Caller, const DecodedInst &Jsr,
                            ArrayRef<uint32_t> Handlers, const CodeView &Code) {
  uint32_t Entry = uint32_t(Jsr.Value);
  for (uint32_t C = Caller; C; C = Contexts[C].Parent)
    if (Contexts[C].Entry == Entry)
      Caller = Contexts[C].Parent;
  auto [It, New] =
      ContextOf.try_emplace({Caller, Jsr.BCI}, uint32_t(Contexts.size()));
  if (New) {
    auto [At, First] = HandlersOfJsr.try_emplace(Jsr.BCI);
    if (First) {
      for (uint32_t I : Handlers)
        At->second.push_back(Code.Handlers[I].Target);
      llvm::sort(At->second);
    }
    Contexts.push_back({Caller, Entry, Jsr.end(), &At->second});
  }
  return It->second;
}

/// A handler that covers the call of a subroutine as well is entered from
/// outside of it, so it cannot return from it, and is the caller's: a copy for
/// each call would take all code behind the handler with it.
uint32_t Subroutines::contextOf(const CodeView::Handler &H,
                                uint32_t Thrower) const {
  // Any context is right; real code is not nested deeper, and looking further
  // would take time in code that was made to be slow.
  for (unsigned Level = 0; Thrower && Level < 16; ++Level) {
    const Context &C = Contexts[Thrower];
    if (!std::binary_search(C.Handlers->begin(), C.Handlers->end(), H.Target))
      break;
    Thrower = C.Parent;
  }
  return Thrower;
}

std::optional<std::pair<uint32_t, uint32_t>>
Subroutines::leave(uint32_t Context, uint32_t Inner) const {
  while (Inner && Inner != Context)
    Inner = Contexts[Inner].Parent;
  if (!Inner)
    return std::nullopt;
  return std::make_pair(Contexts[Inner].Parent, Contexts[Inner].Return);
}

Error InferenceLifter::successors(Node *N) {
  N->Succs.clear();
  auto To = [&](uint32_t Ctx, uint32_t BCI) -> Error {
    Node *S;
    if (Error E = node(Ctx, BCI, S))
      return E;
    N->Succs.push_back(S);
    return Error::success();
  };
  const DecodedInst &D = N->Last.Last;
  switch (N->Last.K) {
  case BlockEnd::FallThrough:
    if (N->End >= Code.Code.size())
      return makeError("control runs off the end of the code");
    return To(N->Context, N->End);
  case BlockEnd::Subroutine:
    F.Inlined = true;
    return To(N->Last.Context, uint32_t(D.Value));
  case BlockEnd::SubroutineReturn: {
    auto Caller = Calls.leave(N->Last.Context, N->Context);
    if (!Caller)
      return makeError("bytecode " + llvm::Twine(D.BCI) +
                       ": ret to a caller that is not active");
    return To(Caller->first, Caller->second);
  }
  case BlockEnd::Branch:
    break;
  }
  IROp Op = N->Last.Terminator->op();
  if (Op == irop::Return || Op == irop::Throw)
    return Error::success();
  if (Error E = To(N->Context, uint32_t(D.Value)))
    return E;
  if (Op == irop::If) {
    if (D.end() >= Code.Code.size())
      return makeError("control runs off the end of the code");
    return To(N->Context, D.end());
  }
  for (uint32_t C = 0; C < D.NumCases; ++C)
    if (Error E = To(N->Context, uint32_t(D.caseTarget(C))))
      return E;
  return Error::success();
}

Error InferenceLifter::lift(Node *N) {
  // Sites are per copy. Only those in this block are needed.
  for (uint32_t At = N->BCI; At < N->End; ++At) {
    auto It = Sites.find({N->Context, At});
    Lifter.SiteAt[At] = It == Sites.end() ? BlockLifter::NoSite : It->second;
  }
  if (!N->B)
    N->B = F.createBlock();
  F.clear(N->B);
  N->B->setBCI(int32_t(N->BCI));
  F.setParameters(N->B, N->Stack);
  Lifter.Stack.assign(N->B->parameters().begin(), N->B->parameters().end());
  Lifter.Slots.reset(N->Slots.size(), N->Slots);

  std::vector<Type> HandlerSlots;
  ArrayRef<uint32_t> Handlers = handlersOf(N);
  bool Covered = !Handlers.empty();
  if (Covered)
    HandlerSlots = N->Slots;
  Lifter.HandlerSlots = Covered ? &HandlerSlots : nullptr;

  Lifter.EnterSubroutine = [&](const DecodedInst &Jsr) {
    return N->Last.Context = Calls.enter(N->Context, Jsr, handlersOf(N), Code);
  };
  auto End = Lifter.lift(N->B, N->BCI, N->End);
  if (!End)
    return End.takeError();
  uint32_t Entered = N->Last.Context;
  N->Last = *End;
  if (End->K == BlockEnd::Subroutine)
    N->Last.Context = Entered;
  N->Exit = Lifter.Stack;
  for (uint32_t At = N->BCI; At < N->End; ++At)
    if (Lifter.SiteAt[At] != BlockLifter::NoSite)
      Sites[{N->Context, At}] = Lifter.SiteAt[At];
  if (Error E = successors(N))
    return E;

  for (uint32_t I : Handlers) {
    const CodeView::Handler &H = Code.Handlers[I];
    Node *To;
    if (Error E = node(Calls.contextOf(H, N->Context), H.Target, To))
      return E;
    To->Handler = true;
    if (Error E = flow(To, caughtType(F, H.CatchType), HandlerSlots))
      return E;
  }
  llvm::SmallVector<Type, 8> Stack;
  for (Value *V : Lifter.Stack)
    Stack.push_back(Lifter.typeOf(V));
  std::vector<Type> Slots(Lifter.Slots.begin(), Lifter.Slots.end());
  for (Node *S : N->Succs)
    if (Error E = flow(S, Stack, Slots))
      return E;
  return Error::success();
}

/// Blocks of a context in code order; a subroutine right behind its call.
void InferenceLifter::layOut(uint32_t Ctx) {
  if (LaidOut[Ctx])
    return;
  LaidOut[Ctx] = true;
  for (auto It = Nodes.lower_bound({Ctx, 0});
       It != Nodes.end() && It->first.first == Ctx; ++It) {
    Node &N = It->second;
    Layout.push_back(N.B);
    if (N.Last.K == BlockEnd::Subroutine)
      layOut(N.Succs[0]->Context);
  }
}

/// Terminator, exit list and frame, once states and layout are final.
void InferenceLifter::finish(Node *N) {
  Block *B = N->B;
  Instruction *T = N->Last.Terminator;
  llvm::SmallVector<Block *, 8> Succs;
  for (Node *S : N->Succs)
    Succs.push_back(S->B);
  if (!T) {
    // Falling through, and the gotos that jsr and ret have become.
    auto Next = std::next(B->getIterator());
    bool Adjacent = Next != F.blocks().end() && &*Next == Succs[0];
    int32_t BCI =
        N->Last.K == BlockEnd::FallThrough ? -1 : int32_t(N->Last.Last.BCI);
    T = Adjacent ? F.create(irop::FallThrough, op::NOP, Type::Void, {})
                 : F.create(irop::Goto, op::GOTO, Type::Void, {}, BCI);
    F.append(T, B);
    N->Succs[0]->Jumped |= !Adjacent;
  } else {
    for (size_t I = 0; I < N->Succs.size(); ++I)
      N->Succs[I]->Jumped |= !(T->op() == irop::If && I == 1);
  }
  llvm::SmallVector<int32_t, 16> Keys;
  if (T->op() == irop::TableSwitch || T->op() == irop::LookupSwitch)
    for (uint32_t C = 0; C < N->Last.Last.NumCases; ++C)
      Keys.push_back(N->Last.Last.caseKey(C));
  if (!Succs.empty()) {
    F.setSuccessors(T, Succs, Keys);
    F.setExitValues(B, N->Exit);
  }
}

/// Indices of the table entries whose range the block lies in, ascending.
ArrayRef<uint32_t> InferenceLifter::handlersOf(const Node *N) const {
  if (Code.Handlers.empty())
    return {};
  size_t L = size_t(std::lower_bound(Leaders.begin(), Leaders.end(), N->BCI) -
                    Leaders.begin());
  return CoveredBy[L];
}

/// One entry per table entry and context of its handler, by the order of the
/// table.
void InferenceLifter::coverByHandlers() {
  auto KeyOf = [&](uint32_t I, const Node &N) {
    return std::make_pair(I, Calls.contextOf(Code.Handlers[I], N.Context));
  };
  std::map<std::pair<uint32_t, uint32_t>, TryEntry *> Entries;
  for (auto &[Key, N] : Nodes)
    for (uint32_t I : handlersOf(&N))
      Entries[KeyOf(I, N)] = nullptr;
  for (auto &[Key, E] : Entries) {
    const CodeView::Handler &H = Code.Handlers[Key.first];
    E = F.addTry(Nodes.find({Key.second, H.Target})->second.B, H.CatchType);
  }
  // Each set is made from the one before, so that blocks which are covered
  // alike share one.
  const ThrowEdge *Set = nullptr;
  std::vector<TryEntry *> Before, Now, Changed;
  for (auto &[Key, N] : Nodes) {
    Now.clear();
    for (uint32_t I : handlersOf(&N))
      Now.push_back(Entries[KeyOf(I, N)]);
    auto ChangesTo = [&](ArrayRef<TryEntry *> From, ArrayRef<TryEntry *> To) {
      Changed.clear();
      std::set_difference(To.begin(), To.end(), From.begin(), From.end(),
                          std::back_inserter(Changed),
                          [](const TryEntry *A, const TryEntry *B) {
                            return A->Priority < B->Priority;
                          });
      return ArrayRef(Changed);
    };
    for (TryEntry *E : ChangesTo(Now, Before))
      Set = F.withoutTry(Set, E);
    for (TryEntry *E : ChangesTo(Before, Now))
      Set = F.withTry(Set, E);
    N.B->setThrowEdges(Set);
    std::swap(Before, Now);
  }
}

Error InferenceLifter::run() {
  F.Inferred = true;
  Lifter.SiteAt.assign(Code.Code.size(), BlockLifter::NoSite);
  std::vector<Type> Initial(F.numSlots(), Type::Top);
  llvm::copy(F.initialLocals(), Initial.begin());
  if (!Code.Handlers.empty())
    CoveredBy.resize(Leaders.size());
  size_t Covered = 0;
  for (uint32_t I = 0; I < Code.Handlers.size(); ++I) {
    const CodeView::Handler &H = Code.Handlers[I];
    auto From = std::lower_bound(Leaders.begin(), Leaders.end(), H.Start);
    for (; From != Leaders.end() && *From < H.End; ++From) {
      CoveredBy[From - Leaders.begin()].push_back(I);
      if (++Covered > CodeGraph::MostEdges)
        return makeError("its exception ranges overlap too often: more than " +
                         llvm::Twine(CodeGraph::MostEdges) +
                         " pairs of a block and a handler");
    }
  }
  Node *Entry;
  if (Error E = node(0, 0, Entry))
    return E;
  if (Error E = flow(Entry, {}, Initial))
    return E;
  while (!Work.empty()) {
    Node *N = Work.back();
    Work.pop_back();
    N->Queued = false;
    if (++Steps > MaxRounds * (Nodes.size() + 16))
      return makeError("types do not settle");
    if (Error E = lift(N))
      return E;
  }
  LaidOut.resize(Calls.size());
  layOut(0);
  // A context that was left other than by its jsr's block cannot be: every
  // context is entered by a jsr that is laid out.
  F.setLayout(Layout);
  for (auto &[Key, N] : Nodes)
    finish(&N);
  for (auto &[Key, N] : Nodes) {
    for (Type &T : N.Slots)
      T = plain(T);
    if (N.Handler) {
      Type Caught = N.Stack[0];
      F.markHandler(N.B);
      N.B->parameters()[0]->setType(Caught);
    }
    if (N.Handler || N.Jumped)
      F.setFrame(N.B, N.Slots);
    for (Parameter *P : N.B->parameters())
      P->setType(plain(P->type()));
    for (Instruction &I : *N.B)
      I.setType(plain(I.type()));
  }
  coverByHandlers();
  return Error::success();
}

Error jopt::liftByInference(Body &F, LiftScratch &S, const LiftOptions &O) {
  return InferenceLifter(F, S.Code, S.Leaders, O).run();
}
