//===- RemarkLimits.h - Methods that crossed a limit of HotSpot -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_REMARKLIMITS_H
#define JOPT_LIB_PASSES_OPTIMIZE_REMARKLIMITS_H

#include "jopt/Passes/Pass.h"

namespace jopt {

/// The size of a method's code, by which optimising is judged.
struct CodeSize {
  unsigned Code = 0, MaxStack = 0, WithTables = 0;

  /// Of the method with these attributes; zeros if it has no code.
  static CodeSize of(const ConstantPool &Pool,
                     llvm::ArrayRef<Attribute> Attributes);
  bool isNoLargerThan(const CodeSize &O) const {
    return Code <= O.Code && MaxStack <= O.MaxStack &&
           WithTables <= O.WithTables;
  }
  /// For messages: how it differs from \p Old.
  std::string against(const CodeSize &Old) const;
};

/// The code grew from one side of \p Limit to the other.
inline bool outgrows(unsigned Limit, unsigned Old, unsigned New) {
  return Old <= Limit && New > Limit;
}
/// The same for some limit of HotSpot.
bool outgrowsLimit(unsigned Old, unsigned New);

/// The remark about \p M if its code had \p Old bytes, and has \p New now, on
/// the other side of a limit of HotSpot.
void remarkLimits(PassContext &C, const Method &M, unsigned Old, unsigned New);

} // namespace jopt

#endif
