//===- PoolSymbols.cpp - Pool entries by what they say --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolSymbols.h"

using namespace jopt;
using llvm::StringRef;

/// The tags that part B of \p E may refer to.
static uint32_t tagsOfB(const CPEntry &E) {
  return E.Tag == CPTag::MethodHandle ? handleTags(E.A)
                                      : getPoolTagInfo(E.Tag).B;
}

bool PoolSymbols::key(const CPEntry &E, Key &K) const {
  if (E.Tag == CPTag::None || E.Tag == CPTag::Utf8)
    return false;
  if (isNumber(E.Tag)) {
    K = {unsigned(E.Tag), E.Bits};
    return true;
  }
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  unsigned A = T.A ? canonical(E.A, T.A) : E.A;
  unsigned B = T.B ? canonical(E.B, tagsOfB(E)) : 0;
  K = {unsigned(E.Tag), uint64_t(A) << 16 | B};
  return (A || !T.A) && (B || !T.B);
}

bool PoolSymbols::wellFormed(const ConstantPool &Pool, unsigned I) {
  const CPEntry &E = Pool[I];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  auto Has = [&](unsigned Index, uint32_t Tags) {
    return Tags >> unsigned(Pool[Index].Tag) & 1 && wellFormed(Pool, Index);
  };
  return E.Tag != CPTag::None && (!T.A || Has(E.A, T.A)) &&
         (!T.B || Has(E.B, tagsOfB(E)));
}

void PoolSymbols::enter(unsigned I) {
  const CPEntry &E = Pool[I];
  if (E.Tag == CPTag::Utf8) {
    First[I] =
        uint16_t(Strings.try_emplace(llvm::CachedHashStringRef(E.text()), I)
                     .first->second);
    return;
  }
  Key K;
  if (key(E, K))
    First[I] = uint16_t(Others.try_emplace(K, I).first->second);
}

/// Entries of a level refer to entries of lower levels only.
static unsigned level(CPTag Tag) {
  const PoolTagInfo &T = getPoolTagInfo(Tag);
  return !T.A && !T.B                         ? 0
         : Tag == CPTag::MethodHandle         ? 3
         : (T.A | T.B) == tagBit(CPTag::Utf8) ? 1
                                              : 2;
}

void PoolSymbols::build() {
  First.resize(Pool.size());
  for (unsigned Level = 0; Level < 4; ++Level)
    for (unsigned I = 1; I < Pool.size(); ++I)
      if (level(Pool[I].Tag) == Level)
        enter(I);
}

uint16_t PoolSymbols::findOrAdd(CPEntry E) {
  Key K;
  if (!key(E, K))
    return 0;
  auto It = Others.find(K);
  if (It != Others.end())
    return uint16_t(It->second);
  unsigned I = Pool.size();
  if (!Growing->append(E))
    return 0;
  First.resize(Pool.size());
  enter(I);
  return uint16_t(I);
}

uint16_t PoolSymbols::utf8(StringRef S) {
  auto It = Strings.find(llvm::CachedHashStringRef(S));
  if (It != Strings.end())
    return uint16_t(It->second);
  if (S.size() > 65535)
    return 0;
  CPEntry E;
  E.Tag = CPTag::Utf8;
  E.Length = uint16_t(S.size());
  E.Text = Growing->save(S).data();
  unsigned I = Pool.size();
  if (!Growing->append(E))
    return 0;
  First.resize(Pool.size());
  enter(I);
  return uint16_t(I);
}

static CPEntry entry(CPTag Tag, uint16_t A, uint16_t B = 0) {
  CPEntry E;
  E.Tag = Tag;
  E.A = A;
  E.B = B;
  return E;
}

uint16_t PoolSymbols::named(CPTag Tag, StringRef S) {
  return findOrAdd(entry(Tag, utf8(S)));
}

uint16_t PoolSymbols::number(CPTag Tag, uint64_t Bits) {
  CPEntry E;
  E.Tag = Tag;
  E.Bits = Bits;
  return findOrAdd(E);
}

uint16_t PoolSymbols::nameAndType(StringRef Name, StringRef Descriptor) {
  uint16_t A = utf8(Name);
  return findOrAdd(entry(CPTag::NameAndType, A, utf8(Descriptor)));
}

uint16_t PoolSymbols::member(CPTag Tag, StringRef Owner, StringRef Name,
                             StringRef Descriptor) {
  uint16_t A = named(CPTag::Class, Owner);
  return findOrAdd(entry(Tag, A, nameAndType(Name, Descriptor)));
}

uint16_t PoolSymbols::dynamic(CPTag Tag, uint16_t Bootstrap, StringRef Name,
                              StringRef Descriptor) {
  return findOrAdd(entry(Tag, Bootstrap, nameAndType(Name, Descriptor)));
}

uint16_t PoolSymbols::handle(uint16_t Kind, uint16_t Reference) {
  return findOrAdd(entry(CPTag::MethodHandle, Kind, Reference));
}
