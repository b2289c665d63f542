//===- JsonStreamTest.cpp - Tests of messages in JSON -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/JsonStream.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Json.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace jopt;
using namespace jopt::protocol;

namespace {
/// What a stream reads of \p Text: a line for each message or error.
std::string readAll(JsonStream::Framing F, llvm::StringRef Text) {
  int Ends[2];
  if (::pipe(Ends))
    return "no pipe";
  EXPECT_TRUE(writeAll(Ends[1], Text));
  ::close(Ends[1]);
  JsonStream S(Ends[0], -1, F);
  std::string All;
  llvm::raw_string_ostream OS(All);
  do
    while (auto Message = S.next()) {
      if (*Message)
        OS << **Message << '\n';
      else
        OS << "error: " << toMessage(Message->takeError()) << '\n';
    }
  while (S.fill());
  ::close(Ends[0]);
  return All;
}

TEST(JsonStream, LinesAreMessages) {
  EXPECT_EQ(
      readAll(JsonStream::Framing::Lines, "{\"a\":1}\r\n\n[2]\n{\"cut\":"),
      "{\"a\":1}\n[2]\n");
}

TEST(JsonStream, WhatIsNoJsonIsAnErrorAndTheNextMessageIsRead) {
  const std::string All =
      readAll(JsonStream::Framing::Lines, "{nonsense\n{\"a\":1}\n");
  EXPECT_TRUE(llvm::StringRef(All).starts_with("error: "));
  EXPECT_TRUE(llvm::StringRef(All).ends_with("{\"a\":1}\n"));
}

TEST(JsonStream, HeadersTellTheLength) {
  EXPECT_EQ(readAll(JsonStream::Framing::Headers,
                    "Content-Length: 7\r\n\r\n{\"a\":1}"
                    "content-length: 2\r\nContent-Type: x\r\n\r\n{}"),
            "{\"a\":1}\n{}\n");
  EXPECT_EQ(
      readAll(JsonStream::Framing::Headers, "Content-Length: x\r\n\r\n{}"),
      "error: a header without a Content-Length of up to 1 MB\n");
  EXPECT_EQ(readAll(JsonStream::Framing::Headers,
                    "Content-Length: 99999999999\r\n\r\n{}"),
            "error: a header without a Content-Length of up to 1 MB\n");
  EXPECT_EQ(readAll(JsonStream::Framing::Headers, std::string(5000, 'x')),
            "error: a header of more than 4 KB\n");
}

TEST(JsonStream, DeepNestingIsAnError) {
  const std::string Deep(65, '[');
  EXPECT_EQ(readAll(JsonStream::Framing::Lines, Deep + "\n"),
            "error: JSON with more than 64 levels\n");
  const std::string Text = "[\"" + std::string(100, '[') + "\\\"\"]";
  auto Read = parseJson(Text);
  ASSERT_TRUE(bool(Read)) << toMessage(Read.takeError());
}
} // namespace
