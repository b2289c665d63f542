//===- ClassDataTest.cpp - What is traced, and what is refused ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestClass.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/TF/Program.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;
using namespace jopt::tf;

namespace {

constexpr uint16_t Private = ACC_PRIVATE;

/// Knows the TF annotations a/Read, a/Write and b/Zip.
class TFClass : public ::testing::Test {
protected:
  TFClass() {
    for (const char *Name : {"a/Write", "a/Read", "b/Zip"})
      Known.add({Name, "", {}});
  }
  static Note read() { return {"a/Read", {}}; }
  static Note write() { return {"a/Write", {}}; }

  ClassData collect(const TestClass &C, Rules R = Rules::Seed) {
    auto Data = collectClass(C.Class, {Packages::jopt(), R, Known, {}});
    if (!Data) {
      ADD_FAILURE() << toMessage(Data.takeError());
      return {};
    }
    return std::move(*Data);
  }
  /// The messages, joined; empty if there is no error.
  std::string errors(const TestClass &C, Rules R = Rules::Seed) {
    auto Data = collectClass(C.Class, {Packages::jopt(), R, Known, {}});
    return Data ? "" : toMessage(Data.takeError());
  }
  /// A class with a/Read on it.
  static TestClass traced() {
    TestClass C("p/C");
    C.annotate({read()});
    return C;
  }
  std::string warnings(const TestClass &C) {
    std::string All;
    for (const std::string &W : collect(C, Rules::PFL).Warnings)
      All += W + "\n";
    return All;
  }

  AnnotationSet Known;
};

TEST_F(TFClass, HoldersAreSortedByName) {
  TestClass C("p/C");
  C.annotate({{"b/Zip", {}}, {"x/Other", {}}, write(), read()});
  C.method("m", "()V", {write()});
  ClassData D = collect(C);
  EXPECT_EQ(D.Annotations,
            (std::vector<std::string>{"a/Read", "a/Write", "b/Zip"}));
  EXPECT_EQ(D.Methods[0].Holder, 1u);
  EXPECT_EQ(ClassData::holderField(12), "__$mm$__12");
  EXPECT_EQ(D.Enhanced, Level::None);
}

TEST_F(TFClass, OnlyVisibleAnnotationsOfTheClassCount) {
  TestClass C("p/C");
  C.annotate({read()}, /*Visible=*/false);
  EXPECT_FALSE(collect(C).traced());
}

TEST_F(TFClass, InterfacesAreSkipped) {
  TestClass C("p/I", ACC_INTERFACE | ACC_ABSTRACT);
  C.annotate({read()}).method("m", "()V", {write(), info()});
  ClassData D = collect(C);
  EXPECT_FALSE(D.traced());
  EXPECT_TRUE(D.Methods.empty());
}

TEST_F(TFClass, IdentifiersAreIndicesInTheSortedNames) {
  std::vector<uint8_t> NoCode;
  TestClass C("p/q/C$D");
  C.annotate({read(), write()});
  C.method("zeta", "()V", {read()})
      .method("<clinit>", "()V", {}, ACC_STATIC)
      .method("plain", "()V", {})
      .method("Beta", "(I)V", {info("ENTER", "point"), description("text")},
              Private)
      .method("alpha", "()I", {write(), tracingName("omega")}, ACC_ABSTRACT,
              &NoCode)
      .method("note", "()V", {info(), tracingName("")}, Private);
  ClassData D = collect(C);
  ASSERT_EQ(D.Names.size(), 4u);
  const char *Names[] = {"Beta", "note", "omega", "zeta"};
  const TimingType Types[] = {TimingType::Enter, TimingType::None,
                              TimingType::Both, TimingType::Both};
  const char *Timing[] = {"point", "note", "omega", "zeta"};
  const char *Texts[] = {"text", "Timer for method note in class C$D",
                         "Timer for method alpha in class C$D",
                         "Timer for method zeta in class C$D"};
  const int Holders[] = {-1, -1, 1, 0};
  for (int I = 0; I < 4; ++I) {
    EXPECT_EQ(D.Names[I].Name, Names[I]);
    EXPECT_EQ(D.Names[I].Type, Types[I]);
    EXPECT_EQ(D.Names[I].TimingName, Timing[I]);
    EXPECT_EQ(D.Names[I].Description, Texts[I]);
    EXPECT_EQ(D.Names[I].Holder, Holders[I]);
  }
  const MethodKind Kinds[] = {
      MethodKind::Monitored, MethodKind::StaticInitializer, MethodKind::Normal,
      MethodKind::Info,      MethodKind::Monitored,         MethodKind::Info};
  const unsigned Identifiers[] = {3, 0, 0, 0, 2, 1};
  for (int I = 0; I < 6; ++I) {
    EXPECT_EQ(D.Methods[I].Kind, Kinds[I]);
    EXPECT_EQ(D.Methods[I].Identifier, Identifiers[I]);
  }
}

TEST_F(TFClass, MarksAreRead) {
  Note Mark{"jopt/tf/annotation/TFEnhanced", {{"stage", {"PHASE1"}}}};
  TestClass One("p/C"), Two("p/C");
  One.annotate({read(), Mark});
  // What stage 1 made of an info method has a body.
  std::vector<uint8_t> Body{0x2b, 0x57, 0xb1};
  One.method("i", "(Ljopt/tf/MethodMonitor;I)V", {info()}, Private, &Body);
  EXPECT_EQ(collect(One).Enhanced, Level::Phase1);
  Mark.Elements[0].second = {"PHASE2"};
  Two.annotate({Mark});
  EXPECT_EQ(collect(Two).Enhanced, Level::Phase2);
}

TEST_F(TFClass, BridgesAreNoOverloads) {
  TestClass C = traced();
  C.method("m", "()Ljava/lang/String;", {read()});
  C.method("m", "()Ljava/lang/Object;", {read()}, ACC_BRIDGE | ACC_SYNTHETIC);
  ClassData D = collect(C);
  EXPECT_EQ(D.Names.size(), 1u);
  EXPECT_EQ(D.Methods[1].Kind, MethodKind::Normal);
  EXPECT_EQ(collect(C, Rules::PFL).Names.size(), 2u);
}

// Section 7.

TEST_F(TFClass, InfoMethodNotPrivate) {
  TestClass C = traced();
  C.method("i", "(I)V", {info()}, ACC_PUBLIC);
  EXPECT_EQ(errors(C), "Method i(I)V for Class p/C is a non-private "
                       "@InfoMethod, which is not allowed");
  EXPECT_NE(errors(C, Rules::PFL), "");
}

TEST_F(TFClass, InfoMethodStatic) {
  TestClass C = traced();
  C.method("i", "()V", {info()}, Private | ACC_STATIC);
  EXPECT_EQ(errors(C), "Method i()V for Class p/C is a static method, but "
                       "must not be");
  EXPECT_NE(errors(C, Rules::PFL), "");
}

TEST_F(TFClass, SeveralAnnotations) {
  TestClass C("p/C");
  C.annotate({read(), write()}).method("m", "()V", {read(), write()});
  EXPECT_EQ(errors(C), "Method m()V for Class p/C has multiple MM annotations");
  EXPECT_NE(errors(C, Rules::PFL), "");
}

TEST_F(TFClass, AnnotationNotOnTheClass) {
  TestClass C = traced();
  C.method("m", "()V", {write()});
  EXPECT_EQ(errors(C), "Method m()V for Class p/C has an MM annotation which "
                       "is not on its class");
  TestClass Untraced("p/U");
  Untraced.method("m", "()V", {write()});
  EXPECT_EQ(errors(Untraced, Rules::PFL),
            "Method m()V for Class p/U has an MM annotation which is not on "
            "its class");
}

TEST_F(TFClass, InfoAndMonitored) {
  TestClass C = traced();
  C.method("m", "()V", {read(), info()}, Private);
  EXPECT_EQ(errors(C), "Method m()V for Class p/C has both @InfoMethod "
                       "annotation and a MM annotation");
  EXPECT_NE(errors(C, Rules::PFL), "");
}

TEST_F(TFClass, Constructors) {
  TestClass C = traced();
  C.method("<init>", "()V", {info()}, Private);
  C.method("<init>", "(I)V", {read()});
  EXPECT_EQ(errors(C),
            "Method <init>()V for Class p/C: Constructors must not have an "
            "@InfoMethod annotations; Method <init>(I)V for Class p/C: "
            "Constructors must not have an MM annotation");
  EXPECT_EQ(errors(C), errors(C, Rules::PFL));
}

TEST_F(TFClass, TimingPointWithoutName) {
  for (const char *Type : {"ENTER", "EXIT", "BOTH"}) {
    TestClass C = traced();
    C.method("i", "()V", {info(Type)}, Private);
    EXPECT_EQ(errors(C), std::string("Method i()V for Class p/C is an info "
                                     "method with timing point type ") +
                             Type + " but no tpName was specified");
    EXPECT_NE(errors(C, Rules::PFL), "");
  }
  TestClass C = traced();
  C.method("i", "()V", {info("NONE")}, Private);
  EXPECT_EQ(errors(C), "");
}

TEST_F(TFClass, UnknownTimingPointType) {
  TestClass C = traced();
  C.method("i", "()V", {info("LEAVE", "x")}, Private);
  EXPECT_EQ(errors(C), "Method i()V for Class p/C is an info method with an "
                       "unknown timing point type");
}

/// aload_0; invoke* #Index; return
std::vector<uint8_t> call(uint8_t Opcode, uint16_t Index) {
  return {0x2a, Opcode, uint8_t(Index >> 8), uint8_t(Index), 0xb1};
}

TEST_F(TFClass, IllegalInfoCalls) {
  for (uint8_t Opcode : {0xb6, 0xb7}) { // invokevirtual: from version 55 on
    TestClass C = traced();
    uint16_t Index =
        C.Class.Pool.addMember(CPTag::Methodref, "p/C", "i", "()V");
    std::vector<uint8_t> Code = call(Opcode, Index);
    C.method("i", "()V", {info()}, Private);
    C.method("m", "()V", {read()}, 0, &Code);
    EXPECT_EQ(errors(C), "");
    for (const char *Caller : {"plain", "lambda$m$0", "access$000", "<clinit>"})
      C.method(Caller, "()V", {}, 0, &Code);
    std::string Expected;
    for (const char *Caller : {"plain", "lambda$m$0", "access$000", "<clinit>"})
      Expected += std::string(Expected.empty() ? "" : "; ") + "Method " +
                  Caller +
                  "()V in class p/C makes an illegal call to an "
                  "@InfoMethod method";
    EXPECT_EQ(errors(C), Expected);
    EXPECT_EQ(errors(C, Rules::PFL), Expected);
  }
  // Another class's method of that name, and an overload, are none.
  TestClass C = traced();
  uint16_t Other = C.Class.Pool.addMember(CPTag::Methodref, "p/D", "i", "()V");
  uint16_t Over = C.Class.Pool.addMember(CPTag::Methodref, "p/C", "i", "(I)V");
  std::vector<uint8_t> A = call(0xb6, Other), B = call(0xb6, Over);
  C.method("i", "()V", {info()}, Private);
  C.method("plain", "()V", {}, 0, &A).method("more", "()V", {}, 0, &B);
  EXPECT_EQ(errors(C), "");
}

TEST_F(TFClass, MethodReferencesToInfoMethods) {
  TestClass C = traced();
  C.method("i", "()V", {info()}, Private);
  CPEntry E;
  E.Tag = CPTag::MethodHandle;
  E.A = 7;
  E.B = C.Class.Pool.addMember(CPTag::Methodref, "p/C", "i", "()V");
  C.Class.Pool.addEntry(E);
  EXPECT_EQ(errors(C),
            "Class p/C has a method reference to an @InfoMethod method");
}

// What the documents state and the original does not check.

TEST_F(TFClass, InfoMethodWithResult) {
  std::vector<uint8_t> Code{0x03, 0xac}, Nops{0x00, 0xb1};
  TestClass C = traced();
  C.method("i", "()I", {info()}, Private, &Code);
  EXPECT_EQ(errors(C), "Method i()I for Class p/C is an info method, but its "
                       "return type is not void");
  EXPECT_EQ(warnings(C), "Method i()I for Class p/C is an info method, but its "
                         "return type is not void\n");
  TestClass Empty = traced();
  Empty.method("i", "()V", {info()}, Private, &Nops);
  EXPECT_EQ(errors(Empty), "");
}

TEST_F(TFClass, OverloadsOfSeveralKinds) {
  TestClass C = traced();
  C.method("m", "()V", {read(), tracingName("a")}).method("m", "(I)V", {});
  const char *Message = "Methods m for Class p/C are overloaded: all or none "
                        "of them must be info methods, or monitored";
  EXPECT_EQ(errors(C), Message);
  EXPECT_EQ(warnings(C), std::string(Message) + "\n");
  TestClass D = traced();
  D.method("m", "()V", {read(), tracingName("a")});
  D.method("m", "(I)V", {info(), tracingName("b")}, Private);
  EXPECT_EQ(errors(D), Message);
}

TEST_F(TFClass, OverloadsWithoutTracingNames) {
  TestClass C = traced();
  C.method("m", "()V", {read()}).method("m", "(I)V", {read()});
  EXPECT_EQ(errors(C), "Methods m for Class p/C are overloaded: each needs a "
                       "@TracingName");
  TestClass D = traced();
  D.method("m", "()V", {read(), tracingName("a")});
  D.method("m", "(I)V", {read(), tracingName("b")});
  EXPECT_EQ(errors(D), "");
  TestClass Plain = traced();
  Plain.method("m", "()V", {}).method("m", "(I)V", {});
  Plain.method("<init>", "()V", {}).method("<init>", "(I)V", {});
  EXPECT_EQ(errors(Plain), "");
}

TEST_F(TFClass, TracingNamesAreUnique) {
  TestClass C = traced();
  C.method("m", "()V", {read()}).method("n", "()V", {read(), tracingName("m")});
  EXPECT_EQ(errors(C), "Method n()V for Class p/C has the tracing name m of "
                       "m()V");
  TestClass D = traced();
  D.method("m", "()V", {read(), tracingName("x")});
  D.method("m", "(I)V", {read(), tracingName("x")});
  EXPECT_EQ(errors(D), "Method m(I)V for Class p/C has the tracing name x of "
                       "m()V");
}

TEST_F(TFClass, OverloadsByTheRulesOfPFL) {
  TestClass C("p/C");
  C.annotate({read(), write()});
  C.method("b", "()V", {read(), tracingName("ignored")});
  C.method("b", "(I)V", {info("EXIT", "point")}, Private);
  C.method("a", "()V", {read()});
  C.method("c", "()V", {write()});
  C.method("b", "(J)V", {write(), description("last")});
  ClassData D = collect(C, Rules::PFL);
  ASSERT_EQ(D.Names.size(), 5u);
  const char *Names[] = {"a", "b", "b", "b", "c"};
  for (int I = 0; I < 5; ++I)
    EXPECT_EQ(D.Names[I].Name, Names[I]);
  for (int I = 1; I < 4; ++I) {
    EXPECT_EQ(D.Names[I].Type, TimingType::Both);
    EXPECT_EQ(D.Names[I].Description, "last");
    EXPECT_EQ(D.Names[I].TimingName, "b");
    EXPECT_EQ(D.Names[I].Holder, 1);
  }
  const unsigned Identifiers[] = {1, 1, 0, 4, 1}, Holders[] = {0, 0, 0, 1, 1};
  for (int I = 0; I < 5; ++I) {
    EXPECT_EQ(D.Methods[I].Identifier, Identifiers[I]);
    EXPECT_EQ(D.Methods[I].Holder, Holders[I]);
  }
}

TEST_F(TFClass, AllErrorsOfAClassAreReported) {
  TestClass C = traced();
  C.method("m", "()V", {write(), info()}, ACC_STATIC);
  EXPECT_EQ(errors(C),
            "Method m()V for Class p/C has an MM annotation which is not on "
            "its class; Method m()V for Class p/C is a non-private "
            "@InfoMethod, which is not allowed; Method m()V for Class p/C is a "
            "static method, but must not be");
}

TEST_F(TFClass, CutAnnotationsAreHarmless) {
  TestClass C = traced();
  C.method("m", "()V", {read(), tracingName("x")});
  Attribute &A = C.Class.Methods[0].Attributes[0];
  for (Bytes Whole = A.Data; !Whole.empty(); Whole = Whole.drop_back()) {
    A.Data = Whole;
    ClassData D = collect(C);
    EXPECT_EQ(D.Methods.size(), 1u);
  }
}

// Packages and TF annotations.

TEST(TFPackages, Names) {
  EXPECT_EQ(Packages::pfl().annotation("InfoMethod"),
            "org/glassfish/pfl/tf/spi/annotation/InfoMethod");
  EXPECT_EQ(Packages::orb().runtime("MethodMonitorRegistry"),
            "com/sun/corba/se/spi/orbutil/tf/MethodMonitorRegistry");
  EXPECT_EQ(Packages::jopt().infoSuffix(), "Ljopt/tf/MethodMonitor;I");
  auto Own = Packages::named("com.acme.tf");
  ASSERT_TRUE(bool(Own));
  EXPECT_EQ(Own->Holder, "com/acme/tf/SynchronizedHolder");
  EXPECT_EQ(Own->rules(), Rules::Seed);
  EXPECT_EQ(Packages::named("pfl")->rules(), Rules::PFL);
  EXPECT_EQ(Packages::named("orb")->Description, "org/glassfish/gmbal/"
                                                 "Description");
  EXPECT_EQ(Packages::named("jopt")->Annotation, "jopt/tf/annotation");
  for (const char *Bad : {"", "a..b", "a/b", ".a", "1a", "a;b"}) {
    auto P = Packages::named(Bad);
    EXPECT_FALSE(bool(P)) << Bad;
    llvm::consumeError(P.takeError());
  }
}

TEST(TFAnnotations, AreRead) {
  TestClass C("q/IO", ACC_INTERFACE | ACC_ANNOTATION);
  EXPECT_FALSE(readTFAnnotation(C.Class, Packages::jopt()));
  C.annotate({{"x/Other", {}}, group({"q/B", "q/A$B"}, "Reading")});
  auto A = readTFAnnotation(C.Class, Packages::jopt());
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Name, "q/IO");
  EXPECT_EQ(A->Description, "Reading");
  EXPECT_EQ(A->SubGroups, (std::vector<std::string>{"q/B", "q/A$B"}));
  EXPECT_FALSE(readTFAnnotation(C.Class, Packages::pfl()));

  TestClass Invisible("q/R", ACC_INTERFACE | ACC_ANNOTATION);
  Invisible.annotate({group()}, /*Visible=*/false);
  A = readTFAnnotation(Invisible.Class, Packages::jopt());
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Description, "TimerGroup for Annotation R");
}

TEST(TFAnnotations, AreSortedAndTheFirstStays) {
  AnnotationSet S;
  EXPECT_TRUE(S.add({"b/B", "one", {}}));
  EXPECT_TRUE(S.add({"a/A", "", {}}));
  EXPECT_TRUE(S.add({"b/B", "one", {}}));
  EXPECT_FALSE(S.add({"b/B", "two", {}}));
  EXPECT_EQ(S.names(), (std::vector<std::string>{"a/A", "b/B"}));
  EXPECT_EQ(S.find("b/B")->Description, "one");
  EXPECT_EQ(S.find("c/C"), nullptr);
}

} // namespace
