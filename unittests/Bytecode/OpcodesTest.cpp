//===- OpcodesTest.cpp ----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Decoder.h"
#include "gtest/gtest.h"
#include <set>

using namespace jopt;

// llvm-tblgen accepts two records with one encoding, so every row is looked up
// by its own. Chapter 6 of the specification has 202 instructions, without
// gaps.
TEST(Opcodes, EveryEncodingOnce) {
  std::set<std::string> Mnemonics;
  for (const OpcodeInfo &Row : getOpcodeTable()) {
    const OpcodeInfo *I = getOpcodeInfo(Row.Encoding);
    ASSERT_NE(I, nullptr) << Row.Mnemonic;
    EXPECT_STREQ(I->Mnemonic, Row.Mnemonic);
    EXPECT_TRUE(Mnemonics.insert(I->Mnemonic).second) << I->Mnemonic;
    EXPECT_EQ(findOpcode(I->Mnemonic), Row.Encoding);
  }
  for (unsigned E = 0; E < 202; ++E)
    EXPECT_NE(getOpcodeInfo(Opcode(E)), nullptr) << E;
  EXPECT_EQ(getOpcodeInfo(0xfe), nullptr);
  EXPECT_EQ(getMnemonic(0xfe), "?");
}

// The columns say one thing in two ways: a pool index has a format and kinds of
// entries, and effects are made of the letters that the table defines.
TEST(Opcodes, ColumnsAgree) {
  for (const OpcodeInfo &I : getOpcodeTable()) {
    bool Pool = I.Fmt == op::FmtCP1 || I.Fmt == op::FmtCP2 ||
                I.Fmt == op::FmtInvokeInterface ||
                I.Fmt == op::FmtInvokeDynamic || I.Fmt == op::FmtMultiANewArray;
    EXPECT_EQ(Pool, I.PoolTags != 0) << I.Mnemonic;
    EXPECT_LE(I.Length ? I.IndexBytes + 1 : 0, I.Length) << I.Mnemonic;
    EXPECT_EQ(llvm::StringRef(I.Effect).count('>'), 1u) << I.Mnemonic;
    EXPECT_EQ(I.operands().find_first_not_of("IJFDAvmcn4321"),
              llvm::StringRef::npos)
        << I.Mnemonic;
    EXPECT_EQ(I.results().find_first_not_of("IJFDANRvkwmcapeu4321"),
              llvm::StringRef::npos)
        << I.Mnemonic;
    // Whoever takes or gives what an entry says names one that says it.
    for (char C : llvm::StringRef(I.Effect))
      EXPECT_TRUE(I.PoolTags || !llvm::StringRef("vkwmca").contains(C))
          << I.Mnemonic;
    EXPECT_EQ(*I.Elements != 0, I.Cat == op::CatArray) << I.Mnemonic;
    EXPECT_EQ(getOpcodeInfo(I.Canonical)->Canonical, I.Canonical);
  }
}

TEST(Opcodes, ArrayTypes) {
  EXPECT_EQ(arrayTypeName(3), "");
  EXPECT_EQ(arrayTypeName(4), "boolean");
  EXPECT_EQ(arrayTypeDescriptor(11), "[J");
  EXPECT_EQ(arrayTypeName(12), "");
  EXPECT_EQ(narrowTypeName(9), "short");
  EXPECT_EQ(narrowTypeName(10), "");
  EXPECT_EQ(narrowTypeName(0), "");
  for (unsigned Code = FirstArrayType; Code <= LastArrayType; ++Code)
    EXPECT_EQ(narrowTypeCode(arrayTypeDescriptor(Code).drop_front()),
              narrowTypeName(Code).empty() ? 0u : Code);
  EXPECT_EQ(narrowTypeCode("Ljava/lang/String;"), 0u);
}

TEST(Opcodes, ShortFormsNameTheirGeneralForm) {
  const OpcodeInfo *I = getOpcodeInfo(op::DSTORE_3);
  EXPECT_EQ(I->Canonical, op::DSTORE);
  EXPECT_EQ(I->Slot, 3);
  EXPECT_EQ(getOpcodeInfo(op::IADD)->Canonical, op::IADD);
}

TEST(Decoder, LengthsOfEveryFormat) {
  auto Length = [](std::vector<uint8_t> Code) {
    DecodedInst I;
    return decodeInst(Code, 0, I) ? int(I.Length) : -1;
  };
  EXPECT_EQ(Length({op::NOP}), 1);
  EXPECT_EQ(Length({op::BIPUSH, 0}), 2);
  EXPECT_EQ(Length({op::BIPUSH}), -1);
  EXPECT_EQ(Length({op::INVOKEINTERFACE, 0, 1, 1, 0}), 5);
  EXPECT_EQ(Length({op::WIDE, op::ILOAD, 1, 0}), 4);
  EXPECT_EQ(Length({op::WIDE, op::IINC, 1, 0, 0, 1}), 6);
  EXPECT_EQ(Length({op::WIDE, op::IADD, 1, 0}), -1);
  EXPECT_EQ(Length({0xca}), -1);
  EXPECT_EQ(Length({op::WIDE, 0xca, 1, 0}), -1);
  EXPECT_EQ(Length({op::TABLESWITCH,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    9,
                    0,
                    0,
                    0,
                    1,
                    0,
                    0,
                    0,
                    2,
                    0,
                    0,
                    0,
                    7,
                    0,
                    0,
                    0,
                    8}),
            24);
  // high < low, and a count that would run past the end.
  EXPECT_EQ(
      Length({op::TABLESWITCH, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0}),
      -1);
  EXPECT_EQ(
      Length({op::LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 9, 0x7f, 0xff, 0xff, 0xff}),
      -1);
}

TEST(Decoder, SwitchCases) {
  std::vector<uint8_t> Code = {op::NOP, op::LOOKUPSWITCH,
                               0,       0,
                               0,       0,
                               0,       20,
                               0,       0,
                               0,       1,
                               0xff,    0xff,
                               0xff,    0xff,
                               0,       0,
                               0,       30};
  DecodedInst I;
  ASSERT_TRUE(decodeInst(Code, 1, I));
  EXPECT_EQ(I.Value, 21);
  ASSERT_EQ(I.NumCases, 1u);
  EXPECT_EQ(I.caseKey(0), -1);
  EXPECT_EQ(I.caseTarget(0), 31);
}
