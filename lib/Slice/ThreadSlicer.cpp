//===- ThreadSlicer.cpp - The activations of a thread ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadSlicer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using namespace jopt::slice;
using data::Activation;
using data::TracedEvent;
using llvm::StringRef;

SliceFrame *ThreadSlicer::handle(const TracedEvent &E,
                                 const SlicedMethod *Method) {
  unwindTo(E.IsEnter ? E.Level - 1 : E.Level);
  if (!Method)
    return nullptr;
  if (E.IsEnter)
    Frames.push_back({E.Level, enter(E, *Method)});
  else if (Frames.empty() || Frames.back().first != E.Level ||
           Frames.back().second->Method != Method) // it began unseen
    Frames.push_back({E.Level, enterUntraced(nullptr, *Method, *E.Of)});
  SliceFrame &F = *Frames.back().second;
  if (E.IsEnter)
    return &F;
  const uint32_t BCI = E.Class->event(E.Number).BCI;
  switch (E.Class->kind(E.Number).Opcode) {
  case LineEvent:
  case AbortEvent: // the next event says so too
    break;
  case CompletionEvent:
    complete(F);
    break;
  case CatchEvent:
    catchAt(F, F.Method->skipNops(BCI));
    break;
  default:
    // An athrow may have two events.
    if (!F.Thrown || F.Last->BCI != BCI)
      instruction(F, BCI, E);
    if (E.IsReturn)
      leave(F);
  }
  return &F;
}

//===----------------------------------------------------------------------===//
// Activations and calls
//===----------------------------------------------------------------------===//

/// Those above \p Level are over: but for the last that returned, each by an
/// exception.
void ThreadSlicer::unwindTo(uint32_t Level) {
  while (!Frames.empty() &&
         (Frames.back().first > Level || Frames.back().second->HasLeft)) {
    const std::unique_ptr<SliceFrame> F = std::move(Frames.back().second);
    Frames.pop_back();
    uint32_t BCI;
    if (!F->HasLeft && F->Caller && F->Caller->Pending)
      F->Caller->Pending->Exception = thrownBy(*F, BCI);
  }
}

std::unique_ptr<SliceFrame> ThreadSlicer::enter(const TracedEvent &E,
                                                const SlicedMethod &Method) {
  SliceFrame *Caller = nullptr;
  if (!Frames.empty() && Frames.back().first == E.Level - 1)
    Caller = Frames.back().second.get();
  return Caller && Caller->Pending ? enterFrom(*Caller, Method, *E.Of)
                                   : enterUntraced(Caller, Method, *E.Of);
}

/// \p Call, of traced code, runs \p Method, and no other code between them.
bool ThreadSlicer::isCallOf(const SliceCall &Call, const SlicedMethod &Method,
                            const Activation &A) {
  if (Call.IsEntered || Call.Callee.Name != Method.Name ||
      Call.Callee.Descriptor != Method.Descriptor ||
      Call.At.info().hasReceiver() == Method.IsStatic)
    return false;
  if (!Method.IsStatic) {
    const int32_t Known = W.Objects.hash(Call.Arguments[0].Object);
    if (Known && A.HasHost && Known != A.Host)
      return false;
  }
  return Call.At.Op == op::INVOKEVIRTUAL || Call.At.Op == op::INVOKEINTERFACE ||
         W.Classes.inherits(Call.Callee.Owner, Method.Class->File->name());
}

/// \p Method begins while \p Caller calls something.
std::unique_ptr<SliceFrame> ThreadSlicer::enterFrom(SliceFrame &Caller,
                                                    const SlicedMethod &Method,
                                                    const Activation &A) {
  SliceCall &Call = *Caller.Pending;
  if (SliceFrame *P = Call.Prologue.get()) {
    if (P->Method == &Method)
      return finishPrologue(Caller, A);
    advanceToCallOf(*P, Method);
    return P->Pending ? enterFrom(*P, Method, A)
                      : enterUntraced(&Caller, Method, A);
  }
  if (!isCallOf(Call, Method, A))
    return enterUntraced(&Caller, Method, A);
  Call.IsEntered = true;
  auto F = std::make_unique<SliceFrame>();
  F->Method = &Method;
  F->Caller = &Caller;
  F->IsDirect = true;
  F->Call = Call.Node;
  F->Locals = Call.Arguments;
  if (!Method.IsStatic && A.HasHost) {
    std::vector<Doubt> Doubts;
    identify(F->Locals[0], A.Host, Caller.Method->site(Call.At.BCI), Doubts);
    for (const Doubt &D : Doubts)
      W.Nodes.doubt(Call.Node, D);
  }
  return F;
}

/// \p Method begins, and what called it is not traced: the JVM, or something
/// that the call of \p Caller ran, if there is one.
std::unique_ptr<SliceFrame>
ThreadSlicer::enterUntraced(SliceFrame *Caller, const SlicedMethod &Method,
                            const Activation &A) {
  const NodeId From = !Caller           ? 0
                      : Caller->Pending ? goUntraced(*Caller)
                                        : Caller->control();
  const NodeId Entry = W.Nodes.add(0, From);
  const SiteId Site = Method.site(0);
  W.Nodes.doubt(Entry, {Doubt::UntracedCaller, Site});
  auto F = std::make_unique<SliceFrame>();
  F->Method = &Method;
  F->Caller = Caller;
  // The JVM runs these, whatever a program does.
  const bool IsMain = !Caller && Method.Name == "main" && Method.IsStatic;
  F->Call = IsMain || Method.Name == "<clinit>" ? From : Entry;
  F->Locals.assign(Method.Code.MaxLocals, {Entry, 0});
  if (!Method.IsStatic && A.HasHost && !F->Locals.empty()) {
    std::vector<Doubt> Doubts;
    identify(F->Locals[0], A.Host, Site, Doubts);
    for (const Doubt &D : Doubts)
      W.Nodes.doubt(Entry, D);
  }
  return F;
}

/// \p F returns.
void ThreadSlicer::leave(SliceFrame &F) {
  F.HasLeft = true;
  if (!F.Caller || !F.Caller->Pending)
    return;
  SliceCall &Call = *F.Caller->Pending;
  if (!F.IsDirect)
    Call.Inside.push_back(F.LastNode);
  else if (!F.Stack.empty())
    Call.Result = F.Stack.back();
}

void ThreadSlicer::call(SliceFrame &F, const DecodedInst &I) {
  auto Call = std::make_unique<SliceCall>();
  Call->At = I;
  Call->Callee = F.Method->Class->File->Pool.member(I.Index);
  const bool HasReceiver = I.info().hasReceiver();
  const unsigned Slots =
      parameterSlots(Call->Callee.Descriptor) + unsigned(HasReceiver);
  if (F.Stack.size() < Slots)
    F.Stack.insert(F.Stack.begin(), Slots - F.Stack.size(), unknown(F));
  Call->Arguments.assign(F.Stack.end() - Slots, F.Stack.end());
  F.Stack.resize(F.Stack.size() - Slots);
  // The object decides which method it is.
  const bool IsChosen = HasReceiver && I.Op != op::INVOKESPECIAL;
  Call->Node = add(F, I, IsChosen ? Call->Arguments[0].Node : NodeId(0));
  F.Pending = std::move(Call);
  if (I.Op == op::INVOKESPECIAL && F.Pending->Callee.Name == "<init>")
    beginPrologue(F);
}

/// Objects of these, by their descriptors, never change.
static bool isImmutable(StringRef Descriptor) {
  return llvm::StringSwitch<bool>(Descriptor)
      .Cases("Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;",
             "Ljava/lang/Boolean;", "Ljava/lang/Character;", true)
      .Cases("Ljava/lang/Byte;", "Ljava/lang/Short;", "Ljava/lang/Float;",
             "Ljava/lang/Double;", "Ljava/lang/Class;", true)
      .Default(false);
}

/// What the call of \p F gives to code that is not traced: its arguments, what
/// is in arrays, and what such code put into objects before.
NodeId ThreadSlicer::goUntraced(SliceFrame &F) {
  SliceCall &Call = *F.Pending;
  if (Call.Untraced)
    return Call.Untraced;
  std::vector<NodeId> On = {Call.Node};
  for (const SliceValue &V : Call.Arguments) {
    On.push_back(V.Node);
    On.push_back(W.Objects.opaque(V.Object));
    On.push_back(W.Objects.elements(V.Object));
  }
  const SiteId Site = F.Method->site(Call.At.BCI);
  Call.Untraced = W.Nodes.add(Site, On);
  const bool IsBlind = Call.Prologue && Call.Prologue->IsBlind;
  W.Nodes.doubt(Call.Untraced,
                {IsBlind ? Doubt::BeforeSuper : Doubt::UntracedCall, Site});
  return Call.Untraced;
}

/// The result or exception of the pending call of \p F, of untraced code. That
/// code may have put anything into the objects that it got, except objects of
/// traced classes.
SliceValue ThreadSlicer::untracedResult(SliceFrame &F) {
  SliceCall &Call = *F.Pending;
  std::vector<NodeId> On = Call.Inside;
  On.push_back(goUntraced(F));
  const NodeId N = W.Nodes.add(F.Method->site(Call.At.BCI), On);
  size_t At = 0;
  if (Call.At.info().hasReceiver())
    W.Objects.setOpaque(Call.Arguments[At++].Object, N);
  MethodDescriptor D(Call.Callee.Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    const ObjectId Given = Call.Arguments[At].Object;
    At += slotsOf(P);
    if (P.size() > 1 && !isImmutable(P) &&
        !W.Classes.isTraced(W.Objects.className(Given)))
      W.Objects.setOpaque(Given, N);
  }
  const StringRef Returned = D.returnType();
  if (Returned.size() <= 1 || isImmutable(Returned))
    return {N, 0};
  const ObjectId O = W.Objects.create(N, false, {});
  W.Objects.setOpaque(O, N);
  return {N, O};
}

/// The call of \p F has returned.
void ThreadSlicer::complete(SliceFrame &F) {
  if (!F.Pending)
    return;
  const SliceCall &Call = *F.Pending;
  SliceValue V;
  const bool IsEmpty =
      Call.Callee.Owner == "java/lang/Object" && Call.Callee.Name == "<init>";
  if (!Call.IsEntered && !IsEmpty)
    V = untracedResult(F);
  else if (Call.Result)
    V = *Call.Result;
  if (Call.Callee.Name == "<init>" && F.News)
    --F.News;
  const unsigned Slots = slotsOf(returnDescriptor(Call.Callee.Descriptor));
  F.LastNode = Slots ? V.Node : Call.Node;
  F.Pending.reset();
  push(F, V, Slots);
}

//===----------------------------------------------------------------------===//
// In front of super()
//===----------------------------------------------------------------------===//

/// The call of \p Caller is of a constructor, which may be traced.
void ThreadSlicer::beginPrologue(SliceFrame &Caller) {
  SliceCall &Call = *Caller.Pending;
  if (!W.Classes.isTraced(Call.Callee.Owner))
    return;
  const SlicedClass *C = W.Classes.find(Call.Callee.Owner);
  const SlicedMethod *M =
      C ? C->find(Call.Callee.Name, Call.Callee.Descriptor) : nullptr;
  if (!M)
    return;
  auto P = std::make_unique<SliceFrame>();
  P->Method = M;
  P->Caller = &Caller;
  P->IsDirect = true;
  P->Call = Call.Node;
  P->Locals = Call.Arguments;
  Call.Prologue = std::move(P);
  advance(*Call.Prologue);
}

/// \p P up to its next call. Where that would be behind a branch nothing is
/// known of it.
void ThreadSlicer::advance(SliceFrame &P) {
  DecodedInst I;
  uint32_t At = P.Last ? P.Last->end() : 0;
  while (!P.Pending && P.Method->decode(P.Method->skipNops(At), I)) {
    if (I.info().Branches || I.info().EndsBlock) {
      P.IsBlind = true;
      W.Objects.setInexact(P.Locals[0].Object);
      return;
    }
    step(P, I, nullptr);
    At = I.end();
  }
}

static bool isInit(const SlicedMethod &M, const DecodedInst &I) {
  return I.Op == op::INVOKESPECIAL &&
         M.Class->File->Pool.member(I.Index).Name == "<init>";
}

/// The next call of \p P, up to that of super() or this(), that may run
/// \p Method.
std::optional<uint32_t> ThreadSlicer::findCallOf(const SliceFrame &P,
                                                 const SlicedMethod &Method) {
  unsigned News = P.News;
  DecodedInst I;
  for (uint32_t At = P.Pending->At.BCI; P.Method->decode(At, I); At = I.end()) {
    if (I.info().Branches || I.info().EndsBlock)
      return std::nullopt;
    if (At > P.Pending->At.BCI)
      News += I.Op == op::NEW;
    if (I.info().Cat != op::CatInvoke)
      continue;
    const MemberRef Callee = P.Method->Class->File->Pool.member(I.Index);
    const bool IsDone = At == P.Pending->At.BCI && P.Pending->IsEntered;
    // A constructor begins behind those of the classes above it.
    if (!IsDone &&
        (Method.isConstructor()
             ? isInit(*P.Method, I) &&
                   W.Classes.inherits(Callee.Owner, Method.Class->File->name())
             : Callee.Name == Method.Name &&
                   Callee.Descriptor == Method.Descriptor))
      return At;
    if (isInit(*P.Method, I) && News-- == 0)
      return std::nullopt;
  }
  return std::nullopt;
}

/// Brings \p P to where it calls \p Method, if it does.
bool ThreadSlicer::advanceToCallOf(SliceFrame &P, const SlicedMethod &Method) {
  const auto To = P.Pending ? findCallOf(P, Method) : std::nullopt;
  while (To && P.Pending && P.Pending->At.BCI < *To) {
    complete(P);
    advance(P);
  }
  return To && P.Pending;
}

/// The constructor that \p Caller calls is behind its super().
std::unique_ptr<SliceFrame> ThreadSlicer::finishPrologue(SliceFrame &Caller,
                                                         const Activation &A) {
  const NodeId Blind =
      Caller.Pending->Prologue->IsBlind ? goUntraced(Caller) : 0;
  std::unique_ptr<SliceFrame> P = std::move(Caller.Pending->Prologue);
  Caller.Pending->IsEntered = true;
  while (P->Pending) {
    const bool IsSuper = isInit(*P->Method, P->Pending->At) && P->News == 0;
    complete(*P);
    if (IsSuper)
      break;
    advance(*P);
  }
  if (Blind) {
    P->Stack.clear();
    P->Locals.resize(
        std::max<size_t>(P->Locals.size(), P->Method->Code.MaxLocals));
    // Variables that it may have written.
    DecodedInst I;
    unsigned News = 0;
    for (uint32_t At = 0; P->Method->decode(At, I); At = I.end()) {
      News += I.Op == op::NEW;
      if (isInit(*P->Method, I) && News-- == 0)
        break;
      if (I.info().Cat == op::CatLocal && I.info().results().empty() &&
          I.Index < P->Locals.size())
        P->Locals[I.Index] = {Blind, 0};
    }
  }
  P->Last.reset();
  if (A.HasHost) {
    std::vector<Doubt> Doubts;
    identify(P->Locals[0], A.Host, P->Method->site(0), Doubts);
    for (const Doubt &D : Doubts)
      if (!Blind) // of which enough is said
        W.Nodes.doubt(P->Call, D);
  }
  return P;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Leaves the control regions that end at \p BCI, and those inside them.
void ThreadSlicer::arrive(SliceFrame &F, uint32_t BCI) {
  auto Ends = llvm::find_if(
      F.Control, [&](const SliceFrame::Region &R) { return R.End == BCI; });
  F.Control.erase(Ends, F.Control.end());
}

/// The exception that \p F met behind its last event, and the instruction that
/// threw it.
SliceValue ThreadSlicer::thrownBy(SliceFrame &F, uint32_t &BCI) {
  BCI = F.Last ? F.Last->BCI : 0;
  if (F.Thrown)
    return *F.Thrown;
  if (F.Pending) {
    for (const SliceCall *C = F.Pending.get(); C;
         C = C->Prologue ? C->Prologue->Pending.get() : nullptr)
      if (C->Exception)
        return *C->Exception;
    return untracedResult(F);
  }
  // A field read has its event when it is done, so it did not throw.
  const bool MayBeLast = F.Last && F.Last->info().MayThrow &&
                         F.Last->Op != op::GETFIELD &&
                         F.Last->Op != op::GETSTATIC;
  // The next instruction may be a field read that threw: it has no event.
  llvm::SmallVector<uint32_t, 2> Next;
  if (!F.Last || !F.Last->info().EndsBlock)
    Next.push_back(F.Last ? F.Last->end() : 0);
  if (F.Last && F.Last->info().Branches)
    Next.push_back(uint32_t(F.Last->Value));
  const NodeId Earlier = MayBeLast ? F.LastNode : 0;
  for (uint32_t At : Next) {
    DecodedInst I;
    if (!F.Method->decode(F.Method->skipNops(At), I) ||
        !(I.Op == op::GETFIELD || (I.Op == op::GETSTATIC && !MayBeLast)))
      continue;
    BCI = I.BCI;
    const NodeId Owner =
        I.Op == op::GETFIELD && !F.Stack.empty() ? F.Stack.back().Node : 0;
    return {add(F, I, {Owner, Earlier}), 0};
  }
  return Earlier ? SliceValue{Earlier, 0} : unknown(F);
}

/// An exception has come to the handler at \p BCI.
void ThreadSlicer::catchAt(SliceFrame &F, uint32_t BCI) {
  uint32_t Thrower;
  const SliceValue V = thrownBy(F, Thrower);
  F.Pending.reset();
  F.Thrown.reset();
  F.Last.reset();
  const auto *H =
      llvm::find_if(F.Method->Code.Handlers, [&](const CodeView::Handler &H) {
        return F.Method->skipNops(H.Target) == BCI;
      });
  if (H == F.Method->Code.Handlers.end()) {
    F.Stack.clear(); // something is missing
    return;
  }
  CodeRegions &Regions = F.Method->regions();
  llvm::erase_if(F.Control, [&](const SliceFrame::Region &R) {
    return !Regions.leadsTo(H->Target, R.End);
  });
  const uint32_t End = F.Method->skipNops(Regions.endOf(Thrower, H->Target));
  if (!F.Control.empty() && F.Control.back().End == End)
    F.Control.pop_back();
  F.Control.push_back({V.Node, End});
  F.Stack.assign(1, V);
}

void ThreadSlicer::instruction(SliceFrame &F, uint32_t BCI,
                               const TracedEvent &E) {
  DecodedInst I;
  if (!F.Method->decode(BCI, I))
    return;
  if (F.Pending || F.Thrown || (F.Last && !F.Method->flows(*F.Last, BCI)))
    catchAt(F, BCI);
  arrive(F, BCI);
  step(F, I, &E);
}
