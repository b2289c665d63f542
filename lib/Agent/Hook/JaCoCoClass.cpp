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

static constexpr StringRef Init = "$jacocoInit";

bool agent::mayHaveJaCoCo(Bytes Data) {
  const StringRef Text = jopt::toStringRef(Data);
  return Text.contains("$jacoco") || Text.contains("$JaCoCo");
}

/// How JaCoCo asks for an array: what gives it is below an Object[] with the
/// id, the name and the number of probes, and puts the array in its place.
static constexpr Opcode Request[] = {op::DUP_X1, op::INVOKEVIRTUAL,
                                     op::POP,    op::ICONST_0,
                                     op::AALOAD, op::CHECKCAST};
static constexpr uint32_t RequestLength = 10;

/// Whether \p Code asks for an array at \p At.
static bool isRequest(const ClassFile &F, Bytes Code, uint32_t At) {
  for (const Opcode Op : Request) {
    DecodedInst I;
    if (!decodeInst(Code, At, I) || I.Op != Op)
      return false;
    if (Op == op::INVOKEVIRTUAL && F.Pool.member(I.Index).Name != "equals")
      return false;
    if (Op == op::CHECKCAST && F.Pool.className(I.Index) != "[Z")
      return false;
    At = I.end();
  }
  return true;
}

/// Has Link ask instead, in as many bytes. \returns whether \p M asks.
static bool replaceRequest(ClassFile &F, Method &M) {
  constexpr size_t CodeAt = 8; // behind the sizes
  const int Index = M.codeAttribute(F.Pool);
  CodeView View;
  if (Index < 0)
    return false;
  Attribute &A = M.Attributes[size_t(Index)];
  if (llvm::Error E = parseCode(F, A.Data, View)) {
    llvm::consumeError(std::move(E));
    return false;
  }
  uint32_t At = 0;
  for (DecodedInst I; !isRequest(F, View.Code, At); At = I.end())
    if (!decodeInst(View.Code, At, I))
      return false;
  ByteWriter W;
  W.bytes(A.Data.take_front(CodeAt + At));
  W.u1(op::LDC_W);
  W.u2(F.Pool.addClass(F.name()));
  W.u1(op::INVOKESTATIC);
  W.u2(F.Pool.addMember(
      CPTag::Methodref, "jopt/boot/Link", "coverageOfOther",
      "(Ljava/lang/Object;[Ljava/lang/Object;Ljava/lang/Class;)[Z"));
  for (uint32_t N = 6; N < RequestLength; ++N)
    W.u1(op::NOP);
  W.bytes(A.Data.drop_front(CodeAt + At + RequestLength));
  A.Data = F.save(W.data());
  M.Changed = true;
  F.Changed = true;
  return true;
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> agent::adoptJaCoCo(Bytes Data) {
  constexpr unsigned FirstWithClassConstants = 49;
  auto Read = readClass(Data);
  if (!Read)
    return Read.takeError();
  ClassFile &F = **Read;
  bool HasInit = false, IsReplaced = false;
  for (Method &M : F.Methods) {
    const StringRef Name = F.name(M);
    HasInit |= Name == Init;
    // An interface without methods of its own asks in its initialiser.
    if ((Name == Init || Name == "<clinit>") &&
        F.Major >= FirstWithClassConstants)
      IsReplaced |= replaceRequest(F, M);
  }
  if (!IsReplaced && HasInit)
    return makeError("JaCoCo has covered it, in a way that this version of "
                     "jopt does not know");
  if (!IsReplaced)
    return llvm::SmallVector<uint8_t, 0>();
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return writeClass(F);
}
