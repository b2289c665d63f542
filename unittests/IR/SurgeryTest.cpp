//===- SurgeryTest.cpp - Blocks cut and joined ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "gtest/gtest.h"

using namespace jopt;

namespace {

/// A method of a class T, with a try around all of it.
class Surgery : public testing::Test {
protected:
  Body &parse(llvm::StringRef Method) {
    auto Parsed = parseIR(("class super T extends java/lang/Object version "
                           "61.0 { method " +
                           Method + " }")
                              .str(),
                          "test");
    if (!Parsed) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError());
      std::abort();
    }
    Class = std::move(Parsed->front());
    EXPECT_EQ("", findings());
    return *Class->Methods.front().IR;
  }
  std::string findings() const {
    std::string All;
    for (const IRFinding &F : verifyClassIR(*Class))
      All += F.str() + "\n";
    return All;
  }
  static std::string text(const Body &F) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printBody(F, OS);
    return OS.str();
  }
  static Instruction *find(Body &F, IROp Op) {
    for (Block &B : F.blocks())
      for (Instruction &I : B)
        if (I.op() == Op)
          return &I;
    return nullptr;
  }

  std::unique_ptr<ClassFile> Class;
};

/// Two values are on the stack at the call.
const char *const Sum =
    "static m:(JI)I { code slots 3 { try t0 -> b1 catch any\n"
    "b0 throws t0: %a:long = local.get 0\n %b:int = local.get 2\n"
    " %c:int = invokestatic T.n:()I\n %d:int = iadd (%b, %c)\n"
    " %e:int = l2i (%a)\n %f:int = iadd (%d, %e)\n ireturn (%f)\n"
    "b1(%x:java/lang/Throwable) handler frame []: athrow (%x) } }";

} // namespace

TEST_F(Surgery, StackGoesAroundTheCode) {
  Body &F = parse(Sum);
  Instruction *Call = find(F, irop::Invoke);
  const ThrowEdge *Throws = Call->block()->throwEdges();
  BlockCut Cut(Call);
  EXPECT_EQ(nullptr, Cut.Before->terminator());
  ASSERT_EQ(2u, Cut.Values.size());
  EXPECT_EQ(Type(Type::Long), Cut.Values[0].Ty) << "bottom first";
  Block *Then = Cut.addThen();
  EXPECT_EQ(Throws, Then->throwEdges());
  Builder B(F);
  B.setEnd(Cut.Before);
  B.jumpIfZero(B.callStatic("T", "on", "()Z", {}), Cut.After, Then);
  B.setPoint(Then->terminator());
  B.callStatic("T", "advice", "()V", {});
  Cut.close();
  F.setFrame(Cut.After, F.initialLocals());
  EXPECT_EQ("", findings());
  EXPECT_EQ(2u, Then->parameters().size());
  EXPECT_EQ(Cut.After, Call->block());
}

TEST_F(Surgery, CodeBetweenExchangesAValue) {
  Body &F = parse(Sum);
  BlockCut Cut(find(F, irop::Invoke));
  Block *First = Cut.addBlock(), *Second = Cut.addBlock();
  EXPECT_EQ(&*std::next(First->getIterator()), Second);
  EXPECT_EQ(&*std::next(Second->getIterator()), Cut.After);
  Builder B(F);
  B.setEnd(Cut.Before);
  B.jumpIfZero(B.callStatic("T", "on", "()Z", {}), Cut.After, First);
  B.setEnd(First);
  B.jumpIfZero(B.callStatic("T", "too", "()Z", {}), Cut.After, Second);
  B.setEnd(Second);
  Value *Old = Cut.get(B, Cut.Values[1].Out);
  EXPECT_EQ(Second->parameters()[1], Old);
  Value *New = B.callStatic("T", "other", "(I)I", {Old});
  Cut.put(B, Cut.Values[1], New);
  B.fallThrough(Cut.After);
  Cut.close();
  F.setFrame(Cut.After, F.initialLocals());
  EXPECT_EQ("", findings());
  EXPECT_EQ(New, Second->exitValues()[1]);
}

TEST_F(Surgery, SlotsSurviveAnException) {
  Body &F = parse(Sum);
  Instruction *Call = find(F, irop::Invoke);
  BlockCut Cut(Call);
  Builder B(F);
  B.setEnd(Cut.Before);
  llvm::SmallVector<Type, 8> Frame(F.initialLocals());
  for (CarriedValue &V : Cut.Values)
    Cut.store(B, V, F.addSlot(V.Ty.slots()), Frame);
  ASSERT_EQ(6u, Frame.size());
  EXPECT_EQ(Type(Type::High), Frame[4]);
  Block *Inner = Cut.addBlock();
  EXPECT_TRUE(Inner->parameters().empty());
  B.fallThrough(Inner);
  B.setEnd(Inner);
  B.callStatic("T", "advice", "(I)V", {Cut.get(B, Cut.Values[1].Out)});
  B.jump(Cut.After);
  Block *Handler = addCatchAll(F, Frame, Cut.After);
  TryEntry *First = F.tries().front();
  wrapInTry(Inner, Handler, nullptr, First);
  B.setEnd(Handler);
  B.fallThrough(Cut.After);
  Cut.close();
  F.setFrame(Cut.After, Frame);
  EXPECT_EQ("", findings());
  EXPECT_EQ(0u, F.tries().front()->Priority);
  EXPECT_EQ(Handler, F.tries().front()->Handler);
  EXPECT_TRUE(Cut.After->parameters().empty());
  EXPECT_TRUE(Cut.Before->exitValues().empty());
}

TEST_F(Surgery, WhatOnlyTheCodeBetweenUsesIsCarriedOnTop) {
  Body &F = parse(Sum);
  Block &Entry = F.entry();
  Instruction *A = &*Entry.begin();
  ASSERT_EQ(Type(Type::Long), A->type());
  // In front of the return nothing is left but what it returns.
  BlockCut Cut(Entry.terminator());
  ASSERT_EQ(1u, Cut.Values.size());
  Cut.carry(A);
  Cut.carry(Cut.Values[0].Out);
  ASSERT_EQ(2u, Cut.Values.size()) << "nothing is carried twice";
  Block *Then = Cut.addThen();
  Builder B(F);
  B.setEnd(Cut.Before);
  B.jumpIfZero(B.callStatic("T", "on", "()Z", {}), Cut.After, Then);
  B.setPoint(Then->terminator());
  B.callStatic("T", "advice", "(J)V", {Cut.get(B, A)});
  Cut.close();
  F.setFrame(Cut.After, F.initialLocals());
  EXPECT_EQ("", findings());
  EXPECT_EQ(2u, Cut.After->parameters().size()) << "popped there";
}

TEST_F(Surgery, StartBlock) {
  Body &F = parse(Sum);
  Block *B = &F.entry();
  EXPECT_EQ(B, startBlock(&*B->begin()));
  Instruction *Call = find(F, irop::Invoke);
  Block *New = startBlock(Call);
  EXPECT_NE(B, New);
  EXPECT_EQ(Call, &*New->begin());
  EXPECT_EQ(New, startBlock(Call));
  EXPECT_EQ("", findings());
}

TEST_F(Surgery, CopiesFloat) {
  Body &F = parse(Sum);
  Instruction *Load = find(F, irop::LocalGet), *Call = find(F, irop::Invoke);
  Builder B(F, Call);
  Instruction *Copy = copyFloating(B, *Load);
  EXPECT_TRUE(Copy->floating());
  EXPECT_EQ(Load->index(), Copy->index());
  EXPECT_EQ(Load->type(), Copy->type());
  EXPECT_EQ(&*std::prev(Call->getIterator()), Copy);
}

TEST_F(Surgery, BehindSuperCall) {
  Body &F = parse("public <init>:()V { code slots 1 { b0: %t:uninitThis = "
                  "local.get 0\n %o:T = invokespecial java/lang/Object.<init>:"
                  "()V (%t)\n %u:int = const int 1\n return } }");
  Instruction *Call = find(F, irop::Invoke);
  ASSERT_TRUE(isSuperCall(*Call));
  auto Next = std::next(Call->getIterator());
  EXPECT_EQ(Next, behindSuperCall(Call));
  Builder B(F);
  B.setPoint(Call->block(), Next);
  B.setAdvice(0);
  unsigned Slot = F.addPinnedLocal(Call->type());
  B.set(Slot, Call);
  EXPECT_EQ(Next, behindSuperCall(Call)) << "behind the copy";
}

TEST_F(Surgery, Frames) {
  Body &F = parse(Sum);
  llvm::SmallVector<Type, 8> Frame;
  declareSlot(Frame, 1, Type::Int);
  declareSlot(Frame, 3, Type::Double);
  ASSERT_EQ(5u, Frame.size());
  EXPECT_EQ(Type(Type::Top), Frame[0]);
  EXPECT_EQ(Type(Type::High), Frame[4]);
  F.setNumSlots(3);
  F.addPinnedLocal(Type::Double);
  dropPinnedLocals(Frame, F);
  EXPECT_EQ(Type(Type::Top), Frame[3]);
  EXPECT_EQ(Type(Type::Top), Frame[4]);
  EXPECT_EQ(Type(Type::Int), Frame[1]);
}
