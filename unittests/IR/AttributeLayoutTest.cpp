//===- AttributeLayoutTest.cpp - Payloads by table ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "gtest/gtest.h"

using namespace jopt;

namespace {

TEST(AttributeLayout, TableIsSortedAndComplete) {
  llvm::ArrayRef<AttributeInfo> Table = getAttributeTable();
  // Table 4.7-A of the specification has 30 rows, javac one of its own, and a
  // draft one more (LoadableDescriptors).
  EXPECT_EQ(32u, Table.size());
  for (size_t I = 1; I < Table.size(); ++I)
    EXPECT_LT(llvm::StringRef(Table[I - 1].Name),
              llvm::StringRef(Table[I].Name));
  for (const AttributeInfo &A : Table) {
    EXPECT_TRUE(A.Places) << A.Name;
    EXPECT_GE(A.Since, 45) << A.Name;
  }
}

TEST(AttributeLayout, PlaceDecides) {
  EXPECT_NE(nullptr, findAttributeInfo("Code", InMethod));
  EXPECT_EQ(nullptr, findAttributeInfo("Code", InField));
  EXPECT_NE(nullptr,
            findAttributeInfo("RuntimeVisibleTypeAnnotations", InCode));
  EXPECT_EQ(nullptr, findAttributeInfo("Cod", InMethod));
  EXPECT_EQ(nullptr, findAttributeInfo("", InClass));
}

TEST(AttributeLayout, RowsOfCodeCanBeMoved) {
  for (const AttributeInfo &A : getAttributeTable()) {
    llvm::StringRef Layout = A.Layout;
    const CodeReferences *Refs = findCodeReferences(A);
    // Frames are made anew.
    if (!(A.Places & InCode) || !Refs || Layout == "[u2 @frame]")
      continue;
    EXPECT_TRUE(Layout.starts_with("[") && Layout.ends_with("]")) << A.Name;
    EXPECT_TRUE(Refs->ElementSize || !Layout.contains("from")) << A.Name;
  }
}

TEST(AttributeLayout, ReferencesIntoCode) {
  auto Find = [](const char *Name, AttributePlace Place) {
    return findCodeReferences(*findAttributeInfo(Name, Place));
  };
  EXPECT_EQ(nullptr, Find("Signature", InMethod));
  EXPECT_EQ(nullptr, Find("RuntimeVisibleAnnotations", InMethod));
  EXPECT_EQ(0, Find("RuntimeVisibleTypeAnnotations", InCode)->ElementSize);
  const CodeReferences *Lines = Find("LineNumberTable", InCode);
  EXPECT_EQ(4, Lines->ElementSize);
  EXPECT_EQ(0, Lines->FieldOffset);
  EXPECT_EQ(AttributeField::From, Lines->Kind);
  const CodeReferences *Variables = Find("LocalVariableTable", InCode);
  EXPECT_EQ(10, Variables->ElementSize);
  EXPECT_EQ(AttributeField::Range, Variables->Kind);
}

ConstantPool poolWith(llvm::StringRef A, llvm::StringRef B) {
  ConstantPool Pool;
  Pool.addUtf8(A); // 1
  Pool.addUtf8(B); // 2
  return Pool;
}

TEST(AttributeLayout, EveryPrefixAndExtensionIsRefused) {
  ConstantPool Pool = poolWith("LA;", "x");
  // One annotation with an array of two: an int is no Utf8, so strings.
  const std::vector<uint8_t> Good = {0, 1, 0,   1, 0, 1,   0, 2, '[',
                                     0, 2, 's', 0, 1, 's', 0, 2};
  const AttributeInfo *Info =
      findAttributeInfo("RuntimeVisibleAnnotations", InClass);
  EXPECT_TRUE(fitsLayout(*Info, Good, Pool));
  for (size_t N = 0; N < Good.size(); ++N)
    EXPECT_FALSE(fitsLayout(*Info, Bytes(Good).take_front(N), Pool)) << N;
  std::vector<uint8_t> Long = Good;
  Long.push_back(0);
  EXPECT_FALSE(fitsLayout(*Info, Long, Pool));
  std::vector<uint8_t> BadTag = Good;
  BadTag[8] = 'q';
  EXPECT_FALSE(fitsLayout(*Info, BadTag, Pool));
  std::vector<uint8_t> BadIndex = Good;
  BadIndex[3] = 9;
  EXPECT_FALSE(fitsLayout(*Info, BadIndex, Pool));
}

TEST(AttributeLayout, DeepNestingStaysRaw) {
  ConstantPool Pool = poolWith("LA;", "x");
  std::vector<uint8_t> Data;
  for (int I = 0; I < 20000; ++I)
    Data.insert(Data.end(), {'[', 0, 1});
  Data.insert(Data.end(), {'s', 0, 1});
  const AttributeInfo *Info = findAttributeInfo("AnnotationDefault", InMethod);
  EXPECT_FALSE(fitsLayout(*Info, Data, Pool));
  EXPECT_TRUE(fitsLayout(*Info, Bytes(Data).take_back(33), Pool));
}

TEST(AttributeLayout, VisitorFindsOffsetsIntoTheCode) {
  ConstantPool Pool = poolWith("LA;", "x");
  // A local variable with two ranges, then a cast.
  const std::vector<uint8_t> Data = {0,    2,                            //
                                     0x40, 0, 2, 0, 5, 0, 3, 0, 1,       //
                                     0,    9, 0, 4, 0, 2, 0, 0, 1, 0, 0, //
                                     0x47, 0, 7, 0, 0, 0, 1, 0, 0};
  const AttributeInfo *Info =
      findAttributeInfo("RuntimeInvisibleTypeAnnotations", InCode);
  std::string Seen;
  ASSERT_TRUE(visitAttribute(*Info, Data, Pool, [&](AttributeField F) {
    static const char Letters[] = "cp-r-hs";
    Seen += Letters[F.K] + std::to_string(F.Offset) + " ";
  }));
  EXPECT_EQ("r5 s9 r11 s15 c18 p23 c27 ", Seen);
}

TEST(AttributeLayout, StructureIsShown) {
  // A variable with one range, and what row 4 catches, with a step of a path.
  const std::vector<uint8_t> Data = {0,    2,                      //
                                     0x40, 0, 1, 0, 5, 0, 3, 0, 1, //
                                     0,    0, 1, 0, 0,             //
                                     0x42, 0, 4, 1, 0, 9, 0, 1, 0, 0};
  const AttributeInfo *Info =
      findAttributeInfo("RuntimeInvisibleTypeAnnotations", InCode);
  auto Show = [&](Bytes Payload) {
    std::string Seen;
    bool Fits = visitStructure(*Info, Payload, [&](AttributeField F) {
      static const char Letters[] = "cp-r-hs([,]";
      Seen += Letters[F.K] + std::to_string(F.Offset) + " ";
    });
    return Seen + (Fits ? "" : "...");
  };
  EXPECT_EQ("[0 ,2 [3 ,5 r5 s9 ]11 (11 ]12 c12 [14 ]16 "
            ",16 h17 (19 ,20 ]22 c22 [24 ]26 ]26 ",
            Show(Data));
  EXPECT_EQ("[0 ,2 [3 ...", Show({Data.data(), 4}));
}

TEST(AttributeLayout, VisitorLooksIntoCodeAndRecord) {
  ConstantPool Pool = poolWith("LineNumberTable", "x");
  const std::vector<uint8_t> Data = {0, 1, 0, 1, 0, 0, 0, 1, 0xb1, 0, 0, //
                                     0, 1, 0, 1, 0, 0, 0, 6, 0,    1, 0,
                                     0, 0, 5};
  std::string Seen;
  ASSERT_TRUE(visitAttribute(
      *findAttributeInfo("Code", InMethod), Data, Pool, [&](AttributeField F) {
        Seen += std::to_string(F.K) + "@" + std::to_string(F.Offset) + " ";
      }));
  EXPECT_EQ("0@13 2@21 ", Seen);
}

/// Parses the text, prints it, and gives what lies between the braces.
std::string again(llvm::StringRef Members) {
  auto Classes =
      parseIR(("class T version 61.0 {\n" + Members + "}\n").str(), "x.jir");
  if (!Classes)
    return llvm::toString(Classes.takeError());
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  PrintOptions O;
  O.Pool = false;
  printClass(*Classes->front(), OS, O);
  llvm::StringRef R = OS.str();
  R.consume_front("class T version 61.0 {\n");
  R.consume_back("}\n");
  return R.str();
}

const char *const Samples[] = {
    "  attribute SourceFile = \"A.java\"\n",
    "  attribute Deprecated\n",
    "  attribute SourceDebugExtension = \"SMAP\\u0000\\n\"\n",
    "  attribute Unknown = hex \"00ff\"\n",
    "  attribute SourceFile = hex \"00\"\n",
    "  attribute InnerClasses = [\n"
    "    {inner A$B outer A name \"B\" (public static 0x0800)},\n"
    "    {inner A$1 outer none name none ()}\n"
    "  ]\n",
    "  attribute EnclosingMethod = class A method m:()V\n",
    "  attribute EnclosingMethod = class A method none\n",
    "  attribute NestMembers = [A, \"\", \"1a\", \"int\", \"a b\"]\n",
    "  attribute NestHost = A\n",
    "  attribute BootstrapMethods = [\n"
    "    {invokestatic interface I.m:()V arguments [int -5, float 0x7fc00001, "
    "long 7, double -inf, class [I, \"s\", methodtype ()V, methodhandle "
    "getfield A.f:I, dynamic 0 c:I]},\n"
    "    {newinvokespecial A.<init>:()V arguments []}\n"
    "  ]\n",
    "  attribute Module = name java.base (open) version \"17\" requires [\n"
    "    {a.b (transitive static-phase) version none}\n"
    "  ] exports [\n"
    "    {a/b (mandated) to [c.d]}\n"
    "  ] opens [] uses [A] provides [\n"
    "    {A with [B, C]}\n"
    "  ]\n",
    "  attribute ModulePackages = [a/b, c]\n",
    "  attribute Record = [\n"
    "    {name \"x\" type \"I\" {\n"
    "      attribute Signature = \"TT;\"\n"
    "    }}\n"
    "  ]\n",
    "  attribute RuntimeVisibleAnnotations = [\n"
    "    {type \"LA;\" values [{\"a\" enum \"LE;\" \"X\"}, {\"b\" array [byte "
    "1, char 65, double 1.5, float 0, int 3, long 4, short 5, boolean 1]}, "
    "{\"c\" annotation {type \"LB;\" values []}}, {\"d\" class \"V\"}, {\"e\" "
    "string \"\"}]}\n"
    "  ]\n",
    "  attribute RuntimeInvisibleTypeAnnotations = [\n"
    "    {supertype 65535 path [array 0, nested 0, wildcard 0, argument 2] "
    "type \"LA;\" values []},\n"
    "    {class-bound 1 0 path [] type \"LA;\" values []}\n"
    "  ]\n",
    "  field static x:J {\n    attribute ConstantValue = long "
    "-9223372036854775808\n  }\n",
    "  method m:()V {\n    attribute Exceptions = [A, B]\n"
    "    attribute MethodParameters = [\n      {name \"p\" (final)}\n    ]\n"
    "    attribute RuntimeVisibleParameterAnnotations = [[], [{type \"LA;\" "
    "values []}]]\n"
    "    attribute AnnotationDefault = array []\n  }\n",
    "  method m:()V {\n    attribute Code = stack 1 locals 2 code \"b1\" "
    "handlers [\n      {start @0 end @1 handler @0 catch none}\n    ] {\n"
    "      attribute StackMapTable = [same 3, same-one 0 int, full 7 locals "
    "[object A, uninit @3, uninitthis] stack [top, null], chop 1 4, append-two "
    "9 long double]\n"
    "      attribute LocalVariableTable = [\n"
    "        {@0..@1 name \"a\" type \"I\" slot 1}\n      ]\n"
    "      attribute LineNumberTable = [\n"
    "        {@0 line 7}\n      ]\n"
    "      attribute CharacterRangeTable = [\n"
    "        {@0..=@0 start 1025 end 4294967295 flags 1}\n      ]\n"
    "      attribute RuntimeVisibleTypeAnnotations = [\n"
    "        {catch 7 path [] type \"LA;\" values []}\n      ]\n"
    "    }\n  }\n",
};

TEST(AttributeText, PrintsAsWritten) {
  for (const char *Text : Samples)
    EXPECT_EQ(Text, again(Text));
}

TEST(AttributeText, Mistakes) {
  EXPECT_EQ("x.jir:2:28: error: expected 'hex' or a known attribute here",
            again("  attribute NotThere =     5\n"));
  EXPECT_EQ("x.jir:2:28: error: expected a string in quotes",
            again("  attribute SourceFile =   5\n"));
  EXPECT_EQ("x.jir:2:24: error: odd number of hexadecimal digits",
            again("  attribute X = hex    \"0\"\n"));
}

} // namespace
