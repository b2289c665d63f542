//===- KnownParts.h - What a class file has of another one ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares a class file with the one that it was made from
/// (VerifyOptions::Original). Parts that are the same need no second check.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_KNOWNPARTS_H
#define JOPT_LIB_VERIFY_KNOWNPARTS_H

#include "jopt/Support/Bytes.h"
#include <vector>

namespace jopt::verify {

class KnownParts {
public:
  /// Nothing is known if \p Original is empty.
  KnownParts(Bytes Original, Bytes ClassFile);

  /// The pool entry \p Index, which ends at offset \p End, is the original's.
  bool hasEntry(unsigned Index, size_t End) const {
    return Index < NumEntries && End <= Alike;
  }
  /// To be called behind the pool, whose first \p Entries up to offset \p End
  /// are the original's. False: these are not all of its entries, and no member
  /// is known.
  bool readMembers(unsigned Entries, size_t End);

  /// How the next member of the original compares.
  enum Comparison {
    New,     ///< it has another name or descriptor, or is not known
    Changed, ///< it has other flags or attributes
    Same,
  };
  /// Compares \p Member, a field or method. To be called in their order.
  Comparison compare(Bytes Member);
  /// Goes on with the methods.
  void beginMethods() { Next = NumFields; }

private:
  Bytes Original;
  size_t Alike = 0; ///< bytes at the begin that are the same
  unsigned NumEntries = 0;
  std::vector<Bytes> Members; ///< fields, then methods
  size_t NumFields = 0, Next = 0;
};

/// Skips a field or method. Its bytes; empty if they end too early.
Bytes skipMember(ByteCursor &In);

} // namespace jopt::verify

#endif
