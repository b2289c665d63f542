//===- PoolSymbols.h - Pool entries by what they say ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text form names pool entries by their contents. A content stands for
/// the first entry that has it, where two entries have one content if they
/// print alike, whichever entries they are made of. Printer and parser share
/// this rule here.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_POOLSYMBOLS_H
#define JOPT_LIB_IR_TEXT_POOLSYMBOLS_H

#include "jopt/IR/Model/ConstantPool.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

class PoolSymbols {
public:
  /// For reading only.
  explicit PoolSymbols(const ConstantPool &Pool) : Pool(Pool) { build(); }
  /// For growing \p Pool, by nobody else meanwhile.
  explicit PoolSymbols(ConstantPool &Pool) : Pool(Pool), Growing(&Pool) {
    build();
  }

  /// The first entry with the contents of entry \p I; 0 if \p I is out of
  /// range or an entry that it refers to has a wrong tag.
  unsigned canonical(unsigned I) const {
    return I < First.size() ? First[I] : 0;
  }

  /// True if all entries that entry \p I refers to exist and have right tags;
  /// the same as having a canonical entry, without an index of the pool.
  static bool wellFormed(const ConstantPool &Pool, unsigned I);

  /// \name First entry with these contents, appended if there is none; 0 if
  /// the pool or the string is too long.
  /// @{
  uint16_t utf8(llvm::StringRef S);
  /// Class, String, MethodType, Module, Package.
  uint16_t named(CPTag Tag, llvm::StringRef S);
  uint16_t number(CPTag Tag, uint64_t Bits);
  uint16_t nameAndType(llvm::StringRef Name, llvm::StringRef Descriptor);
  /// Fieldref, Methodref, InterfaceMethodref.
  uint16_t member(CPTag Tag, llvm::StringRef Owner, llvm::StringRef Name,
                  llvm::StringRef Descriptor);
  /// Dynamic, InvokeDynamic.
  uint16_t dynamic(CPTag Tag, uint16_t Bootstrap, llvm::StringRef Name,
                   llvm::StringRef Descriptor);
  uint16_t handle(uint16_t Kind, uint16_t Reference);
  /// @}

private:
  using Key = std::pair<unsigned, uint64_t>;

  void build();
  void enter(unsigned I);
  /// Canonical form of entry \p I's own contents; false if malformed.
  bool key(const CPEntry &E, Key &K) const;
  uint16_t findOrAdd(CPEntry E);
  unsigned canonical(unsigned I, uint32_t Tags) const {
    return Tags >> unsigned(Pool[I].Tag) & 1 ? canonical(I) : 0;
  }

  const ConstantPool &Pool;
  ConstantPool *Growing = nullptr;
  std::vector<uint16_t> First;
  llvm::DenseMap<llvm::CachedHashStringRef, unsigned> Strings;
  llvm::DenseMap<Key, unsigned> Others;
};

} // namespace jopt

#endif
