//===- FormatTest.cpp - Format checking (4.8) -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;

static const ClassMaker::Body JustReturn{0, 0, {op::RETURN}};
static constexpr uint16_t Static = ACC_PUBLIC | ACC_STATIC;

TEST(Format, Simplest) {
  for (unsigned Major = 45; Major <= NewestMajorVersion; ++Major) {
    ClassMaker C;
    C.Major = uint16_t(Major);
    C.method(JustReturn);
    accepted(C);
  }
}

TEST(Format, EveryPrefixIsRefused) {
  ClassMaker C;
  C.method({1, 0, {op::ICONST_0, op::IFEQ, 0, 3, op::RETURN}, {}, 1, {4}});
  accepted(C);
  std::vector<uint8_t> B = C.make();
  for (size_t N = 0; N < B.size(); ++N)
    EXPECT_FALSE(verifyClass(Bytes(B).take_front(N)).empty()) << N;
  B.push_back(0);
  EXPECT_EQ(verifyClass(B)[0].Message, "bytes after the end of the class");
}

TEST(Format, Magic) {
  ClassMaker C;
  std::vector<uint8_t> B = C.make();
  B[0] = 0;
  EXPECT_EQ(printed(verifyClass(B)),
            "ClassFormatError: bad magic number [4.8]\n");
}

TEST(Format, Version) {
  auto Version = [](unsigned Major, unsigned Minor) {
    ClassMaker C;
    C.Major = uint16_t(Major);
    C.Minor = uint16_t(Minor);
    return C;
  };
  for (auto [Major, Minor] : {std::pair(44, 0), std::pair(73, 0),
                              std::pair(56, 1), std::pair(60, 65535)}) {
    ClassMaker C = Version(unsigned(Major), unsigned(Minor));
    refused(C, FindingKind::UnsupportedVersion, "class file version");
  }
  ClassMaker Old = Version(55, 7);
  accepted(Old);
  ClassMaker Preview = Version(NewestMajorVersion, 65535);
  refused(Preview, FindingKind::UnsupportedVersion, "needs preview features");
  VerifyOptions Options;
  Options.EnablePreview = true;
  EXPECT_TRUE(verifyClass(Preview.make(), Options).empty());
  // Of another JVM.
  Options.Newest = 75;
  EXPECT_TRUE(verifyClass(Version(75, 65535).make(), Options).empty());
  EXPECT_TRUE(verifyClass(Version(73, 0).make(), Options).empty());
  EXPECT_FALSE(verifyClass(Preview.make(), Options).empty());
  EXPECT_FALSE(verifyClass(Version(76, 0).make(), Options).empty());
}

TEST(Format, PoolIndices) {
  auto With = [](uint8_t Tag, std::vector<uint8_t> Data, const char *Part) {
    ClassMaker C;
    C.Pool.raw(Tag, Data);
    refusedFormat(C, Part);
  };
  With(7, {0, 99}, "refers to an entry");
  With(8, {0, 1}, "refers to an entry");
  With(9, {0, 1, 0, 1}, "refers to an entry");
  With(12, {0, 1, 0, 1}, "refers to an entry");
  With(15, {0, 0, 1}, "refers to an entry");
  With(16, {0, 1}, "refers to an entry");
  With(17, {0, 0, 0, 1}, "refers to an entry");
  With(18, {0, 0, 0, 1}, "refers to an entry");
  With(2, {}, "unknown tag 2");
  With(1, {0, 1, 0}, "no modified UTF-8");
  With(1, {0, 2, 0xc1, 0x81}, "no modified UTF-8");
  With(1, {0, 1, 0xff}, "no modified UTF-8");
  With(19, {0, 1}, "refers to an entry");
}

TEST(Format, PoolTagsAndVersions) {
  ClassMaker C;
  C.Major = 50;
  C.Pool.one(16, C.Pool.utf8("()V"));
  refusedFormat(C, "not known before version 51");
  ClassMaker D;
  D.Major = 54;
  D.Pool.two(17, 0, D.Pool.nameAndType("a", "I"));
  refusedFormat(D, "not known before version 55");
  ClassMaker M;
  M.Pool.one(20, M.Pool.utf8("p"));
  refusedFormat(M, "in a class that is no module");
  ClassMaker U;
  U.Major = 47;
  U.Pool.raw(1, {0, 2, 0xc1, 0x81});
  accepted(U);
}

TEST(Format, LongTakesTwo) {
  ClassMaker C;
  C.Pool.raw(5, {0, 0, 0, 0, 0, 0, 0, 1}, 1);
  std::vector<uint8_t> B = C.make();
  EXPECT_FALSE(verifyClass(B).empty());
}

TEST(Format, Names) {
  auto Class = [](const char *Name, unsigned Major, bool Ok) {
    ClassMaker C;
    C.Major = uint16_t(Major);
    C.Pool.cls(Name);
    if (Ok)
      accepted(C);
    else
      refusedFormat(C, "bad class name");
  };
  Class("a/b-c", 49, true);
  Class("a/b-c", 48, false);
  Class("1a", 49, true);
  Class("1a", 48, false);
  Class("a/1", 48, true);
  Class("a/", 48, false);
  Class("/a", 48, true);
  Class("a//b", 48, false);
  for (const char *Bad : {"", "a.b", "a;", "a[", "/a", "a/", "a//b", "[", "[a",
                          "[La", "[V", "[La;b", "[L;", "[La/;"})
    Class(Bad, 61, false);
  Class("[[La/b;", 61, true);
  Class((std::string(255, '[') + "I").c_str(), 61, true);
  Class((std::string(256, '[') + "I").c_str(), 61, false);
  Class("a<b>", 61, true);
}

TEST(Format, NameAndType) {
  auto Check = [](const char *Name, const char *Type, const char *Part,
                  unsigned Major = 61) {
    ClassMaker C;
    C.Major = uint16_t(Major);
    C.Pool.nameAndType(Name, Type);
    if (Part)
      refusedFormat(C, Part);
    else
      accepted(C);
  };
  Check("a", "I", nullptr);
  Check("a b", "I", nullptr);
  Check("a<", "I", nullptr);
  Check("a b", "I", "bad field name", 48);
  Check("a/", "I", "bad field name");
  Check("", "I", "bad field name");
  Check("a", "V", "bad field descriptor");
  Check("a", "La", "bad field descriptor");
  Check("a", "", "bad field descriptor");
  Check("a", "II", "bad field descriptor");
  Check("a", "()V", nullptr);
  Check("a<", "()V", "bad method name");
  Check("<a>", "()V", "bad method name");
  Check("<init>", "()I", nullptr);
  Check("<clinit>", "(I)V", nullptr);
  Check("a", "()", "bad method descriptor");
  Check("a", "(V)V", "bad method descriptor");
  Check("a", "(I", "bad method descriptor");
  Check("a", "()VV", "bad method descriptor");
  Check("a", "(Ljava.lang.String;)V", "bad method descriptor");
}

TEST(Format, Refs) {
  ClassMaker A;
  A.Pool.field("p/T", "a", "()V");
  refusedFormat(A, "that of a method");
  ClassMaker B;
  B.Pool.method("p/T", "a", "I");
  refusedFormat(B, "that of a field");
  ClassMaker C;
  C.Pool.method("p/T", "<clinit>", "()V");
  refusedFormat(C, "bad method name");
  ClassMaker D;
  D.Pool.method("p/T", "<init>", "()I");
  refusedFormat(D, "returns something");
}

TEST(Format, MethodHandles) {
  auto Check = [](uint8_t Kind, uint8_t Tag, const char *Name, bool Ok,
                  const char *Part) {
    ClassMaker C;
    uint16_t Ref = C.Pool.ref(Tag, "p/T", Name, Tag == 9 ? "I" : "()V");
    C.Pool.raw(15, {Kind, uint8_t(Ref >> 8), uint8_t(Ref)});
    if (Ok)
      accepted(C);
    else
      refusedFormat(C, Part);
  };
  Check(1, 9, "a", true, "");
  Check(1, 10, "a", false, "refers to an entry");
  Check(5, 10, "a", true, "");
  Check(5, 11, "a", false, "refers to an entry");
  Check(5, 10, "<init>", false, "may not name a constructor");
  Check(6, 11, "a", true, "");
  Check(8, 10, "<init>", true, "");
  Check(8, 10, "a", false, "must name a constructor");
  Check(9, 11, "a", true, "");
  Check(9, 10, "a", false, "refers to an entry");
  Check(7, 10, "<init>", false, "may not name a constructor");
  Check(9, 11, "<init>", true, ""); // says HotSpot
  Check(10, 11, "a", false, "refers to an entry");
  ClassMaker T;
  T.Pool.one(16, T.Pool.utf8("I"));
  refusedFormat(T, "bad method descriptor");
}

TEST(Format, ClassFlags) {
  auto Check = [](unsigned Flags, unsigned Major, bool Ok) {
    ClassMaker C;
    C.Flags = uint16_t(Flags);
    C.Major = uint16_t(Major);
    if (Ok)
      accepted(C);
    else
      refusedFormat(C, "bad access flags of a class");
  };
  Check(ACC_ABSTRACT | ACC_FINAL, 61, false);
  Check(ACC_INTERFACE, 61, false);
  Check(ACC_INTERFACE, 49, true);
  Check(ACC_INTERFACE | ACC_FINAL, 49, false);
  Check(ACC_INTERFACE | ACC_ABSTRACT | ACC_SUPER, 61, false);
  Check(ACC_INTERFACE | ACC_ABSTRACT | ACC_SUPER, 48, true);
  Check(ACC_INTERFACE | ACC_ABSTRACT | ACC_ENUM, 61, false);
  Check(ACC_ANNOTATION, 61, false);
  Check(ACC_ANNOTATION, 48, true);
  Check(ACC_INTERFACE | ACC_ABSTRACT | ACC_ANNOTATION, 61, true);
  Check(ACC_MODULE, 52, true);
}

TEST(Format, ThisAndSuper) {
  ClassMaker A;
  A.Name = "[I";
  refusedFormat(A, "this_class is an array");
  ClassMaker B;
  B.Super = "[I";
  refusedFormat(B, "super_class is an array");
  ClassMaker C;
  C.Super = "";
  refusedFormat(C, "no superclass");
  ClassMaker D;
  D.Flags = ACC_INTERFACE | ACC_ABSTRACT;
  D.Super = "java/lang/Thread";
  refusedFormat(D, "superclass of an interface");
  ClassMaker E;
  E.Interfaces = {"java/lang/Runnable", "java/lang/Runnable"};
  refusedFormat(E, "named twice");
  ClassMaker F;
  F.Interfaces = {"[I"};
  refusedFormat(F, "interface 0 is an array");
}

TEST(Format, Module) {
  ClassMaker C;
  C.Name = "module-info";
  C.Super = "";
  C.Flags = ACC_MODULE;
  C.Pool.one(19, C.Pool.utf8("m"));
  // HotSpot cannot define a module descriptor as a class.
  EXPECT_EQ(printed(verifyClass(C.make())), "");
  C.Fields.push_back({});
  EXPECT_NE(printed(verifyClass(C.make())), "");
}

TEST(Format, Fields) {
  auto Check = [](Member M, const char *Part, unsigned ClassFlags = ACC_SUPER,
                  unsigned Major = 61) {
    ClassMaker C;
    C.Flags = uint16_t(ClassFlags);
    C.Major = uint16_t(Major);
    C.Fields = {M};
    if (Part)
      refusedFormat(C, Part);
    else
      accepted(C);
  };
  constexpr unsigned Interface = ACC_INTERFACE | ACC_ABSTRACT;
  constexpr uint16_t Constant = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
  Check({0, "a", "I", {}}, nullptr);
  Check({ACC_PUBLIC | ACC_PRIVATE, "a", "I", {}}, "bad access flags");
  Check({ACC_FINAL | ACC_VOLATILE, "a", "I", {}}, "bad access flags");
  Check({Constant, "a", "I", {}}, nullptr, Interface);
  Check({ACC_PUBLIC, "a", "I", {}}, "bad access flags", Interface);
  Check({Constant | ACC_ENUM, "a", "I", {}}, "bad access flags", Interface);
  Check({Constant | ACC_ENUM, "a", "I", {}}, nullptr, Interface, 48);
  Check({0, "a", "V", {}}, "bad descriptor");
  Check({0, "a;", "I", {}}, "bad field name");
  Check({0, "a", "I", {{"Synthetic", {1}}}}, "is not empty");
  Check({0, "a", "I", {{"Deprecated", {1}}}}, "is not empty");
  Check({0, "a", "I", {{"Signature", {1}}}}, "bad length");
  Check({0, "a", "I", {{"Signature", {0, 0}}}}, "refers to no text");
  Check({0, "a", "I", {{"Signature", {0, 0}}}}, nullptr, ACC_SUPER, 48);
  ClassMaker C;
  C.Fields = {{0, "a", "I", {}}, {1, "a", "I", {}}};
  refusedFormat(C, "two fields");
  C.Fields[1].Descriptor = "J";
  accepted(C);
}

TEST(Format, ConstantValue) {
  auto Check = [](const char *Type, uint8_t Tag, bool Ok) {
    ClassMaker C;
    uint16_t I = Tag == 8   ? C.Pool.string("x")
                 : Tag == 5 ? C.Pool.longOf(1)
                 : Tag == 3 ? C.Pool.integer(1)
                            : C.Pool.raw(Tag, {0, 0, 0, 0});
    C.Fields = {{Static,
                 "a",
                 Type,
                 {{"ConstantValue", {uint8_t(I >> 8), uint8_t(I)}}}}};
    if (Ok)
      accepted(C);
    else
      refusedFormat(C, "is of another type");
  };
  Check("I", 3, true);
  Check("Z", 3, true);
  Check("I", 4, false);
  Check("F", 4, true);
  Check("J", 5, true);
  Check("D", 5, false);
  Check("Ljava/lang/String;", 8, true);
  Check("Ljava/lang/Object;", 8, false);
  Check("[I", 3, false);
}

TEST(Format, MethodFlags) {
  auto Check = [](unsigned Flags, bool Ok, const char *Name = "m",
                  unsigned ClassFlags = ACC_SUPER | ACC_ABSTRACT,
                  unsigned Major = 61) {
    ClassMaker C;
    C.Flags = uint16_t(ClassFlags);
    C.Major = uint16_t(Major);
    Member &M = C.method({0, 1, {op::RETURN}}, uint16_t(Flags), Name);
    if (Flags & (ACC_ABSTRACT | ACC_NATIVE))
      M.Attributes.clear();
    if (Ok)
      accepted(C);
    else
      refusedFormat(C, "4.6");
  };
  constexpr unsigned Interface = ACC_INTERFACE | ACC_ABSTRACT;
  Check(ACC_PUBLIC | ACC_PRIVATE, false);
  Check(ACC_ABSTRACT | ACC_STATIC, false);
  Check(ACC_ABSTRACT | ACC_FINAL, false);
  Check(ACC_ABSTRACT | ACC_STRICT, true);
  Check(ACC_ABSTRACT | ACC_STRICT, false, "m", ACC_SUPER | ACC_ABSTRACT, 60);
  Check(ACC_ABSTRACT | ACC_SYNCHRONIZED, false);
  Check(ACC_ABSTRACT | ACC_SYNCHRONIZED, true, "m", ACC_ABSTRACT, 48);
  Check(ACC_ABSTRACT, true);
  Check(ACC_STATIC, false, "<init>");
  Check(0, false, "<clinit>");
  Check(ACC_STATIC | ACC_PUBLIC | ACC_PRIVATE, true, "<clinit>");
  Check(0, false, "m", Interface);
  Check(ACC_PUBLIC, true, "m", Interface);
  Check(ACC_PUBLIC, false, "m", Interface, 51);
  Check(ACC_PRIVATE, true, "m", Interface);
  Check(ACC_PUBLIC | ACC_ABSTRACT, true, "m", Interface, 51);
  Check(ACC_PUBLIC | ACC_ABSTRACT | ACC_STATIC, false, "m", Interface);
  Check(ACC_PUBLIC | ACC_FINAL, false, "m", Interface);
  Check(ACC_PUBLIC, false, "<init>", Interface);
}

TEST(Format, Methods) {
  ClassMaker A;
  A.method(JustReturn);
  A.method(JustReturn);
  refusedFormat(A, "two methods");
  ClassMaker B;
  B.method(JustReturn).Attributes.clear();
  refusedFormat(B, "has no code");
  ClassMaker C;
  C.method(JustReturn, Static | ACC_NATIVE);
  refusedFormat(C, "native or abstract method has code");
  ClassMaker D;
  D.method({0, 300, {op::RETURN}}, Static, "m",
           "(" + std::string(256, 'I') + ")V");
  refusedFormat(D, "more than 255");
  ClassMaker E;
  E.method({0, 300, {op::RETURN}}, Static, "m",
           "(" + std::string(255, 'I') + ")V");
  accepted(E);
  ClassMaker F;
  F.method(JustReturn, Static, "m", "(I)V");
  refusedFormat(F, "max_locals is too small");
  ClassMaker G;
  G.method({0, 0, {}});
  refusedFormat(G, "the code has 0 bytes");
  ClassMaker H;
  H.method(JustReturn).Attributes.push_back(H.code(JustReturn));
  refusedFormat(H, "more than one attribute Code");
  ClassMaker I;
  I.method(JustReturn).Attributes[0].Data.push_back(0);
  refusedFormat(I, "bad length");
  ClassMaker J;
  J.method(JustReturn, Static, "<init>", "()I");
  refusedFormat(J, "bad method descriptor");
  ClassMaker K;
  K.method({0, 1, {op::RETURN}}, Static, "<clinit>", "(I)V");
  refusedFormat(K, "bad method descriptor");
  K.Major = 50;
  accepted(K);
}

TEST(Format, MethodAttributes) {
  auto Check = [](std::vector<Attribute> List, const char *Part) {
    ClassMaker C;
    Member &M = C.method(JustReturn);
    M.Attributes.insert(M.Attributes.end(), List.begin(), List.end());
    if (Part)
      refusedFormat(C, Part);
    else
      accepted(C);
  };
  Check({{"Exceptions", {0, 0}}}, nullptr);
  Check({{"Exceptions", {0, 1}}}, "bad length");
  Check({{"Exceptions", {0, 1, 0, 0}}}, "names what is no class");
  Check({{"Exceptions", {0, 0}}, {"Exceptions", {0, 0}}}, "more than one");
  Check({{"MethodParameters", {1, 0, 0, 0, 0}}}, nullptr);
  Check({{"MethodParameters", {1, 0, 0}}}, "bad length");
  Check({{"AnnotationDefault", {}}, {"AnnotationDefault", {}}},
        "more than one");
  Check({{"RuntimeVisibleAnnotations", {}}, {"RuntimeVisibleAnnotations", {}}},
        "more than one");
  Check({{"SomethingElse", {1, 2, 3}}, {"SomethingElse", {}}}, nullptr);
}

TEST(Format, CodeAttributes) {
  auto Check = [](std::vector<Attribute> List, const char *Part,
                  std::vector<std::array<uint16_t, 4>> Handlers = {}) {
    ClassMaker C;
    C.Pool.utf8("x"); // constant 1
    C.Pool.utf8("I"); // constant 2
    C.Pool.utf8("J"); // constant 3
    C.method({0, 1, {op::NOP, op::RETURN}, Handlers, 0, {}, List});
    if (Part)
      refusedFormat(C, Part);
    else
      accepted(C);
  };
  using V = std::vector<uint8_t>;
  Check({}, "bad range", {{1, 1, 0, 0}});
  Check({}, "bad range", {{0, 3, 0, 0}});
  Check({}, "beyond the code", {{0, 1, 2, 0}});
  Check({}, "catches what is no class", {{0, 1, 1, 1}});
  Check({{"LineNumberTable", V{0, 1, 0, 1, 0, 9}}}, nullptr);
  Check({{"LineNumberTable", V{0, 1, 0, 2, 0, 9}}}, "a line number");
  Check({{"LineNumberTable", V{0, 2, 0, 1, 0, 9}}}, "bad length");
  V Good{0, 1, 0, 0, 0, 2, 0, 1, 0, 2, 0, 0};
  Check({{"LocalVariableTable", Good}}, nullptr);
  Check({{"LocalVariableTable", {0, 1}}}, "bad length");
  auto With = [&](size_t At, uint8_t Value) {
    V Copy = Good;
    Copy[At] = Value;
    return std::vector<Attribute>{{"LocalVariableTable", Copy}};
  };
  Check(With(3, 2), "lies beyond the code");
  Check(With(5, 3), "lies beyond the code");
  Check(With(7, 99), "no name");
  Check(With(9, 1), "bad descriptor");
  Check(With(9, 3), "beyond max_locals");
  Check(With(11, 1), "beyond max_locals");
  Check({{"LocalVariableTable", Good}, {"LocalVariableTable", Good}},
        "listed twice");
  Check({{"LocalVariableTable", Good}, {"LocalVariableTypeTable", Good}},
        nullptr);
  V Other = Good;
  Other[5] = 1;
  Check({{"LocalVariableTable", Good}, {"LocalVariableTypeTable", Other}},
        "but no type");
  Check({{"LocalVariableTypeTable", Other}}, nullptr);
  Check({{"StackMapTable", {0, 0}}, {"StackMapTable", {0, 0}}},
        "more than one");
  // Inside an instruction, which only the type checker notices.
  ClassMaker C;
  C.Pool.utf8("x");
  C.Pool.utf8("I");
  V Inside = Good;
  Inside[3] = 1;
  Inside[5] = 1;
  C.method({1,
            1,
            {op::BIPUSH, 0, op::RETURN},
            {},
            0,
            {},
            {{"LocalVariableTable", Inside}}});
  refusedFormat(C, "a local variable does not start");
}

TEST(Format, ClassAttributes) {
  auto Check = [](std::vector<Attribute> List, const char *Part,
                  unsigned Flags = ACC_SUPER) {
    ClassMaker C;
    C.Flags = uint16_t(Flags);
    C.Pool.cls("p/A");              // constants 1, 2
    C.Pool.cls("p/B");              // constants 3, 4
    C.Pool.cls("[I");               // constants 5, 6
    C.Pool.nameAndType("a", "()V"); // constants 7 to 9
    C.Attributes = List;
    if (Part)
      refusedFormat(C, Part);
    else
      accepted(C);
  };
  using V = std::vector<uint8_t>;
  Check({{"SourceFile", V{0, 1}}}, nullptr);
  Check({{"SourceFile", V{0, 2}}}, "refers to no text");
  Check({{"SourceFile", V{0}}}, "bad length");
  Check({{"SourceFile", V{0, 1}}, {"SourceFile", V{0, 1}}}, "more than one");
  Check({{"SourceDebugExtension", {}}, {"SourceDebugExtension", {}}},
        "more than one");
  Check({{"InnerClasses", V{0, 1, 0, 2, 0, 4, 0, 1, 0, 1}}}, nullptr);
  Check({{"InnerClasses", V{0, 1, 0, 2, 0, 2, 0, 1, 0, 1}}},
        "its own outer class");
  Check({{"InnerClasses", V{0, 1, 0, 1, 0, 4, 0, 1, 0, 1}}}, "bad index");
  Check({{"InnerClasses", V{0, 1, 0, 2, 0, 6, 0, 1, 0, 1}}},
        "belongs to an array");
  Check({{"InnerClasses", V{0, 1, 0, 2, 0, 4, 0, 1, 2, 0}}},
        "bad access flags");
  Check({{"InnerClasses",
          V{0, 2, 0, 2, 0, 4, 0, 1, 0, 1, 0, 2, 0, 4, 0, 1, 0, 1}}},
        "listed twice");
  Check({{"InnerClasses", V{0, 1}}}, "bad length");
  Check({{"EnclosingMethod", V{0, 2, 0, 9}}}, nullptr);
  Check({{"EnclosingMethod", V{0, 2, 0, 0}}}, nullptr);
  Check({{"EnclosingMethod", V{0, 1, 0, 0}}}, "bad index");
  Check({{"EnclosingMethod", V{0, 2, 0, 1}}}, "bad index");
  Check({{"EnclosingMethod", V{0}}}, "bad length");
  Check({{"NestHost", V{0, 2}}}, nullptr);
  Check({{"NestHost", V{0, 1}}}, "no class");
  Check({{"NestHost", V{0, 2}}, {"NestMembers", V{0, 0}}}, "both");
  Check({{"NestMembers", V{0, 1, 0, 1}}}, "no class");
  Check({{"PermittedSubclasses", V{0, 1, 0, 2}}}, nullptr);
  Check({{"PermittedSubclasses", V{0, 1, 0, 2}}}, "a final class permits",
        ACC_SUPER | ACC_FINAL);
  Check({{"Record", V{0, 1, 0, 7, 0, 1, 0, 0}}}, "bad name or descriptor");
  Check({{"Record", V{0, 1, 0, 2, 0, 1, 0, 0}}}, "bad index");
  Check({{"Record", V{0, 1}}}, "bad length");
  Check({{"BootstrapMethods", V{0, 0}}}, nullptr);
  Check({{"BootstrapMethods", V{0, 1, 0, 1, 0, 0}}}, "bad index");
  Check({{"BootstrapMethods", V{0, 1}}}, "bad length");
}

TEST(Format, DynamicNeedsBootstrapMethods) {
  ClassMaker C;
  C.Pool.two(18, 0, C.Pool.nameAndType("a", "()V"));
  refusedFormat(C, "without a BootstrapMethods attribute");
  C.Attributes = {{"BootstrapMethods", {0, 0}}};
  refusedFormat(C, "has no bootstrap method");
}
