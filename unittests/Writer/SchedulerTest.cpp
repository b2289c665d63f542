//===- SchedulerTest.cpp --------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

/// Members and labels are not shown again; where there are none, code comes
/// out as it went in.
static std::string shown(llvm::StringRef Code) {
  std::string Result;
  llvm::SmallVector<llvm::StringRef, 32> Parts;
  Code.split(Parts, "; ");
  for (llvm::StringRef P : Parts) {
    P = P.trim();
    while (P.contains(": "))
      P = P.split(':').second.trim();
    auto [Mnemonic, Operand] = P.split(' ');
    bool Show = !Operand.empty() && (isdigit(Operand[0]) || Operand[0] == '-');
    if (Operand.contains('='))
      Show = false;
    if (!Result.empty())
      Result += "; ";
    Result += Mnemonic;
    if (Show)
      Result += (" " + Operand).str();
  }
  return Result;
}

#define EXPECT_SAME(Descriptor, Code)                                          \
  EXPECT_EQ(shown(Code), relower(Descriptor, Code))

/// Sets every pure value afloat that the original did not copy.
static void floatAll(Body &F) {
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.isPure() && !I.keep())
        I.setFloating(true);
}

static Instruction *find(Body &F, IROp Op, unsigned N = 0) {
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.op() == Op && N-- == 0)
        return &I;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies that compilers make
//===----------------------------------------------------------------------===//

TEST(Scheduler, ArrayElementUpdate) {
  EXPECT_SAME("([II)V", "aload_0; iload_1; dup2; iaload; iconst_2; iadd; "
                        "iastore; return");
  EXPECT_SAME("([JI)V", "aload_0; iload_1; dup2; laload; lconst_1; ladd; "
                        "lastore; return");
}

TEST(Scheduler, IncrementAsExpression) {
  EXPECT_SAME("(LT;)I", "aload_0; dup; getfield f:I; dup_x1; iconst_1; iadd; "
                        "putfield f:I; ireturn");
  EXPECT_SAME("(LT;)J", "aload_0; dup; getfield f:J; dup2_x1; lconst_1; ladd; "
                        "putfield f:J; lreturn");
  EXPECT_SAME("([II)I", "aload_0; iload_1; dup2; iaload; dup_x2; iconst_1; "
                        "iadd; iastore; ireturn");
  EXPECT_SAME("([JI)J", "aload_0; iload_1; dup2; laload; dup2_x2; lconst_1; "
                        "ladd; lastore; lreturn");
}

TEST(Scheduler, ObjectCreation) {
  EXPECT_SAME("()LT;", "new T; dup; invokespecial <init>:()V; areturn");
  EXPECT_SAME("(I)V", "new T; dup; iload_0; invokespecial <init>:(I)V; "
                      "astore_1; return");
  // The result of the call is dropped, not its copy.
  EXPECT_SAME("()V", "new T; dup; invokespecial <init>:()V; pop; return");
  EXPECT_SAME("()V", "new T; invokespecial <init>:()V; return");
}

TEST(Scheduler, ArrayInitialiser) {
  // Not all copies at once: the array surfaces after each aastore.
  EXPECT_SAME("(LT;)[LT;", "iconst_2; anewarray T; dup; iconst_0; aload_0; "
                           "aastore; dup; iconst_1; aload_0; aastore; areturn");
}

TEST(Scheduler, BothCopiesBeforeTheResultCovers) {
  EXPECT_SAME("(LT;)I", "aload_0; dup; dup; getfield f:I; iconst_1; iadd; "
                        "putfield f:I; getfield f:I; ireturn");
}

TEST(Scheduler, ResultsSlideBelow) {
  EXPECT_SAME("([LT;)V",
              "aload_0; dup; iconst_0; aaload; checkcast T; swap; dup; "
              "iconst_1; aaload; checkcast T; swap; iconst_2; aaload; "
              "invokestatic m:(LT;LT;LT;)V; return");
}

TEST(Scheduler, BundleUnderAnEntry) {
  EXPECT_SAME("()LT;", "invokestatic a:()I; new T; dup_x1; swap; "
                       "invokespecial <init>:(I)V; areturn");
}

TEST(Scheduler, LongUnderLong) {
  // Assignment as expression over a long that waits.
  EXPECT_SAME("([JI)J", "aload_0; iload_1; invokestatic a:()J; dup2_x2; "
                        "lastore; lreturn");
}

//===----------------------------------------------------------------------===//
// Values that nobody uses
//===----------------------------------------------------------------------===//

TEST(Scheduler, GarbageStaysUntilReturn) {
  EXPECT_SAME("(LT;)V", "aload_0; invokevirtual a:()LT;; return");
  EXPECT_SAME("(LT;)V", "aload_0; invokevirtual a:()LT;; pop; return");
  EXPECT_SAME("(LT;)LT;", "aload_0; invokevirtual a:()LT;; pop; aconst_null; "
                          "areturn");
}

TEST(Scheduler, DeadPairs) {
  EXPECT_SAME("()V", "invokestatic a:()J; pop2; return");
  // Only the upper one was popped, so there is no pop2.
  EXPECT_SAME("()V", "invokestatic a:()I; invokestatic a:()I; pop; return");
}

TEST(Scheduler, UnusedCopiesAndConstantsVanish) {
  EXPECT_EQ("aload_0; invokestatic; pop; return",
            relower("(LT;)V",
                    "aload_0; dup; invokestatic r:(LT;)LT;; pop; pop; return"));
  EXPECT_EQ("return", relower("()V", "aconst_null; pop; return"));
}

TEST(Scheduler, DeadParameterUnderLive) {
  // The stack is [dead, live] where the branch arrives.
  EXPECT_SAME("(I)I", "invokestatic a:()I; invokestatic a:()I; iload_0; "
                      "ifeq L; swap; pop; goto E; L: swap; pop; E: ireturn");
  // A return takes the live one and leaves the other.
  EXPECT_EQ("invokestatic; invokestatic; iload_0; ifeq; ireturn; ireturn",
            relower("(I)I", "invokestatic a:()I; invokestatic a:()I; iload_0; "
                            "ifeq L; swap; pop; ireturn; "
                            "L: swap; pop; ireturn"));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(Scheduler, EntryIsSorted) {
  EXPECT_SAME("(LT;LT;I)V",
              "invokestatic a:()LT;; invokestatic a:()LT;; iload_2; ifeq L; "
              "swap; invokestatic u:(LT;)V; invokestatic u:(LT;)V; return; "
              "L: invokestatic u:(LT;)V; invokestatic u:(LT;)V; return");
}

TEST(Scheduler, PairUnderPair) {
  // Loads that belong below two values; here they can slide to their place.
  EXPECT_EQ(
      "aload_0; aload_1; invokestatic; invokestatic; invokestatic; return",
      relower("(LT;LT;)V",
              "invokestatic a:()LT;; invokestatic a:()LT;; aload_0; "
              "aload_1; dup2_x2; pop2; "
              "invokestatic u:(LT;LT;LT;LT;)V; return"));
  // Parameters of a block were computed elsewhere: the pair is moved.
  EXPECT_SAME("(LT;LT;I)V",
              "invokestatic a:()LT;; invokestatic a:()LT;; iload_2; ifeq L; "
              "aload_0; aload_1; dup2_x2; pop2; "
              "invokestatic u:(LT;LT;LT;LT;)V; return; L: pop2; return");
}

TEST(Scheduler, PermutedOperandsSpill) {
  TestCode T("()V");
  T.MaxLocals = 0;
  Body &F = T.code("invokestatic a:()I; invokestatic b:()J; "
                   "invokestatic c:()I; invokestatic u:(IJI)V; return")
                .lift();
  Instruction *Use = find(F, irop::Invoke, 3);
  std::swap(Use->operands()[0], Use->operands()[2]);
  // The second goes under the first; the third would go under three slots.
  std::string Code = T.lower();
  EXPECT_EQ("invokestatic; invokestatic; dup2_x1; pop2; invokestatic; "
            "istore_0; istore_1; lstore_2; iload_0; lload_2; iload_1; "
            "invokestatic; return",
            Code);
  EXPECT_EQ(4, T.view().MaxLocals);
}

TEST(Scheduler, SpillSlotsAreUsedAgain) {
  TestCode T("()V");
  T.MaxLocals = 0;
  std::string Part = "invokestatic a:()I; invokestatic a:()J; "
                     "invokestatic a:()I; invokestatic u:(IJI)V; ";
  Body &F = T.code(Part + Part + "return").lift();
  for (unsigned N : {3, 7}) {
    Instruction *Use = find(F, irop::Invoke, N);
    std::swap(Use->operands()[0], Use->operands()[2]);
  }
  T.lower();
  EXPECT_EQ(4, T.view().MaxLocals);
}

//===----------------------------------------------------------------------===//
// Floating values
//===----------------------------------------------------------------------===//

static std::string floated(llvm::StringRef Descriptor, llvm::StringRef Code) {
  TestCode T(Descriptor);
  floatAll(T.code(Code).lift());
  return T.lower();
}

TEST(Scheduler, FloatingOperandsSlide) {
  std::string Code = "aload_0; invokestatic; putfield; return";
  EXPECT_EQ(Code, floated("(LT;)V",
                          "aload_0; invokestatic a:()I; putfield f:I; return"));
  // Slide first, then copy: dup_x1 and not dup; aload_0; swap.
  EXPECT_EQ("aload_0; invokestatic; dup_x1; putfield; ireturn",
            floated("(LT;)I", "aload_0; invokestatic a:()I; dup_x1; "
                              "putfield f:I; ireturn"));
}

TEST(Scheduler, FloatingValueOfAnOverwrittenSlot) {
  std::string Code = "iload_0; iinc 0 1; ireturn";
  EXPECT_EQ(Code, floated("(I)I", Code));
  // Two uses behind the iinc: the value gets a local of its own.
  TestCode T("(I)V");
  T.MaxLocals = 1;
  Body &F = T.code("iload_0; iinc 0 1; iconst_1; invokestatic u:(II)V; return")
                .lift();
  floatAll(F);
  Instruction *Use = find(F, irop::Invoke);
  Use->operands()[1] = Use->operand(0);
  EXPECT_EQ("iload_0; istore_1; iinc 0 1; iload_1; iload_1; invokestatic; "
            "return",
            T.lower());
}

TEST(Scheduler, SlideStopsAtASetOfTheSlot) {
  // iload_0 stands before the call but must not slide in front of the iinc.
  TestCode T("(I)V");
  Body &F = T.code("iinc 0 1; iload_0; invokestatic u:(I)V; return").lift();
  floatAll(F);
  EXPECT_EQ("iinc 0 1; iload_0; invokestatic; return", T.lower());

  TestCode U("(I)V");
  Body &G = U.code("invokestatic a:()I; iinc 0 1; iload_0; "
                   "invokestatic u:(II)V; return")
                .lift();
  floatAll(G);
  Instruction *Use = find(G, irop::Invoke, 1);
  std::swap(Use->operands()[0], Use->operands()[1]);
  EXPECT_EQ("invokestatic; iinc 0 1; iload_0; swap; invokestatic; return",
            U.lower());
}

TEST(Scheduler, StoredValueIsReadFromItsHome) {
  // What store-to-load forwarding makes; the slot is as good as a copy.
  TestCode T("()V");
  Body &F = T.code("invokestatic a:()I; istore_0; iload_0; "
                   "invokestatic u:(I)V; iload_0; invokestatic u:(I)V; return")
                .lift();
  Value *Stored = find(F, irop::LocalSet)->operand(0);
  for (unsigned N : {1, 2})
    find(F, irop::Invoke, N)->operands()[0] = Stored;
  EXPECT_EQ("invokestatic; istore_0; iload_0; invokestatic; iload_0; "
            "invokestatic; return",
            T.lower());
}

TEST(Scheduler, ProbeThatTakesTheResult) {
  // leave(v) before ireturn: one dup for a computed value, a load for a slot.
  for (bool Computed : {true, false}) {
    TestCode T("(I)I");
    Body &F = T.code(Computed ? "iload_0; iconst_1; iadd; ireturn"
                              : "iload_0; ireturn")
                  .lift();
    Instruction *Ret = find(F, irop::Return);
    Instruction *Probe =
        F.create(irop::Invoke, op::INVOKESTATIC, Type::Void, {Ret->operand(0)});
    Probe->setIndex(T.member("leave:(I)V"));
    F.insert(Probe, Ret->block(), Ret->getIterator());
    Ret->operand(0)->setKeep(false);
    EXPECT_EQ(Computed ? "iload_0; iconst_1; iadd; dup; invokestatic; ireturn"
                       : "iload_0; invokestatic; iload_0; ireturn",
              T.lower());
  }
}

TEST(Scheduler, ProbesWithoutOperandsDisturbNothing) {
  TestCode T("(LT;I)V");
  Body &F = T.code("aload_0; iload_1; iconst_1; iadd; invokevirtual v:(I)V; "
                   "return")
                .lift();
  Instruction *Call = find(F, irop::Invoke);
  Instruction *Id = F.create(irop::Const, op::SIPUSH, Type::Int, {});
  Id->setImm(9);
  Instruction *Probe =
      F.create(irop::Invoke, op::INVOKESTATIC, Type::Void, {Id});
  Probe->setIndex(T.member("call:(I)V"));
  F.insert(Id, Call->block(), Call->getIterator());
  F.insert(Probe, Call->block(), Call->getIterator());
  EXPECT_EQ("aload_0; iload_1; iconst_1; iadd; sipush 9; invokestatic; "
            "invokevirtual; return",
            T.lower());
  EXPECT_EQ(3, T.view().MaxStack);
}

//===----------------------------------------------------------------------===//
// Regions and borders
//===----------------------------------------------------------------------===//

TEST(Scheduler, RangeBordersDoNotDisturb) {
  // The border splits the block. A copy is made when something covers it, so
  // this one belongs to the range.
  TestCode T("(LT;)I");
  T.code("aload_0; dup; getfield f:I; dup_x1; A: iconst_1; iadd; B: "
         "putfield f:I; ireturn; H: pop; iconst_0; ireturn")
      .handler("A", "B", "H")
      .lift();
  EXPECT_EQ("aload_0; dup; getfield; dup_x1; iconst_1; iadd; putfield; "
            "ireturn; pop; iconst_0; ireturn",
            T.lower());
  CodeView V = T.view();
  ASSERT_EQ(1u, V.Handlers.size());
  EXPECT_EQ(5, V.Handlers[0].Start);
  EXPECT_EQ(8, V.Handlers[0].End);
  EXPECT_EQ(12, V.Handlers[0].Target);
}

TEST(Scheduler, SlidLoadStaysOutsideOfTheRange) {
  // aload_0 floats in the range but slides in front of the call before it:
  // the range must still begin where it began.
  TestCode T("(LT;)V");
  Body &F = T.code("invokestatic a:()I; A: nop; aload_0; swap; putfield f:I; "
                   "B: return; H: pop; return")
                .handler("A", "B", "H")
                .lift();
  floatAll(F);
  EXPECT_EQ("aload_0; invokestatic; nop; putfield; return; pop; return",
            T.lower());
  CodeView V = T.view();
  ASSERT_EQ(1u, V.Handlers.size());
  EXPECT_EQ(4, V.Handlers[0].Start);
  EXPECT_EQ(8, V.Handlers[0].End);
}

//===----------------------------------------------------------------------===//
// Malformed bodies
//===----------------------------------------------------------------------===//

TEST(Scheduler, RefusesWhatCannotBeExpressed) {
  {
    TestCode T("(I)V");
    Body &F = T.code("iload_0; ifeq L; return; L: return").lift();
    // Not the next block any more.
    F.createBlock(&*std::next(F.blocks().begin()));
    EXPECT_NE(std::string::npos, T.lower().find("error: block"));
  }
  {
    TestCode T("(I)I");
    Body &F = T.code("iload_0; ifeq L; iconst_1; ireturn; L: iload_0; ireturn")
                  .lift();
    find(F, irop::Return, 0)->operands()[0] = find(F, irop::LocalGet, 1);
    EXPECT_NE(std::string::npos,
              T.lower().find("uses a value of another block"));
  }
  {
    TestCode T("(I)I");
    Body &F = T.code("iload_0; ireturn").lift();
    F.setNumSlots(0);
    F.setInitialLocals({});
    EXPECT_NE(std::string::npos, T.lower().find("slot that does not exist"));
  }
}
