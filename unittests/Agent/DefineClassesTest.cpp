//===- DefineClassesTest.cpp ----------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Agent/Hosts/DefineClasses.h"
#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Writer/ClassWriter.h"
#include "gtest/gtest.h"

using namespace jopt;

/// What bootstrap methods are given counts as used. How much that is does not,
/// though a class of the pool, of which only InnerClasses tells, has that
/// index.
TEST(DefineClasses, BootstrapMethodsNameClasses) {
  auto Classes = parseIR("class public p/P version 61.0 {\n}\n", "t.jir");
  ASSERT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  ClassFile &F = *Classes->front();
  const uint16_t Unused = F.Pool.addClass("q/Unused");
  const uint16_t Argument = F.Pool.addClass("q/Argument");
  CPEntry Handle;
  Handle.Tag = CPTag::MethodHandle;
  Handle.A = 6; // of a static method
  Handle.B = F.Pool.addMember(CPTag::Methodref, "q/Binder", "bind", "()V");
  ByteWriter W;
  W.u2(1);
  W.u2(F.Pool.addEntry(Handle));
  W.u2(Unused);
  for (unsigned I = 0; I < Unused; ++I)
    W.u2(Argument);
  F.Attributes.push_back(
      {F.Pool.addUtf8("BootstrapMethods"), F.save(W.data())});
  F.Changed = true;
  auto Out = writeClass(F);
  ASSERT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  auto P = agent::readPart("P.class", *Out);
  ASSERT_TRUE(bool(P)) << llvm::toString(P.takeError());
  EXPECT_TRUE(P->Names.contains("q/Argument"));
  EXPECT_TRUE(P->Names.contains("q/Binder"));
  EXPECT_FALSE(P->Names.contains("q/Unused"));
}
