//===- ClassWriterTest.cpp ------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Writer/ClassWriter.h"
#include "TestCode.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

using Out = llvm::SmallVector<uint8_t, 0>;

static Out write(const ClassFile &C, bool EncodeAll = false) {
  WriteOptions O;
  O.EncodeAll = EncodeAll;
  auto W = writeClass(C, O);
  if (!W) {
    ADD_FAILURE() << toString(W.takeError());
    return {};
  }
  return std::move(*W);
}

/// A class with a field, two methods, an interface, and attributes.
static Out sample() {
  TestCode T("(I)V");
  T.code("nop; return").lift();
  T.lower();
  ClassFile &C = T.Class;
  Field &F = C.Fields.emplace_back();
  F.NameIndex = C.Pool.addUtf8("f");
  F.DescriptorIndex = C.Pool.addUtf8("I");
  Method &M = C.Methods.emplace_back();
  M.Access = ACC_ABSTRACT;
  M.NameIndex = C.Pool.addUtf8("n");
  M.DescriptorIndex = C.Pool.addUtf8("()V");
  C.Interfaces.push_back(C.Pool.addClass("I"));
  C.Pool.addLong(-1);
  C.Attributes.push_back({C.Pool.addUtf8("Extra"), C.save(Bytes{1, 2})});
  return write(C);
}

static std::unique_ptr<ClassFile> read(const Out &B) {
  auto C = readClass(B);
  if (!C) {
    ADD_FAILURE() << toString(C.takeError());
    return nullptr;
  }
  return std::move(*C);
}

TEST(ClassReader, SaysWhereThePoolIsWrong) {
  auto Message = [](std::vector<uint8_t> Pool) {
    std::vector<uint8_t> Class = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52};
    Class.insert(Class.end(), Pool.begin(), Pool.end());
    const std::string Text = toString(readClass(Class).takeError());
    return llvm::StringRef(Text)
        .drop_front(llvm::StringRef("error: ").size())
        .str();
  };
  EXPECT_EQ(Message({0, 0}), "constant pool without entry 0 (offset 8)");
  EXPECT_EQ(Message({0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 1}),
            "constant pool ends inside a long or double (offset 10)");
  EXPECT_EQ(Message({0, 3, 7, 0, 2, 2, 0, 0}),
            "unknown constant pool tag 2 (offset 13)");
  EXPECT_EQ(Message({0, 3, 7, 0, 2, 200}),
            "unknown constant pool tag 200 (offset 13)");
  const llvm::StringRef Ends = "class file ends inside the constant pool";
  EXPECT_EQ(Message({0, 2, 1, 0, 5, 'a', 'b'}), (Ends + " (offset 10)").str());
  EXPECT_EQ(Message({0, 2, 1, 0}), (Ends + " (offset 10)").str());
  EXPECT_EQ(Message({0, 3, 7, 0, 2}), (Ends + " (offset 13)").str());
  EXPECT_EQ(Message({0, 4, 6, 0, 0, 0, 0, 0, 0, 0}),
            (Ends + " (offset 10)").str());
  EXPECT_EQ(Message({0, 2, 15, 1, 0}), (Ends + " (offset 10)").str());
}

TEST(ClassWriter, UnchangedClassesAreTheInput) {
  Out In = sample();
  auto C = read(In);
  EXPECT_FALSE(C->isChanged());
  EXPECT_EQ(In, write(*C));
}

TEST(ClassWriter, EncodingEqualsCopying) {
  Out In = sample();
  auto C = read(In);
  EXPECT_EQ(In, write(*C, /*EncodeAll=*/true));
  C->Changed = true;
  EXPECT_EQ(In, write(*C));
}

TEST(ClassWriter, LoweredMethodAmongCopies) {
  Out In = sample();
  auto C = read(In);
  Method &M = C->Methods.front();
  ASSERT_FALSE(bool(liftMethod(*C, M)));
  M.IR->erase(&*M.IR->entry().begin());
  ASSERT_FALSE(bool(lowerMethod(*C, M)));
  Out Changed = write(*C);
  EXPECT_EQ(In.size() - 1, Changed.size());
  auto D = read(Changed);
  ASSERT_TRUE(D);
  EXPECT_EQ(Changed, write(*C, /*EncodeAll=*/true));
  EXPECT_EQ("Extra", D->Pool.utf8(D->Attributes[0].NameIndex));
}

TEST(ClassWriter, PoolGrowsBehindItsOldEntries) {
  Out In = sample();
  auto C = read(In);
  unsigned Size = C->Pool.size();
  uint16_t New = C->Pool.addUtf8("new");
  EXPECT_EQ(Size, New);
  Out Written = write(*C); // the pool refers to it
  auto D = read(Written);
  EXPECT_EQ(Size + 1, D->Pool.size());
  EXPECT_EQ("new", D->Pool.utf8(New));
}

TEST(ClassWriter, BodiesMustBeLowered) {
  TestCode T;
  T.code("return").lift();
  auto W = writeClass(T.Class);
  ASSERT_FALSE(bool(W));
  EXPECT_EQ("error: T.m()V was not lowered", toString(W.takeError()));
}

TEST(ClassWriter, CountsThatDoNotFit) {
  TestCode T;
  for (unsigned N = 0; N < 65536; ++N)
    T.Class.Fields.emplace_back();
  auto W = writeClass(T.Class);
  ASSERT_FALSE(bool(W));
  EXPECT_EQ("error: too many fields for the class-file format",
            toString(W.takeError()));
}

TEST(ClassWriter, FailureLeavesPoolAndMethod) {
  TestCode T("(I)V", true, 61);
  Body &F = T.code("iload_0; ifeq L; nop; L: return")
                .attribute("StackMapTable", {0, 1, 5})
                .lift();
  // A frame with a class that the pool lacks, and one that cannot be written.
  Block &Last = F.blocks().back();
  F.setFrame(&Last, {T.Class.Types.ref("NotYetThere"), Type(Type::Uninit, 9)});
  unsigned Size = T.Class.Pool.size();
  Bytes Before = T.M.Attributes[0].Data;
  llvm::Error E = lowerMethod(T.Class, T.M);
  EXPECT_TRUE(bool(E));
  llvm::consumeError(std::move(E));
  EXPECT_EQ(Size, T.Class.Pool.size());
  EXPECT_EQ(Before.data(), T.M.Attributes[0].Data.data());
  EXPECT_TRUE(T.M.IR);
  EXPECT_FALSE(T.M.Changed);
}
