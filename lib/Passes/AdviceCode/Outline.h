//===- Outline.h - Code of advices in methods of its own --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where Attempt::outlines() says so, what a site needs is done in a
/// private static method of the class, and the site only calls that.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_OUTLINE_H
#define JOPT_LIB_PASSES_ADVICECODE_OUTLINE_H

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/ClassEditor.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// Makes the methods that one method calls, each once.
class Outliner {
public:
  Outliner(Body &Host, PassContext &C) : Host(Host), C(C) {}

  /// A call, at \p B's place, of the method for \p Key. That has the parameters
  /// and the result of \p Descriptor; \p Fill is called for a new one and makes
  /// all of its code. Fails where \p Fill fails, and where the class can have
  /// no further method.
  llvm::Expected<Instruction *>
  call(Builder &B, llvm::StringRef Key, const std::string &Descriptor,
       llvm::ArrayRef<Value *> Arguments,
       llvm::function_ref<llvm::Error(Body &)> Fill);

  /// boxAll in a method of its own.
  llvm::Expected<Instruction *> boxAll(Builder &B, llvm::StringRef Descriptor,
                                       llvm::ArrayRef<Value *> Values,
                                       bool ByNew);

private:
  Body &Host;
  PassContext &C;
  llvm::StringMap<const Method *> Made;
  unsigned NextNumber = 0;
};

/// `return` of \p V; null: of nothing.
void makeReturn(Builder &B, Value *V);

} // namespace jopt

#endif
