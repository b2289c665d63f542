//===- InferenceTest.cpp - Type inference (4.10.2) ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::op;

using Body = ClassMaker::Body;

static void check(const Body &B, const char *Part, const char *Type = "()V",
                  unsigned Major = 49) {
  checkBody(B, Part, Type, Major);
}

TEST(Inference, NeedsNoFrames) {
  check({1, 1, {ICONST_0, IFEQ, 0, 3, RETURN}}, nullptr);
  check({1, 1, {GOTO, 0, 4, NOP, RETURN}}, nullptr);
  // Code that is not reached is decoded, but not typed.
  check({1, 1, {GOTO, 0, 4, POP, RETURN}}, nullptr);
  check({1, 1, {GOTO, 0, 5, ILOAD, 9, RETURN}}, "beyond max_locals");
  check({1, 1, {GOTO, 0, 4, 250, RETURN}}, "no instruction");
  check({1, 1, {RETURN, NOP}}, nullptr);
  check({1, 1, {NOP}}, "control runs off the end");
}

TEST(Inference, Merges) {
  // 0 iconst_0 1 ifeq 7 4 iconst_0 5 nop 6 nop 7 return
  check({1, 1, {ICONST_0, IFEQ, 0, 6, ICONST_0, NOP, NOP, RETURN}},
        "with 0 and with 1 stack slots");
  check({2, 1, {ICONST_0, IFEQ, 0, 7, ICONST_0, GOTO, 0, 4, FCONST_0, RETURN}},
        "different kinds of values");
  check(
      {2, 1, {ICONST_0, IFEQ, 0, 7, ACONST_NULL, GOTO, 0, 4, ALOAD_0, ARETURN}},
      nullptr, "(Ljava/lang/String;)Ljava/lang/String;");
  // A local that is an int on one way only cannot be read.
  check(
      {1, 1, {ICONST_0, IFEQ, 0, 5, ICONST_0, ISTORE_0, ILOAD_0, POP, RETURN}},
      "expected int in a local, found top");
  // Two classes become their nearest common ancestor.
  check({1, 3, {ILOAD_0, IFEQ, 0, 7, ALOAD_1, GOTO, 0, 4, ALOAD_2, ARETURN}},
        nullptr, "(ILjava/lang/Integer;Ljava/lang/Long;)Ljava/lang/Number;");
  check({1, 3, {ILOAD_0, IFEQ, 0, 7, ALOAD_1, GOTO, 0, 4, ALOAD_2, ARETURN}},
        nullptr, "(I[Ljava/lang/Integer;[Ljava/lang/Long;)[Ljava/lang/Number;");
  check({1, 3, {ILOAD_0, IFEQ, 0, 7, ALOAD_1, GOTO, 0, 4, ALOAD_2, ARETURN}},
        "as result", "(I[I[J)[Ljava/lang/Object;");
  check({1, 3, {ILOAD_0, IFEQ, 0, 7, ALOAD_1, GOTO, 0, 4, ALOAD_2, ARETURN}},
        nullptr, "(I[I[J)Ljava/lang/Object;");
  check({1, 3, {ILOAD_0, IFEQ, 0, 7, ALOAD_1, GOTO, 0, 4, ALOAD_2, ARETURN}},
        "as result", "(I[[I[[J)[[I");
}

TEST(Inference, Handlers) {
  check({1, 1, {NOP, RETURN, POP, RETURN}, {{0, 1, 2, 0}}}, nullptr);
  check({0, 1, {NOP, RETURN, RETURN}, {{0, 1, 2, 0}}}, "overflows");
  check({1, 1, {NOP, RETURN, POP2, RETURN}, {{0, 1, 2, 0}}}, "stack is empty");
  // What a handler sees is the state before each instruction of its range.
  check({1,
         1,
         {ICONST_0, ISTORE_0, RETURN, POP, ILOAD_0, POP, RETURN},
         {{1, 2, 3, 0}}},
        "found top");
  check({1,
         1,
         {ICONST_0, ISTORE_0, RETURN, POP, ILOAD_0, POP, RETURN},
         {{2, 3, 3, 0}}},
        nullptr);
  ClassMaker C;
  C.Major = 49;
  C.method({1, 1, {NOP, RETURN}, {{0, 1, 0, 0}}});
  refusedFormat(C, "is the first instruction");
}

TEST(Inference, Subroutines) {
  // 0 jsr 4; 3 return; 4 astore_0; 5 ret 0
  check({1, 1, {JSR, 0, 4, RETURN, ASTORE_0, RET, 0}}, nullptr);
  check({1, 1, {JSR, 0, 4, RETURN, ASTORE_0, RET, 0}}, "subroutines cannot",
        "()V", 51);
  check({1, 1, {JSR, 0, 4, RETURN, ASTORE_0, RET, 0}}, nullptr, "()V", 50);
  check({1, 1, {RET, 0}}, "a return address");
  check({1, 1, {ICONST_0, ISTORE_0, RET, 0}}, "a return address");
  // Called twice; a local it does not use keeps each caller's type.
  // 0 iconst_0 1 istore_1 2 jsr 14 5 iload_1 6 pop 7 fconst_0 8 fstore_1
  // 9 jsr 14 12 fload_1 13 freturn 14 astore_0 15 ret 0
  check({1,
         2,
         {ICONST_0, ISTORE_1, JSR, 0, 12, ILOAD_1, POP, FCONST_0, FSTORE_1, JSR,
          0, 5, FLOAD_1, FRETURN, ASTORE_0, RET, 0}},
        nullptr, "()F");
  // One that it sets is as it leaves it.
  check({1,
         2,
         {JSR, 0, 6, ILOAD_1, IRETURN, NOP, ASTORE_0, ICONST_0, ISTORE_1, RET,
          0}},
        nullptr, "()I");
  // Two rets, a call of itself.
  check({1,
         1,
         {JSR, 0, 4, RETURN, ASTORE_0, ICONST_0, IFEQ, 0, 5, RET, 0, RET, 0}},
        "more than one ret");
  check({1, 1, {JSR, 0, 3, ASTORE_0, JSR, 0xff, 0xff, RETURN}}, "calls itself");
  // A nested one, left by the outer's return address.
  // 0 jsr 4 3 return 4 astore_0 5 jsr 9 8 nop 9 astore_1 10 ret 0
  check({1, 2, {JSR, 0, 4, RETURN, ASTORE_0, JSR, 0, 4, NOP, ASTORE_1, RET, 0}},
        nullptr);
  // A return address cannot be loaded again.
  check({1, 1, {JSR, 0, 4, RETURN, ASTORE_0, ALOAD_0, ASTORE_0, RET, 0}},
        "a reference in a local");
  // It returns to what would be beyond the code.
  check({1, 1, {GOTO, 0, 6, ASTORE_0, RET, 0, JSR, 0xff, 0xfd}},
        "control runs off the end");
}

TEST(Inference, Uninitialised) {
  ClassMaker C;
  C.Major = 49;
  uint16_t Object = C.Pool.cls("java/lang/Object");
  uint16_t Init = C.Pool.method("java/lang/Object", "<init>", "()V");
  auto Try = [&](Code Bytes, const char *Part,
                 std::vector<std::array<uint16_t, 4>> Handlers = {}) {
    C.Methods.clear();
    C.method({3, 2, Bytes, Handlers});
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try({NEW, 0, Object, DUP, INVOKESPECIAL, 0, Init, ASTORE_0, RETURN}, nullptr);
  // A backward branch with one in a local.
  Try({NOP, NEW, 0, Object, ASTORE_0, ICONST_0, IFEQ, 0xff, 0xff, RETURN},
      nullptr);
  Try({NOP, NEW, 0, Object, ASTORE_0, GOTO, 0xff, 0xfb}, nullptr);
  // And with one on the stack, back to its own new.
  Try({NEW, 0, Object, ICONST_0, IFEQ, 0xff, 0xff, POP, RETURN}, nullptr);
  Try({NEW, 0, Object, DUP, IF_ACMPEQ, 0, 3, RETURN}, "an object");
  Try({NEW, 0, Object, DUP, DUP, IF_ACMPEQ, 0, 4, NOP, RETURN}, "an object");
  Try({NEW, 0, Object, IFNULL, 0, 3, RETURN}, nullptr);
  Try({NEW, 0, Object, MONITORENTER, RETURN}, "an object");
  Try({NEW, 0, Object, ASTORE_0, NOP, RETURN, POP, RETURN}, nullptr,
      {{4, 5, 6, 0}});
}

TEST(Inference, Constructors) {
  auto Try = [](Code Bytes, const char *Part,
                std::vector<std::array<uint16_t, 4>> Handlers = {}) {
    ClassMaker C;
    C.Major = 49;
    uint16_t Super = C.Pool.method("java/lang/Object", "<init>", "()V");
    uint16_t Field = C.Pool.field("p/T", "f", "I");
    uint16_t Self = C.Pool.field("p/T", "o", "Ljava/lang/Object;");
    C.Fields = {{0, "f", "I", {}}, {0, "o", "Ljava/lang/Object;", {}}};
    for (int &B : Bytes)
      B = B == 1000 ? Super : B == 1001 ? Field : B == 1002 ? Self : B;
    C.method({3, 2, Bytes, Handlers}, ACC_PUBLIC, "<init>", "()V");
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try({RETURN}, "returns before");
  Try({ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN}, nullptr);
  Try({ALOAD_0, ICONST_0, PUTFIELD, 0, 1001, ALOAD_0, INVOKESPECIAL, 0, 1000,
       RETURN},
      nullptr);
  Try({ALOAD_0, ALOAD_0, PUTFIELD, 0, 1002, ALOAD_0, INVOKESPECIAL, 0, 1000,
       RETURN},
      nullptr);
  Try({ALOAD_0, GETFIELD, 0, 1001, POP, ALOAD_0, INVOKESPECIAL, 0, 1000,
       RETURN},
      "found uninitializedThis");
  // A handler may cover the call, if it does not return.
  Try({ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN, ATHROW}, nullptr,
      {{0, 4, 5, 0}});
  Try({ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN, POP, RETURN}, "returns before",
      {{0, 4, 5, 0}});
  Try({ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN, POP, GOTO, 0, 0}, nullptr,
      {{0, 4, 5, 0}});
}

TEST(Inference, SecondChanceOfVersion50) {
  // The frame is wrong, but nobody needs it.
  Body B{1, 1, {ICONST_0, IFEQ, 0, 3, RETURN}, {}, 1, {252, 0, 4, 1}};
  check(B, nullptr, "()V", 50);
  check(B, "not top", "()V", 51);
  // Frames that cannot be read give no second chance.
  ClassMaker C;
  C.Major = 50;
  C.method({1, 1, {ICONST_0, IFEQ, 0, 3, RETURN}, {}, 1, {68, 9}});
  refusedFormat(C, "unknown type tag 9");
}
