//===- OpcodeSemantics.h - What the letters of effects mean -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How an instruction changes types, as far as opcode, operand and pool entry
/// show it (JVM specification, 6.5): the columns of Opcodes.td in terms of the
/// IR. The lifter, the verifier of the IR, the parser and builders use this,
/// and none knows opcodes by itself. It is not in Bytecode, as it depends on
/// types and on the pool of a ClassFile.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_OPCODESEMANTICS_H
#define JOPT_IR_MODEL_OPCODESEMANTICS_H

#include "jopt/IR/Model/Body.h"
#include <algorithm>
#include <optional>

namespace jopt {

/// \name Letters
/// @{
/// The type that a capital of OpcodeInfo::Effect stands for: Top for A, and for
/// all letters and digits whose type the opcode alone does not say.
constexpr Type typeOfLetter(char C) {
  return C == 'I'   ? Type::Int
         : C == 'J' ? Type::Long
         : C == 'F' ? Type::Float
         : C == 'D' ? Type::Double
         : C == 'N' ? Type::Null
                    : Type::Top;
}
/// I J F D, A for all references, V for Void.
char letterOf(Type T);
/// The same of what a field descriptor, or V, stands for; V where it is empty.
char letterOf(llvm::StringRef Descriptor);
constexpr bool isWideLetter(char C) { return C == 'J' || C == 'D'; }
/// @}

/// \name Moves: dup, swap and pop
/// @{
/// The effect of an opcode that has only digits. Slots count from the top.
struct StackShuffle {
  enum KindTy : uint8_t {
    Copy, ///< Group goes in below Group and Under again
    Swap, ///< Group and Under change places
    Drop, ///< Group goes
  };
  KindTy Kind = Drop;
  uint8_t Group = 0, Under = 0; ///< slots
};
constexpr StackShuffle stackShuffle(const OpcodeInfo &Info) {
  const size_t In = Info.operands().size(), Out = Info.results().size();
  if (Out < In)
    return {StackShuffle::Drop, uint8_t(In), 0};
  if (Out == In)
    return {StackShuffle::Swap, uint8_t(In / 2), uint8_t(In - In / 2)};
  return {StackShuffle::Copy, uint8_t(Out - In), uint8_t(2 * In - Out)};
}

/// Moves the entries of \p Stack, whose top is its back. \p S defines what an
/// entry is: S.entries(Above, Slots) says how many take up Slots slots below
/// the upper Above ones, 0 if none do, as half a long or double never moves
/// alone. S.copied(Entry) and S.dropped(Entry) are called before an entry is
/// copied or dropped. False, and nothing happens, if the stack does not fit.
template <typename Vector, typename Sink>
bool shuffleStack(StackShuffle M, Vector &Stack, Sink &&S) {
  const size_t Group = S.entries(0, M.Group);
  const size_t Under = M.Under && Group ? S.entries(Group, M.Under) : 0;
  if (!Group || (M.Under && !Under))
    return false;
  const size_t First = Stack.size() - Group;
  switch (M.Kind) {
  case StackShuffle::Drop:
    for (size_t I = First; I < Stack.size(); ++I)
      S.dropped(Stack[I]);
    Stack.resize(First);
    break;
  case StackShuffle::Swap:
    std::rotate(Stack.begin() + (First - Under), Stack.begin() + First,
                Stack.end());
    break;
  case StackShuffle::Copy: {
    typename Vector::value_type Copy[2] = {};
    for (size_t I = 0; I < Group; ++I) {
      S.copied(Stack[First + I]);
      Copy[I] = Stack[First + I];
    }
    Stack.insert(Stack.begin() + (First - Under), Copy, Copy + Group);
    break;
  }
  }
  return true;
}
/// @}

/// \name Types
/// @{
/// The type of the constant that ldc and its like load from pool entry
/// \p Index; Void if it is not loadable.
Type constantType(ClassFile &Class, unsigned Index);
/// The array that newarray makes; \p Code is one of its codes.
Type primitiveArray(TypeTable &Types, unsigned Code);
/// An array of \p Element, the name of a class or array.
Type arrayOf(TypeTable &Types, llvm::StringRef Element);
/// The type that aaload gives for \p Array, which may be an array of
/// references; no reference type if it is none.
Type elementOf(TypeTable &Types, Type Array);
/// The class that pool entry \p Index, which names \p Info's operand, is, or
/// whose member it is; Top if it is malformed.
Type namedClass(ClassFile &Class, unsigned Index);
/// The slots on entry by the method's flags and descriptor (4.10.1.6). False if
/// that is malformed.
bool initialLocals(const Body &B, llvm::SmallVectorImpl<Type> &Slots);
/// @}

/// An opcode with what stands behind it.
struct OpcodeUse {
  Opcode Op;
  uint32_t Index = 0;
  int32_t Imm = 0; ///< dimensions
};

/// The operands that opcode and pool entry demand, one letter of I J F D A each
/// (receiver included), and the result's, or V.
struct OperandShape {
  llvm::SmallVector<char, 16> Operands;
  char Result = 'V';
};
/// False if the pool entry is bad. \p U copies no slots.
bool operandShape(const ConstantPool &Pool, const OpcodeUse &U,
                  OperandShape &Shape);

/// The type of the result where it follows from the rest, which must be well
/// formed; nothing for local.get of a reference, new, advice, and where an
/// operand's type does not tell.
std::optional<Type> resultType(Body &B, IROp Kind, Opcode Op, unsigned Index,
                               llvm::ArrayRef<Value *> Ops);

/// invokespecial of a method named <init>.
bool isInitCall(const ConstantPool &Pool, Opcode Op, unsigned Index);

/// The result of \p Op, of two operands, is the same with the operands
/// exchanged: sums, products and logic of int and long. Those of float and
/// double may give another NaN.
bool commutes(Opcode Op);

/// \name Constants
/// @{
/// The value of iconst, bipush and sipush; nothing for other opcodes.
std::optional<int32_t> immediateInt(Opcode Op, int32_t Imm);
/// The shortest opcode for an int; LDC if it needs a pool entry.
Opcode opcodeOfInt(int32_t V);
/// The shortest opcode for the constant in a pool entry: LDC or LDC2_W if it
/// must be loaded from the pool.
Opcode opcodeOfEntry(const CPEntry &E);
/// LDC or LDC2_W.
Opcode loadOpcode(const ConstantPool &Pool, unsigned Index);
/// @}

/// True if the opcode is the one that the kind, the type and the operands
/// imply; for kinds without a choice always.
bool isDefaultOpcode(const Instruction &I, const ConstantPool &Pool);

} // namespace jopt

#endif
