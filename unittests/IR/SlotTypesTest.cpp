//===- SlotTypesTest.cpp - Types of slots, followed through code ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/SlotTypes.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt;

TEST(SlotTypes, AsAPlainArrayDoes) {
  constexpr unsigned Count = 12;
  std::mt19937 Random(1);
  auto Any = [&] {
    const Type All[] = {Type::Top,        Type::Int,         Type::Float,
                        Type::UninitThis, {Type::Uninit, 0}, {Type::Uninit, 1}};
    return All[Random() % 6];
  };
  // Frames are the beginnings of a few arrays.
  std::vector<std::vector<Type>> Arrays(4, std::vector<Type>(Count));
  for (auto &A : Arrays)
    for (Type &T : A)
      T = Any();

  SlotTypes Slots;
  std::vector<Type> Model(Count, Type::Top);
  auto Enter = [&](llvm::ArrayRef<Type> Frame) {
    std::fill(Model.begin(), Model.end(), Type::Top);
    std::copy(Frame.begin(), Frame.end(), Model.begin());
  };
  auto Frame = [&] {
    return llvm::ArrayRef<Type>(Arrays[Random() % 4])
        .take_front(Random() % (Count + 1));
  };
  for (unsigned Step = 0; Step < 20000; ++Step) {
    switch (Step ? Random() % 8 : 0) {
    case 0:
      if (Step % 3 == 0) { // another method
        Arrays[0][Random() % Count] = Any();
        llvm::ArrayRef<Type> Initial = Frame();
        Slots.reset(Count, Initial);
        Enter(Initial);
        break;
      }
      [[fallthrough]];
    case 1:
    case 2: {
      llvm::ArrayRef<Type> To = Frame();
      Slots.enter(To);
      Enter(To);
      break;
    }
    case 3: { // a constructor
      Type From = Any(), To = Type::Float;
      if (!From.is(Type::Uninit) && !From.is(Type::UninitThis))
        break;
      std::vector<bool> Found(Count);
      Slots.forEachHolding(From, [&](unsigned S) {
        EXPECT_FALSE(Found[S]) << "twice";
        Found[S] = true;
        Slots.set(S, To);
      });
      for (unsigned S = 0; S < Count; ++S) {
        EXPECT_EQ(Model[S] == From, bool(Found[S]));
        if (Model[S] == From)
          Model[S] = To;
      }
      break;
    }
    default: {
      unsigned S = Random() % Count;
      Type T = Any();
      Slots.set(S, T);
      Model[S] = T;
    }
    }
    ASSERT_EQ(Count, Slots.size());
    for (unsigned S = 0; S < Count; ++S)
      ASSERT_TRUE(Model[S] == Slots[S]) << "slot " << S << " at step " << Step;
  }
}
