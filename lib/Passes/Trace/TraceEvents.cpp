//===- TraceEvents.cpp - Puts events of a trace at their sites ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceCalls.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_TraceEvents
#include "jopt/Passes/Passes.inc"

namespace {

/// Puts the events of one method at their sites.
class EventPlacer {
public:
  EventPlacer(Body &F, PassContext &C, const TracedEvents &Class,
              const TracedEvents::MethodEvents &Events)
      : P(F, C), F(F), Calls(C.analysis<TraceCalls>(F.classFile())),
        Events(Events), Letters(Class.Letters) {}

  llvm::Error run();

private:
  using Sites = llvm::ArrayRef<TracedEvents::Site>;

  Sites at(uint32_t BCI) const;
  void placeEnter();
  void emitEnter(Instruction *Before, Value *This);
  void emitArguments(Instruction *Before, llvm::ArrayRef<Value *> Values);
  llvm::SmallVector<Value *, 8> references(const Instruction &Call) const;
  void place(Instruction &First, Instruction &I, Sites Here);
  void placeAbort();
  Instruction *untoldHandler(Block &B) const;
  void emit(Instruction *Before, const TracedEvents::Site &S, Instruction &Of);
  void emitField(Instruction *Before, uint32_t Number, Instruction &Of);
  void emitArray(Instruction *Before, uint32_t Number, Instruction &Of);

  Placement P;
  Body &F;
  const TraceCalls &Calls;
  const TracedEvents::MethodEvents &Events;
  const LetterSet Letters;
  /// With letter E: where the arguments are that are references.
  llvm::SmallVector<std::pair<unsigned, Type>, 8> Parameters;
};

} // namespace

AnalysisKey TraceCalls::Key;

TraceCalls TraceCalls::run(const ClassFile &, PassContext &C) {
  TraceCalls Calls;
  Calls.find(C.get<ClassAdvices>().set());
  return Calls;
}

void TraceCalls::find(const AdviceSet &Set) {
  for (unsigned N = 0; N < Set.Advices.size(); ++N) {
    const Advice &A = Set.Advices[N];
    if (A.Kind == AdviceKind::TraceEnter)
      Enter = N;
    if (A.Kind != AdviceKind::TraceEvent)
      continue;
    const bool Number = llvm::is_contained(A.Data, DataItem::EventNumber);
    const bool Object = llvm::is_contained(A.Data, DataItem::EventObject);
    const bool Returns = returnDescriptor(A.Body.Descriptor) != "V";
    if (llvm::is_contained(A.Data, DataItem::EventIndex))
      Index = N;
    else if (A.Body.Name == "run")
      Back = N;
    else if (Number)
      (Object ? EventOf : Returns ? Leave : Event) = N;
    else
      (Returns ? Argument : Value) = N;
  }
}

/// The events of the instruction at \p BCI.
EventPlacer::Sites EventPlacer::at(uint32_t BCI) const {
  auto First = llvm::partition_point(
      Events.Sites, [&](const TracedEvents::Site &S) { return S.BCI < BCI; });
  auto Last = First;
  while (Last != Events.Sites.end() && Last->BCI == BCI)
    ++Last;
  return Sites(Events.Sites)
      .slice(size_t(First - Events.Sites.begin()), size_t(Last - First));
}

/// The activation begins in front of \p Before.
void EventPlacer::emitEnter(Instruction *Before, Value *This) {
  SiteValues V;
  V.give(DataItem::ThisObject, This);
  V.give(DataItem::EventNumber, int32_t(Events.Enter));
  Instruction *I = P.emit(Before, Calls.Enter, V);
  Builder B(F, Before);
  B.setAdvice(int32_t(Calls.Enter));
  const unsigned Probe = P.Set.Advices[Calls.Enter].Probe;
  B.set(F.findPinnedLocal(KeptSlot, Probe)->Slot, I);
  ++NumEvents;
  llvm::SmallVector<Value *, 8> Arguments;
  for (const auto &[Slot, Ty] : Parameters)
    Arguments.push_back(B.get(Slot, Ty));
  emitArguments(Before, Arguments);
}

/// Letters E and I: the types of \p Values, which are references.
void EventPlacer::emitArguments(Instruction *Before,
                                llvm::ArrayRef<Value *> Values) {
  for (Value *A : Values) {
    SiteValues V;
    V.give(DataItem::EventObject, A);
    P.emit(Before, Calls.Argument, V);
  }
}

/// The arguments of \p Call that are references.
llvm::SmallVector<Value *, 8>
EventPlacer::references(const Instruction &Call) const {
  llvm::SmallVector<Value *, 8> Found;
  MethodDescriptor D(F.classFile().callee(Call.index()).Descriptor);
  const bool HasReceiver = Call.opcodeInfo().hasReceiver();
  for (Value *V : Call.operands().drop_front(HasReceiver))
    if (D.nextParameter().size() > 1)
      Found.push_back(V);
  return Found;
}

void EventPlacer::placeEnter() {
  const unsigned Probe = P.Set.Advices[Calls.Enter].Probe;
  const Type Object = F.types().ref("java/lang/Object");
  if (Letters.contains('E'))
    for (unsigned Slot = !P.Static; Slot < F.initialLocals().size(); ++Slot)
      if (F.initialLocals()[Slot].isInitialized())
        Parameters.push_back({Slot, F.initialLocals()[Slot]});
  if (!P.This.Constructor) {
    Instruction *End = P.prologue(Calls.Enter).terminator();
    F.addPinnedLocal(Object, KeptSlot, Probe);
    Value *This = nullptr;
    if (!P.Static) {
      Builder B(F, End);
      B.setAdvice(int32_t(Calls.Enter));
      This = B.get(0, F.types().ref(F.classFile().name()));
    }
    emitEnter(End, This);
    return;
  }
  P.keptSlot(Probe); // null until then
  // The code in front of super() may write them.
  for (auto &[Slot, Ty] : Parameters) {
    Builder B(F, P.prologue(Calls.Enter).terminator());
    B.setAdvice(int32_t(Calls.Enter));
    unsigned Copy = F.addPinnedLocal(Ty);
    B.set(Copy, B.get(Slot, Ty));
    Slot = Copy;
  }
  for (Instruction *Call : P.superCalls()) {
    Instruction *Next = &*behindSuperCall(Call);
    emitEnter(Next, P.constructed(Next, Call, Calls.Enter));
    // The code that catchAll covers begins here.
    if (Events.Abort || Events.Paths)
      startBlock(Next);
  }
}

void EventPlacer::emitField(Instruction *Before, uint32_t Number,
                            Instruction &Of) {
  const bool Put = Of.type().isVoid();
  const bool Static = Of.operands().size() == (Put ? 1u : 0u);
  if (Put && F.pool().member(Of.index()).Descriptor.size() > 1) {
    SiteValues V;
    V.give(DataItem::EventObject, Of.operands().back());
    P.emit(Before, Calls.Value, V);
  }
  SiteValues V;
  V.give(DataItem::EventNumber, int32_t(Number));
  if (!Static)
    V.give(DataItem::EventObject, Of.operand(0));
  P.emit(Before, Static ? Calls.Event : Calls.EventOf, V);
}

void EventPlacer::emitArray(Instruction *Before, uint32_t Number,
                            Instruction &Of) {
  if (Of.opcode() == op::AASTORE) {
    SiteValues V;
    V.give(DataItem::EventObject, Of.operand(2));
    P.emit(Before, Calls.Value, V);
  }
  Builder B(F, Before);
  B.setAdvice(int32_t(Calls.Index));
  SiteValues Index;
  Of.operand(1)->setKeep(false);
  Index.give(DataItem::EventIndex,
             B.make(irop::Plain, op::I2L, Type::Long, {Of.operand(1)}));
  P.emit(Before, Calls.Index, Index);
  SiteValues V;
  V.give(DataItem::EventNumber, int32_t(Number));
  V.give(DataItem::EventObject, Of.operand(0));
  P.emit(Before, Calls.EventOf, V);
}

/// The event \p S of \p Of in front of \p Before.
void EventPlacer::emit(Instruction *Before, const TracedEvents::Site &S,
                       Instruction &Of) {
  ++NumEvents;
  switch (S.Info->Gives) {
  case trace::FieldValues:
    return emitField(Before, S.Number, Of);
  case trace::ArrayValues:
    return emitArray(Before, S.Number, Of);
  case trace::CallValues:
    if (Letters.contains('I'))
      emitArguments(Before, references(Of));
    break;
  case trace::NoValues:
    break;
  }
  SiteValues V;
  V.give(DataItem::EventNumber, int32_t(S.Number));
  P.emit(Before, S.endsActivation() ? Calls.Leave : Calls.Event, V);
}

/// Behind \p I, and the values that it leaves, if it is raw code.
static Instruction &behind(Instruction &I) {
  auto It = std::next(I.getIterator());
  while (It->op() == irop::RawValue)
    ++It;
  return *It;
}

/// Is no code, but what keeps values in their places
/// (LiftOptions::PinAccesses).
static bool isPin(const Instruction &I) {
  return I.op() == irop::Raw && I.raw().Code.empty();
}

/// The events \p Here of the original instruction \p I; its code begins with
/// \p First, which may be a pin.
void EventPlacer::place(Instruction &First, Instruction &I, Sites Here) {
  const Block &B = *First.block();
  const bool Catches = B.isHandler() && B.bci() == First.bci();
  for (const TracedEvents::Site &S : Here)
    if (!S.Info->Behind && (S.Info->Site != trace::CatchSite || Catches) &&
        S.isRecorded(Letters))
      emit(S.Info->Gives == trace::NoValues ? &First : &I, S, I);
  Instruction *Next = &behind(I);
  if (isPin(*Next) && Next->bci() == I.bci())
    Next = &behind(*Next);
  for (const TracedEvents::Site &S : Here)
    if (S.Info->Behind && S.isRecorded(Letters))
      emit(Next, S, I);
}

Instruction *jopt::catchAll(Placement &P, const TraceCalls &Calls) {
  Body &F = P.F;
  llvm::SmallVector<Block *, 32> Covered;
  bool Uninit = P.This.Constructor;
  for (Block &B : F.blocks()) {
    if (B.id() < P.This.Uninitialized.size())
      Uninit = P.This.Uninitialized[B.id()];
    else if (B.isHandler()) // of another probe, which throws again
      Uninit = llvm::any_of(B.locals(),
                            [](Type Ty) { return Ty.is(Type::UninitThis); });
    if (!Uninit && (B.isHandler() || llvm::any_of(B, isOriginal)))
      Covered.push_back(&B);
    if (Uninit && llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
  if (Covered.empty())
    return nullptr;
  Block *H = addCatchAll(F, {});
  Builder B(F);
  B.setEnd(H);
  B.setAdvice(int32_t(Calls.Leave));
  B.raise(H->parameters()[0]);
  F.addFinalHandler(H, Covered);
  if (!P.This.Constructor)
    return H->terminator();
  // Other probes' handlers are covered too, and what they catch may come from
  // before the activation.
  BlockCut Cut(H->terminator());
  Block *Begun = Cut.addThen();
  B.setEnd(H);
  const unsigned Probe = P.Set.Advices[Calls.Enter].Probe;
  Instruction *Kept = B.get(F.findPinnedLocal(KeptSlot, Probe)->Slot,
                            F.types().ref("java/lang/Object"));
  Instruction *Branch = B.make(irop::If, op::IFNULL, Type::Void, {Kept});
  F.setSuccessors(Branch, {Cut.After, Begun});
  Cut.close();
  F.setFrame(Cut.After, {});
  return Begun->terminator();
}

/// Records an exception that leaves the method.
void EventPlacer::placeAbort() {
  Instruction *Raise = catchAll(P, Calls);
  if (!Raise)
    return;
  SiteValues V;
  V.give(DataItem::EventNumber, int32_t(*Events.Abort));
  P.emit(Raise, Calls.Leave, V);
}

/// If \p B is a handler that no event tells of, its first instruction.
Instruction *EventPlacer::untoldHandler(Block &B) const {
  if (!B.isHandler() || B.bci() < 0 ||
      !std::binary_search(Events.Handlers.begin(), Events.Handlers.end(),
                          uint32_t(B.bci())))
    return nullptr;
  auto I = llvm::find_if(B, [](const Instruction &Of) {
    return Of.advice() < 0 && Of.op() != irop::Advice;
  });
  return I == B.end() ? nullptr : &*I;
}

llvm::Error EventPlacer::run() {
  // All are found before anything is changed.
  struct Original {
    Instruction *First, *Own;
    Sites Events;
  };
  std::vector<Original> Found;
  std::vector<Instruction *> Handlers;
  for (Block &B : F.blocks()) {
    int32_t Last = -1;
    Instruction *Pin = nullptr; // other passes may have cut behind it
    if (Instruction *I = untoldHandler(B))
      Handlers.push_back(I);
    for (Instruction &I : B) {
      if (I.bci() < 0 || I.advice() >= 0 || I.op() == irop::FallThrough ||
          I.op() == irop::Advice || I.op() == irop::RawValue || I.bci() == Last)
        continue;
      if (isPin(I)) {
        Pin = &I;
        continue;
      }
      Last = I.bci();
      Instruction *First = Pin && Pin->bci() == Last ? Pin : &I;
      if (Sites Here = at(uint32_t(Last)); !Here.empty())
        Found.push_back({First, &I, Here});
    }
  }
  if (P.This.Constructor && P.superCalls().size() != 1)
    return makeError("it has no call of super() or this(), or several");
  std::optional<PathPlacer> Paths;
  if (Events.Paths)
    Paths.emplace(P, Calls, Events);
  placeEnter();
  if (Events.Abort)
    placeAbort();
  if (Paths)
    Paths->run();
  else
    for (const Original &O : Found)
      place(*O.First, *O.Own, O.Events);
  for (Instruction *I : Handlers)
    P.emit(I, Calls.Back, SiteValues());
  ++NumMethods;
  return P.finish();
}

bool TraceEventsPass::begin(PassContext &C) const {
  if (!C.get<ClassAdvices>().hasTrace())
    return false;
  materializeBytecode(C, true);
  const auto &Class = C.analysis<TracedEvents>(C.classFile());
  if (!Class.Any)
    return false;
  const bool IsAlone = C.get<ClassAdvices>().set().Probes.size() == 1;
  C.makeAnchors();
  C.pinAccesses();
  if (!IsAlone || Class.Declared.hasOption(trace::ReconstructOption))
    return true;
  if (!Class.Declared.hasOption("exceptional") &&
      !StringRef(Class.Letters).contains('I'))
    C.takePatches();
  return true;
}

bool TraceEventsPass::wants(const Method &M, PassContext &C) const {
  return C.analysis<TracedEvents>(C.classFile()).find(M) &&
         hasAdviceOf(AdviceKind::TraceEnter, M, C);
}

llvm::Expected<PreservedAnalyses> TraceEventsPass::run(Body &B,
                                                       PassContext &C) const {
  const auto &Class = C.analysis<TracedEvents>(B.classFile());
  const TracedEvents::MethodEvents &Events = *Class.find(B.method());
  if (B.Patch) {
    auto Placed = patchEvents(B, C, C.analysis<TraceCalls>(B.classFile()),
                              Events, Class.Letters);
    if (!Placed)
      return Placed.takeError();
    NumEvents += *Placed;
    ++NumMethods;
    return PreservedAnalyses::none();
  }
  if (llvm::Error E = EventPlacer(B, C, Class, Events).run())
    return E;
  return PreservedAnalyses::none();
}
