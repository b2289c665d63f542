//===- Relocation.h - Attributes that follow the code -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Attributes of Code follow the code by their layouts (Attributes.td). What
/// becomes of an element is decided by its field that points into the code:
///
///   pc       the instruction at that offset: the element is repeated for each
///            copy of it, and dropped if it is gone
///   range,   the code from there to there: the element is repeated for each
///   span     stretch that is left of it in the new code. What was inserted
///            inside is in it, and so is what was inserted in front of its
///            first instruction; what was inserted in front of the one behind
///            its end is not
///   handler  the row of the exception table: the first that is left of it; the
///            element is dropped if none is
///   from     the code from there up to where the next element begins: see
///            LineNumbers.cpp
///
/// A list that loses all its elements takes the element that it stands in with
/// it. A payload that is one table of elements of one size has none of them
/// twice: the JVM refuses that of local variables.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_RELOCATION_H
#define JOPT_LIB_WRITER_RELOCATION_H

#include "ExceptionTable.h"
#include "OffsetMap.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/Support/Bytes.h"

namespace jopt {

/// Appends to \p W what \p Data, the payload of an attribute \p Info of Code,
/// is for new code. False, and nothing is appended, if nothing in it points
/// into code, or if it does not fit its layout (indices of the constant pool
/// are not looked at): then it stays as it is.
bool relocate(const AttributeInfo &Info, Bytes Data, OffsetMap &Map,
              const ExceptionTable &Table, ByteWriter &W);

/// The same for a table of elements with a field `from`, where \p Data fits.
void relocateLines(const CodeReferences &Refs, Bytes Data, const OffsetMap &Map,
                   ByteWriter &W);

} // namespace jopt

#endif
