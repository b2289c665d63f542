//===- LocalVariables.cpp - Variables that have names ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/LocalVariables.h"
#include "jopt/Support/Bytes.h"

using namespace jopt;

AnalysisKey LocalVariables::Key;

LocalVariables LocalVariables::run(const Body &F, PassContext &) {
  return {readVariables(F.pool(), F.Attributes)};
}

std::vector<LocalVariable>
jopt::readVariables(const ConstantPool &Pool,
                    llvm::ArrayRef<Attribute> Attributes) {
  std::vector<LocalVariable> All;
  for (const Attribute &A : Attributes) {
    if (Pool.utf8(A.NameIndex) != "LocalVariableTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      LocalVariable V;
      V.Start = C.u2();
      V.End = V.Start + C.u2();
      V.Name = Pool.utf8(C.u2());
      V.Descriptor = Pool.utf8(C.u2());
      V.Slot = C.u2();
      // A broken table names nothing.
      if (!C.failed() && !V.Name.empty() && !V.Descriptor.empty())
        All.push_back(V);
    }
  }
  return All;
}

const LocalVariable *LocalVariables::find(llvm::StringRef Name,
                                          uint32_t BCI) const {
  for (const LocalVariable &V : All)
    if (V.Name == Name && V.Start <= BCI && BCI < V.End)
      return &V;
  return nullptr;
}
