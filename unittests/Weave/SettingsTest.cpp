//===- SettingsTest.cpp - The table of settings ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/Settings.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace jopt;
using llvm::StringRef;

namespace {

const Setting<WeaveSettings> *find(StringRef Name, SettingTool T) {
  for (const Setting<WeaveSettings> &Row : weaveSettings())
    if (Row.isNamed(Name, T))
      return &Row;
  return nullptr;
}

/// The error of \p T for \p Value of \p Name; empty if it accepts it.
std::string set(WeaveSettings &S, StringRef Name, StringRef Value,
                SettingTool T = SettingTool::Jopt) {
  const Setting<WeaveSettings> *Row = find(Name, T);
  if (!Row)
    return "unknown";
  llvm::Error E = Row->apply(S, Value, T);
  return E ? toMessage(std::move(E)) : std::string();
}

/// A value of \p Row that is not its default for jopt, if there is one.
std::vector<std::string> valuesOf(const SettingInfo &Row) {
  switch (Row.Type) {
  case SettingType::Flag:
    return {"on"};
  case SettingType::Choice: {
    std::vector<std::string> Names;
    for (const SettingValue &V : Row.Values)
      if (!V.By || V.By & unsigned(SettingTool::Jopt))
        Names.push_back(V.Name.str());
    return Names;
  }
  case SettingType::Number:
    return {"11"};
  case SettingType::Paths:
    return {".:/"}; // they must be there
  default:
    return {"a,,b,@c d"};
  }
}

TEST(SettingsTest, OneNameIsOneSettingOfATool) {
  for (SettingTool T :
       {SettingTool::Jopt, SettingTool::JoptTF, SettingTool::Agent}) {
    llvm::StringSet<> Names;
    for (const Setting<WeaveSettings> &Row : weaveSettings()) {
      if (Row.isFor(T)) {
        EXPECT_TRUE(Names.insert(Row.Name).second) << Row.Name.str();
      }
      for (const OldSettingName &O : Row.OldNames)
        if (O.By == T) {
          EXPECT_TRUE(Names.insert(O.Name).second) << O.Name.str();
        }
    }
  }
}

TEST(SettingsTest, WhatIsPrintedReadsBack) {
  for (const Setting<WeaveSettings> &Row : weaveSettings()) {
    if (!Row.isFor(SettingTool::Dump))
      continue;
    for (const std::string &Value : valuesOf(Row)) {
      WeaveSettings S, Again;
      ASSERT_EQ(set(S, Row.Name, Value), "") << Row.Name.str();
      for (StringRef Option : printSettings(S)) {
        ASSERT_TRUE(Option.consume_front("-"));
        auto [Name, Text] = Option.split('=');
        EXPECT_EQ(Name, Row.Name);
        ASSERT_EQ(set(Again, Name, Text), "") << Option.str();
      }
      EXPECT_TRUE(askForSameBytes(S, Again)) << Row.Name.str() << Value;
      EXPECT_EQ(printSettings(S), printSettings(Again));
    }
  }
}

TEST(SettingsTest, TheAgentsDefaultsAreOptionsOfJopt) {
  EXPECT_TRUE(printSettings(WeaveSettings()).empty());
  WeaveSettings Agent = WeaveSettings::ofAgent(), Jopt;
  EXPECT_FALSE(askForSameBytes(Agent, Jopt));
  Agent.How = DispatchPolicy::Direct; // jopt decides for no class
  EXPECT_EQ(printSettings(Agent),
            (std::vector<std::string>{"-schema=keep", "-skip-sensitive=on"}));
}

TEST(SettingsTest, UnderscoreIsDash) {
  WeaveSettings S;
  EXPECT_EQ(set(S, "probe_cache", "off", SettingTool::Agent), "");
  EXPECT_EQ(S.CacheFolder, "off");
  EXPECT_EQ(set(S, "tf_idle", "none", SettingTool::Agent), "");
  EXPECT_EQ(S.Idle, TracingIdle::None);
}

TEST(SettingsTest, OldNamesAreOfOneTool) {
  WeaveSettings S;
  EXPECT_EQ(set(S, "tf", "pfl"), "");
  EXPECT_EQ(S.TracingLibrary, "pfl");
  EXPECT_EQ(set(S, "tf", "a.B", SettingTool::Agent), "");
  EXPECT_EQ(S.TracingAnnotations, std::vector<std::string>{"a.B"});
  EXPECT_EQ(set(S, "compat", "pfl", SettingTool::JoptTF), "");
  EXPECT_EQ(S.TracingRules, tf::Rules::PFL);
  EXPECT_EQ(set(S, "compat", "pfl"), "unknown");
  EXPECT_EQ(set(S, "isolate-probes", ""), "");
  EXPECT_EQ(S.Isolate, true);
  EXPECT_EQ(set(S, "isolate-probes", "", SettingTool::Agent), "unknown");
}

TEST(SettingsTest, ValuesAreThoseOfTheTool) {
  WeaveSettings S;
  EXPECT_EQ(set(S, "huge", "outline"), "");
  EXPECT_EQ(set(S, "oversize", "outline", SettingTool::Agent),
            "'outline' is none of report|skip");
  EXPECT_EQ(set(S, "dispatch", "auto"), "'auto' is none of direct|indy");
  EXPECT_EQ(set(S, "isolate", "yes"), "'yes' is none of on|off");
  EXPECT_EQ(set(S, "release", "8a"), "'8a' is no number");
}

TEST(SettingsTest, CommasPartWhatStandsOnACommandLine) {
  WeaveSettings S;
  EXPECT_EQ(set(S, "probes", "a,b,,c,,,,"), "");
  EXPECT_EQ(S.Probes, (std::vector<std::string>{"a", "b,c,,"}));
  // The agent's options were parted before.
  EXPECT_EQ(set(S, "tf-annotations", "a,,b", SettingTool::Agent), "");
  EXPECT_EQ(S.TracingAnnotations, std::vector<std::string>{"a,,b"});
}

TEST(SettingsTest, VerifySetsBoth) {
  WeaveSettings S;
  EXPECT_EQ(set(S, "verify", "all"), "");
  EXPECT_TRUE(S.VerifyInput && S.VerifyOutput == true);
  EXPECT_EQ(set(S, "verify", "off"), "");
  EXPECT_TRUE(!S.VerifyInput && S.VerifyOutput == false);
  EXPECT_EQ(set(S, "verify", "changed"), "");
  EXPECT_TRUE(!S.VerifyInput && !S.VerifyOutput);
}

} // namespace
