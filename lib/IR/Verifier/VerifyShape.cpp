//===- VerifyShape.cpp - Operands fit the opcodes -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Text/TextWriter.h"
#include "VerifierImpl.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include <algorithm>

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

bool jopt::operandShape(const Body &B, const Instruction &I,
                        OperandShape &Shape) {
  switch (I.op()) {
  case irop::Drop:
    // Any value, but exactly one.
    Shape.Operands.assign(1, I.operands().size() == 1 && I.operand(0)
                                 ? letterOf(I.operand(0)->type())
                                 : 'A');
    return true;
  case irop::Advice:
    for (const Value *V : I.operands())
      Shape.Operands.push_back(letterOf(V->type()));
    Shape.Result = letterOf(I.type());
    return true;
  case irop::Raw:
    for (const Value *V : I.operands())
      Shape.Operands.push_back(letterOf(V->type()));
    return true;
  case irop::RawValue:
    Shape.Result = letterOf(I.type());
    return true;
  case irop::FallThrough:
  case irop::Anchor:
    return true;
  default:
    if (!operandShape(B.pool(), {I.opcode(), I.index(), I.imm()}, Shape))
      return false;
    if (I.isInit())
      Shape.Result = 'A';
    return true;
  }
}

namespace {

class ShapeVerifier {
public:
  ShapeVerifier(const Body &B, Findings &F) : B(B), F(F), Pool(B.pool()) {}

  void run();

private:
  void instruction(const Instruction &I);
  bool opcode(const Instruction &I);
  bool poolEntry(const Instruction &I);
  void immediates(const Instruction &I);
  void slot(const Instruction &I);
  void calls(const Instruction &I);
  void operands(const Instruction &I);
  void raw(const Instruction &I);

  const Body &B;
  Findings &F;
  const ConstantPool &Pool;
};

bool ShapeVerifier::opcode(const Instruction &I) {
  switch (I.op()) {
  case irop::Drop:
  case irop::Advice:
  case irop::Anchor:
  case irop::FallThrough:
  case irop::Raw:
  case irop::RawValue:
    return true;
  default:
    break;
  }
  std::optional<IROp> Kind = getIROp(I.opcode());
  const OpcodeInfo *Info = getOpcodeInfo(I.opcode());
  if (!Info || !Kind || *Kind != I.op() || Info->Canonical != I.opcode()) {
    F.add(IRRule::OpcodeKind, I,
          "the opcode " + Twine(Info ? Info->Mnemonic : "?") +
              " is not of this kind, or not its general form");
    return false;
  }
  if (B.classFile().Major < Info->Since || B.classFile().Major > Info->Until)
    F.add(IRRule::OpcodeVersion, I,
          Twine(Info->Mnemonic) + " does not exist in version " +
              Twine(B.classFile().Major));
  return true;
}

bool ShapeVerifier::poolEntry(const Instruction &I) {
  const OpcodeInfo &Info = I.opcodeInfo();
  if (Info.PoolTags && (!Info.mayName(Pool[I.index()].Tag) ||
                        !PoolSymbols::wellFormed(Pool, I.index()))) {
    F.add(IRRule::PoolEntry, I,
          "entry #" + Twine(I.index()) +
              " is not of a right kind, or malformed");
    return false;
  }
  return true;
}

static unsigned arrayDimensions(StringRef Name) {
  return unsigned(Name.size() - Name.ltrim('[').size());
}

void ShapeVerifier::immediates(const Instruction &I) {
  auto Check = [&](int64_t V, int64_t Min, int64_t Max, const char *What) {
    if (V < Min || V > Max)
      F.add(IRRule::Immediate, I,
            Twine(What) + " " + Twine(V) + " is not in " + Twine(Min) + " to " +
                Twine(Max));
  };
  switch (I.op()) {
  case irop::Const:
    if (I.opcode() == op::BIPUSH)
      Check(I.imm(), -128, 127, "constant");
    else if (I.opcode() == op::SIPUSH)
      Check(I.imm(), -32768, 32767, "constant");
    else if (!isDefaultOpcode(I, Pool))
      F.add(IRRule::Immediate, I,
            "the constant needs the other of ldc and "
            "ldc2_w");
    return;
  case irop::LocalInc:
    Check(I.imm(), -32768, 32767, "increment");
    return;
  case irop::NewArray:
    Check(I.index(), FirstArrayType, LastArrayType, "array type");
    return;
  case irop::Advice:
    for (uint32_t Codes = uint32_t(I.imm()); Codes; Codes >>= 4)
      if (Codes & 15 && narrowTypeName(Codes & 15).empty())
        F.add(IRRule::Immediate, I, "no type that is narrower than int");
    return;
  case irop::MultiNewArray: {
    unsigned Dimensions = arrayDimensions(Pool.className(I.index()));
    Check(I.imm(), 1, 255, "number of dimensions");
    if (I.imm() > int64_t(Dimensions))
      F.add(IRRule::Immediate, I, "more dimensions than the array type has");
    return;
  }
  case irop::New:
    if (Pool.className(I.index()).starts_with("["))
      F.add(IRRule::Immediate, I, "new of an array class");
    return;
  case irop::ClassOp:
    if (I.opcode() == op::ANEWARRAY &&
        arrayDimensions(Pool.className(I.index())) > 254)
      F.add(IRRule::Immediate, I, "an array of more than 255 dimensions");
    return;
  default:
    return;
  }
}

void ShapeVerifier::slot(const Instruction &I) {
  unsigned Width = 1;
  if (I.op() == irop::LocalGet)
    Width = typeOfLetter(I.opcodeInfo().result()).slots();
  else if (I.op() == irop::LocalSet)
    Width = typeOfLetter(I.opcodeInfo().operands()[0]).slots();
  else if (I.op() != irop::LocalInc)
    return;
  if (uint64_t(I.index()) + Width > B.numSlots())
    F.add(IRRule::SlotRange, I,
          "slot " + Twine(I.index()) + ", but the method has " +
              Twine(B.numSlots()));
}

void ShapeVerifier::calls(const Instruction &I) {
  if (I.op() != irop::Invoke)
    return;
  StringRef Name = Pool.member(I.index()).Name;
  bool Init = Name == "<init>";
  if (Name.starts_with("<") && !Init)
    F.add(IRRule::InitCall, I, "a call of " + Name);
  if (Init && I.opcode() != op::INVOKESPECIAL)
    F.add(IRRule::InitCall, I, "<init> is not called by invokespecial");
  else if (Init != I.isInit())
    F.add(IRRule::InitCall, I,
          Init ? "a call of <init> that is not marked as such"
               : "marked as a call of <init>, but it is none");
  if (Init && returnDescriptor(Pool.member(I.index()).Descriptor) != "V")
    F.add(IRRule::InitCall, I, "<init> returns no value");
}

static const char *letterName(char C) {
  switch (C) {
  case 'I':
    return "int";
  case 'J':
    return "long";
  case 'F':
    return "float";
  case 'D':
    return "double";
  case 'V':
    return "nothing";
  default:
    return "a reference";
  }
}

void ShapeVerifier::operands(const Instruction &I) {
  OperandShape Shape;
  if (!operandShape(B, I, Shape)) {
    F.add(IRRule::PoolEntry, I,
          "entry #" + Twine(I.index()) + " has a malformed descriptor");
    return;
  }
  if (I.operands().size() != Shape.Operands.size()) {
    F.add(IRRule::OperandCount, I,
          Twine(I.operands().size()) + " operands instead of " +
              Twine(Shape.Operands.size()));
    return;
  }
  for (size_t N = 0; N < Shape.Operands.size(); ++N)
    if (isWideLetter(letterOf(I.operand(unsigned(N))->type())) !=
        isWideLetter(Shape.Operands[N]))
      F.add(IRRule::OperandSize, I,
            "operand " + Twine(N) + " is " +
                letterName(letterOf(I.operand(unsigned(N))->type())) +
                " instead of " + letterName(Shape.Operands[N]));
  if (letterOf(I.type()) != Shape.Result)
    F.add(IRRule::Result, I,
          Twine("the result is ") + letterName(letterOf(I.type())) +
              " instead of " + letterName(Shape.Result));
  else if (I.type().is(Type::Top) || I.type().is(Type::High) ||
           I.type().is(Type::RetAddr))
    F.add(IRRule::Result, I, "the result has no type of a value");
  if (I.op() != irop::Return)
    return;
  StringRef D = B.classFile().descriptor(B.method());
  char Want = letterOf(returnDescriptor(D));
  char Have = Shape.Operands.empty() ? 'V' : Shape.Operands[0];
  if (Want != Have)
    F.add(IRRule::ReturnKind, I,
          Twine("returns ") + letterName(Have) + ", but the descriptor says " +
              letterName(Want));
}

void ShapeVerifier::raw(const Instruction &I) {
  if (I.op() == irop::Raw)
    verifyRaw(B, I, F);
  if (I.op() != irop::RawValue)
    return;
  auto At = I.getIterator();
  IROp Before =
      At == I.block()->instructions().begin() ? irop::Nop : std::prev(At)->op();
  if (Before != irop::Raw && Before != irop::RawValue)
    F.add(IRRule::RawCode, I, "it is not behind raw code");
}

void ShapeVerifier::instruction(const Instruction &I) {
  if (!opcode(I) || !poolEntry(I))
    return;
  immediates(I);
  slot(I);
  calls(I);
  operands(I);
  raw(I);
}

void ShapeVerifier::run() {
  for (const TryEntry *T : B.tries())
    if (T->CatchType && (!Pool.has(T->CatchType, CPTag::Class) ||
                         !PoolSymbols::wellFormed(Pool, T->CatchType)))
      F.add(IRRule::PoolEntry, *T->Handler,
            "try t" + Twine(T->Priority) + " catches entry #" +
                Twine(T->CatchType) + ", which is no Class");
  for (const Block &Blk : B.blocks())
    for (const Instruction &I : Blk.instructions())
      instruction(I);
}

} // namespace

void jopt::verifyShape(const Body &B, Findings &F) {
  ShapeVerifier(B, F).run();
}
