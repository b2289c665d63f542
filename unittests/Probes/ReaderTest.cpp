//===- ReaderTest.cpp -----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/Reader.h"
#include "TestSupport.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::probekit;

/// A file with one probe, whose elements begin on line 2, after a fault-free
/// fragment on line 1.
static std::string probe(llvm::StringRef Elements) {
  return ("<probekit><probe><fragment "
          "type='entry'><code>;</code></fragment>\n" +
          Elements + "\n</probe></probekit>")
      .str();
}

/// The same with one fragment of type \p Type, its elements on line 2.
static std::string fragment(llvm::StringRef Type, llvm::StringRef Elements) {
  return ("<probekit><probe><fragment type='" + Type + "'>\n" + Elements +
          "\n<code>;</code></fragment></probe></probekit>")
      .str();
}

TEST(ProbekitReader, ReadsEverything) {
  Document D = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- comment --><?pi?>
<probekit id="the.id" version="1.2">
  <label name="L" description="D"/>
  <label name="M" xml:lang="de"/>
  <probe>
    <name xml:lang="fr" text=""/>
    <name text="first"/>
    <description xml:lang="en">says &lt;it&gt;</description>
    <controlName text="ignored"/>
    <fragment type="exit">
      <code><![CDATA[a < b && c]]>&#65;</code>
      <data type="args" name="a"/>
      <data name="c"/>
    </fragment>
    <target type="include" package="a.b" className="C*" method="m" signature="()V"/>
    <target type="exclude" class="D"/>
    <import text="java.util.*"/>
    <fragmentAtClassScope>int n;</fragmentAtClassScope>
    <fragment><code> </code></fragment>
  </probe>
  <fragmentAtSharedScope>int s;</fragmentAtSharedScope>
</probekit>
)");
  EXPECT_EQ(D.Id, "the.id");
  EXPECT_EQ(D.Version, "1.2");
  ASSERT_EQ(D.Labels.size(), 2u);
  EXPECT_EQ(D.Labels[0].Description, "D");
  EXPECT_EQ(D.Labels[1].Lang, "de");
  ASSERT_TRUE(D.SharedScope);
  EXPECT_EQ(D.SharedScope->Text, "int s;");
  ASSERT_EQ(D.Probes.size(), 1u);
  const ProbeElement &P = D.Probes[0];
  EXPECT_EQ(P.Where.Line, 6u);
  EXPECT_EQ(P.Where.Column, 3u);
  EXPECT_EQ(P.getName(), "first");
  ASSERT_EQ(P.Descriptions.size(), 1u);
  EXPECT_EQ(P.Descriptions[0].Text, "says <it>");
  ASSERT_EQ(P.Targets.size(), 2u);
  EXPECT_EQ(P.Targets[0].Package, "a.b");
  EXPECT_EQ(P.Targets[0].Signature, "()V");
  EXPECT_EQ(P.Targets[1].ClassName, "D"); // `class` is an alias
  EXPECT_EQ(P.Targets[1].Method, std::nullopt);
  ASSERT_EQ(P.Imports.size(), 1u);
  EXPECT_EQ(P.Imports[0].Text, "java.util.*");
  EXPECT_EQ(P.ClassScope->Text, "int n;");
  ASSERT_EQ(P.Fragments.size(), 2u);
  EXPECT_EQ(P.Fragments[0].Type, AdviceKind::Exit);
  EXPECT_EQ(P.Fragments[0].Code->Text, "a < b && cA");
  ASSERT_EQ(P.Fragments[0].Items.size(), 2u);
  EXPECT_EQ(P.Fragments[0].Items[0].Type, DataItem::Args);
  EXPECT_EQ(P.Fragments[0].Items[1].Type, DataItem::ClassName); // the default
  EXPECT_EQ(P.Fragments[1].Type, AdviceKind::Entry);            // the default
}

TEST(ProbekitReader, AnyNamespaceAndEncoding) {
  EXPECT_EQ(findings("<p:probekit xmlns:p='urn:x' "
                     "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
                     "xsi:schemaLocation='a b'><p:probe><p:fragment><code>;"
                     "</code></p:fragment></p:probe></p:probekit>"),
            "");
  EXPECT_EQ(findings("<probekit xmlns='urn:x'><probe><fragment><code>;</code>"
                     "</fragment></probe></probekit>"),
            "");
  Document Latin = read("<?xml version='1.0' encoding='ISO-8859-1'?>"
                        "<probekit><probe><fragment><code>\xe9;</code>"
                        "</fragment></probe></probekit>");
  EXPECT_EQ(Latin.Probes[0].Fragments[0].Code->Text, "\xc3\xa9;");

  std::string Utf16("\xff\xfe", 2);
  for (char C : probe("<import text=''/>")) {
    Utf16 += C;
    Utf16 += '\0';
  }
  EXPECT_EQ(findings(Utf16), "x.xml:2:1: error: 'import' has no text\n");
  EXPECT_EQ(findings("<?xml version='1.0' encoding='klingon'?><probekit/>"),
            "x.xml:1:31: error: not well-formed XML: unknown encoding\n");
}

TEST(ProbekitReader, ElementsOutOfPlace) {
  EXPECT_EQ(findings("<project/>"),
            "x.xml:1:1: error: the root element is 'project', not 'probekit': "
            "this is no Probekit file\n");
  EXPECT_EQ(findings(probe("<fragmnt><code/></fragmnt>")),
            "x.xml:2:1: error: unknown element 'fragmnt' in 'probe'; did you "
            "mean 'fragment'?\n");
  EXPECT_EQ(findings(probe("<filter/>")),
            "x.xml:2:1: error: unknown element 'filter' in 'probe'\n");
  EXPECT_EQ(findings(probe("  <code>x</code>")),
            "x.xml:2:3: error: unknown element 'code' in 'probe'; it belongs "
            "in 'fragment'\n");
  EXPECT_EQ(findings(fragment("entry", "oh &lt; no")),
            "x.xml:2:1: error: text in 'fragment', which has none; Java text "
            "of a fragment belongs in 'code'\n");
  EXPECT_EQ(findings(fragment("entry", "<code>;</code>")),
            "x.xml:3:1: error: more than one 'code' in 'fragment'\n");
  EXPECT_EQ(findings(probe("<fragmentAtClassScope/><fragmentAtClassScope/>")),
            "x.xml:2:24: error: more than one 'fragmentAtClassScope' in "
            "'probe'\n");
  EXPECT_EQ(findings("<probekit><fragmentAtSharedScope/>"
                     "<probe><fragment><code>;</code></fragment></probe>\n"
                     "<fragmentAtSharedScope/></probekit>"),
            "x.xml:2:1: error: more than one 'fragmentAtSharedScope' in "
            "'probekit'\n");
  EXPECT_EQ(findings(probe("<fragmentAtClassScope>List<b>x</b>"
                           "</fragmentAtClassScope>")),
            "x.xml:2:27: error: element 'b' inside 'fragmentAtClassScope'; "
            "text with '<' or '&' belongs in <![CDATA[ ... ]]>\n");
}

TEST(ProbekitReader, AttributesThatLookMisspelled) {
  EXPECT_EQ(
      findings(probe("<target type='exclude' classname='C' foo='x'/>")),
      "x.xml:2:1: warning: attribute 'classname' of 'target' is not known "
      "and ignored; did you mean 'className'?\n");
  EXPECT_EQ(findings(probe("<target type='exclude' className='C' class='D'/>")),
            "x.xml:2:1: warning: 'class' is another name of 'className', which "
            "is given too; 'class' is ignored\n");
  EXPECT_EQ(findings(probe("<import txt='a.B'/>")),
            "x.xml:2:1: warning: attribute 'txt' of 'import' is not known and "
            "ignored; did you mean 'text'?\n"
            "x.xml:2:1: error: 'import' has no text\n");
}

TEST(ProbekitReader, MalformedXmlIsOneLine) {
  EXPECT_EQ(findings(""), "x.xml:1:1: error: the file has no root element\n");
  EXPECT_EQ(findings("<probekit>\n<probe>\n"),
            "x.xml:3:1: error: the file ends inside 'probe'\n");
  EXPECT_EQ(
      findings("<probekit>\n<probe></probekit>"),
      "x.xml:2:10: error: not well-formed XML: mismatched tag; the element "
      "to be closed is 'probe'\n");
  // A finding before the fault does not count: what follows is unknown.
  EXPECT_EQ(findings("<probekit><oops/>\n<probe"),
            "x.xml:2:1: error: not well-formed XML: unclosed token\n");
  EXPECT_EQ(
      findings(probe("<fragmentAtClassScope>List<String> x;"
                     "</fragmentAtClassScope>")),
      "x.xml:2:40: error: not well-formed XML: mismatched tag; Java text "
      "with '<' or '&' in 'fragmentAtClassScope' belongs in <![CDATA[ ... "
      "]]>\n");
  EXPECT_EQ(findings(probe("<fragmentAtClassScope>a && b"
                           "</fragmentAtClassScope>")),
            "x.xml:2:26: error: not well-formed XML: not well-formed (invalid "
            "token); Java text with '<' or '&' in 'fragmentAtClassScope' "
            "belongs in <![CDATA[ ... ]]>\n");
}

TEST(ProbekitReader, EveryPrefixOfAFileIsOneLine) {
  std::string Xml = probe("<name text='n'/><fragmentAtClassScope><![CDATA[int "
                          "i;]]>&amp;</fragmentAtClassScope>"
                          "<target type='exclude'/>");
  ASSERT_EQ(findings(Xml), "");
  for (size_t N = 0; N < Xml.size(); ++N) {
    std::string F = findings(llvm::StringRef(Xml).take_front(N));
    EXPECT_EQ(llvm::StringRef(F).count('\n'), 1u) << N << ": " << F;
    EXPECT_TRUE(llvm::StringRef(F).starts_with("x.xml:")) << F;
  }
}

TEST(ProbekitReader, Entities) {
  // Internal ones are text like any other.
  Document D = read("<!DOCTYPE probekit [<!ENTITY e 'int i;'>]>"
                    "<probekit><probe><fragment><code>&e;&e;</code></fragment>"
                    "</probe></probekit>");
  EXPECT_EQ(D.Probes[0].Fragments[0].Code->Text, "int i;int i;");

  EXPECT_EQ(findings("<!DOCTYPE probekit [<!ENTITY e SYSTEM '/etc/passwd'>]>\n"
                     "<probekit>&e;</probekit>"),
            "x.xml:2:11: error: external entities are not read\n");
  EXPECT_EQ(findings("<!DOCTYPE probekit SYSTEM 'probekit.dtd'>\n"
                     "<probekit>&e;</probekit>"),
            "x.xml:2:11: error: undefined entity 'e'\n");
  EXPECT_EQ(findings("<probekit>\n&e;</probekit>"),
            "x.xml:2:1: error: not well-formed XML: undefined entity\n");
}

TEST(ProbekitReader, EntityBombs) {
  std::string Laughs = "<!DOCTYPE probekit [<!ENTITY e0 'ha'>";
  for (unsigned I = 1; I < 100; ++I) {
    std::string Before = "&e" + std::to_string(I - 1) + ";";
    Laughs += "<!ENTITY e" + std::to_string(I) + " '";
    for (unsigned J = 0; J < 10; ++J)
      Laughs += Before;
    Laughs += "'>";
  }
  Laughs += "]>\n<probekit><probe><fragment><code>&e99;</code></fragment>"
            "</probe></probekit>";
  EXPECT_EQ(findings(Laughs),
            "x.xml:2:34: error: entities expand to too much text\n");

  // Quadratic: one long entity, many references.
  std::string Blowup = "<!DOCTYPE probekit [<!ENTITY e '" +
                       std::string(100000, 'x') +
                       "'>]>\n<probekit><label name='";
  for (unsigned I = 0; I < 10000; ++I)
    Blowup += "&e;";
  EXPECT_EQ(findings(Blowup + "'/></probekit>"),
            "x.xml:2:11: error: entities expand to too much text\n");

  // Deep: expat expands by recursion.
  std::string Deep = "<!DOCTYPE probekit [<!ENTITY e0 'ha'>";
  for (unsigned I = 1; I < 100000; ++I)
    Deep += "<!ENTITY e" + std::to_string(I) + " '&e" + std::to_string(I - 1) +
            ";'>";
  EXPECT_EQ(findings(Deep + "]><probekit>&e99999;</probekit>"),
            "x.xml:1:4411: error: more than 200 entities are declared\n");
  EXPECT_EQ(findings("<!DOCTYPE probekit [<!ENTITY e '&e;'>]>"
                     "<probekit>&e;</probekit>"),
            "x.xml:1:50: error: not well-formed XML: recursive entity "
            "reference\n");
}

TEST(ProbekitReader, DeepAndWideFilesAreFine) {
  std::string Deep;
  for (unsigned I = 0; I < 200000; ++I)
    Deep += "<x>";
  for (unsigned I = 0; I < 200000; ++I)
    Deep += "</x>";
  EXPECT_EQ(findings(probe(Deep)),
            "x.xml:2:1: error: unknown element 'x' in 'probe'\n");
  std::string Wide;
  for (unsigned I = 0; I < 100000; ++I)
    Wide += "<import text=''/>\n";
  std::string F = findings(probe(Wide));
  EXPECT_EQ(llvm::StringRef(F).count('\n'), 100000u);
  EXPECT_TRUE(llvm::StringRef(F).ends_with(
      "x.xml:100001:1: error: 'import' has no text\n"));
}

TEST(ProbekitReader, TimeIsLinear) {
  // Each of these once was, or easily is, quadratic.
  std::string Attributes;
  for (unsigned I = 0; I < 100000; ++I)
    Attributes += " a" + std::to_string(I) + "=''";
  EXPECT_EQ(findings(probe("<target type='exclude'" + Attributes + "/>")), "");
  std::string Items;
  for (unsigned I = 0; I < 100000; ++I)
    Items += "<data type='x' name='a'/>";
  for (unsigned I = 0; I < 100000; ++I)
    Items += "<data type='args' name='a'/>";
  EXPECT_EQ(llvm::StringRef(findings(fragment("entry", Items))).count('\n'),
            299999u);
}

TEST(ProbekitReader, TextThatIsContiguousIsOnePiece) {
  Document D = read("<probekit><probe><fragment><code>a;\n\xc3\xa9;\n\n b;"
                    "&lt;\nc<![CDATA[d\ne]]></code></fragment></probe>"
                    "</probekit>");
  const SourceText &T = *D.Probes[0].Fragments[0].Code;
  EXPECT_EQ(T.Text, "a;\n\xc3\xa9;\n\n b;<\ncd\ne");
  // Up to the reference, the reference, up to the section, the section.
  EXPECT_EQ(T.Pieces.size(), 4u);
  EXPECT_EQ(T.getEnd().Line, 6u);
  EXPECT_EQ(T.getEnd().Column, 2u);
}

TEST(ProbekitReader, TooLargeIsRefusedUnread) {
  std::string Xml(MaxProbeFileSize + 1, ' ');
  EXPECT_EQ(findings(Xml), "x.xml: error: Probekit file of more than 16 MiB\n");
}

//===----------------------------------------------------------------------===//
// The rules, in the order of the original compiler.
//===----------------------------------------------------------------------===//

static std::string labels(llvm::StringRef Labels) {
  return findings(("<probekit>\n" + Labels +
                   "\n<probe><fragment><code>;</code></fragment></probe>"
                   "</probekit>")
                      .str());
}

TEST(ProbekitRules, Labels) {
  EXPECT_EQ(labels("<label name='a'/>\n<label name='b'/>"),
            "x.xml:3:1: error: more than one 'label' without xml:lang\n");
  EXPECT_EQ(labels("<label name='a' xml:lang='de'/>"), "");
  EXPECT_EQ(labels("<label name='a' xml:lang='de'/>\n"
                   "<label name='a' xml:lang='fr'/>"),
            "x.xml:3:1: error: more than one 'label' with xml:lang, and none "
            "without\n");
  EXPECT_EQ(labels("<label name='a' xml:lang='de'/>\n"
                   "<label name='a' xml:lang='fr'/><label name='c'/>"),
            "");
  EXPECT_EQ(labels("<label name=''/>"),
            "x.xml:2:1: error: 'label' has no name\n");
  EXPECT_EQ(labels("<label description='d'/>"),
            "x.xml:2:1: error: 'label' has no name\n");
}

TEST(ProbekitRules, NoProbes) {
  EXPECT_EQ(findings("\n<probekit/>"),
            "x.xml:2:1: error: the file has no 'probe'\n");
}

TEST(ProbekitRules, Imports) {
  EXPECT_EQ(findings(probe("<import/>")),
            "x.xml:2:1: error: 'import' has no text\n");
  EXPECT_EQ(findings(probe("<import text='a.B'/><import text=''/>")),
            "x.xml:2:21: error: 'import' has no text\n");
}

TEST(ProbekitRules, StaticField) {
  EXPECT_EQ(findings(probe("<staticField/>")),
            "x.xml:2:1: error: 'staticField' has no type\n");
  EXPECT_EQ(findings(probe("<staticField type=''/>")),
            "x.xml:2:1: error: 'staticField' has no type\n");
  EXPECT_EQ(findings(probe("<staticField type='a.B[]'/>")),
            "x.xml:2:1: error: the type 'a.B[]' of 'staticField' is not the "
            "name of a class (without type arguments)\n");
  EXPECT_EQ(findings(probe("<staticField type='a..B'/>")),
            "x.xml:2:1: error: the type 'a..B' of 'staticField' is not the "
            "name of a class (without type arguments)\n");
  for (const char *T :
       {"boolean", "byte", "char", "short", "int", "long", "float", "double"})
    EXPECT_EQ(findings(probe(std::string("<staticField type='") + T + "'/>")),
              std::string("x.xml:2:1: error: the type of 'staticField' is the "
                          "primitive type '") +
                  T + "'; it must be a class\n");
  EXPECT_EQ(findings(probe("<staticField type='a.B'/>")), "");
}

TEST(ProbekitRules, NoFragment) {
  EXPECT_EQ(findings("<probekit>\n <probe/></probekit>"),
            "x.xml:2:2: error: 'probe' has no 'fragment'\n");
  // A static field may stand alone.
  EXPECT_EQ(findings("<probekit>\n<probe><staticField type='a.B'/></probe>"
                     "</probekit>"),
            "");
}

TEST(ProbekitRules, TwoFragmentsOfOneType) {
  EXPECT_EQ(findings(probe("<fragment type='entry'><code>;</code></fragment>")),
            "x.xml:2:1: error: two fragments of type 'entry' in one probe\n");
  EXPECT_EQ(findings(probe("<fragment type='exit'><code>;</code></fragment>")),
            "");
}

TEST(ProbekitRules, FragmentTypes) {
  EXPECT_EQ(findings(probe("<fragment type='Exit'><code>;</code></fragment>")),
            "x.xml:2:1: error: unknown type 'Exit' of 'fragment'; did you mean "
            "'exit'?\n");
  for (const char *T : {"exit", "catch", "staticInitializer", "executableUnit"})
    EXPECT_EQ(findings(probe(std::string("<fragment type='") + T +
                             "'><code>;</code></fragment>")),
              "");
  for (const char *T : {"beforeCall", "afterCall"})
    EXPECT_EQ(findings(fragment(T, "")), "");
}

TEST(ProbekitRules, DataItems) {
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='a'/>"
                                       "<data type='args' name='b'/>")),
            "x.xml:2:29: error: two data items of type 'args' in one "
            "fragment\n");
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='a'/>"
                                       "<data type='methodSig' name='a'/>")),
            "x.xml:2:29: error: two data items of the name 'a' in one "
            "fragment\n");
  EXPECT_EQ(
      findings(fragment("entry", "<data type='args'/>")),
      "x.xml:2:1: error: data item 'args' has no name, under which the code "
      "gets it\n");
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='1a'/>")),
            "x.xml:2:1: error: the name '1a' of data item 'args' is not a Java "
            "identifier\n");
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='class'/>")),
            "x.xml:2:1: error: the name 'class' of data item 'args' is a word "
            "of the Java language\n");
  // What only javac can judge passes.
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='\xc3\xa9'/>")),
            "");
  EXPECT_EQ(
      findings(fragment("entry", "<data type='arg' name='a'/>")),
      "x.xml:2:1: error: unknown data item 'arg'; did you mean 'args'?\n");
  EXPECT_EQ(
      findings(fragment("entry", "<data type='Args' name='a'/>")),
      "x.xml:2:1: error: unknown data item 'Args'; did you mean 'args'?\n");
  EXPECT_EQ(findings(fragment("entry", "<data type='staticField' name='f'/>")),
            "x.xml:2:1: error: data item 'staticField' in a probe without a "
            "'staticField' element\n");
  EXPECT_EQ(findings("<probekit><probe><fragment><code>;</code>\n"
                     "<data type='staticField' name='f'/></fragment>\n"
                     "<staticField type='a.B'/></probe></probekit>"),
            "");
  // The original's documents say no, its compiler yes.
  for (const char *T : {"methodName", "methodSig", "methodNumber"})
    EXPECT_EQ(
        findings(fragment("staticInitializer",
                          std::string("<data type='") + T + "' name='d'/>")),
        std::string("x.xml:2:1: warning: data item '") + T +
            "' always is that of <clinit> in a fragment of type "
            "'staticInitializer'\n");
}

/// docs/ProbekitReference.md, Data items: a letter per fragment type that has
/// the item.
TEST(ProbekitRules, DataItemsAreAllowedAsTheTableSays) {
  static const std::pair<const char *, const char *> Fragments[] = {
      {"entry", "E"},         {"exit", "X"},      {"catch", "C"},
      {"beforeCall", "B"},    {"afterCall", "A"}, {"staticInitializer", "S"},
      {"executableUnit", "U"}};
  static const std::pair<const char *, llvm::StringRef> Items[] = {
      {"returnedObject", "XA"},  {"exceptionObject", "XCA"},
      {"className", "EXCBASU"},  {"methodName", "EXCBASU"},
      {"methodSig", "EXCBASU"},  {"thisObject", "EXCBAU"},
      {"args", "EXCBAU"},        {"isFinally", "C"},
      {"staticField", "EXCSU"},  {"classSourceFile", "EXCSU"},
      {"methodNames", "EXCSU"},  {"methodLineTables", "EXCSU"},
      {"methodNumber", "EXCSU"}, {"executableUnitNumber", "CU"},
      {"numPreviousUnits", "U"}};
  for (auto [Type, Letter] : Fragments)
    for (auto [Item, Allowed] : Items) {
      std::string F = findings(
          fragment(Type, std::string("<data type='") + Item + "' name='d'/>"));
      std::string Refusal =
          std::string("x.xml:2:1: error: data item '") + Item +
          "' is not available in a fragment of type '" + Type + "'; it is in ";
      EXPECT_EQ(llvm::StringRef(F).contains(Refusal), !Allowed.contains(Letter))
          << Type << " " << Item << ": " << F;
    }
}

TEST(ProbekitRules, Code) {
  EXPECT_EQ(findings("<probekit><probe>\n<fragment/></probe></probekit>"),
            "x.xml:2:1: error: 'fragment' has no 'code'\n");
  EXPECT_EQ(findings("<probekit><probe><fragment>\n<code/></fragment></probe>"
                     "</probekit>"),
            "x.xml:2:1: error: 'code' is empty\n");
  EXPECT_EQ(findings("<probekit><probe><fragment>\n<code> </code></fragment>"
                     "</probe></probekit>"),
            "");
}

TEST(ProbekitRules, MethodAndCallsiteFragmentsMixed) {
  EXPECT_EQ(findings(probe("<fragment type='afterCall'><code>;</code>"
                           "</fragment>")),
            "x.xml:1:11: error: the probe mixes 'entry' with 'afterCall': "
            "fragments in methods and at calls need two probes\n");
}

TEST(ProbekitRules, CallsiteWithStaticField) {
  EXPECT_EQ(findings("<probekit><probe><fragment type='beforeCall'><code>;"
                     "</code></fragment>\n<staticField type='a.B'/></probe>"
                     "</probekit>"),
            "x.xml:2:1: error: 'staticField' in a probe of calls\n");
}

TEST(ProbekitRules, Targets) {
  EXPECT_EQ(findings(probe("<target type='exclude'/>\n"
                           "<target type='include' method='m'/>\n"
                           "<target type='exclude' method='n'/>")),
            "x.xml:3:1: error: 'target' after one that matches everything; it "
            "can never decide\n");
  EXPECT_EQ(findings(probe("<target type='include' package='*' className='*' "
                           "method='*' signature='*'/>\n"
                           "<target type='exclude' method='n'/>")),
            "x.xml:3:1: error: 'target' after one that matches everything; it "
            "can never decide\n");
  EXPECT_EQ(findings(probe("<target method='m'/>")),
            "x.xml:2:1: error: 'target' has no type\n");
  EXPECT_EQ(findings(probe("<target type='Include' method='m'/>")),
            "x.xml:2:1: error: type 'Include' of 'target' is neither 'include' "
            "nor 'exclude'; did you mean 'include'?\n");
  EXPECT_EQ(findings(probe("<target type='exclude' package='a b' className=' ' "
                           "method='\tm' signature='( )'/>")),
            "x.xml:2:1: error: white space in the pattern 'a b' of 'package'\n"
            "x.xml:2:1: error: white space in the pattern ' ' of 'className'\n"
            "x.xml:2:1: error: white space in the pattern ' m' of 'method'\n"
            "x.xml:2:1: error: white space in the pattern '( )' of "
            "'signature'\n");
}

TEST(ProbekitRules, TargetsEndWithAnExclude) {
  EXPECT_EQ(
      findings(probe("<target type='include' method='m'/>\n"
                     "<target type='include' method='n'/>")),
      "x.xml:3:1: error: every 'target' is an 'include', and what "
      "none matches is included too; end with <target type=\"exclude\"/>\n");
  EXPECT_EQ(
      findings(probe("<target type='exclude' method='m'/>\n"
                     "<target type='include' method='n'/>")),
      "x.xml:3:1: error: the last 'target' is an 'include', and what none "
      "matches is included too; end with <target "
      "type=\"exclude\"/>\n");
  // Not asked where a type is bad.
  EXPECT_EQ(findings(probe("<target type='x' method='m'/>\n"
                           "<target type='include' method='n'/>")),
            "x.xml:2:1: error: type 'x' of 'target' is neither 'include' nor "
            "'exclude'\n");
  EXPECT_EQ(findings(probe("<target type='include' method='m'/>"
                           "<target type='exclude'/>")),
            "");
  EXPECT_EQ(findings(probe("<target type='exclude' method='m'/>")), "");
}

TEST(ProbekitRules, Extensions) {
  auto Whole = [](llvm::StringRef Start, llvm::StringRef Fragments) {
    return findings(
        ("<probekit><probe " + Start + Fragments + "</probe></probekit>")
            .str());
  };
  const char *Entry = "<fragment><code>;</code></fragment>";
  EXPECT_EQ(Whole("order='-7'>", Entry), "");
  EXPECT_EQ(Whole("order='1.5'>", Entry),
            "x.xml:1:11: error: order '1.5' of 'probe' is not a number\n");

  EXPECT_EQ(Whole(">\n<controlKey name='a.b'/>", Entry), "");
  EXPECT_EQ(Whole(">\n<controlKey name='k' value='ture'/>", Entry),
            "x.xml:2:1: error: the value 'ture' of 'controlKey' is neither "
            "'true' nor 'false'; did you mean 'true'?\n");
  EXPECT_EQ(Whole(">\n<controlKey value='true'/>", Entry),
            "x.xml:2:1: error: 'controlKey' has no name; it is that of the "
            "system property that switches the probe\n");

  EXPECT_EQ(
      Whole(">\n<invocationObject name='o' type='long'/>",
            "<fragment><code>;</code></fragment><fragment type='exit'><data "
            "type='invocationObject'/><data type='args' "
            "name='a'/><code>;</code></fragment>"),
      "");
  EXPECT_EQ(Whole(">\n<invocationObject name='1' type='List&lt;T>'/>", Entry),
            "x.xml:2:1: error: the name '1' of 'invocationObject' is not a "
            "Java identifier\n"
            "x.xml:2:1: error: the type 'List<T>' of 'invocationObject' is not "
            "the name of a Java type (without type arguments)\n");
  EXPECT_EQ(Whole(">\n<invocationObject name='o'/>",
                  "<fragment type='exit'><code>;</code></fragment>"),
            "x.xml:2:1: error: 'invocationObject' in a probe without a "
            "fragment 'entry' or 'beforeCall' that returns it\n");
  EXPECT_EQ(findings(fragment("exit", "<data type='invocationObject' "
                                      "name='o'/>")),
            "x.xml:2:1: error: data item 'invocationObject' in a probe without "
            "an 'invocationObject' element\n");
  EXPECT_EQ(
      Whole("><invocationObject name='o'/>\n",
            "<fragment><data type='invocationObject'/><code>;</code>"
            "</fragment>"),
      "x.xml:2:11: error: the 'entry' fragment makes the 'invocationObject' "
      "(it returns it) and is not given it\n");

  EXPECT_EQ(Whole(">", "<fragment type='exit' result='replace'><code>;</code>"
                       "</fragment>"),
            "");
  EXPECT_EQ(Whole(">", "<fragment type='exit' result='keep'><code>;</code>"
                       "</fragment>"),
            "x.xml:1:19: error: unknown result 'keep' of 'fragment'; there are "
            "'replace' and 'return'\n");
  EXPECT_EQ(Whole(">", "<fragment type='catch' result='replace'><code>;</code>"
                       "</fragment>"),
            "x.xml:1:19: error: there is no result that a fragment of type "
            "'catch' could replace; 'exit' and 'afterCall' can\n");

  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='a' "
                                       "write='true'/>")),
            "");
  EXPECT_EQ(findings(fragment("entry", "<data type='args' name='a' "
                                       "write='yes'/>")),
            "x.xml:2:1: error: 'write' is 'yes', which is neither 'true' nor "
            "'false'\n");
  EXPECT_EQ(findings(fragment("exit", "<data type='args' name='a' "
                                      "write='true'/>")),
            "x.xml:2:1: error: 'write' is for data items of type 'args' in a "
            "fragment of type 'entry' only\n");
  EXPECT_EQ(findings(fragment("beforeCall", "<data type='args' name='a' "
                                            "write='true'/>")),
            "x.xml:2:1: error: 'write' is for 'args' at 'entry'; what a "
            "'beforeCall' fragment stores always becomes the arguments\n");

  EXPECT_EQ(findings(fragment("catch", "<data type='local' name='i' "
                                       "javaType='int'/><data type='local' "
                                       "name='j'/>")),
            "");
  EXPECT_EQ(findings(fragment("catch", "<data type='local' name='i' "
                                       "javaType='List&lt;T>'/>")),
            "x.xml:2:1: error: 'List<T>' is not the name of a Java type "
            "(without type arguments)\n");
  EXPECT_EQ(findings(fragment("catch", "<data type='args' name='i' "
                                       "javaType='int'/>")),
            "x.xml:2:1: error: 'javaType' is for data items of type "
            "'returnedObject', 'exceptionObject', 'thisObject', 'local', "
            "'argument', 'result', 'object', 'value', 'oldValue', 'array' and "
            "'lock' only\n");

  EXPECT_EQ(Whole(">\n<caller type='exclude'/>",
                  "<fragment type='afterCall'><code>;</code></fragment>"),
            "");
  EXPECT_EQ(Whole(">\n<caller type='include' method='m'/>",
                  "<fragment type='afterCall'><code>;</code></fragment>"),
            "x.xml:2:1: error: every 'caller' is an 'include', and what none "
            "matches is included too; end with <caller type=\"exclude\"/>\n");
  EXPECT_EQ(Whole(">\n<caller type='exclude'/>", Entry),
            "x.xml:2:1: error: 'caller' in a probe without a fragment at "
            "calls\n");
}

TEST(ProbekitRules, AllAreFoundInOneRunAndInOrder) {
  EXPECT_EQ(
      findings("<probekit>\n"
               "<label/>\n"
               "<probe>\n"
               "<invocationObject/>\n"
               "<target type='include'/>\n"
               "<fragment type='exit'>\n"
               "<data type='numPreviousUnits'/></fragment>\n"
               "<import/>\n"
               "</probe>\n"
               "<probe/></probekit>"),
      "x.xml:2:1: error: 'label' has no name\n"
      "x.xml:8:1: error: 'import' has no text\n"
      "x.xml:7:1: error: data item 'numPreviousUnits' is not available "
      "in a fragment of type 'exit'; it is in executableUnit\n"
      "x.xml:7:1: error: data item 'numPreviousUnits' has no name, under which "
      "the code gets it\n"
      "x.xml:6:1: error: 'fragment' has no 'code'\n"
      "x.xml:5:1: error: 'target' has no pattern, and includes everything; "
      "leave it out, or say so with package=\"*\"\n"
      "x.xml:4:1: error: 'invocationObject' in a probe without a "
      "fragment 'entry' or 'beforeCall' that returns it\n"
      "x.xml:10:1: error: 'probe' has no 'fragment'\n");
}
