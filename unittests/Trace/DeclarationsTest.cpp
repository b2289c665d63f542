//===- DeclarationsTest.cpp - What a traced class declares ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Lines.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace jopt::trace;

/// Two methods, one without code, with an event of each form.
static ClassDeclarations example() {
  ClassDeclarations D;
  D.Options = "A,control,sourcename";
  D.Id = 0x0123456789abcdef;
  D.Name = "a/B";
  D.SourceFile = "B\xc3\xa4.java";
  D.Access = 0x21;
  D.Strings = {"m", "()V", "a/C", "abstract", "\xed\xa0\x80"};
  D.Kinds = {{"$enter$", "$enter$", -3, "", "", "eE"},
             {"$line$", "$line$", -1, "", "l", "l"},
             {"$invoke$", "$invoke$", 184, "sss", "iI", "iI"},
             {"$type$", "$type$", 197, "sn", "t", "t"},
             {"$iinc$", "$iinc$", 132, "n", "v", "v"}};
  MethodDeclaration M;
  M.Name = 0;
  M.Descriptor = 1;
  M.Access = 9;
  M.HasEvents = true;
  M.Operands = {{0, 2}, {0, 0}, {0, 1}, {0, 4}, {255, 0}, {-32768, 0}};
  M.Events = {{0, -1, 0, 0},
              {1, 65535, 0, 0},
              {2, 65535, 0, 0},
              {3, 1, 65535, 3},
              {4, 1, 70, 5}};
  M.Flows = {{-1, -1, 0, 184, false}, {65535, 197, 70, 132, true}};
  D.Methods.push_back(M);
  MethodDeclaration Abstract;
  Abstract.Name = 3;
  Abstract.Descriptor = 1;
  Abstract.Access = 0x401;
  D.Methods.push_back(Abstract);
  return D;
}

static std::string lines(const ClassDeclarations &D, Flavour F) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  LineIds Ids;
  printDeclarations(D, F, Ids, OS);
  return Text;
}

TEST(Declarations, ComeBack) {
  const ClassDeclarations D = example();
  auto Read = decode(encode(D));
  ASSERT_TRUE(bool(Read));
  EXPECT_EQ(Read->Options, D.Options);
  EXPECT_EQ(Read->letters(), "exlivzjfctsE");
  EXPECT_TRUE(Read->hasOption("control"));
  EXPECT_FALSE(Read->hasOption("cont"));
  EXPECT_EQ(Read->Id, D.Id);
  EXPECT_EQ(Read->Name, D.Name);
  EXPECT_EQ(Read->SourceFile, D.SourceFile);
  EXPECT_EQ(Read->Access, D.Access);
  EXPECT_EQ(Read->Kinds, D.Kinds);
  for (Flavour F : {Flavour::Seed, Flavour::Blinky})
    EXPECT_EQ(lines(*Read, F), lines(D, F));
  EXPECT_EQ(encode(*Read), encode(D));
}

TEST(Declarations, AreLines) {
  EXPECT_EQ(lines(example(), Flavour::Seed),
            "$$method$$,1,m()V,a/B\xc3\xa4.java,9\n"
            "$enter$,1,1,-1,-1,-3,,,\n"
            "$line$,2,1,65535,-1,-1,,,\n"
            "$invoke$,3,1,65535,0,184,a/C,m,()V\n"
            "$type$,4,1,1,65535,197,\xef\xbf\xbd,255,\n"
            "$iinc$,5,1,1,70,132,-32768,,\n"
            "$flow$,1,a/B/m()V,-1,-1,0,184,0\n"
            "$flow$,2,a/B/m()V,65535,197,70,132,1\n"
            "$$method$$,2,abstract()V,a/B\xc3\xa4.java,1025\n");
}

TEST(Declarations, RefuseWhatIsBroken) {
  const std::string Whole = encode(example());
  EXPECT_FALSE(llvm::errorToBool(decode(Whole).takeError()));
  for (size_t Cut = 0; Cut < Whole.size(); ++Cut)
    EXPECT_TRUE(llvm::errorToBool(decode(Whole.substr(0, Cut)).takeError()))
        << Cut;
  EXPECT_TRUE(llvm::errorToBool(decode(Whole + "\x01").takeError()));
  // Whatever a byte becomes, nothing outside of it is read.
  for (size_t At = 0; At < Whole.size(); ++At)
    for (unsigned char C : {0x00, 0x01, 0x3f, 0x40, 0x7f, 0x80, 0xff}) {
      std::string Bad = Whole;
      Bad[At] = char(C);
      if (auto D = decode(Bad))
        lines(*D, Flavour::Seed);
      else
        llvm::consumeError(D.takeError());
    }
}

TEST(Declarations, AreCutBetweenCharacters) {
  std::string Text(65534, 'a');
  Text += "\xe2\x82\xac";
  auto Parts = cutIntoConstants(Text);
  ASSERT_EQ(Parts.size(), 2u);
  EXPECT_EQ(Parts[0].size(), 65534u);
  EXPECT_EQ(Parts[1], "\xe2\x82\xac");
}
