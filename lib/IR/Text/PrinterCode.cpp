//===- PrinterCode.cpp - Code blocks as text ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPrinter.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Model/OpcodeSemantics.h"

using namespace jopt;

BodyNames::BodyNames(const Body &B)
    : Blocks(B.numBlocks(), None), Values(B.numValues(), None),
      Sites(B.NewSites.size(), None) {
  unsigned NextBlock = 0, NextValue = 0, NextSite = 0;
  for (const Block &Blk : B.blocks()) {
    Blocks[Blk.id()] = NextBlock++;
    for (const Parameter *P : Blk.parameters())
      Values[P->id()] = NextValue++;
    for (const Instruction &I : Blk.instructions()) {
      if (!I.type().isVoid())
        Values[I.id()] = NextValue++;
      if (I.op() != irop::New || !I.type().is(Type::Uninit))
        continue;
      unsigned Site = I.type().payload();
      if (Site < Sites.size() && Sites[Site] == None)
        Sites[Site] = NextSite++;
    }
  }
  for (unsigned &S : Sites)
    if (S == None)
      S = NextSite++;
}

void BodyPrinter::block(const Block *Target) {
  unsigned N = Names.block(Target);
  if (N != BodyNames::None)
    OS << 'b' << N;
  else
    OS << "?b";
}

void BodyPrinter::value(const Value *V) {
  unsigned N = Names.value(V);
  if (N != BodyNames::None)
    OS << '%' << N;
  else
    OS << "?%";
}

void BodyPrinter::values(llvm::ArrayRef<Value *> Vs) {
  OS << '(';
  const char *Separator = "";
  for (const Value *V : Vs) {
    OS << Separator;
    value(V);
    Separator = ", ";
  }
  OS << ')';
}

void BodyPrinter::type(Type T) {
  switch (T.kind()) {
  case Type::Top:
    OS << "top";
    return;
  case Type::Int:
    OS << "int";
    return;
  case Type::Float:
    OS << "float";
    return;
  case Type::Long:
    OS << "long";
    return;
  case Type::Double:
    OS << "double";
    return;
  case Type::Null:
    OS << "null";
    return;
  case Type::UninitThis:
    OS << "uninitThis";
    return;
  case Type::Ref:
    W.name(Types.name(T));
    return;
  case Type::Uninit:
    OS << "uninit(" << Names.site(T.payload()) << ')';
    return;
  case Type::Join: {
    const char *Separator = "join(";
    for (Type P : Types.parts(T)) {
      OS << Separator;
      W.name(Types.name(P));
      Separator = ", ";
    }
    OS << ')';
    return;
  }
  case Type::RetAddr:
    OS << "?retaddr";
    return;
  case Type::Void:
    OS << "void";
    return;
  case Type::High:
    OS << "high";
    return;
  }
}

/// Types of slots. The High behind a long or double goes without saying;
/// `nohigh` says that it is not there.
void BodyPrinter::slots(llvm::ArrayRef<Type> Ts) {
  OS << '[';
  for (size_t I = 0; I < Ts.size(); ++I) {
    if (I)
      OS << ", ";
    type(Ts[I]);
    if (!Ts[I].isCategory2())
      continue;
    if (I + 1 < Ts.size() && Ts[I + 1].is(Type::High))
      ++I;
    else
      OS << " nohigh";
  }
  OS << ']';
}

void BodyPrinter::constant(const Instruction &I) {
  std::optional<int32_t> Value = immediateInt(I.opcode(), I.imm());
  if (Value) {
    const auto Own = int32_t(fixedUp(uint32_t(*Value), /*IsInt=*/true));
    if (opcodeOfInt(*Value) == I.opcode())
      OS << "int " << Own;
    else
      OS << getMnemonic(I.opcode()) << ' ' << *Value;
    return;
  }
  switch (I.opcode()) {
  case op::ACONST_NULL:
    OS << "null";
    return;
  case op::LCONST_0:
  case op::LCONST_1:
    OS << "long " << I.opcode() - op::LCONST_0;
    return;
  case op::FCONST_0:
  case op::FCONST_1:
  case op::FCONST_2:
    OS << "float " << I.opcode() - op::FCONST_0;
    return;
  case op::DCONST_0:
  case op::DCONST_1:
    OS << "double " << I.opcode() - op::DCONST_0;
    return;
  default:
    break;
  }
  const CPEntry &E = B.pool()[I.index()];
  Opcode Shortest = opcodeOfEntry(E);
  if (Shortest != op::LDC && Shortest != op::LDC2_W)
    OS << "ldc ";
  W.entry(fixedUp(I.index(), /*IsInt=*/false), LoadableTags);
}

/// ` boolean [0: byte, 2: char]`: the value's, and those of operands.
void BodyPrinter::narrowTypes(NarrowTypes Of) {
  if (llvm::StringRef Name = narrowTypeName(Of.value()); !Name.empty())
    OS << ' ' << Name;
  const char *Separator = " [";
  for (unsigned N = 0; N < NarrowTypes::NumOperands; ++N)
    if (llvm::StringRef Name = narrowTypeName(Of.operand(N)); !Name.empty()) {
      OS << Separator << N << ": " << Name;
      Separator = ", ";
    }
  if (*Separator == ',')
    OS << ']';
}

void BodyPrinter::operands(const Instruction &I) {
  switch (I.op()) {
  case irop::Const:
    return constant(I);
  case irop::LocalGet:
  case irop::LocalSet:
    OS << I.index();
    break;
  case irop::LocalInc:
    OS << I.index() << ", " << I.imm();
    break;
  case irop::FieldAccess:
  case irop::Invoke:
  case irop::New:
  case irop::ClassOp:
    W.entry(I.index(), I.opcodeInfo().PoolTags);
    break;
  case irop::NewArray: {
    llvm::StringRef Name = arrayTypeName(I.index());
    if (Name.empty())
      OS << I.index();
    else
      OS << Name;
    break;
  }
  case irop::MultiNewArray:
    W.entry(I.index(), tagBit(CPTag::Class));
    OS << ", " << I.imm();
    break;
  case irop::Anchor:
    if (I.index() < NumEncodings && getOpcodeInfo(Opcode(I.index())))
      OS << getMnemonic(Opcode(I.index()));
    else
      OS << I.index();
    break;
  case irop::Advice:
    OS << '#' << I.index();
    narrowTypes(NarrowTypes(I.imm()));
    break;
  default:
    break;
  }
  bool Immediate = getInstructionInfo(I.op()).Imm != irop::ImmNone &&
                   getInstructionInfo(I.op()).Imm != irop::ImmSwitch;
  if (I.operands().empty() && I.op() != irop::Invoke)
    return;
  if (Immediate)
    OS << ' ';
  values(I.operands());
}

void BodyPrinter::successors(const Instruction &I) {
  llvm::ArrayRef<Block *> Succs = I.successors();
  bool Switch = I.op() == irop::TableSwitch || I.op() == irop::LookupSwitch;
  if (!Switch) {
    const char *Separator = " ";
    for (const Block *S : Succs) {
      OS << Separator;
      block(S);
      Separator = ", ";
    }
    return;
  }
  OS << " [";
  for (size_t N = 0; N < Succs.size(); ++N) {
    if (!N)
      OS << "default: ";
    else
      OS << ", " << (I.keys().data() ? I.keys()[N - 1] : 0) << ": ";
    block(Succs[N]);
  }
  OS << ']';
}

void BodyPrinter::instruction(const Instruction &I) {
  if (!I.type().isVoid()) {
    value(&I);
    OS << ':';
    type(I.type());
    if (I.keep())
      OS << " keep";
    if (I.popped() != (I.bci() < 0))
      OS << (I.popped() ? " popped" : " unpopped");
    OS << " = ";
  }
  const InstructionInfo &Info = I.info();
  bool OwnKeyword = *Info.Keyword;
  OS << (OwnKeyword ? llvm::StringRef(Info.Keyword) : getMnemonic(I.opcode()));
  if (!I.operands().empty() || Info.Imm != irop::ImmNone ||
      I.op() == irop::Invoke)
    OS << ' ';
  operands(I);
  if (I.op() == irop::Raw)
    rawHeader(I.raw());
  if (I.isTerminator()) {
    successors(I);
    if (I.block() && !I.block()->exitValues().empty()) {
      OS << " with ";
      values(I.block()->exitValues());
    }
  }
  bool Local = I.op() == irop::LocalGet || I.op() == irop::LocalSet;
  if (I.longForm())
    OS << (Local && I.imm() ? " wide" : " longform");
  if (I.floating())
    OS << " floating";
  if (I.isInit() != isInitCall(B.pool(), I.opcode(), I.index()))
    OS << (I.isInit() ? " init" : " noinit");
  if (OwnKeyword && !isDefaultOpcode(I, B.pool()) && getOpcodeInfo(I.opcode()))
    OS << " opcode " << getMnemonic(I.opcode());
  if (I.advice() >= 0)
    OS << " by #" << I.advice();
  else if (I.advice() == Instruction::OfPass)
    OS << " by pass";
  if (I.bci() >= 0)
    OS << " @" << I.bci();
}

void BodyPrinter::header(const Block &Blk, unsigned Indent) {
  OS.indent(Indent);
  block(&Blk);
  const char *Separator = "(";
  for (const Parameter *P : Blk.parameters()) {
    OS << Separator;
    value(P);
    OS << ':';
    type(P->type());
    if (P->keep())
      OS << " keep";
    if (P->popped())
      OS << " popped";
    Separator = ", ";
  }
  if (!Blk.parameters().empty())
    OS << ')';
  if (Blk.bci() >= 0)
    OS << " @" << Blk.bci();
  if (Blk.isHandler())
    OS << " handler";
  if (Blk.hasFrame()) {
    OS << " frame ";
    slots(Blk.locals());
  }
  Separator = " throws t";
  forEachTry(Blk.throwEdges(), [&](const TryEntry *T) {
    OS << Separator << T->Priority;
    Separator = ", t";
  });
  OS << ":\n";
}

void BodyPrinter::wholeBlock(const Block &Blk, unsigned Indent) {
  header(Blk, Indent);
  for (const Instruction &I : Blk.instructions()) {
    OS.indent(Indent + 2);
    instruction(I);
    if (I.op() == irop::Raw)
      rawCode(I.raw(), Indent + 2);
    OS << '\n';
  }
}

void BodyPrinter::entryLocals() {
  llvm::SmallVector<Type, 16> Implied;
  initialLocals(B, Implied);
  if (B.initialLocals() == llvm::ArrayRef<Type>(Implied))
    return;
  OS << "entry ";
  slots(B.initialLocals());
  OS << ' ';
}

void BodyPrinter::tryEntry(const TryEntry &T, unsigned Indent) {
  OS.indent(Indent) << "try t" << T.Priority << " -> ";
  block(T.Handler);
  OS << " catch ";
  if (T.CatchType)
    W.entry(T.CatchType, tagBit(CPTag::Class));
  else
    OS << "any";
  OS << '\n';
}

void BodyPrinter::print(unsigned Indent) {
  OS << "slots " << B.numSlots() << ' ';
  if (B.Patch)
    patchHead(*B.Patch);
  if (B.HasAnchors)
    OS << "anchors ";
  if (B.Inferred)
    OS << "inferred ";
  if (B.Inlined)
    OS << "inlined ";
  if (!B.Patch &&
      (B.OriginalMaxStack || B.OriginalMaxLocals || B.OriginalCodeLength))
    OS << "original (" << B.OriginalMaxStack << ", " << B.OriginalMaxLocals
       << ", " << B.OriginalCodeLength << ") ";
  if (!B.Patch)
    entryLocals();
  OS << "{\n";
  if (B.Patch)
    original(*B.Patch, Indent + 2);
  for (const Body::PinnedLocal &S : B.PinnedLocals) {
    OS.indent(Indent + 2) << "everywhere " << S.Slot << ": ";
    type(S.Ty);
    if (!S.Purpose.empty())
      OS << ' ' << S.Purpose;
    if (S.Number)
      OS << " #" << *S.Number;
    OS << '\n';
  }
  if (B.Patch)
    patch(*B.Patch, Indent + 2);
  for (const TryEntry *T : B.tries())
    tryEntry(*T, Indent + 2);
  for (const Block &Blk : B.blocks())
    wholeBlock(Blk, Indent);
  for (const Attribute &A : B.Attributes)
    W.attribute(A, InCode, Indent + 2);
  OS.indent(Indent) << "}\n";
}
