//===- WeaveRequestTest.cpp - Members of some, probes of others -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/WeaveRequest.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

namespace {

using ClassData = llvm::SmallVector<uint8_t, 0>;

ClassData makeClass() {
  auto Parsed = parseIR(R"(
class public super A extends java/lang/Object version 61.0 {
  method static m:()V {
    code slots 0 {
    b0:
      return
    }
  }
}
)",
                        "t.jir");
  EXPECT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
  if (!Parsed)
    return {};
  ClassFile &F = *Parsed->front();
  EXPECT_FALSE(bool(lowerMethod(F, F.Methods.front())));
  auto Out = writeClass(F);
  EXPECT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  return Out ? std::move(*Out) : ClassData();
}

size_t fieldsOf(Bytes Data) {
  auto Class = readClass(Data);
  if (!Class) {
    ADD_FAILURE() << llvm::toString(Class.takeError());
    return 0;
  }
  return (*Class)->Fields.size();
}

std::shared_ptr<const Session> makeSession(StringRef Probe, SchemaPolicy P) {
  llvm::SmallString<128> Path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("jopt-request", "xml", Path));
  std::error_code EC;
  llvm::raw_fd_ostream(Path, EC) << "<probekit><probe>"
                                    "<target type=\"include\" className=\"A\"/>"
                                    "<target type=\"exclude\"/>"
                                 << Probe << "</probe></probekit>";
  AgentOptions Options;
  Options.Weave.CacheFolder = "off";
  Options.Weave.Probes = {Path.str().str()};
  Options.Weave.Schema = P;
  DiagnosticEngine Diags([](const Diagnostic &) {});
  auto S = Session::create(Options, {}, Diags);
  llvm::sys::fs::remove(Path);
  EXPECT_TRUE(bool(S)) << llvm::toString(S.takeError());
  return S ? *S : nullptr;
}

TEST(WeaveRequest, MembersStayWhateverProbesCome) {
  auto First = makeSession(
      R"(<staticField type="java.util.Random"/><fragment type="entry">
         <data type="staticField" name="s"/><code>s.nextInt();</code>
         </fragment>)",
      SchemaPolicy::Change);
  auto Second =
      makeSession(R"(<fragment type="exit"><code>int x;</code></fragment>)",
                  SchemaPolicy::Keep);
  ASSERT_TRUE(First && Second);
  const ClassData Class = makeClass();
  WeaveRequest R;
  R.S = First;
  R.Came = Class;
  EXPECT_FALSE(R.inTwoSteps());
  auto Loaded = weave(R);
  ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
  EXPECT_TRUE(Loaded->HasProbes && Loaded->WithMembers.empty());
  EXPECT_EQ(fieldsOf(Loaded->Outcome.Data), 1u);

  // The same probes again: as it was when it was loaded.
  R.Members = {First, Dispatch::Direct};
  EXPECT_FALSE(R.inTwoSteps());
  auto Again = weave(R);
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
  EXPECT_EQ(Again->Outcome.Data, Loaded->Outcome.Data);

  // Others: what they are put into is the class with its members.
  R.S = Second;
  R.Mode.Loaded = true;
  EXPECT_TRUE(R.inTwoSteps());
  auto Others = weave(R);
  ASSERT_TRUE(bool(Others)) << llvm::toString(Others.takeError());
  EXPECT_TRUE(Others->HasProbes);
  EXPECT_EQ(fieldsOf(Others->WithMembers), 1u);
  EXPECT_EQ(fieldsOf(Others->Outcome.Data), 1u);
  auto Direct = Second->weave(Others->WithMembers, R.Mode);
  ASSERT_TRUE(bool(Direct)) << llvm::toString(Direct.takeError());
  EXPECT_EQ(Direct->Data, Others->Outcome.Data);

  // None: the members alone.
  R.S = nullptr;
  EXPECT_TRUE(R.inTwoSteps());
  auto None = weave(R);
  ASSERT_TRUE(bool(None)) << llvm::toString(None.takeError());
  EXPECT_FALSE(None->HasProbes);
  EXPECT_EQ(None->Outcome.Data, Others->WithMembers);
}

TEST(WeaveRequest, NoClassFile) {
  auto S =
      makeSession(R"(<fragment type="exit"><code>int x;</code></fragment>)",
                  SchemaPolicy::Keep);
  ASSERT_TRUE(bool(S));
  const ClassData Junk = {1, 2, 3};
  WeaveRequest R;
  R.S = S;
  R.Came = Junk;
  auto Woven = weave(R);
  EXPECT_FALSE(bool(Woven));
  llvm::consumeError(Woven.takeError());
}

} // namespace
