//===- Machine.cpp - One version runs on symbols --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::validate;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

SideMachine::SideMachine(Terms &T, const MethodCode &C, bool UseLines,
                         unsigned &Steps)
    : T(T), Code(C), UseLines(UseLines), Steps(Steps) {}

bool SideMachine::fail(Context &C, const llvm::Twine &Why) {
  C.Out.K = Stop::Failed;
  C.Out.Why = Why.str();
  return false;
}

std::optional<bool> SideMachine::need(Context &C, TermRef Condition) {
  // What an int of a test is equal to is what the test decides.
  if (Condition->is(TermKind::EqualInts) &&
      Condition->Args[0]->is(TermKind::InstanceOf) &&
      Condition->Args[1]->isConstant('I')) {
    const auto Is = need(C, Condition->Args[0]);
    return Is ? std::optional<bool>(Condition->Args[1]->i() == int32_t(*Is))
              : std::nullopt;
  }
  if (auto Known = C.F.decide(T, Condition))
    return Known;
  C.Out.K = Stop::Decision;
  C.Out.Condition = Condition;
  return std::nullopt;
}

void SideMachine::push(Side &S, TermRef V, bool Wide) const {
  S.Stack.push_back(V);
  if (Wide)
    S.Stack.push_back(nullptr);
}

void SideMachine::go(Side &S, uint32_t To) const {
  S.At = To;
  S.Joined |= Code.IsJoin.test(To);
}

bool SideMachine::next(Context &C, unsigned Popped, TermRef V, bool Wide) {
  C.S.Stack.truncate(C.S.Stack.size() - Popped);
  if (V)
    push(C.S, V, Wide);
  go(C.S, C.S.At + 1);
  return true;
}

void SideMachine::complete(Side &S, const Stop &Event, TermRef Result) const {
  S.Stack.truncate(S.Stack.size() - Event.Popped);
  if (Event.ResultSlots)
    push(S, Result, Event.ResultSlots == 2);
  go(S, S.At + 1);
}

bool SideMachine::throwNew(Context &C, const Inst &I, StringRef Class) {
  TermRef One = T.ofInt(1);
  C.S.Pending =
      T.make(TermKind::Exception, T.key(Class), {C.S.Tick}, lineOf(I));
  C.S.Tick = T.apply(op::IADD, {C.S.Tick, One});
  return true;
}

TermRef SideMachine::newObject(Side &S, uint32_t Class, TermRef Length) {
  TermRef Tick = S.Tick;
  S.Tick = T.apply(op::IADD, {Tick, T.ofInt(1)});
  if (Length)
    return T.make(TermKind::Object, Class, {Tick, Length});
  return T.make(TermKind::Object, Class, {Tick});
}

/// Goes to the first handler for the pending exception.
bool SideMachine::dispatch(Context &C) {
  Side &S = C.S;
  for (const Catch &H : Code.Catches) {
    if (S.At < H.Start || S.At >= H.End)
      continue;
    if (H.ClassKey) {
      const auto Is =
          need(C, T.make(TermKind::InstanceOf, H.ClassKey, {S.Pending}));
      if (!Is)
        return false;
      if (!*Is)
        continue;
    }
    S.Stack.assign({S.Pending});
    S.Pending = nullptr;
    go(S, H.Target);
    return true;
  }
  C.Out.K = Stop::Throw;
  C.Out.Value = S.Pending;
  return false;
}

bool SideMachine::event(Context &C, const Inst &I, uint32_t Key, bool MayThrow,
                        ArrayRef<TermRef> Args, unsigned Popped) {
  C.Out.K = Stop::Event;
  C.Out.Op = I.Op;
  C.Out.Key = Key;
  C.Out.Line = lineOf(I);
  C.Out.Args.assign(Args.begin(), Args.end());
  C.Out.MayThrow = MayThrow;
  C.Out.Popped = Popped;
  return false;
}

bool SideMachine::constant(Context &C, const Inst &I) {
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  if (I.Op == op::NOP)
    return next(C, 0);
  if (I.Op == op::ACONST_NULL)
    return next(C, 0, T.null());
  if (!Info.PoolTags) {
    switch (Info.result()) {
    case 'I':
      return next(C, 0,
                  T.ofInt(I.Op == op::BIPUSH || I.Op == op::SIPUSH
                              ? I.Value
                              : int(I.Op) - op::ICONST_0));
    case 'J':
      return next(C, 0, T.constant('J', I.Op - op::LCONST_0), true);
    case 'F': {
      static constexpr uint32_t Of[] = {0, 0x3f800000, 0x40000000};
      return next(C, 0, T.constant('F', Of[I.Op - op::FCONST_0]));
    }
    default:
      return next(
          C, 0, T.constant('D', I.Op == op::DCONST_0 ? 0 : 0x3ff0000000000000),
          true);
    }
  }
  const Named &N = Code.named(I);
  switch (N.Tag) {
  case CPTag::Integer:
    return next(C, 0, T.ofInt(int32_t(uint32_t(N.Bits))));
  case CPTag::Float:
    return next(C, 0, T.constant('F', N.Bits));
  case CPTag::Long:
    return next(C, 0, T.constant('J', N.Bits), true);
  case CPTag::Double:
    return next(C, 0, T.constant('D', N.Bits), true);
  case CPTag::String:
    return next(C, 0, T.make(TermKind::Loaded, N.Key, {}));
  case CPTag::Class: {
    if (!isQuietClass(N)) {
      const auto Fails = need(C, T.make(TermKind::LinkFails, N.Key, {}));
      if (!Fails)
        return false;
      if (*Fails)
        return throwNew(C, I, "?java/lang/LinkageError");
    }
    return next(C, 0, T.make(TermKind::Loaded, N.Key, {}));
  }
  default:
    event(C, I, N.Key, true, {}, 0);
    C.Out.ResultSlots = I.Op == op::LDC2_W ? 2 : 1;
    C.Out.ResultKey = N.ResultKey;
    return false;
  }
}

void SideMachine::stackMove(Side &S, const Inst &I) {
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  const StringRef In = Info.operands(), Out = Info.results();
  SmallVector<TermRef, 4> Top(S.Stack.end() - long(In.size()), S.Stack.end());
  S.Stack.truncate(S.Stack.size() - In.size());
  // '1' is the top, so digit d is at size - d.
  for (char Digit : Out)
    S.Stack.push_back(Top[In.size() - size_t(Digit - '0')]);
}

bool SideMachine::arithmetic(Context &C, const Inst &I) {
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  const StringRef Letters = Info.operands();
  unsigned Popped = 0;
  for (char Letter : Letters)
    Popped += Letter == 'J' || Letter == 'D' ? 2 : 1;
  SmallVector<TermRef, 2> Args;
  size_t At = C.S.Stack.size() - Popped;
  for (char Letter : Letters) {
    Args.push_back(C.S.Stack[At]);
    At += Letter == 'J' || Letter == 'D' ? 2 : 1;
  }
  if (Info.Failures & op::OfArith) {
    TermRef By = Args[1];
    if (Info.result() == 'J')
      By = T.apply(op::LCMP, {By, T.constant('J', 0)});
    const auto IsZero =
        need(C, T.make(TermKind::EqualInts, 0, {By, T.ofInt(0)}));
    if (!IsZero)
      return false;
    if (*IsZero)
      return throwNew(C, I, "java/lang/ArithmeticException");
  }
  const char R = Info.result();
  return next(C, Popped, T.apply(I.Op, Args), R == 'J' || R == 'D');
}

bool SideMachine::branch(Context &C, const Inst &I) {
  Side &S = C.S;
  if (I.Op == op::GOTO) {
    go(S, I.Targets[0]);
    return true;
  }
  const size_t Top = S.Stack.size();
  if (I.Op == op::TABLESWITCH || I.Op == op::LOOKUPSWITCH) {
    TermRef V = C.F.normalise(T, S.Stack[Top - 1]);
    if (!V->isConstant('I')) {
      C.Out.K = Stop::Switch;
      C.Out.Value = S.Stack[Top - 1];
      // A path on which all keys are excluded goes to the default.
      for (int32_t Key : I.Keys)
        if (C.F.decide(T, T.make(TermKind::EqualInts, 0,
                                 {S.Stack[Top - 1], T.ofInt(Key)})) != false)
          return false;
    }
    C.Out = Stop();
    uint32_t To = I.Targets[0];
    for (size_t N = 0; N < I.Keys.size(); ++N)
      if (V->isConstant('I') && V->i() == I.Keys[N])
        To = I.Targets[N + 1];
    S.Stack.pop_back();
    go(S, To);
    return true;
  }
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  const bool IsTwo = Info.operands().size() == 2;
  const bool IsRef = Info.takes('A');
  TermRef A = S.Stack[Top - (IsTwo ? 2 : 1)];
  TermRef B = IsTwo ? S.Stack[Top - 1] : IsRef ? T.null() : T.ofInt(0);
  std::optional<bool> Is;
  bool Inverse = false;
  if (IsRef) {
    Is = need(C, T.make(TermKind::EqualRefs, 0, {A, B}));
    Inverse = I.Op == op::IFNONNULL || I.Op == op::IF_ACMPNE;
  } else {
    // eq ne lt ge gt le
    const unsigned Kind = I.Op - (IsTwo ? op::IF_ICMPEQ : op::IFEQ);
    Inverse = Kind == 1 || Kind == 3 || Kind == 5;
    if (Kind < 2)
      Is = need(C, T.make(TermKind::EqualInts, 0, {A, B}));
    else if (Kind < 4)
      Is = need(C, T.make(TermKind::Less, 0, {A, B}));
    else
      Is = need(C, T.make(TermKind::Less, 0, {B, A}));
  }
  if (!Is)
    return false;
  S.Stack.truncate(Top - (IsTwo ? 2 : 1));
  go(S, *Is != Inverse ? I.Targets[0] : S.At + 1);
  return true;
}

bool SideMachine::array(Context &C, const Inst &I) {
  Side &S = C.S;
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  const bool IsStore = Info.results().empty();
  const size_t Top = S.Stack.size();
  if (I.Op == op::ARRAYLENGTH) {
    TermRef Of = S.Stack[Top - 1];
    const auto IsNull = needNull(C, Of);
    if (!IsNull)
      return false;
    if (*IsNull)
      return throwNew(C, I, "java/lang/NullPointerException");
    return next(C, 1, T.apply(op::ARRAYLENGTH, {Of}));
  }
  const char Element = IsStore ? Info.operands().back() : Info.result();
  const bool Wide = Element == 'J' || Element == 'D';
  const unsigned Popped = 2 + (IsStore ? 1 + Wide : 0);
  TermRef Of = S.Stack[Top - Popped], At = S.Stack[Top - Popped + 1];
  TermRef V = IsStore ? S.Stack[Top - Popped + 2] : nullptr;
  const auto IsNull = needNull(C, Of);
  if (!IsNull)
    return false;
  if (*IsNull)
    return throwNew(C, I, "java/lang/NullPointerException");
  const auto IsIn =
      need(C, T.make(TermKind::Below, 0, {At, T.apply(op::ARRAYLENGTH, {Of})}));
  if (!IsIn)
    return false;
  if (!*IsIn)
    return throwNew(C, I, "java/lang/ArrayIndexOutOfBoundsException");
  // Elements of booleans and bytes are reached by the same instructions.
  const uint32_t Key =
      T.key(("elements:" + StringRef(Info.Elements).take_front()).str());
  if (!IsStore)
    return next(C, Popped, T.make(TermKind::Read, Key, {C.Memory, Of, At}),
                Wide);
  if (Info.Failures & op::OfStore) {
    const auto Fails = need(C, T.make(TermKind::StoreFails, 0, {Of, V}));
    if (!Fails)
      return false;
    if (*Fails)
      return throwNew(C, I, "java/lang/ArrayStoreException");
  }
  event(C, I, Key, false, {Of, At, V}, Popped);
  // A narrow element is read as it was stored: cut. And a byte may turn out to
  // be a boolean.
  TermRef Read = V;
  if (I.Op == op::CASTORE)
    Read = T.apply(op::I2C, {V});
  else if (I.Op == op::SASTORE)
    Read = T.apply(op::I2S, {V});
  else if (I.Op == op::BASTORE)
    Read = T.symbol();
  C.Out.Memory = T.make(TermKind::Store, Key, {C.Memory, Of, At, Read});
  return false;
}

/// The part of \p V that a field of type \p Descriptor keeps.
static TermRef narrowed(Terms &T, StringRef Descriptor, TermRef V) {
  if (Descriptor == "B")
    return T.apply(op::I2B, {V});
  if (Descriptor == "C")
    return T.apply(op::I2C, {V});
  if (Descriptor == "S")
    return T.apply(op::I2S, {V});
  if (Descriptor == "Z")
    return T.apply(op::IAND, {V, T.ofInt(1)});
  return V;
}

bool SideMachine::field(Context &C, const Inst &I) {
  Side &S = C.S;
  const Named &N = Code.named(I);
  const bool IsStatic = I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC;
  const bool IsStore = I.Op == op::PUTSTATIC || I.Op == op::PUTFIELD;
  const unsigned Slots = slotsOf(N.Descriptor);
  if (!Slots)
    return fail(C, "a field reference is malformed");
  const unsigned Popped = !IsStatic + (IsStore ? Slots : 0);
  const size_t Top = S.Stack.size();
  SmallVector<TermRef, 2> Args;
  if (!IsStatic)
    Args.push_back(S.Stack[Top - Popped]);
  if (IsStore)
    Args.push_back(S.Stack[Top - Slots]);
  const bool MayStore =
      !N.IsFinal || (IsStatic ? Code.IsClassInitializer : Code.IsConstructor);
  const bool IsSure = N.IsOwnField && (!IsStatic || isInitialized(C, N)) &&
                      (!IsStore || MayStore);
  if (N.ResultKey)
    T.declare(N.Key, N.ResultKey);
  if (!IsSure) {
    event(C, I, N.Key, true, Args, Popped);
    if (N.IsOwnField && IsStatic) {
      C.Out.Settled = initFails(N);
      if (IsStore)
        C.Out.Stored = narrowed(T, N.Descriptor, Args.back());
    }
  } else {
    if (!IsStatic) {
      const auto IsNull = needNull(C, Args[0]);
      if (!IsNull)
        return false;
      if (*IsNull)
        return throwNew(C, I, "java/lang/NullPointerException");
    }
    SmallVector<TermRef, 3> Place{C.Memory};
    if (!IsStatic)
      Place.push_back(Args[0]);
    if (!IsStore && !N.IsVolatile)
      return next(C, Popped, T.make(TermKind::Read, N.Key, Place), Slots == 2);
    event(C, I, N.Key, false, Args, Popped);
    if (IsStore) {
      Place.push_back(narrowed(T, N.Descriptor, Args.back()));
      C.Out.Memory = T.make(TermKind::Store, N.Key, Place);
    }
  }
  if (!IsStore) {
    C.Out.ResultSlots = uint8_t(Slots);
    C.Out.ResultKey = N.ResultKey;
  }
  return false;
}

/// Constructors that do nothing to a new object that anybody could see.
static bool isQuietInit(const Named &N, StringRef Owner) {
  return N.Name == "<init>" && N.Descriptor == "()V" &&
         (Owner == "java/lang/Object" || Owner == "java/lang/StringBuilder");
}

bool SideMachine::invoke(Context &C, const Inst &I) {
  const Named &N = Code.named(I);
  MethodDescriptor D(N.Descriptor);
  SmallVector<unsigned, 6> Slots;
  if (I.Op != op::INVOKESTATIC && I.Op != op::INVOKEDYNAMIC)
    Slots.push_back(1);
  unsigned Popped = unsigned(Slots.size());
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Slots.push_back(slotsOf(P));
    Popped += slotsOf(P);
  }
  if (!D.valid() || Popped > C.S.Stack.size())
    return fail(C, "a call is malformed");
  SmallVector<TermRef, 6> Args;
  size_t At = C.S.Stack.size() - Popped;
  for (unsigned Of : Slots) {
    Args.push_back(C.S.Stack[At]);
    At += Of;
  }
  if (I.Op == op::INVOKESPECIAL && Args[0]->is(TermKind::Object) &&
      isQuietInit(N, T.text(N.ClassKey)))
    return next(C, Popped);
  // It gives back what it is given, unless that is null.
  if (I.Op == op::INVOKESTATIC && N.Name == "requireNonNull" &&
      N.Descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;" &&
      T.text(N.ClassKey) == "java/util/Objects") {
    const auto IsNull = needNull(C, Args[0]);
    if (!IsNull)
      return false;
    if (!*IsNull)
      return next(C, Popped, Args[0]);
  }
  event(C, I, N.Key, true, Args, Popped);
  C.Out.ResultSlots = uint8_t(slotsOf(D.returnType()));
  C.Out.ResultKey = N.ResultKey;
  return false;
}

/// Nothing happens when the class is asked for: it is there.
bool SideMachine::isQuietClass(const Named &N) const {
  const StringRef Name = T.text(N.ClassKey);
  return Name == Code.Class->F.name() || Name == "java/lang/Object" ||
         Name == "java/lang/String" || Name == "java/lang/Throwable" ||
         Name == "java/lang/Class";
}

bool SideMachine::object(Context &C, const Inst &I) {
  Side &S = C.S;
  const size_t Top = S.Stack.size();
  const Named *N = I.NamedAt ? &Code.named(I) : nullptr;
  const StringRef Name = N ? T.text(N->ClassKey) : "";
  switch (I.Op) {
  case op::NEW: {
    const bool IsOwn = Name == Code.Class->F.name();
    const bool IsQuiet =
        IsOwn ? isInitialized(C, *N) &&
                    !(Code.Class->F.Access & (ACC_ABSTRACT | ACC_INTERFACE))
              : isQuietClass(*N) || Name == "java/lang/StringBuilder";
    if (IsQuiet)
      return next(C, 0, newObject(S, N->ClassKey));
    event(C, I, N->Key, true, {}, 0);
    break;
  }
  case op::NEWARRAY:
  case op::ANEWARRAY: {
    if (N && !isQuietClass(*N)) {
      const auto Fails = need(C, T.make(TermKind::LinkFails, N->Key, {}));
      if (!Fails)
        return false;
      if (*Fails)
        return throwNew(C, I, "?java/lang/LinkageError");
    }
    TermRef Length = S.Stack[Top - 1];
    const auto IsNegative =
        need(C, T.make(TermKind::Less, 0, {Length, T.ofInt(0)}));
    if (!IsNegative)
      return false;
    if (*IsNegative)
      return throwNew(C, I, "java/lang/NegativeArraySizeException");
    const std::string Of = !N ? arrayTypeDescriptor(I.Index).str()
                           : Name.starts_with("[") ? ("[" + Name).str()
                                                   : ("[L" + Name + ";").str();
    return next(C, 1, newObject(S, T.key(Of), Length));
  }
  case op::MULTIANEWARRAY: {
    const unsigned Count = unsigned(I.Value);
    event(C, I, N->Key, true,
          SmallVector<TermRef, 4>(S.Stack.end() - long(Count), S.Stack.end()),
          Count);
    C.Out.Memory = C.Memory;
    break;
  }
  case op::CHECKCAST: {
    const auto Fails =
        need(C, T.make(TermKind::CastFails, N->ClassKey, {S.Stack[Top - 1]}));
    if (!Fails)
      return false;
    return *Fails ? throwNew(C, I, "?java/lang/ClassCastException")
                  : next(C, 0);
  }
  default: { // instanceof
    TermRef Of = S.Stack[Top - 1];
    if (!isQuietClass(*N) && !Of->is(TermKind::Null)) {
      const auto Fails = need(C, T.make(TermKind::LinkFails, N->Key, {Of}));
      if (!Fails)
        return false;
      if (*Fails)
        return throwNew(C, I, "?java/lang/LinkageError");
    }
    return next(C, 1, T.make(TermKind::InstanceOf, N->ClassKey, {Of}));
  }
  }
  C.Out.ResultSlots = 1;
  C.Out.ResultKey = N->ClassKey;
  C.Out.IsNew = true;
  return false;
}

bool SideMachine::step(Context &C) {
  Side &S = C.S;
  if (S.Pending)
    return dispatch(C);
  if (S.At >= Code.Insts.size())
    return fail(C, "control leaves the code");
  const Inst &I = Code.Insts[S.At];
  const OpcodeInfo &Info = *getOpcodeInfo(I.Op);
  const size_t Top = S.Stack.size();
  switch (Info.Cat) {
  case op::CatConstant:
    return constant(C, I);
  case op::CatLocal: {
    if (I.Op == op::IINC) {
      if (!S.Slots[I.Index])
        return fail(C, "a slot is read that was not written");
      S.Slots[I.Index] =
          T.apply(op::IADD, {S.Slots[I.Index], T.ofInt(I.Value)});
      return next(C, 0);
    }
    if (!Info.result()) {
      const bool Wide = Info.takes('J') || Info.takes('D');
      S.Slots[I.Index] = S.Stack[Top - 1 - Wide];
      if (Wide)
        S.Slots[I.Index + 1] = nullptr;
      return next(C, 1 + Wide);
    }
    if (!S.Slots[I.Index])
      return fail(C, "a slot is read that was not written");
    return next(C, 0, S.Slots[I.Index],
                Info.result() == 'J' || Info.result() == 'D');
  }
  case op::CatStack:
    stackMove(S, I);
    return next(C, 0);
  case op::CatArithmetic:
  case op::CatConversion:
  case op::CatComparison:
    return arithmetic(C, I);
  case op::CatArray:
    return array(C, I);
  case op::CatField:
    return field(C, I);
  case op::CatInvoke:
    return invoke(C, I);
  case op::CatMonitor: {
    const auto IsNull = needNull(C, S.Stack[Top - 1]);
    if (!IsNull)
      return false;
    if (*IsNull)
      return throwNew(C, I, "java/lang/NullPointerException");
    return event(C, I, 0, I.Op == op::MONITOREXIT, {S.Stack[Top - 1]}, 1);
  }
  case op::CatObject:
    break;
  case op::CatControl:
    if (Info.Branches)
      return branch(C, I);
    C.Out.K = Stop::Return;
    if (!Info.operands().empty())
      C.Out.Value = S.Stack[Top - (Info.takes('J') || Info.takes('D') ? 2 : 1)];
    return false;
  default:
    return fail(C, "an instruction is not known");
  }
  if (I.Op != op::ATHROW)
    return object(C, I);
  const auto IsNull = needNull(C, S.Stack[Top - 1]);
  if (!IsNull)
    return false;
  if (*IsNull)
    return throwNew(C, I, "java/lang/NullPointerException");
  S.Pending = S.Stack[Top - 1];
  return true;
}

Stop SideMachine::run(Side &S, TermRef Memory, const PathFacts &F) {
  Context C{S, Memory, F, {}};
  // Loops may have no event and no decision, as all is constant.
  llvm::SmallVector<uint32_t, 8> Seen;
  if (Code.IsJoin.test(S.At))
    Seen.push_back(S.At);
  for (bool Moved = false;; Moved = true) {
    ++Steps;
    if (!step(C)) {
      C.Out.Moved = Moved;
      return std::move(C.Out);
    }
    if (S.Pending || !Code.IsJoin.test(S.At))
      continue;
    if (llvm::is_contained(Seen, S.At)) {
      C.Out.K = Stop::Turn;
      C.Out.Moved = true;
      return std::move(C.Out);
    }
    Seen.push_back(S.At);
  }
}
