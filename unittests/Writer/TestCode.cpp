//===- TestCode.cpp - Methods from mnemonics ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include "ScheduleCheck.h"
#include "Scheduler.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;
using llvm::StringRef;

static void add(std::vector<uint8_t> &V, uint32_t N, unsigned Bytes) {
  while (Bytes--)
    V.push_back(uint8_t(N >> 8 * Bytes));
}

TestCode::TestCode(StringRef Descriptor, bool Static, unsigned Major)
    : M((Class.Methods.emplace_back(), Class.Methods.back())) {
  Class.Major = uint16_t(Major);
  Class.ThisIndex = Class.Pool.addClass("T");
  Class.SuperIndex = Class.Pool.addClass("java/lang/Object");
  M.Access = Static ? ACC_STATIC : 0;
  M.NameIndex = Class.Pool.addUtf8("m");
  M.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
}

uint16_t TestCode::member(StringRef NameAndDescriptor) {
  auto [Name, Descriptor] = NameAndDescriptor.split(':');
  CPTag Tag = Descriptor.starts_with("(") ? CPTag::Methodref : CPTag::Fieldref;
  if (Name.consume_front("#"))
    Tag = CPTag::InterfaceMethodref;
  return Class.Pool.addMember(Tag, "T", Name, Descriptor);
}

unsigned TestCode::label(StringRef Name) const {
  for (const auto &[L, At] : Labels)
    if (L == Name)
      return At;
  ADD_FAILURE() << "no label " << Name.str();
  return 0;
}

TestCode &TestCode::code(StringRef Text) {
  struct Fixup {
    size_t At, From;
    unsigned Width;
    std::string To;
  };
  std::vector<Fixup> Fixups;
  std::vector<uint8_t> &C = Assembled;
  auto Branch = [&](StringRef To, size_t From, unsigned Width) {
    Fixups.push_back({C.size(), From, Width, To.str()});
    add(C, 0, Width);
  };
  llvm::SmallVector<StringRef, 32> Parts;
  Text.split(Parts, "; ");
  for (StringRef Part : Parts) {
    Part = Part.trim();
    while (Part.contains(": ") || Part.ends_with(":")) {
      auto [L, Rest] = Part.split(':');
      Labels.emplace_back(L.trim().str(), C.size());
      Part = Rest.trim();
    }
    if (Part.empty())
      continue;
    llvm::SmallVector<StringRef, 4> Words;
    Part.split(Words, ' ', -1, false);
    bool Wide = Words[0] == "wide";
    if (Wide) {
      Words.erase(Words.begin());
      C.push_back(op::WIDE);
    }
    auto Op = findOpcode(Words[0]);
    if (!Op) {
      ADD_FAILURE() << "no instruction " << Words[0].str();
      continue;
    }
    size_t From = C.size();
    C.push_back(*Op);
    auto Number = [&](unsigned I) {
      int N = 0;
      if (I < Words.size())
        Words[I].getAsInteger(0, N);
      return uint32_t(N);
    };
    auto Member = [&] { return member(Words[1]); };
    switch (getOpcodeInfo(*Op)->Fmt) {
    case op::FmtS1:
    case op::FmtNewArray:
      add(C, Number(1), 1);
      break;
    case op::FmtS2:
      add(C, Number(1), 2);
      break;
    case op::FmtLocal:
      add(C, Number(1), Wide ? 2 : 1);
      break;
    case op::FmtIinc:
      add(C, Number(1), Wide ? 2 : 1);
      add(C, Number(2), Wide ? 2 : 1);
      break;
    case op::FmtCP1:
      add(C, Class.Pool.addInteger(int(Number(1))), 1);
      break;
    case op::FmtCP2:
      if (*Op == op::LDC2_W)
        add(C, Class.Pool.addLong(int(Number(1))), 2);
      else if (*Op == op::LDC_W)
        add(C, Class.Pool.addInteger(int(Number(1))), 2);
      else if (Words[1].contains(':'))
        add(C, Member(), 2);
      else
        add(C, Class.Pool.addClass(Words[1]), 2);
      break;
    case op::FmtInvokeInterface:
      add(C, Member(), 2);
      add(C, parameterSlots(Words[1].split(':').second) + 1, 1);
      C.push_back(0);
      break;
    case op::FmtMultiANewArray:
      add(C, Class.Pool.addClass(Words[1]), 2);
      add(C, Number(2), 1);
      break;
    case op::FmtBranch2:
      Branch(Words[1], From, 2);
      break;
    case op::FmtBranch4:
      Branch(Words[1], From, 4);
      break;
    case op::FmtTableSwitch:
    case op::FmtLookupSwitch: {
      while (C.size() & 3)
        C.push_back(0);
      Branch(Words.back(), From, 4);
      bool Table = *Op == op::TABLESWITCH;
      auto Key = [](StringRef Word) {
        int K = 0;
        Word.split('=').first.getAsInteger(0, K);
        return uint32_t(K);
      };
      if (Table) {
        add(C, Key(Words[1]), 4);
        add(C, Key(Words[Words.size() - 2]), 4);
      } else {
        add(C, uint32_t(Words.size() - 2), 4);
      }
      for (size_t I = 1; I + 1 < Words.size(); ++I) {
        if (!Table)
          add(C, Key(Words[I]), 4);
        Branch(Words[I].split('=').second, From, 4);
      }
      break;
    }
    default:
      break;
    }
  }
  for (const Fixup &X : Fixups) {
    uint32_t Distance = label(X.To) - uint32_t(X.From);
    for (unsigned B = 0; B < X.Width; ++B)
      C[X.At + B] = uint8_t(Distance >> 8 * (X.Width - 1 - B));
  }
  return *this;
}

TestCode &TestCode::handler(StringRef From, StringRef To, StringRef Target,
                            StringRef Type) {
  Rows.push_back({From.str(), To.str(), Target.str(), Type.str()});
  return *this;
}

TestCode &TestCode::attribute(StringRef Name, std::vector<uint8_t> Data) {
  Extra.emplace_back(Name.str(), std::move(Data));
  return *this;
}

void TestCode::assemble() {
  std::vector<uint8_t> P;
  add(P, MaxStack, 2);
  add(P, MaxLocals, 2);
  add(P, uint32_t(Assembled.size()), 4);
  P.insert(P.end(), Assembled.begin(), Assembled.end());
  add(P, uint32_t(Rows.size()), 2);
  for (const Row &R : Rows) {
    add(P, label(R.From), 2);
    add(P, R.To.empty() ? uint32_t(Assembled.size()) : label(R.To), 2);
    add(P, label(R.Target), 2);
    add(P, R.Type.empty() ? 0 : Class.Pool.addClass(R.Type), 2);
  }
  add(P, uint32_t(Extra.size()), 2);
  for (const auto &[Name, Data] : Extra) {
    add(P, Class.Pool.addUtf8(Name), 2);
    add(P, uint32_t(Data.size()), 4);
    P.insert(P.end(), Data.begin(), Data.end());
  }
  M.Attributes.push_back({Class.Pool.addUtf8("Code"), Class.save(P)});
}

bool TestCode::liftPatched(CodePatch &S) {
  assemble();
  return jopt::liftPatched(Class, M, S);
}

Body &TestCode::lift(const LiftOptions &O) {
  assemble();
  if (llvm::Error E = liftMethod(Class, M, O)) {
    ADD_FAILURE() << toString(std::move(E));
    return empty(0);
  }
  return *M.IR;
}

Body &TestCode::empty(unsigned Slots) {
  M.IR = std::make_unique<Body>(Class, M);
  M.IR->setNumSlots(Slots);
  return *M.IR;
}

CodeView TestCode::view() {
  CodeView V;
  Bytes Payload = M.Attributes[M.codeAttribute(Class.Pool)].Data;
  if (llvm::Error E = parseCode(Class, Payload, V))
    ADD_FAILURE() << toString(std::move(E));
  return V;
}

std::string TestCode::lower() {
  Scheduler S;
  if (llvm::Error E = S.run(*M.IR))
    return "error: " + toString(std::move(E));
  EXPECT_EQ("", checkSchedule(S.result(), *M.IR));
  if (llvm::Error E = lowerMethod(Class, M))
    return "error: " + toString(std::move(E));
  EXPECT_TRUE(M.Changed);
  EXPECT_FALSE(M.IR);
  CodeView V = view();
  std::string Result;
  DecodedInst I;
  for (uint32_t At = 0; At < V.Code.size(); At = I.end()) {
    if (!decodeInst(V.Code, At, I)) {
      ADD_FAILURE() << "bad code at " << At;
      break;
    }
    if (!Result.empty())
      Result += "; ";
    if (I.Wide)
      Result += "wide ";
    Result += getMnemonic(I.Op);
    switch (I.info().Fmt) {
    case op::FmtS1:
    case op::FmtS2:
      Result += " " + std::to_string(I.Value);
      break;
    case op::FmtLocal:
      Result += " " + std::to_string(I.Index);
      break;
    case op::FmtIinc:
      Result += " " + std::to_string(I.Index) + " " + std::to_string(I.Value);
      break;
    default:
      break;
    }
  }
  return Result;
}

Bytes TestCode::attributeData(StringRef Name) {
  CodeView V = view();
  const Attribute *A = ClassFile::findAttribute(Class.Pool, V.Attributes, Name);
  return A ? A->Data : Bytes();
}

std::string TestCode::frames() {
  ByteCursor C(attributeData("StackMapTable"));
  std::string Result;
  auto Type = [&] {
    static const char *const Names[] = {"top",  "int",  "float",     "double",
                                        "long", "null", "uninitThis"};
    uint8_t Tag = C.u1();
    if (Tag < 7)
      return std::string(Names[Tag]);
    uint16_t Index = C.u2();
    if (Tag == 7)
      return Class.Pool.className(Index).str();
    return "uninit " + std::to_string(Index);
  };
  auto List = [&](unsigned N) {
    std::string L = "[";
    while (N--)
      L += Type() + (N ? " " : "");
    return L + "]";
  };
  unsigned Offset = ~0u;
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    unsigned Tag = C.u1();
    unsigned Delta = Tag < 64 ? Tag : Tag < 128 ? Tag - 64 : C.u2();
    Offset += Delta + 1;
    Result += std::to_string(Offset) + ":";
    if (Tag < 64)
      Result += "same";
    else if (Tag < 128)
      Result += "same1" + List(1);
    else if (Tag == 247)
      Result += "same1ext" + List(1);
    else if (Tag < 251)
      Result += "chop" + std::to_string(251 - Tag);
    else if (Tag == 251)
      Result += "sameext";
    else if (Tag < 255)
      Result += "append" + List(Tag - 251);
    else {
      Result += "full" + List(C.u2());
      Result += List(C.u2());
    }
    Result += "\n";
  }
  EXPECT_FALSE(C.failed());
  EXPECT_TRUE(C.atEnd());
  return Result;
}

std::string jopt::test::relower(StringRef Descriptor, StringRef Code) {
  TestCode T(Descriptor);
  T.code(Code).lift();
  return T.lower();
}
