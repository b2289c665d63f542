//===- Json.h - JSON of others ----------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_JSON_H
#define JOPT_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace jopt {

/// llvm::json::parse() for text that anybody may have written: its parser calls
/// itself for each level of nesting, so text with more than \p MaxDepth levels
/// is an error.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text,
                                            unsigned MaxDepth = 64);

} // namespace jopt

#endif
