//===- CompanionClass.h - Classes that passes make --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_COMPANIONCLASS_H
#define JOPT_PASSES_COMPANIONCLASS_H

#include "jopt/Passes/Pass.h"
#include <functional>
#include <string>

namespace jopt {

/// A class that another needs beside it: in its package, defined by its loader.
struct CompanionClass {
  std::string Name; ///< internal
  llvm::SmallVector<uint8_t, 0> Data;
};

/// A service that takes them. A context has it where they can be had at run
/// time: not where a class becomes text. Used by the thread of the class.
struct CompanionClassSink {
  static ServiceKey Key;
  std::function<void(CompanionClass)> Take;
};

} // namespace jopt

#endif
