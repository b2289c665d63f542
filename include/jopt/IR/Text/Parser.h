//===- Parser.h - Classes from text -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the text form (`.jir`) that docs/LangRef.md defines.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_TEXT_PARSER_H
#define JOPT_IR_TEXT_PARSER_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Text/TextPlaces.h"
#include <vector>

namespace jopt {

/// The classes in \p Text, in their order; none if there is only white space
/// and comments. The first mistake gives an error at `File:line:column`; lines
/// count from \p Line, for a text that stands behind something else in its
/// file. What is read is well formed as text, not more: verifyClassIR says
/// whether it is also valid IR. \p Text need not outlive the call. Time and
/// memory are linear in the length of the text. \p Places, if there is one, is
/// told where everything stands.
llvm::Expected<std::vector<std::unique_ptr<ClassFile>>>
parseIR(llvm::StringRef Text, llvm::StringRef File, unsigned Line = 1,
        TextPlaces *Places = nullptr);

} // namespace jopt

#endif
