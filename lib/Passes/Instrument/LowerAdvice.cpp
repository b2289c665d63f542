//===- LowerAdvice.cpp - Advices into code --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An advice becomes a static call, in place where that is all. With a switch,
/// or where its exceptions are dropped, the block is cut:
/// \code
///   B:  ...                       B:  ...; store what is on the stack
///       if (!switch) goto M           if (!switch) goto M
///   A:  call                      A:  call; store the result      (handler X)
///   M:  ...                           goto M
///                                 X:  (Throwable)
///                                 M:  load what was on the stack; ...
/// \endcode
/// On the left values stay on the stack, as parameters of A and M; an exception
/// would clear it, so on the right they wait in slots.
///
/// In a method that is too large for that, the advice with its constants goes
/// into a method of its own, and is lowered there.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/AdviceCall.h"
#include "../AdviceCode/AdviceOutline.h"
#include "../AdviceCode/Arguments.h"
#include "../AdviceCode/Boxing.h"
#include "../AdviceCode/HostLink.h"
#include "../AdviceCode/Outline.h"
#include "../Snippets/SnippetTemplates.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

#define GET_STATISTICS_LowerAdvice
#include "jopt/Passes/Passes.inc"

namespace {

/// Lowers the advices of one method.
class Lowerer {
public:
  Lowerer(Body &F, PassContext &C, bool BoxByNew)
      : Lowerer(F, C, BoxByNew, F.method(), -1) {}
  /// For those of a site.
  Lowerer(const Snippet &Code, PassContext &C, bool BoxByNew)
      : Lowerer(*Code.IR, C, BoxByNew, Code.IR->method(), arraySlot(*Code.IR)) {
  }

  llvm::Expected<bool> run();
  /// Puts what makes the array of arguments in front of all else.
  Error makeArray();

private:
  /// For advices of \p Host that are in \p F, a method made for them, where
  /// the array of arguments is in \p ArgumentSlot.
  Lowerer(Body &F, PassContext &C, bool BoxByNew, const Method &Host,
          int ArgumentSlot)
      : F(F), C(C), Calls(C.get<AdviceCalls>()), Set(Calls.set()),
        BoxByNew(BoxByNew), Host(Host),
        Descriptor(F.classFile().descriptor(Host)),
        Caller(F, C, Host, BoxByNew, ArgumentSlot), Outside(F, C) {}

  /// A condition for an advice to run, besides reaching it.
  enum class Condition { Switch, HasState, IsThere, Decider };

  static int arraySlot(const Body &F) {
    const auto *Array = F.findPinnedLocal(ArraySlot);
    return Array ? int(Array->Slot) : -1;
  }
  Error check(const Instruction &I) const;
  bool castsResult(const Instruction &I) const;
  bool makesBranches(const Instruction &I) const;
  Error collect();
  Error buildArguments();
  Error makeArray(Builder &B);
  llvm::Expected<bool> lowerOutside(Instruction *I);
  Error fillOutside(Body &Made, const Instruction &I, const OutlinedAdvice &G);
  void keepResult(Instruction *I, llvm::SmallVectorImpl<Type> &Slots);
  Error lower(Instruction *I);
  Error lowerInPlace(Instruction *I, llvm::ArrayRef<Type> Slots);
  Error askConditions(Builder &B, BlockCut &Cut, const Instruction &I,
                      llvm::ArrayRef<Value *> Operands);
  Error lowerBranching(Instruction *I, llvm::ArrayRef<Type> Slots);
  Block *rethrowInstead(BlockCut &Cut, Block *Call, const Instruction &I,
                        llvm::ArrayRef<Type> Slots);
  void writeParameters(Instruction *At, const Advice &A,
                       llvm::ArrayRef<Type> Slots);
  bool branches(const Instruction &I) const {
    const Advice &A = Set.Advices[I.index()];
    return isolates(A) || !conditions(A).empty();
  }
  /// The advice that \p A is placed for: itself, or the one that it decides
  /// about.
  unsigned decidedBy(const Advice &A) const {
    return unsigned(&A - Set.Advices.data()) + (A.Result == ResultUse::Decide);
  }
  /// An advice that endsMethod has its handler placed with it.
  static bool isolates(const Advice &A) {
    return A.Exceptions == AdviceExceptions::Isolate && !endsMethod(A);
  }
  llvm::SmallVector<Condition, 2> conditions(const Advice &A) const;
  llvm::Expected<Value *> test(Builder &B, Condition What, const Instruction &I,
                               llvm::ArrayRef<Value *> Operands);

  Body &F;
  PassContext &C;
  AdviceCalls &Calls;
  const AdviceSet &Set;
  const bool BoxByNew;
  /// The method whose advices these are, and its descriptor.
  const Method &Host;
  const StringRef Descriptor;
  llvm::SmallVector<Instruction *, 8> Advices;
  /// The types of slots at advices that are more than a call.
  llvm::DenseMap<const Instruction *, llvm::SmallVector<Type, 8>> SlotsAt;
  AdviceCaller Caller;
  Outliner Outside;
  /// Slots from here on hold values around one call, and are free elsewhere;
  /// so do the two before, where some advice castsResult.
  unsigned FirstTemp = 0;
};

} // namespace

static bool writesParameters(const Advice &A) {
  return A.Kind == AdviceKind::Entry && A.WritesArgs;
}

/// Finds errors that text may have, and placing does not make.
Error Lowerer::check(const Instruction &I) const {
  if (I.index() >= Set.Advices.size())
    return adviceError(I, "there is no such advice");
  const Advice &A = Set.Advices[I.index()];
  size_t Wanted = size_t(llvm::count_if(
      A.Data, [&](DataItem D) { return isSiteItem(A.Kind, D); }));
  bool Replaces = A.Result == ResultUse::ReplaceValue && !I.type().isVoid();
  bool MayRethrow = A.Result == ResultUse::Return && !endsMethod(A);
  if (I.operands().size() != Wanted + Replaces + MayRethrow)
    return adviceError(I, "it has " + llvm::Twine(I.operands().size()) +
                              " operands, and its data items and its result "
                              "ask for " +
                              llvm::Twine(Wanted + Replaces + MayRethrow));
  if (A.Result == ResultUse::Ignore && !I.type().isVoid())
    return adviceError(I, "its result is ignored, and is used here");
  if (Replaces && I.operands().back()->type().slots() != I.type().slots())
    return adviceError(I, "the value that it replaces has another type");
  return Error::success();
}

/// A replacement for an object has to be cast, and the cast could fail for the
/// object itself.
bool Lowerer::castsResult(const Instruction &I) const {
  const Advice &A = Set.Advices[I.index()];
  if (A.Result != ResultUse::ReplaceValue || !I.type().is(Type::Ref))
    return false;
  StringRef Given = returnDescriptor(Calls.callDescriptor(I.index()));
  return I.type() != F.types().fromDescriptor(Given) &&
         castMayFail(descriptorOf(F.types(), I.type()));
}

/// Its code needs to know what the slots hold.
bool Lowerer::makesBranches(const Instruction &I) const {
  return I.index() < Set.Advices.size() &&
         (branches(I) || writesParameters(Set.Advices[I.index()]) ||
          castsResult(I));
}

Error Lowerer::collect() {
  bool Branching = false;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.op() == irop::Advice) {
        Advices.push_back(&I);
        Branching |= makesBranches(I);
      }
  if (!Branching)
    return Error::success();
  SlotState S(F);
  for (Block &B : F.blocks()) {
    S.enter(B);
    for (Instruction &I : B) {
      if (I.op() == irop::Advice && makesBranches(I))
        SlotsAt[&I].assign(S.slots().begin(), S.slots().end());
      S.step(I);
    }
  }
  return Error::success();
}

/// One array with all arguments, made in front of everything else.
Error Lowerer::buildArguments() {
  auto First = llvm::find_if(Advices, [&](const Instruction *I) {
    const Advice &A = Set.Advices[I->index()];
    return takesArguments(A);
  });
  if (First == Advices.end() || Caller.argumentSlot() >= 0)
    return Error::success();
  Caller.setArgumentSlot(
      F.addPinnedLocal(F.types().ref("[Ljava/lang/Object;")));
  Block *Old = &F.entry();
  Block *Front = F.createBlock(Old);
  Builder B(F);
  B.setEnd(Front);
  B.setAdvice(int32_t((*First)->index()));
  if (Error E = makeArray(B))
    return E;
  B.fallThrough(Old);
  return Error::success();
}

Error Lowerer::makeArray() {
  Builder B(F, &F.entry().instructions().front());
  return makeArray(B);
}

Error Lowerer::makeArray(Builder &B) {
  ++NumArrays;
  auto Values = readParameters(B, F, Descriptor);
  NumBoxes += size_t(llvm::count_if(
      Values, [](const Value *V) { return !V->type().isInitialized(); }));
  Value *Array;
  if (C.attempt().outlines()) {
    auto Made = Outside.boxAll(B, Descriptor, Values, BoxByNew);
    if (!Made)
      return Made.takeError();
    Array = *Made;
  } else {
    Array = boxAll(B, Descriptor, Values, BoxByNew);
  }
  B.set(unsigned(Caller.argumentSlot()), Array);
  return Error::success();
}

/// The parameters get what the array of arguments holds, in front of \p At.
void Lowerer::writeParameters(Instruction *At, const Advice &A,
                              llvm::ArrayRef<Type> Slots) {
  if (!writesParameters(A))
    return;
  llvm::SmallVector<Type, 16> Declared(Slots);
  dropPinnedLocals(Declared, F);
  llvm::ArrayRef<Type> Frame = F.copy<Type>(Declared);
  const int32_t N = int32_t(&A - Set.Advices.data());
  Type Objects = F.types().ref("[Ljava/lang/Object;");
  unsigned Slot = isStatic(F.classFile(), Host) ? 0 : 1;
  MethodDescriptor D(Descriptor);
  int32_t Number = 0;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    auto Element = [&](Builder &B) {
      return loadElement(B, B.get(unsigned(Caller.argumentSlot()), Objects),
                         B.constant(Number));
    };
    if (castMayFail(P)) {
      updateSlot(F, At, N, Slot, P, Element, Frame);
    } else {
      Builder B(F, At);
      B.setAdvice(N);
      B.set(Slot, unbox(B, Element(B), "Ljava/lang/Object;", P));
    }
    Slot += slotsOf(P);
    ++Number;
  }
}

/// Makes \p I yield an Object, which behind it is cast if it is not the one
/// that was there before. \p Slots is what they hold at \p I.
void Lowerer::keepResult(Instruction *I, llvm::SmallVectorImpl<Type> &Slots) {
  const unsigned Kept = FirstTemp - 2, New = FirstTemp - 1;
  const int32_t N = int32_t(I->index());
  const Type Ty = I->type(), Object = F.types().ref("java/lang/Object");
  Builder B(F, I);
  B.setAdvice(N);
  B.set(Kept, I->operands().back());
  declareSlot(Slots, Kept, Ty);
  B.setPoint(I->block(), std::next(I->getIterator()));
  Instruction *Result = B.get(Kept, Ty);
  I->block()->replaceUses(I, Result);
  I->setType(Object);
  B.setPoint(I->block(), Result->getIterator());
  B.set(New, I);
  llvm::SmallVector<Type, 16> Declared(Slots.begin(), Slots.end());
  dropPinnedLocals(Declared, F);
  updateSlot(
      F, Result, N, Kept, descriptorOf(F.types(), Ty),
      [&](Builder &At) { return At.get(New, Object); }, F.copy<Type>(Declared));
}

Error Lowerer::lowerInPlace(Instruction *I, llvm::ArrayRef<Type> Slots) {
  Builder B(F, I);
  auto V = Caller.call(B, *I, I->operands());
  if (!V)
    return V.takeError();
  ++NumAdvices;
  if (*V)
    I->block()->replaceUses(I, *V);
  const Advice &A = Set.Advices[I->index()];
  Instruction *Next = &*std::next(I->getIterator());
  F.erase(I);
  writeParameters(Next, A, Slots);
  return Error::success();
}

static bool isPure(const Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->isPure();
}

llvm::SmallVector<Lowerer::Condition, 2>
Lowerer::conditions(const Advice &A) const {
  llvm::SmallVector<Condition, 2> List;
  if (endsMethod(A)) // They were asked in front of it.
    return List;
  const Advice &Of = Set.Advices[decidedBy(A)];
  if (!Of.Switch.empty())
    List.push_back(Condition::Switch);
  if (llvm::is_contained(Of.Data, DataItem::StaticField) &&
      C.get<ClassEditor>().keepsSchema() && !canHaveCallSites(F.classFile()))
    List.push_back(Condition::HasState);
  // A site that does nothing has no value to give in the place of another.
  if (Calls.callsBySites() &&
      (Of.Result == ResultUse::ReplaceValue || Of.Result == ResultUse::Return))
    List.push_back(Condition::IsThere);
  if (findDecider(Set, unsigned(&A - Set.Advices.data())))
    List.push_back(Condition::Decider);
  return List;
}

llvm::Expected<Value *> Lowerer::test(Builder &B, Condition What,
                                      const Instruction &I,
                                      llvm::ArrayRef<Value *> Operands) {
  if (What == Condition::Decider)
    return Caller.ask(B, I, *findDecider(Set, I.index()), Operands);
  const unsigned N = decidedBy(Set.Advices[I.index()]);
  const Advice &A = Set.Advices[N];
  if (What == Condition::HasState)
    return emitHasState(B, F, Calls, A.Probe);
  auto [Owner, Name] = StringRef(A.Switch).split('.');
  if (What == Condition::IsThere || Calls.callsBySites())
    return What == Condition::IsThere ? emitIsThere(B, F, Calls, N)
                                      : emitSwitch(B, F, Calls, Owner, Name);
  return B.callStatic(Owner, Name, "()Z", {});
}

/// Ends \p B's block, the first half of \p Cut, in what asks whether advice
/// \p I, which has \p Operands there, is to run; \p B goes on in the block that
/// is reached if so.
Error Lowerer::askConditions(Builder &B, BlockCut &Cut, const Instruction &I,
                             llvm::ArrayRef<Value *> Operands) {
  llvm::SmallVector<Condition, 2> Conditions =
      conditions(Set.Advices[I.index()]);
  if (Conditions.empty()) {
    Block *Next = Cut.addBlock();
    B.fallThrough(Next);
    B.setEnd(Next);
  }
  // The first one is asked here, further ones in blocks of their own.
  for (Condition What : Conditions) {
    llvm::SmallVector<Value *, 4> Here(Operands);
    if (B.block() != Cut.Before)
      for (Value *&V : Here)
        V = Cut.get(B, V);
    auto V = test(B, What, I, Here);
    if (!V)
      return V.takeError();
    Block *Next = Cut.addBlock();
    B.jumpIfZero(*V, Cut.After, Next);
    B.setEnd(Next);
  }
  return Error::success();
}

/// Where the advice of \p I, which is called in \p Call and has the method
/// return, does not run, the exception goes on: in the block that this returns.
Block *Lowerer::rethrowInstead(BlockCut &Cut, Block *Call, const Instruction &I,
                               llvm::ArrayRef<Type> Slots) {
  Builder B(F);
  B.setAdvice(int32_t(I.index()));
  B.setEnd(Call);
  B.jump(Cut.After);
  Block *Rethrow = Cut.addBlock();
  B.setEnd(Rethrow);
  B.raise(Cut.get(B, I.operands().back()));
  F.setExitValues(Rethrow, {});
  F.setFrame(Rethrow, Slots);
  for (auto It = Cut.Before->getIterator(); &*It != Call; ++It)
    if (Instruction *T = It->terminator(); T->op() == irop::If)
      F.setSuccessors(T, {Rethrow, T->successors()[1]});
  return Rethrow;
}

Error Lowerer::lowerBranching(Instruction *I,
                              llvm::ArrayRef<Type> SlotsBefore) {
  const unsigned N = I->index();
  const Advice &A = Set.Advices[N];
  BlockCut Cut(&*std::next(I->getIterator()));
  Builder B(F);
  B.setAdvice(int32_t(N));
  B.setEnd(Cut.Before);
  F.erase(I);

  // Where the result is used, something stands for it on the way around the
  // call. Operands that are used here only are dead behind.
  auto *Result = llvm::find_if(Cut.Values, [&](auto &V) { return V.Out == I; });
  const std::optional<size_t> ResultAt =
      Result == Cut.Values.end()
          ? std::nullopt
          : std::optional<size_t>(Result - Cut.Values.begin());
  if (ResultAt)
    Result->Out = A.Result == ResultUse::ReplaceValue ? I->operands().back()
                                                      : B.zero(I->type());
  for (Value *V : I->operands())
    if (!isPure(V))
      Cut.carry(V);

  llvm::SmallVector<Type, 16> Slots(SlotsBefore);
  dropPinnedLocals(Slots, F);
  const bool Isolate = isolates(A);
  if (Isolate) {
    // The stack does not survive an exception.
    unsigned Top = FirstTemp;
    for (CarriedValue &V : Cut.Values) {
      Cut.store(B, V, Top, Slots);
      Top += V.Ty.slots();
    }
    F.setNumSlots(std::max(F.numSlots(), Top));
  }
  if (Error E = askConditions(B, Cut, *I, I->operands()))
    return E;
  llvm::SmallVector<Value *, 4> Operands;
  for (Value *V : I->operands())
    Operands.push_back(Cut.get(B, V));
  auto Given = Caller.call(B, *I, Operands);
  if (!Given)
    return Given.takeError();
  ++NumAdvices;
  if (ResultAt)
    Cut.put(B, Cut.Values[*ResultAt], *Given);

  Block *Call = B.block(), *Otherwise = Cut.After;
  if (A.Result == ResultUse::Return)
    Otherwise = rethrowInstead(Cut, Call, *I, Slots);
  else if (Isolate)
    B.jump(Cut.After);
  else
    B.fallThrough(Cut.After);
  if (Isolate) {
    Block *Handler = addCatchAll(F, Slots, Otherwise);
    B.setEnd(Handler);
    B.fallThrough(Otherwise);
    wrapInTry(Call, Handler, nullptr,
              F.tries().empty() ? nullptr : F.tries().front());
  }
  Cut.close();
  F.setFrame(Cut.After, Slots);
  writeParameters(Call->terminator(), A, Slots);
  return Error::success();
}

/// The code of \p Made, which does what \p I stands for.
Error Lowerer::fillOutside(Body &Made, const Instruction &I,
                           const OutlinedAdvice &G) {
  Builder B(Made);
  B.setEnd(Made.createBlock());
  B.setAdvice(int32_t(I.index()));
  llvm::SmallVector<Value *, 8> Operands;
  MethodDescriptor D(Made.classFile().descriptor(Made.method()));
  unsigned Slot = 0;
  for (const Instruction *Const : G.Constants) {
    if (Const) {
      Operands.push_back(copyFloating(B, *Const));
      continue;
    }
    Type Ty = Made.types().fromDescriptor(D.nextParameter());
    Operands.push_back(B.get(Slot, Ty));
    Slot += Ty.slots();
  }
  Instruction *Copy = B.make(irop::Advice, op::NOP, I.type(), Operands);
  Copy->setIndex(I.index());
  Copy->setImm(I.imm());
  makeReturn(B, I.type().isVoid() ? nullptr : Copy);
  return Lowerer(Made, C, BoxByNew, Host, G.ArgumentSlot).run().takeError();
}

/// Has a method of its own do what \p I stands for, and calls that, if that
/// makes the code here smaller.
llvm::Expected<bool> Lowerer::lowerOutside(Instruction *I) {
  const Advice &A = Set.Advices[I->index()];
  OutlinedAdvice G;
  // Parameters are slots of the host.
  if (writesParameters(A) ||
      !outlineAdvice(*I, A, Calls.callDescriptor(I->index()), branches(*I), G))
    return false;
  Builder B(F, I);
  B.setAdvice(int32_t(I->index()));
  if (G.ArgumentSlot >= 0) {
    constexpr StringRef Objects = "[Ljava/lang/Object;";
    G.Values.push_back(B.get(unsigned(Caller.argumentSlot()),
                             F.types().fromDescriptor(Objects)));
    G.Parameters += Objects;
  }
  auto V = Outside.call(B, G.Key, "(" + G.Parameters + ")" + G.Result, G.Values,
                        [&](Body &Made) { return fillOutside(Made, *I, G); });
  if (!V)
    return V.takeError();
  if (!I->type().isVoid())
    I->block()->replaceUses(I, *V);
  F.erase(I);
  return true;
}

/// Makes code of \p I, here.
Error Lowerer::lower(Instruction *I) {
  auto At = SlotsAt.find(I);
  if (At == SlotsAt.end())
    return lowerInPlace(I, {});
  llvm::SmallVector<Type, 8> &Slots = At->second;
  if (castsResult(*I))
    keepResult(I, Slots);
  return branches(*I) ? lowerBranching(I, Slots) : lowerInPlace(I, Slots);
}

llvm::Expected<bool> Lowerer::run() {
  if (Error E = collect())
    return E;
  if (Advices.empty())
    return false;
  for (const Instruction *I : Advices)
    if (Error E = check(*I))
      return E;
  if (Error E = buildArguments())
    return E;
  if (llvm::any_of(SlotsAt,
                   [&](const auto &At) { return castsResult(*At.first); }))
    F.setNumSlots(F.numSlots() + 2);
  FirstTemp = F.numSlots();
  const bool Outlines = C.attempt().outlines() && &F.method() == &Host;
  for (Instruction *I : Advices) {
    llvm::Expected<bool> Done = Outlines ? lowerOutside(I) : false;
    if (!Done)
      return Done.takeError();
    if (!*Done)
      if (Error E = lower(I))
        return E;
  }
  NumBoxes += Caller.numBoxes();
  return true;
}

bool LowerAdvicePass::begin(PassContext &C) const {
  const AdviceSet &Set = C.get<AdviceCalls>().set();
  if (!Set.empty() && C.classFile().Original.empty())
    materializeBytecode(C, needsOriginalCode(Set));
  return true;
}

namespace {
/// The entries of the names of one method, once they were asked for.
class SiteNames {
public:
  explicit SiteNames(Body &F) : F(F) {}
  void fill(SnippetInstance &Code) {
    for (size_t N = 0; N < Code->Fixups->Names.size(); ++N)
      Code.Constants[N] = entry(Code->Fixups->Names[N]);
  }
  uint16_t entry(SnippetFixups::Name Of) {
    if (!Known[Of])
      Known[Of] =
          F.pool().addString(Of == SnippetFixups::MethodName
                                 ? F.classFile().name(F.method())
                                 : F.classFile().descriptor(F.method()));
    return Known[Of];
  }

private:
  Body &F;
  uint16_t Known[2] = {};
};
} // namespace

/// Lowers \p Code for the first time, for a method of \p Names.
static Error lowerSite(Snippet &Code, PassContext &C, bool BoxByNew,
                       SiteNames &Names) {
  Code.Lowered = true;
  Code.NamesMethod = Code.Fixups && !Code.Fixups->Names.empty();
  if (Code.Template) {
    fillIn(Code, C.classFile(), C.get<AdviceCalls>(),
           [&](SnippetFixups::Name Of) { Names.entry(Of); });
    NumAdvices += Code.NumAdvices;
    return Error::success();
  }
  Lowerer L(Code, C, BoxByNew);
  Error E = Code.MakesArray ? L.makeArray() : Error::success();
  if (!E)
    E = L.run().takeError();
  C.invalidate(*Code.IR, PreservedAnalyses::none());
  return E;
}

/// Lowers what stands at the sites of \p F, a patched body, where nobody did.
static llvm::Expected<bool> lowerSites(Body &F, PassContext &C, bool BoxByNew) {
  CodePatch &S = *F.Patch;
  SiteNames Names(F);
  unsigned Count = 0; // of advices that were lowered before
  S.AllWritten = S.Lowered = true;
  auto LowerFirst = [&](SnippetInstance &Code) -> Error {
    const bool IsNew = !Code->Lowered;
    if (!IsNew)
      Count += Code->NumAdvices;
    else if (Error E = lowerSite(*Code, C, BoxByNew, Names))
      return E;
    S.AllWritten &= !Code->IR;
    if (Code->NamesMethod) {
      Names.fill(Code);
      if (IsNew)
        Code->Fixups->Own = Code.Constants;
    }
    return Error::success();
  };
  // Most snippets are those of other sites, too.
  auto Lower = [&](SnippetInstance &Code) -> Error {
    if (!Code->Lowered || Code->NamesMethod || Code->IR)
      return LowerFirst(Code);
    Count += Code->NumAdvices;
    return Error::success();
  };
  if (S.Entry)
    if (Error E = Lower(S.Entry))
      return E;
  for (InsertionPoint &Of : S.Sites)
    if (Error E = Lower(Of.Code))
      return E;
  for (SyntheticHandler &H : S.Handlers)
    if (Error E = Lower(H.Code))
      return E;
  NumAdvices += Count;
  return S.Entry || !S.Sites.empty() || !S.Handlers.empty();
}

llvm::Expected<PreservedAnalyses> LowerAdvicePass::run(Body &B,
                                                       PassContext &C) const {
  const bool BoxByNew = Options.Box == Options.BoxNew;
  auto Changed =
      B.Patch ? lowerSites(B, C, BoxByNew) : Lowerer(B, C, BoxByNew).run();
  if (!Changed)
    return Changed.takeError();
  return PreservedAnalyses::changedIf(*Changed);
}
