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
  Strict.load(F.Unset);
}

const MethodShapes::Shape &MethodShapes::operator[](unsigned Utf8) {
  Shape &S = Shapes[Utf8];
  if (S.Known)
    return S;
  S.Known = true;
  llvm::SmallVector<VType, 8> Parameters;
  MethodDescriptor D(V.utf8(Utf8));
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Parameters.push_back(Types.descriptor(P));
    S.Slots += slotsOf(P);
  }
  S.Parameters = llvm::ArrayRef(Parameters).copy(Alloc);
  S.Return = Types.descriptor(D.returnType());
  return S;
}

bool Machine::begin(const MemberView &M, bool Infer) {
  At.Method = &M;
  At.Inference = Infer;
  const CodeAttribute &C = M.Code;
  LocalPool.reset(C.MaxLocals);
  StackPool.reset(C.MaxStack);
  Locals.reset(C.MaxLocals);
  Stack.reset(C.MaxStack);
  Depth = 0;
  ThisUninit = false;
  Strict.begin(M);

  At.Starts.clear();
  At.Starts.resize(unsigned(C.Code.size()));
  DecodedInst I;
  for (BCI = 0; BCI < C.Code.size(); BCI += I.Length) {
    I.Length = lengthAt(C.Code, BCI);
    if (!I.Length && !decodeInst(C.Code, BCI, I))
      return fail("no instruction", "4.9.1");
    At.Starts.set(BCI);
  }

  BCI = 0;
  unsigned Next = 0;
  if (!M.isStatic()) {
    ThisUninit = V.utf8(M.Name) == "<init>" && Types.Self != Types.Object;
    Locals.set(Next++, ThisUninit ? VType(VKind::UninitThis) : Types.Self);
  }
  const MethodShapes::Shape &S = Shapes[M.Descriptor];
  for (VType T : S.Parameters) {
    Locals.set(Next++, T);
    if (T.isWide())
      Locals.set(Next++, T.upper());
  }
  At.Return = S.Return;
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

/// The type that a capital of an effect stands for.
static VKind kindOf(char Letter) {
  return Letter == 'I'   ? VKind::Int
         : Letter == 'J' ? VKind::Long
         : Letter == 'F' ? VKind::Float
         : Letter == 'D' ? VKind::Double
                         : VKind::Null;
}

bool Machine::popOperands(const DecodedInst &I, unsigned First, bool NullTest) {
  const OpcodeInfo &Info = I.info();
  // HotSpot 28 has them compared in no class file any more; others run class
  // files of versions before that.
  constexpr unsigned FirstCompared = 72;
  const bool Uninitialised =
      Info.TakesUninitialised && (NullTest || !At.Inference) &&
      (V.Major < FirstCompared || Info.Cat == op::CatMonitor);
  for (char Letter : llvm::reverse(Info.operands().drop_front(First))) {
    VType T;
    if (Letter == 'n') {
      for (int32_t D = 0; D < I.Value; ++D)
        if (!popKind(VKind::Int))
          return false;
    } else if (Letter != 'A') {
      if (!popKind(kindOf(Letter)))
        return false;
    } else if (!(Uninitialised ? popAnyReference(T) : popReference(T))) {
      return false;
    }
  }
  return true;
}

bool Machine::pushResult(const DecodedInst &I) {
  switch (const char Letter = I.info().result()) {
  case 0:
    return true;
  case 'c':
    return push(classType(I.Index));
  case 'a':
    return push(Types.arrayOf(classType(I.Index)));
  case 'p':
    return push(Types.object(arrayTypeDescriptor(I.Index)));
  default:
    return push(kindOf(Letter));
  }
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

bool Machine::checkTarget(int32_t To) {
  return (To >= 0 && isStart(uint32_t(To))) ||
         fail("branches to " + Twine(To) + ", which is no instruction",
              "4.9.1");
}

bool Machine::checkSwitch(const DecodedInst &I) {
  if (V.Major < 51)
    for (uint32_t P = I.BCI + 1; P & 3; ++P)
      if (code().Code[P])
        return fail("the padding of a switch is not zero", "4.9.1");
  if (!checkTarget(I.Value))
    return false;
  for (uint32_t C = 0; C < I.NumCases; ++C) {
    if (!checkTarget(I.caseTarget(C)))
      return false;
    if (C && I.Op == op::LOOKUPSWITCH && I.caseKey(C - 1) >= I.caseKey(C))
      return fail("the keys of lookupswitch are not sorted", "4.9.1");
  }
  return true;
}

/// The class that \p I names.
bool Machine::checkClass(const DecodedInst &I) {
  StringRef Name = V.className(I.Index);
  const size_t Dimensions = Name.find_first_not_of('[');
  switch (I.info().result()) {
  case 'u':
    return !Name.starts_with("[") || fail("new of an array", "4.9.1");
  case 'a':
    return Dimensions < 255 ||
           fail("an array of more than 255 dimensions", "4.9.1");
  default:
    return !I.info().takes('n') ||
           (I.Value >= 1 && Dimensions >= size_t(I.Value)) ||
           fail("multianewarray of " + Twine(I.Value) +
                    " dimensions for type " + Name,
                "4.9.1");
  }
}

/// The pool entry that \p I names.
bool Machine::checkEntry(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  const CPTag Tag = V.tag(I.Index);
  bool Ok = Info.mayName(Tag);
  // Calls other than invokeinterface, and constants, may name them since later.
  if (Tag == CPTag::InterfaceMethodref && Info.mayName(CPTag::Methodref))
    Ok &= V.Major >= 52;
  if (Tag == CPTag::Class && Info.Cat == op::CatConstant)
    Ok &= V.Major >= 49;
  if (Tag == CPTag::Dynamic)
    Ok &= slotsOf(V.refDescriptor(I.Index)) == (Info.result() == 'w' ? 2u : 1u);
  if (!Ok)
    return fail("constant " + Twine(I.Index) + " is of the wrong kind",
                "4.9.1");
  if (Info.Cat == op::CatInvoke)
    return checkCall(I);
  return Info.Cat != op::CatObject || checkClass(I);
}

bool Machine::checkOperands(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  BCI = I.BCI;
  if (V.Major > Info.Until)
    return fail(Twine(Info.Mnemonic) + " is not allowed since version " +
                    Twine(Info.Until + 1),
                "4.9.1");
  if (V.Major < Info.Since)
    return fail(Twine(Info.Mnemonic) + " is not allowed before version " +
                    Twine(unsigned(Info.Since)),
                "4.9.1");
  if (Info.Fmt == op::FmtTableSwitch || Info.Fmt == op::FmtLookupSwitch)
    return checkSwitch(I);
  if (Info.Branches)
    return checkTarget(I.Value);
  if (Info.PoolTags)
    return checkEntry(I);
  if (Info.Fmt == op::FmtNewArray)
    return !arrayTypeName(I.Index).empty() ||
           fail("newarray of an unknown type", "4.9.1");
  if (Info.Cat == op::CatLocal || Info.Fmt == op::FmtLocal) {
    unsigned Last = I.Index + slotsOfLocal(Info) - 1;
    return Last < code().MaxLocals ||
           fail("local " + Twine(Last) + " lies beyond max_locals", "4.9.1");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Machine::execute(const DecodedInst &I) {
  BCI = I.BCI;
  Initialised = {};
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
  case op::CatMonitor:
    return popOperands(I) && pushResult(I);
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
  if (!I.info().PoolTags)
    return pushResult(I);
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
  const OpcodeInfo &Info = I.info();
  if (Info.Fmt == op::FmtIinc)
    return Get(VKind::Int);
  VType T;
  if (char Letter = Info.result()) {
    if (Letter != 'A')
      return Get(kindOf(Letter)) && push(kindOf(Letter));
    T = Locals.get(I.Index);
    if (!T.isReference() && !T.isUninit())
      return mismatch("in a local", "a reference", T, "4.10.1.9");
    return push(T);
  }
  if (const char Letter = Info.operands()[0]; Letter != 'A')
    return popKind(kindOf(Letter)) && setLocal(I.Index, kindOf(Letter));
  if (!popSlot(T))
    return false;
  // Only code of old versions has return addresses.
  if (!T.isReference() && !T.isUninit() && !T.is(VKind::RetAddr))
    return mismatch(OnStack, "a reference", T, "4.10.1.9");
  return setLocal(I.Index, T);
}

bool Machine::popArray(StringRef Elements, VType &Array) {
  if (!popSlot(Array))
    return false;
  if (Array.is(VKind::Null))
    return true;
  if (Types.isArray(Array) && Elements.contains(Types.name(Array).substr(1, 1)))
    return true;
  const bool References = Elements.contains('L');
  return mismatch(OnStack,
                  References && Elements.contains('I') ? "an array"
                  : References ? "an array of references"
                               : Twine('[') + Elements.take_front(),
                  Array, "4.10.1.9");
}

bool Machine::executeArray(const DecodedInst &I) {
  VType Array;
  if (!popOperands(I, 1) || !popArray(I.info().Elements, Array))
    return false;
  if (I.info().result() == 'e')
    return push(Array.is(VKind::Null) ? Array : Types.component(Array));
  return pushResult(I);
}

/// Whether the slots \p Digit and, below it, \p Digit + 1 stand beside each
/// other wherever \p Info's effect has them, so that they may be one value.
static bool stayTogether(const OpcodeInfo &Info, char Digit) {
  for (StringRef Slots : {Info.operands(), Info.results()})
    for (size_t At = 0; At < Slots.size(); ++At) {
      if (Slots[At] == Digit && (!At || Slots[At - 1] != Digit + 1))
        return false;
      if (Slots[At] == Digit + 1 &&
          (At + 1 == Slots.size() || Slots[At + 1] != Digit))
        return false;
    }
  return true;
}

/// dup, swap and pop: takes the slots that the effect numbers, and puts them
/// as it says.
bool Machine::executeStack(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  const StringRef Out = Info.results();
  VType Slots[1 + '4' - '0']; // by digit
  for (unsigned N = 1; N <= Info.operands().size(); ++N) {
    VType &T = Slots[N];
    if (!stayTogether(Info, char('0' + N))) {
      if (!popCategory1(T))
        return false;
      continue;
    }
    // A long or double, or two of one slot.
    if (!popSlot(T))
      return false;
    if (T.isTop())
      return mismatch(OnStack, "a value", T, "4.10.1.9");
    VType &Below = Slots[++N];
    if (!(T.isUpper() ? popSlot(Below) : popCategory1(Below)))
      return false;
  }
  if (Depth + Out.size() > Stack.size())
    return fail("the operand stack overflows", "4.10.1.9");
  for (char Digit : Out)
    Stack.set(Depth++, Slots[Digit - '0']);
  return true;
}

bool Machine::executeControl(const DecodedInst &I) {
  VType T;
  switch (I.Op) {
  case op::ATHROW:
    return pop(Types.Throwable);
  case op::RETURN:
    if (!At.Return.isTop())
      return fail("return without a value", "4.10.1.9.return");
    if (ThisUninit)
      return fail("a constructor returns before it called another one",
                  "4.10.1.9.return");
    return true;
  case op::IRETURN:
  case op::LRETURN:
  case op::FRETURN:
  case op::DRETURN: {
    if (!popOperands(I))
      return false;
    VKind K = kindOf(I.info().operands()[0]);
    return At.Return == VType(K) ||
           mismatch("as result", Types.describe(At.Return), K,
                    "4.10.1.9.return");
  }
  case op::ARETURN:
    if (!popReference(T))
      return false;
    return (!At.Return.isTop() && assignable(T, At.Return)) ||
           mismatch("as result", Types.describe(At.Return), T,
                    "4.10.1.9.return");
  default:
    return popOperands(I, 0, I.Op == op::IFNULL || I.Op == op::IFNONNULL);
  }
}

bool Machine::executeObject(const DecodedInst &I) {
  if (I.info().result() != 'u')
    return popOperands(I) && pushResult(I);
  VType New(VKind::Uninit, I.BCI);
  if (At.Inference) {
    for (unsigned S = 0; S < Depth; ++S)
      if (Stack.get(S) == New)
        return fail("an object of an earlier new is still uninitialised",
                    "4.10.2.4");
    Locals.replaceAll(New, VKind::Top);
  }
  return push(New);
}
