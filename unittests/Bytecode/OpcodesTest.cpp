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

// llvm-tblgen accepts two records with one encoding, so every one of the 256
// is looked at: row N of the table is opcode N, and nothing is defined above.
TEST(Opcodes, EveryEncodingOnce) {
  std::set<std::string> Mnemonics;
  for (unsigned E = 0; E < 256; ++E) {
    const OpcodeInfo *I = getOpcodeInfo(Opcode(E));
    if (E > 0xc9) {
      EXPECT_EQ(I, nullptr) << E;
      continue;
    }
    ASSERT_NE(I, nullptr) << E;
    EXPECT_EQ(I->Encoding, E);
    EXPECT_TRUE(Mnemonics.insert(I->Mnemonic).second) << I->Mnemonic;
    EXPECT_EQ(findOpcode(I->Mnemonic), Opcode(E));
  }
  EXPECT_EQ(Mnemonics.size(), 202u);
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
