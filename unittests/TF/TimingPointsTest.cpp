//===- TimingPointsTest.cpp - Which timers and groups there are -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/TimingPoints.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/TF/Program.h"
#include "jopt/Verify/ClassVerifier.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::tf;

namespace {

class Timing : public ::testing::Test {
protected:
  static NameEntry timed(std::string Name, int Holder,
                         std::string Description = "d") {
    return {Name, TimingType::Both, Name, Description, Holder};
  }
  ClassData &add(std::string Name, std::vector<std::string> Annotations) {
    Classes.emplace_back();
    Classes.back().Name = Name;
    Classes.back().Annotations = Annotations;
    return Classes.back();
  }
  /// "a b | G H | G:a,b H:G", timers, groups and contents; or the errors.
  std::string points(llvm::StringRef Class = "gen.T") {
    auto T = makeTimingPoints(Class, Known, Classes);
    if (!T)
      return toMessage(T.takeError());
    std::string Text;
    for (unsigned I = 0; I < T->Points.size(); ++I)
      Text += (I == T->NumTimers ? "| " : "") + T->Points[I].Name + "=" +
              T->Points[I].Description + " ";
    Text += "|";
    for (auto [Group, Member] : T->Contents)
      if (Group != T->NumTimers)
        Text += " " + T->Points[Group].Name + ":" + T->Points[Member].Name;
    return Text;
  }

  AnnotationSet Known;
  std::vector<ClassData> Classes;
};

TEST_F(Timing, FirstDescriptionWinsAndNothingIsThereTwice) {
  Known.add({"a/B", "b", {"a/C", "a/C"}});
  Known.add({"a/C", "c", {}});
  ClassData &One = add("p/X", {"a/B", "a/C"});
  One.Names = {timed("m", 1, "first"),
               timed("m", 1, "other"),
               {"i", TimingType::Enter, "t", "in", -1},
               {"n", TimingType::None, "n", "", -1},
               {"o", TimingType::Exit, "t", "out", -1}};
  add("q/X", {"a/B"}).Names = {timed("m", 0, "third")};
  add("X$Y", {"a/C"}).Names = {timed("m", 0)};
  EXPECT_EQ(points(),
            "X__m=first X__t=in X$Y__m=d | T=T B=b C=c | B:X__m B:X__t B:C "
            "C:X__m C:X__t C:X$Y__m");
}

TEST_F(Timing, TheFactoryContainsAll) {
  Known.add({"B", "b", {}});
  add("X", {"B"}).Names = {timed("m", 0)};
  auto T = makeTimingPoints("T", Known, Classes);
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(T->Class, "T");
  std::vector<std::pair<unsigned, unsigned>> All = {
      {1, 0}, {1, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(T->Contents, All);
}

TEST_F(Timing, Errors) {
  Known.add({"a/B", "", {"x/Far"}});
  Known.add({"b/B", "", {}});
  Known.add({"c/wait", "", {}});
  Known.add({"c/T", "", {}});
  Known.add({"c/X__m", "", {}});
  add("p/X", {"a/B"}).Names = {timed("m", 0),
                               {"i", TimingType::Enter, "big write", "", -1}};
  EXPECT_EQ(
      points("gen.class.T"),
      "'gen.class.T' is not a valid Java class name; "
      "Class p/X: the name of its timer X__big write is not a valid Java "
      "identifier; "
      "the timer group B would stand for the annotation a/B and for the "
      "annotation b/B; "
      "the timer group T would stand for the class gen.class.T and for the "
      "annotation c/T; "
      "the timer group X__m has the name of a timer; "
      "the name of the timer group wait is not a valid Java identifier for a "
      "field with an accessor; "
      "the group of the annotation a/B contains x/Far, which is not among the "
      "inputs: Far is not a valid Timer or TimerGroup name");
  EXPECT_NE(points("gen."), "");
}

TEST_F(Timing, SourceIsASCII) {
  Known.add({"B", "a \"b\" \\u0041\n\xc3\xa4", {}});
  add("X", {"B"}).Names = {timed("\xc3\xb6", 0)};
  auto T = makeTimingPoints("gen.T", Known, Classes);
  ASSERT_TRUE(bool(T));
  auto Source = printTimingSource(*T, Packages::jopt());
  ASSERT_TRUE(bool(Source));
  EXPECT_NE(
      Source->find(R"(this.X__\u00f6 = tf.makeTimer("X__\u00f6", "d") ;)"),
      std::string::npos);
  EXPECT_NE(Source->find(R"(("B", "a \"b\" \\u0041\012\u00e4") ;)"),
            std::string::npos);
  EXPECT_NE(Source->find("import jopt.tf.timer.Timer ;"), std::string::npos);
}

TEST_F(Timing, LargeOnesAreSplitAndTooLargeOnesRefused) {
  Known.add({"B", "b", {}});
  ClassData &C = add("X", {"B"});
  for (unsigned I = 0; I < 3000; ++I)
    C.Names.push_back(timed("m" + std::to_string(I), 0));
  auto T = makeTimingPoints("gen.T", Known, Classes);
  ASSERT_TRUE(bool(T));
  auto Data = makeTimingClass(*T, Packages::pfl());
  ASSERT_TRUE(bool(Data));
  EXPECT_TRUE(verifyClass(*Data, {}).empty());
  auto Class = readClass(*Data);
  ASSERT_TRUE(bool(Class));
  size_t Adds = 0;
  for (const Method &M : (*Class)->Methods)
    Adds += (*Class)->name(M).starts_with("fill$");
  EXPECT_EQ(Adds, 2u);
  auto Source = printTimingSource(*T, Packages::pfl());
  ASSERT_TRUE(bool(Source));
  EXPECT_NE(Source->find("this.fill$2() ;"), std::string::npos);
  EXPECT_NE(Source->find("private void fill$2() {"), std::string::npos);

  for (unsigned I = 0; I < 2000; ++I)
    C.Names.push_back(timed("n" + std::to_string(I), 0));
  T = makeTimingPoints("gen.T", Known, Classes);
  ASSERT_TRUE(bool(T));
  std::string Why = "a class of 5002 timers and groups would be too large: its "
                    "constructor can make 4033";
  Data = makeTimingClass(*T, Packages::pfl());
  EXPECT_EQ(toMessage(Data.takeError()), Why);
  Source = printTimingSource(*T, Packages::pfl());
  EXPECT_EQ(toMessage(Source.takeError()), Why);
}

TEST(TFProgram, ALookAtThePool) {
  auto Pool = [&](std::vector<std::string> Texts) {
    ByteWriter W;
    W.u4(0xcafebabe);
    W.u4(52);
    W.u2(uint16_t(Texts.size() + 3));
    W.u1(uint8_t(CPTag::Long));
    W.u8(0);
    for (const std::string &T : Texts) {
      W.u1(1);
      W.u2(uint16_t(T.size()));
      W.bytes(T);
    }
    return W.take();
  };
  Program P;
  P.Library = Packages::jopt();
  P.Annotations.add({"a/B", "", {}});
  EXPECT_FALSE(mayUseTF(Pool({"a/B", "La/BC;", "La/B"}), P));
  EXPECT_TRUE(mayUseTF(Pool({"x", "La/B;"}), P));
  EXPECT_TRUE(mayUseTF(Pool({"Ljopt/tf/annotation/InfoMethod;"}), P));
  auto Short = Pool({"x"});
  Short.pop_back();
  EXPECT_TRUE(mayUseTF(Short, P));
  EXPECT_TRUE(mayUseTF(toBytes("no class file"), P));

  auto Facts = [](Bytes Data) {
    PoolFacts F = lookAtPool(Data);
    return std::string(F.Group ? "g" : "") + (F.Annotated ? "a" : "") +
           (F.Info ? "i" : "") + (F.Nested ? "n" : "");
  };
  EXPECT_EQ(Facts(Pool({"x/MethodMonitorGroup", "InfoMethod", "Nest"})), "");
  EXPECT_EQ(Facts(Pool({"Lx/MethodMonitorGroup;", "NestHost"})), "gn");
  EXPECT_EQ(Facts(Pool({"Lx/InfoMethod;", "RuntimeVisibleAnnotations"})), "ai");
  EXPECT_EQ(Facts(Pool({"NestMembers"})), "n");
  EXPECT_EQ(Facts(Short), "gain");
  EXPECT_EQ(Facts({}), "gain");
}

} // namespace
