//===- ScriptTest.cpp - Engine scripts ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Script/Script.h"
#include "TestSupport.h"

using namespace jopt;
using namespace jopt::test;

/// \p Text, read as the file "x" and written again; or what is wrong with it.
static std::string again(llvm::StringRef Text) {
  auto Set = readScript(Text, "x");
  return Set ? writeScript(*Set) : print(Set.takeError());
}

/// Case of keywords, blanks, unknown keywords, lines before the first PROBE,
/// and the order of data items.
TEST(ProbeScript, IsReadAsTheEngineReadsIt) {
  EXPECT_EQ(again(R"(ref ONENTRY before any probe
Filter java * * * EXCLUDE
FilterWithin	*  *	* * Include
Rem  a name 
 pRoBe
something else
Rule a/b* C m ()V Include
Ref beforecall P _b (Ljava/lang/String;[Ljava/lang/Object;)V args,className
StaticField S and more
)"),
            R"(FILTER java * * * exclude
FILTERWITHIN * * * * include
REM a name
PROBE
RULE a/b* C m ()V include
REF BEFORECALL P _b (Ljava/lang/String;[Ljava/lang/Object;)V className,args
STATICFIELD S
)");
}

TEST(ProbeScript, EndsLinesInEveryWay) {
  EXPECT_EQ(again("REM a\r\nPROBE\rREM b\n\r\n\nPROBE"),
            "REM a\nPROBE\nREM b\nPROBE\n");
  EXPECT_EQ(again("PROBE"), "REM unnamed_probe\nPROBE\n");
  EXPECT_EQ(again(""), "");
  EXPECT_EQ(again("PROBE\r\nPROBE x\rPROBE y"),
            "x:2:7: error: unexpected 'x'; the line has the form 'PROBE'\n"
            "x:3:7: error: unexpected 'y'; the line has the form 'PROBE'\n");
}

TEST(ProbeScript, ComesBackWithAllExtensions) {
  constexpr llvm::StringLiteral Text(R"(REM more
PROBE
JOPT FILTER java * * * exclude
RULE * A * * include
JOPT ANNOTATION Deprecated
REF ONENTRY P _entry ([Ljava/lang/Object;)J args
JOPT RESULT keep
JOPT ARGS write
JOPT SWITCH P.isEnabled
REF ONEXIT P _exit (J)Ljava/lang/Object; invocationObject
JOPT RESULT replace
JOPT EXCEPTIONS isolate
JOPT SWITCH P.isEnabled
JOPT HIERARCHY true
JOPT INTERFACES true
STATICFIELD S
JOPT ORDER -3
REM more 2
PROBE
RULEWITHIN * A m* * include
RULEWITHIN * * * * exclude
REF AFTERCALL Q _afterCall ()V
JOPT DYNAMICCALLS true
)");
  EXPECT_EQ(again(Text), Text);
}

TEST(ProbeScript, TakesExtensionsInAnyCase) {
  EXPECT_EQ(again("probe\njopt hierarchy TRUE\njopt order 7\n"
                  "ref ONENTRY P m ()V\njopt exceptions ISOLATE\n"),
            "REM unnamed_probe\nPROBE\nREF ONENTRY P m ()V\n"
            "JOPT EXCEPTIONS isolate\nJOPT HIERARCHY true\nJOPT ORDER 7\n");
}

TEST(ProbeScript, NamesEveryFaultAtItsPlace) {
  EXPECT_EQ(again(R"(RULE * * * * include
PROBE extra
 RULE * * *
RULE * * * * include y
RULE * * * * inclde
REF ONETRY a/B _entry ()V
REF ONENTRY a/B _entry
REF ONENTRY a.B _entry ()V
REF ONENTRY P m (String)V
REF ONENTRY P m (Ljava/lang/String;[I)V clasName,args
STATICFIELD
REF ONENTRY P m (I)V
REF ONEXIT P m (I)V className
REF ONEXIT P m (Z)V isFinally
REF AFTERCALL P m ()I
REF ONENTRY P m ([Ljava/lang/Object;[I)V args,args
JOPT RESULT drop
)"),
            R"(x:1:1: error: RULE before the first PROBE, to which it belongs
x:2:7: error: unexpected 'extra'; the line has the form 'PROBE'
x:3:2: error: too few words; the line has the form 'RULE <package> <class> <method> <signature> include|exclude'
x:4:22: error: unexpected 'y'; the line has the form 'RULE <package> <class> <method> <signature> include|exclude'
x:5:14: error: 'inclde' is neither 'include' nor 'exclude'; did you mean 'include'?
x:6:5: error: unknown kind 'ONETRY'; did you mean 'ONENTRY'?
x:7:1: error: too few words; the line has the form 'REF <kind> <class> <method> <descriptor> [data,...]'
x:8:13: error: 'a.B' is not the internal name of a class, as a/b/C
x:9:17: error: '(String)V' is not the descriptor of a method, as (Ljava/lang/String;)V
x:10:41: error: unknown data item 'clasName'; did you mean 'className'?
x:11:1: error: too few words; the line has the form 'STATICFIELD <class>'
x:16:47: error: data item 'args' is listed twice
x:17:6: error: unknown setting 'RESULT drop'
x:12:1: error: the method has 1 parameters, and 0 data items are listed
x:13:1: error: data item 'className' is of type Ljava/lang/String;, its parameter is of type I
x:14:1: error: data item 'isFinally' is not available at exit
x:15:1: error: the method returns a value; only void methods can be called
x:15:1: error: a probe cannot be of methods and of calls, and the first REF of this one is of methods
)");
  EXPECT_EQ(again("PROBE\nREF ONENTRY ../P m ()V\n"),
            "x:2:13: error: '../P' is not the internal name of a class, as "
            "a/b/C\n");
}

TEST(ProbeScript, NamesFaultsOfExtensions) {
  EXPECT_EQ(again(R"(PROBE
JOPT RESULT keep
JOPT ANNOTATION A
JOPT ORDER first
JOPT HIERARCHY false
REF ONENTRY P m ()V
JOPT SWITCH P
JOPT SITE colour=red
)"),
            R"(x:2:1: error: RESULT before the REF to which it belongs
x:3:1: error: ANNOTATION without the RULE to which it belongs
x:4:12: error: order 'first' is not a number
x:5:16: error: 'false' is not 'true'
x:7:13: error: 'P' is not of the form class.method
x:8:11: error: 'colour=red' is not one of ordinal, lines, owner, name, descriptor, where, with '=' and a value
)");
}
