//===- TypeCheckerTest.cpp - Type checking (4.10.1) -----------------------===//
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

static constexpr uint16_t Static = ACC_PUBLIC | ACC_STATIC;

static void check(const Body &B, const char *Part, const char *Type = "()V",
                  unsigned Major = 61) {
  checkBody(B, Part, Type, Major);
}

/// A class whose constructor has the body; it has an int field f.
static ClassMaker constructor(const Body &B, unsigned Major = 61) {
  ClassMaker C;
  C.Major = uint16_t(Major);
  uint16_t Super = C.Pool.method("java/lang/Object", "<init>", "()V");
  uint16_t Field = C.Pool.field("p/T", "f", "I");
  C.Fields = {{0, "f", "I", {}}};
  // 1000 and 1001 stand for the two references.
  Body Copy = B;
  for (int &Byte : Copy.Bytes)
    Byte = Byte == 1000 ? Super : Byte == 1001 ? Field : Byte;
  C.method(Copy, ACC_PUBLIC, "<init>", "()V");
  return C;
}

TEST(StaticConstraints, Instructions) {
  check({1, 1, {202}}, "no instruction");
  check({1, 1, {254}}, "no instruction");
  check({1, 1, {BIPUSH}}, "no instruction");
  check({1, 1, {WIDE, NOP, 0, 0, RETURN}}, "no instruction");
  check({1, 1, {NOP}}, "control runs off the end");
  check({1, 1, {GOTO, 0, 1}, {}, 1, {1}}, "no instruction");
  check({1, 1, {JSR, 0, 3, RETURN}}, "subroutines cannot");
}

TEST(StaticConstraints, Operands) {
  check({1, 1, {ICONST_0, ISTORE, 1, RETURN}}, "beyond max_locals");
  check({2, 2, {LCONST_0, LSTORE, 1, RETURN}}, "beyond max_locals");
  check({2, 2, {LCONST_0, LSTORE_0, RETURN}}, nullptr);
  check({1, 1, {ICONST_0, NEWARRAY, 3, POP, RETURN}}, "newarray");
  check({1, 1, {ICONST_0, NEWARRAY, 11, POP, RETURN}}, nullptr);
  check({1, 1, {LDC, 1, POP, RETURN}}, "constant 1 is of the wrong kind");
  check({1, 1, {LDC, 99, POP, RETURN}}, "constant 99 is of the wrong kind");
  check({1, 1, {NEW, 0, 1, POP, RETURN}}, "constant 1 is of the wrong kind");
  check({1, 1, {GETSTATIC, 0, 1, POP, RETURN}}, "wrong kind");
  check({1, 1, {INVOKESTATIC, 0, 1, RETURN}}, "wrong kind");
  check({1, 1, {GOTO, 0, 99}}, "branches to 99");
  check({1, 1, {GOTO, 0xff, 0xff}}, "branches to -1");
  // The first instruction has no frame to branch back to.
  check({1, 1, {GOTO, 0, 0}}, "where no frame is declared");
  check({1, 1, {GOTO, 0, 0}, {}, 1, {0}}, nullptr);
}

TEST(StaticConstraints, Switches) {
  // 0 iconst_0; 1 switch with its default at 20; 20 return
  auto Table = [](int Low, int High) {
    return Code{ICONST_0, TABLESWITCH, 0, 0, 0,    0, 0, 19, 0,  0,     0,
                Low,      0,           0, 0, High, 0, 0, 0,  19, RETURN};
  };
  check({1, 1, Table(0, 0), {}, 1, {20}}, nullptr);
  check({1, 1, Table(1, 0), {}, 1, {20}}, "no instruction");
  Code Padded = Table(0, 0);
  Padded[2] = 1;
  check({1, 1, Padded, {}, 1, {20}}, nullptr);
  check({1, 1, Padded, {}, 1, {20}}, "padding", "()V", 49);
  auto Lookup = [](int A, int B) {
    return Code{ICONST_0, LOOKUPSWITCH,
                0,        0,
                0,        0,
                0,        27,
                0,        0,
                0,        2,
                0,        0,
                0,        A,
                0,        0,
                0,        27,
                0,        0,
                0,        B,
                0,        0,
                0,        27,
                RETURN};
  };
  check({1, 1, Lookup(1, 2), {}, 1, {28}}, nullptr);
  check({1, 1, Lookup(2, 2), {}, 1, {28}}, "not sorted");
  check({1, 1, Lookup(2, 1), {}, 1, {28}}, "not sorted");
}

TEST(StaticConstraints, Calls) {
  auto Call = [](uint8_t Tag, const char *Name, Code Bytes, const char *Part,
                 unsigned Major = 61, const char *Type = "()V") {
    ClassMaker C;
    C.Major = uint16_t(Major);
    uint16_t Ref = C.Pool.ref(Tag, "p/T", Name, Type);
    for (int &B : Bytes)
      B = B == 1000 ? Ref : B;
    C.method({2, 0, Bytes});
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Call(10, "a", {INVOKESTATIC, 0, 1000, RETURN}, nullptr);
  Call(11, "a", {INVOKESTATIC, 0, 1000, RETURN}, nullptr);
  Call(11, "a", {INVOKESTATIC, 0, 1000, RETURN}, "wrong kind", 51);
  Call(11, "a", {ACONST_NULL, INVOKEVIRTUAL, 0, 1000, RETURN}, "wrong kind");
  Call(10, "<init>", {INVOKESTATIC, 0, 1000, RETURN}, "of <init>");
  Call(10, "a", {ACONST_NULL, INVOKEINTERFACE, 0, 1000, 1, 0, RETURN},
       "wrong kind");
  Call(11, "a", {ACONST_NULL, INVOKEINTERFACE, 0, 1000, 1, 0, RETURN}, nullptr);
  Call(11, "a", {ACONST_NULL, INVOKEINTERFACE, 0, 1000, 2, 0, RETURN},
       "the count of invokeinterface");
  Call(11, "a", {ACONST_NULL, INVOKEINTERFACE, 0, 1000, 1, 1, RETURN},
       "fourth operand byte");
}

TEST(StaticConstraints, Dynamic) {
  auto Make = [](Code Bytes, const char *Part) {
    ClassMaker C;
    uint16_t Handle = C.Pool.method("p/T", "b", "()V");
    uint16_t Boot = C.Pool.raw(15, {6, uint8_t(Handle >> 8), uint8_t(Handle)});
    uint16_t Indy = C.Pool.two(18, 0, C.Pool.nameAndType("a", "()I"));
    uint16_t Condy = C.Pool.two(17, 0, C.Pool.nameAndType("a", "I"));
    uint16_t Wide = C.Pool.two(17, 0, C.Pool.nameAndType("a", "J"));
    C.Attributes = {{"BootstrapMethods", {0, 1, 0, uint8_t(Boot), 0, 0}}};
    for (int &B : Bytes)
      B = B == 1000 ? Indy : B == 1001 ? Condy : B == 1002 ? Wide : B;
    C.method({2, 2, Bytes});
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Make({INVOKEDYNAMIC, 0, 1000, 0, 0, ISTORE_0, RETURN}, nullptr);
  Make({INVOKEDYNAMIC, 0, 1000, 0, 1, ISTORE_0, RETURN}, "not zero");
  Make({INVOKEDYNAMIC, 0, 1000, 0, 0, ASTORE_0, RETURN}, "a reference");
  Make({LDC, 1001, ISTORE_0, RETURN}, nullptr);
  Make({LDC, 1002, LSTORE_0, RETURN}, "wrong kind");
  Make({LDC2_W, 0, 1002, LSTORE_0, RETURN}, nullptr);
  Make({LDC2_W, 0, 1001, ISTORE_0, RETURN}, "wrong kind");
}

TEST(StaticConstraints, Arrays) {
  auto Make = [](const char *Class, Code Bytes, const char *Part) {
    ClassMaker C;
    uint16_t I = C.Pool.cls(Class);
    for (int &B : Bytes)
      B = B == 1000 ? I : B;
    C.method({2, 0, Bytes});
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  std::string Deep(255, '[');
  Make("[I", {NEW, 0, 1000, POP, RETURN}, "new of an array");
  Make((Deep + "I").c_str(), {ICONST_0, ANEWARRAY, 0, 1000, POP, RETURN},
       "more than 255 dimensions");
  Make("[[I", {ICONST_0, ICONST_0, MULTIANEWARRAY, 0, 1000, 2, POP, RETURN},
       nullptr);
  Make("[I", {ICONST_0, ICONST_0, MULTIANEWARRAY, 0, 1000, 2, POP, RETURN},
       "multianewarray of 2 dimensions");
  Make("[I", {MULTIANEWARRAY, 0, 1000, 0, POP, RETURN},
       "multianewarray of 0 dimensions");
}

TEST(TypeChecker, Stack) {
  check({1, 0, {POP, RETURN}}, "stack is empty");
  check({1, 0, {ICONST_0, ICONST_0, RETURN}}, "stack overflows");
  check({1, 0, {LCONST_0, RETURN}}, "stack overflows");
  check({2, 0, {ICONST_0, FCONST_0, IADD, POP, RETURN}}, "expected int");
  check({2, 0, {LCONST_0, POP, RETURN}}, "a value of one slot");
  check({3, 0, {LCONST_0, ICONST_0, POP2, RETURN}}, "a value of one slot");
  check({2, 0, {LCONST_0, POP2, RETURN}}, nullptr);
  check({3, 0, {ICONST_0, LCONST_0, SWAP, RETURN}}, "a value of one slot");
  check({5, 0, {ICONST_0, LCONST_0, DUP2_X1, RETURN}}, nullptr);
  check({6, 0, {LCONST_0, ICONST_0, DUP2_X1, RETURN}}, "a value of one slot");
  check({6, 0, {LCONST_0, LCONST_0, DUP2_X2, RETURN}}, nullptr);
  check({5, 0, {LCONST_0, LCONST_0, DUP2_X2, RETURN}}, "overflows");
  check({4, 0, {LCONST_0, ICONST_0, DUP_X2, RETURN}}, nullptr);
  check({4, 0, {LCONST_0, ICONST_0, DUP_X1, RETURN}}, "a value of one slot");
}

TEST(TypeChecker, Locals) {
  check({1, 1, {ILOAD_0, POP, RETURN}}, "expected int in a local, found top");
  check({1, 1, {ALOAD_0, POP, RETURN}}, "expected a reference in a local");
  check({2, 2, {LCONST_0, LSTORE_0, ICONST_0, ISTORE_1, LLOAD_0, POP2, RETURN}},
        "expected long");
  check({2, 3, {LCONST_0, LSTORE_1, ICONST_0, ISTORE_1, ILOAD_2, POP, RETURN}},
        "expected int");
  check({1, 1, {IINC, 0, 1, RETURN}}, "expected int");
  check({1, 1, {IINC, 0, 1, RETURN}}, nullptr, "(Z)V");
  check({1, 1, {FLOAD_0, POP, RETURN}}, nullptr, "(F)V");
  check({2, 2, {DLOAD_0, POP2, RETURN}}, nullptr, "(D)V");
}

TEST(TypeChecker, Arrays) {
  check({2, 1, {ALOAD_0, ICONST_0, BALOAD, POP, RETURN}}, nullptr, "([Z)V");
  check({2, 1, {ALOAD_0, ICONST_0, BALOAD, POP, RETURN}}, nullptr, "([B)V");
  check({2, 1, {ALOAD_0, ICONST_0, CALOAD, POP, RETURN}}, "expected [C",
        "([B)V");
  check({2, 1, {ALOAD_0, ICONST_0, AALOAD, POP, RETURN}},
        "an array of references", "([B)V");
  check({2, 1, {ALOAD_0, ICONST_0, AALOAD, ARRAYLENGTH, POP, RETURN}}, nullptr,
        "([[B)V");
  check({2, 1, {ACONST_NULL, ICONST_0, AALOAD, ICONST_0, LALOAD, POP2, RETURN}},
        nullptr);
  check({1, 1, {ALOAD_0, ARRAYLENGTH, POP, RETURN}}, "an array",
        "(Ljava/lang/String;)V");
  check({3, 1, {ALOAD_0, ICONST_0, ICONST_0, AASTORE, RETURN}}, "an object",
        "([Ljava/lang/String;)V");
  check({3, 1, {ALOAD_0, ICONST_0, ALOAD_0, AASTORE, RETURN}}, nullptr,
        "([Ljava/lang/String;)V");
}

TEST(TypeChecker, Returns) {
  check({1, 0, {ICONST_0, IRETURN}}, "as result");
  check({1, 0, {RETURN}}, "without a value", "()I");
  check({1, 0, {FCONST_0, FRETURN}}, "as result", "()I");
  check({1, 0, {ICONST_0, IRETURN}}, nullptr, "()C");
  check({1, 0, {ACONST_NULL, ARETURN}}, nullptr, "()[I");
  check({1, 1, {ALOAD_0, ARETURN}}, "as result",
        "(Ljava/lang/Object;)Ljava/lang/String;");
  check({1, 1, {ALOAD_0, ARETURN}}, nullptr,
        "(Ljava/lang/String;)Ljava/lang/Object;");
  check({1, 1, {ALOAD_0, ARETURN}}, nullptr,
        "([Ljava/lang/String;)[Ljava/lang/Object;");
  check({1, 1, {ALOAD_0, ARETURN}}, nullptr, "([[I)[Ljava/lang/Object;");
  check({1, 1, {ALOAD_0, ARETURN}}, "as result", "([I)[Ljava/lang/Object;");
  check({1, 1, {ALOAD_0, ARETURN}}, nullptr, "([I)Ljava/lang/Cloneable;");
  check({1, 1, {ALOAD_0, ARETURN}}, "as result", "([I)Ljava/lang/Runnable;");
  check({1, 1, {ALOAD_0, ATHROW}}, "expected java/lang/Throwable",
        "(Ljava/lang/Object;)V", 61);
}

TEST(TypeChecker, Frames) {
  Code If{ICONST_0, IFEQ, 0, 3, RETURN};
  check({1, 0, If}, "where no frame is declared");
  check({1, 0, If, {}, 1, {4}}, nullptr);
  check({1, 1, If, {}, 1, {252, 0, 4, 1}}, "not top");
  check({1, 1, If, {}, 1, {252, 0, 4, 0}}, nullptr);
  check({1, 1, If, {}, 1, {68, 1}}, "has 1 stack slots, not 0");
  check({1, 0, {GOTO, 0, 4, NOP, RETURN}, {}, 1, {4}}, "no frame after");
  check({1, 0, {GOTO, 0, 4, NOP, RETURN}, {}, 2, {3, 0}}, nullptr);
  check({1, 0, {BIPUSH, 0, IFEQ, 0, 3, RETURN}, {}, 1, {1}},
        "which is no instruction");
  check({1,
         2,
         {ICONST_0, IFEQ, 0, 4, NOP, RETURN},
         {},
         2,
         {252, 0, 4, 0, 250, 0, 0}},
        nullptr, "(I)V");
  check({1, 0, {RETURN}, {}, 1, {1}}, "which is no instruction");
}

static void frames(const Body &B, const char *Part) {
  ClassMaker C;
  C.Pool.utf8("x");
  C.method(B);
  refusedFormat(C, Part);
}

TEST(TypeChecker, FrameFormat) {
  Code If{ICONST_0, IFEQ, 0, 3, RETURN};
  frames({1, 1, If, {}, 1, {128}}, "reserved frame type 128");
  frames({1, 1, If, {}, 1, {68, 9}}, "unknown type tag 9");
  frames({1, 1, If, {}, 1, {68, 7, 0, 1}}, "no class constant");
  frames({1, 1, If, {}, 1, {68, 8, 0, 0}}, "refers to no new");
  frames({1, 1, If, {}, 1, {250, 0, 4}}, "drops more locals");
  frames({1, 0, If, {}, 1, {252, 0, 4, 1}}, "more locals than max_locals");
  frames({0, 1, If, {}, 1, {68, 1}}, "deeper stack than max_stack");
  frames({1, 1, If, {}, 1, {4, 0}}, "after the last frame");
  frames({1, 1, If, {}, 2, {4}}, "ends too early");
  check({1, 1, {RETURN}, {}, 0, {}, {{"StackMapTable", {0, 0, 7}}}}, nullptr);
}

TEST(TypeChecker, Handlers) {
  ClassMaker C;
  uint16_t Throwable = C.Pool.cls("java/lang/Throwable");
  uint16_t String = C.Pool.cls("java/lang/String");
  Body B{1,
         1,
         {NOP, RETURN, POP, RETURN},
         {{0, 1, 2, 0}},
         1,
         {66, 7, 0, Throwable}};
  C.method(B);
  accepted(C);
  C.Methods.clear();
  B.Handlers = {{0, 1, 2, String}};
  C.method(B);
  refusedVerify(C, "which is no Throwable");
  check({1, 1, {NOP, RETURN, POP, RETURN}, {{0, 1, 2, 0}}}, "has no frame");
  check({1, 1, {NOP, RETURN, POP, RETURN}, {{0, 1, 2, 0}}, 1, {66, 1}},
        "the caught java/lang/Throwable");
  C.Methods.clear();
  C.method({2,
            1,
            {BIPUSH, 0, POP, RETURN, POP, RETURN},
            {{1, 2, 4, 0}},
            1,
            {68, 7, 0, Throwable}});
  refusedFormat(C, "does not start, end or continue");
  // A local that the handler declares changes within its range.
  ClassMaker D;
  Throwable = D.Pool.cls("java/lang/Throwable");
  Body E{1,
         1,
         {ICONST_0, ISTORE_0, FCONST_0, FSTORE_0, RETURN, POP, RETURN},
         {{2, 5, 5, 0}},
         1,
         {255, 0, 5, 0, 1, 1, 0, 1, 7, 0, Throwable}};
  D.method(E);
  refusedVerify(D, "has int in local 0, not float");
  D.Methods.clear();
  E.Handlers = {{2, 4, 5, 0}};
  D.method(E);
  accepted(D);
}

TEST(TypeChecker, Constructors) {
  ClassMaker A = constructor({2, 1, {RETURN}});
  refusedVerify(A, "returns before");
  ClassMaker B = constructor({2, 1, {ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN}});
  accepted(B);
  ClassMaker C = constructor({2,
                              1,
                              {ALOAD_0, ICONST_0, PUTFIELD, 0, 1001, ALOAD_0,
                               INVOKESPECIAL, 0, 1000, RETURN}});
  accepted(C);
  ClassMaker D = constructor({2,
                              1,
                              {ALOAD_0, GETFIELD, 0, 1001, POP, ALOAD_0,
                               INVOKESPECIAL, 0, 1000, RETURN}});
  refusedVerify(D, "found uninitializedThis");
  ClassMaker E = constructor(
      {2,
       1,
       {ALOAD_0, DUP, INVOKESPECIAL, 0, 1000, INVOKESPECIAL, 0, 1000, RETURN}});
  refusedVerify(E, "expected an uninitialised object");
  ClassMaker F = constructor({2,
                              1,
                              {ALOAD_0, ALOAD_0, IF_ACMPEQ, 0, 3, ALOAD_0,
                               INVOKESPECIAL, 0, 1000, RETURN},
                              {},
                              1,
                              {5}});
  accepted(F);
  F.Major = 72;
  refusedVerify(F, "found uninitializedThis");
  ClassMaker G = constructor(
      {2, 1, {ALOAD_0, MONITORENTER, ALOAD_0, INVOKESPECIAL, 0, 1000, RETURN}});
  accepted(G);
  G.Major = 72;
  accepted(G);
  // No handler may cover the call.
  ClassMaker H;
  uint16_t Super = H.Pool.method("java/lang/Object", "<init>", "()V");
  uint16_t Throwable = H.Pool.cls("java/lang/Throwable");
  H.method({2,
            1,
            {ALOAD_0, INVOKESPECIAL, 0, Super, RETURN, ATHROW},
            {{0, 4, 5, 0}},
            1,
            {255, 0, 5, 0, 1, 6, 0, 1, 7, 0, Throwable}},
           ACC_PUBLIC, "<init>", "()V");
  refusedVerify(H, "covers the call of another constructor");
  ClassMaker I;
  Super = I.Pool.method("java/lang/Number", "<init>", "()V");
  I.method({2, 1, {ALOAD_0, INVOKESPECIAL, 0, Super, RETURN}}, ACC_PUBLIC,
           "<init>", "()V");
  refusedVerify(I, "neither this class nor its superclass");
  // The flag must not be forgotten at a merge.
  ClassMaker J;
  Super = J.Pool.method("java/lang/Object", "<init>", "()V");
  J.method(
      {2, 1, {ICONST_0, IFEQ, 0, 3, RETURN}, {}, 1, {255, 0, 4, 0, 0, 0, 0}},
      ACC_PUBLIC, "<init>", "()V");
  refusedVerify(J, "forgets");
}

TEST(TypeChecker, NewObjects) {
  ClassMaker C;
  uint16_t Object = C.Pool.cls("java/lang/Object");
  uint16_t Init = C.Pool.method("java/lang/Object", "<init>", "()V");
  uint16_t Thread = C.Pool.method("java/lang/Thread", "<init>", "()V");
  auto Try = [&](Code Bytes, const char *Part, unsigned Frames = 0,
                 Code Table = {}) {
    C.Methods.clear();
    C.method({3, 2, Bytes, {}, Frames, Table});
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try({NEW, 0, Object, DUP, INVOKESPECIAL, 0, Init, ASTORE_0, RETURN}, nullptr);
  Try({NEW, 0, Object, DUP, INVOKESPECIAL, 0, Thread, ASTORE_0, RETURN},
      "calls a constructor of java/lang/Thread");
  Try({NEW, 0, Object, CHECKCAST, 0, Object, POP, RETURN}, "an object");
  Try({ACONST_NULL, INVOKESPECIAL, 0, Init, RETURN},
      "expected an uninitialised object");
  // An uninitialised object on a backward branch, and the same new twice.
  Try({NEW, 0, Object, ASTORE_0, ICONST_0, IFEQ, 0xff, 0xfb, RETURN},
      "where no frame is declared");
  Try({NOP, NEW, 0, Object, ASTORE_0, ICONST_0, IFEQ, 0xff, 0xff, RETURN},
      nullptr, 1, {252, 0, 5, 8, 0, 1});
  Try({GOTO, 0, 3, NEW, 0, Object, ASTORE_0, ICONST_0, IFEQ, 0xff, 0xfb,
       RETURN},
      nullptr, 1, {3});
  Try({ACONST_NULL, ASTORE_0, NEW, 0, Object, ASTORE_1, ALOAD_1, ASTORE_0, GOTO,
       0xff, 0xfa},
      "not null", 1, {253, 0, 2, 8, 0, 2, 0});
}

TEST(TypeChecker, Fields) {
  ClassMaker C;
  uint16_t F = C.Pool.field("java/awt/Point", "x", "I");
  uint16_t A = C.Pool.field("[I", "x", "I");
  auto Try = [&](Code Bytes, const char *Part, const char *Type) {
    C.Methods.clear();
    C.method({3, 2, Bytes}, Static, "m", Type);
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try({GETSTATIC, 0, F, POP, RETURN}, nullptr, "()V");
  Try({FCONST_0, PUTSTATIC, 0, F, RETURN}, "expected int", "()V");
  Try({ALOAD_0, GETFIELD, 0, F, POP, RETURN}, nullptr, "(Ljava/awt/Point;)V");
  Try({ALOAD_0, GETFIELD, 0, F, POP, RETURN}, "expected java/awt/Point",
      "([I)V");
  Try({ALOAD_0, ICONST_0, PUTFIELD, 0, F, RETURN}, nullptr,
      "(Ljava/awt/Point;)V");
  Try({ALOAD_0, GETFIELD, 0, A, POP, RETURN}, "field of an array", "([I)V");
  Try({GETSTATIC, 0, A, POP, RETURN}, nullptr, "()V");
}

TEST(TypeChecker, Calls) {
  ClassMaker C;
  uint16_t Virtual = C.Pool.method("java/lang/Thread", "a", "(IJ)I");
  uint16_t Special = C.Pool.method("java/lang/Thread", "a", "()V");
  uint16_t Interface = C.Pool.ref(11, "java/lang/Runnable", "run", "()V");
  uint16_t Own = C.Pool.method("p/T", "a", "()V");
  auto Try = [&](Code Bytes, const char *Part, const char *Type = "()V",
                 uint16_t Flags = Static) {
    C.Methods.clear();
    C.method({4, 4, Bytes}, Flags, "m", Type);
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try({ALOAD_0, ICONST_0, LCONST_0, INVOKEVIRTUAL, 0, Virtual, IRETURN},
      nullptr, "(Ljava/lang/Thread;)I");
  Try({ALOAD_0, LCONST_0, ICONST_0, INVOKEVIRTUAL, 0, Virtual, IRETURN},
      "expected long", "(Ljava/lang/Thread;)I");
  Try({ALOAD_0, ICONST_0, LCONST_0, INVOKEVIRTUAL, 0, Virtual, IRETURN},
      "expected java/lang/Thread", "([I)I");
  Try({ALOAD_0, INVOKESPECIAL, 0, Own, RETURN}, nullptr, "()V", ACC_PUBLIC);
  Try({ALOAD_0, INVOKESPECIAL, 0, Interface, RETURN}, "no direct one", "()V",
      ACC_PUBLIC);
  Try({ALOAD_0, INVOKEINTERFACE, 0, Interface, 1, 0, RETURN}, nullptr,
      "(Ljava/lang/Object;)V");
  Try({ALOAD_0, INVOKEINTERFACE, 0, Interface, 1, 0, RETURN},
      "expected java/lang/Runnable", "([I)V");
  C.Interfaces = {"java/lang/Runnable"};
  Try({ALOAD_0, INVOKESPECIAL, 0, Interface, RETURN}, nullptr, "()V",
      ACC_PUBLIC);
  (void)Special;
}
