//===- RawScanner.cpp - What of a block can stay bytes --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawScanner.h"
#include "jopt/Support/Statistics.h"
#include <array>

using namespace jopt;

JOPT_STATISTIC(NumRawBytes, "lifter", "raw-bytes",
               "bytes of code that stayed raw");

/// What an opcode does to a stack of types.
struct RawScanner::StackEffect {
  enum KindTy : uint8_t {
    Plain, ///< pops and pushes what the table says
    Load,
    Store,
    Increment,
    Constant,
    StackOp,
    Member,
    Invoke,
    Object,
    ElementLoad,
    End, ///< a branch, return or throw
  };
  KindTy Kind = Plain;
  uint8_t Length = 0;     ///< 0: depends
  uint8_t IndexBytes = 0; ///< of the operand that is a slot or pool index
  uint8_t Slot = 0;       ///< where IndexBytes is 0
  uint8_t PopSlots = 0;
  bool Throws = false;
  Type Push = Type::Void; ///< Top: a reference
};

RawScanner::StackEffect RawScanner::makeEffect(const OpcodeInfo &Info) {
  StackEffect E;
  E.Throws = Info.MayThrow;
  llvm::StringRef Effect = Info.Effect;
  size_t Arrow = Effect.find('>');
  if (Arrow != llvm::StringRef::npos) {
    for (char C : Effect.take_front(Arrow))
      E.PopSlots = uint8_t(E.PopSlots + typeOfLetter(C).slots());
    if (Effect.size() > Arrow + 1)
      E.Push = typeOfLetter(Effect[Arrow + 1]);
  }
  std::optional<IROp> Kind = getIROp(Info.Encoding);
  if (Info.Branches || Info.EndsBlock)
    E.Kind = StackEffect::End;
  else if (!Kind)
    E.Kind = StackEffect::StackOp;
  else
    switch (*Kind) {
    case irop::LocalGet:
      E.Kind = StackEffect::Load;
      break;
    case irop::LocalSet:
      E.Kind = StackEffect::Store;
      break;
    case irop::LocalInc:
      E.Kind = StackEffect::Increment;
      break;
    case irop::Const:
      E.Kind = StackEffect::Constant;
      break;
    case irop::FieldAccess:
      E.Kind = StackEffect::Member;
      break;
    case irop::Invoke:
      E.Kind = StackEffect::Invoke;
      break;
    case irop::Plain:
      E.Kind =
          E.Push.is(Type::Top) ? StackEffect::ElementLoad : StackEffect::Plain;
      break;
    case irop::Nop:
      E.Kind = StackEffect::Plain;
      break;
    default:
      E.Kind = StackEffect::Object;
    }
  E.Length = Info.Length;
  E.Slot = Info.Slot;
  E.IndexBytes = Info.IndexBytes;
  return E;
}

const RawScanner::StackEffect *RawScanner::stackEffects() {
  static const auto Table = [] {
    std::array<StackEffect, NumEncodings> T;
    for (const OpcodeInfo &Info : getOpcodeTable())
      T[Info.Encoding] = makeEffect(Info);
    return T;
  }();
  return Table.data();
}

/// The instruction at \p At.
inline bool RawScanner::decode(uint32_t At) {
  const uint8_t *P = Code.data() + At;
  BCI = At;
  Op = *P;
  if (Effects[Op].Length && Effects[Op].Length <= Code.size() - At) {
    const StackEffect &E = Effects[Op];
    Length = E.Length;
    Index = E.IndexBytes == 0   ? E.Slot
            : E.IndexBytes == 1 ? P[1]
                                : readU2(P + 1);
    return true;
  }
  return decodeOther(At);
}

/// One whose length depends.
bool RawScanner::decodeOther(uint32_t At) {
  DecodedInst D;
  if (!decodeInst(Code, At, D))
    return false;
  Op = D.Op;
  Length = D.Length;
  Index = D.Index;
  return true;
}

/// Payloads of uninitialised types that the scanner makes itself; code is too
/// short for so many sites.
static constexpr uint32_t OwnSites = 1 << 24;

RawScanner::RawScanner(Body &B, Bytes Code, LiftState &S)
    : F(B), Class(B.classFile()), Code(Code), State(S), Effects(stackEffects()),
      HasThis(!B.method().is(ACC_STATIC)),
      Constructor(HasThis && B.initialLocals()[0].is(Type::UninitThis)) {}

/// Before super() everything is lifted.
bool RawScanner::enter() {
  Stack.clear();
  for (const Value *V : State.Stack) {
    if (V->type().is(Type::UninitThis))
      return false;
    push(V->type());
  }
  return !Constructor || !State.Slots.holds(Type::UninitThis);
}

bool RawScanner::popValues(unsigned N) {
  size_t Top = Stack.size();
  for (; N; --N) {
    if (!Top)
      return false;
    Top -= Stack[Top - 1].is(Type::High) ? 2 : 1;
  }
  Stack.truncate(Top);
  return true;
}

bool RawScanner::load() {
  Type Ty = Effects[Op].Push;
  unsigned Width = Ty.slots();
  if (Index + Width > State.Slots.size())
    return false;
  if (Ty.is(Type::Top)) {
    Ty = State.Slots[Index];
    if (!Ty.isInitialized())
      return false;
  }
  push(Ty);
  return true;
}

bool RawScanner::store() {
  unsigned Width = Effects[Op].PopSlots;
  if (!isBorder(Width) || Index + Width > State.Slots.size() ||
      (HasThis && Index == 0))
    return false;
  Type Ty = Stack[Stack.size() - Width];
  if (Ty.slots() != Width || Ty.is(Type::Uninit))
    return false;
  pop(Width);
  State.Slots.store(Index, Ty, [&](size_t S, Type T) {
    Undo.push_back({uint32_t(S), State.Slots[S]});
    State.Slots.set(S, T);
  });
  Stores.push_back({Index, Ty});
  return true;
}

bool RawScanner::constant() {
  Type Ty = Effects[Op].Push;
  if (Op == op::ACONST_NULL) {
    Ty = Type::Null;
  } else if (Op == op::LDC || Op == op::LDC_W || Op == op::LDC2_W) {
    Ty = constantType(Class, Index);
    if (Ty.isVoid() || Ty.isCategory2() != (Op == op::LDC2_W))
      return false;
  }
  push(Ty);
  return true;
}

bool RawScanner::stackOp() {
  auto Copy = [&](size_t Group, size_t Under) {
    if (!isBorder(Group) || !isBorder(Group + Under))
      return false;
    Type Top[2];
    std::copy(Stack.end() - Group, Stack.end(), Top);
    Stack.insert(Stack.end() - Group - Under, Top, Top + Group);
    return true;
  };
  switch (Op) {
  case op::POP:
    return isBorder(1) && pop(1);
  case op::POP2:
    return isBorder(2) && pop(2);
  case op::DUP:
  case op::DUP_X1:
  case op::DUP_X2:
    return Copy(1, Op - op::DUP);
  case op::DUP2:
  case op::DUP2_X1:
  case op::DUP2_X2:
    return Copy(2, Op - op::DUP2);
  case op::SWAP:
    if (!isBorder(1) || !isBorder(2))
      return false;
    std::swap(Stack.end()[-1], Stack.end()[-2]);
    return true;
  default:
    return false;
  }
}

bool RawScanner::member() {
  if (!F.pool().has(Index, CPTag::Fieldref))
    return false;
  Type Ty = Class.fieldType(F.pool()[Index].B);
  bool Put = Op == op::PUTFIELD || Op == op::PUTSTATIC;
  bool Instance = Op == op::GETFIELD || Op == op::PUTFIELD;
  if (Ty.isVoid() || !pop((Put ? Ty.slots() : 0) + Instance))
    return false;
  if (!Put)
    push(Ty);
  return true;
}

bool RawScanner::initialize(size_t At) {
  Type Object = Stack[At], To;
  if (!Object.is(Type::Uninit))
    return false;
  if (Object.payload() >= OwnSites)
    To = Made[Object.payload() - OwnSites];
  else
    To = Class.classType(newIndex(F, Code, State.SiteAt, Object.payload()));
  if (State.Slots.holds(Object))
    return false;
  Stack.truncate(At);
  std::replace(Stack.begin(), Stack.end(), Object, To);
  return true;
}

bool RawScanner::invoke() {
  const ConstantPool &Pool = F.pool();
  bool Dynamic = Op == op::INVOKEDYNAMIC;
  CPTag Tag = Index < Pool.size() ? Pool[Index].Tag : CPTag::None;
  if (Dynamic ? Tag != CPTag::InvokeDynamic
              : Tag != CPTag::Methodref && Tag != CPTag::InterfaceMethodref)
    return false;
  unsigned NameAndType = Pool[Index].B;
  const ClassFile::CallShape &Shape = Class.callShape(NameAndType);
  if (Shape.NumArgs == ClassFile::CallShape::Invalid ||
      !popValues(Shape.NumArgs))
    return false;
  if (!Dynamic && Op != op::INVOKESTATIC) {
    if (Stack.empty())
      return false;
    if (Op == op::INVOKESPECIAL && Pool.utf8(Pool[NameAndType].A) == "<init>")
      return initialize(Stack.size() - 1);
    pop(1);
  }
  if (!Shape.Result.isVoid())
    push(Shape.Result);
  return true;
}

bool RawScanner::object() {
  Type Named = Type::Top;
  if (Op != op::NEWARRAY) {
    Named = Class.classType(Index);
    if (Named.is(Type::Top))
      return false;
  }
  switch (Op) {
  case op::NEW:
    if (State.SiteAt[BCI] != BlockLifter::NoSite)
      return false;
    push(Type(Type::Uninit, OwnSites + uint32_t(Made.size())));
    Made.push_back(Named);
    return true;
  case op::NEWARRAY:
    if (!pop(1) || Index < 4 || Index > 11)
      return false;
    push(primitiveArray(F.types(), Index));
    return true;
  case op::ANEWARRAY:
    if (!pop(1))
      return false;
    push(arrayOf(F.types(), F.types().name(Named)));
    return true;
  case op::CHECKCAST:
  case op::MULTIANEWARRAY:
    if (!pop(Op == op::CHECKCAST ? 1 : Code[BCI + 3]))
      return false;
    push(Named);
    return true;
  case op::INSTANCEOF:
    if (!pop(1))
      return false;
    push(Type::Int);
    return true;
  default:
    return false;
  }
}

bool RawScanner::elementLoad() {
  if (Stack.size() < 2)
    return false;
  Type Ty = elementOf(F.types(), Stack[Stack.size() - 2]);
  pop(2);
  push(Ty);
  return Ty.isReference();
}

inline bool RawScanner::step(const StackEffect &E) {
  Raw.MayThrow |= E.Throws;
  switch (E.Kind) {
  case StackEffect::Plain:
    if (!pop(E.PopSlots))
      return false;
    if (!E.Push.isVoid())
      push(E.Push);
    Raw.HasMonitors |= detail::OpcodeRows[Op].Cat == op::CatMonitor;
    return true;
  case StackEffect::Load:
    return load();
  case StackEffect::Store:
    return store();
  case StackEffect::Increment:
    return Index < State.Slots.size();
  case StackEffect::Constant:
    return constant();
  case StackEffect::StackOp:
    return stackOp();
  case StackEffect::Member:
    return member();
  case StackEffect::Invoke:
    return invoke();
  case StackEffect::Object:
    return object();
  case StackEffect::ElementLoad:
    return elementLoad();
  default:
    return false;
  }
}

/// A load or constant that could be made again elsewhere.
bool RawScanner::isPure(const Mark &M) const {
  switch (Effects[M.Op].Kind) {
  case StackEffect::Load:
    return true;
  case StackEffect::Constant:
    return (M.Op != op::LDC && M.Op != op::LDC_W && M.Op != op::LDC2_W) ||
           isPlainConstant(F.pool()[M.Index].Tag);
  default:
    return false;
  }
}

uint32_t RawScanner::scan(uint32_t From, uint32_t To) {
  if (!enter())
    return From;
  Stores.clear();
  Undo.clear();
  Made.clear();
  Raw = {From, {}, uint32_t(Stack.size()), false, false, {}};
  // The last instruction, and how it was before that.
  Mark Last = {};
  bool Movable = true; // an advice at the end would rather precede a load
  unsigned Count = 0;
  bool Ok = true;
  uint32_t At = From;
  for (; At < To; At += Length, ++Count) {
    if (!decode(At)) {
      Ok = false;
      break;
    }
    const StackEffect &E = Effects[Op];
    if (E.Kind == StackEffect::End) {
      Movable = Op >= op::IRETURN && Op <= op::ARETURN;
      break;
    }
    Last = {At, Index, uint32_t(Stack.size()), Op, Raw.MayThrow};
    if (!step(E)) {
      Ok = false;
      break;
    }
    Raw.MaxStack = std::max(Raw.MaxStack, uint32_t(Stack.size()));
  }
  if (Ok && Movable && Count && isPure(Last)) {
    At = Last.BCI;
    Stack.truncate(Last.Depth);
    Raw.MayThrow = Last.MayThrow;
    --Count;
  }
  // One instruction costs more raw than lifted.
  Ok = Ok && Count > 1 && llvm::none_of(Stack, [](Type T) {
         return T.is(Type::Uninit) && T.payload() >= OwnSites;
       });
  if (!Ok) {
    for (const RawCode::Store &S : llvm::reverse(Undo))
      State.Slots.set(S.Slot, S.Ty);
    return From;
  }
  Raw.Code = Code.slice(From, At - From);
  NumRawBytes += Raw.Code.size();
  Raw.Stores = F.copy(llvm::ArrayRef<RawCode::Store>(Stores));
  return At;
}
