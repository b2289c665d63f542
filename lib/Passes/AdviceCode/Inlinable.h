//===- Inlinable.h - Which methods of advices may be inlined ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the methods that advices call, and finds out whether any class may
/// contain their code.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_INLINABLE_H
#define JOPT_LIB_PASSES_ADVICECODE_INLINABLE_H

#include "jopt/Passes/Pass.h"
#include "llvm/ADT/BitVector.h"
#include <set>
#include <string>

namespace jopt {

/// The method of one advice.
struct Inlinable {
  /// Why it is not inlined into any class; empty if it may be.
  std::string Refused;
  /// Its code, in a class of its own; null if it was refused before it was
  /// read.
  const Body *Code = nullptr;
  /// Classes of the probes that the code names, sorted.
  std::set<std::string> Uses;
  /// The oldest version of class files in which the code means the same.
  unsigned Version = 45;
  unsigned Returns = 0;
  /// One block, with no exception range: no branch is needed around it.
  bool Straight = false;
  /// By slot.
  llvm::BitVector Read, Written;
};

/// The methods of all advices of the run, read once per class that is probed,
/// since a ClassFile belongs to one thread.
class Inlinables {
public:
  static AnalysisKey Key;
  static Inlinables run(const ClassFile &, PassContext &C);

  const Inlinable &of(unsigned Advice) const { return List[Advice]; }

private:
  std::map<std::string, std::unique_ptr<ClassFile>> Read;
  std::vector<Inlinable> List;
};

} // namespace jopt

#endif
