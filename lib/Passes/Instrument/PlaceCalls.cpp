//===- PlaceCalls.cpp - Advices before and behind calls -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call with advices on both sides, all of which name the arguments:
/// \code
///        ...; A = array of the arguments
///        beforeCall advices; arguments out of A
///   C:   the call                                  (handler H, C's own)
///        afterCall advices; ...                    (C's own)
///   H:   (Throwable) afterCall advices; throw it   (C's own)
/// \endcode
/// A, the receiver, and what a beforeCall advice keeps are in slots, as an
/// exception clears the stack. Calls of one activation never overlap between
/// the array and H, so all calls of a method share the slots.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/Arguments.h"
#include "../AdviceCode/Boxing.h"
#include "../AdviceCode/Outline.h"
#include "../Sites/PatchSites.h"
#include "../Sites/SitePlaces.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_PlaceCalls
#include "jopt/Passes/Passes.inc"

namespace {

/// An argument of a call that some advice asks for by its number.
struct NamedArgument {
  unsigned Number;
  llvm::StringRef Descriptor;
  unsigned Slot = 0; ///< where it waits
};

/// A call that some advice selects.
struct CallSite : CallAdvices {
  Instruction *Call;
  MemberRef Callee;
  bool NamesArgs = false;
  bool NamesReceiver = false; ///< and there is one
  bool WritesArgs = false;
  bool Covered = false; ///< gets a handler
  llvm::SmallVector<NamedArgument, 0> Arguments;
  llvm::ArrayRef<Type> Frame; ///< of the handler
  llvm::ArrayRef<Type> Slots; ///< at the call, if WritesArgs
};

/// Places the advices at the calls of one method.
class CallPlacer {
public:
  CallPlacer(Body &F, PassContext &C, bool BoxByNew)
      : P(F, C), F(F), Places(P), Outside(F, C), BoxByNew(BoxByNew),
        CutsCalls(P.This.Constructor && !F.Inferred &&
                  F.classFile().hasFrames()) {}

  /// Whether anything was placed.
  llvm::Expected<bool> run();

private:
  void collect();
  bool select(Instruction &Call, CallSite &S);
  void nameArguments(CallSite &S) const;
  void assignSlots(CallSite &S);
  llvm::ArrayRef<Type> handlerFrame(const CallSite &S, const SlotState &State);
  llvm::Error check() const;

  llvm::Error place(const CallSite &S);
  llvm::Error buildArray(Builder &B, const CallSite &S);
  void saveArguments(Builder &B, const CallSite &S);
  llvm::Error readBack(const CallSite &S);
  llvm::Error readBackOutside(Builder &B, const CallSite &S);
  llvm::ArrayRef<Type> frameAt(const CallSite &S);
  void declareArguments(llvm::SmallVectorImpl<Type> &Frame, const CallSite &S);
  void declareKept(llvm::SmallVectorImpl<Type> &Frame, const CallSite &S);
  llvm::Error emitBefore(const CallSite &S);
  void emitAfter(const CallSite &S);
  TryEntry *addHandler(const CallSite &S, const ThrowEdge *Edges);
  SiteValues valuesAt(const CallSite &S, Instruction *Before, unsigned N);

  Type objects() { return F.types().ref("[Ljava/lang/Object;"); }
  Type object() { return F.types().ref("java/lang/Object"); }

  Placement P;
  Body &F;
  SitePlaces Places;
  Outliner Outside;
  const bool BoxByNew;
  /// A constructor whose call of super() no handler may cover.
  const bool CutsCalls;
  bool LeavesSuper = false; ///< such a call has an advice behind it
  std::vector<CallSite> Sites;
  int ArgsSlot = -1, ReceiverSlot = -1;
  /// Where an argument waits for advices to write it, by its number.
  llvm::SmallVector<int, 8> SavedSlots;
  /// Where one waits that is asked for, by its number and width.
  llvm::SmallDenseMap<std::pair<unsigned, unsigned>, unsigned> ArgumentSlots;
  llvm::DenseMap<unsigned, unsigned> KeptSlots; ///< by probe
  /// The first entry of the original table: handlers come before it.
  TryEntry *FirstTry = nullptr;
  struct {
    llvm::ArrayRef<Type> Last;
    size_t Slots = 0; ///< in those that differ
  } HandlerFrames;
};

} // namespace

/// The parameters of \p Descriptor.
static llvm::SmallVector<llvm::StringRef, 8>
parameters(llvm::StringRef Descriptor) {
  llvm::SmallVector<llvm::StringRef, 8> Types;
  MethodDescriptor D(Descriptor);
  for (auto T = D.nextParameter(); !T.empty(); T = D.nextParameter())
    Types.push_back(T);
  return Types;
}

static bool hasReceiver(const Instruction &Call) {
  return Call.opcodeInfo().hasReceiver();
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

bool CallPlacer::select(Instruction &Call, CallSite &S) {
  llvm::SmallVector<unsigned, 4> Selected;
  llvm::copy_if(
      P.C.get<ClassAdvices>().advicesForCall(F.method(), Call.index()),
      std::back_inserter(Selected), [&](unsigned N) {
        return Places.takes(N, Call) && Places.isMeant(N, Call);
      });
  if (Selected.empty())
    return false;
  S.make(P.Set, Selected);
  S.Call = &Call;
  S.Callee = F.classFile().callee(Call.index());
  auto Names = [&](DataItem D) {
    return P.names(S.Before, D) || P.names(S.After, D);
  };
  S.NamesArgs = Names(DataItem::Args);
  if (Names(DataItem::Argument))
    nameArguments(S);
  S.NamesReceiver =
      hasReceiver(Call) && !Call.isInit() && Names(DataItem::ThisObject);
  S.WritesArgs = llvm::any_of(
      S.Before, [&](unsigned N) { return P.Set.Advices[N].WritesArgs; });
  S.Covered = !S.After.empty();
  if (S.Covered && CutsCalls && isSuperCall(Call)) {
    S.Covered = false;
    LeavesSuper = true;
  }
  return true;
}

/// Finds what advices ask for by its number, as far as the call has it.
void CallPlacer::nameArguments(CallSite &S) const {
  auto Types = parameters(S.Callee.Descriptor);
  for (llvm::ArrayRef<unsigned> List : {S.Before, S.After})
    for (unsigned N : List)
      for (const DataUse &Use : P.Set.Advices[N].Data) {
        if (Use.Item != DataItem::Argument || *Use.number() >= Types.size() ||
            llvm::any_of(S.Arguments, [&](const NamedArgument &A) {
              return A.Number == *Use.number();
            }))
          continue;
        S.Arguments.push_back({*Use.number(), Types[*Use.number()]});
      }
}

void CallPlacer::assignSlots(CallSite &S) {
  for (NamedArgument &A : S.Arguments) {
    unsigned Width = slotsOf(A.Descriptor);
    auto [It, New] = ArgumentSlots.try_emplace({A.Number, Width});
    if (New)
      It->second = F.addSlot(Width);
    A.Slot = It->second;
  }
  if (S.NamesArgs && ArgsSlot < 0)
    ArgsSlot = int(F.addSlot(1));
  if (S.NamesReceiver && ReceiverSlot < 0)
    ReceiverSlot = int(F.addSlot(1));
  if (S.WritesArgs && !P.C.attempt().outlines())
    for (auto [I, Type] : llvm::enumerate(parameters(S.Callee.Descriptor))) {
      if (SavedSlots.size() <= I)
        SavedSlots.push_back(-1);
      if (castMayFail(Type) && SavedSlots[I] < 0)
        SavedSlots[I] = int(F.addSlot(1));
    }
  for (unsigned N : S.Before) {
    const Advice &A = P.Set.Advices[N];
    bool Wanted = llvm::any_of(S.After, [&](unsigned O) {
      const Advice &Other = P.Set.Advices[O];
      return Other.Probe == A.Probe &&
             llvm::is_contained(Other.Data, DataItem::Kept);
    });
    if (A.Result != ResultUse::Keep || !Wanted)
      continue;
    auto [It, New] = KeptSlots.try_emplace(A.Probe);
    if (New)
      It->second =
          F.addSlot(slotsOf(returnDescriptor(P.Calls.callDescriptor(N))));
  }
}

/// Declares the values that advices in front of the call keep.
void CallPlacer::declareKept(llvm::SmallVectorImpl<Type> &Frame,
                             const CallSite &S) {
  for (unsigned N : S.Before) {
    const Advice &A = P.Set.Advices[N];
    auto It = KeptSlots.find(A.Probe);
    if (A.Result == ResultUse::Keep && It != KeptSlots.end())
      declareSlot(Frame, It->second,
                  F.types().fromDescriptor(
                      returnDescriptor(P.Calls.callDescriptor(N))));
  }
}

/// Declares the arguments that advices take by number.
void CallPlacer::declareArguments(llvm::SmallVectorImpl<Type> &Frame,
                                  const CallSite &S) {
  for (const NamedArgument &A : S.Arguments)
    declareSlot(Frame, A.Slot, F.types().fromDescriptor(A.Descriptor));
}

/// The types of slots between the advices in front of the call and the call.
llvm::ArrayRef<Type> CallPlacer::frameAt(const CallSite &S) {
  llvm::SmallVector<Type, 16> Frame(S.Slots);
  dropPinnedLocals(Frame, F);
  declareSlot(Frame, unsigned(ArgsSlot), objects());
  if (S.NamesReceiver)
    declareSlot(Frame, unsigned(ReceiverSlot), object());
  declareArguments(Frame, S);
  declareKept(Frame, S);
  for (auto [I, Type] : llvm::enumerate(parameters(S.Callee.Descriptor)))
    if (castMayFail(Type))
      declareSlot(Frame, unsigned(SavedSlots[I]),
                  F.types().fromDescriptor(Type));
  return F.copy<Type>(Frame);
}

/// The slots that the handlers of the call and those behind them may read:
/// those that they declare, and those that the advices at the call use.
llvm::ArrayRef<Type> CallPlacer::handlerFrame(const CallSite &S,
                                              const SlotState &State) {
  llvm::SmallVector<Type, 16> Frame(State.slots().size(), Type::Top);
  auto Keep = [&](size_t Slot) {
    if (Slot >= Frame.size())
      return;
    Frame[Slot] = State.slot(unsigned(Slot));
    if (Frame[Slot].isCategory2() && Slot + 1 < Frame.size())
      Frame[Slot + 1] = Type::High;
  };
  // Slots that handlers declare have these types in front of the call and
  // behind it. The handler of exit advices reads `this`, and before super()
  // every frame must say that it is not initialised.
  if (!P.Static)
    Keep(0);
  for (size_t I = 0; I < Frame.size(); ++I)
    if (State.slot(unsigned(I)).is(Type::UninitThis))
      Keep(I);
  forEachTry(S.Call->block()->throwEdges(), [&](const TryEntry *T) {
    llvm::ArrayRef<Type> Declared = T->Handler->locals();
    for (size_t I = 0; I < Declared.size(); ++I)
      if (Declared[I].is(Type::Top) || Declared[I].is(Type::High) ||
          I >= Frame.size() || Frame[I] == Declared[I])
        continue;
      else if (!Frame[I].is(Type::Top))
        Keep(I); // Several declare it, not as one type.
      else
        declareSlot(Frame, unsigned(I), Declared[I]);
  });
  // The handler is asked in front of the call and behind it.
  if (S.Call->isInit())
    std::replace(Frame.begin(), Frame.end(), S.Call->operand(0)->type(),
                 Type(Type::Top));
  dropPinnedLocals(Frame, F);
  if (S.NamesArgs && P.names(S.After, DataItem::Args))
    declareSlot(Frame, unsigned(ArgsSlot), objects());
  if (S.NamesReceiver && P.names(S.After, DataItem::ThisObject))
    declareSlot(Frame, unsigned(ReceiverSlot), object());
  declareArguments(Frame, S);
  declareKept(Frame, S);
  while (!Frame.empty() && Frame.back().is(Type::Top))
    Frame.pop_back();
  if (HandlerFrames.Last != llvm::ArrayRef<Type>(Frame)) {
    HandlerFrames.Slots += Frame.size();
    HandlerFrames.Last = F.copy<Type>(Frame);
  }
  return HandlerFrames.Last;
}

void CallPlacer::collect() {
  if (Places.counts())
    for (Block &B : F.blocks())
      for (Instruction &I : B)
        if (I.op() == irop::Invoke && isOriginal(I))
          for (unsigned N :
               P.C.get<ClassAdvices>().advicesForCall(F.method(), I.index()))
            (void)Places.takes(N, I);
  SlotState State(F);
  for (Block &B : F.blocks()) {
    State.enter(B);
    for (Instruction &I : B) {
      CallSite S;
      if (I.op() == irop::Invoke && isOriginal(I) && select(I, S)) {
        assignSlots(S);
        if (S.Covered && HandlerFrames.Slots <= MaxDeclaredSlots)
          S.Frame = handlerFrame(S, State);
        if (S.WritesArgs && !P.C.attempt().outlines() &&
            HandlerFrames.Slots <= MaxDeclaredSlots) {
          S.Slots = F.copy<Type>(State.slots());
          HandlerFrames.Slots +=
              S.Slots.size() *
              (1 + size_t(llvm::count_if(parameters(S.Callee.Descriptor),
                                         castMayFail)));
        }
        Sites.push_back(std::move(S));
      }
      State.step(I);
    }
  }
}

llvm::Error CallPlacer::check() const {
  if (HandlerFrames.Slots > MaxDeclaredSlots)
    return makeError("the code of its calls would declare more than " +
                     llvm::Twine(MaxDeclaredSlots) + " slots");
  if (CutsCalls && P.This.Lost &&
      llvm::any_of(Sites, [](const CallSite &S) { return S.Covered; }))
    return makeError("slot 0 loses `this` before super() is called: no handler "
                     "can be declared there");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What there will be
//===----------------------------------------------------------------------===//

/// The values for advice \p N of the call, loaded in front of \p Before.
SiteValues CallPlacer::valuesAt(const CallSite &S, Instruction *Before,
                                unsigned N) {
  SiteValues V;
  V.giveCallee(S.Callee);
  if (P.names(N, DataItem::LineNumber))
    V.give(DataItem::LineNumber, int32_t(Places.lineOf(*S.Call)));
  Builder B(F, Before);
  B.setAdvice(int32_t(N));
  if (P.names(N, DataItem::Args))
    V.give(DataItem::Args, B.get(unsigned(ArgsSlot), objects()));
  if (S.NamesReceiver && P.names(N, DataItem::ThisObject))
    V.give(DataItem::ThisObject, B.get(unsigned(ReceiverSlot), object()));
  for (const DataUse &Use : P.Set.Advices[N].Data)
    for (const NamedArgument &A : S.Arguments)
      if (Use.Item == DataItem::Argument && *Use.number() == A.Number)
        V.giveSlot(Use.Item, A.Slot, F.types().fromDescriptor(A.Descriptor),
                   Use.Key, A.Descriptor);
  if (P.names(N, DataItem::Kept)) {
    unsigned Probe = P.Set.Advices[N].Probe;
    auto Keeper = unsigned(findKeeper(P.Set, Probe) - P.Set.Advices.data());
    V.giveSlot(DataItem::Kept, KeptSlots.lookup(Probe),
               F.types().fromDescriptor(
                   returnDescriptor(P.Calls.callDescriptor(Keeper))));
  }
  return V;
}

llvm::Error CallPlacer::buildArray(Builder &B, const CallSite &S) {
  auto Arguments = S.Call->operands().drop_front(hasReceiver(*S.Call));
  for (Value *V : Arguments)
    V->setKeep(false);
  Value *Array;
  if (P.C.attempt().outlines()) {
    auto Made = Outside.boxAll(B, S.Callee.Descriptor, Arguments, BoxByNew);
    if (!Made)
      return Made.takeError();
    Array = *Made;
  } else {
    Array = boxAll(B, S.Callee.Descriptor, Arguments, BoxByNew);
  }
  B.set(unsigned(ArgsSlot), Array);
  ++NumArrays;
  return llvm::Error::success();
}

/// Keeps what the verifier knows of the arguments.
void CallPlacer::saveArguments(Builder &B, const CallSite &S) {
  auto Arguments = S.Call->operands().drop_front(hasReceiver(*S.Call));
  for (auto [I, Type] : llvm::enumerate(parameters(S.Callee.Descriptor)))
    if (castMayFail(Type))
      B.set(unsigned(SavedSlots[I]), Arguments[I]);
}

/// The call gets what the array holds now.
llvm::Error CallPlacer::readBack(const CallSite &S) {
  Builder B(F, S.Call);
  B.setAdvice(int32_t(S.Before.front()));
  if (P.C.attempt().outlines())
    return readBackOutside(B, S);
  auto Types = parameters(S.Callee.Descriptor);
  auto Element = [&](Builder &B, size_t I) {
    return loadElement(B, B.get(unsigned(ArgsSlot), objects()),
                       B.constant(int32_t(I)));
  };
  // The loads are what the code is cut in front of.
  auto Arguments = S.Call->operands().drop_front(hasReceiver(*S.Call));
  Instruction *First = nullptr;
  for (size_t I = 0; I < Types.size(); ++I) {
    Value *Loaded =
        castMayFail(Types[I])
            ? B.get(unsigned(SavedSlots[I]), F.types().fromDescriptor(Types[I]))
            : Element(B, I);
    First = First ? First : llvm::cast<Instruction>(Loaded);
    Arguments[I] = castMayFail(Types[I])
                       ? Loaded
                       : unbox(B, Loaded, "Ljava/lang/Object;", Types[I]);
  }
  llvm::ArrayRef<Type> Frame = frameAt(S);
  for (size_t I = 0; I < Types.size(); ++I)
    if (castMayFail(Types[I]))
      updateSlot(
          F, First, B.advice(), unsigned(SavedSlots[I]), Types[I],
          [&](Builder &B) { return Element(B, I); }, Frame);
  return llvm::Error::success();
}

/// The same by methods that are given the argument, the array and the number.
llvm::Error CallPlacer::readBackOutside(Builder &B, const CallSite &S) {
  auto Types = parameters(S.Callee.Descriptor);
  auto Arguments = S.Call->operands().drop_front(hasReceiver(*S.Call));
  for (size_t I = 0; I < Types.size(); ++I) {
    auto Fill = [&](Body &Made) {
      llvm::ArrayRef<Type> Slots = Made.initialLocals();
      unsigned Array = Slots.front().slots();
      auto Element = [&](Builder &In) {
        return loadElement(In, In.get(Array, Slots[Array]),
                           In.get(Array + 1, Slots[Array + 1]));
      };
      Builder In(Made);
      In.setEnd(Made.createBlock());
      In.setAdvice(B.advice());
      if (castMayFail(Types[I])) {
        Instruction *Load = In.get(0, Slots[0]);
        makeReturn(In, Load);
        updateSlot(Made, Load, B.advice(), 0, Types[I], Element, Slots);
      } else {
        makeReturn(In, unbox(In, Element(In), "Ljava/lang/Object;", Types[I]));
      }
      return llvm::Error::success();
    };
    auto Given = Outside.call(
        B, ("? " + Types[I]).str(),
        ("(" + Types[I] + "[Ljava/lang/Object;I)" + Types[I]).str(),
        {Arguments[I], B.get(unsigned(ArgsSlot), objects()),
         B.constant(int32_t(I))},
        Fill);
    if (!Given)
      return Given.takeError();
    Arguments[I] = *Given;
  }
  return llvm::Error::success();
}

/// Places the code in front of the call.
llvm::Error CallPlacer::emitBefore(const CallSite &S) {
  Builder B(F, S.Call);
  B.setAdvice(int32_t(S.Before.empty() ? S.After.front() : S.Before.front()));
  if (S.NamesArgs)
    if (llvm::Error E = buildArray(B, S))
      return E;
  if (S.WritesArgs && !P.C.attempt().outlines())
    saveArguments(B, S);
  for (const NamedArgument &A : S.Arguments) {
    Value *V = S.Call->operand(A.Number + hasReceiver(*S.Call));
    V->setKeep(false);
    B.set(A.Slot, V);
  }
  if (S.NamesReceiver) {
    S.Call->operand(0)->setKeep(false);
    B.set(unsigned(ReceiverSlot), S.Call->operand(0));
  }
  for (unsigned N : S.Before) {
    Instruction *I = P.emit(S.Call, N, valuesAt(S, S.Call, N));
    if (P.Set.Advices[N].Result != ResultUse::Keep)
      continue;
    auto It = KeptSlots.find(P.Set.Advices[N].Probe);
    if (It == KeptSlots.end()) {
      I->setType(Type::Void); // Nobody wants it.
      continue;
    }
    Builder Bd(F, S.Call);
    Bd.setAdvice(int32_t(N));
    Bd.set(It->second, I);
  }
  if (S.WritesArgs)
    if (llvm::Error E = readBack(S))
      return E;
  if (P.names(S.After, DataItem::ElapsedNanos)) {
    const unsigned N = S.After.front();
    const unsigned Slot = P.beginSlot(N);
    Builder Bd(F, S.Call);
    Bd.setAdvice(int32_t(N));
    Bd.set(Slot, Bd.callStatic("java/lang/System", "nanoTime", "()J", {}));
  }
  return llvm::Error::success();
}

/// Places the code behind the call, where it returns.
void CallPlacer::emitAfter(const CallSite &S) {
  auto Next = behindSuperCall(S.Call);
  Value *Returned = nullptr;
  llvm::StringRef ReturnType = returnDescriptor(S.Callee.Descriptor);
  if (ReturnType != "V")
    Returned = S.Call;
  for (unsigned N : S.After) {
    SiteValues V = valuesAt(S, &*Next, N);
    V.giveReturned(Returned, ReturnType);
    Instruction *I = P.emit(&*Next, N, V);
    if (I->type().isVoid())
      continue;
    auto Replace = [&](llvm::MutableArrayRef<Value *> Uses) {
      for (Value *&V : Uses)
        if (V == Returned)
          V = I;
    };
    for (Instruction &User : llvm::make_range(Next, S.Call->block()->end()))
      Replace(User.operands());
    Replace(S.Call->block()->exitValues());
    Returned = I;
  }
}

/// The handler for exceptions out of the call, which \p Edges cover.
TryEntry *CallPlacer::addHandler(const CallSite &S, const ThrowEdge *Edges) {
  Block *H = addCatchAll(F, {});
  F.setSharedFrame(H, S.Frame);
  H->setThrowEdges(Edges);
  Builder B(F);
  B.setEnd(H);
  B.setAdvice(int32_t(S.After.front()));
  B.raise(H->parameters()[0]);
  for (unsigned N : S.After) {
    SiteValues V = valuesAt(S, H->terminator(), N);
    V.give(DataItem::ExceptionObject, H->parameters()[0]);
    P.emit(H->terminator(), N, V);
  }
  ++NumHandlers;
  return F.addTry(H, 0, FirstTry);
}

llvm::Error CallPlacer::place(const CallSite &S) {
  Block *B = S.Call->block();
  const ThrowEdge *Own = B->throwEdges();
  // In front of the first instruction of a range is outside of it.
  Placement::FrontPlace Front = P.inFrontOf(S.Call);
  if (llvm::Error E = emitBefore(S))
    return E;
  emitAfter(S);
  if (!S.Covered && !Front.Apart)
    return llvm::Error::success();

  auto At = S.Call->getIterator();
  Block *C = startBlock(S.Call);
  for (auto It = B->getIterator(); &*It != C; ++It)
    It->setThrowEdges(Front.Edges);
  if (!S.Covered)
    return llvm::Error::success();
  F.split(C, std::next(At));
  C->setThrowEdges(F.withTry(Own, addHandler(S, Own)));
  return llvm::Error::success();
}

llvm::Expected<bool> CallPlacer::run() {
  collect();
  if (Sites.empty())
    return false;
  if (llvm::Error E = check())
    return E;
  FirstTry = F.tries().empty() ? nullptr : F.tries().front();
  for (const CallSite &S : Sites) {
    if (llvm::Error E = place(S))
      return E;
    ++NumCalls;
    for (unsigned Probe : S.Probes)
      P.count(Probe);
  }
  ++NumMethods;
  if (llvm::Error E = P.finish())
    return E;
  if (LeavesSuper)
    reportUncoveredSuper(P.C, F.method(), ReportRow::NoSuperAfterCall);
  return true;
}

bool PlaceCallsPass::begin(PassContext &C) const {
  if (!hasAdviceOf(AdviceKind::BeforeCall, C) &&
      !hasAdviceOf(AdviceKind::AfterCall, C))
    return false;
  if (C.classFile().Original.empty())
    materializeBytecode(C, needsOriginalCode(C.get<ClassAdvices>().set()));
  return true;
}

bool PlaceCallsPass::wants(const Method &M, PassContext &C) const {
  return C.get<ClassAdvices>().hasSelectedCall(M);
}

llvm::Expected<PreservedAnalyses> PlaceCallsPass::run(Body &B,
                                                      PassContext &C) const {
  if (B.Patch) {
    auto Placed = patchCalls(B, C);
    if (!Placed)
      return Placed.takeError();
    NumCalls += Placed->first;
    NumHandlers += Placed->second;
    NumMethods += Placed->first != 0;
    return PreservedAnalyses::changedIf(Placed->first);
  }
  auto Placed = CallPlacer(B, C, Options.Box == Options.BoxNew).run();
  if (!Placed)
    return Placed.takeError();
  return PreservedAnalyses::changedIf(*Placed);
}
