//===- AdviceTextTest.cpp -------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Advice.h"
#include "gtest/gtest.h"

using namespace jopt;
using llvm::StringRef;

namespace {

std::string print(const AdviceSet &S) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printAdviceSet(S, OS);
  return Text;
}

/// The error message for \p Text, empty if there is none.
std::string problem(StringRef Text) {
  unsigned Line = 1;
  auto S = parseAdviceSet(Text, "t.jir", Line);
  if (S)
    return "";
  return llvm::toString(S.takeError());
}

TEST(AdviceText, RoundTrip) {
  const char *Text = R"(probe #0 "calls \"x\"" {
  include "a/b" "C" "get*" "*Ljava/lang/String;*" annotation "p/Tr*"
  exclude "*" "*" "*" "*"
}
filter {
  exclude "java*" "*" "*" "*"
}
probe #1 "" hierarchy interfaces {}
advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;[Ljava/lang/Object;)J (className, args) result=keep exceptions=isolate
advice #1 probe #0 exit call p/P.leave:(Ljava/lang/Object;J)Ljava/lang/Object; (returnedObject, kept) result=replace range=inside switch=p/P.on
advice #2 probe #1 entry call p/P.after:()V () constructor=after-super
)";
  StringRef Rest = Text;
  unsigned Line = 1;
  auto S = parseAdviceSet(Rest, "t.jir", Line);
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_EQ(print(*S), Text);
  EXPECT_EQ(Rest, "");
  EXPECT_EQ(Line, 12u);
  EXPECT_EQ(S->Advices[1].Result, ResultUse::ReplaceValue);
  EXPECT_EQ(S->Advices[1].Switch, "p/P.on");
  EXPECT_EQ(S->Probes[0].Rules[1].Where.Line, 3u);
}

TEST(AdviceText, ProbeClassesRoundTrip) {
  const char *Text =
      R"(probe #0 "P" own ancestor "a/I" ancestor "a/J" instance nests returns "Z" interfaces {
  include "*" "*" "close" "*)Z" type "a/*" class-annotation "p/A" method-annotation "p/B" parameters ("I" "[L*;") more
  include "*" "*" "m" "*" parameters ()
}
advice #0 probe #0 entry call p/P.onEnter:(La/I;)J (receiver) result=keep constructor=after-super
advice #1 probe #0 exit call p/P.onReturn:(ZJ)Z (result, kept) result=replace way=return
advice #2 probe #0 exit call p/P.failed:(I)Z (parameter 0) result=return way=exception
)";
  StringRef Rest = Text;
  unsigned Line = 1;
  auto S = parseAdviceSet(Rest, "t.jir", Line);
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_EQ(print(*S), Text);
  EXPECT_TRUE(S->Probes[0].Rules[0].MoreParameters);
  EXPECT_EQ(S->Probes[0].Rules[1].Parameters->size(), 0u);
  EXPECT_NE(
      problem("probe #0 \"p\" {}\nadvice #0 probe #0 entry call a/B.c:()V "
              "() way=return\n"),
      "");
  EXPECT_NE(problem("probe #0 \"p\" {}\nadvice #0 probe #0 exit call a/B.c:()V "
                    "() result=return\n"),
            "");
}

TEST(AdviceText, StopsAtTheClass) {
  StringRef Text = "; RUN: jopt\n\nprobe #0 \"p\" {}\n; a comment\nclass a/B {";
  unsigned Line = 1;
  auto S = parseAdviceSet(Text, "t.jir", Line);
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_EQ(S->Probes.size(), 1u);
  EXPECT_EQ(Text, "class a/B {");
  EXPECT_EQ(Line, 5u);
}

TEST(AdviceText, LeavesTextWithoutDeclarationsAlone) {
  StringRef Text = "; a comment\nclass a/B {";
  unsigned Line = 1;
  auto S = parseAdviceSet(Text, "t.jir", Line);
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_TRUE(S->empty());
  EXPECT_EQ(Text, "; a comment\nclass a/B {");
  EXPECT_EQ(Line, 1u);
}

TEST(AdviceText, ErrorsHavePlaces) {
  EXPECT_EQ(problem("probe #1 \"p\" {}"),
            "t.jir:1:7: error: expected #0: they are numbered in order");
  EXPECT_EQ(problem("probe #0 \"p\" {\n  allow \"a\"}"),
            "t.jir:2:3: error: expected 'include', 'exclude' or '}'");
  EXPECT_EQ(problem("probe #0 \"p"), "t.jir:1:10: error: string without end");
  EXPECT_EQ(problem("probe #0 \"\\q\" {}"),
            "t.jir:1:10: error: bad escape in a string");
  EXPECT_EQ(problem("probe #0 \"p\" {}\n"
                    "advice #0 probe #0 entry call p/P.m (className)"),
            "t.jir:2:31: error: expected owner.name:descriptor");
  EXPECT_EQ(problem("probe #0 \"p\" {}\n"
                    "advice #0 probe #0 entry call p/P.m:()V () result=x"),
            "t.jir:2:44: error: an advice has no setting 'result=x'");
  EXPECT_EQ(problem("probe #0 \"p\" {}\n"
                    "advice #0 probe #0 entry call p/P.m:()V (everything)"),
            "t.jir:2:42: error: expected a data item");
}

/// Every prefix of a valid text is parsed or refused, nothing else.
TEST(AdviceText, PrefixesDoNotCrash) {
  std::string Text = "probe #0 \"x\\n\" { include \"a\" \"b\" \"c\" \"d\" }\n"
                     "filter { exclude \"a\" \"b\" \"c\" \"d\" }\n"
                     "advice #0 probe #0 exit call \"p/P.m:(I)V\" () "
                     "switch=\"a.b\"\n";
  unsigned Refused = 0;
  for (size_t N = 0; N < Text.size(); ++N)
    Refused += !problem(StringRef(Text).take_front(N)).empty();
  EXPECT_GT(Refused, Text.size() / 2);
}

std::string check(StringRef Advices) {
  std::string Text = ("probe #0 \"p\" {}\n" + Advices).str();
  std::string P = problem(Text);
  StringRef Message = P;
  Message.consume_front("t.jir:1:7: error: ");
  return Message.str();
}

TEST(CheckAdviceSet, Rules) {
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:(Ljava/lang/Object;)V "
                  "(returnedObject)"),
            "");
  EXPECT_EQ(check("advice #0 probe #3 exit call p/P.m:()V ()"),
            "error: advice #0 belongs to probe #3, which does not exist");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:(I)V (className)"),
            "advice #0: data item 'className' is of type Ljava/lang/String;, "
            "its parameter is of type I");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:()V (className)"),
            "advice #0: the method has 0 parameters, and 1 data items are "
            "listed");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:(I)V ()"),
            "advice #0: the method has 1 parameters, and 0 data items are "
            "listed");
  EXPECT_EQ(check("advice #0 probe #0 entry call p/P.m:(Ljava/lang/Object;)V "
                  "(returnedObject)"),
            "advice #0: data item 'returnedObject' is not available at entry");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:(J)V (kept)"),
            "advice #0: no other advice of the probe keeps a value");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:()V () result=replace"),
            "advice #0: a result is asked for, and the method returns none");
  EXPECT_EQ(check("advice #0 probe #0 entry call p/P.m:()I () result=replace"),
            "advice #0: there is no value that the result could replace");
  EXPECT_EQ(
      check("advice #0 probe #0 exit call p/P.m:()I () result=keep"),
      "advice #0: only an entry or beforeCall advice can keep its result");
  EXPECT_EQ(check("advice #0 probe #0 entry call p/P.m:()I () result=keep\n"
                  "advice #1 probe #0 entry call p/P.m:()I () result=keep"),
            "advice #1: another advice of the probe keeps its result already");
  EXPECT_EQ(
      check("advice #0 probe #0 catch call p/P.m:()V () "
            "constructor=after-super"),
      "advice #0: only an entry or exit advice can be placed after super()");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:()V () switch=on"),
            "advice #0: the switch 'on' is not of the form owner.method");
  EXPECT_EQ(check("advice #0 probe #0 exit call p/P.m:()Q ()"),
            "advice #0: '()Q' is not a method descriptor");
}

TEST(DataItems, NamesAndDescriptors) {
  for (unsigned I = 0; I < NumDataItems; ++I)
    EXPECT_EQ(findDataItem(getDataItemName(DataItem(I))), DataItem(I));
  EXPECT_EQ(findDataItem("isfinally"), std::nullopt);
  EXPECT_EQ(getInfo(DataItem::Args).Descriptor, "[Ljava/lang/Object;");
}

TEST(AdviceText, EverySetting) {
  const char *Text =
      R"(probe #0 "m" field "p/State" named "probekit$staticField_" {}
filter {
  include "*" "*" "*" "*"
}
probe #1 "c" {}
within {
  include "*" "C" "*" "*"
}
filter {
  include "*" "*" "*" "*"
}
filter within {
  exclude "java*" "*" "*" "*"
}
probe #2 "s" {}
advice #0 probe #0 entry call p/P.a:([Ljava/lang/Object;I)J (args, local "x") result=keep args=write order=-2
advice #1 probe #0 catch call p/P.b:(ZLp/State;IJ)V (isFinally, staticField, executableUnitNumber, kept)
advice #2 probe #0 executableUnit call p/P.c:(III)V (methodNumber, executableUnitNumber, numPreviousUnits)
advice #3 probe #0 staticInitializer call p/P.d:(Ljava/lang/String;)V (methodNames)
advice #4 probe #1 beforeCall call p/P.e:([Ljava/lang/Object;)V (args) args=write
advice #5 probe #1 afterCall call p/P.f:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #6 probe #2 fieldWrite call p/P.g:(Ljava/lang/Object;)Z (object) result=decide
advice #7 probe #2 fieldWrite call p/P.h:(Ljava/lang/Object;J)V (object, value) order=3 ordinal=2 lines=10-20 owner=a/B name=n* descriptor=J where=after
)";
  llvm::StringRef Rest = Text;
  unsigned Line = 1;
  auto Set = parseAdviceSet(Rest, "t", Line);
  ASSERT_TRUE(bool(Set)) << toString(Set.takeError());
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  printAdviceSet(*Set, OS);
  EXPECT_EQ(OS.str(), Text);
}

TEST(CheckAdviceSet, CallKindsAreNotMixed) {
  llvm::StringRef Text = "probe #0 \"\" {}\n"
                         "advice #0 probe #0 entry call p/P.a:()V ()\n"
                         "advice #1 probe #0 afterCall call p/P.b:()V ()\n";
  unsigned Line = 1;
  EXPECT_EQ(toString(parseAdviceSet(Text, "t", Line).takeError()),
            "t:1:7: error: advice #1: a probe cannot have advices at calls and "
            "others");
}

TEST(CheckAdviceSet, SitesAndDecidersFitTheirKinds) {
  auto Message = [](llvm::StringRef Advices) {
    std::string Text = ("probe #0 \"\" {}\n" + Advices).str();
    llvm::StringRef Rest = Text;
    unsigned Line = 1;
    return toString(parseAdviceSet(Rest, "t", Line).takeError());
  };
  EXPECT_EQ(Message("advice #0 probe #0 throw call p/P.a:()V () owner=a/B\n"),
            "t:1:7: error: advice #0: 'owner' is for fieldRead, fieldWrite, "
            "new, newArray, cast, instanceOf, blockingCall");
  EXPECT_EQ(Message("advice #0 probe #0 line call p/P.a:()V () lines=2-1\n"),
            "t:2:43: error: 'lines' is '2-1', which is neither a line nor two "
            "of the form 10-20");
  EXPECT_EQ(
      Message("advice #0 probe #0 line call p/P.a:()Z () result=decide\n"),
      "t:1:7: error: advice #0: there is no advice behind it that it "
      "could decide about");
  EXPECT_EQ(Message("advice #0 probe #0 line call p/P.a:(I)Z (lineNumber) "
                    "result=decide\n"
                    "advice #1 probe #0 line call p/P.b:()V ()\n"),
            "t:1:7: error: advice #0: what decides has an item that the next "
            "advice has not");
}

TEST(SortAdvices, OrderIsReversedAtExits) {
  AdviceSet A;
  A.Probes.emplace_back();
  A.Advices.resize(4);
  A.Advices[0].Order = 1;
  A.Advices[3].Order = -1;
  llvm::SmallVector<unsigned, 4> Entries{0, 1, 2, 3}, Exits{0, 1, 2, 3};
  sortAdvices(A, AdviceKind::Entry, Entries);
  sortAdvices(A, AdviceKind::Exit, Exits);
  EXPECT_EQ(Entries, (llvm::SmallVector<unsigned, 4>{3, 1, 2, 0}));
  EXPECT_EQ(Exits, (llvm::SmallVector<unsigned, 4>{0, 1, 2, 3}));
}

} // namespace
