//===- Shape.cpp - What opcodes imply -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"
#include "TextWriter.h"

using namespace jopt;
using llvm::StringRef;

std::optional<int32_t> shape::immediateInt(Opcode Op, int32_t Imm) {
  if (Op >= op::ICONST_M1 && Op <= op::ICONST_5)
    return Op - op::ICONST_0;
  if (Op == op::BIPUSH || Op == op::SIPUSH)
    return Imm;
  return std::nullopt;
}

Opcode shape::opcodeOfInt(int32_t V) {
  if (V >= -1 && V <= 5)
    return Opcode(op::ICONST_0 + V);
  if (V == int8_t(V))
    return op::BIPUSH;
  if (V == int16_t(V))
    return op::SIPUSH;
  return op::LDC;
}

Opcode shape::opcodeOfEntry(const CPEntry &E) {
  switch (E.Tag) {
  case CPTag::Integer:
    return opcodeOfInt(int32_t(E.Bits));
  case CPTag::Float:
    switch (uint32_t(E.Bits)) {
    case 0:
      return op::FCONST_0;
    case 0x3f800000:
      return op::FCONST_1;
    case 0x40000000:
      return op::FCONST_2;
    default:
      return op::LDC;
    }
  case CPTag::Long:
    return E.Bits < 2 ? Opcode(op::LCONST_0 + E.Bits) : Opcode(op::LDC2_W);
  case CPTag::Double:
    return E.Bits == 0                    ? op::DCONST_0
           : E.Bits == 0x3ff0000000000000 ? op::DCONST_1
                                          : op::LDC2_W;
  default:
    return op::LDC;
  }
}

Opcode shape::loadOpcode(const ConstantPool &Pool, unsigned Index) {
  switch (Pool[Index].Tag) {
  case CPTag::Long:
  case CPTag::Double:
    return op::LDC2_W;
  case CPTag::Dynamic:
    return slotsOf(Pool.member(Index).Descriptor) == 2 ? op::LDC2_W : op::LDC;
  default:
    return op::LDC;
  }
}

uint32_t shape::poolTags(IROp Kind, Opcode Op) {
  switch (Kind) {
  case irop::Const:
    return LoadableTags;
  case irop::FieldAccess:
    return tagBit(CPTag::Fieldref);
  case irop::Invoke:
    switch (Op) {
    case op::INVOKEVIRTUAL:
      return tagBit(CPTag::Methodref);
    case op::INVOKEINTERFACE:
      return tagBit(CPTag::InterfaceMethodref);
    case op::INVOKEDYNAMIC:
      return tagBit(CPTag::InvokeDynamic);
    default:
      return AnyMethodTags;
    }
  case irop::New:
  case irop::ClassOp:
  case irop::MultiNewArray:
    return tagBit(CPTag::Class);
  default:
    return 0;
  }
}

static const char *const ArrayTypes[][2] = {
    {"boolean", "[Z"}, {"char", "[C"},  {"float", "[F"}, {"double", "[D"},
    {"byte", "[B"},    {"short", "[S"}, {"int", "[I"},   {"long", "[J"}};

StringRef shape::arrayTypeName(unsigned Code) {
  return Code >= 4 && Code <= 11 ? ArrayTypes[Code - 4][0] : "";
}

StringRef shape::narrowTypeName(int32_t Code) {
  bool Narrow = Code == 4 || Code == 5 || Code == 8 || Code == 9;
  return Narrow ? arrayTypeName(unsigned(Code)) : "";
}

StringRef shape::arrayTypeDescriptor(unsigned Code) {
  return Code >= 4 && Code <= 11 ? ArrayTypes[Code - 4][1] : "";
}

bool shape::isInitCall(const ConstantPool &Pool, Opcode Op, unsigned Index) {
  return Op == op::INVOKESPECIAL && Pool.member(Index).Name == "<init>";
}

Opcode shape::localOpcode(IROp Kind, Type T) {
  bool Get = Kind == irop::LocalGet;
  switch (T.kind()) {
  case Type::Int:
    return Get ? op::ILOAD : op::ISTORE;
  case Type::Long:
    return Get ? op::LLOAD : op::LSTORE;
  case Type::Float:
    return Get ? op::FLOAD : op::FSTORE;
  case Type::Double:
    return Get ? op::DLOAD : op::DSTORE;
  default:
    return Get ? op::ALOAD : op::ASTORE;
  }
}

bool shape::isDefaultOpcode(const Instruction &I, const ConstantPool &Pool) {
  switch (I.op()) {
  case irop::Const:
    if (I.opcode() == op::LDC || I.opcode() == op::LDC2_W)
      return I.opcode() == loadOpcode(Pool, I.index());
    return true;
  case irop::LocalGet:
    return I.opcode() == localOpcode(I.op(), I.type());
  case irop::LocalSet:
    return !I.operands().empty() && I.operand(0) &&
           I.opcode() == localOpcode(I.op(), I.operand(0)->type());
  case irop::LocalInc:
    return I.opcode() == op::IINC;
  default:
    return true;
  }
}

/// The descriptor of a field or of what a method returns.
static StringRef resultDescriptor(const ConstantPool &Pool, unsigned Index) {
  StringRef D = Pool.member(Index).Descriptor;
  return D.starts_with("(") ? returnDescriptor(D) : D;
}

static std::optional<Type> ofDescriptor(TypeTable &Types, StringRef D) {
  if (D != "V" && !isFieldDescriptor(D))
    return std::nullopt;
  return Types.fromDescriptor(D);
}

static std::optional<Type> constantType(Body &B, Opcode Op, unsigned Index) {
  if (Op == op::ACONST_NULL)
    return Type(Type::Null);
  if (Op <= op::ICONST_5 || Op == op::BIPUSH || Op == op::SIPUSH)
    return Type(Type::Int);
  if (Op <= op::LCONST_1)
    return Type(Type::Long);
  if (Op <= op::FCONST_2)
    return Type(Type::Float);
  if (Op <= op::DCONST_1)
    return Type(Type::Double);
  TypeTable &Types = B.types();
  switch (B.pool()[Index].Tag) {
  case CPTag::Integer:
    return Type(Type::Int);
  case CPTag::Float:
    return Type(Type::Float);
  case CPTag::Long:
    return Type(Type::Long);
  case CPTag::Double:
    return Type(Type::Double);
  case CPTag::String:
    return Types.ref("java/lang/String");
  case CPTag::Class:
    return Types.ref("java/lang/Class");
  case CPTag::MethodHandle:
    return Types.ref("java/lang/invoke/MethodHandle");
  case CPTag::MethodType:
    return Types.ref("java/lang/invoke/MethodType");
  case CPTag::Dynamic:
    return ofDescriptor(Types, B.pool().member(Index).Descriptor);
  default:
    return std::nullopt;
  }
}

static std::optional<Type> effectType(char Letter) {
  switch (Letter) {
  case 'I':
    return Type(Type::Int);
  case 'J':
    return Type(Type::Long);
  case 'F':
    return Type(Type::Float);
  case 'D':
    return Type(Type::Double);
  case '\0':
    return Type(Type::Void);
  default:
    return std::nullopt;
  }
}

std::optional<Type> shape::resultType(Body &B, IROp Kind, Opcode Op,
                                      unsigned Index,
                                      llvm::ArrayRef<Value *> Ops) {
  TypeTable &Types = B.types();
  const ConstantPool &Pool = B.pool();
  if (getInstructionInfo(Kind).Terminator)
    return Type(Type::Void);
  switch (Kind) {
  case irop::Const:
    return constantType(B, Op, Index);
  case irop::LocalGet: {
    if (Op == op::ALOAD)
      return std::nullopt;
    return effectType(getOpcodeInfo(Op)->Effect[1]);
  }
  case irop::Plain: {
    if (Op == op::AALOAD) {
      if (Ops.empty() || !Ops[0])
        return std::nullopt;
      Type Array = Ops[0]->type();
      if (Array.is(Type::Null))
        return Type(Type::Null);
      if (!Array.is(Type::Ref) || !isFieldDescriptor(Types.name(Array)) ||
          !Types.isArray(Array))
        return std::nullopt;
      return Types.elementType(Array);
    }
    StringRef Effect = getOpcodeInfo(Op)->Effect;
    size_t Arrow = Effect.find('>');
    if (Arrow == StringRef::npos)
      return std::nullopt;
    return effectType(Effect.data()[Arrow + 1]);
  }
  case irop::FieldAccess:
    if (Op == op::PUTFIELD || Op == op::PUTSTATIC)
      return Type(Type::Void);
    return ofDescriptor(Types, resultDescriptor(Pool, Index));
  case irop::Invoke:
    if (isInitCall(Pool, Op, Index)) {
      // The initialised object: of the class that `new` or `this` says.
      if (Ops.empty() || !Ops[0])
        return std::nullopt;
      if (Ops[0]->type().is(Type::UninitThis))
        return Types.ref(B.classFile().name());
      return Types.ref(Pool.className(Pool[Index].A));
    }
    return ofDescriptor(Types, resultDescriptor(Pool, Index));
  case irop::NewArray: {
    StringRef D = arrayTypeDescriptor(Index);
    if (D.empty())
      return std::nullopt;
    return Types.ref(D);
  }
  case irop::ClassOp: {
    if (Op == op::INSTANCEOF)
      return Type(Type::Int);
    StringRef Name = Pool.className(Index);
    if (Name.empty())
      return std::nullopt;
    if (Op == op::CHECKCAST)
      return Types.ref(Name);
    return Types.ref(Name[0] == '[' ? ("[" + Name).str()
                                    : ("[L" + Name + ";").str());
  }
  case irop::MultiNewArray: {
    StringRef Name = Pool.className(Index);
    if (Name.empty())
      return std::nullopt;
    return Types.ref(Name);
  }
  case irop::New:
  case irop::Advice:
  case irop::RawValue:
    return std::nullopt;
  default:
    return Type(Type::Void);
  }
}

/// Calls \p F with each slot's kind and class name, first to last; false if the
/// descriptor is malformed.
template <typename Fn> static bool walkEntry(const Body &B, Fn F) {
  const ClassFile &Class = B.classFile();
  const Method &M = B.method();
  StringRef Desc = Class.descriptor(M);
  if (!isMethodDescriptor(Desc))
    return false;
  if (!M.is(ACC_STATIC)) {
    bool Uninit =
        Class.name(M) == "<init>" && Class.name() != "java/lang/Object";
    F(Uninit ? Type::UninitThis : Type::Ref, Class.name());
  }
  MethodDescriptor D(Desc);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    switch (P[0]) {
    case 'J':
      F(Type::Long, "");
      F(Type::High, "");
      break;
    case 'D':
      F(Type::Double, "");
      F(Type::High, "");
      break;
    case 'F':
      F(Type::Float, "");
      break;
    case 'L':
      F(Type::Ref, P.drop_front().drop_back());
      break;
    case '[':
      F(Type::Ref, P);
      break;
    default:
      F(Type::Int, "");
    }
  }
  return true;
}

std::vector<Type> shape::defaultEntry(Body &B) {
  std::vector<Type> Slots;
  walkEntry(B, [&](Type::Kind K, StringRef Name) {
    Slots.push_back(K == Type::Ref ? B.types().ref(Name) : Type(K));
  });
  return Slots;
}

bool shape::hasDefaultEntry(const Body &B) {
  llvm::ArrayRef<Type> Slots = B.initialLocals();
  bool Same = true;
  walkEntry(B, [&](Type::Kind K, StringRef Name) {
    if (Slots.empty() || !Slots.front().is(K) ||
        (K == Type::Ref && B.types().name(Slots.front()) != Name)) {
      Same = false;
      return;
    }
    Slots = Slots.drop_front();
  });
  return Same && Slots.empty();
}
