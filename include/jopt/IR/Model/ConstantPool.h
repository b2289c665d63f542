//===- ConstantPool.h - The constant pool -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The constant pool of a class file (JVM specification, 4.4). It keeps the
/// order of the input and only grows, so old indices stay valid and the
/// original entries can be copied as a block.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_CONSTANTPOOL_H
#define JOPT_IR_MODEL_CONSTANTPOOL_H

#include "jopt/Bytecode/PoolTags.h"
#include "jopt/Support/Bytes.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace jopt {

/// One entry. Utf8: Text/Length. Integer, Float (A unused), Long, Double: Bits
/// (raw, NaNs kept). All others: A, and B where there are two parts
/// (MethodHandle: A = reference kind, B = reference; Dynamic: A = bootstrap
/// method, B = name and type).
struct CPEntry {
  CPTag Tag = CPTag::None;
  uint16_t A = 0, B = 0;
  uint16_t Length = 0;
  union {
    const char *Text;
    uint64_t Bits = 0;
  };
  llvm::StringRef text() const { return {Text, Length}; }
};

/// A constant whose loading has no effect: a number or a string.
inline bool isPlainConstant(CPTag T) {
  return T == CPTag::String || isNumber(T);
}

/// A resolved field or method reference. Empty names if the entry is malformed.
struct MemberRef {
  llvm::StringRef Owner, Name, Descriptor;
  bool IsInterface = false;
  bool valid() const { return !Descriptor.empty(); }
};

/// Owned by a ClassFile; text points into the input or the pool's own storage.
/// Not thread-safe.
class ConstantPool {
public:
  ConstantPool() : Entries(1) {}

  /// constant_pool_count: one more than the largest index.
  unsigned size() const { return unsigned(Entries.size()); }
  /// Entry \p I; an entry of tag None if the index is out of range.
  const CPEntry &operator[](unsigned I) const {
    return I < Entries.size() ? Entries[I] : Entries[0];
  }
  /// All of them, the one at 0 too.
  llvm::ArrayRef<CPEntry> entries() const { return Entries; }
  bool has(unsigned I, CPTag Tag) const { return (*this)[I].Tag == Tag; }

  /// \name Checked reading; empty where the index has another tag.
  /// @{
  llvm::StringRef utf8(unsigned I) const {
    const CPEntry &E = (*this)[I];
    return E.Tag == CPTag::Utf8 ? E.text() : llvm::StringRef();
  }
  /// Name of a Class, Module or Package, descriptor of a MethodType, contents
  /// of a String: entries whose A is a Utf8.
  llvm::StringRef name(unsigned I) const {
    const CPEntry &E = (*this)[I];
    return getPoolTagInfo(E.Tag).Size == 2 ? utf8(E.A) : llvm::StringRef();
  }
  llvm::StringRef className(unsigned I) const {
    return has(I, CPTag::Class) ? utf8((*this)[I].A) : llvm::StringRef();
  }
  /// Field, method and interface method references; Dynamic and InvokeDynamic
  /// give name and descriptor without owner.
  MemberRef member(unsigned I) const;
  /// @}

  /// \name Growing. Each finds the first equal entry or appends one. After the
  /// pool is full (65,535) they return 0 and overflowed() is true; the runner
  /// then leaves the method as it was.
  /// @{
  uint16_t addUtf8(llvm::StringRef S);
  uint16_t addInteger(int32_t V);
  uint16_t addFloat(float V);
  uint16_t addLong(int64_t V);
  uint16_t addDouble(double V);
  uint16_t addClass(llvm::StringRef Name);
  uint16_t addString(llvm::StringRef Contents);
  uint16_t addNameAndType(llvm::StringRef Name, llvm::StringRef Descriptor);
  uint16_t addMember(CPTag Tag, llvm::StringRef Owner, llvm::StringRef Name,
                     llvm::StringRef Descriptor);
  /// An entry whose parts are given as they are; finds the first equal one.
  uint16_t addEntry(CPEntry E);
  bool overflowed() const { return Overflowed; }
  /// @}

  /// The first entry with these parts, 0 if none; nothing is added.
  uint16_t find(const CPEntry &E);

  /// Appends without looking for an equal entry: the reader and the parser,
  /// which must keep duplicates. A Long or Double takes two indices. Text is
  /// not copied. False if the pool is full.
  bool append(const CPEntry &E) {
    bool Wide = isWide(E.Tag);
    if (size() + 1 + Wide > 65535) {
      Overflowed = true;
      return false;
    }
    Entries.push_back(E);
    if (Wide)
      Entries.emplace_back();
    return true;
  }

  /// Appends \p Count entries of tag None, for the reader to fill, who has seen
  /// to it that the pool takes them. Valid until the next growth.
  llvm::MutableArrayRef<CPEntry> appendEmpty(unsigned Count) {
    Entries.reserve(size() + Count + Count / 8 + 16); // a few more will come
    Entries.resize(size() + Count);
    return llvm::MutableArrayRef(Entries).take_back(Count);
  }

  /// State for undoing growth: `auto M = P.mark(); ... P.rollback(M);`
  struct Mark {
    unsigned Size;
  };
  Mark mark() const { return {size()}; }
  void rollback(Mark M);
  /// Takes the entries from \p Size on away, those of the input too.
  void truncate(unsigned Size);

  /// The bytes of the first numOriginal() entries in the input, empty if there
  /// is no input (parsed text).
  Bytes originalBytes() const { return Original; }
  unsigned numOriginal() const { return NumOriginal; }
  void setOriginal(Bytes B) {
    Original = B;
    NumOriginal = size();
  }

  /// Appends the encoding of entries [\p From, size()) to \p W.
  void encode(ByteWriter &W, unsigned From) const;
  /// Copies \p S into storage that lives as long as the pool.
  llvm::StringRef save(llvm::StringRef S);

  /// Few entries will be asked for, \p Texts, which must live as long, among
  /// others: these are looked for in one go, and all entries are looked at for
  /// each of the first ten others, which is less than to hash them for an
  /// index.
  void expectQuestions(llvm::ArrayRef<llvm::StringRef> Texts);

private:
  uint16_t scan(const CPEntry &E, unsigned From) const;
  uint16_t findExpected(const CPEntry &Text, unsigned &From) const;
  uint16_t findIndexed(const CPEntry &E) const;
  void updateIndex();
  static uint64_t hash(const CPEntry &E);
  static bool equal(const CPEntry &A, const CPEntry &B);

  std::vector<CPEntry> Entries;
  Bytes Original;
  unsigned NumOriginal = 0;
  bool Overflowed = false;
  /// \name See expectQuestions()
  /// @{
  struct ExpectedText {
    llvm::StringRef Text;
    uint16_t At; ///< the first entry before NumLookedAt; 0: there is none
  };
  llvm::SmallVector<ExpectedText, 0> Expected;
  unsigned NumLookedAt = 0;
  unsigned NumScans = 0; ///< that are left
  /// @}
  /// By the upper bits of their hash: the last entry, 0 where there is none,
  /// and by entry the one before. Made when that pays.
  std::vector<uint16_t> Index, Next;
  unsigned IndexShift = 0; ///< of a hash
  unsigned NumIndexed = 0; ///< entries before this one are in it
  llvm::BumpPtrAllocator Alloc;
};

} // namespace jopt

#endif
