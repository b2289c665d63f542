//===- TFAnnotationsTest.cpp - The TF annotations of all inputs -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/TFAnnotations.h"
#include "../Archive/TestArchives.h"

using namespace jopt;

namespace {

/// An annotation type that carries MethodMonitorGroup(description = Text).
std::string annotation(llvm::StringRef Name, llvm::StringRef Text,
                       llvm::StringRef Package = "jopt/tf") {
  ByteWriter W;
  W.u4(0xcafebabe);
  W.u4(52);
  W.u2(9);
  auto Utf8 = [&](llvm::StringRef S) {
    W.u1(1);
    W.u2(uint16_t(S.size()));
    W.bytes(S);
  };
  auto Class = [&](uint16_t Index) {
    W.u1(7);
    W.u2(Index);
  };
  Utf8(Name);               // 1
  Class(1);                 // 2
  Utf8("java/lang/Object"); // 3
  Class(3);                 // 4
  Utf8("RuntimeVisibleAnnotations");
  Utf8(("L" + Package + "/annotation/MethodMonitorGroup;").str());
  Utf8("description"); // 7
  Utf8(Text);          // 8
  for (uint16_t V :
       {ACC_INTERFACE | ACC_ANNOTATION | ACC_ABSTRACT, 2, 4, 0, 0, 0, 1, 5})
    W.u2(V);
  W.u4(11);
  for (uint16_t V : {1, 6, 1, 7})
    W.u2(V);
  W.u1('s');
  W.u2(8);
  return toStringRef(W.data()).str();
}

class TFAnnotationsTest : public ArchiveFixture {
protected:
  /// The descriptions by name, and what was reported.
  std::string
  collect(std::vector<std::string> Inputs, unsigned Threads,
          std::optional<tf::Packages> Library = tf::Packages::jopt()) {
    std::string Text;
    DiagnosticEngine Diags([&](const Diagnostic &D) {
      llvm::raw_string_ostream OS(Text);
      D.print(OS);
      OS << '\n';
    });
    for (std::string &I : Inputs)
      I = path(I);
    auto In = InputSet::open(Inputs);
    EXPECT_TRUE(bool(In));
    ProcessOptions Options;
    Options.Threads = Threads;
    auto Found = collectTFAnnotations(*In, Library, Options, Diags);
    if (!Found)
      return "error: " + toMessage(Found.takeError());
    for (const std::string &Name : Found->Annotations.names())
      Text += Name + "=" + Found->Annotations.find(Name)->Description + "\n";
    if (!Library)
      Text += Found->Library ? Found->Library->name() : "no library";
    size_t At;
    while ((At = Text.find(path(""))) != std::string::npos)
      Text.erase(At, path("").size());
    return Text;
  }
};

TEST_F(TFAnnotationsTest, TheOrderOfTheInputsDecides) {
  TestArchive Inner, Outer;
  Inner.Entries = {{"x/A.class", annotation("x/A", "inner")},
                   {"x/B.class", annotation("x/B", "b")}};
  Outer.Entries = {{"x/A.class", annotation("x/A", "outer")},
                   {"lib/inner.jar", Inner.build()}};
  write("app.jar", Outer.build());
  write("classes/x/C.class", annotation("x/C", "c"));
  write("classes/x/B.class", annotation("x/B", "b"));
  write("classes/x/Plain.class", "none");
  // It has the name in it, and is no class file.
  write("classes/x/Broken.class", annotation("x/D", "d").substr(0, 150));
  for (unsigned Threads : {1, 4}) {
    EXPECT_EQ(collect({"app.jar", "classes"}, Threads),
              "app.jar!/lib/inner.jar!/x/A.class: warning: the annotation x/A "
              "was found before, with another group; that one counts\n"
              "x/A=outer\nx/B=b\nx/C=c\n");
    EXPECT_EQ(collect({"classes"}, Threads), "x/B=b\nx/C=c\n");
  }
  EXPECT_EQ(read("classes/x/C.class"), annotation("x/C", "c"));
}

TEST_F(TFAnnotationsTest, WhatCannotBeReadIsPassedOver) {
  TestArchive A;
  A.Entries = {{"x/A.class", annotation("x/A", "a")},
               {"x/B.class", annotation("x/B", "b")}};
  A.Entries[0].CRC = 1;
  write("app.jar", A.build());
  EXPECT_EQ(collect({"app.jar"}, 2), "x/B=b\n");
}

TEST_F(TFAnnotationsTest, TheInputsSayWhichLibrary) {
  write("one/A.class", annotation("x/A", "a", "org/glassfish/pfl/tf/spi"));
  write("two/B.class",
        annotation("x/B", "b", "com/sun/corba/se/spi/orbutil/tf"));
  write("three/C.class", annotation("x/C", "c", "my/lib"));
  write("none/E.class", "/MethodMonitorGroup;");
  EXPECT_EQ(collect({"one", "none"}, 2, std::nullopt), "x/A=a\npfl");
  EXPECT_EQ(collect({"two"}, 2, std::nullopt), "x/B=b\norb");
  EXPECT_EQ(collect({"three"}, 2, std::nullopt), "x/C=c\nmy.lib");
  EXPECT_EQ(collect({"none"}, 2, std::nullopt), "no library");
  EXPECT_EQ(collect({"three", "one", "two"}, 2, std::nullopt),
            "error: the inputs use two libraries: my.lib (" +
                path("three/C.class") + ") and pfl (" + path("one/A.class") +
                "); -package says which counts");
  EXPECT_EQ(collect({"three", "one"}, 2, tf::Packages::pfl()), "x/A=a\n");
}

} // namespace
