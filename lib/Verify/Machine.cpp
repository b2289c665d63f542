//===- Machine.cpp - What instructions do to types ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

bool Machine::fail(const Twine &Message, const char *Section) {
  return R.add(FindingKind::Verify, Message, Section, BCI);
}

bool Machine::failFormat(const Twine &Message, const char *Section) {
  return R.add(FindingKind::ClassFormat, Message, Section, BCI);
}

bool Machine::mismatch(const char *Where, const Twine &Expected, VType Found,
                       const char *Section) {
  return fail(Twine("expected ") + Expected + " " + Where + ", found " +
                  Types.describe(Found),
              Section);
}

static constexpr const char *OnStack = "on the stack";

Frame Machine::save() {
  Frame F;
  F.Locals = Locals.root();
  F.Stack = Stack.root();
  F.Depth = uint16_t(Depth);
  F.ThisUninit = ThisUninit;
  return F;
}

void Machine::load(const Frame &F) {
  Locals.load(F.Locals);
  Stack.load(F.Stack);
  Depth = F.Depth;
  ThisUninit = F.ThisUninit;
}

const Machine::Shape &Machine::shape(unsigned Utf8) {
  Shape &S = Shapes[Utf8];
  if (S.Known)
    return S;
  S.Known = true;
  S.First = uint32_t(ShapeTypes.size());
  MethodDescriptor D(V.utf8(Utf8));
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    ShapeTypes.push_back(Types.descriptor(P));
    ++S.Count;
    S.Slots += slotsOf(P);
  }
  S.Return = Types.descriptor(D.returnType());
  return S;
}

bool Machine::begin(const MemberView &M, bool Infer) {
  Method = &M;
  Inference = Infer;
  const CodeView &C = M.Code;
  LocalPool.reset(C.MaxLocals);
  StackPool.reset(C.MaxStack);
  Locals.reset(C.MaxLocals);
  Stack.reset(C.MaxStack);
  Depth = 0;
  ThisUninit = false;

  Starts.clear();
  Starts.resize(unsigned(C.Code.size()));
  DecodedInst I;
  for (BCI = 0; BCI < C.Code.size(); BCI += I.Length) {
    if (!decodeInst(C.Code, BCI, I))
      return fail("no instruction", "4.9.1");
    Starts.set(BCI);
  }

  BCI = 0;
  unsigned Next = 0;
  if (!M.isStatic()) {
    ThisUninit = V.utf8(M.Name) == "<init>" && Types.Self != Types.Object;
    Locals.set(Next++, ThisUninit ? VType(VKind::UninitThis) : Types.Self);
  }
  const Shape &S = shape(M.Descriptor);
  for (unsigned P = 0; P < S.Count; ++P) {
    VType T = ShapeTypes[S.First + P];
    Locals.set(Next++, T);
    if (T.isWide())
      Locals.set(Next++, T.upper());
  }
  Return = S.Return;
  return true;
}

bool Machine::push(VType T) {
  if (Depth + 1 + T.isWide() > Stack.size())
    return fail("the operand stack overflows", "4.10.1.9");
  Stack.set(Depth++, T);
  if (T.isWide())
    Stack.set(Depth++, T.upper());
  return true;
}

bool Machine::popSlot(VType &T) {
  if (Depth == 0)
    return fail("the operand stack is empty", "4.10.1.9");
  T = Stack.get(--Depth);
  Stack.set(Depth, VKind::Top);
  return true;
}

bool Machine::popKind(VKind K) {
  VType T;
  if (!popSlot(T))
    return false;
  VType Expected(K);
  if (Expected.isWide()) {
    if (T != Expected.upper())
      return mismatch(OnStack, Types.describe(Expected), T, "4.10.1.9");
    return popSlot(T);
  }
  return T == Expected ||
         mismatch(OnStack, Types.describe(Expected), T, "4.10.1.9");
}

bool Machine::pop(VType Expected) {
  if (!Expected.is(VKind::Ref))
    return popKind(Expected.kind());
  VType T;
  if (!popSlot(T))
    return false;
  return assignable(T, Expected) ||
         mismatch(OnStack, Types.describe(Expected), T, "4.10.1.9");
}

bool Machine::popReference(VType &T) {
  return popSlot(T) &&
         (T.isReference() || mismatch(OnStack, "an object", T, "4.10.1.9"));
}

bool Machine::popAnyReference(VType &T) {
  return popSlot(T) && (T.isReference() || T.isUninit() ||
                        mismatch(OnStack, "a reference", T, "4.10.1.9"));
}

bool Machine::popCategory1(VType &T) {
  return popSlot(T) &&
         (!(T.isTop() || T.isUpper()) ||
          mismatch(OnStack, "a value of one slot", T, "4.10.1.9"));
}

bool Machine::popLetters(StringRef Letters, bool NullTest) {
  for (; !Letters.empty(); Letters = Letters.drop_back()) {
    bool Ok;
    VType T;
    switch (Letters.back()) {
    case 'I':
      Ok = popKind(VKind::Int);
      break;
    case 'J':
      Ok = popKind(VKind::Long);
      break;
    case 'F':
      Ok = popKind(VKind::Float);
      break;
    case 'D':
      Ok = popKind(VKind::Double);
      break;
    default:
      // ifnull and ifnonnull, if_acmpeq and if_acmpne, monitors.
      Ok = Inference && !NullTest ? popReference(T) : popAnyReference(T);
      break;
    }
    if (!Ok)
      return false;
  }
  return true;
}

bool Machine::pushLetters(StringRef Letters) {
  for (char C : Letters)
    if (!push(C == 'I'   ? VKind::Int
              : C == 'J' ? VKind::Long
              : C == 'F' ? VKind::Float
              : C == 'D' ? VKind::Double
                         : VKind::Null))
      return false;
  return true;
}

bool Machine::setLocal(unsigned I, VType T) {
  unsigned Last = I + T.isWide();
  // Half of a long or double that is overwritten takes the other along.
  if (Locals.get(I).isUpper())
    Locals.set(I - 1, VKind::Top);
  if (Locals.get(Last).isWide())
    Locals.set(Last + 1, VKind::Top);
  Locals.set(I, T);
  if (T.isWide())
    Locals.set(Last, T.upper());
  return true;
}

//===----------------------------------------------------------------------===//
// Static constraints
//===----------------------------------------------------------------------===//

bool Machine::needTag(unsigned Index, bool Ok) {
  return Ok ||
         fail("constant " + Twine(Index) + " is of the wrong kind", "4.9.1");
}

bool Machine::checkOperands(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  BCI = I.BCI;
  auto Target = [&](int32_t To) {
    return (To >= 0 && isStart(uint32_t(To))) ||
           fail("branches to " + Twine(To) + ", which is no instruction",
                "4.9.1");
  };
  if (Info.Until < V.Major)
    return fail(Twine(Info.Mnemonic) + " is not allowed since version " +
                    Twine(Info.Until + 1),
                "4.9.1");
  switch (Info.Fmt) {
  case op::FmtBranch2:
  case op::FmtBranch4:
    return Target(I.Value);
  case op::FmtTableSwitch:
  case op::FmtLookupSwitch:
    if (V.Major < 51)
      for (uint32_t P = I.BCI + 1; P & 3; ++P)
        if (code().Code[P])
          return fail("the padding of a switch is not zero", "4.9.1");
    if (!Target(I.Value))
      return false;
    for (uint32_t C = 0; C < I.NumCases; ++C) {
      if (!Target(I.caseTarget(C)))
        return false;
      if (C && I.Op == op::LOOKUPSWITCH && I.caseKey(C - 1) >= I.caseKey(C))
        return fail("the keys of lookupswitch are not sorted", "4.9.1");
    }
    return true;
  case op::FmtNewArray:
    return (I.Index >= 4 && I.Index <= 11) ||
           fail("newarray of an unknown type", "4.9.1");
  default:
    break;
  }
  CPTag Tag = V.tag(I.Index);
  switch (Info.Cat) {
  case op::CatConstant:
    if (I.Op == op::LDC || I.Op == op::LDC_W) {
      bool Ok = Tag == CPTag::Integer || Tag == CPTag::Float ||
                Tag == CPTag::String ||
                (Tag == CPTag::Class && V.Major >= 49) ||
                Tag == CPTag::MethodHandle || Tag == CPTag::MethodType;
      if (Tag == CPTag::Dynamic)
        Ok = slotsOf(V.refDescriptor(I.Index)) == 1;
      return needTag(I.Index, Ok);
    }
    if (I.Op == op::LDC2_W)
      return needTag(I.Index, Tag == CPTag::Long || Tag == CPTag::Double ||
                                  (Tag == CPTag::Dynamic &&
                                   slotsOf(V.refDescriptor(I.Index)) == 2));
    return true;
  case op::CatLocal:
  case op::CatControl: {
    if (Info.Cat == op::CatControl && I.Op != op::RET)
      return true;
    char Type = *Info.Effect == '>' ? Info.Effect[1] : *Info.Effect;
    unsigned Last = I.Index + (Type == 'J' || Type == 'D');
    return Last < code().MaxLocals ||
           fail("local " + Twine(Last) + " lies beyond max_locals", "4.9.1");
  }
  case op::CatField:
    return needTag(I.Index, Tag == CPTag::Fieldref);
  case op::CatInvoke:
    return checkInvoke(I);
  case op::CatObject:
  case op::CatExtended:
    if (Info.Fmt != op::FmtCP2 && Info.Fmt != op::FmtMultiANewArray)
      return true;
    if (!needTag(I.Index, Tag == CPTag::Class))
      return false;
    if (StringRef Name = V.className(I.Index); I.Op == op::NEW) {
      if (Name.starts_with("["))
        return fail("new of an array", "4.9.1");
    } else if (I.Op == op::ANEWARRAY) {
      if (Name.find_first_not_of('[') >= 255)
        return fail("an array of more than 255 dimensions", "4.9.1");
    } else if (I.Op == op::MULTIANEWARRAY) {
      if (I.Value < 1 || Name.find_first_not_of('[') < size_t(I.Value))
        return fail("multianewarray of " + Twine(I.Value) +
                        " dimensions for type " + Name,
                    "4.9.1");
    }
    return true;
  default:
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Machine::execute(const DecodedInst &I) {
  BCI = I.BCI;
  InitialisedThis = InitialisedNew = false;
  switch (I.info().Cat) {
  case op::CatConstant:
    return executeConstant(I);
  case op::CatLocal:
    return executeLocal(I);
  case op::CatArray:
    return executeArray(I);
  case op::CatStack:
    return executeStack(I);
  case op::CatArithmetic:
  case op::CatConversion:
  case op::CatComparison:
  case op::CatMonitor: {
    auto [In, Out] = StringRef(I.info().Effect).split('>');
    return popLetters(In) && pushLetters(Out);
  }
  case op::CatControl:
    return executeControl(I);
  case op::CatField:
    return executeField(I);
  case op::CatInvoke:
    return executeInvoke(I);
  case op::CatObject:
  case op::CatExtended:
    return executeObject(I);
  }
  return true;
}

bool Machine::executeConstant(const DecodedInst &I) {
  if (I.Op != op::LDC && I.Op != op::LDC_W && I.Op != op::LDC2_W)
    return pushLetters(StringRef(I.info().Effect).drop_front());
  switch (V.tag(I.Index)) {
  case CPTag::Integer:
    return push(VKind::Int);
  case CPTag::Float:
    return push(VKind::Float);
  case CPTag::Long:
    return push(VKind::Long);
  case CPTag::Double:
    return push(VKind::Double);
  case CPTag::String:
    return push(Types.String);
  case CPTag::Class:
    return push(Types.Class);
  case CPTag::MethodType:
    return push(Types.MethodType);
  case CPTag::MethodHandle:
    return push(Types.MethodHandle);
  default:
    return push(Types.descriptor(V.refDescriptor(I.Index)));
  }
}

bool Machine::executeLocal(const DecodedInst &I) {
  auto Get = [&](VKind K) {
    VType T = Locals.get(I.Index);
    bool Ok = T == VType(K);
    if (Ok && T.isWide())
      Ok = Locals.get(I.Index + 1) == T.upper();
    return Ok || mismatch("in a local", Types.describe(K), T, "4.10.1.9");
  };
  auto Load = [&](VKind K) { return Get(K) && push(K); };
  auto Store = [&](VKind K) { return popKind(K) && setLocal(I.Index, K); };
  switch (I.info().Canonical) {
  case op::ILOAD:
    return Load(VKind::Int);
  case op::LLOAD:
    return Load(VKind::Long);
  case op::FLOAD:
    return Load(VKind::Float);
  case op::DLOAD:
    return Load(VKind::Double);
  case op::ALOAD: {
    VType T = Locals.get(I.Index);
    if (!T.isReference() && !T.isUninit())
      return mismatch("in a local", "a reference", T, "4.10.1.9");
    return push(T);
  }
  case op::ISTORE:
    return Store(VKind::Int);
  case op::LSTORE:
    return Store(VKind::Long);
  case op::FSTORE:
    return Store(VKind::Float);
  case op::DSTORE:
    return Store(VKind::Double);
  case op::ASTORE: {
    VType T;
    if (!popSlot(T))
      return false;
    // Only code of old versions has return addresses.
    if (!T.isReference() && !T.isUninit() && !T.is(VKind::RetAddr))
      return mismatch(OnStack, "a reference", T, "4.10.1.9");
    return setLocal(I.Index, T);
  }
  default: // iinc
    return Get(VKind::Int);
  }
}

/// The array that \p Op works on; a reference array for 0.
static StringRef arrayDescriptor(Opcode Op) {
  switch (Op) {
  case op::IALOAD:
  case op::IASTORE:
    return "[I";
  case op::LALOAD:
  case op::LASTORE:
    return "[J";
  case op::FALOAD:
  case op::FASTORE:
    return "[F";
  case op::DALOAD:
  case op::DASTORE:
    return "[D";
  case op::BALOAD:
  case op::BASTORE:
    return "[B";
  case op::CALOAD:
  case op::CASTORE:
    return "[C";
  case op::SALOAD:
  case op::SASTORE:
    return "[S";
  default:
    return "";
  }
}

bool Machine::popArray(Opcode Op, VType &Array) {
  if (!popSlot(Array))
    return false;
  if (Array.is(VKind::Null))
    return true;
  StringRef Expected = arrayDescriptor(Op);
  if (Types.isArray(Array)) {
    StringRef Name = Types.name(Array);
    if (Expected.empty()
            ? Types.component(Array).is(VKind::Ref)
            : Name == Expected || (Expected == "[B" && Name == "[Z"))
      return true;
  }
  return mismatch(OnStack,
                  Expected.empty() ? "an array of references" : Expected, Array,
                  "4.10.1.9");
}

bool Machine::executeArray(const DecodedInst &I) {
  auto [In, Out] = StringRef(I.info().Effect).split('>');
  VType Array;
  if (I.Op == op::AALOAD)
    return popKind(VKind::Int) && popArray(I.Op, Array) &&
           push(Array.is(VKind::Null) ? Array : Types.component(Array));
  if (I.Op == op::AASTORE) {
    VType Value;
    return popReference(Value) && popKind(VKind::Int) && popArray(I.Op, Array);
  }
  if (I.Op == op::ARRAYLENGTH) {
    if (!popSlot(Array))
      return false;
    if (!Array.is(VKind::Null) && !Types.isArray(Array))
      return mismatch(OnStack, "an array", Array, "4.10.1.9");
    return push(VKind::Int);
  }
  return popLetters(In.drop_front()) && popArray(I.Op, Array) &&
         pushLetters(Out);
}

/// Duplicates the top \p Take slots, and puts the copy under \p Under more.
/// Neither group may end within a long or double.
bool Machine::stackOp(unsigned Take, unsigned Under) {
  VType T[4];
  auto Group = [&](VType *To, unsigned N) {
    // To[N - 1] is the top.
    if (N == 2) {
      if (!popSlot(To[1]))
        return false;
      if (To[1].isUpper())
        return popSlot(To[0]);
      if (To[1].isTop())
        return mismatch(OnStack, "a value", To[1], "4.10.1.9");
      return popCategory1(To[0]);
    }
    return N == 0 || popCategory1(To[0]);
  };
  VType *Top = T + Under;
  if (!Group(Top, Take) || !Group(T, Under))
    return false;
  if (Depth + Under + 2 * Take > Stack.size())
    return fail("the operand stack overflows", "4.10.1.9");
  auto Put = [&](const VType *From, unsigned N) {
    for (unsigned I = 0; I < N; ++I)
      Stack.set(Depth++, From[I]);
  };
  Put(Top, Take);
  Put(T, Under);
  Put(Top, Take);
  return true;
}

bool Machine::executeStack(const DecodedInst &I) {
  VType A, B;
  switch (I.Op) {
  case op::POP:
    return popCategory1(A);
  case op::POP2:
    if (!popSlot(A))
      return false;
    if (A.isUpper())
      return popSlot(B);
    return (!A.isTop() || mismatch(OnStack, "a value", A, "4.10.1.9")) &&
           popCategory1(B);
  case op::DUP:
    return stackOp(1, 0);
  case op::DUP_X1:
    return stackOp(1, 1);
  case op::DUP_X2:
    return stackOp(1, 2);
  case op::DUP2:
    return stackOp(2, 0);
  case op::DUP2_X1:
    return stackOp(2, 1);
  case op::DUP2_X2:
    return stackOp(2, 2);
  default: // swap
    return popCategory1(A) && popCategory1(B) && push(A) && push(B);
  }
}

bool Machine::executeControl(const DecodedInst &I) {
  VType T;
  switch (I.Op) {
  case op::ATHROW:
    return pop(Types.Throwable);
  case op::RETURN:
    if (!Return.isTop())
      return fail("return without a value", "4.10.1.9.return");
    if (ThisUninit)
      return fail("a constructor returns before it called another one",
                  "4.10.1.9.return");
    return true;
  case op::IRETURN:
  case op::LRETURN:
  case op::FRETURN:
  case op::DRETURN: {
    StringRef In = StringRef(I.info().Effect).drop_back();
    if (!popLetters(In))
      return false;
    VKind K = In == "I"   ? VKind::Int
              : In == "J" ? VKind::Long
              : In == "F" ? VKind::Float
                          : VKind::Double;
    return Return == VType(K) ||
           mismatch("as result", Types.describe(Return), K, "4.10.1.9.return");
  }
  case op::ARETURN:
    if (!popReference(T))
      return false;
    return (!Return.isTop() && assignable(T, Return)) ||
           mismatch("as result", Types.describe(Return), T, "4.10.1.9.return");
  default: {
    auto [In, Out] = StringRef(I.info().Effect).split('>');
    return popLetters(In, I.Op == op::IFNULL || I.Op == op::IFNONNULL);
  }
  }
}

bool Machine::executeObject(const DecodedInst &I) {
  static constexpr const char *const Primitive[] = {"[Z", "[C", "[F", "[D",
                                                    "[B", "[S", "[I", "[J"};
  VType T;
  switch (I.Op) {
  case op::NEW: {
    VType New(VKind::Uninit, I.BCI);
    if (Inference) {
      for (unsigned S = 0; S < Depth; ++S)
        if (Stack.get(S) == New)
          return fail("an object of an earlier new is still uninitialised",
                      "4.10.2.4");
      Locals.replaceAll(New, VKind::Top);
    }
    return push(New);
  }
  case op::NEWARRAY:
    return popKind(VKind::Int) && push(Types.object(Primitive[I.Index - 4]));
  case op::ANEWARRAY:
    return popKind(VKind::Int) && push(Types.arrayOf(classType(I.Index)));
  case op::CHECKCAST:
    return popReference(T) && push(classType(I.Index));
  case op::INSTANCEOF:
    return popReference(T) && push(VKind::Int);
  case op::MULTIANEWARRAY:
    for (int32_t D = 0; D < I.Value; ++D)
      if (!popKind(VKind::Int))
        return false;
    return push(classType(I.Index));
  default: {
    auto [In, Out] = StringRef(I.info().Effect).split('>');
    return popLetters(In) && pushLetters(Out);
  }
  }
}
