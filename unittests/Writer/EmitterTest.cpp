//===- EmitterTest.cpp ----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include "jopt/Bytecode/Decoder.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

TEST(Emitter, OriginalFormsAreKept) {
  for (const char *Code :
       {"iconst_3; ireturn", "bipush 3; ireturn", "sipush 3; ireturn",
        "iload 2; ireturn", "wide iload 5; ireturn", "iload_2; ireturn",
        "iconst_0; istore 3; iconst_0; ireturn",
        "iinc 3 -128; iconst_0; ireturn", "wide iinc 3 5; iconst_0; ireturn",
        "wide iinc 3 300; iconst_0; ireturn", "nop; nop; iconst_m1; ireturn",
        "ldc_w; ireturn", "ldc; ireturn"})
    EXPECT_EQ(Code, relower("(III)I", Code));
  EXPECT_EQ("goto_w; return", relower("()V", "goto_w L; L: return"));
}

TEST(Emitter, ShortestFormsOtherwise) {
  TestCode T("(III)I");
  Body &F = T.code("wide iload 3; ireturn").lift();
  F.entry().begin()->setLongForm(false);
  EXPECT_EQ("iload_3; ireturn", T.lower());

  TestCode W("(III)I");
  W.MaxLocals = 300;
  Body &G = W.code("iload 3; ireturn").lift();
  G.entry().begin()->setIndex(299);
  EXPECT_EQ("wide iload 299; ireturn", W.lower());
}

TEST(Emitter, Instructions) {
  TestCode T("()V");
  T.code("iconst_1; newarray 10; pop; iconst_1; anewarray T; pop; iconst_1; "
         "iconst_2; multianewarray [[I 2; checkcast T; dup; monitorenter; "
         "instanceof T; pop; return")
      .lift();
  EXPECT_EQ("iconst_1; newarray; pop; iconst_1; anewarray; pop; iconst_1; "
            "iconst_2; multianewarray; checkcast; dup; monitorenter; "
            "instanceof; pop; return",
            T.lower());
}

TEST(Emitter, InterfaceCallCountsSlots) {
  TestCode T("(LT;J)V");
  T.code("aload_0; lload_1; iconst_1; invokeinterface #i:(JI)V; return").lift();
  T.lower();
  Bytes Code = T.view().Code;
  ASSERT_EQ(9u, Code.size());
  EXPECT_EQ(4, Code[6]);
  EXPECT_EQ(0, Code[7]);
  EXPECT_EQ(4, T.view().MaxStack);
}

TEST(Emitter, SwitchesKeepKindKeysAndPadding) {
  for (const char *Pad : {"", "nop; ", "nop; nop; ", "nop; nop; nop; "}) {
    TestCode T("(I)V");
    T.code(std::string(Pad) +
           "iload_0; tableswitch 5=A 6=B 7=A B; A: iload_0; lookupswitch "
           "-9=A 70000=B B; B: return");
    Body &F = T.lift();
    Bytes Old = T.view().Code.copy(T.Class.allocator());
    EXPECT_EQ(F.OriginalCodeLength, Old.size());
    T.lower();
    EXPECT_EQ(Old, T.view().Code);
  }
}

TEST(Emitter, MaximaAreThoseOfTheCode) {
  TestCode T("(JJ)J");
  T.MaxLocals = 4;
  T.code("lload_0; lload_2; ladd; lreturn").lift();
  T.lower();
  EXPECT_EQ(4, T.view().MaxStack);
  EXPECT_EQ(4, T.view().MaxLocals);
}

/// `if (x) goto Far` over \p Nops nops, version 61.
static std::string farBranch(TestCode &T, unsigned Nops, bool Backward) {
  Body &F = T.empty(4);
  TypeTable &Types = T.Class.Types;
  F.setInitialLocals({Type::Int});
  Block *Entry = F.createBlock(), *Test = F.createBlock(),
        *Middle = F.createBlock(), *End = F.createBlock();
  auto Append = [&](Block *B, IROp Op, Opcode J, Type Ty,
                    llvm::ArrayRef<Value *> Ops) {
    Instruction *I = F.create(Op, J, Ty, Ops);
    F.append(I, B);
    return I;
  };
  Append(Entry, irop::Goto, op::GOTO, Type::Void, {});
  F.setSuccessors(Entry->terminator(), {Backward ? End : Test});
  F.setFrame(Test, {Type::Int});
  F.setFrame(End, {Type::Int});
  // What the slots hold behind the branch has to be found out.
  auto Condition = [&](Block *B) {
    Instruction *L = Append(B, irop::Const, op::LCONST_0, Type::Long, {});
    Append(B, irop::LocalSet, op::LSTORE, Type::Void, {L})->setIndex(2);
    Instruction *N = Append(B, irop::Const, op::ACONST_NULL,
                            Types.ref("java/lang/String"), {});
    F.setExitValues(B, {N});
    Instruction *X = Append(B, irop::LocalGet, op::ILOAD, Type::Int, {});
    Append(B, irop::If, op::IFLT, Type::Void, {X});
  };
  Type String = Types.ref("java/lang/String");
  auto Nop = [&](Block *B) {
    for (unsigned N = 0; N < Nops; ++N)
      Append(B, irop::Nop, op::NOP, Type::Void, {});
  };
  if (Backward) {
    // Entry -> End, which branches back to Test.
    F.setParameters(Test, {String});
    Nop(Test);
    Append(Test, irop::Return, op::RETURN, Type::Void, {});
    F.setFrame(Middle, {Type::Int});
    Append(Middle, irop::Return, op::RETURN, Type::Void, {});
    Condition(End);
    Block *Last = F.createBlock();
    F.setParameters(Last, {String});
    F.setSuccessors(End->terminator(), {Test, Last});
    Append(Last, irop::Return, op::RETURN, Type::Void, {});
  } else {
    Condition(Test);
    F.setParameters(Middle, {String});
    F.setParameters(End, {String});
    F.setSuccessors(Test->terminator(), {End, Middle});
    Nop(Middle);
    Append(Middle, irop::Return, op::RETURN, Type::Void, {});
    Append(End, irop::Return, op::RETURN, Type::Void, {});
  }
  std::string Code = T.lower();
  std::string Nops2 = "nop; ";
  for (size_t At; (At = Code.find(Nops2)) != std::string::npos;)
    Code.erase(At, Code.rfind(Nops2) + Nops2.size() - At);
  return Code;
}

TEST(Emitter, BranchesAtTheLimitStayShort) {
  TestCode T("(I)V", true, 61);
  // The distance is the branch, the nops and the return.
  EXPECT_EQ("goto; lconst_0; lstore_2; aconst_null; iload_0; iflt; return; "
            "return",
            farBranch(T, 32767 - 4, false));
}

TEST(Emitter, FarBranchForward) {
  TestCode T("(I)V", true, 61);
  EXPECT_EQ("goto; lconst_0; lstore_2; aconst_null; iload_0; ifge; goto_w; "
            "return; return",
            farBranch(T, 32767 - 3, false));
  // The frame behind the goto_w: slots as they are there, stack as left.
  EXPECT_EQ("3:same\n"
            "15:full[int top long][java/lang/String]\n"
            "32780:full[int][java/lang/String]\n",
            T.frames());
}

TEST(Emitter, FarBranchBackward) {
  TestCode T("(I)V", true, 61);
  std::string Code = farBranch(T, 40000, true);
  EXPECT_EQ("goto_w; return; return; lconst_0; lstore_2; aconst_null; iload_0; "
            "ifge; goto_w; return",
            Code);
}

TEST(Emitter, CodeOverTheLimit) {
  TestCode T("(I)V", true, 61);
  EXPECT_NE(std::string::npos,
            farBranch(T, 65600, false).find("1 to 65,535 are allowed"));
  // The method is left as it was.
  EXPECT_TRUE(T.M.IR);
  EXPECT_FALSE(T.M.Changed);
  EXPECT_TRUE(T.M.Attributes.empty());
}

TEST(Emitter, ConstantsBehindIndex255) {
  TestCode T("()I");
  for (int N = 0; N < 300; ++N)
    T.Class.Pool.addInteger(1000 + N);
  Body &F = T.empty(0);
  Block *B = F.createBlock();
  Instruction *C = F.create(irop::Const, op::LDC, Type::Int, {});
  C->setIndex(T.Class.Pool.addInteger(1299));
  F.append(C, B);
  F.append(F.create(irop::Return, op::IRETURN, Type::Void, {C}), B);
  EXPECT_EQ("ldc_w; ireturn", T.lower());
}
