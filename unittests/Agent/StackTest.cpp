//===- StackTest.cpp ------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Stack.h"
#include "gtest/gtest.h"
#include <cstring>
#include <pthread.h>

using namespace jopt::agent;

/// Uses 300 KB of the stack.
static unsigned useStack() {
  volatile char Room[300 << 10];
  for (size_t I = 0; I < sizeof(Room); I += 1024)
    Room[I] = char(I >> 10);
  return unsigned(Room[5 << 10]);
}

struct Result {
  unsigned Value = 0;
  bool Ran = false, Elsewhere = false;
};

static void *onThread(void *Arg) {
  auto &R = *static_cast<Result *>(Arg);
  pthread_t Self = pthread_self();
  R.Ran = runWithStack([&] {
    R.Value = useStack();
    R.Elsewhere = !pthread_equal(Self, pthread_self());
  });
  return nullptr;
}

static Result runOnStackOf(size_t Size) {
  Result R;
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, Size);
  pthread_t Thread;
  EXPECT_EQ(pthread_create(&Thread, &Attributes, onThread, &R), 0);
  pthread_join(Thread, nullptr);
  pthread_attr_destroy(&Attributes);
  return R;
}

// Without a stack of its own the work would end the process.
TEST(Stack, SmallOneIsLeftAlone) {
  Result R = runOnStackOf(128 << 10);
  EXPECT_TRUE(R.Ran);
  EXPECT_TRUE(R.Elsewhere);
  EXPECT_EQ(R.Value, 5u);
}

TEST(Stack, LargeOneIsUsed) {
  Result R = runOnStackOf(4 << 20);
  EXPECT_TRUE(R.Ran);
  EXPECT_FALSE(R.Elsewhere);
  EXPECT_EQ(R.Value, 5u);
}
