//===- KnownParts.cpp - What a class file has of another one --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownParts.h"
#include <algorithm>
#include <cstring>

using namespace jopt;
using namespace jopt::verify;

/// The offset of the first pool entry: magic number, version, count.
static constexpr size_t PoolBegin = 10;

/// How many bytes \p A and \p B have in common from \p From on.
static size_t commonEnd(Bytes A, Bytes B, size_t From) {
  constexpr size_t Step = 64;
  const size_t End = std::min(A.size(), B.size());
  while (From + Step <= End &&
         std::memcmp(A.data() + From, B.data() + From, Step) == 0)
    From += Step;
  while (From < End && A[From] == B[From])
    ++From;
  return From;
}

KnownParts::KnownParts(Bytes Original, Bytes ClassFile) : Original(Original) {
  if (Original.size() < PoolBegin || ClassFile.size() < PoolBegin ||
      !std::equal(Original.begin(), Original.begin() + 8, ClassFile.begin()))
    return; // Another version has other rules.
  Alike = commonEnd(Original, ClassFile, PoolBegin);
  NumEntries = readU2(Original.data() + 8);
}

Bytes verify::skipMember(ByteCursor &In) {
  const size_t From = In.offset();
  In.skip(6);
  for (unsigned Attributes = In.u2(); Attributes && !In.failed();
       --Attributes) {
    In.skip(2);
    In.skip(In.u4());
  }
  return In.failed() ? Bytes() : In.since(From);
}

bool KnownParts::readMembers(unsigned Entries, size_t End) {
  if (Entries != NumEntries)
    return false;
  ByteCursor In(Original);
  In.skip(End + 6);
  In.skip(2 * size_t(In.u2()));
  for (bool Methods : {false, true}) {
    for (unsigned Count = In.u2(); Count && !In.failed(); --Count)
      Members.push_back(skipMember(In));
    if (!Methods)
      NumFields = Members.size();
  }
  return true;
}

KnownParts::Comparison KnownParts::compare(Bytes Member) {
  if (Next == Members.size() || Member.empty())
    return New;
  // Name and descriptor stand behind the flags.
  const Bytes Known = Members[Next];
  if (Known.empty() || Known.slice(2, 4) != Member.slice(2, 4))
    return New;
  ++Next;
  return Known == Member ? Same : Changed;
}
