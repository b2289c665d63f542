//===- ReduceClass.cpp - Less of a class ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducers.h"
#include "jopt/Writer/CollectPool.h"

using namespace jopt;
using namespace jopt::reduce;

void jopt::reduce::reduceMethods(Subject &S, Oracle &O) {
  S.keepMethods([&](const Method &) { return O.keeps(); });
}

void jopt::reduce::reduceFields(Subject &S, Oracle &O) {
  ClassFile &F = S.classFile();
  const size_t Before = F.Fields.size();
  F.Fields.erase(std::remove_if(F.Fields.begin(), F.Fields.end(),
                                [&](const Field &) { return !O.keeps(); }),
                 F.Fields.end());
  F.Changed |= F.Fields.size() != Before;
}

void jopt::reduce::reduceInterfaces(Subject &S, Oracle &O) {
  ClassFile &F = S.classFile();
  const size_t Before = F.Interfaces.size();
  llvm::erase_if(F.Interfaces, [&](uint16_t) { return !O.keeps(); });
  F.Changed |= F.Interfaces.size() != Before;
}

/// Leaves out attributes of one list, but for those that are the code itself.
template <typename List>
static bool dropAttributes(const ClassFile &F, List &Attributes, Oracle &O) {
  const size_t Before = Attributes.size();
  llvm::erase_if(Attributes, [&](const Attribute &A) {
    llvm::StringRef Name = F.Pool.utf8(A.NameIndex);
    return Name != "Code" && Name != "StackMapTable" && !O.keeps();
  });
  return Attributes.size() != Before;
}

void jopt::reduce::reduceAttributes(Subject &S, Oracle &O) {
  ClassFile &F = S.classFile();
  F.Changed |= dropAttributes(F, F.Attributes, O);
  for (Field &Fd : F.Fields)
    Fd.Changed |= dropAttributes(F, Fd.Attributes, O);
  for (Method &M : F.Methods) {
    M.Changed |= dropAttributes(F, M.Attributes, O);
    if (Body *B = S.body(M); B && dropAttributes(F, B->Attributes, O))
      S.touch(M);
  }
}

void jopt::reduce::reducePool(Subject &S, Oracle &O) {
  if (S.isText()) {
    if (S.hasPool() && !O.keeps())
      S.dropPool();
    return;
  }
  llvm::BitVector Kept = findUnusedEntries(S.classFile());
  for (unsigned N : Kept.set_bits())
    if (!O.keeps())
      Kept.reset(N);
  S.keepUnused(std::move(Kept));
}
