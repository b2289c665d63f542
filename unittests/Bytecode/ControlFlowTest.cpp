//===- ControlFlowTest.cpp ------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::op;

namespace {

using Indices = std::vector<uint32_t>;

Indices leaders(const CodeLeaders &L) {
  Indices Found;
  L.forEachLeader([&](uint32_t BCI) { Found.push_back(BCI); });
  return Found;
}

Indices starts(llvm::ArrayRef<CodeBlock *> Blocks) {
  Indices Found;
  for (const CodeBlock *B : Blocks)
    Found.push_back(B->start());
  return Found;
}

/// Code with its exception table, scanned and as a graph.
struct Scanned {
  std::vector<uint8_t> Code;
  std::vector<ExceptionHandler> Handlers;
  CodeLeaders Leaders;
  CodeGraph G;
  bool IsWhole;

  explicit Scanned(std::vector<uint8_t> Bytes,
                   std::vector<ExceptionHandler> Table = {},
                   HandlerEdges H = HandlerEdges::All,
                   MoreLeaders More = MoreLeaders::None)
      : Code(std::move(Bytes)), Handlers(std::move(Table)) {
    IsWhole = Leaders.scan(Code, Handlers, More);
    EXPECT_EQ(toMessage(G.build(Leaders, H)), "");
  }
  std::string flaw() const { return toMessage(Leaders.check()); }
  CodeBlock &at(uint32_t BCI) { return G.at(BCI); }
};

/// The message of check() for \p Code.
std::string flaw(std::vector<uint8_t> Code,
                 std::vector<ExceptionHandler> Handlers = {}) {
  return Scanned(std::move(Code), std::move(Handlers)).flaw();
}

/// 0 iload_0; 1 ifeq 8; 4 iconst_1; 5 goto 9; 8 iconst_2; 9 ireturn
const std::vector<uint8_t> Diamond = {ILOAD_0, IFEQ, 0, 7,        ICONST_1,
                                      GOTO,    0,    4, ICONST_2, IRETURN};

/// 0 iload_0; 1 tableswitch 0: 20, 1: 28, default: 28; 28 return. 24 nop is
/// in between.
const std::vector<uint8_t> Switch = {
    ILOAD_0, TABLESWITCH, 0,   0,  // padding
    0,       0,           0,   27, // default: 28
    0,       0,           0,   0,  // low
    0,       0,           0,   1,  // high
    0,       0,           0,   23, // case 0: 24
    0,       0,           0,   27, // case 1: 28
    NOP,     NOP,         NOP, NOP, RETURN};

} // namespace

//===----------------------------------------------------------------------===//
// Leaders
//===----------------------------------------------------------------------===//

TEST(ControlFlowTest, Leaders) {
  const Scanned S(Diamond);
  EXPECT_TRUE(S.IsWhole);
  EXPECT_EQ(S.Leaders.end(), 10u);
  EXPECT_EQ(S.flaw(), "");
  EXPECT_EQ(leaders(S.Leaders), (Indices{0, 4, 8, 9}));
  EXPECT_TRUE(S.Leaders.isInstruction(1));
  EXPECT_FALSE(S.Leaders.isInstruction(2));
  EXPECT_FALSE(S.Leaders.isInstruction(10));
  EXPECT_FALSE(S.Leaders.isInstruction(70000));
  EXPECT_FALSE(S.Leaders.isTarget(4)); // it is fallen into
  EXPECT_TRUE(S.Leaders.isTarget(8));
  EXPECT_EQ(S.Leaders.instructionBefore(8), 5u);
  EXPECT_EQ(S.Leaders.instructionBefore(1), 0u);
}

TEST(ControlFlowTest, MoreLeaders) {
  // 0 invokestatic; 3 nop; 4 nop; 5 return
  const std::vector<uint8_t> Code = {INVOKESTATIC, 0, 1, NOP, NOP, RETURN};
  const std::vector<ExceptionHandler> Handlers = {{3, 4, 5, 0}};
  auto Leaders = [&](MoreLeaders More) {
    return leaders(Scanned(Code, Handlers, HandlerEdges::None, More).Leaders);
  };
  EXPECT_EQ(Leaders(MoreLeaders::None), (Indices{0, 5}));
  EXPECT_EQ(Leaders(MoreLeaders::BehindCalls), (Indices{0, 3, 5}));
  EXPECT_EQ(Leaders(MoreLeaders::RangeBorders), (Indices{0, 3, 4, 5}));
  EXPECT_FALSE(isLeaderBehind(*getOpcodeInfo(INVOKEDYNAMIC)));
  EXPECT_TRUE(
      isLeaderBehind(*getOpcodeInfo(INVOKEDYNAMIC), MoreLeaders::BehindCalls));
}

TEST(ControlFlowTest, LeadersOfClients) {
  Scanned S(Diamond);
  S.Leaders.addLeader(5);
  S.Leaders.addLeader(6); // no instruction
  EXPECT_EQ(leaders(S.Leaders), (Indices{0, 4, 5, 8, 9}));
  EXPECT_FALSE(S.Leaders.isLeader(6));
}

TEST(ControlFlowTest, WideInstructions) {
  // 0 wide iload 256; 4 ifeq 15; 7 goto_w 15; 12 wide ret 1
  // ... 16 return
  const Scanned S({WIDE, ILOAD, 1, 0, IFEQ, 0, 12, GOTO_W, 0, 0, 0, 9, WIDE,
                   RET, 0, 1, RETURN});
  EXPECT_EQ(S.flaw(), "");
  EXPECT_EQ(leaders(S.Leaders), (Indices{0, 7, 12, 16}));
}

TEST(ControlFlowTest, Flaws) {
  EXPECT_EQ(flaw({}), "control runs off the end of the code");
  EXPECT_EQ(flaw({NOP}), "control runs off the end of the code");
  EXPECT_EQ(flaw({NOP, 0xfe}), "bytecode 1 cannot be decoded");
  EXPECT_EQ(flaw({NOP, SIPUSH, 0}), "bytecode 1 cannot be decoded");
  EXPECT_EQ(flaw({NOP, GOTO, 0, 9}), "bytecode 1: target outside of the code");
  EXPECT_EQ(flaw({GOTO, 0xff, 0xff}), "bytecode 0: target outside of the code");
  // Only the first flaw is reported.
  EXPECT_EQ(flaw({GOTO, 0, 9, 0xfe}), "bytecode 0: target outside of the code");
  EXPECT_EQ(flaw({GOTO, 0, 1}),
            "a branch goes into the middle of an instruction, to 1");
  const char *const Table = "exception table entry is not on instructions";
  const std::vector<uint8_t> Code = {SIPUSH, 0, 0, POP, RETURN};
  EXPECT_EQ(flaw(Code, {{0, 5, 4, 0}}), "");
  EXPECT_EQ(flaw(Code, {{1, 5, 4, 0}}), Table);
  EXPECT_EQ(flaw(Code, {{0, 2, 4, 0}}), Table);
  EXPECT_EQ(flaw(Code, {{0, 6, 4, 0}}), Table);
  EXPECT_EQ(flaw(Code, {{3, 3, 4, 0}}), Table);
  EXPECT_EQ(flaw(Code, {{0, 5, 5, 0}}), Table);
  EXPECT_EQ(flaw(Code, {{0, 5, 1, 0}}), Table);
}

TEST(ControlFlowTest, WhatCannotBeDecodedIsLeftOut) {
  // 0 goto 4; 3 nop; 4 what is no opcode
  Scanned S({GOTO, 0, 4, NOP, 0xfe, RETURN});
  EXPECT_FALSE(S.IsWhole);
  EXPECT_EQ(S.Leaders.end(), 4u);
  EXPECT_EQ(leaders(S.Leaders), (Indices{0, 3}));
  EXPECT_TRUE(S.at(0).successors().empty());
  EXPECT_TRUE(S.at(3).successors().empty());
  // Nothing at all.
  EXPECT_TRUE(Scanned({}).G.blocks().empty());
  EXPECT_TRUE(Scanned({0xfe}).G.blocks().empty());
  EXPECT_TRUE(Scanned({}).G.findReached().empty());
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

TEST(ControlFlowTest, Blocks) {
  Scanned S(Diamond);
  ASSERT_EQ(S.G.blocks().size(), 4u);
  const CodeBlock &B = S.at(1);
  EXPECT_EQ(B.number(), 0u);
  EXPECT_EQ(B.start(), 0u);
  EXPECT_EQ(B.last(), 1u);
  EXPECT_EQ(B.end(), 4u);
  EXPECT_EQ(B.fallsInto(), &S.at(4));
  EXPECT_EQ(starts(B.targets()), (Indices{8}));
  EXPECT_EQ(starts(B.successors()), (Indices{4, 8}));
  EXPECT_EQ(S.at(4).fallsInto(), nullptr);
  EXPECT_EQ(starts(S.at(4).successors()), (Indices{9}));
  EXPECT_EQ(starts(S.at(8).successors()), (Indices{9}));
  EXPECT_EQ(S.at(8).fallsInto(), &S.at(9));
  EXPECT_TRUE(S.at(9).successors().empty());
  EXPECT_EQ(starts(S.at(9).predecessors()), (Indices{4, 8}));
  EXPECT_EQ(starts(S.at(8).predecessors()), (Indices{0}));
  EXPECT_TRUE(S.at(0).predecessors().empty());
}

TEST(ControlFlowTest, TargetsOfASwitchAreThereOnce) {
  Scanned S(Switch);
  EXPECT_EQ(S.flaw(), "");
  EXPECT_EQ(starts(S.at(0).targets()), (Indices{28, 24})); // the default first
  EXPECT_EQ(starts(S.at(28).predecessors()), (Indices{0, 24}));
}

TEST(ControlFlowTest, JumpToTheNextInstruction) {
  // 0 iload_0; 1 ifeq 4; 4 return
  Scanned S({ILOAD_0, IFEQ, 0, 3, RETURN});
  EXPECT_EQ(S.at(0).fallsInto(), &S.at(4));
  EXPECT_EQ(starts(S.at(0).successors()), (Indices{4, 4}));
  EXPECT_EQ(starts(S.at(4).predecessors()), (Indices{0, 0}));
}

TEST(ControlFlowTest, Subroutine) {
  // 0 jsr 7; 3 jsr 7; 6 return; 7 astore_1; 8 ret 1
  Scanned S({JSR, 0, 7, JSR, 0, 4, RETURN, ASTORE_1, RET, 1});
  EXPECT_EQ(starts(S.at(0).successors()), (Indices{7}));
  EXPECT_EQ(starts(S.at(7).successors()), (Indices{3, 6}));
  EXPECT_EQ(S.at(8).last(), 8u);
}

TEST(ControlFlowTest, Handlers) {
  // 0 nop; 1 goto 4; 4 aload_0; 5 athrow; 6 pop; 7 return; 8 athrow
  const std::vector<uint8_t> Code = {NOP,    GOTO, 0,      3,     ALOAD_0,
                                     ATHROW, POP,  RETURN, ATHROW};
  // The first two lead to the same handler; the last one covers the beginning
  // of a block that ends with an athrow, and not that.
  const std::vector<ExceptionHandler> Handlers = {
      {0, 6, 6, 1}, {0, 6, 6, 2}, {0, 1, 8, 0}, {4, 5, 8, 0}};
  Scanned All(Code, Handlers);
  EXPECT_EQ(starts(All.at(0).handlers()), (Indices{6, 8}));
  EXPECT_EQ(starts(All.at(4).handlers()), (Indices{6, 8}));
  EXPECT_TRUE(All.at(6).handlers().empty());
  EXPECT_EQ(starts(All.at(0).successors()), (Indices{4, 6, 8}));
  EXPECT_EQ(starts(All.at(8).predecessors()), (Indices{0, 4}));

  Scanned FromThrows(Code, Handlers, HandlerEdges::FromThrows);
  EXPECT_EQ(starts(FromThrows.at(0).successors()), (Indices{4}));
  EXPECT_EQ(starts(FromThrows.at(4).successors()), (Indices{6}));

  Scanned None(Code, Handlers, HandlerEdges::None);
  EXPECT_TRUE(None.at(4).successors().empty());
  EXPECT_TRUE(None.at(6).predecessors().empty());
}

TEST(ControlFlowTest, AHandlerThatIsJumpedTo) {
  // 0 goto 3; 3 return
  Scanned S({GOTO, 0, 3, RETURN}, {{0, 3, 3, 0}});
  EXPECT_EQ(starts(S.at(0).targets()), (Indices{3}));
  EXPECT_EQ(starts(S.at(0).handlers()), (Indices{3}));
}

TEST(ControlFlowTest, Reached) {
  // 0 return; 1 goto 1; 4 athrow, which is a handler of 0
  const std::vector<uint8_t> Code = {RETURN, GOTO, 0, 0, ATHROW};
  auto Reached = [&](HandlerEdges H) {
    Indices Starts;
    const Scanned S(Code, {{0, 1, 4, 0}}, H);
    const llvm::BitVector Found = S.G.findReached();
    for (unsigned N : Found.set_bits())
      Starts.push_back(S.G.blocks()[N].start());
    return Starts;
  };
  EXPECT_EQ(Reached(HandlerEdges::None), (Indices{0}));
  EXPECT_EQ(Reached(HandlerEdges::All), (Indices{0, 4}));
}

TEST(ControlFlowTest, OneGraphForMethodAfterMethod) {
  Scanned S(Diamond);
  EXPECT_EQ(S.at(9).predecessors().size(), 2u);
  const std::vector<uint8_t> Other = {NOP, RETURN};
  ASSERT_TRUE(S.Leaders.scan(Other, {}));
  EXPECT_EQ(toMessage(S.G.build(S.Leaders, HandlerEdges::All)), "");
  ASSERT_EQ(S.G.blocks().size(), 1u);
  EXPECT_TRUE(S.G.front().predecessors().empty());
}

/// Each block may throw to each of some thousand handlers.
TEST(ControlFlowTest, TooManyEdges) {
  std::vector<uint8_t> Code;
  std::vector<ExceptionHandler> Handlers;
  for (unsigned N = 0; N < 4096; ++N) {
    const auto At = uint16_t(Code.size());
    Code.insert(Code.end(), {GOTO, 0, 3});
    Handlers.push_back({0, 3 * 4096, At, 0});
  }
  Code.push_back(RETURN);
  CodeLeaders L;
  L.scan(Code, Handlers);
  CodeGraph G;
  EXPECT_EQ(toMessage(G.build(L, HandlerEdges::All)),
            "control flow has more than 1048576 edges");
  EXPECT_EQ(G.blocks().size(), 4097u);
  EXPECT_TRUE(G.front().successors().empty());
  EXPECT_EQ(toMessage(G.build(L, HandlerEdges::None)), "");
  EXPECT_EQ(starts(G.front().successors()), (Indices{3}));
}

//===----------------------------------------------------------------------===//
// LLVM's templates
//===----------------------------------------------------------------------===//

TEST(ControlFlowTest, PostOrder) {
  Scanned S(Diamond);
  Indices Found;
  for (const CodeBlock *B : llvm::post_order(&S.G))
    Found.push_back(B->start());
  EXPECT_EQ(Found, (Indices{9, 4, 8, 0}));
}

TEST(ControlFlowTest, Dominators) {
  Scanned S(Diamond);
  llvm::DominatorTreeBase<CodeBlock, /*IsPostDom=*/false> Dominators;
  Dominators.recalculate(S.G);
  EXPECT_EQ(Dominators.getNode(&S.at(9))->getIDom()->getBlock(), &S.at(0));
  EXPECT_FALSE(Dominators.dominates(&S.at(4), &S.at(9)));
  llvm::DominatorTreeBase<CodeBlock, /*IsPostDom=*/true> PostDominators;
  PostDominators.recalculate(S.G);
  EXPECT_EQ(PostDominators.getNode(&S.at(0))->getIDom()->getBlock(), &S.at(9));
}
