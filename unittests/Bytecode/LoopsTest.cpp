//===- LoopsTest.cpp ------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Loops.h"
#include "jopt/Bytecode/Opcodes.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::op;

/// The bytecode indices of \p Code that are in a loop.
static std::vector<uint32_t> loops(std::vector<uint8_t> Code) {
  std::vector<uint32_t> Found;
  for (uint32_t At = 0; At < Code.size(); ++At)
    if (isInLoop(Code, At))
      Found.push_back(At);
  return Found;
}

TEST(LoopsTest, Straight) {
  EXPECT_TRUE(loops({ICONST_0, POP, RETURN}).empty());
  EXPECT_FALSE(isInLoop({}, 0));
  std::vector<uint8_t> One = {RETURN};
  EXPECT_FALSE(isInLoop(One, 7));
}

TEST(LoopsTest, BackwardJump) {
  // 0 nop; 1 iconst_0; 2 ifeq 1; 5 return
  EXPECT_EQ(loops({NOP, ICONST_0, IFEQ, 0xff, 0xff, RETURN}),
            (std::vector<uint32_t>{1, 2}));
}

TEST(LoopsTest, WayOutOfALoop) {
  // 0 iconst_0; 1 ifeq 6; 4 nop; 5 return; 6 goto 0
  EXPECT_EQ(loops({ICONST_0, IFEQ, 0, 5, NOP, RETURN, GOTO, 0xff, 0xfa}),
            (std::vector<uint32_t>{0, 1, 6}));
}

TEST(LoopsTest, Switch) {
  // 0 iconst_0; 1 tableswitch 0: 0, default: 20; 20 return
  std::vector<uint8_t> Code = {ICONST_0, TABLESWITCH, 0,    0,    // padding
                               0,        0,           0,    19,   // default
                               0,        0,           0,    0,    // low
                               0,        0,           0,    0,    // high
                               0xff,     0xff,        0xff, 0xff, // case 0
                               RETURN};
  EXPECT_EQ(loops(Code), (std::vector<uint32_t>{0, 1}));
}

TEST(LoopsTest, HandlerThatJumpsBack) {
  // 0 nop; 1 return; 2 pop (a handler); 3 goto 0
  EXPECT_EQ(loops({NOP, RETURN, POP, GOTO, 0xff, 0xfd}),
            (std::vector<uint32_t>{0, 1, 2, 3}));
  // One that does not.
  EXPECT_TRUE(loops({NOP, RETURN, POP, RETURN}).empty());
}

TEST(LoopsTest, Subroutine) {
  // 0 jsr 6; 3 goto 0; 6 astore_1; 7 ret 1
  EXPECT_EQ(loops({JSR, 0, 6, GOTO, 0xff, 0xfd, ASTORE_1, RET, 1}),
            (std::vector<uint32_t>{0, 3, 6, 7}));
}
