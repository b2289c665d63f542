//===- CodeRegions.h - How far branches decide ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a branch decides ends where all ways that it may take have met: at its
/// post-dominator. Ways are those between instructions, and from an athrow to
/// the handlers that cover it. An exception that another instruction throws is
/// no way: everything in a `try` would depend on everything before it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_CODEREGIONS_H
#define JOPT_LIB_SLICE_CODEREGIONS_H

#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/Support/GenericDomTree.h"

namespace jopt::slice {

/// The ends of the regions that branches and exceptions control, as bytecode
/// indices.
class CodeRegions {
public:
  static constexpr uint32_t Method = UINT32_MAX; ///< that of the activation

  explicit CodeRegions(const CodeView &Code);

  /// Of the branch or switch at \p BCI.
  uint32_t endOf(uint32_t BCI);
  /// Of an exception that the instruction at \p BCI threw, to \p Handler.
  uint32_t endOf(uint32_t BCI, uint32_t Handler);
  /// Every way from \p BCI comes to \p End.
  bool leadsTo(uint32_t BCI, uint32_t End);

private:
  uint32_t startOf(CodeBlock *B) const { return B ? B->start() : Method; }
  CodeBlock *postDominator(CodeBlock &B) const;

  CodeGraph Graph;
  llvm::DominatorTreeBase<CodeBlock, /*IsPostDom=*/true> Tree;
};

} // namespace jopt::slice

#endif
