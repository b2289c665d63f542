//===- FramesTest.cpp -----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

namespace {
/// A method of version 61 whose blocks are joined by gotos to the next; each
/// block has a frame and no code but that.
class Frames : public ::testing::Test {
protected:
  Frames() : T("()V", true, 61), F(T.empty(64)) {}

  /// Ends the block before with a goto to a new one, with \p Nops before it.
  Block *block(llvm::ArrayRef<Type> Slots, llvm::ArrayRef<Type> Stack = {},
               unsigned Nops = 0) {
    Block *B = F.createBlock();
    F.setFrame(B, Slots);
    F.setParameters(B, Stack);
    if (Last) {
      for (unsigned N = 0; N < Nops; ++N)
        F.append(F.create(irop::Nop, op::NOP, Type::Void, {}), Last);
      llvm::SmallVector<Value *, 2> Exit;
      for (Type Ty : Stack) {
        Instruction *I = Ty.is(Type::Int)
                             ? F.create(irop::Const, op::ICONST_0, Ty, {})
                             : F.create(irop::Const, op::ACONST_NULL, Ty, {});
        F.append(I, Last);
        Exit.push_back(I);
      }
      F.setExitValues(Last, Exit);
      Instruction *G = F.create(irop::Goto, op::GOTO, Type::Void, {});
      F.setSuccessors(G, B);
      F.append(G, Last);
    }
    return Last = B;
  }
  std::string finish() {
    F.append(F.create(irop::Return, op::RETURN, Type::Void, {}), Last);
    std::string Code = T.lower();
    return Code.substr(0, 6) == "error:" ? Code : T.frames();
  }
  void entry() {
    block({});
    F.clearFrame(Last);
  }
  Type ref(llvm::StringRef Name) { return T.Class.Types.ref(Name); }

  TestCode T;
  Body &F;
  Block *Last = nullptr;
};
} // namespace

TEST_F(Frames, OneArrayForSeveralBlocks) {
  // Frames that share their slots are as the one before without a look at
  // them; what follows is still written against these slots.
  entry();
  llvm::ArrayRef<Type> Slots =
      F.copy(llvm::ArrayRef<Type>({Type::Int, Type::Float}));
  block({});
  for (unsigned N = 0; N < 2; ++N)
    F.setSharedFrame(block({}, {}, 1), Slots);
  F.setSharedFrame(block({}, {Type::Int, Type::Int}, 1), Slots);
  block({Type::Int, Type::Float, Type::Int}, {}, 1);
  EXPECT_EQ("3:same\n"
            "7:append[int float]\n"
            "11:same\n"
            "17:full[int float][int int]\n"
            "22:append[int]\n",
            finish());
}

TEST_F(Frames, ShortestForms) {
  entry();
  block({});
  block({Type::Int});
  block({Type::Int, Type::Long, Type::High, ref("T"), Type::Float});
  block({Type::Int, Type::Long, Type::High, ref("T")});
  block({Type::Int});
  block({Type::Float});
  block({Type::Float}, {Type::Int});
  // The blocks pop what they are given.
  block({Type::Float}, {Type::Int, Type::Null});
  block({Type::Float}, {}, 80);
  block({Type::Float}, {Type::Int}, 80);
  block({Type::Top, Type::Int});
  block({});
  EXPECT_EQ("3:same\n"
            "6:append[int]\n"
            "9:append[long T float]\n"
            "12:chop1\n"
            "15:chop2\n"
            "18:full[float][]\n"
            "22:same1[int]\n"
            "28:full[float][int null]\n"
            "112:sameext\n"
            "196:same1ext[int]\n"
            "200:full[top int][]\n"
            "203:chop2\n",
            finish());
}

TEST_F(Frames, FourLocalsAtOnceNeedAFullFrame) {
  entry();
  block({Type::Int, Type::Int, Type::Int, Type::Int});
  block({});
  EXPECT_EQ("3:full[int int int int][]\n6:full[][]\n", finish());
}

TEST_F(Frames, ParametersAreTheFirstFrame) {
  F.setInitialLocals({ref("T"), Type::Double, Type::High});
  entry();
  block({ref("T"), Type::Double, Type::High});
  block({ref("T")});
  EXPECT_EQ("3:same\n6:chop1\n", finish());
}

TEST_F(Frames, UninitialisedObject) {
  entry();
  Instruction *New = F.create(irop::New, op::NEW, Type::Top, {});
  New->setIndex(T.Class.Pool.addClass("T"));
  New->setType(F.addNewSite(New));
  F.append(F.create(irop::Nop, op::NOP, Type::Void, {}), Last);
  F.append(New, Last);
  Block *From = Last;
  Block *B = block({});
  F.setParameters(B, {New->type()});
  F.setExitValues(From, {New});
  EXPECT_EQ("7:same1[uninit 1]\n", finish());
}

TEST_F(Frames, ObjectWithoutItsNew) {
  entry();
  block({Type(Type::Uninit, 3)});
  EXPECT_NE(std::string::npos, finish().find("`new` is gone"));
}

TEST_F(Frames, PinnedLocalsAreInEveryFrame) {
  entry();
  F.setNumSlots(3);
  unsigned Slot = F.addPinnedLocal(Type::Long);
  EXPECT_EQ(3u, Slot);
  block({});
  block({Type::Int, Type::Int, Type::Int});
  EXPECT_EQ("3:full[top top top long][]\n6:full[int int int long][]\n",
            finish());
}

TEST_F(Frames, TwoFramesAtOneOffset) {
  // A block that became empty runs into the next: the next one's frame counts.
  entry();
  Block *Empty = block({Type::Int, Type::Int});
  Block *Next = F.createBlock();
  F.setFrame(Next, {Type::Int});
  Instruction *Fall = F.create(irop::FallThrough, op::NOP, Type::Void, {});
  F.setSuccessors(Fall, Next);
  F.append(Fall, Empty);
  Last = Next;
  EXPECT_EQ("3:append[int]\n", finish());
}

TEST_F(Frames, HandlerNeedsItsOwn) {
  entry();
  block({Type::Int});
  Block *H = F.createBlock();
  F.setFrame(H, {});
  F.setHandler(H, ref("java/lang/Throwable"));
  Last->setThrowEdges(F.withTry(nullptr, F.addTry(H, 0)));
  F.append(F.create(irop::Return, op::RETURN, Type::Void, {}), Last);
  F.append(F.create(irop::Throw, op::ATHROW, Type::Void, {H->parameters()[0]}),
           H);
  EXPECT_EQ("goto; return; athrow", T.lower());
  EXPECT_EQ("3:append[int]\n4:full[][java/lang/Throwable]\n", T.frames());
  CodeView V = T.view();
  ASSERT_EQ(1u, V.Handlers.size());
  EXPECT_EQ(3, V.Handlers[0].Start);
  EXPECT_EQ(4, V.Handlers[0].End);
  EXPECT_EQ(4, V.Handlers[0].Target);
  EXPECT_EQ(1, V.MaxStack);
}

TEST_F(Frames, TypesWithoutAnExpression) {
  entry();
  block({T.Class.Types.merge(ref("A"), ref("B"))});
  EXPECT_NE(std::string::npos, finish().find("class files cannot express"));
}

TEST(FrameTable, KeepsItsPlaceAmongTheAttributes) {
  TestCode T("(I)V", true, 61);
  T.code("iload_0; ifeq L; nop; L: return")
      .attribute("First", {1})
      .attribute("StackMapTable", {0, 1, 5})
      .attribute("Last", {2});
  T.MaxLocals = 1;
  T.lift();
  T.lower();
  EXPECT_EQ("5:same\n", T.frames());
  CodeView V = T.view();
  ASSERT_EQ(3u, V.Attributes.size());
  EXPECT_EQ("StackMapTable", T.Class.Pool.utf8(V.Attributes[1].NameIndex));
}

TEST(FrameTable, NoneForOldClasses) {
  TestCode T("(I)V", true, 49);
  T.code("iload_0; ifeq L; nop; L: return").lift();
  T.lower();
  EXPECT_EQ(0u, T.view().Attributes.size());
}
