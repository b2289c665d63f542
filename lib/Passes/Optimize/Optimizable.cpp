//===- Optimizable.cpp - Which methods may be optimised -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizable.h"
#include "jopt/IR/Model/Annotations.h"

using namespace jopt;
using llvm::StringRef;

bool jopt::mayOptimize(const ClassFile &F, const Method &M) {
  if (!F.hasFrames())
    return false;
  llvm::SmallVector<StringRef, 4> Names;
  findAnnotations(F.Pool, M.Attributes, Names);
  return llvm::none_of(Names, [](StringRef Name) {
    return Name.starts_with("jdk/internal/") ||
           Name.starts_with("java/lang/invoke/") ||
           Name.starts_with("sun/misc/");
  });
}
