//===- MethodCode.cpp - Decoded methods -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MethodCode.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::validate;
using llvm::StringRef;
using llvm::Twine;

ClassCode::ClassCode(ClassFile &F, Terms &T, const ShortMethods &Short)
    : F(F), T(T), Short(Short), Names(F.Pool.size()) {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods");
  if (!A)
    return;
  ByteCursor C(A->Data);
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    std::string S = text(C.u2(), 1) + "(";
    for (unsigned Args = C.u2(); Args && !C.failed(); --Args)
      S += text(C.u2(), 1) + ",";
    Bootstraps.push_back(S + ")");
  }
}

std::string ClassCode::text(unsigned Index, unsigned Depth) const {
  const CPEntry &E = F.Pool[Index];
  constexpr unsigned MostDepth = 8;
  if (Depth > MostDepth)
    return "...";
  switch (E.Tag) {
  case CPTag::Utf8:
    return E.text().str();
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::Long:
  case CPTag::Double:
    return (Twine(unsigned(E.Tag)) + "#" + llvm::utohexstr(E.Bits)).str();
  case CPTag::Class:
  case CPTag::Module:
  case CPTag::Package:
  case CPTag::MethodType:
    return F.Pool.name(Index).str();
  case CPTag::String:
    return "\"" + F.Pool.name(Index).str() + "\"";
  case CPTag::MethodHandle:
    return "handle " + std::to_string(E.A) + " " + text(E.B, Depth + 1);
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic: {
    const MemberRef R = F.Pool.member(Index);
    return (R.Name + ":" + R.Descriptor + " by " +
            (E.A < Bootstraps.size() ? Bootstraps[E.A]
                                     : "bootstrap " + std::to_string(E.A)))
        .str();
  }
  default: {
    const MemberRef R = F.Pool.member(Index);
    return (R.Owner + "." + R.Name + ":" + R.Descriptor +
            (R.IsInterface ? " of interface" : ""))
        .str();
  }
  }
}

/// The class or array type that a descriptor names; empty for a primitive one.
static StringRef classIn(StringRef Descriptor) {
  if (Descriptor.starts_with("["))
    return Descriptor;
  if (!Descriptor.consume_front("L"))
    return "";
  return Descriptor.drop_back();
}

const Named &ClassCode::named(unsigned Index) {
  Named &N = Names[Index < Names.size() ? Index : 0];
  if (N.Key || &N == &Names[0])
    return N;
  const CPEntry &E = F.Pool[Index];
  N.Tag = E.Tag;
  N.Bits = E.Bits;
  N.Key = T.key(std::to_string(unsigned(E.Tag)) + " " + text(Index));
  if (E.Tag == CPTag::Class) {
    N.ClassKey = T.key(F.Pool.className(Index));
    return N;
  }
  const MemberRef R = F.Pool.member(Index);
  N.Descriptor = R.Descriptor;
  N.Name = R.Name;
  if (!R.valid())
    return N;
  N.ClassKey = T.key(R.Owner);
  StringRef Result = R.Descriptor;
  if (Result.starts_with("("))
    Result = returnDescriptor(Result);
  if (StringRef Of = classIn(Result); !Of.empty())
    N.ResultKey = T.key(Of);
  if (E.Tag != CPTag::Fieldref)
    return N;
  // Distinct names or types are distinct fields, whatever their owners.
  N.Key = T.key(("field " + R.Owner + "." + R.Name + ":" + R.Descriptor).str());
  if (R.Owner != F.name())
    return N;
  for (const Field &Of : F.Fields)
    if (F.name(Of) == R.Name && F.descriptor(Of) == R.Descriptor) {
      N.IsOwnField = true;
      N.IsVolatile = Of.is(ACC_VOLATILE);
      N.IsFinal = Of.is(ACC_FINAL);
    }
  return N;
}

static void findJoins(MethodCode &C) {
  C.IsJoin.resize(unsigned(C.Insts.size()) + 1);
  std::vector<uint8_t> Ways(C.Insts.size() + 1);
  auto Goes = [&](uint32_t To) {
    if (Ways[To]++)
      C.IsJoin.set(To);
    Ways[To] = 1;
  };
  if (!C.Insts.empty())
    Goes(0);
  for (uint32_t At = 0; At < C.Insts.size(); ++At) {
    const Inst &I = C.Insts[At];
    for (uint32_t To : I.Targets)
      Goes(To);
    if (!getOpcodeInfo(I.Op)->EndsBlock)
      Goes(At + 1);
  }
  for (const Catch &H : C.Catches)
    C.IsJoin.set(H.Target);
}

/// Puts what \p Of does into \p All for the call \p Call. What a method does
/// that is as short as a call is the same whether it stands in the caller.
static void expand(const ClassFile &F, const DecodedInst &Call,
                   const ShortMethod &Of, std::vector<DecodedInst> &All) {
  auto Add = [&](DecodedInst I) {
    I.BCI = Call.BCI;
    All.push_back(I);
  };
  auto Make = [&](Opcode Op) {
    DecodedInst I;
    I.Op = Op;
    Add(I);
  };
  OperandShape Shape;
  operandShape(F.Pool, {Call.Op, Call.Index}, Shape);
  for (size_t N = Shape.Operands.size(); N > Of.NumLoaded; --N) {
    const char Letter = Shape.Operands[N - 1];
    // Fails where an object is null, as the call does.
    if (N == 1 && Call.Op != op::INVOKESTATIC)
      Make(op::ARRAYLENGTH);
    Make(Letter == 'J' || Letter == 'D' ? op::POP2 : op::POP);
  }
  for (const DecodedInst &I : Of.Steps)
    Add(I);
}

llvm::Expected<MethodCode> jopt::validate::decode(ClassCode &Class,
                                                  const Method &M) {
  auto Fail = [&](const Twine &Why) { return makeError(Location(), Why); };
  ClassFile &F = Class.F;
  MethodCode C;
  C.Class = &Class;
  C.M = &M;
  const int At = M.codeAttribute(F.Pool);
  if (At < 0)
    return C;
  CodeView View;
  if (llvm::Error E = parseCode(F, M.Attributes[size_t(At)].Data, View))
    return E;
  C.MaxLocals = View.MaxLocals;
  C.IsStatic = M.is(ACC_STATIC);
  C.Locks = M.is(ACC_SYNCHRONIZED);
  C.IsConstructor = F.name(M) == "<init>";
  C.IsClassInitializer = F.name(M) == "<clinit>";
  C.IsInitialized = C.IsStatic || C.IsConstructor;
  std::vector<uint32_t> Numbers(View.Code.size() + 1, UINT32_MAX);
  std::vector<DecodedInst> All;
  for (uint32_t BCI = 0; BCI < View.Code.size();) {
    DecodedInst I;
    if (!decodeInst(View.Code, BCI, I))
      return Fail("its code is malformed");
    Numbers[BCI] = uint32_t(All.size());
    BCI = I.end();
    if (const ShortMethod *Of =
            I.info().Cat == op::CatInvoke
                ? Class.Short.calledBy(I.Op, I.Index, C.IsInitialized)
                : nullptr)
      expand(F, I, *Of, All);
    else
      All.push_back(I);
  }
  Numbers[View.Code.size()] = uint32_t(All.size());
  bool Wrong = false;
  auto Number = [&](uint32_t BCI) {
    const uint32_t N = BCI < Numbers.size() ? Numbers[BCI] : UINT32_MAX;
    Wrong |= N == UINT32_MAX;
    return N;
  };
  const auto Lines = lineEntries(F, View);
  C.HasLines = !Lines.empty();
  std::vector<uint32_t> LineAt(View.Code.size() + 1);
  for (const LineEntry &L : Lines)
    if (L.Start < LineAt.size())
      LineAt[L.Start] = L.Line;
  uint32_t Line = 0, Filled = 0;
  for (const DecodedInst &I : All) {
    for (; Filled <= I.BCI; ++Filled)
      if (LineAt[Filled])
        Line = LineAt[Filled];
    const OpcodeInfo &Info = I.info();
    Inst To{I.BCI, Info.Canonical, I.Index, I.Value, 0, Line, {}, {}};
    if (Info.PoolTags)
      To.NamedAt = I.Index;
    C.HasSubroutines |= To.Op == op::JSR || To.Op == op::RET;
    C.Locks |= Info.Cat == op::CatMonitor;
    I.forEachTarget([&](int32_t Target) {
      To.Targets.push_back(Number(uint32_t(Target)));
    });
    for (uint32_t N = 0; N < I.NumCases; ++N)
      To.Keys.push_back(I.caseKey(N));
    C.Insts.push_back(std::move(To));
  }
  for (const CodeView::Handler &H : View.Handlers)
    C.Catches.push_back({Number(H.Start), Number(H.End), Number(H.Target),
                         H.CatchType ? Class.named(H.CatchType).ClassKey : 0});
  if (Wrong)
    return Fail("its code goes to places that are no instructions");
  findJoins(C);
  return C;
}

bool jopt::validate::areEqual(const MethodCode &A, const MethodCode &B) {
  if (A.Insts.size() != B.Insts.size() || A.Catches.size() != B.Catches.size())
    return false;
  for (size_t N = 0; N < A.Insts.size(); ++N) {
    const Inst &I = A.Insts[N], &J = B.Insts[N];
    if (I.Op != J.Op ||
        I.Value - int32_t(I.Targets.empty() ? 0 : I.Value) !=
            J.Value - int32_t(J.Targets.empty() ? 0 : J.Value) ||
        I.Targets != J.Targets || I.Keys != J.Keys)
      return false;
    if (I.NamedAt || J.NamedAt) {
      if (A.named(I).Key != B.named(J).Key)
        return false;
    } else if (I.Index != J.Index) {
      return false;
    }
    if (A.HasLines && B.HasLines && I.Line != J.Line)
      return false;
  }
  for (size_t N = 0; N < A.Catches.size(); ++N) {
    const Catch &C = A.Catches[N], &D = B.Catches[N];
    if (C.Start != D.Start || C.End != D.End || C.Target != D.Target ||
        C.ClassKey != D.ClassKey)
      return false;
  }
  return true;
}
