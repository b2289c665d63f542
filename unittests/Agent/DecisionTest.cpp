//===- DecisionTest.cpp - What is to be done with a class -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/Decision.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

namespace {

/// Facts that say what they were asked for.
struct Facts : ClassFacts {
  explicit Facts(StringRef Name) : Name(Name) {}

  StringRef name() const override { return Name; }
  LoaderKind loaderKind() override { return Kind; }
  std::string loaderName() override {
    Asked += "loader ";
    return Loader;
  }
  std::optional<std::string> source() override {
    Asked += "source ";
    return Source;
  }
  Bytes pool() override {
    Asked += "pool ";
    return toBytes(Pool);
  }
  std::optional<MatchClass> supers(bool Hierarchy) override {
    Asked += Hierarchy ? "ancestors " : "interfaces ";
    if (!Interfaces)
      return std::nullopt;
    return MatchClass{Name, *Interfaces};
  }

  StringRef Name;
  LoaderKind Kind = LoaderKind::System;
  std::string Loader = "x/AppLoader";
  std::optional<std::string> Source = "file:/app/";
  std::string Pool;
  std::optional<llvm::SmallVector<StringRef>> Interfaces;
  std::string Asked;
};

class DecisionTest : public ::testing::Test {
protected:
  DecisionTest() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("jopt-decision",
                                                    "probescript", Script));
    // Of a class, and of whatever implements an interface.
    std::error_code EC;
    llvm::raw_fd_ostream(Script, EC) << "REM p\nPROBE\n"
                                        "RULE a A * * include\n"
                                        "RULE a I * * include\n"
                                        "RULE * * * * exclude\n"
                                        "REF ONENTRY p/P e ()V\n";
    Options.Weave.Probes = {Script.str().str()};
  }
  ~DecisionTest() override { llvm::sys::fs::remove(Script); }

  Decision decided(Facts &F) const {
    DiagnosticEngine Diags([](const Diagnostic &) {});
    auto S = Session::create(Options, {}, Diags);
    if (!S) {
      ADD_FAILURE() << llvm::toString(S.takeError());
      return Decision::Filtered;
    }
    return decide(**S, F);
  }

  AgentOptions Options;
  llvm::SmallString<128> Script;
};

TEST_F(DecisionTest, WhatNobodyKnowsKeepsNoClassOut) {
  Facts A("a/A"), Other("b/B");
  EXPECT_EQ(decided(A), Decision::Probe);
  // It may implement a/I.
  EXPECT_EQ(decided(Other), Decision::Probe);
  Other.Interfaces.emplace();
  EXPECT_EQ(decided(Other), Decision::Unmatched);
  Other.Interfaces->push_back("a/I");
  EXPECT_EQ(decided(Other), Decision::Probe);
  // Neither source nor loader, which cost something to find out.
  EXPECT_EQ(Other.Asked, "interfaces interfaces interfaces ");
  EXPECT_TRUE(isMeant(Decision::Probe));
  EXPECT_FALSE(isMeant(Decision::Unmatched));
}

TEST_F(DecisionTest, ByLoaderAndSource) {
  Options.Loaders = {"*AppLoader"};
  Options.Sources = {"file:*/app/"};
  Facts A("a/A");
  EXPECT_EQ(decided(A), Decision::Probe);
  A.Source = "file:/lib/";
  EXPECT_EQ(decided(A), Decision::Filtered);
  A.Source = std::nullopt;
  EXPECT_EQ(decided(A), Decision::Probe);
  A.Loader = "x/OtherLoader";
  EXPECT_EQ(decided(A), Decision::Filtered);
  Facts Jdk("java/lang/String");
  Jdk.Kind = LoaderKind::Boot;
  EXPECT_EQ(decided(Jdk), Decision::Filtered);
  EXPECT_EQ(Jdk.Asked, "");
}

TEST_F(DecisionTest, Traced) {
  Options.Weave.TracingAnnotations = {"m.On"};
  Facts B("b/B");
  B.Interfaces.emplace();
  EXPECT_EQ(decided(B), Decision::Unmatched);
  B.Pool = "...Lm/On;...";
  EXPECT_EQ(decided(B), Decision::Trace);
  EXPECT_TRUE(isMeant(Decision::Trace));
  // Probes come first: then classes must see them.
  Facts A("a/A");
  A.Pool = B.Pool;
  EXPECT_EQ(decided(A), Decision::Probe);
}

TEST_F(DecisionTest, TheRegistryWhateverTheFilters) {
  Options.Weave.TracingAnnotations = {"m.On"};
  Options.Exclude = {"*"};
  Facts Registry("jopt/tf/MethodMonitorRegistry");
  EXPECT_EQ(decided(Registry), Decision::Filtered);
  Options.Weave.Idle = TracingIdle::None;
  EXPECT_EQ(decided(Registry), Decision::Watch);
  EXPECT_TRUE(isMeant(Decision::Watch));
}

} // namespace
