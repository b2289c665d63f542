//===- TextTest.cpp - Printing and parsing --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "gtest/gtest.h"
#include <charconv>
#include <random>

using namespace jopt;

namespace {

std::string print(const ClassFile &C, bool Pool = true) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  PrintOptions O;
  O.Pool = Pool;
  printClass(C, OS, O);
  return OS.str();
}

std::string again(llvm::StringRef Text, bool Pool = true) {
  auto Classes = parseIR(Text, "x.jir");
  if (!Classes)
    return llvm::toString(Classes.takeError());
  std::string All;
  for (auto &C : *Classes)
    All += print(*C, Pool);
  return All;
}

TEST(Text, AnEmptyText) {
  EXPECT_EQ("", again(""));
  EXPECT_EQ("", again("; a comment\n\n  ; another"));
}

TEST(Text, SeveralClasses) {
  const char *Text =
      "class A version 45.3 {\n}\n"
      "class public B extends A implements C, D version 61.0 {\n}\n";
  EXPECT_EQ(Text, again(Text, false));
}

template <typename Number> std::string shortest(Number N) {
  char Text[64];
  return {Text, std::to_chars(Text, std::end(Text), N).ptr};
}

/// Numbers as std::to_chars writes them.
TEST(Text, NumbersAreShort) {
  std::mt19937_64 Random(1);
  std::string Text = "class A version 61.0 {\n  pool {\n";
  unsigned Index = 1;
  auto Add = [&](float F, double D) {
    if (F != F || D != D)
      return;
    Text += "    #" + std::to_string(Index) + " = Float " + shortest(F) +
            "\n    #" + std::to_string(Index + 1) + " = Double " + shortest(D) +
            "\n";
    Index += 3;
  };
  for (double D : {0.0, -0.0, 1.0, 0.1, 100000.0, 1e22, 1e23, 5e-324, 1e-4,
                   123456789.0, 1152921504606846976.0})
    Add(float(D), D);
  for (int I = 0; I < 2000; ++I) {
    const uint64_t Bits = Random();
    const uint32_t Half = uint32_t(Bits);
    float F;
    double D;
    std::memcpy(&F, &Half, sizeof(F));
    std::memcpy(&D, &Bits, sizeof(D));
    Add(F, D);
    Add(float(int32_t(Half)) / 8, double(int64_t(Bits) >> I % 64) / 1000);
  }
  const std::string Name = std::to_string(Index);
  Text += "    #" + Name + " = Utf8 \"A\"\n    #" + std::to_string(Index + 1) +
          " = Class #" + Name + " ; A\n  }\n}\n";
  const std::string Printed = again(Text);
  llvm::SmallVector<llvm::StringRef> Lines, Again;
  llvm::StringRef(Text).split(Lines, '\n');
  llvm::StringRef(Printed).split(Again, '\n');
  ASSERT_EQ(Lines.size(), Again.size());
  for (size_t I = 0; I < Lines.size(); ++I)
    ASSERT_EQ(Lines[I].str(), Again[I].str());
}

/// The whole pool in order, unused entries and duplicates included.
TEST(Text, PoolIsKept) {
  const char *Text = R"(class A version 61.0 {
  pool {
    #1 = Utf8 "A"
    #2 = Class #1 ; A
    #3 = Utf8 "A"
    #4 = Class #3 ; A
    #5 = Long -1
    #7 = Double 0x7ff8000000000001
    #9 = Float -0
    #10 = Integer -2147483648
    #11 = Utf8 "\u0000\xff\ud83d\ude00\"\\\n"
    #12 = NameAndType #1 #99
    #13 = Methodref #2 #12
    #14 = MethodHandle 300 #13
    #15 = Fieldref #15 #15
    #16 = Class #2
    #17 = Dynamic 65535 #12
    #18 = Module #1 ; A
    #19 = Package #1 ; A
    #20 = MethodType #1 ; A
    #21 = String #3 ; "A"
    #22 = Utf8 "f"
    #23 = Utf8 "I"
  }
  field f:I
  field A#3:I
  field #2:#99
}
)";
  EXPECT_EQ(Text, again(Text));
}

TEST(Text, FirstEqualEntryIsMeant) {
  auto Classes = parseIR("class A#4 implements A, A#4, #2 version 61.0 {\n"
                         " pool { #1 = Utf8 \"A\" #2 = Class #1 #3 = Utf8 \"A\""
                         " #4 = Class #3 } }",
                         "x.jir");
  ASSERT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  const ClassFile &C = *Classes->front();
  EXPECT_EQ(4, C.ThisIndex);
  EXPECT_EQ(2, C.Interfaces[0]);
  EXPECT_EQ(4, C.Interfaces[1]);
  EXPECT_EQ(2, C.Interfaces[2]);
  EXPECT_EQ(5u, C.Pool.size());
}

/// Every construct of code once; prints as it was written.
const char *const Code =
    R"(class public super T extends java/lang/Object version 61.0 {
  method static m:(IJLjava/lang/Object;)V {
    code slots 9 anchors inlined original (3, 4, 99) entry [int, long nohigh, "int"] {
      everywhere 7: long
      try t0 -> b6 catch java/lang/Exception
      try t1 -> b6 catch any
    b0 @0:
      nop @0
      anchor dup @1
      anchor 250 @1
      %0:int keep = const int -1 @2
      %1:int popped = const bipush 5 @3
      %2:int unpopped = const int 5
      %3:int = const ldc int 5 @6
      %4:int = const int 70000 longform @7
      %5:float = const float 0x7fc00001 @8
      %6:float = const float 2 @9
      %7:double = const double -0 @10
      %8:long = const long 1 @11
      %9:null = const null floating @12
      %10:java/lang/String = const "a\"b" @13
      %11:java/lang/Class = const class [I @14
      %12:java/lang/invoke/MethodType = const methodtype (I)V @15
      %13:java/lang/invoke/MethodHandle = const methodhandle invokespecial T.x:()V @16
      %14:long = const dynamic 3 c:J @17
      %15:int = local.get 0 longform @18
      %16:int = local.get 0 wide @19
      local.set 3 (%15) @20
      local.inc 3, -300 longform @21
      %17:uninit(0) = new T @22
      %18:T = invokespecial T.<init>:()V (%17) @23
      drop (%18) @24
      %19:[I = newarray int (%15) @25
      %20:[LT; = anewarray T (%15) @26
      %21:[[I = multianewarray [[I, 1 (%15) @27
      %22:int = invokestatic interface T.s:(IJ)I (%15, %8) @28
      invokeinterface "a b"."c.d":()V (%18) by #4
      %23:int = invokedynamic 2 run:()I () @30
      %24:java/lang/Object = advice #7 (%18, %10)
      advice #8
      putfield T.f:I (%18, %15) @31
      tableswitch (%15) [default: b1, -1: b2, 0: b1] with (%15, %10) @32
    b1(%25:int, %26:java/lang/String keep popped) @40 frame [int, long, "null"] throws t0, t1:
      ifeq (%25) b3, b2 with (%25, %26) @41
    b2(%27:int, %28:java/lang/String) frame []:
      lookupswitch (%27) [default: b4] @44
    b3(%29:int, %30:join(A, B)) frame [join(A, B), uninit(0), uninitThis, top, double, float, null]:
      goto b5 longform @50
    b4 frame []:
      athrow (%30) @51
    b5 frame []:
      return @52
    b6(%31:java/lang/Exception) @60 handler frame [] throws t1:
      fallthrough b7
    b7:
      return
      attribute LineNumberTable = [
        {@0 line 1}
      ]
      attribute StackMapTable
    }
  }
}
)";

TEST(Text, CodePrintsAsWritten) { EXPECT_EQ(Code, again(Code, false)); }

TEST(Text, PrintedPoolGivesTheSameClass) {
  std::string Once = again(Code);
  EXPECT_EQ(Once, again(Once));
}

TEST(Text, WhatFollowsNeedNotBeWritten) {
  const char *Text = R"(class T extends java/lang/Object version 61.0 {
  method static m:([LT;)I { code slots 1 {
    start:
      %args:[LT; = local.get 0
      %zero = const int 0 ; a comment
      %x = aaload (%args, %zero)
      %n = new T
      %done = invokespecial T.<init>:()V (%n)
      invokevirtual T.hashCode:()I (%done)
      ifnull (%x) end, init
    init: %2 = getfield T.f:I (%y)
      %y:T = local.get 0
      goto end
    end frame []: ireturn (%zero)
  } }
})";
  EXPECT_EQ(R"(class T extends java/lang/Object version 61.0 {
  method static m:([LT;)I {
    code slots 1 {
    b0:
      %0:[LT; = local.get 0
      %1:int = const int 0
      %2:T = aaload (%0, %1)
      %3:uninit(0) = new T
      %4:T = invokespecial T.<init>:()V (%3)
      %5:int = invokevirtual T.hashCode:()I (%4)
      ifnull (%2) b2, b1
    b1:
      %6:int = getfield T.f:I (%7)
      %7:T = local.get 0
      goto b2
    b2 frame []:
      ireturn (%1)
    }
  }
}
)",
            again(Text, false));
}

struct Mistake {
  const char *Text;
  const char *Error;
};

std::string code(llvm::StringRef Body) {
  return ("class T {\nmethod m:()V { code slots 1 {\n" + Body + "\n} } }")
      .str();
}

TEST(Text, Mistakes) {
  const Mistake Header[] = {
      {"clas T {}", "x.jir:1:1: error: expected 'class'"},
      {"class T", "x.jir:1:8: error: expected '{'"},
      {"class T {",
       "x.jir:1:10: error: expected 'field', 'method', 'attribute' or '}'"},
      {"class T version 61 {}", "x.jir:1:20: error: expected '.'"},
      {"class T version 99999.0 {}",
       "x.jir:1:17: error: number out of range: expected 0 to 65535"},
      {"class T {\n pool { #2 = Utf8 \"\" } }",
       "x.jir:2:9: error: expected entry #1: entries are in order"},
      {"class T {\n pool { #1 = Utf9 \"\" } }",
       "x.jir:2:14: error: expected the kind of a pool entry"},
      {"class T { field x }", "x.jir:1:19: error: expected ':'"},
      {"class \"T", "x.jir:1:7: error: string without closing quote"},
      {"class \"\\q\" {}", "x.jir:1:7: error: bad escape in string"},
      {"class T#7 {}",
       "x.jir:1:7: error: entry #7 of the pool is something else"},
  };
  for (const Mistake &M : Header)
    EXPECT_EQ(M.Error, again(M.Text)) << M.Text;
  const Mistake Body[] = {
      {"", "x.jir:2:21: error: code without a block"},
      {"nop", "x.jir:3:1: error: instruction before the first block"},
      {"b0: iadd2 (%1)", "x.jir:3:5: error: 'iadd2' is no instruction"},
      // Text has no raw code.
      {"b0: raw", "x.jir:4:1: error: expected 'stack'"},
      {"b0: raw stack 1 { }", "x.jir:3:17: error: expected '@'"},
      {"b0: raw stack 1 @65536 { }",
       "x.jir:3:18: error: number out of range: expected 0 to 65535"},
      {"b0: raw stack 1 @0 { foo }",
       "x.jir:3:22: error: expected an instruction, 'hex' or '}'"},
      {"b0: raw stack 1 @0 { goto b0 }",
       "x.jir:3:26: error: a branch is never raw"},
      {"b0: raw stack 1 @0 { wide dup }",
       "x.jir:3:22: error: the instruction has no wide form"},
      {"b0: raw stack 1 @0 { newarray foo }",
       "x.jir:3:31: error: expected a primitive type"},
      {"b0: raw (%9) stack 1 @0 { }\n return",
       "x.jir:3:11: error: %9 is not defined"},
      {"b0: raw.value", "x.jir:3:5: error: the result must be given a type"},
      {"b0: iload (%1)", "x.jir:3:5: error: 'iload' is no instruction"},
      {"b0: goto b7", "x.jir:3:10: error: no block is named b7"},
      {"b0: ireturn (%7)", "x.jir:3:15: error: %7 is not defined"},
      {"b0: nop\nb0: nop", "x.jir:4:1: error: second definition of b0"},
      {"b0: %0 = const int 1\n%0 = const int 1",
       "x.jir:4:2: error: second definition of %0"},
      {"b0: %0 = local.get 0",
       "x.jir:3:5: error: the result must be given a type"},
      {"b0: %0 = nop", "x.jir:3:5: error: the instruction has no result"},
      {"b0: nop nop", "x.jir:3:9: error: expected the end of the instruction"},
      {"b0 throws t0: nop", "x.jir:3:11: error: no try is named t0"},
      {"try t0 -> b1 catch any\ntry t1 -> b1 catch any\nb0 throws t1, t0: nop",
       "x.jir:5:15: error: t0 must stand before the tries of lower priority, "
       "and once"},
      {"try t0 -> b1 catch any\nb0 throws t0, t0: nop",
       "x.jir:4:15: error: t0 must stand before the tries of lower priority, "
       "and once"},
      {"b0 frame [join(A, A)]: nop",
       "x.jir:3:15: error: expected two different classes or more, "
       "without java/lang/Object"},
      {"b0: local.set 0 (%9)",
       "x.jir:3:5: error: the operand must be defined before"},
      {"b0: %0 = const int 99999999999",
       "x.jir:3:20: error: number out of range: expected "
       "-2147483648 to 2147483647"},
      {"b0: newarray object ()",
       "x.jir:3:14: error: expected a primitive type"},
  };
  for (const Mistake &M : Body)
    EXPECT_EQ(M.Error, again(code(M.Text))) << M.Text;
}

TEST(Text, LinesCountFromTheGivenOne) {
  auto Classes = parseIR("\n class", "dir/a.jir", 10);
  ASSERT_FALSE(bool(Classes));
  EXPECT_EQ("dir/a.jir:11:7: error: expected '{'",
            llvm::toString(Classes.takeError()));
}

/// Every prefix, and every text with one character left out: no crash.
TEST(Text, DamagedTexts) {
  std::string Whole = again(Code);
  llvm::StringRef Text = Whole;
  for (size_t N = 0; N < Text.size(); N += 7) {
    again(Text.take_front(N));
    again((Text.take_front(N) + Text.drop_front(N + 1)).str());
  }
}

TEST(Text, InstructionForMessages) {
  auto Classes = parseIR(Code, "x.jir");
  ASSERT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  const Body &B = *Classes->front()->Methods.front().IR;
  EXPECT_EQ("anchor dup @1",
            toString(*std::next(B.blocks().front().instructions().begin())));
  EXPECT_EQ("b7", blockName(B.blocks().back()));
}

} // namespace
