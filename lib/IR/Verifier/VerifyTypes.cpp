//===- VerifyTypes.cpp - Types and initialisation -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tracks the slots through each block, from its frame or from the block that
// falls into it, and compares with what instructions, successors and handlers
// expect. No class hierarchy: only what no hierarchy could allow is a finding.
//
//===----------------------------------------------------------------------===//

#include "Assignable.h"
#include "VerifierImpl.h"
#include "jopt/IR/Model/OpcodeSemantics.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

namespace {

class TypeVerifier {
public:
  TypeVerifier(const Body &B, Findings &F)
      : B(const_cast<Body &>(B)), F(F), Types(B.types()), Pool(B.pool()),
        Class(B.classFile()), FramesBind(Class.Major != 50 || B.Inferred) {}

  void run();

private:
  void enter(const Block &Blk);
  void block(const Block &Blk);
  void instruction(const Instruction &I);
  void operands(const Instruction &I);
  bool setsOwnField(const Instruction &I) const;
  void initCall(const Instruction &I);
  void localGet(const Instruction &I);
  void localSet(const Instruction &I);
  void newObject(const Instruction &I);
  void returns(const Instruction &I);
  void resultFollows(const Instruction &I);
  void edges(const Block &Blk);
  void handlers(const Instruction &I);
  void checkHandlers(const Instruction &I);
  void caught();
  void frames();

  /// The type of a value now: an object that was initialised since it was made
  /// has its new type.
  Type typeOf(const Value *V) const {
    Type T = V->type();
    if (!T.is(Type::Uninit) && !T.is(Type::UninitThis))
      return T;
    auto It = Initialized.find(T.raw());
    return It == Initialized.end() ? T : It->second;
  }
  bool accepts(Type To, Type From) { return isAssignable(Types, From, To); }
  /// The only function that changes slots: it keeps the counts for frequent
  /// queries.
  void put(unsigned Slot, Type T);
  void setSlot(unsigned Slot, Type T);
  void replaceInSlots(Type From, Type To);
  bool thisUninit() const { return NumUninitThis; }
  /// The first slot of \p Frame that does not accept the slots now.
  std::optional<unsigned> mismatch(llvm::ArrayRef<Type> Frame);
  std::optional<unsigned> mismatchOfChanged(llvm::ArrayRef<Type> Frame);
  void operand(const Instruction &I, unsigned N, Type Want) {
    Type Have = typeOf(I.operand(N));
    if (!accepts(Want, Have))
      F.add(IRRule::OperandType, I,
            F.name(I.operand(N)) + " is " + F.name(Have) + " instead of " +
                F.name(Want));
  }
  void reference(const Instruction &I, unsigned N, bool Initialized) {
    Type Have = typeOf(I.operand(N));
    if (Initialized ? !Have.isInitialized() : !Have.isReference())
      F.add(IRRule::OperandType, I,
            F.name(I.operand(N)) + " is " + F.name(Have) +
                (Initialized ? " instead of an initialised object"
                             : " instead of a reference"));
  }
  void array(const Instruction &I, const char *Descriptors);

  Body &B;
  Findings &F;
  TypeTable &Types;
  const ConstantPool &Pool;
  ClassFile &Class;
  /// In version 50 the JVM falls back to inference where frames are wrong, and
  /// compilers of that time produced such frames.
  bool FramesBind;
  std::vector<Type> Slots;
  /// Slots that were set since the last frame; the others are Top.
  std::vector<unsigned> Touched;
  unsigned NumUninitThis = 0;
  /// By block id: its frame has an uninitialised `this`.
  std::vector<bool> DeclaresUninitThis;
  /// Objects initialised in this block: their old types (raw) to the new.
  llvm::SmallDenseMap<uint32_t, Type, 4> Initialized;
  /// Slots that changed since the handlers were asked, or all of them.
  llvm::SmallVector<unsigned, 8> Changed;
  bool AllChanged = false;
};

void TypeVerifier::put(unsigned Slot, Type T) {
  Type Old = Slots[Slot];
  if (Old == T)
    return;
  NumUninitThis += T.is(Type::UninitThis);
  NumUninitThis -= Old.is(Type::UninitThis);
  if (Old.is(Type::Top))
    Touched.push_back(Slot);
  Slots[Slot] = T;
  Changed.push_back(Slot);
}

void TypeVerifier::setSlot(unsigned Slot, Type T) {
  if (Slots[Slot].is(Type::High))
    put(Slot - 1, Type::Top);
  if (Slots[Slot].isCategory2())
    put(Slot + 1, Type::Top);
  if (T.isCategory2()) {
    if (Slots[Slot + 1].isCategory2())
      put(Slot + 2, Type::Top);
    put(Slot + 1, Type::High);
  }
  put(Slot, T);
}

void TypeVerifier::replaceInSlots(Type From, Type To) {
  for (size_t I = 0, E = Touched.size(); I < E; ++I)
    if (Slots[Touched[I]] == From)
      put(Touched[I], To);
}

void TypeVerifier::enter(const Block &Blk) {
  bool First = &Blk == &B.blocks().front();
  Initialized.clear();
  Changed.clear();
  AllChanged = true;
  // Without a frame the slots are those where the block before falls into it.
  if (!Blk.hasFrame() && !First)
    return;
  llvm::ArrayRef<Type> Frame =
      Blk.hasFrame() ? Blk.locals() : B.initialLocals();
  for (unsigned S : Touched)
    Slots[S] = Type::Top;
  Touched.clear();
  NumUninitThis = 0;
  for (unsigned S = 0; S < Frame.size(); ++S)
    put(S, Frame[S]);
  if (Blk.hasFrame())
    for (const Body::PinnedLocal &S : B.PinnedLocals)
      setSlot(S.Slot, S.Ty);
}

std::optional<unsigned> TypeVerifier::mismatch(llvm::ArrayRef<Type> Frame) {
  for (unsigned S = 0; S < Frame.size(); ++S)
    if (!accepts(Frame[S], Slots[S]))
      return S;
  for (const Body::PinnedLocal &S : B.PinnedLocals)
    if (!accepts(S.Ty, Slots[S.Slot]))
      return S.Slot;
  return std::nullopt;
}

/// As mismatch, but only of slots that changed since the last time.
std::optional<unsigned>
TypeVerifier::mismatchOfChanged(llvm::ArrayRef<Type> Frame) {
  if (AllChanged)
    return mismatch(Frame);
  for (unsigned S : Changed)
    if (S < Frame.size() && !accepts(Frame[S], Slots[S]))
      return S;
  for (const Body::PinnedLocal &S : B.PinnedLocals)
    if (!accepts(S.Ty, Slots[S.Slot]))
      return S.Slot;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Operand 0 is an array with one of these descriptors' element kinds, or null.
void TypeVerifier::array(const Instruction &I, const char *Descriptors) {
  Type Have = typeOf(I.operand(0));
  auto Fits = [&](Type T) {
    if (T.is(Type::Null))
      return true;
    if (!T.is(Type::Ref))
      return false;
    StringRef Name = Types.name(T);
    if (!Name.consume_front("[") || Name.empty())
      return false;
    return StringRef(Descriptors).contains(Name[0]);
  };
  bool Ok = Fits(Have);
  if (Have.is(Type::Join))
    Ok = llvm::all_of(Types.parts(Have), Fits);
  if (!Ok)
    F.add(IRRule::OperandType, I,
          F.name(I.operand(0)) + " is " + F.name(Have) +
              " instead of an array of the right kind");
}

/// A constructor may set its own class's fields before super().
bool TypeVerifier::setsOwnField(const Instruction &I) const {
  return I.opcode() == op::PUTFIELD &&
         typeOf(I.operand(0)).is(Type::UninitThis) &&
         Pool.member(I.index()).Owner == Class.name();
}

/// The operands against what the effect of the opcode says.
void TypeVerifier::operands(const Instruction &I) {
  const OpcodeInfo &Info = I.opcodeInfo();
  unsigned N = 0;
  for (char Letter : Info.operands())
    switch (Letter) {
    case 'A':
      reference(I, N++, !Info.TakesUninitialised);
      break;
    case 'c':
      // initCall() checks the object that <init> is called on.
      if (!I.isInit() && !setsOwnField(I))
        operand(I, N, namedClass(Class, I.index()));
      ++N;
      break;
    case 'v':
      operand(I, N++, Class.fieldType(Pool[I.index()].B));
      break;
    case 'm': {
      MethodDescriptor D(Pool.member(I.index()).Descriptor);
      for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
        operand(I, N++, Types.fromDescriptor(P));
      break;
    }
    case 'n':
      while (N < I.operands().size())
        operand(I, N++, Type::Int);
      break;
    default:
      operand(I, N++, typeOfLetter(Letter));
    }
  if (*Info.Elements)
    array(I, Info.Elements);
}

void TypeVerifier::initCall(const Instruction &I) {
  MemberRef Member = Pool.member(I.index());
  Type Have = typeOf(I.operand(0));
  Type Made;
  if (Have.is(Type::UninitThis)) {
    Made = Types.ref(Class.name());
    if (Member.Owner != Class.name() && Member.Owner != Class.superName())
      F.add(IRRule::InitObject, I,
            "this is neither of class " + Member.Owner +
                " nor of a direct subclass");
  } else if (Have.is(Type::Uninit)) {
    const Instruction *New = B.NewSites[Have.payload()];
    StringRef Name = Pool.className(New->index());
    Made = Types.ref(Name);
    if (Name != Member.Owner)
      F.add(IRRule::InitObject, I,
            "the object is a new " + Name + ", not a " + Member.Owner);
  } else {
    F.add(IRRule::InitObject, I,
          F.name(I.operand(0)) + " is " + F.name(Have) +
              ", not an uninitialised object");
    return;
  }
  if (I.type() != Made)
    F.add(IRRule::ResultType, I,
          "the result is " + F.name(I.type()) + " instead of " + F.name(Made));
  Initialized[Have.raw()] = Made;
  replaceInSlots(Have, Made);
  // The JVM asks the handlers again behind the call.
  AllChanged = true;
  if (FramesBind && Have.is(Type::UninitThis))
    checkHandlers(I);
}

void TypeVerifier::localGet(const Instruction &I) {
  Type Have = Slots[I.index()];
  Type Want = I.type();
  if (Want.isCategory2() && !Slots[I.index() + 1].is(Type::High))
    Have = Type::Top;
  if (!accepts(Want, Have))
    F.add(IRRule::SlotType, I,
          "slot " + Twine(I.index()) + " holds " + F.name(Have) + ", not " +
              F.name(Want));
}

void TypeVerifier::localSet(const Instruction &I) {
  operands(I);
  setSlot(I.index(), typeOf(I.operand(0)));
}

void TypeVerifier::newObject(const Instruction &I) {
  if (!I.type().is(Type::Uninit)) {
    F.add(IRRule::ResultType, I,
          "the result of new is " + F.name(I.type()) +
              " instead of an uninitialised object");
    return;
  }
  // An object that an earlier round made here is dead.
  replaceInSlots(I.type(), Type::Top);
  Initialized.erase(I.type().raw());
}

void TypeVerifier::returns(const Instruction &I) {
  operands(I);
  if (!I.operands().empty() && I.opcode() == op::ARETURN)
    operand(
        I, 0,
        Types.fromDescriptor(returnDescriptor(Class.descriptor(B.method()))));
  // Object's own constructor has nobody to call.
  if (Class.name(B.method()) == "<init>" && thisUninit())
    F.add(IRRule::ConstructorReturn, I, "this is not initialised");
}

/// Compares the result with what follows from operands and pool entry.
void TypeVerifier::resultFollows(const Instruction &I) {
  if (I.op() == irop::LocalGet || I.op() == irop::New ||
      I.op() == irop::Advice || I.isInit())
    return;
  std::optional<Type> Want =
      resultType(B, I.op(), I.opcode(), I.index(), I.operands());
  if (Want && !accepts(I.type(), *Want) && !I.type().isVoid())
    F.add(IRRule::ResultType, I,
          "the result is " + F.name(I.type()) + " instead of " + F.name(*Want));
}

void TypeVerifier::instruction(const Instruction &I) {
  switch (I.op()) {
  case irop::LocalGet:
    localGet(I);
    break;
  case irop::LocalSet:
    localSet(I);
    break;
  case irop::LocalInc:
    if (!Slots[I.index()].is(Type::Int))
      F.add(IRRule::SlotType, I,
            "slot " + Twine(I.index()) + " holds " + F.name(Slots[I.index()]) +
                ", not int");
    break;
  case irop::Invoke:
    operands(I);
    if (I.isInit())
      initCall(I);
    break;
  case irop::New:
    newObject(I);
    break;
  case irop::Return:
    returns(I);
    break;
  case irop::Throw:
    operands(I);
    operand(I, 0, Types.ref("java/lang/Throwable"));
    break;
  case irop::Raw:
    for (const RawCode::Store &S : I.raw().Stores)
      setSlot(S.Slot, S.Ty);
    return;
  case irop::RawValue:
    return;
  case irop::Drop:
  case irop::Advice:
  case irop::Anchor:
  case irop::FallThrough:
  case irop::Const:
    break;
  default:
    operands(I);
  }
  resultFollows(I);
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// The frames of all handlers against the slots as they are now.
void TypeVerifier::checkHandlers(const Instruction &I) {
  forEachTry(I.block()->throwEdges(), [&](const TryEntry *T) {
    const Block *H = T->Handler;
    if (std::optional<unsigned> S = mismatchOfChanged(H->locals())) {
      F.add(IRRule::ThrowFrame, I,
            "slot " + Twine(*S) + " holds " + F.name(Slots[*S]) +
                ", which the frame of handler " + F.name(H) +
                " does not accept");
      return;
    }
    // In a class verified by frames a handler is entered with `this`
    // uninitialised exactly if its frame says so.
    if (!Class.hasFrames() || B.Inferred)
      return;
    bool Declared = DeclaresUninitThis[H->id()];
    if (thisUninit() != Declared)
      F.add(IRRule::ThrowFrame, I,
            thisUninit()
                ? "this is not initialised, which handler " + F.name(H) +
                      " does not declare"
                : "this is initialised, but not for handler " + F.name(H));
  });
}

void TypeVerifier::handlers(const Instruction &I) {
  if (!FramesBind || I.info().NoCode || (!AllChanged && Changed.empty()))
    return;
  checkHandlers(I);
  AllChanged = false;
  Changed.clear();
}

void TypeVerifier::edges(const Block &Blk) {
  const Instruction &T = *Blk.terminator();
  const Block *Before = nullptr;
  for (const Block *S : T.successors()) {
    // The cases of a switch often lead to one block.
    if (S == Before)
      continue;
    Before = S;
    if (S->hasFrame() && FramesBind) {
      if (std::optional<unsigned> Slot = mismatch(S->locals()))
        F.add(IRRule::FrameState, T,
              "slot " + Twine(*Slot) + " holds " + F.name(Slots[*Slot]) +
                  ", which the frame of " + F.name(S) + " does not accept");
      else if (Class.hasFrames() && !B.Inferred && thisUninit() &&
               !DeclaresUninitThis[S->id()])
        F.add(IRRule::FrameState, T,
              "this is not initialised, which the frame of " + F.name(S) +
                  " does not declare");
    }
    for (size_t N = 0; N < Blk.exitValues().size(); ++N) {
      Type Have = typeOf(Blk.exitValues()[N]),
           Want = S->parameters()[N]->type();
      if (!accepts(Want, Have))
        F.add(IRRule::ParameterType, T,
              F.name(Blk.exitValues()[N]) + " is " + F.name(Have) +
                  ", but parameter " + Twine(N) + " of " + F.name(S) + " is " +
                  F.name(Want));
    }
  }
}

void TypeVerifier::block(const Block &Blk) {
  enter(Blk);
  for (const Instruction &I : Blk.instructions()) {
    handlers(I);
    instruction(I);
  }
  edges(Blk);
}

/// Checks the classes that tries catch against the parameters of their
/// handlers.
void TypeVerifier::caught() {
  for (const TryEntry *T : B.tries()) {
    Type Caught = Types.ref(T->CatchType ? Pool.className(T->CatchType)
                                         : "java/lang/Throwable");
    Type Want = T->Handler->parameters()[0]->type();
    if (!accepts(Want, Caught) || !Want.isReference())
      F.add(IRRule::CaughtType, *T->Handler,
            "try t" + Twine(T->Priority) + " catches " + F.name(Caught) +
                ", but the parameter is " + F.name(Want));
  }
}

void TypeVerifier::frames() {
  if (!Class.hasFrames() || B.Inferred)
    return;
  for (const Block &Blk : B.blocks()) {
    bool Join = false;
    for (Type T : Blk.locals())
      Join |= T.is(Type::Join);
    if (Blk.hasFrame())
      for (const Parameter *P : Blk.parameters())
        Join |= P->type().is(Type::Join);
    if (Join)
      F.add(IRRule::JoinInFrame, Blk, "the frame of the block has a join");
  }
}

void TypeVerifier::run() {
  for (const Body::PinnedLocal &S : B.PinnedLocals)
    if (uint64_t(S.Slot) + S.Ty.slots() > B.numSlots() || !S.Ty.slots()) {
      F.add(IRRule::SlotRange, "method-wide slot " + Twine(S.Slot) +
                                   ", but the method has " +
                                   Twine(B.numSlots()));
      return;
    }
  Slots.assign(B.numSlots(), Type::Top);
  DeclaresUninitThis.resize(B.numBlocks());
  for (const Block &Blk : B.blocks())
    DeclaresUninitThis[Blk.id()] =
        llvm::is_contained(Blk.locals(), Type(Type::UninitThis));
  frames();
  caught();
  for (const Block &Blk : B.blocks())
    block(Blk);
}

} // namespace

void jopt::verifyTypes(const Body &B, Findings &F) { TypeVerifier(B, F).run(); }

void jopt::verifyInstrumentation(const Body &B, Findings &F) {
  bool Constructor = B.classFile().name(B.method()) == "<init>";
  for (const Block &Blk : B.blocks())
    for (const Instruction &I : Blk.instructions()) {
      if (I.op() == irop::Advice)
        F.add(IRRule::AdviceLeft, I, "the advice was not lowered");
      // An instruction that touches `this` while it is not initialised has that
      // type as result, as operand or as receiver of the call that initialises
      // it.
      if (!Constructor || (I.bci() >= 0 && I.advice() < 0))
        continue;
      bool Touches = I.type().is(Type::UninitThis);
      for (const Value *V : I.operands())
        Touches |= V->type().is(Type::UninitThis);
      if (Touches)
        F.add(IRRule::EarlyThis, I, "`this` is used before it is initialised");
    }
}
