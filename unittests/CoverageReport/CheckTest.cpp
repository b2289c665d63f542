//===- CheckTest.cpp - Limits for coverage --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Check.h"
#include "jopt/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::coverage;

namespace {

std::string parsed(llvm::StringRef Text) {
  auto D = Decimal::parse(Text);
  return D ? D->text() : "none";
}

TEST(DecimalTest, KeepsDigits) {
  EXPECT_EQ(parsed("0"), "0");
  EXPECT_EQ(parsed("0.80"), "0.80");
  EXPECT_EQ(parsed("77.3"), "77.3");
  EXPECT_EQ(parsed("0.000000001"), "0.000000001");
  EXPECT_EQ(Decimal::parse("77.3")->percent().text(), "0.773");
  EXPECT_EQ(Decimal::parse("5")->percent().text(), "0.05");
}

TEST(DecimalTest, RefusesWhatIsNoNumber) {
  for (llvm::StringRef Text : {"", ".", "1.", ".5", "-1", "1e3", "0.8x", "0x1",
                               "0.0000000001", "12345678901"})
    EXPECT_EQ(parsed(Text), "none") << Text.str();
}

TEST(DecimalTest, RoundsAwayFromTheLimit) {
  EXPECT_EQ(Decimal::ratio(2, 3, 2, /*Up=*/false).text(), "0.66");
  EXPECT_EQ(Decimal::ratio(2, 3, 2, /*Up=*/true).text(), "0.67");
  EXPECT_EQ(Decimal::ratio(1, 2, 1, /*Up=*/true).text(), "0.5");
  EXPECT_EQ(Decimal::ratio(7, 1, 0, /*Up=*/false).text(), "7");
}

TEST(DecimalTest, ComparesExactly) {
  // 17 of 22 is 0.7727…
  EXPECT_TRUE(Decimal::parse("0.773")->isAbove(17, 22));
  EXPECT_FALSE(Decimal::parse("0.772")->isAbove(17, 22));
  EXPECT_FALSE(Decimal::parse("0.8")->isAbove(4, 5));
  EXPECT_FALSE(Decimal::parse("0.8")->isBelow(4, 5));
  EXPECT_TRUE(Decimal::parse("0.799999999")->isBelow(4, 5));
  EXPECT_FALSE(Decimal::parse("1")->isAbove(UINT32_MAX, UINT32_MAX));
  EXPECT_TRUE(Decimal::parse("1")->isAbove(UINT32_MAX - 1, UINT32_MAX));
}

TEST(DecimalTest, PercentIsNeverTooHigh) {
  EXPECT_EQ(percentText({5, 17}), "77.2 %");
  EXPECT_EQ(percentText({1, 999999}), "99.9 %");
  EXPECT_EQ(percentText({}), "100.0 %");
}

std::string wrong(llvm::StringRef Text) {
  auto Rules = readRules(Text);
  return Rules ? "fine" : toMessage(Rules.takeError());
}

TEST(CheckTest, SaysWhatIsWrongWithRules) {
  EXPECT_EQ(wrong("{}"), "rules are a list of objects");
  EXPECT_EQ(wrong("[1]"), "rule 1 is no object");
  EXPECT_EQ(wrong("[{}]"), "rule 1: 'minimum' or 'maximum' is missing");
  EXPECT_EQ(wrong(R"([{"minimum": 0.5}, {"element": "class", "minimum": 1}])"),
            "rule 2: 'element' wants one of BUNDLE, PACKAGE, CLASS, "
            "SOURCEFILE, METHOD");
  EXPECT_EQ(wrong(R"([{"minimum": 80}])"),
            "rule 1: 'minimum' is 80, and a ratio is from 0 to 1; a count has "
            "a 'value' as MISSEDCOUNT");
  EXPECT_EQ(wrong(R"([{"minimum": -1}])"),
            "rule 1: 'minimum' wants a number, as 0.8, with at most 9 digits");
  EXPECT_EQ(wrong(R"([{"minimal": 1}])"),
            "rule 1: 'minimal' is none of element, includes, excludes, "
            "counter, value, minimum, maximum");
  EXPECT_EQ(wrong(R"([{"includes": 1, "minimum": 1}])"),
            "rule 1: 'includes' wants a pattern of names, or a list of them");
  EXPECT_TRUE(llvm::StringRef(wrong("[{]")).starts_with("it is no JSON: [1:"));
  EXPECT_EQ(wrong(R"([{"maximum": "7.5%"}, {"minimum": "0.25"}])"), "fine");
}

/// Two classes of a package, one with a method of each kind of name.
Bundle makeBundle() {
  ClassCounters C;
  C.Name = "p/A$1";
  for (auto [Name, Descriptor, Covered] :
       {std::tuple("f", "(I[Ljava/lang/String;)V", 1u),
        {"<init>", "()V", 0u},
        {"<clinit>", "()V", 0u}}) {
    MethodCounters M;
    M.Name = Name;
    M.Descriptor = Descriptor;
    M.Counted[Instructions] = {4 - Covered, Covered};
    C.Counted += M.Counted;
    C.Methods.push_back(M);
  }
  C.Counted[Classes] = {0, 1};
  ClassCounters None;
  None.Name = "p/None";
  PackageCounters P;
  P.Name = "p";
  P.Classes = {C, None};
  P.Counted = C.Counted;
  Bundle B;
  B.Name = "all";
  B.Counted = P.Counted;
  B.Packages = {P};
  return B;
}

std::vector<std::string> violations(llvm::StringRef Rules) {
  std::vector<std::string> Found;
  auto All = readRules(Rules);
  EXPECT_TRUE(bool(All));
  checkRules(makeBundle(), *All,
             [&](const llvm::Twine &What) { Found.push_back(What.str()); });
  return Found;
}

TEST(CheckTest, NamesElementsAsJaCoCoDoes) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(violations(R"([{"minimum": 0.5}])"),
            Texts{"bundle all: instructions covered ratio is 0.0, the minimum "
                  "is 0.5"});
  EXPECT_EQ(violations(R"([{"element": "PACKAGE", "value": "MISSEDCOUNT",
                            "maximum": 10}])"),
            Texts{"package p: instructions missed count is 11, the maximum is "
                  "10"});
  EXPECT_EQ(violations(R"([{"element": "CLASS", "includes": "p.A.*",
                            "counter": "CLASS", "value": "COVEREDCOUNT",
                            "minimum": 2}])"),
            Texts{"class p.A.1: classes covered count is 1, the minimum is 2"});
  EXPECT_EQ(
      violations(R"([{"element": "METHOD", "minimum": "100%"}])"),
      (Texts{"method p.A.1.f(int, java.lang.String[]): instructions covered "
             "ratio is 0.25, the minimum is 1.00",
             "method p.A.1.{...}: instructions covered ratio is 0.00, the "
             "minimum is 1.00",
             "method p.A.1.static {...}: instructions covered ratio is 0.00, "
             "the minimum is 1.00"}));
}

TEST(CheckTest, PatternsAreOfWholeNames) {
  EXPECT_EQ(violations(R"([{"element": "METHOD", "minimum": 1,
                            "includes": "p.A.1.f(*[]):*none*"}])")
                .size(),
            1u);
  EXPECT_EQ(violations(R"([{"element": "METHOD", "minimum": 1,
                            "excludes": ["p.?.1.f*", "*{...}"]}])")
                .size(),
            0u);
}

TEST(CheckTest, AnEmptyCounterHasNoRatio) {
  EXPECT_EQ(violations(R"([{"counter": "BRANCH", "minimum": 1}])").size(), 0u);
  EXPECT_EQ(violations(R"([{"counter": "BRANCH", "value": "TOTALCOUNT",
                            "minimum": 1}])")
                .size(),
            1u);
}

} // namespace
