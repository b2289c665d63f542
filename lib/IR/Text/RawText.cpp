//===- RawText.cpp - Raw code as text and from text -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A raw instruction is written as what its bytes are, an instruction a line
/// with its own mnemonic, so that the same bytes come back:
///
///   raw (%0) stack 2 stores [1: int] @4 {
///     getfield A.n:I
///     iconst_1
///     iadd
///     istore_1
///   }
///
/// Bytes that instructions cannot express exactly are written as `hex`.
///
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "BodyPrinter.h"
#include "jopt/Bytecode/Encoder.h"

using namespace jopt;
using llvm::StringRef;

/// Puts in what the text leaves out: the third operand byte of invokeinterface
/// follows from the descriptor.
static void setImplied(DecodedInst &I, const ConstantPool &Pool) {
  if (I.info().Fmt == op::FmtInvokeDynamic)
    I.Value = 0;
  if (I.info().Fmt != op::FmtInvokeInterface)
    return;
  StringRef D = Pool.member(I.Index).Descriptor;
  I.Value = isMethodDescriptor(D) ? int32_t(1 + parameterSlots(D)) : 0;
}

/// Where a branch may lead.
static constexpr int32_t MaxTarget = 65535;

/// A constant of the wrong size is text too.
static uint32_t poolTags(Opcode Op) {
  const uint32_t Tags = getOpcodeInfo(Op)->PoolTags;
  return Tags & LoadableTags & ~tagBit(CPTag::Class) ? LoadableTags : Tags;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void BodyPrinter::rawHeader(const RawCode &Raw) {
  OS << " stack " << Raw.MaxStack;
  const char *Separator = " stores [";
  for (const RawCode::Store &S : Raw.Stores) {
    OS << Separator << S.Slot << ": ";
    type(S.Ty);
    Separator = ", ";
  }
  if (!Raw.Stores.empty())
    OS << ']';
}

void BodyPrinter::rawInstruction(const DecodedInst &I) {
  OS << (I.Wide ? "wide " : "") << getMnemonic(I.Op);
  switch (I.info().Fmt) {
  case op::FmtS1:
  case op::FmtS2:
    OS << ' ' << I.Value;
    break;
  case op::FmtCP1:
  case op::FmtCP2:
  case op::FmtInvokeInterface:
  case op::FmtInvokeDynamic:
    OS << ' ';
    W.entry(I.Index, poolTags(I.Op));
    break;
  case op::FmtMultiANewArray:
    OS << ' ';
    W.entry(I.Index, poolTags(I.Op));
    OS << ", " << I.Value;
    break;
  case op::FmtLocal:
    OS << ' ' << I.Index;
    break;
  case op::FmtIinc:
    OS << ' ' << I.Index << ", " << I.Value;
    break;
  case op::FmtNewArray:
    OS << ' ' << arrayTypeName(I.Index);
    break;
  case op::FmtBranch2:
  case op::FmtBranch4: // within the code
    OS << " @" << I.Value;
    break;
  case op::FmtTableSwitch:
  case op::FmtLookupSwitch:
    OS << " [default: @" << I.Value;
    for (uint32_t C = 0; C < I.NumCases; ++C)
      OS << ", " << I.caseKey(C) << ": @" << I.caseTarget(C);
    OS << ']';
    break;
  case op::FmtNone:
  case op::FmtWide:
  case op::FmtUndefined:
    break;
  }
}

/// \p I, which has no implied operands, is text that gives the bytes \p Code.
static bool isText(const DecodedInst &I, Bytes Code) {
  if (I.info().Branches) {
    const bool InCode = I.Value >= 0 && I.Value <= MaxTarget;
    if (!I.Table)
      return InCode;
    bool Are = InCode;
    for (uint32_t C = 0; C < I.NumCases; ++C)
      Are &= I.caseTarget(C) >= 0 && I.caseTarget(C) <= MaxTarget;
    // The padding is zero.
    for (uint32_t At = 1; (I.BCI + At) & 3; ++At)
      Are &= !Code[At];
    return Are;
  }
  llvm::SmallVector<uint8_t, 8> Again;
  return encodeInst(I, Again) && Code.equals(Again) &&
         (I.Op != op::NEWARRAY || !arrayTypeName(I.Index).empty());
}

void BodyPrinter::rawInstructions(Bytes All, unsigned Indent, bool Numbered) {
  for (uint32_t At = 0; At < All.size();) {
    OS.indent(Indent);
    if (Numbered)
      OS << '@' << At << ' ';
    DecodedInst I;
    bool Known = decodeInst(All, At, I);
    Bytes Code = Known ? All.slice(At, I.Length) : All.drop_front(At);
    At += uint32_t(Code.size());
    if (Known) {
      DecodedInst Text = I;
      setImplied(Text, B.pool());
      Known = isText(Text, Code);
    }
    if (Known) {
      rawInstruction(I);
    } else {
      OS << "hex ";
      W.hex(Code);
    }
    OS << '\n';
  }
}

void BodyPrinter::rawCode(const RawCode &Raw, unsigned Indent) {
  OS << " {\n";
  rawInstructions(Raw.Code, Indent + 2, /*Numbered=*/false);
  OS.indent(Indent) << '}';
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool BodyParser::rawStores(llvm::SmallVectorImpl<RawCode::Store> &Stores) {
  if (!S.expect('['))
    return false;
  while (!S.eat(']')) {
    RawCode::Store Store;
    if ((!Stores.empty() && !S.expect(',')) ||
        !S.unsignedInteger(Store.Slot, 65535) || !S.expect(':') ||
        !type(Store.Ty))
      return false;
    Stores.push_back(Store);
  }
  return true;
}

bool BodyParser::rawOperands(DecodedInst &I) {
  uint16_t Entry = 0;
  int64_t V = 0;
  switch (I.info().Fmt) {
  case op::FmtNone:
    return true;
  case op::FmtS1:
  case op::FmtS2:
    if (!S.integer(V, I.info().Fmt == op::FmtS1 ? INT8_MIN : INT16_MIN,
                   I.info().Fmt == op::FmtS1 ? INT8_MAX : INT16_MAX))
      return false;
    I.Value = int32_t(V);
    return true;
  case op::FmtCP1:
  case op::FmtCP2:
  case op::FmtInvokeInterface:
  case op::FmtInvokeDynamic:
  case op::FmtMultiANewArray:
    S.space();
    if (const char *At = S.position(); !R.entry(Entry, poolTags(I.Op)))
      return false;
    else if (I.info().Fmt == op::FmtCP1 && Entry > 255)
      return S.failAt(At, "the entry has an index over 255");
    I.Index = Entry;
    if (I.info().Fmt == op::FmtMultiANewArray &&
        (!S.expect(',') || !S.integer(V, 0, 255)))
      return false;
    I.Value = int32_t(V);
    setImplied(I, B.pool());
    return true;
  case op::FmtLocal:
    return S.unsignedInteger(I.Index, I.Wide ? 65535 : 255);
  case op::FmtIinc:
    if (!S.unsignedInteger(I.Index, I.Wide ? 65535 : 255) || !S.expect(',') ||
        !S.integer(V, I.Wide ? INT16_MIN : INT8_MIN,
                   I.Wide ? INT16_MAX : INT8_MAX))
      return false;
    I.Value = int32_t(V);
    return true;
  case op::FmtNewArray:
    return arrayType(I.Index);
  case op::FmtBranch2:
  case op::FmtBranch4:
  case op::FmtTableSwitch:
  case op::FmtLookupSwitch:
  case op::FmtWide:
  case op::FmtUndefined:
    break;
  }
  return S.fail("this is no instruction of its own");
}

/// A branch to another place of \p Code, to whose end it goes.
bool BodyParser::rawBranch(DecodedInst &I,
                           llvm::SmallVectorImpl<uint8_t> &Code) {
  S.space();
  const char *At = S.position();
  unsigned Target;
  if (!place(Target))
    return false;
  const auto Distance = int32_t(Target) - int32_t(Code.size());
  const bool Long = I.info().Fmt == op::FmtBranch4;
  if (!Long && Distance != int16_t(Distance))
    return S.failAt(At, "the branch would reach too far");
  ByteWriter W;
  W.u1(I.Op);
  if (Long)
    W.u4(uint32_t(Distance));
  else
    W.u2(uint16_t(Distance));
  Code.append(W.data().begin(), W.data().end());
  return true;
}

bool BodyParser::rawSwitch(Opcode Op, llvm::SmallVectorImpl<uint8_t> &Code) {
  const auto At = int32_t(Code.size());
  unsigned Target;
  if (!S.expect('[') || !S.expectWord("default") || !S.expect(':') ||
      !place(Target))
    return false;
  ByteWriter Table;
  const int32_t Default = int32_t(Target) - At;
  int64_t First = 0, Key = 0;
  uint32_t Count = 0;
  const bool Dense = Op == op::TABLESWITCH;
  for (; !S.eat(']'); ++Count) {
    const int64_t Before = Key;
    if (!S.expect(',') || !S.integer(Key, INT32_MIN, INT32_MAX) ||
        !S.expect(':') || !place(Target))
      return false;
    if (Dense && Count && Key != Before + 1)
      return S.fail("the keys of a tableswitch are one behind the other");
    if (Table.size() > size_t(MaxTarget))
      return S.fail("more than 65535 bytes of code");
    First = Count ? First : Key;
    if (!Dense)
      Table.u4(uint32_t(Key));
    Table.u4(uint32_t(int32_t(Target) - At));
  }
  if (Dense && !Count)
    return S.fail("a tableswitch has a case");
  Code.push_back(Op);
  while (Code.size() & 3)
    Code.push_back(0);
  ByteWriter W;
  W.u4(uint32_t(Default));
  W.u4(Dense ? uint32_t(First) : Count);
  if (Dense)
    W.u4(uint32_t(Key));
  W.bytes(Table.data());
  Code.append(W.data().begin(), W.data().end());
  return true;
}

bool BodyParser::rawInstruction(llvm::SmallVectorImpl<uint8_t> &Code,
                                bool MayBranch) {
  S.space();
  const char *At = S.position();
  if (S.eatWord("hex")) {
    ByteWriter W;
    if (!R.hex(W))
      return false;
    Code.append(W.data().begin(), W.data().end());
    return true;
  }
  DecodedInst I;
  I.Wide = S.eatWord("wide");
  std::optional<Opcode> Op = findOpcode(S.identifier());
  if (!Op)
    return S.failAt(At, "expected an instruction, 'hex' or '}'");
  I.Op = *Op;
  op::FormatEnum Fmt = I.info().Fmt;
  if (I.Wide && Fmt != op::FmtLocal && Fmt != op::FmtIinc)
    return S.failAt(At, "the instruction has no wide form");
  if (I.info().Branches && !MayBranch)
    return S.fail("a branch is never raw");
  if (Fmt == op::FmtTableSwitch || Fmt == op::FmtLookupSwitch)
    return rawSwitch(I.Op, Code);
  if (Fmt == op::FmtBranch2 || Fmt == op::FmtBranch4)
    return rawBranch(I, Code);
  return rawOperands(I) && encodeInst(I, Code);
}

bool BodyParser::raw() {
  if (!begin(D.Start))
    return false;
  RawCode Raw = {};
  unsigned N;
  if (S.peek() == '(' && !valueList(D.Operands))
    return false;
  if (!S.expectWord("stack") || !S.unsignedInteger(N, 65535))
    return false;
  Raw.MaxStack = N;
  llvm::SmallVector<RawCode::Store, 8> Stores;
  if (S.eatWord("stores") && !rawStores(Stores))
    return false;
  if (!S.expect('@') || !S.unsignedInteger(N, 65535) || !S.expect('{'))
    return false;
  Raw.BCI = N;
  llvm::SmallVector<uint8_t, 64> Code;
  while (!S.eat('}')) {
    if (!rawInstruction(Code, /*MayBranch=*/false))
      return false;
    if (Raw.BCI + Code.size() > 65535)
      return S.fail("more than 65535 bytes of code");
  }
  Raw.Code = B.copy(Bytes(Code));
  Raw.Stores = B.copy(llvm::ArrayRef<RawCode::Store>(Stores));
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Raw.Code, At, I); At = I.end()) {
    Raw.MayThrow |= I.info().MayThrow;
    Raw.HasMonitors |= I.info().Cat == op::CatMonitor;
  }
  append(B.createRaw(Raw, lookUp(D.Operands)), D);
  return true;
}
