//===- AttributeLayout.h - Attributes by table ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of the JVM specification (4.7) for each attribute, from
/// Attributes.td, and one engine that checks and visits payloads by them. The
/// text form of payloads (lib/IR/Text/TextWriter.h) uses the same tables, and
/// so does the code that moves payloads with their code
/// (lib/Writer/Relocation.h).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_ATTRIBUTELAYOUT_H
#define JOPT_IR_MODEL_ATTRIBUTELAYOUT_H

#include "jopt/IR/Model/ClassFile.h"
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
  bool OfValueClasses; ///< has its word in class files that may be of these
};
/// The flags of set \p Set, ascending. Of two with one mask the first is for
/// class files that may be of value classes.
llvm::ArrayRef<FlagInfo> getFlags(llvm::StringRef Set);

/// Where a visitor is: at a field, or in the structure around fields.
struct AttributeField {
  enum Kind : uint8_t {
    Pool,    ///< u2: pool index, zero if absent
    PC,      ///< u2: offset of an instruction
    From,    ///< u2: offset where an element begins to hold
    Range,   ///< two u2: offset into the code and length
    Span,    ///< two u2: offsets of the first and of the last byte
    Handler, ///< u2: row of the exception table
    Slot,    ///< u2: local slot
    // Shown by visitStructure() alone:
    ShortList, ///< u1: how many elements follow
    List,      ///< u2: how many elements follow
    Element,   ///< an element begins
    EndOfList, ///< the elements of the last list that has not ended are over
  };
  Kind K;
  uint32_t Offset; ///< in the payload
};

/// Whether a field of kind \p K points into the code of a method, so that it
/// changes where the code does.
inline bool pointsIntoCode(AttributeField::Kind K) {
  return K >= AttributeField::PC && K <= AttributeField::Handler;
}

/// The bytes of a field that points into code.
inline unsigned codeFieldSize(AttributeField::Kind K) {
  return K == AttributeField::Range || K == AttributeField::Span ? 4 : 2;
}

/// How the payloads of an attribute point into code.
struct CodeReferences {
  /// Size of an element if the payload is a u2 and that many elements of one
  /// size, with one field that points into code each; else 0, and the two that
  /// follow say nothing.
  uint16_t ElementSize = 0;
  uint16_t FieldOffset = 0; ///< of that field in its element
  AttributeField::Kind Kind = AttributeField::Pool;
};

/// How \p Info, a row of getAttributeTable(), points into code; null if nothing
/// in it does.
const CodeReferences *findCodeReferences(const AttributeInfo &Info);

/// True if \p Payload has exactly the layout of \p Info: every count fits,
/// nothing is left over, every pool index names an entry of a right kind, every
/// tag is defined. Attributes inside (of Code and Record) are not checked
/// themselves.
bool fitsLayout(const AttributeInfo &Info, Bytes Payload,
                const ConstantPool &Pool);

using AttributeVisitor = llvm::function_ref<void(AttributeField)>;

/// Shows \p Visit the fields of \p Payload in order, those of attributes inside
/// (of Code and Record) included as far as they fit their layouts. False, after
/// any number of calls, if the payload does not fit.
bool visitAttribute(const AttributeInfo &Info, Bytes Payload,
                    const ConstantPool &Pool, AttributeVisitor Visit);

/// Shows \p Visit the fields of \p Payload and the lists that they stand in, in
/// order; nothing of attributes inside. What entries of the pool are is not
/// asked. False, after any number of calls, if the payload does not fit.
bool visitStructure(const AttributeInfo &Info, Bytes Payload,
                    AttributeVisitor Visit);

} // namespace jopt

#endif
