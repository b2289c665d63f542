//===- Layout.h - Payload layouts as trees ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The layout strings of Attributes.td, parsed once per process. Immutable and
/// shared by all threads after that.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_MODEL_LAYOUT_H
#define JOPT_LIB_IR_MODEL_LAYOUT_H

#include "jopt/IR/Model/AttributeLayout.h"
#include <memory>

namespace jopt::layout {

struct Item;
/// Fields one after the other.
using Sequence = std::vector<Item>;

struct Case {
  uint8_t Low, High;
  llvm::StringRef Keyword;
  Sequence Fields;
};

struct Item {
  enum Kind : uint8_t {
    U1,
    U2,
    U4,
    Slot,
    PC,
    From,
    Range,
    Span,
    Handler,
    Pool,       ///< Tags, Optional
    Flags,      ///< Param: the set
    Bytes,      ///< u4 and data
    Text,       ///< the rest of the payload
    Attributes, ///< Place
    List,       ///< Wide, Fields: the element
    Named,      ///< Target
    Union,      ///< Cases, ByTag
  };
  Kind K = U1;
  bool Optional = false;
  bool Wide = false;
  AttributePlace Place = InClass;
  uint32_t Tags = 0; ///< bit N: CPTag N
  llvm::StringRef Label;
  llvm::StringRef Param;
  Sequence Fields;
  const Sequence *Target = nullptr;
  std::vector<Case> Cases;
  std::vector<uint8_t> ByTag; ///< tag to case number + 1, 0 if undefined

  /// The one tag of a Pool item, None if there are several.
  CPTag onlyTag() const;
};

/// The payload layout of \p Info, which is a row of getAttributeTable().
const Sequence &get(const AttributeInfo &Info);

/// True if \p Payload fits attribute \p A at \p Place; sets \p Info and
/// \p Layout for the text form.
bool fits(const Attribute &A, AttributePlace Place, const ConstantPool &Pool,
          const Sequence *&Layout);

/// How deep annotations may nest to be modelled; deeper ones stay raw.
constexpr unsigned MaxDepth = 200;

} // namespace jopt::layout

#endif
