//===- ExtremeTest.cpp ----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Methods as large as the format allows. None takes more than a moment; if
/// something here becomes quadratic, the tests take minutes.
///
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

static Instruction *add(Body &F, Block *B, IROp Op, Opcode J, Type Ty,
                        llvm::ArrayRef<Value *> Ops = {}) {
  Instruction *I = F.create(Op, J, Ty, Ops);
  F.append(I, B);
  return I;
}

static bool failed(const std::string &Code) {
  return llvm::StringRef(Code).starts_with("error");
}

TEST(Extreme, DeepExpression) {
  // 30,000 constants on the stack, each read by its own iadd.
  TestCode T;
  Body &F = T.empty(0);
  Block *B = F.createBlock();
  std::vector<Value *> Values;
  for (unsigned N = 0; N < 30000; ++N)
    Values.push_back(add(F, B, irop::Const, op::ICONST_1, Type::Int));
  Value *Sum = Values.back();
  for (unsigned N = 29999; N-- > 0;)
    Sum = add(F, B, irop::Plain, op::IADD, Type::Int, {Values[N], Sum});
  add(F, B, irop::Return, op::IRETURN, Type::Void, {Sum});
  EXPECT_FALSE(failed(T.lower()));
  EXPECT_EQ(30000, T.view().MaxStack);
}

TEST(Extreme, EveryValueFloats) {
  // Loads slide below calls again and again.
  TestCode T;
  Body &F = T.empty(1);
  Block *B = F.createBlock();
  std::vector<Value *> Gets;
  for (unsigned N = 0; N < 8000; ++N) {
    Instruction *G = add(F, B, irop::LocalGet, op::ILOAD, Type::Int);
    G->setFloating(true);
    Gets.push_back(G);
  }
  Instruction *Call = add(F, B, irop::Invoke, op::INVOKESTATIC, Type::Int);
  Call->setIndex(T.member("a:()I"));
  Value *Sum = Call;
  for (Value *G : Gets)
    Sum = add(F, B, irop::Plain, op::IADD, Type::Int, {G, Sum});
  add(F, B, irop::Return, op::IRETURN, Type::Void, {Sum});
  EXPECT_FALSE(failed(T.lower()));
}

TEST(Extreme, PermutedCallsSpill) {
  // 3,000 values in the order in which they are not used.
  TestCode T;
  Body &F = T.empty(0);
  Block *B = F.createBlock();
  std::vector<Value *> Values;
  for (unsigned N = 0; N < 3000; ++N) {
    Instruction *I = add(F, B, irop::Invoke, op::INVOKESTATIC, Type::Int);
    I->setIndex(T.member("a:()I"));
    Values.push_back(I);
  }
  Value *Sum = Values[0];
  for (unsigned N = 1; N < 3000; ++N)
    Sum = add(F, B, irop::Plain, op::IADD, Type::Int,
              {Sum, Values[(N * 7919) % 3000]});
  add(F, B, irop::Return, op::IRETURN, Type::Void, {Sum});
  EXPECT_FALSE(failed(T.lower()));
}

TEST(Extreme, NestedRanges) {
  // 5,000 ranges, each inside of the one before.
  TestCode T;
  Body &F = T.empty(0);
  std::vector<Block *> Blocks;
  for (unsigned N = 0; N < 10001; ++N)
    Blocks.push_back(F.createBlock());
  Block *H = F.createBlock();
  F.setFrame(H, {});
  F.setHandler(H, T.Class.Types.ref("java/lang/Throwable"));
  std::vector<TryEntry *> Tries(5000);
  for (unsigned N = 5000; N-- > 0;)
    Tries[N] = F.addTry(H, 0);
  std::vector<const ThrowEdge *> Lists{nullptr};
  for (unsigned N = 0; N < 5000; ++N)
    Lists.push_back(F.withTry(Lists.back(), Tries[N]));
  for (unsigned N = 0; N < 10001; ++N) {
    Blocks[N]->setThrowEdges(Lists[N <= 5000 ? N : 10000 - N]);
    add(F, Blocks[N], irop::Nop, op::NOP, Type::Void);
    if (N == 10000) {
      add(F, Blocks[N], irop::Return, op::RETURN, Type::Void);
      continue;
    }
    Instruction *Fall =
        add(F, Blocks[N], irop::FallThrough, op::NOP, Type::Void);
    F.setSuccessors(Fall, Blocks[N + 1]);
  }
  add(F, H, irop::Throw, op::ATHROW, Type::Void, {H->parameters()[0]});
  EXPECT_FALSE(failed(T.lower()));
  EXPECT_EQ(5000u, T.view().Handlers.size());
  EXPECT_EQ(5000, T.view().Handlers[0].Start);
}

/// Code whose handler at H has a frame at offset \p At.
static void catchAt(TestCode &T, unsigned At) {
  uint16_t Type = T.Class.Pool.addClass("java/lang/Throwable");
  T.attribute("StackMapTable", {0, 1, 247, uint8_t(At >> 8), uint8_t(At), 7,
                                uint8_t(Type >> 8), uint8_t(Type)});
}

TEST(Extreme, RangesOverOneBlock) {
  TestCode T("()V", true, 61);
  T.code("S: nop; E: return; H: athrow");
  catchAt(T, T.label("H"));
  for (unsigned N = 0; N < 10000; ++N)
    T.handler("S", "E", "H");
  Body &F = T.lift();
  ASSERT_EQ(10000u, F.tries().size());
  EXPECT_LT(F.allocator().getBytesAllocated(), 8u << 20);
  EXPECT_FALSE(failed(T.lower()));
  EXPECT_EQ(10000u, T.view().Handlers.size());
}

/// 4,000 ranges that overlap and do not nest: 8 million pairs of range and
/// block.
static void overlap(TestCode &T) {
  std::string Text;
  for (unsigned N = 0; N < 4000; ++N)
    Text += "L" + std::to_string(N) + ": nop; ";
  T.code(Text + "E: return; H: athrow");
  catchAt(T, T.label("H"));
  for (unsigned N = 0; N < 4000; ++N)
    T.handler("L" + std::to_string(N), "E", "H");
}

TEST(Extreme, RangesThatDoNotNest) {
  TestCode T("()V", true, 61);
  overlap(T);
  Body &F = T.lift();
  EXPECT_LT(F.allocator().getBytesAllocated(), 8u << 20);
  EXPECT_FALSE(failed(T.lower()));
  ASSERT_EQ(4000u, T.view().Handlers.size());
  for (unsigned N = 0; N < 4000; ++N)
    EXPECT_EQ(N, T.view().Handlers[N].Start);
}

TEST(Extreme, RangesThatDoNotNestWithoutFrames) {
  // The types of each block flow to each of its handlers.
  TestCode T("()V", true, 49);
  overlap(T);
  EXPECT_NONFATAL_FAILURE(T.lift(), "overlap too often");
}

TEST(Extreme, LargeSwitchWithFrames) {
  TestCode T("(I)V", true, 61);
  Body &F = T.empty(1);
  F.setInitialLocals({Type::Int});
  Block *Entry = F.createBlock();
  std::vector<Block *> Targets;
  std::vector<int32_t> Keys;
  for (int N = 0; N < 10000; ++N) {
    Block *B = F.createBlock();
    F.setFrame(B, {Type::Int});
    add(F, B, irop::Return, op::RETURN, Type::Void);
    Targets.push_back(B);
    if (N)
      Keys.push_back(N);
  }
  Instruction *X = add(F, Entry, irop::LocalGet, op::ILOAD, Type::Int);
  Instruction *S =
      add(F, Entry, irop::TableSwitch, op::TABLESWITCH, Type::Void, {X});
  F.setSuccessors(S, Targets, Keys);
  EXPECT_FALSE(failed(T.lower()));
}

TEST(Extreme, ManyLocals) {
  // Every frame declares 5,000 slots of its own.
  TestCode T("()V", true, 61);
  Body &F = T.empty(5000);
  std::vector<Type> Slots(5000, Type::Int);
  std::vector<Block *> Blocks;
  for (unsigned N = 0; N < 500; ++N) {
    Blocks.push_back(F.createBlock());
    if (N) {
      Slots[N] = Type::Float;
      F.setFrame(Blocks.back(), Slots);
    }
  }
  for (unsigned N = 0; N < 500; ++N) {
    if (N == 499) {
      add(F, Blocks[N], irop::Return, op::RETURN, Type::Void);
      continue;
    }
    Instruction *G = add(F, Blocks[N], irop::Goto, op::GOTO, Type::Void);
    F.setSuccessors(G, Blocks[N + 1]);
  }
  EXPECT_FALSE(failed(T.lower()));
}

TEST(Extreme, EveryBranchIsFar) {
  // 4,000 branches over one another to the end.
  TestCode T("(I)V", true, 61);
  Body &F = T.empty(1);
  F.setInitialLocals({Type::Int});
  std::vector<Block *> Blocks;
  for (unsigned N = 0; N < 4000; ++N)
    Blocks.push_back(F.createBlock());
  Block *Middle = F.createBlock(), *End = F.createBlock();
  F.setFrame(End, {Type::Int});
  for (unsigned N = 0; N < 4000; ++N) {
    Instruction *X = add(F, Blocks[N], irop::LocalGet, op::ILOAD, Type::Int);
    Instruction *I = add(F, Blocks[N], irop::If, op::IFEQ, Type::Void, {X});
    F.setSuccessors(I, {End, N + 1 < 4000 ? Blocks[N + 1] : Middle});
  }
  for (unsigned N = 0; N < 28000; ++N)
    add(F, Middle, irop::Nop, op::NOP, Type::Void);
  add(F, Middle, irop::Return, op::RETURN, Type::Void);
  add(F, End, irop::Return, op::RETURN, Type::Void);
  EXPECT_FALSE(failed(T.lower()));
}
