//===- Terms.h - Symbolic values --------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values that symbolic execution computes with. Equal terms are one
/// object, so values are compared by address. Terms are simplified when they
/// are made, by arithmetic of their own: that of the passes is what is to be
/// checked.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VALIDATE_TERMS_H
#define JOPT_LIB_VALIDATE_TERMS_H

#include "jopt/Bytecode/Opcodes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace jopt::validate {

enum class TermKind : uint8_t {
  Constant, ///< Code: 'I' 'J' 'F' 'D'; Bits
  Null,
  Loaded, ///< a string or class that ldc loads; Code: its key
  Symbol, ///< an unknown; Code: key of its declared class or 0; Bits: number
  Apply,  ///< Code: opcode of arithmetic, a conversion or arraylength
  Read,   ///< Code: key of the field or array; of memory, object, index
  Store,  ///< memory after a store; Code as Read; of memory, object, (index,)
          ///< value
  Object, ///< made here; Code: key of its class; of a tick (, its length)
  Exception, ///< made by the JVM; Code: key of its class, Bits: line; of a tick
  EqualInts, ///< \name Predicates, which are decided
  Less,      ///< @{ of ints
  Below,     ///< of ints, unsigned
  EqualRefs,
  InstanceOf, ///< Code: key of the class
  CastFails,  ///< Code: key of the class
  LinkFails,  ///< Code: key of the reference (; of the object)
  StoreFails, ///< of an array and an element @}
};

class Term : public llvm::FoldingSetNode {
public:
  TermKind Kind;
  uint32_t Code;
  uint32_t Id; ///< in the order in which they were made
  uint64_t Bits;
  llvm::ArrayRef<const Term *> Args;

  Term(TermKind Kind, uint32_t Code, uint64_t Bits,
       llvm::ArrayRef<const Term *> Args, uint32_t Id)
      : Kind(Kind), Code(Code), Id(Id), Bits(Bits), Args(Args) {}
  void Profile(llvm::FoldingSetNodeID &ID) const {
    profile(ID, Kind, Code, Bits, Args);
  }
  static void profile(llvm::FoldingSetNodeID &ID, TermKind Kind, uint32_t Code,
                      uint64_t Bits, llvm::ArrayRef<const Term *> Args) {
    ID.AddInteger(unsigned(Kind));
    ID.AddInteger(Code);
    ID.AddInteger(Bits);
    for (const Term *T : Args)
      ID.AddPointer(T);
  }

  bool is(TermKind K) const { return Kind == K; }
  bool isConstant(char Letter) const {
    return Kind == TermKind::Constant && Code == uint32_t(Letter);
  }
  bool isApply(Opcode Op) const {
    return Kind == TermKind::Apply && Code == Op;
  }
  int32_t i() const { return int32_t(uint32_t(Bits)); }
};
using TermRef = const Term *;

/// The numbers that an int may be.
struct IntRange {
  int64_t Low = INT32_MIN, High = INT32_MAX;
};

/// Owns the terms of one method, and the keys of both classes. One thread.
class Terms {
public:
  /// The number of a text, from 1; the same for equal texts.
  uint32_t key(llvm::StringRef Text);
  llvm::StringRef text(uint32_t Key) const { return Texts[Key]; }

  TermRef constant(char Letter, uint64_t Bits) {
    return raw(TermKind::Constant, uint32_t(Letter), Bits, {});
  }
  TermRef ofInt(int64_t V) { return constant('I', uint32_t(V)); }
  TermRef null() { return raw(TermKind::Null, 0, 0, {}); }
  TermRef symbol(uint32_t Class = 0) {
    return raw(TermKind::Symbol, Class, ++NumSymbols, {});
  }
  /// The simplest term that is that.
  TermRef make(TermKind K, uint32_t Code, llvm::ArrayRef<TermRef> Args,
               uint64_t Bits = 0);
  TermRef apply(Opcode Op, llvm::ArrayRef<TermRef> Args) {
    return make(TermKind::Apply, Op, Args);
  }
  /// What \p T, an int, may be whatever its symbols are.
  IntRange rangeOf(TermRef T) const;
  unsigned size() const { return NumTerms; }
  /// The values of the field \p Key are of class \p Class.
  void declare(uint32_t Key, uint32_t Class) { Declared[Key] = Class; }
  /// The class that \p T was declared to be of; 0 if that is not known. It may
  /// be an interface, and then is no promise.
  uint32_t classOf(TermRef T) const;
  /// For messages.
  std::string print(TermRef T, unsigned Depth = 3) const;

private:
  TermRef raw(TermKind K, uint32_t Code, uint64_t Bits,
              llvm::ArrayRef<TermRef> Args);
  TermRef simplify(Opcode Op, llvm::ArrayRef<TermRef> Args);
  TermRef read(uint32_t Code, llvm::ArrayRef<TermRef> Args);
  TermRef compare(TermKind K, llvm::ArrayRef<TermRef> Args);

  llvm::FoldingSet<Term> Set;
  llvm::BumpPtrAllocator Alloc;
  llvm::StringMap<uint32_t> Keys;
  std::vector<llvm::StringRef> Texts = {""};
  llvm::DenseMap<uint32_t, uint32_t> Declared;
  uint64_t NumSymbols = 0;
  uint32_t NumTerms = 0;
};

/// The result of \p Op on constants by the JVM specification; false if it has
/// none, or one that depends on the processor (NaN).
bool evaluate(Opcode Op, llvm::ArrayRef<TermRef> Args, char &Letter,
              uint64_t &Bits);

} // namespace jopt::validate

#endif
