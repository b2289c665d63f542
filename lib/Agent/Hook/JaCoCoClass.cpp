//===- JaCoCoClass.cpp - Classes that JaCoCo covers already ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/JaCoCoClass.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Writer/ClassWriter.h"

using namespace jopt;
using llvm::StringRef;

static constexpr StringRef Init = "$jacocoInit", FrameTable = "StackMapTable";

bool agent::mayHaveJaCoCo(Bytes Data) {
  return jopt::toStringRef(Data).contains(Init);
}

namespace {
/// Where JaCoCo's method has its array on the stack, and no other value.
struct ArrayPlace {
  std::optional<uint16_t> Id;    ///< of the long constant
  std::optional<uint32_t> Jump;  ///< over the making of the array
  std::optional<uint32_t> Place; ///< in front of that instruction
};
} // namespace

/// The place where the array was just made, in front of `dup; putstatic`; where
/// it is not kept, in front of the return.
static ArrayPlace findArray(const ClassFile &F, Bytes Code) {
  ArrayPlace Found;
  std::optional<uint32_t> Dup, Return;
  uint8_t Before = op::NOP;
  uint32_t BeforeAt = 0;
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end()) {
    if (I.Op == op::LDC2_W && F.Pool.has(I.Index, CPTag::Long) && !Found.Id)
      Found.Id = uint16_t(I.Index);
    else if (I.Op == op::IFNONNULL && !Found.Jump)
      Found.Jump = At;
    else if (I.Op == op::PUTSTATIC && Before == op::DUP)
      Dup = BeforeAt;
    else if (I.Op == op::ARETURN)
      Return = At;
    else if (I.info().Branches)
      return {};
    Before = I.Op;
    BeforeAt = At;
  }
  Found.Place = Dup ? Dup : Return;
  return Found;
}

/// The table with one frame, as JaCoCo writes it, \p More bytes further on.
/// Empty if it is another.
static llvm::SmallVector<uint8_t, 0> moveFrame(Bytes Table, uint32_t More) {
  constexpr uint8_t First = 64, Last = 127, Extended = 247;
  ByteCursor In(Table);
  if (In.u2() != 1)
    return {};
  const uint8_t Kind = In.u1();
  uint32_t Offset = Kind - First;
  if (Kind == Extended)
    Offset = In.u2();
  else if (Kind < First || Kind > Last)
    return {};
  if (In.failed())
    return {};
  ByteWriter W;
  W.u2(1);
  W.u1(Extended);
  W.u2(uint16_t(Offset + More));
  W.bytes(Table.drop_front(In.offset()));
  return {W.data().begin(), W.data().end()};
}

/// The payload of the Code attribute with \p Inserted at the place.
static llvm::SmallVector<uint8_t, 0> insert(ClassFile &F, const CodeView &View,
                                            const ArrayPlace &At,
                                            Bytes Inserted) {
  const uint32_t Place = *At.Place;
  llvm::SmallVector<uint8_t, 0> Code(View.Code.begin(),
                                     View.Code.begin() + Place);
  Code.append(Inserted.begin(), Inserted.end());
  Code.append(View.Code.begin() + Place, View.Code.end());
  const Attribute *Table =
      ClassFile::findAttribute(F.Pool, View.Attributes, FrameTable);
  llvm::SmallVector<uint8_t, 0> Moved;
  if (Table)
    Moved.assign(Table->Data.begin(), Table->Data.end());
  if (At.Jump) {
    DecodedInst Jump;
    decodeInst(View.Code, *At.Jump, Jump);
    // What leads to the place itself leads to what is inserted.
    if (uint32_t(Jump.Value) > Place) {
      const auto Offset =
          uint16_t(uint32_t(Jump.Value) - *At.Jump + Inserted.size());
      Code[*At.Jump + 1] = uint8_t(Offset >> 8);
      Code[*At.Jump + 2] = uint8_t(Offset);
      if (Table)
        Moved = moveFrame(Table->Data, uint32_t(Inserted.size()));
      if (Table && Moved.empty())
        return {};
    }
  }
  constexpr uint16_t MostStack = 5; // the array twice, a class and a long
  ByteWriter W;
  W.u2(std::max(View.MaxStack, MostStack));
  W.u2(View.MaxLocals);
  W.u4(uint32_t(Code.size()));
  W.bytes(Code);
  W.u2(0); // handlers
  W.u2(Table ? 1 : 0);
  if (Table) {
    W.u2(F.Pool.addUtf8(FrameTable));
    W.u4(uint32_t(Moved.size()));
    W.bytes(Moved);
  }
  return {W.data().begin(), W.data().end()};
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> agent::adoptJaCoCo(Bytes Data) {
  constexpr unsigned FirstWithClassConstants = 49;
  auto Read = readClass(Data);
  if (!Read)
    return Read.takeError();
  ClassFile &F = **Read;
  auto IsInit = [&](const Method &M) {
    return F.name(M) == Init && F.descriptor(M).ends_with(")[Z") &&
           M.Access & ACC_STATIC;
  };
  auto M = llvm::find_if(F.Methods, IsInit);
  const int Index = M == F.Methods.end() ? -1 : M->codeAttribute(F.Pool);
  if (Index < 0 || F.Major < FirstWithClassConstants)
    return makeError("JaCoCo's agent has it, and it cannot be recorded");
  CodeView View;
  if (llvm::Error E = parseCode(F, M->Attributes[size_t(Index)].Data, View))
    return E;
  const ArrayPlace At = findArray(F, View.Code);
  ByteWriter W;
  W.u1(op::DUP);
  W.u1(op::LDC_W);
  W.u2(F.Pool.addClass(F.name()));
  W.u1(op::LDC2_W);
  W.u2(At.Id.value_or(0));
  W.u1(op::INVOKESTATIC);
  W.u2(F.Pool.addMember(CPTag::Methodref, "jopt/boot/Link", "coverageOfOther",
                        "([ZLjava/lang/Class;J)V"));
  llvm::SmallVector<uint8_t, 0> Payload;
  if (At.Id && At.Place && View.Handlers.empty())
    Payload = insert(F, View, At, W.data());
  if (Payload.empty())
    return makeError("JaCoCo's agent has it, and its method " + Init +
                     " is not as this version of jopt knows it");
  M->Attributes[size_t(Index)].Data = F.save(Payload);
  M->Changed = true;
  F.Changed = true;
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return writeClass(F);
}
