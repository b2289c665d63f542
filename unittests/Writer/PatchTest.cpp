//===- PatchTest.cpp - Patched bodies give the bytes of lifted ones ----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each method is lifted in both ways, gets the same code at its entry and in
/// front of its returns, and must be written as the same attribute. Without
/// that code the attribute of a patched body is the original.
///
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;

namespace {
/// A frame at a label: the types of its table behind offset_delta.
struct FrameAt {
  std::string Label;
  unsigned Tag; ///< 0: same, 64: with a stack item, 248 and above as they are
  std::vector<uint8_t> Types = {};
};
struct RowAt {
  std::string From, To, Target;
};
struct Case {
  std::string Descriptor, Code;
  std::vector<FrameAt> Frames = {};
  std::vector<RowAt> Rows = {};
  unsigned MaxStack = 4;
};

/// The inserted code: nothing, bytes that use no stack, or two values on it.
enum class Insert { Nothing, Nops, Values };

enum class Form { Lifted, Patched };
} // namespace

static std::vector<uint8_t> stackMap(const TestCode &T,
                                     llvm::ArrayRef<FrameAt> Frames) {
  std::vector<uint8_t> Data = {0, uint8_t(Frames.size())};
  int Last = -1;
  for (const FrameAt &F : Frames) {
    const unsigned Delta = unsigned(int(T.label(F.Label)) - Last - 1);
    Last = int(T.label(F.Label));
    const bool Short = F.Tag < 128 && Delta < 64;
    Data.push_back(uint8_t(Short         ? F.Tag + Delta
                           : F.Tag == 0  ? 251
                           : F.Tag == 64 ? 247
                                         : F.Tag));
    if (!Short) {
      Data.push_back(uint8_t(Delta >> 8));
      Data.push_back(uint8_t(Delta));
    }
    Data.insert(Data.end(), F.Types.begin(), F.Types.end());
  }
  return Data;
}

static void insertAt(Body &F, Instruction *Before, Insert What,
                     unsigned Count) {
  Builder B(F, Before);
  for (unsigned N = 0; N < Count; ++N) {
    if (What == Insert::Nops)
      F.insert(F.create(irop::Nop, op::NOP, Type::Void, {}), Before->block(),
               Before->getIterator());
    if (What == Insert::Values)
      B.callStatic("T", "take", "(IJ)V", {B.constant(7), B.constantLong(1)});
  }
}

/// In front of a return, or of the load that only serves the return.
static Instruction *exitOf(Instruction *Return) {
  auto At = Return->getIterator();
  if (Return->operands().empty() || At == Return->block()->begin())
    return Return;
  Instruction &V = *std::prev(At);
  const bool Loads = Return->operand(0) == &V && V.isPure();
  if (Loads)
    V.setFloating(true);
  return Loads ? &V : Return;
}

static void insertAtBorders(Body &F, Insert What, unsigned Count) {
  if (What == Insert::Nothing)
    return;
  llvm::SmallVector<Instruction *, 8> Returns;
  for (Block &B : F.blocks())
    if (B.terminator()->op() == irop::Return)
      Returns.push_back(B.terminator());
  for (Instruction *R : Returns) {
    Instruction *At = exitOf(R);
    startBlock(At);
    insertAt(F, At, What, Count);
  }
  Block *Old = &F.entry(), *Front = F.createBlock(Old);
  Builder B(F);
  B.setEnd(Front);
  B.fallThrough(Old);
  insertAt(F, Front->terminator(), What, Count);
}

/// \p Count of \p What in front of a return that is not written.
static void fill(Snippet &Code, const TestCode &T, Insert What,
                 unsigned Count) {
  Code.IR = std::make_unique<Body>(T.M.IR->classFile(), T.M.IR->method());
  Body &F = *Code.IR;
  F.setNumSlots(T.M.IR->numSlots());
  F.append(F.create(irop::Return, op::RETURN, Type::Void, {}), F.createBlock());
  insertAt(F, F.entry().terminator(), What, Count);
  Code.Continues = true;
}

/// The Code attribute of \p C with code put in; and the original.
static std::pair<std::vector<uint8_t>, std::vector<uint8_t>>
woven(const Case &C, Form How, Insert What, unsigned Count) {
  TestCode T(C.Descriptor, true, 61);
  T.MaxLocals = 8;
  T.MaxStack = C.MaxStack;
  const unsigned ThrowableIndex = T.Class.Pool.addClass("java/lang/Throwable");
  T.code(C.Code);
  for (const RowAt &R : C.Rows)
    T.handler(R.From, R.To, R.Target);
  EXPECT_EQ(8u, ThrowableIndex);
  // One for each byte: also tables that name the middle of an instruction, as
  // no JVM minds, are the same.
  std::vector<uint8_t> Lines = {0, uint8_t(T.size())};
  for (unsigned BCI = 0; BCI < T.size(); ++BCI)
    Lines.insert(Lines.end(), {0, uint8_t(BCI), 0, uint8_t(BCI)});
  T.attribute("LineNumberTable", Lines);
  if (!C.Frames.empty())
    T.attribute("StackMapTable", stackMap(T, C.Frames));
  LiftOptions Raw;
  Raw.Raw = KeepRaw::Straight;
  CodePatch Patch;
  Snippet Front, AtReturn;
  if (How == Form::Patched)
    EXPECT_TRUE(T.liftPatched(Patch)) << C.Code;
  else
    T.lift(Raw);
  auto Take = [](Bytes B) { return std::vector<uint8_t>(B.begin(), B.end()); };
  auto Original = Take(T.M.Attributes.back().Data);
  if (!T.M.IR)
    return {};
  if (How != Form::Patched) {
    insertAtBorders(*T.M.IR, What, Count);
  } else if (What != Insert::Nothing) {
    fill(AtReturn, T, What, Count);
    fill(Front, T, What, Count);
    Patch.Entry = &Front;
    for (const OriginalReturn &R : Patch.Returns)
      Patch.Sites.push_back({R.Load, R.Load, false, &AtReturn});
    EXPECT_TRUE(verifyBody(*T.M.IR).empty()) << C.Code;
  }
  if (llvm::Error E = lowerMethod(T.Class, T.M)) {
    ADD_FAILURE() << C.Code << ": " << toString(std::move(E));
    return {};
  }
  return {Take(T.M.Attributes.back().Data), Original};
}

/// Class entry #8: see woven().
static const std::vector<uint8_t> Throwable = {7, 0, 8};

static const Case Cases[] = {
    {"()V", "nop; return"},
    {"()I", "iconst_1; ireturn"},
    {"()J", "nop; lconst_1; lreturn"},
    {"(I)I", "iload 0; iconst_1; iadd; ireturn"},
    {"(I)I", "wide iload 0; ireturn"},
    // An object that nobody initialises is dropped with the activation.
    {"()V", "new T; dup; iconst_1; istore 0; return"},
    // Branches over a return and to one, and back to the beginning.
    {"(I)I",
     "iload 0; ifeq L; iconst_2; ireturn; L: iconst_3; ireturn",
     {{"L", 0}}},
    {"(I)V",
     "iload 0; ifeq L; nop; nop; return; M: nop; return; L: goto M",
     {{"M", 0}, {"L", 0}}},
    {"(I)V", "L: iload 0; ifeq L; return", {{"L", 0}}},
    {"(I)I",
     "iload 0; ifeq L; iconst_2; goto M; L: iconst_3; M: ireturn",
     {{"L", 0}, {"M", 64, {1}}}},
    {"(I)V",
     "iload 0; ifeq L; return; L: goto_w M; M: return",
     {{"L", 0}, {"M", 0}}},
    // The depth below the value counts where inserted code pushes more.
    {"(I)I", "iconst_0; iconst_1; iload 0; iconst_1; iadd; ireturn", {}, {}, 4},
    {"(I)I",
     "iconst_0; iload 0; ifeq L; nop; L: iconst_1; iconst_2; iadd; ireturn",
     {{"L", 64, {1}}}},
    // A border between the value and its return.
    {"(I)I",
     "nop; A: nop; iconst_1; B: ireturn; H: athrow",
     {{"H", 64, Throwable}},
     {{"A", "B", "H"}}},
    // Switches, whose padding changes.
    {"(I)V",
     "iload 0; tableswitch 1=A 2=B C; A: return; B: nop; return; C: return",
     {{"A", 0}, {"B", 0}, {"C", 0}}},
    {"(I)V",
     "nop; iload 0; lookupswitch 1=A 9=B C; A: nop; return; B: iload 0; "
     "lookupswitch 5=A C; C: return",
     {{"A", 0}, {"B", 0}, {"C", 0}}},
    // A far frame, and returns inside of ranges.
    {"(I)V",
     "iload 0; ifeq L; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; "
     "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; "
     "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; "
     "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; "
     "nop; return; L: return",
     {{"L", 0}}},
    {"(I)I",
     "A: iload 0; iconst_1; iadd; B: ireturn; C: iconst_0; ireturn; H: athrow",
     {{"C", 0}, {"H", 64, Throwable}},
     {{"A", "B", "H"}}},
    {"(I)I",
     "A: iload 0; ifeq L; iconst_1; ireturn; L: nop; iconst_0; C: ireturn; "
     "H: pop; iconst_0; ireturn",
     {{"L", 0}, {"H", 64, Throwable}},
     {{"A", "L", "H"}, {"L", "C", "H"}}},
    // A `new` that a frame names.
    {"(I)V",
     "N: new T; iload 0; ifeq L; nop; L: pop; return",
     {{"L", 64, {8, 0, 0}}}},
};

TEST(CodePatch, GivesTheBytesOfLifted) {
  for (const Case &C : Cases) {
    auto [Same, Original] = woven(C, Form::Patched, Insert::Nothing, 0);
    EXPECT_EQ(Original, Same) << C.Code;
    // A site is in other ranges than code that is put into a block.
    if (!C.Rows.empty())
      continue;
    for (Insert What : {Insert::Nops, Insert::Values})
      for (unsigned Count = 1; Count < 6; ++Count)
        EXPECT_EQ(llvm::toHex(woven(C, Form::Lifted, What, Count).first),
                  llvm::toHex(woven(C, Form::Patched, What, Count).first))
            << C.Code << ", " << Count;
  }
}

using Rows = std::vector<std::vector<unsigned>>;

static Rows rowsWithSites(bool HasMonitors) {
  TestCode T("(I)I", true, 61);
  T.MaxLocals = 1;
  T.Class.Pool.addClass("java/lang/Throwable");
  T.code("A: iload 0; ifeq L; iconst_1; ireturn; L: nop; iconst_0; ireturn; "
         "B: H: pop; iconst_0; ireturn");
  T.handler("A", "B", "H");
  T.attribute("StackMapTable", stackMap(T, {{"L", 0}, {"H", 64, {7, 0, 8}}}));
  CodePatch S;
  EXPECT_TRUE(T.liftPatched(S));
  EXPECT_EQ(3u, S.Returns.size());
  S.HasMonitors = HasMonitors;
  Snippet AtReturn, AtHandler, Behind;
  fill(AtReturn, T, Insert::Nops, 1);
  fill(AtHandler, T, Insert::Nops, 2);
  fill(Behind, T, Insert::Nops, 1);
  Behind.Continues = false;
  for (const OriginalReturn &R : S.Returns)
    S.Sites.push_back({R.Load, R.BCI + 1, false, &AtReturn});
  const uint32_t H = T.label("H");
  S.Sites.insert(S.Sites.end() - 1, {H, H, false, &AtHandler});
  S.Handlers.push_back(
      {0, uint32_t(T.size()), SyntheticHandler::None, &Behind});
  EXPECT_FALSE(bool(lowerMethod(T.Class, T.M)));
  const CodeView V = T.view();
  Rows All;
  for (const CodeView::Handler &R : V.Handlers)
    All.push_back({R.Start, R.End, R.Target});
  return All;
}

TEST(CodePatch, LeavesOutReturnsOfRanges) {
  // iload, ifeq; nop iconst_1 ireturn; nop; nop iconst_0 ireturn; two nops and
  // pop; nop iconst_0 ireturn; then what catches.
  const Rows Wanted = {
      {0, 5, 12}, {8, 9, 12}, {0, 5, 18}, {8, 9, 18}, {12, 15, 18}};
  EXPECT_EQ(Wanted, rowsWithSites(/*HasMonitors=*/false));
  // A return that may find a lock held stays where it was caught.
  const Rows WithMonitors = {{0, 5, 12}, {7, 9, 12}, {11, 12, 12},
                             {0, 5, 18}, {8, 9, 18}, {12, 15, 18}};
  EXPECT_EQ(WithMonitors, rowsWithSites(/*HasMonitors=*/true));
}

TEST(CodePatch, FramesNameTheNewBehindItsSite) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.code("new T; iload 0; ifeq L; nop; L: pop; return");
  T.attribute("StackMapTable", stackMap(T, {{"L", 64, {8, 0, 0}}}));
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet AtNew;
  fill(AtNew, T, Insert::Nops, 1);
  S.Sites.push_back({0, 0, false, &AtNew});
  ASSERT_FALSE(bool(lowerMethod(T.Class, T.M)));
  const Bytes Frames = T.view().Attributes.front().Data;
  EXPECT_EQ(1u, readU2(Frames.end() - 2));
}

/// The code with sites in it, as bytes of hexadecimal digits.
static std::string codeWithSites(TestCode &T, CodePatch &S,
                                 std::vector<InsertionPoint> Sites) {
  S.Sites = std::move(Sites);
  EXPECT_TRUE(verifyBody(*T.M.IR).empty());
  EXPECT_FALSE(bool(lowerMethod(T.Class, T.M)));
  return llvm::toHex(T.view().Code);
}

TEST(CodePatch, SeveralSitesStandAtOnePlace) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.code("L: iload 0; ifeq L; return");
  T.attribute("StackMapTable", stackMap(T, {{"L", 0}}));
  T.attribute("LineNumberTable", {0, 2, 0, 0, 0, 1, 0, 5, 0, 2});
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet One, Two, Three;
  fill(One, T, Insert::Nops, 1);
  fill(Two, T, Insert::Nops, 2);
  fill(Three, T, Insert::Nops, 3);
  // In front of the loop, at its beginning, and twice in front of the return.
  EXPECT_EQ("00"
            "0000"
            "1500"
            "99FFFC"
            "00"
            "000000"
            "B1",
            codeWithSites(
                T, S,
                {{0, 0, false, &One, true, false, InsertionPoint::Unit},
                 {0, 0, false, &Two, false, false, InsertionPoint::Unit},
                 {5, 5, false, &One, false, false, InsertionPoint::Behind},
                 {5, 6, false, &Three, false, false, InsertionPoint::Exit}}));
  for (const Attribute &A : T.view().Attributes) {
    if (T.Class.Pool.utf8(A.NameIndex) == "StackMapTable")
      EXPECT_EQ(1, A.Data[2]); // what loops passes the first by
    else
      EXPECT_EQ(8, A.Data[7]); // the line begins behind the branch
  }
}

/// Passes \p Number on.
static void fillNumber(Snippet &Code, const TestCode &T, int32_t Number) {
  fill(Code, T, Insert::Nothing, 0);
  Builder B(*Code.IR, Code.IR->entry().terminator());
  B.callStatic("T", "take", "(I)V", {B.constant(Number)});
  Code.Fixups = std::make_unique<SnippetFixups>();
  Code.Fixups->IsInt = true;
  Code.Fixups->NumConstants = Code.Fixups->NumUses = 1;
  Code.Fixups->Own[0] = uint16_t(Number);
}

TEST(CodePatch, CodePushesAnotherConstantAtEachSite) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.MaxStack = 0;
  T.code("nop; nop; nop; return");
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet Code;
  fillNumber(Code, T, 1000);
  auto With = [&](uint16_t Number) { return SnippetInstance(&Code, {Number}); };
  const std::string Call =
      "B8" +
      llvm::toHex(std::vector<uint8_t>{0, uint8_t(T.Class.Pool.size() - 1)});
  EXPECT_EQ("08" + Call + "00" + "1006" + Call + "00" + "110080" + Call + "00" +
                "B1",
            codeWithSites(T, S,
                          {{0, 0, false, With(5)},
                           {1, 1, false, With(6)},
                           {2, 2, false, With(128)}}));
  EXPECT_EQ(1u, T.view().MaxStack);
}

TEST(CodePatch, WhatElsePushesTheSameIsFound) {
  TestCode T("(I)V", true, 61);
  T.code("nop; return");
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet Code;
  fillNumber(Code, T, 1000);
  Code.Fixups->NumUses = 2;
  S.Sites = {{0, 0, false, &Code}};
  EXPECT_TRUE(bool(llvm::errorToBool(lowerMethod(T.Class, T.M))));
}

TEST(CodePatch, WhatIsPassedByIsBehindItsFrame) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.code("iload 0; ifeq L; nop; L: return");
  T.attribute("StackMapTable", stackMap(T, {{"L", 0}}));
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet One, Two;
  fill(One, T, Insert::Nops, 1);
  fill(Two, T, Insert::Nops, 2);
  EXPECT_EQ(
      "1500"
      "990005"
      "00"
      "00"
      "0000"
      "B1",
      codeWithSites(T, S,
                    {{6, 6, false, &One, true, false, InsertionPoint::Behind},
                     {6, 6, false, &Two, false, false, InsertionPoint::Unit}}));
}

TEST(CodePatch, HandlersOfCallsAreInTheRangesOfTheCall) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.Class.Pool.addClass("java/lang/Throwable");
  T.code("A: nop; nop; B: nop; nop; return; H: pop; return");
  T.handler("A", "B", "H");
  T.attribute("StackMapTable", stackMap(T, {{"H", 64, {7, 0, 8}}}));
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  noteLocals(T.Class, T.M, S);
  ASSERT_EQ(1u, S.HandlerLocals.size());
  EXPECT_EQ(std::vector<Type>{Type::Int}, S.HandlerLocals[0].second);
  Snippet First, Second, Behind;
  fill(First, T, Insert::Nops, 1);
  fill(Second, T, Insert::Nops, 2);
  fill(Behind, T, Insert::Nops, 3);
  First.Continues = Second.Continues = Behind.Continues = false;
  const std::vector<Type> &Locals = S.HandlerLocals[0].second;
  S.Handlers.push_back(
      {1, 2, SyntheticHandler::Listed, &First, /*OfCall=*/true, Locals});
  S.Handlers.push_back(
      {3, 4, SyntheticHandler::None, &Second, /*OfCall=*/true});
  S.Handlers.push_back({0, T.size(), SyntheticHandler::None, &Behind});
  ASSERT_FALSE(bool(lowerMethod(T.Class, T.M)));
  Rows All;
  for (const CodeView::Handler &R : T.view().Handlers)
    All.push_back({R.Start, R.End, R.Target});
  // The handler for all covers those of the calls, which follow the code.
  EXPECT_EQ((Rows{{1, 2, 7}, {3, 4, 9}, {0, 2, 5}, {7, 9, 5}, {0, 12, 12}}),
            All);
}

TEST(CodePatch, DepthOfAllThatIsFollowed) {
  TestCode T("(I)V", true, 61);
  T.code("iload 0; iload 0; iadd; iload 0; iload 0; iload 0; pop; pop; pop; "
         "ifeq L; L: return");
  T.attribute("StackMapTable", stackMap(T, {{"L", 0}}));
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  ASSERT_TRUE(noteSteps(T.Class, S));
  std::vector<unsigned> Depths;
  for (const OriginalStep &Step : S.Steps)
    Depths.push_back(Step.Depth);
  EXPECT_EQ((std::vector<unsigned>{0, 1, 2, 1, 2, 3, 4, 3, 2, 1, 0, 0}),
            Depths);
  EXPECT_EQ(T.size(), S.Steps.back().BCI);
  EXPECT_EQ(0u,
            OriginalDepths(T.Class, S.Code.Code, S.Frames).at(T.label("L")));
  EXPECT_FALSE(OriginalDepths(T.Class, S.Code.Code, S.Frames).at(1));
}

TEST(CodePatch, VerifierFindsSitesThatAreNowhere) {
  TestCode T("(I)V", true, 61);
  T.MaxLocals = 1;
  T.code("iload 0; wide iload 0; pop; pop; return");
  CodePatch S;
  ASSERT_TRUE(T.liftPatched(S));
  Snippet Code;
  auto Findings = [&](std::vector<uint32_t> At) {
    S.Sites.clear();
    for (uint32_t BCI : At)
      S.Sites.push_back({BCI, BCI, false, &Code});
    return verifyBody(*T.M.IR).size();
  };
  EXPECT_EQ(0u, Findings({0, 2, 6}));
  EXPECT_EQ(1u, Findings({3}));
  EXPECT_EQ(1u, Findings({0, 0}));
  EXPECT_NE(0u, Findings({30}));
}

TEST(CodePatch, CountsWhatIsBelowOnTheStack) {
  auto MaxStack = [&](const Case &C) {
    return readU2(woven(C, Form::Patched, Insert::Values, 1).first.data());
  };
  EXPECT_EQ(4u,
            MaxStack({"()I", "iconst_1; iconst_1; iadd; ireturn", {}, {}, 2}));
  EXPECT_EQ(6u,
            MaxStack({"()I",
                      "iconst_0; iconst_0; iconst_1; iconst_1; iadd; ireturn",
                      {},
                      {},
                      4}));
}

static bool isPatched(llvm::StringRef Code, llvm::ArrayRef<FrameAt> Frames = {},
                      unsigned Major = 61) {
  TestCode T("()V", true, Major);
  T.code(Code);
  if (!Frames.empty())
    T.attribute("StackMapTable", stackMap(T, Frames));
  CodePatch S;
  const bool Lifts = T.liftPatched(S);
  EXPECT_EQ(Lifts, T.M.IR != nullptr) << Code.str();
  T.M.IR.reset();
  return Lifts;
}

TEST(CodePatch, RefusesWhatItCannotCopy) {
  EXPECT_TRUE(isPatched("return"));
  EXPECT_TRUE(isPatched("return", {}, 50));
  EXPECT_FALSE(isPatched("return", {}, 49));
  EXPECT_FALSE(isPatched("nop"));
  // A branch that goes to no frame, a frame that is at no instruction, code
  // that nothing enters.
  EXPECT_FALSE(isPatched("goto L; L: return"));
  EXPECT_TRUE(isPatched("goto L; L: return", {{"L", 0}}));
  EXPECT_FALSE(isPatched("return; return"));
  // A dup stays in front of a nop, lifted too.
  EXPECT_TRUE(isPatched("new T; dup; nop; pop; pop; return"));
  // Frames that would be written in a shorter form, or without their end.
  EXPECT_FALSE(isPatched("goto L; L: return", {{"L", 255, {0, 0, 0, 0}}}));
  EXPECT_FALSE(isPatched("goto L; L: return", {{"L", 252, {0}}}));
  EXPECT_TRUE(isPatched("goto L; L: return", {{"L", 252, {5}}}));
}
