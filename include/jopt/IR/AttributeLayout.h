//===- AttributeLayout.h - Attributes by table ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the JVM specification (4.7) says about each attribute, from
/// Attributes.td, and one engine that checks and visits payloads by it. The
/// text form of payloads (lib/IR/TextWriter.h) uses the same tables.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_ATTRIBUTELAYOUT_H
#define JOPT_IR_ATTRIBUTELAYOUT_H

#include "jopt/IR/ClassFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt {

/// Where an attribute stands (bits of AttributeInfo::Places).
enum AttributePlace : uint8_t {
  InClass = 1,
  InField = 2,
  InMethod = 4,
  InCode = 8,
  InRecordComponent = 16,
};

/// A row of Attributes.td, whose comments define the layout language.
struct AttributeInfo {
  const char *Name;
  uint8_t Places; ///< set of AttributePlace
  uint8_t Since;  ///< first major version of class files
  const char *Layout;
  const char *Summary;
};

/// All attributes of the specification, sorted by name.
llvm::ArrayRef<AttributeInfo> getAttributeTable();

/// The row of the attribute named \p Name if it may stand in \p Place, else
/// null. The version is not looked at.
const AttributeInfo *findAttributeInfo(llvm::StringRef Name,
                                       AttributePlace Place);

/// A flag of a set of flags ("class", "field", "method", "inner" ...).
struct FlagInfo {
  const char *Set;
  uint16_t Mask;
  const char *Word;
};
/// The flags of set \p Set, ascending.
llvm::ArrayRef<FlagInfo> getFlags(llvm::StringRef Set);

/// One field that a visitor is shown.
struct AttributeField {
  enum Kind : uint8_t {
    Pool,  ///< u2: pool index, zero if absent
    PC,    ///< u2: offset into the code
    Range, ///< two u2: offset into the code and length
    Slot,  ///< u2: local slot
  };
  Kind K;
  uint32_t Offset; ///< of the field in the payload
};

/// True if \p Payload has exactly the layout of \p Info: every count fits,
/// nothing is left over, every pool index names an entry of a right kind, every
/// tag is defined. Attributes inside (of Code and Record) are not checked
/// themselves.
bool fitsLayout(const AttributeInfo &Info, Bytes Payload,
                const ConstantPool &Pool);

/// Shows \p Visit the fields of \p Payload in order, those of attributes inside
/// (of Code and Record) included as far as they fit their layouts. False, after
/// any number of calls, if the payload does not fit.
bool visitAttribute(const AttributeInfo &Info, Bytes Payload,
                    const ConstantPool &Pool,
                    llvm::function_ref<void(AttributeField)> Visit);

} // namespace jopt

#endif
