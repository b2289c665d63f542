//===- LinkageTest.cpp - Other classes ------------------------------------===//
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

static constexpr uint16_t Static = ACC_PUBLIC | ACC_STATIC;

static void incompatible(ClassMaker &C, const char *Part) {
  refused(C, FindingKind::IncompatibleClassChange, Part);
}

TEST(Linkage, Supertypes) {
  ClassMaker A;
  A.Super = "java/lang/Runnable";
  incompatible(A, "which is an interface");
  ClassMaker B;
  B.Super = "java/lang/String";
  incompatible(B, "which is final");
  ClassMaker C;
  C.Interfaces = {"java/lang/Thread"};
  incompatible(C, "which is no interface");
  ClassMaker D;
  D.Super = "java/lang/Thread";
  D.method({0, 1, {RETURN}}, ACC_PUBLIC, "join", "()V");
  incompatible(D, "overrides the final method java/lang/Thread.join()V");
  ClassMaker E;
  E.Super = "java/lang/Thread";
  E.method({0, 2, {RETURN}}, ACC_PUBLIC, "join", "(I)V");
  accepted(E);
  // Nothing is known: nothing is wrong.
  EXPECT_TRUE(verifyClass(A.make()).empty());
  EXPECT_TRUE(verifyClass(D.make()).empty());
}

TEST(Linkage, Sealed) {
  ClassMaker S;
  S.Name = "p/S";
  uint16_t T = S.Pool.cls("p/T");
  S.Attributes = {{"PermittedSubclasses", {0, 1, uint8_t(T >> 8), uint8_t(T)}}};
  MemoryHierarchy H;
  ASSERT_FALSE(bool(H.addClass(S.make())));
  VerifyOptions Options;
  Options.Hierarchy = &H;
  ClassMaker C;
  C.Super = "p/S";
  EXPECT_EQ(printed(verifyClass(C.make(), Options)), "");
  C.Name = "p/U";
  EXPECT_EQ(printed(verifyClass(C.make(), Options)),
            "IncompatibleClassChangeError: p/U: is not permitted by the sealed "
            "class p/S [5.3.5]\n");
}

TEST(Linkage, ProtectedMembers) {
  // clone() of Object is protected, and of another package.
  ClassMaker C;
  uint16_t Clone =
      C.Pool.method("java/lang/Object", "clone", "()Ljava/lang/Object;");
  auto Try = [&](const char *Type, const char *Part) {
    C.Methods.clear();
    C.method({1, 1, {ALOAD_0, INVOKEVIRTUAL, 0, Clone, POP, RETURN}}, Static,
             "m", Type);
    if (Part)
      refusedVerify(C, Part);
    else
      accepted(C);
  };
  Try("(Lp/T;)V", nullptr);
  Try("([I)V", nullptr);
  Try("(Ljava/lang/Object;)V", "protected member clone");
  Try("(Ljava/lang/Thread;)V", "protected member clone");
  // As the receiver of an interface's method, Object is not good enough.
  C.Flags = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
  Try("(Ljava/lang/Object;)V", "protected member clone");
}

TEST(Linkage, Hierarchy) {
  MemoryHierarchy H;
  EXPECT_EQ(H.lookup("p/T"), nullptr);
  ClassMaker C;
  C.Interfaces = {"p/I"};
  C.Fields = {{ACC_PRIVATE, "f", "I", {}}};
  C.method({0, 0, {RETURN}});
  ASSERT_FALSE(bool(H.addClass(C.make())));
  const ClassInfo *Info = H.lookup("p/T");
  ASSERT_NE(Info, nullptr);
  EXPECT_EQ(Info->Super, "java/lang/Object");
  ASSERT_EQ(Info->Interfaces.size(), 1u);
  EXPECT_EQ(Info->Interfaces[0], "p/I");
  EXPECT_NE(Info->findField("f", "I"), nullptr);
  EXPECT_NE(Info->findMethod("m", "()V"), nullptr);
  EXPECT_EQ(Info->findMethod("m", "()I"), nullptr);
  EXPECT_FALSE(Info->isInterface());
  // The first of a name stays.
  C.Super = "p/Other";
  ASSERT_FALSE(bool(H.addClass(C.make())));
  EXPECT_EQ(H.lookup("p/T")->Super, "java/lang/Object");
  std::vector<uint8_t> Bytes = C.make();
  C.Name = "p/U";
  Bytes = C.make();
  for (size_t N = 0; N + 8 < Bytes.size(); ++N) {
    llvm::Error E = H.addClass(llvm::ArrayRef(Bytes).take_front(N));
    EXPECT_TRUE(bool(E)) << N;
    llvm::consumeError(std::move(E));
  }
}

TEST(Linkage, CyclesEnd) {
  MemoryHierarchy H;
  ClassMaker A, B;
  A.Name = "p/A";
  A.Super = "p/B";
  B.Name = "p/B";
  B.Super = "p/A";
  ASSERT_FALSE(bool(H.addClass(A.make())));
  ASSERT_FALSE(bool(H.addClass(B.make())));
  VerifyOptions Options;
  Options.Hierarchy = &H;
  ClassMaker C;
  C.Super = "p/A";
  C.Major = 49;
  C.method({1, 2, {ALOAD_0, ARETURN}}, Static, "m", "(Lp/A;)Lp/T;");
  C.method(
      {1, 2, {ICONST_0, IFEQ, 0, 7, ALOAD_0, GOTO, 0, 4, ALOAD_1, ARETURN}},
      Static, "n", "(Lp/A;Lp/T;)Lp/T;");
  verifyClass(C.make(), Options);
}

TEST(Findings, AreAllReported) {
  ClassMaker C;
  C.method({1, 0, {POP, RETURN}}, Static, "a");
  C.method({1, 0, {RETURN}}, Static, "b");
  C.method({1, 0, {ICONST_0, IRETURN}}, Static, "c");
  EXPECT_EQ(printed(verifyClass(C.make())),
            "VerifyError: p/T.a()V @0: the operand stack is empty "
            "[4.10.1.9]\n"
            "VerifyError: p/T.c()V @1: expected top as result, found int "
            "[4.10.1.9.return]\n");
  VerifyOptions Options;
  Options.MaxFindings = 1;
  EXPECT_EQ(verifyClass(C.make(), Options).size(), 1u);
}

TEST(Findings, StayOnOneLine) {
  ClassMaker C;
  C.method({1, 0, {POP, RETURN}}, Static, "a\nb\xc3\xa9");
  EXPECT_EQ(printed(verifyClass(C.make())),
            "VerifyError: p/T.a\\nb\\u00e9()V @0: the operand stack is empty "
            "[4.10.1.9]\n");
}
