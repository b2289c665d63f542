//===- Product.cpp - Both versions run side by side -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::validate;
using llvm::StringRef;
using llvm::Twine;

Product::Product(Terms &T, const MethodCode &A, const MethodCode &B,
                 const ValidateLimits &Limits)
    : T(T), A(A), B(B), Limits(Limits), UseLines(A.HasLines && B.HasLines),
      First(T, A, UseLines, Steps), Second(T, B, UseLines, Steps) {}

PairState Product::start() {
  PairState S;
  S.Memory = T.symbol();
  llvm::SmallVector<TermRef, 8> Slots;
  const ClassFile &F = A.Class->F;
  if (!A.IsStatic) {
    Slots.push_back(T.symbol(T.key(F.name())));
    S.Known.set(T.make(TermKind::EqualRefs, 0, {Slots[0], T.null()}), false);
  }
  MethodDescriptor D(F.descriptor(*A.M));
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    StringRef Class = P;
    if (Class.consume_front("L"))
      Class = Class.drop_back();
    Slots.push_back(
        T.symbol(Class != P || P.starts_with("[") ? T.key(Class) : 0));
    if (slotsOf(P) == 2)
      Slots.push_back(nullptr);
  }
  TermRef Tick = T.symbol();
  for (unsigned N : {0, 1}) {
    S.Of[N].Slots = Slots;
    S.Of[N].Slots.resize(
        std::max<size_t>((N ? B : A).MaxLocals + 1, Slots.size()));
    S.Of[N].Tick = Tick;
    S.Of[N].Joined = true;
  }
  return S;
}

bool Product::prove(unsigned MostCopies) {
  Copies = MostCopies;
  Merges = true;
  Waiting.clear();
  Seen.clear();
  Steps = NumStates = 0;
  Reason.clear();
  push(start());
  while (!Waiting.empty()) {
    PairState S = std::move(Waiting.back());
    Waiting.pop_back();
    if (!explore(std::move(S)))
      return false;
  }
  return true;
}

bool Product::refute() {
  Merges = Found = false;
  Waiting.clear();
  Steps = NumStates = 0;
  const std::string Old = Reason;
  Reason.clear();
  push(start());
  while (!Waiting.empty() && !Found) {
    PairState S = std::move(Waiting.front());
    Waiting.pop_front();
    // What looks like a difference ends only its own path.
    explore(std::move(S));
    if (Steps > Limits.Steps || NumStates > Limits.States ||
        T.size() > Limits.Terms)
      break;
  }
  if (!Found)
    Reason = Old;
  return Found;
}

void Product::push(PairState S) {
  ++NumStates;
  Waiting.push_back(std::move(S));
}

std::string Product::describe(unsigned Which, const Stop &S) const {
  switch (S.K) {
  case Stop::Return:
    return S.Value ? "returns " + T.print(S.Value) : "returns";
  case Stop::Throw:
    return "throws " + T.print(S.Value);
  case Stop::Event: {
    std::string Text = getMnemonic(S.Op).str();
    StringRef Of = T.text(S.Key);
    Of = Of.ltrim("0123456789").ltrim();
    Of.consume_front("field ");
    if (!Of.empty())
      Text += " " + Of.str();
    return Text;
  }
  default:
    return "goes on";
  }
}

bool Product::differ(const PairState &S, const Twine &Why, TermRef V,
                     TermRef W) {
  if (!Merges) {
    if (Found || !isWitness(T, S.Known, V, W))
      return false;
    Found = true;
  }
  auto Place = [&](unsigned N) {
    const MethodCode &C = N ? B : A;
    const uint32_t At =
        std::min<uint32_t>(S.Of[N].At, uint32_t(C.Insts.size()) - 1);
    return std::to_string(C.Insts[At].BCI);
  };
  const MethodCode &C = A;
  const uint32_t Line =
      C.Insts[std::min<uint32_t>(S.Of[0].At, uint32_t(C.Insts.size()) - 1)]
          .Line;
  Reason = (Why + " (" + (Line ? "line " + Twine(Line) + ", " : Twine()) +
            "offset " + Place(0) + ", now " + Place(1) + ")")
               .str();
  return false;
}

bool Product::isSame(const PairState &S, TermRef V, TermRef W) {
  return V == W ||
         (V && W && S.Known.normalise(T, V) == S.Known.normalise(T, W));
}

void Product::fork(const PairState &S, TermRef Condition) {
  for (bool Holds : {false, true}) {
    PairState Next = S;
    Next.Known.set(Condition, Holds);
    push(std::move(Next));
  }
}

void Product::forkSwitch(const PairState &S, const Inst &I, TermRef V) {
  PairState Default = S;
  for (int32_t Key : I.Keys) {
    TermRef Is = T.make(TermKind::EqualInts, 0, {V, T.ofInt(Key)});
    const auto Known = S.Known.decide(T, Is);
    if (Known == false)
      continue;
    PairState Next = S;
    Next.Known.set(Is, true);
    push(std::move(Next));
    Default.Known.set(Is, false);
  }
  push(std::move(Default));
}

/// Keeps facts about what there still is.
static void pruneFacts(PairState &S) {
  llvm::DenseSet<TermRef> Used;
  llvm::SmallVector<TermRef, 32> Open;
  auto Add = [&](TermRef T) {
    if (T && Used.insert(T).second)
      Open.push_back(T);
  };
  Add(S.Memory);
  for (const Side &Of : S.Of) {
    llvm::for_each(Of.Slots, Add);
    llvm::for_each(Of.Stack, Add);
    Add(Of.Pending);
  }
  while (!Open.empty())
    for (TermRef T : Open.pop_back_val()->Args)
      Add(T);
  S.Known.keep([&](const PathFacts::Fact &F) {
    return llvm::all_of(F.first->Args, [&](TermRef T) {
      return Used.count(T) || T->is(TermKind::Constant) ||
             T->is(TermKind::Null) || T->is(TermKind::Loaded) ||
             (T->is(TermKind::Apply) && Used.count(T->Args[0]));
    });
  });
}

static uint32_t placeOf(const Side &Of) {
  return Of.At << 1 | (Of.Pending != nullptr);
}

bool Product::isNew(PairState &S) {
  pruneFacts(S);
  for (Side &Of : S.Of)
    Of.Joined = false;
  std::vector<PairState> &Here = Seen[{placeOf(S.Of[0]), placeOf(S.Of[1])}];
  for (const PairState &Old : Here) {
    bool IsOld = false;
    if (generalise(T, Old, S, IsOld) && IsOld)
      return false;
  }
  if (Here.size() >= Copies) {
    bool IsOld = false;
    if (auto Both = generalise(T, Here.back(), S, IsOld)) {
      S = std::move(*Both);
      Here.back() = S;
      return true;
    }
  }
  Here.push_back(S);
  return true;
}

bool Product::complete(PairState &S, Stop &X, Stop &Y) {
  const bool Throws = (X.MayThrow || Y.MayThrow) &&
                      (A.isCovered(S.Of[0].At) || B.isCovered(S.Of[1].At));
  const bool IsCall = !X.Memory;
  if (Throws) {
    PairState Thrown = S;
    TermRef E = T.symbol();
    Thrown.Known.set(T.make(TermKind::EqualRefs, 0, {E, T.null()}), false);
    TermRef Tick = T.symbol();
    if (IsCall)
      Thrown.Memory = T.symbol();
    for (Side &Of : Thrown.Of) {
      Of.Pending = E;
      Of.Tick = Tick;
      Of.Waits.clear();
    }
    push(std::move(Thrown));
  }
  if (X.K == Stop::Return)
    return true; // it has returned
  const bool HasReceiver = getOpcodeInfo(X.Op)->hasReceiver();
  if (HasReceiver && !X.Args.empty())
    S.Known.set(T.make(TermKind::EqualRefs, 0, {X.Args[0], T.null()}), false);
  TermRef Result = X.ResultSlots ? T.symbol(X.ResultKey) : nullptr;
  if (X.IsNew)
    S.Known.set(T.make(TermKind::EqualRefs, 0, {Result, T.null()}), false);
  S.Memory = IsCall ? T.symbol() : X.Memory;
  if (X.Stored)
    S.Memory = T.make(TermKind::Store, X.Key, {S.Memory, X.Stored});
  if (X.Settled)
    S.Known.set(X.Settled, false);
  TermRef Tick = T.symbol();
  First.complete(S.Of[0], X, Result);
  Second.complete(S.Of[1], Y, Result);
  for (Side &Of : S.Of) {
    Of.Tick = Tick;
    Of.Waits.clear();
  }
  push(std::move(S));
  return true;
}

/// Whether \p V is a part of what \p In knows.
static bool occurs(TermRef V, llvm::ArrayRef<TermRef> In) {
  llvm::DenseSet<TermRef> Seen;
  llvm::SmallVector<TermRef, 32> Open(In.begin(), In.end());
  while (!Open.empty()) {
    TermRef T = Open.pop_back_val();
    if (!T || !Seen.insert(T).second)
      continue;
    if (T == V)
      return true;
    llvm::append_range(Open, T->Args);
  }
  return false;
}

/// \p V with \p New in the place of \p Old.
static TermRef substitute(Terms &T, TermRef V, TermRef Old, TermRef New,
                          llvm::DenseMap<TermRef, TermRef> &Done) {
  if (!V || V == Old)
    return V ? New : nullptr;
  if (V->Args.empty())
    return V;
  if (TermRef Is = Done.lookup(V))
    return Is;
  llvm::SmallVector<TermRef, 4> Args;
  for (TermRef A : V->Args)
    Args.push_back(substitute(T, A, Old, New, Done));
  TermRef Result =
      llvm::equal(Args, V->Args) ? V : T.make(V->Kind, V->Code, Args, V->Bits);
  Done[V] = Result;
  return Result;
}

/// Where ticks began to count when \p T was one.
static TermRef beginOf(TermRef T) {
  return T->isApply(op::IADD) ? T->Args[0] : T;
}

/// New objects that nobody else has seen are the same if they are used in the
/// same way, however many others were made before. From here on \p W is \p V.
bool Product::identify(PairState &S, Stop &Y, TermRef V, TermRef W) {
  if (!V || !W || !V->is(TermKind::Object) || !W->is(TermKind::Object) ||
      V->Code != W->Code ||
      !llvm::equal(V->Args.drop_front(), W->Args.drop_front()))
    return false;
  // Since the last event, all that was made is in slots and on the stack.
  TermRef Begin = beginOf(S.Of[0].Tick);
  if (beginOf(S.Of[1].Tick) != Begin || beginOf(V->Args[0]) != Begin ||
      beginOf(W->Args[0]) != Begin)
    return false;
  for (const PathFacts::Fact &F : S.Known.all())
    if (occurs(V, F.first) || occurs(W, F.first))
      return false;
  Side &Of = S.Of[1];
  auto Replace = [&](TermRef Old, TermRef New) {
    llvm::DenseMap<TermRef, TermRef> Done;
    for (auto *Values : {&Of.Slots, &Of.Stack})
      for (TermRef &Value : *Values)
        Value = substitute(T, Value, Old, New, Done);
    for (TermRef &Value : Y.Args)
      Value = substitute(T, Value, Old, New, Done);
    Y.Value = substitute(T, Y.Value, Old, New, Done);
  };
  llvm::SmallVector<TermRef, 2> Other(V->Args.begin(), V->Args.end());
  Other[0] = T.symbol();
  Replace(V, T.make(TermKind::Object, V->Code, Other));
  Replace(W, V);
  return true;
}

bool Product::compare(PairState &S, Stop &X, Stop &Y) {
  auto Say = [&](const Twine &Why, TermRef V = nullptr, TermRef W = nullptr) {
    return differ(S, Why, V, W);
  };
  const bool IsSameEvent =
      X.K == Y.K && (X.K != Stop::Event || (X.Op == Y.Op && X.Key == Y.Key));
  if (!IsSameEvent)
    return Say("'" + describe(0, X) + "' is now '" + describe(1, Y) + "'");
  if (X.K != Stop::Event) {
    if (!isSame(S, X.Value, Y.Value) && !identify(S, Y, X.Value, Y.Value))
      return Say("'" + describe(0, X) + "' is now '" + describe(1, Y) + "'",
                 X.Value, Y.Value);
    // A lock that is held, or is not, makes an exception of the return.
    if (X.K == Stop::Return && (A.Locks || B.Locks)) {
      X.MayThrow = true;
      return complete(S, X, Y);
    }
    return true;
  }
  for (size_t N = 0; N < X.Args.size(); ++N)
    if (!isSame(S, X.Args[N], Y.Args[N]) &&
        !identify(S, Y, X.Args[N], Y.Args[N]))
      return Say("operand " + Twine(N + 1) + " of '" + describe(0, X) +
                     "' was " + T.print(X.Args[N]) + " and is " +
                     T.print(Y.Args[N]),
                 X.Args[N], Y.Args[N]);
  if (X.MayThrow && X.Line != Y.Line)
    return Say("'" + describe(0, X) + "' of line " + Twine(X.Line) +
               " is now of line " + Twine(Y.Line));
  return complete(S, X, Y);
}

bool Product::explore(PairState S) {
  for (;;) {
    if (Steps > Limits.Steps || NumStates > Limits.States ||
        T.size() > Limits.Terms) {
      Reason = "too much to look at";
      return false;
    }
    Stop X = First.run(S.Of[0], S.Memory, S.Known);
    Stop Y = Second.run(S.Of[1], S.Memory, S.Known);
    for (const Stop *Z : {&X, &Y})
      if (Z->K == Stop::Failed) {
        Reason = Z->Why;
        return false;
      }
    // The one loops while the other waits: perhaps for ever.
    for (unsigned N : {0, 1}) {
      Side &Of = S.Of[N];
      const Stop &Own = N ? Y : X, &Other = N ? X : Y;
      const uint32_t Place = placeOf(Of);
      if (Other.Moved)
        Of.Waits.clear();
      else if (Own.Moved && Own.K != Stop::Return && Own.K != Stop::Throw &&
               llvm::is_contained(Of.Waits, Place))
        return differ(S, N ? "it loops where it did not"
                           : "it does not loop where it did");
      Of.Waits.push_back(Place);
    }
    const bool Ends = X.K != Stop::Decision && X.K != Stop::Switch &&
                      X.K != Stop::Event && X.K != Stop::Turn && X.K == Y.K;
    if (!Ends && Merges && (S.Of[0].Joined || S.Of[1].Joined)) {
      if (!isNew(S))
        return true;
      // Values may have got other names, and less may be known.
      continue;
    }
    if (X.K == Stop::Turn || Y.K == Stop::Turn)
      continue;
    if (X.K == Stop::Decision || X.K == Stop::Switch) {
      if (X.K == Stop::Decision)
        fork(S, X.Condition);
      else
        forkSwitch(S, A.Insts[S.Of[0].At], X.Value);
      return true;
    }
    if (Y.K == Stop::Decision || Y.K == Stop::Switch) {
      if (Y.K == Stop::Decision)
        fork(S, Y.Condition);
      else
        forkSwitch(S, B.Insts[S.Of[1].At], Y.Value);
      return true;
    }
    return compare(S, X, Y);
  }
}
