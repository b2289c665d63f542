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

#include "Arguments.h"
#include "Boxing.h"
#include "HostLink.h"
#include "Outline.h"
#include "jopt/IR/SlotState.h"
#include "jopt/IR/Surgery.h"
#include "jopt/Passes/Analysis/ClassState.h"
#include "jopt/Passes/Analysis/ExecutableUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

#define GET_STATISTICS_LowerAdvice
#include "jopt/Passes/Passes.inc"

namespace {

/// Lowers the advices of one method.
class Lowerer {
public:
  Lowerer(Body &F, PassContext &C, bool BoxByNew)
      : Lowerer(F, C, BoxByNew, F.method(), -1) {}

  llvm::Expected<bool> run();

private:
  /// For advices of \p Host that are in \p F, a method made for them, where
  /// the array of arguments is in \p ArgumentSlot.
  Lowerer(Body &F, PassContext &C, bool BoxByNew, const Method &Host,
          int ArgumentSlot)
      : F(F), C(C), Calls(C.get<AdviceCalls>()), Set(Calls.set()),
        BoxByNew(BoxByNew), Host(Host),
        Descriptor(F.classFile().descriptor(Host)), ArgumentSlot(ArgumentSlot),
        Outside(F, C) {}

  /// What must be true for an advice to run, besides reaching it.
  enum class Condition { Switch, HasState, IsThere };

  /// What a method that is made for an advice is given.
  struct Given {
    std::string Key, Parameters, Result;
    llvm::SmallVector<Value *, 8> Values;
    /// One for each operand: the constant that the method makes itself, or
    /// null.
    llvm::SmallVector<const Instruction *, 8> Constants;
    int ArgumentSlot = -1;
  };

  Error check(const Instruction &I) const;
  bool castsResult(const Instruction &I) const;
  bool makesBranches(const Instruction &I) const;
  void collect();
  Error buildArguments();
  bool isForMethodOfItsOwn(const Instruction &I, Given &G);
  Error lowerOutside(Instruction *I, const Given &G);
  void keepResult(Instruction *I, llvm::SmallVectorImpl<Type> &Slots);
  Error lowerInPlace(Instruction *I, llvm::ArrayRef<Type> Slots);
  Error askConditions(Builder &B, BlockCut &Cut, unsigned N);
  Error lowerBranching(Instruction *I, llvm::ArrayRef<Type> Slots);
  llvm::Expected<Value *> call(Builder &B, const Instruction &I,
                               llvm::ArrayRef<Value *> Operands);
  void writeParameters(Instruction *At, const Advice &A,
                       llvm::ArrayRef<Type> Slots);
  llvm::Expected<Value *> hostItem(Builder &B, const Instruction &I,
                                   DataItem D);
  llvm::Expected<Value *> staticField(Builder &B, const Instruction &I);
  bool standsForInitializer(const Instruction &I);
  llvm::Expected<Value *> argument(Builder &B, const Instruction &I, DataItem D,
                                   StringRef Wanted, Value *Given);
  llvm::Expected<Value *> result(Builder &B, const Instruction &I, Value *V);
  Value *part(Builder &B, StringRef S);
  Value *text(Builder &B, StringRef S);
  Value *box(Builder &B, Value *V, StringRef Type);
  bool branches(const Instruction &I) const {
    const Advice &A = Set.Advices[I.index()];
    return A.Exceptions == AdviceExceptions::Isolate || !conditions(A).empty();
  }
  llvm::SmallVector<Condition, 2> conditions(const Advice &A) const;
  llvm::Expected<Value *> test(Builder &B, Condition What, unsigned N);

  Body &F;
  PassContext &C;
  AdviceCalls &Calls;
  const AdviceSet &Set;
  const bool BoxByNew;
  /// The method whose advices these are, and its descriptor.
  const Method &Host;
  const StringRef Descriptor;
  llvm::SmallVector<Instruction *, 8> Advices;
  /// What the slots hold at the advices that are more than a call.
  llvm::DenseMap<const Instruction *, llvm::SmallVector<Type, 8>> SlotsAt;
  /// The first constant of each part of a text, by where the text lies.
  llvm::DenseMap<const char *, Instruction *> Parts;
  int ArgumentSlot;
  Outliner Outside;
  /// Slots from here on hold values around one call, and are free elsewhere;
  /// so do the two before, where some advice castsResult.
  unsigned FirstTemp = 0;
};

} // namespace

static bool writesParameters(const Advice &A) {
  return A.Kind == AdviceKind::Entry && A.WritesArgs;
}

[[gnu::cold]]
static Error adviceError(const Instruction &I, const llvm::Twine &M) {
  return makeError("advice #" + llvm::Twine(I.index()) + ": " + M);
}

/// What text may have written, and placing does not.
Error Lowerer::check(const Instruction &I) const {
  if (I.index() >= Set.Advices.size())
    return adviceError(I, "there is no such advice");
  const Advice &A = Set.Advices[I.index()];
  size_t Wanted = size_t(llvm::count_if(
      A.Data, [&](DataItem D) { return isSiteItem(A.Kind, D); }));
  bool Replaces = A.Result == ResultUse::ReplaceValue && !I.type().isVoid();
  if (I.operands().size() != Wanted + Replaces)
    return adviceError(I, "it has " + llvm::Twine(I.operands().size()) +
                              " operands, and its data items and its result "
                              "ask for " +
                              llvm::Twine(Wanted + Replaces));
  if (A.Result == ResultUse::Ignore && !I.type().isVoid())
    return adviceError(I, "its result is ignored, and is used here");
  if (Replaces && I.operands().back()->type().slots() != I.type().slots())
    return adviceError(I, "the value that it replaces has another type");
  return Error::success();
}

static std::string descriptorOf(const TypeTable &Types, Type Ref) {
  StringRef Name = Types.name(Ref);
  return Name.starts_with("[") ? Name.str() : ("L" + Name + ";").str();
}

/// What takes the place of an object must be cast, and the cast could fail for
/// the object itself.
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

void Lowerer::collect() {
  bool Branching = false;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.op() == irop::Advice) {
        Advices.push_back(&I);
        Branching |= makesBranches(I);
      }
  if (!Branching)
    return;
  SlotState S(F);
  for (Block &B : F.blocks()) {
    S.enter(B);
    for (Instruction &I : B) {
      if (I.op() == irop::Advice && makesBranches(I))
        SlotsAt[&I].assign(S.slots().begin(), S.slots().end());
      S.step(I);
    }
  }
}

/// One array with all arguments, made in front of everything else.
Error Lowerer::buildArguments() {
  auto First = llvm::find_if(Advices, [&](const Instruction *I) {
    const Advice &A = Set.Advices[I->index()];
    return !isCallKind(A.Kind) && llvm::is_contained(A.Data, DataItem::Args);
  });
  if (First == Advices.end() || ArgumentSlot >= 0)
    return Error::success();
  ++NumArrays;
  ArgumentSlot = int(F.addMethodWideSlot(F.types().ref("[Ljava/lang/Object;")));
  Block *Old = &F.entry();
  Block *Front = F.createBlock(Old);
  Builder B(F);
  B.setEnd(Front);
  B.setAdvice(int32_t((*First)->index()));
  auto Values = readParameters(B, F, Descriptor);
  NumBoxes += size_t(llvm::count_if(
      Values, [](const Value *V) { return !V->type().isInitialized(); }));
  Value *Array;
  if (C.turn().outlines()) {
    auto Made = Outside.boxAll(B, Descriptor, Values, BoxByNew);
    if (!Made)
      return Made.takeError();
    Array = *Made;
  } else {
    Array = boxAll(B, Descriptor, Values, BoxByNew);
  }
  B.set(unsigned(ArgumentSlot), Array);
  B.fallThrough(Old);
  return Error::success();
}

/// \p V, of descriptor \p Type, as an object.
Value *Lowerer::box(Builder &B, Value *V, StringRef Type) {
  NumBoxes += findBox(Type) != nullptr;
  return jopt::box(B, V, Type, BoxByNew);
}

/// The descriptor of the value that is returned at \p I, where it is primitive;
/// empty for objects.
static StringRef primitiveType(const Instruction &I, Type Ty) {
  switch (Ty.kind()) {
  case Type::Int:
    return I.imm() == 4   ? "Z"
           : I.imm() == 5 ? "C"
           : I.imm() == 8 ? "B"
           : I.imm() == 9 ? "S"
                          : "I";
  case Type::Long:
    return "J";
  case Type::Float:
    return "F";
  case Type::Double:
    return "D";
  default:
    return {};
  }
}

/// B.string(\p S). What is long is looked up in the pool once per method.
Value *Lowerer::part(Builder &B, StringRef S) {
  Instruction *&First = Parts[S.data()];
  if (First)
    return copyFloating(B, *First);
  return First = B.string(S);
}

/// \p S, which lives as long as the class, as a String: joined of several
/// constants where it is longer than one may be.
Value *Lowerer::text(Builder &B, StringRef S) {
  Value *Whole = nullptr;
  do {
    // A character is not cut: its bytes behind the first are 10xxxxxx.
    size_t Length = std::min<size_t>(S.size(), 65535);
    while (Length < S.size() && (uint8_t(S[Length]) & 0xc0) == 0x80)
      --Length;
    Value *Part = part(B, S.take_front(Length));
    Whole = !Whole ? Part
                   : B.callVirtual("java/lang/String", "concat",
                                   "(Ljava/lang/String;)Ljava/lang/String;",
                                   {Whole, Part});
    S = S.drop_front(Length);
  } while (!S.empty());
  return Whole;
}

/// The static field of the probe of \p I.
llvm::Expected<Value *> Lowerer::staticField(Builder &B, const Instruction &I) {
  const ClassFile &Class = F.classFile();
  unsigned P = Set.Advices[I.index()].Probe;
  std::string Type = "L" + Set.Probes[P].StaticField + ";";
  // A text may have the field already, by its first name. A class file may
  // have one of other probes.
  const std::string First = Class.Original.empty()
                                ? Set.Probes[P].FieldPrefix + std::to_string(P)
                                : std::string();
  for (const std::string &Name :
       {C.analysis<ClassState>(Class).Fields[P], First})
    for (const Field &Fd : Class.Fields)
      if (Class.name(Fd) == Name && Class.descriptor(Fd) == Type)
        return B.getStatic(Class.name(), Name, Type);
  if (Calls.keepsStateAside())
    return emitState(B, F, Calls, P);
  return adviceError(I, "the class has no static field of the probe");
}

/// \p I runs where the class is entered, for want of a static initialiser.
bool Lowerer::standsForInitializer(const Instruction &I) {
  return Set.Advices[I.index()].Kind == AdviceKind::StaticInitializer &&
         C.analysis<ClassState>(F.classFile()).AtEntry;
}

/// A data item that does not depend on the site.
llvm::Expected<Value *> Lowerer::hostItem(Builder &B, const Instruction &I,
                                          DataItem D) {
  ClassFile &Class = F.classFile();
  switch (D) {
  case DataItem::ClassName:
    return B.string(Class.name());
  case DataItem::MethodName:
    return B.string(standsForInitializer(I) ? "<clinit>" : Class.name(Host));
  case DataItem::MethodSig:
    return B.string(standsForInitializer(I) ? "()V" : Descriptor);
  case DataItem::StaticField:
    return staticField(B, I);
  case DataItem::Args:
    return B.get(unsigned(ArgumentSlot), F.types().ref("[Ljava/lang/Object;"));
  case DataItem::ClassSourceFile: {
    const Attribute *A =
        ClassFile::findAttribute(F.pool(), Class.Attributes, "SourceFile");
    if (!A || A->Data.size() != 2)
      return B.null();
    return text(B, F.pool().utf8(readU2(A->Data.data())));
  }
  case DataItem::MethodNames:
    return text(B, C.analysis<MethodNamesText>(Class).Text);
  case DataItem::MethodLineTables:
    return text(B, C.analysis<MethodLineTablesText>(Class).Text);
  case DataItem::MethodNumber: {
    const auto &Methods = C.analysis<OriginalMethods>(Class);
    return B.constant(int32_t(standsForInitializer(I)
                                  ? Methods.Methods.size()
                                  : Methods.numberOf(Host)));
  }
  case DataItem::PreviousUnits: {
    unsigned N = C.analysis<OriginalMethods>(Class).numberOf(Host);
    return B.constant(int32_t(C.analysis<ClassUnits>(Class).Previous[N]));
  }
  default:
    return adviceError(I, getDataItemName(D) + " is not known here");
  }
}

/// The value of a site, \p Given, as the parameter of type \p Wanted.
llvm::Expected<Value *> Lowerer::argument(Builder &B, const Instruction &I,
                                          DataItem D, StringRef Wanted,
                                          Value *Given) {
  Type Ty = Given->type();
  bool WantsObject = Wanted.size() > 1;
  if (WantsObject == Ty.isInitialized() &&
      (WantsObject || Ty == F.types().fromDescriptor(Wanted)))
    return Given;
  StringRef Primitive = primitiveType(I, Ty);
  if (D == DataItem::ReturnedObject && !Primitive.empty())
    return box(B, Given, Primitive);
  return adviceError(I, getDataItemName(D) +
                            " would be given a value of type " +
                            F.types().toString(Ty));
}

/// What the call returned, \p V, as the type that \p I has.
llvm::Expected<Value *> Lowerer::result(Builder &B, const Instruction &I,
                                        Value *V) {
  const Advice &A = Set.Advices[I.index()];
  StringRef Given = returnDescriptor(Calls.callDescriptor(I.index()));
  if (A.Result == ResultUse::Keep) {
    if (I.type() != F.types().fromDescriptor(Given))
      return adviceError(I, "its result is of type " + Given);
    return V;
  }
  // The value takes the place of one of type I.type().
  Type Ty = I.type();
  StringRef Primitive = primitiveType(I, Ty);
  if (!Primitive.empty() && findBox(Given)) {
    if (V->type() == Ty)
      return V;
    return adviceError(I, "a value of type " + Given +
                              " cannot replace one of " + Primitive);
  }
  if (!Primitive.empty())
    return unbox(B, V, Given, Primitive);
  if (!Ty.is(Type::Ref))
    return adviceError(I, "no value of type " + F.types().toString(Ty) +
                              " can be replaced");
  StringRef Class = F.types().name(Ty);
  if (findBox(Given)) {
    V = box(B, V, Given);
    Given = "Ljava/lang/Object;";
  }
  if (Class == "java/lang/Object" || Ty == F.types().fromDescriptor(Given))
    return V;
  return B.cast(V, Class);
}

/// The parameters get what the array of arguments holds, in front of \p At.
void Lowerer::writeParameters(Instruction *At, const Advice &A,
                              llvm::ArrayRef<Type> Slots) {
  if (!writesParameters(A))
    return;
  llvm::SmallVector<Type, 16> Declared(Slots);
  dropMethodWideSlots(Declared, F);
  llvm::ArrayRef<Type> Frame = F.copy<Type>(Declared);
  const int32_t N = int32_t(&A - Set.Advices.data());
  Type Objects = F.types().ref("[Ljava/lang/Object;");
  unsigned Slot = Host.is(ACC_STATIC) ? 0 : 1;
  MethodDescriptor D(Descriptor);
  int32_t Number = 0;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    auto Element = [&](Builder &B) {
      return loadElement(B, B.get(unsigned(ArgumentSlot), Objects),
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

/// The call with its arguments; the value that stands for \p I, null if it has
/// none.
llvm::Expected<Value *> Lowerer::call(Builder &B, const Instruction &I,
                                      llvm::ArrayRef<Value *> Operands) {
  const Advice &A = Set.Advices[I.index()];
  B.setAdvice(int32_t(I.index()));
  MethodDescriptor D(Calls.callDescriptor(I.index()));
  llvm::SmallVector<Value *, 8> Arguments;
  for (DataItem Item : A.Data) {
    StringRef Wanted = D.nextParameter();
    bool AtSite = isSiteItem(A.Kind, Item);
    auto V = AtSite ? argument(B, I, Item, Wanted, Operands.front())
                    : hostItem(B, I, Item);
    if (!V)
      return V.takeError();
    Arguments.push_back(*V);
    Operands = Operands.drop_front(AtSite);
  }
  ++NumAdvices;
  if (standsForInitializer(I)) {
    if (Error E = emitOnce(B, F, Calls, I.index(), Arguments))
      return E;
    return nullptr;
  }
  Value *V = nullptr;
  if (Calls.callsBySites()) {
    auto Site = emitCall(B, F, Calls, I.index(), Arguments);
    if (!Site)
      return Site.takeError();
    V = *Site;
  } else {
    V = B.callStatic(Calls.bodyMethod(I.index()), A.Body.Descriptor, Arguments);
  }
  if (I.type().isVoid())
    return nullptr;
  return result(B, I, V);
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
  dropMethodWideSlots(Declared, F);
  updateSlot(
      F, Result, N, Kept, descriptorOf(F.types(), Ty),
      [&](Builder &At) { return At.get(New, Object); }, F.copy<Type>(Declared));
}

Error Lowerer::lowerInPlace(Instruction *I, llvm::ArrayRef<Type> Slots) {
  Builder B(F, I);
  auto V = call(B, *I, I->operands());
  if (!V)
    return V.takeError();
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
  if (!A.Switch.empty())
    List.push_back(Condition::Switch);
  if (C.get<ClassEditor>().keepsSchema() && !canHaveCallSites(F.classFile()) &&
      llvm::is_contained(A.Data, DataItem::StaticField))
    List.push_back(Condition::HasState);
  // A site that does nothing has no value to give in the place of another.
  if (Calls.callsBySites() && A.Result == ResultUse::ReplaceValue)
    List.push_back(Condition::IsThere);
  return List;
}

llvm::Expected<Value *> Lowerer::test(Builder &B, Condition What, unsigned N) {
  const Advice &A = Set.Advices[N];
  if (What == Condition::HasState)
    return emitHasState(B, F, Calls, A.Probe);
  auto [Owner, Name] = StringRef(A.Switch).split('.');
  if (What == Condition::IsThere || Calls.callsBySites())
    return What == Condition::IsThere ? emitIsThere(B, F, Calls, N)
                                      : emitSwitch(B, F, Owner, Name);
  return B.callStatic(Owner, Name, "()Z", {});
}

/// Ends \p B's block, the first half of \p Cut, in what asks whether advice
/// \p N is to run; \p B goes on in the block that is reached if so.
Error Lowerer::askConditions(Builder &B, BlockCut &Cut, unsigned N) {
  llvm::SmallVector<Condition, 2> Conditions = conditions(Set.Advices[N]);
  if (Conditions.empty()) {
    Block *Next = Cut.addBlock();
    B.fallThrough(Next);
    B.setEnd(Next);
  }
  // The first one is asked here, further ones in blocks of their own.
  for (Condition What : Conditions) {
    auto V = test(B, What, N);
    if (!V)
      return V.takeError();
    Block *Next = Cut.addBlock();
    B.jumpIfZero(*V, Cut.After, Next);
    B.setEnd(Next);
  }
  return Error::success();
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
  dropMethodWideSlots(Slots, F);
  const bool Isolate = A.Exceptions == AdviceExceptions::Isolate;
  if (Isolate) {
    // The stack does not survive an exception.
    unsigned Top = FirstTemp;
    for (CarriedValue &V : Cut.Values) {
      Cut.store(B, V, Top, Slots);
      Top += V.Ty.slots();
    }
    F.setNumSlots(std::max(F.numSlots(), Top));
  }
  if (Error E = askConditions(B, Cut, N))
    return E;
  llvm::SmallVector<Value *, 4> Operands;
  for (Value *V : I->operands())
    Operands.push_back(Cut.get(B, V));
  auto Given = call(B, *I, Operands);
  if (!Given)
    return Given.takeError();
  if (ResultAt)
    Cut.put(B, Cut.Values[*ResultAt], *Given);

  Block *Call = B.block();
  if (Isolate) {
    B.jump(Cut.After);
    Block *Handler = addCatchAll(F, Slots, Cut.After);
    B.setEnd(Handler);
    B.fallThrough(Cut.After);
    wrapInTry(Call, Handler, nullptr,
              F.tries().empty() ? nullptr : F.tries().front());
  } else {
    B.fallThrough(Cut.After);
  }
  Cut.close();
  F.setFrame(Cut.After, Slots);
  writeParameters(Call->terminator(), A, Slots);
  return Error::success();
}

/// A constant that a method can make itself. Numbers are passed to it, so that
/// sites that differ in them have one method.
static const Instruction *innerConstant(const Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->op() == irop::Const && I->isPure() && !I->type().is(Type::Int)
             ? I
             : nullptr;
}

/// Whether a method that does what \p I stands for makes the code here smaller,
/// and can be had; then \p G says what it gets.
bool Lowerer::isForMethodOfItsOwn(const Instruction &I, Given &G) {
  const Advice &A = Set.Advices[I.index()];
  // That writes slots of the host.
  if (writesParameters(A))
    return false;
  bool Smaller = branches(I);
  llvm::raw_string_ostream Key(G.Key);
  Key << I.index() << ' ' << I.imm();
  auto Pass = [&](Value *V, const Twine &Type) {
    G.Values.push_back(V);
    G.Constants.push_back(nullptr);
    G.Parameters += Type.str();
  };
  MethodDescriptor D(Calls.callDescriptor(I.index()));
  llvm::ArrayRef<Value *> Operands = I.operands();
  for (DataItem Item : A.Data) {
    StringRef Wanted = D.nextParameter();
    if (!isSiteItem(A.Kind, Item)) {
      Smaller |= Item != DataItem::Args;
      continue;
    }
    Value *V = Operands.front();
    Operands = Operands.drop_front();
    if (const Instruction *Const = innerConstant(V)) {
      G.Constants.push_back(Const);
      Key << " =" << Const->opcode() << '/' << Const->index();
      Smaller = true;
      continue;
    }
    bool WantsObject = Wanted.size() > 1;
    if (WantsObject ? V->type().isInitialized()
                    : V->type() == F.types().fromDescriptor(Wanted)) {
      Pass(V, Wanted);
      continue;
    }
    StringRef Primitive = primitiveType(I, V->type());
    if (!WantsObject || Primitive.empty())
      return false;
    Pass(V, Primitive);
    Smaller = true;
  }
  if (A.Result == ResultUse::ReplaceValue && !I.type().isVoid()) {
    StringRef Primitive = primitiveType(I, I.type());
    if (!Primitive.empty()) {
      G.Result = Primitive.str();
    } else if (I.type().is(Type::Ref)) {
      G.Result = descriptorOf(F.types(), I.type());
    } else {
      return false;
    }
    Pass(Operands.front(), G.Result);
    Smaller = true;
  } else {
    G.Result = I.type().isVoid()
                   ? "V"
                   : returnDescriptor(Calls.callDescriptor(I.index()));
  }
  if (!isCallKind(A.Kind) && llvm::is_contained(A.Data, DataItem::Args)) {
    G.ArgumentSlot = 0;
    for (const Value *V : G.Values)
      G.ArgumentSlot += int(V->type().slots());
  }
  Key << ' ' << G.Parameters << G.Result;
  return Smaller;
}

Error Lowerer::lowerOutside(Instruction *I, const Given &G) {
  auto Fill = [&](Body &Made) -> Error {
    Builder B(Made);
    B.setEnd(Made.createBlock());
    B.setAdvice(int32_t(I->index()));
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
    Instruction *Copy = B.make(irop::Advice, op::NOP, I->type(), Operands);
    Copy->setIndex(I->index());
    Copy->setImm(I->imm());
    makeReturn(B, I->type().isVoid() ? nullptr : Copy);
    return Lowerer(Made, C, BoxByNew, Host, G.ArgumentSlot).run().takeError();
  };
  Builder B(F, I);
  B.setAdvice(int32_t(I->index()));
  llvm::SmallVector<Value *, 8> Values(G.Values);
  std::string Parameters = G.Parameters;
  if (G.ArgumentSlot >= 0) {
    constexpr StringRef Objects = "[Ljava/lang/Object;";
    Values.push_back(
        B.get(unsigned(ArgumentSlot), F.types().fromDescriptor(Objects)));
    Parameters += Objects;
  }
  auto V =
      Outside.call(B, G.Key, "(" + Parameters + ")" + G.Result, Values, Fill);
  if (!V)
    return V.takeError();
  if (!I->type().isVoid())
    I->block()->replaceUses(I, *V);
  F.erase(I);
  return Error::success();
}

llvm::Expected<bool> Lowerer::run() {
  collect();
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
  const bool Outlines = C.turn().outlines() && &F.method() == &Host;
  for (Instruction *I : Advices) {
    if (Outlines) {
      Given G;
      if (isForMethodOfItsOwn(*I, G)) {
        if (Error E = lowerOutside(I, G))
          return E;
        continue;
      }
    }
    auto At = SlotsAt.find(I);
    if (At == SlotsAt.end()) {
      if (Error E = lowerInPlace(I, {}))
        return E;
      continue;
    }
    llvm::SmallVector<Type, 8> &Slots = At->second;
    if (castsResult(*I))
      keepResult(I, Slots);
    if (Error E =
            branches(*I) ? lowerBranching(I, Slots) : lowerInPlace(I, Slots))
      return E;
  }
  return true;
}

void LowerAdvicePass::begin(PassContext &C) const {
  const AdviceSet &Set = C.get<AdviceCalls>().set();
  if (!Set.empty())
    settleText(C, needsUnits(Set));
}

/// A method that nobody lifted has no advice.
bool LowerAdvicePass::wants(const Method &M, PassContext &) const {
  return M.IR != nullptr;
}

llvm::Expected<PreservedAnalyses> LowerAdvicePass::run(Body &B,
                                                       PassContext &C) const {
  auto Changed = Lowerer(B, C, Options.Box == Options.BoxNew).run();
  if (!Changed)
    return Changed.takeError();
  return PreservedAnalyses::changedIf(*Changed);
}
