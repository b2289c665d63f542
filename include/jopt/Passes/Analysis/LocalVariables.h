//===- LocalVariables.h - Variables that have names -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The local variables of a method by name, as far as its debug information
/// (LocalVariableTable, JVMS 4.7.13) tells.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_LOCALVARIABLES_H
#define JOPT_PASSES_ANALYSIS_LOCALVARIABLES_H

#include "jopt/Passes/Pass.h"

namespace jopt {

/// A variable holds a value from Start up to End, in original bytecode indices.
struct LocalVariable {
  uint32_t Start, End;
  unsigned Slot;
  llvm::StringRef Name, Descriptor; ///< in the constant pool
};

/// Those in the tables among \p Attributes, which are those of a code.
std::vector<LocalVariable> readVariables(const ConstantPool &Pool,
                                         llvm::ArrayRef<Attribute> Attributes);

struct LocalVariables {
  static AnalysisKey Key;
  static LocalVariables run(const Body &F, PassContext &C);

  /// The variable \p Name that is alive at \p BCI; null if there is none.
  const LocalVariable *find(llvm::StringRef Name, uint32_t BCI) const;

  std::vector<LocalVariable> All; ///< in the order of the tables
};

} // namespace jopt

#endif
