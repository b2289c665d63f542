//===- SnippetBranches.h - Snippets of several blocks -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SNIPPETBRANCHES_H
#define JOPT_LIB_WRITER_SNIPPETBRANCHES_H

#include "ExceptionTable.h"
#include "jopt/IR/Model/CodePatch.h"

namespace jopt {

/// Sets Code.Branches: the frames and handlers of \p Code, whose IR has several
/// blocks and was emitted in the order \p S by \p E. \p Table is scratch space.
/// Fails where the code is so long that its branches are not what they were.
llvm::Error noteBranches(Snippet &Code, const Schedule &S, const CodeEmitter &E,
                         ExceptionTable &Table);

} // namespace jopt

#endif
