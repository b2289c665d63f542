//===- SiteTests.cpp - Conditions on what instructions name ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteTests.h"
#include "jopt/Bytecode/Descriptor.h"

using namespace jopt;

/// JVM specification, 4.5.
static bool isOwnVolatile(const ClassFile &F, const MemberRef &Named) {
  return Named.Owner == F.name() &&
         llvm::any_of(F.Fields, [&](const Field &Of) {
           return (Of.Access & ACC_VOLATILE) && F.name(Of) == Named.Name &&
                  F.descriptor(Of) == Named.Descriptor;
         });
}

bool jopt::passes(SiteTest Test, const ClassFile &F, unsigned Index) {
  switch (Test) {
  case SiteTest::AnyMember:
    return true;
  case SiteTest::OwnVolatileField:
    return isOwnVolatile(F, F.Pool.member(Index));
  case SiteTest::BlockingMember: {
    const MemberRef Called = F.Pool.member(Index);
    return isBlockingMethod(Called.Owner, Called.Name);
  }
  }
  llvm_unreachable("all tests are listed");
}
