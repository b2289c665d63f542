//===- ChangesTest.cpp - Classes beside what they were made from ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::op;

/// The methods of \p Changed with findings, if it was made from \p Original.
static std::vector<std::string> findIn(Bytes Changed, Bytes Original) {
  VerifyOptions O;
  O.Original = Original;
  std::vector<std::string> Methods;
  for (const Finding &F : verifyClass(Changed, O))
    Methods.push_back(F.Method);
  return Methods;
}

/// A class with methods a and b; each is right, or returns with an empty stack.
static std::vector<uint8_t> makeClass(bool IsRightA, bool IsRightB,
                                      const char *Text = nullptr) {
  ClassMaker C;
  const Code Right = {ICONST_0, IRETURN}, Wrong = {NOP, IRETURN};
  C.method({1, 0, IsRightA ? Right : Wrong}, ACC_STATIC, "a", "()I");
  C.method({1, 0, IsRightB ? Right : Wrong}, ACC_STATIC, "b", "()I");
  C.make(); // so that a new constant is behind those of the members
  if (Text)
    C.Pool.string(Text);
  return C.make();
}

TEST(Changes, OnlyChangedMethodsAreChecked) {
  const auto Before = makeClass(true, false), After = makeClass(false, false);
  EXPECT_EQ(findIn(After, {}), (std::vector<std::string>{"a()I", "b()I"}));
  EXPECT_EQ(findIn(After, Before), std::vector<std::string>{"a()I"});
  EXPECT_EQ(findIn(Before, Before), std::vector<std::string>());
}

TEST(Changes, OnePatchedMethodOfAKindIsChecked) {
  const auto Wrong = makeClass(false, false);
  VerifyOptions O;
  llvm::BitVector Patched(2);
  O.Patched = &Patched;
  EXPECT_EQ(verifyClass(Wrong, O).size(), 2u);
  Patched.set();
  ASSERT_EQ(verifyClass(Wrong, O).size(), 1u);
  EXPECT_EQ(verifyClass(Wrong, O)[0].Method, "a()I");
  Patched.reset(0u);
  EXPECT_EQ(verifyClass(Wrong, O).size(), 2u);
}

TEST(Changes, NewConstantsAreChecked) {
  const auto Before = makeClass(true, false);
  EXPECT_EQ(findIn(makeClass(true, false, "text"), Before),
            std::vector<std::string>());
  // Half of a surrogate pair is no modified UTF-8 if it is cut.
  EXPECT_EQ(findIn(makeClass(true, false, "\xed\xa0"), Before),
            std::vector<std::string>{""});
}

TEST(Changes, WithAnotherPoolAllIsChecked) {
  ClassMaker C;
  C.Pool.string("in front");
  C.method({1, 0, {NOP, IRETURN}}, ACC_STATIC, "a", "()I");
  const auto Other = C.make();
  EXPECT_EQ(findIn(Other, makeClass(false, false)),
            std::vector<std::string>{"a()I"});
}

TEST(Changes, AnOriginalMayBeAnything) {
  const auto Class = makeClass(false, true);
  const std::vector<uint8_t> Whole = makeClass(false, true);
  for (size_t N = 0; N <= Whole.size(); ++N)
    EXPECT_LE(findIn(Class, Bytes(Whole).take_front(N)).size(), 1u);
  EXPECT_EQ(findIn(Class, Bytes(Whole).take_front(9)),
            std::vector<std::string>{"a()I"});
}

TEST(Changes, NewMembersAreCompared) {
  ClassMaker C;
  C.method({1, 0, {ICONST_0, IRETURN}}, ACC_STATIC, "a", "()I");
  const auto Before = C.make();
  C.Methods.push_back(C.Methods.front());
  EXPECT_EQ(findIn(C.make(), Before).size(), 1u);
}
