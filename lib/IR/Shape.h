//===- Shape.h - What opcodes imply -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts that follow from an instruction's opcode, pool entry and operands. The
/// printer leaves out what follows, the parser puts it back, the verifier
/// compares.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_SHAPE_H
#define JOPT_LIB_IR_SHAPE_H

#include "jopt/IR/Body.h"
#include <optional>

namespace jopt::shape {

/// The value of iconst, bipush and sipush; nothing for other opcodes.
std::optional<int32_t> immediateInt(Opcode Op, int32_t Imm);
/// The shortest opcode for an int; LDC if it needs a pool entry.
Opcode opcodeOfInt(int32_t V);
/// The shortest opcode for the constant in a pool entry: LDC or LDC2_W if it
/// must be loaded from the pool.
Opcode opcodeOfEntry(const CPEntry &E);
/// LDC or LDC2_W.
Opcode loadOpcode(const ConstantPool &Pool, unsigned Index);

/// The kinds of pool entries that an instruction may name, as a set of bits.
uint32_t poolTags(IROp Kind, Opcode Op);

/// "boolean" ... "long" for the codes 4 to 11 of newarray, empty otherwise.
llvm::StringRef arrayTypeName(unsigned Code);
/// Likewise, but of types narrower than int only.
llvm::StringRef narrowTypeName(int32_t Code);
/// The descriptor of the array ("[I"), empty if \p Code is undefined.
llvm::StringRef arrayTypeDescriptor(unsigned Code);

/// invokespecial of a method named <init>.
bool isInitCall(const ConstantPool &Pool, Opcode Op, unsigned Index);

/// iload ... aload or istore ... astore for a value of type \p T.
Opcode localOpcode(IROp Kind, Type T);

/// True if the opcode is the one that the kind, the type and the operands
/// imply; for kinds without an opcode always.
bool isDefaultOpcode(const Instruction &I, const ConstantPool &Pool);

/// The type of the result where it follows from the rest, which must be well
/// formed; nothing for local.get of a reference, new, advice, and where an
/// operand's type does not tell.
std::optional<Type> resultType(Body &B, IROp Kind, Opcode Op, unsigned Index,
                               llvm::ArrayRef<Value *> Ops);

/// The slots on entry by the method's flags and descriptor; empty if that is
/// malformed.
std::vector<Type> defaultEntry(Body &B);
bool hasDefaultEntry(const Body &B);

} // namespace jopt::shape

#endif
