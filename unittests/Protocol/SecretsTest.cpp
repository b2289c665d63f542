//===- SecretsTest.cpp - Tests of values that are not passed on ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/Secrets.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace jopt::protocol;

namespace {
TEST(Secrets, Names) {
  for (llvm::StringRef Name :
       {"password", "userPassword", "API_KEY", "api-key", "accessToken",
        "spring.datasource.password", "Authorization"})
    EXPECT_TRUE(namesSecret(Name)) << Name.str();
  for (llvm::StringRef Name : {"user", "TokenFilter.java", "key", "pass"})
    EXPECT_FALSE(namesSecret(Name)) << Name.str();
}

/// What the recorder hides in the program, and this in what comes from it.
TEST(Secrets, TheListIsThatOfTheRuntime) {
  auto File = llvm::MemoryBuffer::getFile(
      JOPT_SOURCE_DIR "/runtime/boot/java/jopt/probe/Secrets.java");
  ASSERT_TRUE(bool(File));
  llvm::StringRef Text = (*File)->getBuffer();
  Text = Text.split("WORDS = {").second.split('}').first;
  std::vector<std::string> Words, Wanted;
  while (Text.contains('"')) {
    Text = Text.split('"').second;
    Words.push_back(Text.split('"').first.str());
    Text = Text.split('"').second;
  }
  for (llvm::StringRef Word : secretWords())
    Wanted.push_back(Word.str());
  EXPECT_EQ(Words, Wanted);
}

TEST(Secrets, InText) {
  EXPECT_EQ(hideSecrets("User[name=bob, password=hunter2, age=3]"),
            "User[name=bob, password=***, age=3]");
  EXPECT_EQ(hideSecrets("{\"token\": \"a\\\"b\", \"n\": 1}"),
            "{\"token\": ***, \"n\": 1}");
  EXPECT_EQ(hideSecrets("Authorization: Bearer abc.def"), "Authorization: ***");
  EXPECT_EQ(hideSecrets("the password is wrong"), "the password is wrong");
  EXPECT_EQ(hideSecrets("at a.TokenFilter.run(TokenFilter.java:12)"),
            "at a.TokenFilter.run(TokenFilter.java:12)");
  EXPECT_EQ(hideSecrets("password="), "password=");
}

TEST(Secrets, InJson) {
  llvm::json::Value V =
      llvm::json::Object{{"secret", llvm::json::Array{1, 2}},
                         {"args", llvm::json::Array{"pwd=x", 5, nullptr}},
                         {"token", nullptr}};
  hideSecrets(V);
  EXPECT_EQ(llvm::formatv("{0}", V).str(),
            R"({"args":["pwd=***",5,null],"secret":"***","token":null})");
}
} // namespace
