//===- McpToolsTest.cpp - Tests of tools and their commands -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/McpServer.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::protocol;

namespace {
McpTool makeTool() {
  McpTool T;
  T.Name = "watch";
  T.Follows = true;
  T.Arguments = {
      {"pid", "", McpArgument::Process, true},
      {"methods", "which", McpArgument::Text, true},
      {"self", "", McpArgument::Flag},
      {"when", "", McpArgument::Expression},
      {"limit", "", McpArgument::Number, false, 20, 1000},
  };
  return T;
}

/// The command for \p Arguments, or what is wrong with them.
std::string command(llvm::StringRef Arguments, bool AllowCalls = false) {
  McpOptions Options;
  Options.AllowCalls = AllowCalls;
  auto Given = llvm::json::parse(Arguments);
  if (!Given)
    return "no JSON";
  auto Words = makeCommand(makeTool(), *Given->getAsObject(), Options);
  return Words ? llvm::join(*Words, "|")
               : "error: " + toMessage(Words.takeError());
}

TEST(McpTools, ArgumentsBecomeWords) {
  EXPECT_EQ(command(R"({"methods": "A#*", "pid": 7})"),
            "watch|7|A#*|--limit=20|--for=10s");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "A#*", "self": true, "limit": 5,
                        "when": "args[0] == 1", "seconds": 3})"),
            "watch|7|A#*|--self|--when=args[0] == 1|--limit=5|--for=3s");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "A#*", "self": false})"),
            "watch|7|A#*|--limit=20|--for=10s");
}

TEST(McpTools, WrongArgumentsAreNamed) {
  EXPECT_EQ(command(R"({"pid": 7})"), "error: 'methods' is needed: which");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "A#*", "where": 1})"),
            "error: 'where': the tool has no such argument");
  EXPECT_EQ(command(R"({"pid": "7", "methods": "A#*"})"),
            "error: 'pid' is an integer from 1 to 2147483647");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "A#*", "seconds": 301})"),
            "error: 'seconds' is an integer from 1 to 300");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "--for=1h"})"),
            "error: 'methods' does not begin with '-'");
  EXPECT_EQ(command(R"({"pid": 7, "methods": "A#*\n-x"})"),
            "error: 'methods' is a line of text with up to 4096 bytes");
  const char *Calls = R"x({"pid": 7, "methods": "A#*", "when": "f()"})x";
  const std::string Refused = command(Calls);
  EXPECT_TRUE(llvm::StringRef(Refused).contains("--allow=calls")) << Refused;
  EXPECT_EQ(command(Calls, true),
            "watch|7|A#*|--when=f()|--limit=20|--for=10s");
}

TEST(McpTools, TheSchemaHasWhatIsNeeded) {
  const llvm::json::Object Tool = describeTool(makeTool());
  const llvm::json::Object *Schema = Tool.getObject("inputSchema");
  ASSERT_TRUE(Schema);
  EXPECT_EQ(*Schema->getArray("required"),
            (llvm::json::Array{"pid", "methods"}));
  EXPECT_EQ(Schema->getObject("properties")
                ->getObject("seconds")
                ->getInteger("maximum"),
            MostSeconds);
}

TEST(McpTools, ExpressionsThatOnlyRead) {
  for (llvm::StringRef Reads :
       {"durationMs > 20", "args[0] == null", "(int) x + (y * 2) >= 3",
        "name != \"a(b) = c\"", "result instanceof String && flag",
        "a.b.c <= d[i + 1]", "c == '('", "x >= 1", "-x"})
    EXPECT_TRUE(onlyReads(Reads)) << Reads.str();
  for (llvm::StringRef Acts : {"f()",
                               "args[0].size() > 1",
                               "a.b ()",
                               "new int[9].length > 1",
                               "x = 1",
                               "x += 1",
                               "x++ > 1",
                               "--x > 1",
                               "() -> x",
                               "A::b",
                               "f\\u0028\\u0029",
                               "f /* */ ()",
                               "f // x",
                               "a[0](1)",
                               "x; y",
                               "@A x",
                               "\"a\" == \"b\" + f()",
                               "x >>= 1",
                               "x <<= 1",
                               "this.<A>f()"})
    EXPECT_FALSE(onlyReads(Acts)) << Acts.str();
}

TEST(McpTools, TemplatesThatOnlyRead) {
  for (llvm::StringRef Reads : {"a = b (c)", "order {id}: {items[0].price}",
                                "{{f()}} {x}", "", "{x", "{a.b == 1 ? c : d}"})
    EXPECT_TRUE(onlyReadsInBraces(Reads)) << Reads.str();
  for (llvm::StringRef Acts :
       {"{items.size()}", "{x} {y = 1}", "{{{f()}", "{f(", "{\"}\" + f()}"})
    EXPECT_FALSE(onlyReadsInBraces(Acts)) << Acts.str();
}
} // namespace
