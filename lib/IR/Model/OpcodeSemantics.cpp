//===- OpcodeSemantics.cpp - What the letters of effects mean -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/IR/Model/MethodFlags.h"
#include <algorithm>

using namespace jopt;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

char jopt::letterOf(Type T) {
  switch (T.kind()) {
  case Type::Int:
    return 'I';
  case Type::Long:
    return 'J';
  case Type::Float:
    return 'F';
  case Type::Double:
    return 'D';
  case Type::Void:
    return 'V';
  default:
    return 'A';
  }
}

char jopt::letterOf(StringRef Descriptor) {
  switch (char C = Descriptor.empty() ? 'V' : Descriptor[0]) {
  case 'J':
  case 'F':
  case 'D':
  case 'V':
    return C;
  case 'L':
  case '[':
    return 'A';
  default:
    return 'I';
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type jopt::constantType(ClassFile &Class, unsigned Index) {
  const CPEntry &E = Class.Pool[Index];
  switch (E.Tag) {
  case CPTag::Integer:
    return Type::Int;
  case CPTag::Float:
    return Type::Float;
  case CPTag::Long:
    return Type::Long;
  case CPTag::Double:
    return Type::Double;
  case CPTag::String:
    return Class.Types.ref("java/lang/String");
  case CPTag::Class:
    return Class.Types.ref("java/lang/Class");
  case CPTag::MethodHandle:
    return Class.Types.ref("java/lang/invoke/MethodHandle");
  case CPTag::MethodType:
    return Class.Types.ref("java/lang/invoke/MethodType");
  case CPTag::Dynamic:
    return Class.fieldType(E.B);
  default:
    return Type::Void;
  }
}

Type jopt::primitiveArray(TypeTable &Types, unsigned Code) {
  return Types.ref(arrayTypeDescriptor(Code));
}

Type jopt::arrayOf(TypeTable &Types, StringRef Element) {
  return Types.ref(
      (Element.starts_with("[") ? "[" + Element : "[L" + Element + ";").str());
}

Type jopt::elementOf(TypeTable &Types, Type Array) {
  if (Array.is(Type::Null))
    return Type::Null;
  if (Types.isArray(Array))
    return Types.elementType(Array);
  if (!Array.is(Type::Join))
    return Type::Top;
  // The merge of the parts' elements.
  Type Ty = Type::Null;
  std::vector<Type> Parts = Types.parts(Array).vec();
  for (Type P : Parts)
    Ty = Types.isArray(P) ? Types.merge(Ty, Types.elementType(P))
                          : Type(Type::Top);
  return Ty;
}

Type jopt::namedClass(ClassFile &Class, unsigned Index) {
  const CPEntry &E = Class.Pool[Index];
  return Class.classType(E.Tag == CPTag::Class ? Index : E.A);
}

bool jopt::initialLocals(const Body &B, llvm::SmallVectorImpl<Type> &Slots) {
  ClassFile &Class = B.classFile();
  const Method &M = B.method();
  if (!isStatic(Class, M))
    Slots.push_back(Class.name(M) == "<init>" &&
                            Class.name() != "java/lang/Object"
                        ? Type(Type::UninitThis)
                        : Class.classType(Class.ThisIndex));
  MethodDescriptor D(Class.descriptor(M));
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Slots.push_back(B.types().fromDescriptor(P));
    if (Slots.back().isCategory2())
      Slots.push_back(Type::High);
  }
  return D.valid();
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// The type of a field or Dynamic, or the return type of a method.
static StringRef valueDescriptor(const ConstantPool &Pool, unsigned Index) {
  StringRef D = Pool.member(Index).Descriptor;
  return D.starts_with("(") ? returnDescriptor(D) : D;
}

/// The letter of a constant in the pool.
static char constantLetter(const ConstantPool &Pool, unsigned Index) {
  switch (Pool[Index].Tag) {
  case CPTag::Integer:
    return 'I';
  case CPTag::Float:
    return 'F';
  case CPTag::Long:
    return 'J';
  case CPTag::Double:
    return 'D';
  case CPTag::Dynamic:
    return letterOf(valueDescriptor(Pool, Index));
  default:
    return 'A';
  }
}

/// The result that \p Letter of an effect stands for.
static char resultLetter(const ConstantPool &Pool, unsigned Index,
                         char Letter) {
  switch (Letter) {
  case 0:
    return 'V';
  case 'I':
  case 'J':
  case 'F':
  case 'D':
    return Letter;
  case 'v':
  case 'm':
    return letterOf(valueDescriptor(Pool, Index));
  case 'k':
  case 'w':
    return constantLetter(Pool, Index);
  default:
    return 'A';
  }
}

bool jopt::operandShape(const ConstantPool &Pool, const OpcodeUse &U,
                        OperandShape &Shape) {
  const OpcodeInfo &Info = *getOpcodeInfo(U.Op);
  const char Result = Info.result();
  if (Info.PoolTags &&
      getPoolTagInfo(Pool[U.Index].Tag).B == tagBit(CPTag::NameAndType)) {
    StringRef D = Pool.member(U.Index).Descriptor;
    if (Info.takes('m') ? !isMethodDescriptor(D) : !isFieldDescriptor(D))
      return false;
  }
  for (char Letter : Info.operands())
    switch (Letter) {
    case 'm': {
      MethodDescriptor D(Pool.member(U.Index).Descriptor);
      for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
        Shape.Operands.push_back(letterOf(P));
      break;
    }
    case 'n':
      Shape.Operands.append(size_t(std::clamp(U.Imm, 0, 255)), 'I');
      break;
    default:
      Shape.Operands.push_back(resultLetter(Pool, U.Index, Letter));
    }
  Shape.Result = resultLetter(Pool, U.Index, Result);
  return true;
}

static bool isSound(const TypeTable &Types, Type T) {
  return !T.is(Type::Ref) || !Types.isArray(T) ||
         isFieldDescriptor(Types.name(T));
}

std::optional<Type> jopt::resultType(Body &B, IROp Kind, Opcode Op,
                                     unsigned Index,
                                     llvm::ArrayRef<Value *> Ops) {
  if (Kind == irop::New || Kind == irop::Advice || Kind == irop::RawValue)
    return std::nullopt;
  TypeTable &Types = B.types();
  ClassFile &Class = B.classFile();
  auto Unless = [](Type Bad, Type T) {
    return T == Bad ? std::nullopt : std::optional<Type>(T);
  };
  const Value *First = Ops.empty() ? nullptr : Ops[0];
  const OpcodeInfo *Info = getOpcodeInfo(Op);
  switch (const char Letter = Info ? Info->result() : 0) {
  case 0:
    return Type(Type::Void);
  case 'm':
    if (isInitCall(B.pool(), Op, Index)) {
      // The initialised object: of the class that `new` or `this` says.
      if (!First)
        return std::nullopt;
      return First->type().is(Type::UninitThis) ? Types.ref(Class.name())
                                                : namedClass(Class, Index);
    }
    [[fallthrough]];
  case 'v': {
    StringRef D = valueDescriptor(B.pool(), Index);
    if (D != "V" && !isFieldDescriptor(D))
      return std::nullopt;
    return Types.fromDescriptor(D);
  }
  case 'k':
  case 'w':
    return Unless(Type::Void, constantType(Class, Index));
  case 'c':
    return Unless(Type::Top, namedClass(Class, Index));
  case 'a':
    if (namedClass(Class, Index).is(Type::Top))
      return std::nullopt;
    return arrayOf(Types, B.pool().className(Index));
  case 'p':
    if (arrayTypeName(Index).empty())
      return std::nullopt;
    return primitiveArray(Types, Index);
  case 'e':
    if (!First || !isSound(Types, First->type()))
      return std::nullopt;
    return Unless(Type::Top, elementOf(Types, First->type()));
  default:
    return Unless(Type::Top, typeOfLetter(Letter));
  }
}

bool jopt::isInitCall(const ConstantPool &Pool, Opcode Op, unsigned Index) {
  return Op == op::INVOKESPECIAL && Pool.member(Index).Name == "<init>";
}

bool jopt::commutes(Opcode Op) {
  switch (Op) {
  case op::IADD:
  case op::LADD:
  case op::IMUL:
  case op::LMUL:
  case op::IAND:
  case op::LAND:
  case op::IOR:
  case op::LOR:
  case op::IXOR:
  case op::LXOR:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

std::optional<int32_t> jopt::immediateInt(Opcode Op, int32_t Imm) {
  if (Op >= op::ICONST_M1 && Op <= op::ICONST_5)
    return Op - op::ICONST_0;
  if (Op == op::BIPUSH || Op == op::SIPUSH)
    return Imm;
  return std::nullopt;
}

Opcode jopt::opcodeOfInt(int32_t V) {
  if (V >= -1 && V <= 5)
    return Opcode(op::ICONST_0 + V);
  if (V == int8_t(V))
    return op::BIPUSH;
  if (V == int16_t(V))
    return op::SIPUSH;
  return op::LDC;
}

Opcode jopt::opcodeOfEntry(const CPEntry &E) {
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

Opcode jopt::loadOpcode(const ConstantPool &Pool, unsigned Index) {
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

bool jopt::isDefaultOpcode(const Instruction &I, const ConstantPool &Pool) {
  switch (I.op()) {
  case irop::Const:
    return !I.opcodeInfo().PoolTags ||
           I.opcode() == loadOpcode(Pool, I.index());
  case irop::LocalGet:
    return I.opcode() == opcodeFor(op::ILOAD, I.type());
  case irop::LocalSet:
    return !I.operands().empty() && I.operand(0) &&
           I.opcode() == opcodeFor(op::ISTORE, I.operand(0)->type());
  case irop::LocalInc:
    return I.opcode() == op::IINC;
  default:
    return true;
  }
}
