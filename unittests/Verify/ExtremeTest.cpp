//===- ExtremeTest.cpp - Methods of the largest sizes ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::op;

// Each of these took minutes with frames that are arrays compared slot by slot.

static constexpr uint16_t Static = ACC_PUBLIC | ACC_STATIC;

static void u2(Code &C, unsigned V) {
  C.push_back(int(V >> 8 & 255));
  C.push_back(int(V & 255));
}
static void u4(Code &C, uint32_t V) {
  u2(C, V >> 16);
  u2(C, V & 0xffff);
}
/// Stores an int in each of \p N locals.
static void storeInts(Code &C, unsigned N) {
  for (unsigned I = 0; I < N; ++I) {
    C.insert(C.end(), {ICONST_0, WIDE, ISTORE});
    u2(C, I);
  }
}

/// A switch of 7,000 targets, each of them another instruction, over 3,000
/// locals; in the new form all targets have frames.
static ClassMaker manyTargets(unsigned Major) {
  constexpr unsigned Cases = 7000, Locals = 3000;
  ClassMaker C;
  C.Major = uint16_t(Major);
  ClassMaker::Body B{1, Locals, {}};
  storeInts(B.Bytes, Locals);
  B.Bytes.push_back(ICONST_0);
  unsigned At = unsigned(B.Bytes.size());
  B.Bytes.push_back(TABLESWITCH);
  while (B.Bytes.size() & 3)
    B.Bytes.push_back(0);
  unsigned First = unsigned(B.Bytes.size()) + 12 + 4 * Cases;
  u4(B.Bytes, First - At);
  u4(B.Bytes, 0);
  u4(B.Bytes, Cases - 1);
  for (unsigned I = 0; I < Cases; ++I)
    u4(B.Bytes, First + I - At);
  B.Bytes.insert(B.Bytes.end(), Cases - 1, NOP);
  B.Bytes.push_back(RETURN);
  B.NumFrames = Major >= 50 ? Cases : 0;
  if (B.NumFrames) {
    B.Frames = {255};
    u2(B.Frames, First);
    u2(B.Frames, Locals);
    B.Frames.insert(B.Frames.end(), Locals, 1);
    u2(B.Frames, 0);
    B.Frames.insert(B.Frames.end(), Cases - 1, 0);
  }
  C.method(B);
  return C;
}

TEST(Extreme, SwitchOverLocals) {
  ClassMaker New = manyTargets(61), Old = manyTargets(49);
  accepted(New);
  accepted(Old);
}

/// 10,000 handlers that all cover 6,000 stores, each to a handler of its own.
static ClassMaker manyHandlers(unsigned Major, bool Distinct) {
  constexpr unsigned Handlers = 10000, Locals = 6000;
  ClassMaker C;
  C.Major = uint16_t(Major);
  uint16_t Throwable = C.Pool.cls("java/lang/Throwable");
  ClassMaker::Body B{1, Locals, {}};
  storeInts(B.Bytes, Locals);
  uint16_t End = uint16_t(B.Bytes.size());
  B.Bytes.push_back(RETURN);
  unsigned First = unsigned(B.Bytes.size());
  for (unsigned I = 0; I < Handlers; ++I) {
    B.Handlers.push_back({0, End, uint16_t(First + 2 * I), 0});
    B.Bytes.insert(B.Bytes.end(), {POP, RETURN});
  }
  B.NumFrames = Major >= 50 ? Handlers : 0;
  for (unsigned I = 0; I < B.NumFrames; ++I) {
    unsigned Delta = I == 0 ? First : 1;
    if (Distinct) {
      // A frame of its own: I mod 64 locals that are top.
      B.Frames.push_back(255);
      u2(B.Frames, Delta);
      u2(B.Frames, I % 64);
      B.Frames.insert(B.Frames.end(), I % 64, 0);
      u2(B.Frames, 1);
    } else {
      B.Frames.push_back(247);
      u2(B.Frames, Delta);
    }
    B.Frames.push_back(7);
    u2(B.Frames, Throwable);
  }
  C.method(B);
  return C;
}

TEST(Extreme, HandlersOverStores) {
  ClassMaker A = manyHandlers(61, false), B = manyHandlers(61, true);
  accepted(A);
  accepted(B);
}

TEST(Extreme, HandlersOverStoresInferred) {
  ClassMaker A = manyHandlers(49, false);
  accepted(A);
}

TEST(Extreme, DeepStackAndManyBranches) {
  ClassMaker C;
  C.Major = 49;
  ClassMaker::Body B{20001, 1, {}};
  B.Bytes.insert(B.Bytes.end(), 20000, ICONST_0);
  for (unsigned I = 0; I < 10000; ++I)
    B.Bytes.insert(B.Bytes.end(), {ILOAD_0, IFEQ, 0, 3});
  B.Bytes.push_back(RETURN);
  C.method(B, Static, "m", "(I)V");
  accepted(C);
}

TEST(Extreme, SubroutinesInARow) {
  // Each calls the next: 0 jsr 4; 3 return; then astore_0, jsr +4, ret 0.
  ClassMaker C;
  C.Major = 49;
  ClassMaker::Body B{1, 1, {JSR, 0, 4, RETURN}};
  for (unsigned I = 0; I < 2000; ++I)
    B.Bytes.insert(B.Bytes.end(), {POP, JSR, 0, 4, RETURN});
  B.Bytes.insert(B.Bytes.end(), {POP, RETURN});
  C.method(B);
  accepted(C);
}

/// Subroutines that are nested \p Depth times: each calls the next, and
/// returns.
static ClassMaker nestedSubroutines(unsigned Depth) {
  // 0 jsr 4; 3 return; then wide astore N, jsr +7, wide ret N.
  ClassMaker C;
  C.Major = 49;
  ClassMaker::Body B{1, Depth, {JSR, 0, 4, RETURN}, {}};
  auto Wide = [&](int Op, unsigned Local) {
    B.Bytes.insert(B.Bytes.end(), {WIDE, Op});
    u2(B.Bytes, Local);
  };
  for (unsigned N = 0; N < Depth; ++N) {
    Wide(ASTORE, N);
    if (N + 1 < Depth)
      B.Bytes.insert(B.Bytes.end(), {JSR, 0, 7});
    Wide(RET, N);
  }
  C.method(B);
  return C;
}

TEST(Extreme, NestedSubroutines) {
  ClassMaker Few = nestedSubroutines(200), Many = nestedSubroutines(3000);
  accepted(Few);
  // Each may have used what those inside it did: the lists of them grow with
  // the cube of the depth.
  refusedVerify(Many, "too complicated");
}
