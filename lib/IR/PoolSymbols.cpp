//===- PoolSymbols.cpp - Pool entries by what they say --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolSymbols.h"

using namespace jopt;
using llvm::StringRef;

static constexpr uint32_t bit(CPTag Tag) { return 1u << unsigned(Tag); }

uint32_t PoolSymbols::handleTags(uint16_t Kind) {
  switch (Kind) {
  case 1:
  case 2:
  case 3:
  case 4:
    return bit(CPTag::Fieldref);
  case 5:
  case 8:
    return bit(CPTag::Methodref);
  case 6:
  case 7:
    return bit(CPTag::Methodref) | bit(CPTag::InterfaceMethodref);
  case 9:
    return bit(CPTag::InterfaceMethodref);
  default:
    return 0;
  }
}

bool PoolSymbols::key(const CPEntry &E, Key &K) const {
  unsigned A = 0, B = 0;
  switch (E.Tag) {
  case CPTag::None:
  case CPTag::Utf8:
    return false;
  case CPTag::Integer:
  case CPTag::Float:
    K = {unsigned(E.Tag), uint32_t(E.Bits)};
    return true;
  case CPTag::Long:
  case CPTag::Double:
    K = {unsigned(E.Tag), E.Bits};
    return true;
  case CPTag::Class:
  case CPTag::String:
  case CPTag::MethodType:
  case CPTag::Module:
  case CPTag::Package:
    A = canonical(E.A, bit(CPTag::Utf8));
    if (!A)
      return false;
    break;
  case CPTag::NameAndType:
    A = canonical(E.A, bit(CPTag::Utf8));
    B = canonical(E.B, bit(CPTag::Utf8));
    if (!A || !B)
      return false;
    break;
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
    A = canonical(E.A, bit(CPTag::Class));
    B = canonical(E.B, bit(CPTag::NameAndType));
    if (!A || !B)
      return false;
    break;
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    A = E.A;
    B = canonical(E.B, bit(CPTag::NameAndType));
    if (!B)
      return false;
    break;
  case CPTag::MethodHandle:
    A = E.A;
    B = canonical(E.B, handleTags(E.A));
    if (!B)
      return false;
    break;
  }
  K = {unsigned(E.Tag), uint64_t(A) << 16 | B};
  return true;
}

bool PoolSymbols::wellFormed(const ConstantPool &Pool, unsigned I) {
  const CPEntry &E = Pool[I];
  auto Has = [&](unsigned Index, uint32_t Tags) {
    return Tags >> unsigned(Pool[Index].Tag) & 1 && wellFormed(Pool, Index);
  };
  switch (E.Tag) {
  case CPTag::None:
    return false;
  case CPTag::Class:
  case CPTag::String:
  case CPTag::MethodType:
  case CPTag::Module:
  case CPTag::Package:
    return Pool.has(E.A, CPTag::Utf8);
  case CPTag::NameAndType:
    return Pool.has(E.A, CPTag::Utf8) && Pool.has(E.B, CPTag::Utf8);
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
    return Has(E.A, bit(CPTag::Class)) && Has(E.B, bit(CPTag::NameAndType));
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    return Has(E.B, bit(CPTag::NameAndType));
  case CPTag::MethodHandle:
    return Has(E.B, handleTags(E.A));
  default:
    return true;
  }
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
  switch (Tag) {
  case CPTag::None:
  case CPTag::Utf8:
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::Long:
  case CPTag::Double:
    return 0;
  case CPTag::MethodHandle:
    return 3;
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    return 2;
  default:
    return 1;
  }
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
