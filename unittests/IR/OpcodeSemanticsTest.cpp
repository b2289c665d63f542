//===- OpcodeSemanticsTest.cpp --------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/OpcodeSemantics.h"
#include "gtest/gtest.h"

using namespace jopt;

namespace {

/// Slots by names; the second of a long or double is '+'.
struct SlotSink {
  std::string &Stack;
  std::string Copied, Dropped;

  size_t entries(size_t Above, size_t Slots) const {
    const size_t N = Above + Slots;
    return Stack.size() >= N && Stack[Stack.size() - N] != '+' ? Slots : 0;
  }
  void copied(char C) { Copied += C; }
  void dropped(char C) { Dropped += C; }
};

/// Values by names; a capital is a long or double.
struct ValueSink {
  std::string &Stack;

  bool isWide(size_t Depth) const {
    return isupper(Stack[Stack.size() - 1 - Depth]);
  }
  size_t entries(size_t Above, size_t Slots) const {
    if (Stack.size() <= Above)
      return 0;
    if (isWide(Above))
      return Slots == 2;
    if (Slots == 1)
      return 1;
    return Stack.size() > Above + 1 && !isWide(Above + 1) ? 2 : 0;
  }
  void copied(char) {}
  void dropped(char) {}
};

/// The values of \p Values as slots.
std::string slots(const std::string &Values) {
  std::string All;
  for (char C : Values) {
    All += C;
    if (isupper(C))
      All += '+';
  }
  return All;
}

/// What the digits of the effect say, read by hand; "-" if the stack does not
/// fit, which half a value would not.
std::string byDigits(const OpcodeInfo &Info, const std::string &Stack) {
  const std::string In = Info.operands().str();
  if (Stack.size() < In.size())
    return "-";
  const std::string Rest = Stack.substr(0, Stack.size() - In.size());
  std::string After = Rest;
  for (char Digit : Info.results())
    After += Stack[Stack.size() - size_t(Digit - '0')];
  // A first half before each second one, and a second behind each first.
  for (const std::string &Part : {Rest, After, Stack.substr(Rest.size())})
    for (size_t I = 0; I < Part.size(); ++I) {
      if (Part[I] == '+' && (!I || !isupper(Part[I - 1])))
        return "-";
      if (isupper(Part[I]) && (I + 1 == Part.size() || Part[I + 1] != '+'))
        return "-";
    }
  return After;
}

} // namespace

// Every stack of up to four values, each of one slot or two: both kinds of
// stacks do what the digits say, or nothing.
TEST(OpcodeSemantics, MovesAreThoseOfTheDigits) {
  unsigned Fits = 0;
  for (const OpcodeInfo &Info : getOpcodeTable()) {
    if (Info.Cat != op::CatStack)
      continue;
    for (unsigned Count = 0; Count <= 4; ++Count)
      for (unsigned Wide = 0; Wide < 1u << Count; ++Wide) {
        std::string Values;
        for (unsigned I = 0; I < Count; ++I)
          Values += char((Wide >> I & 1 ? 'A' : 'a') + I);
        const std::string Before = slots(Values);
        const std::string Want = byDigits(Info, Before);
        std::string Slots = Before;
        SlotSink S{Slots, {}, {}};
        EXPECT_EQ(shuffleStack(stackShuffle(Info), Slots, S), Want != "-")
            << Info.Mnemonic << ' ' << Before;
        EXPECT_EQ(Slots, Want == "-" ? Before : Want) << Info.Mnemonic;
        std::string Moved = Values;
        EXPECT_EQ(shuffleStack(stackShuffle(Info), Moved, ValueSink{Moved}),
                  Want != "-")
            << Info.Mnemonic << ' ' << Before;
        EXPECT_EQ(slots(Moved), Slots) << Info.Mnemonic;
        if (Want == "-")
          continue;
        ++Fits;
        // Each slot that there is once more was copied, each that is gone
        // was dropped.
        EXPECT_EQ(Slots.size(),
                  Before.size() + S.Copied.size() - S.Dropped.size());
      }
  }
  EXPECT_GT(Fits, 100u);
}

TEST(OpcodeSemantics, IntsHaveTheShortestOpcode) {
  EXPECT_EQ(opcodeOfInt(-1), op::ICONST_M1);
  EXPECT_EQ(opcodeOfInt(5), op::ICONST_5);
  EXPECT_EQ(opcodeOfInt(6), op::BIPUSH);
  EXPECT_EQ(opcodeOfInt(-129), op::SIPUSH);
  EXPECT_EQ(opcodeOfInt(32768), op::LDC);
  for (int V : {-1, 0, 5, 6, -128, 127, -32768, 32767})
    EXPECT_EQ(immediateInt(opcodeOfInt(V), V), V);
}
