//===- TrimPool.cpp - The end of a constant pool --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Writer/TrimPool.h"
#include "PoolUses.h"
#include "llvm/ADT/BitVector.h"

using namespace jopt;
using llvm::StringRef;

namespace {

/// The entries of its tables that a class uses.
class Uses : public PoolUses {
public:
  explicit Uses(const ClassFile &F) : PoolUses(F), Entries(F.Pool.size()) {}
  /// False where that cannot be known.
  bool find();

  /// One more than the last that is used.
  unsigned poolSize() const;
  unsigned numBootstrapMethods() const { return NumBootstrapMethods; }

private:
  void mark(unsigned Index);
  void use(const uint8_t *At, bool IsByte) override {
    mark(indexAt(At, IsByte));
  }
  Answer enter(const Attribute &A, StringRef Name,
               AttributePlace Place) override {
    if (Place == InClass && Name == "BootstrapMethods")
      return PassOver; // what nobody calls uses nothing
    mark(A.NameIndex);
    return Visit;
  }
  bool useBootstrapMethods();

  llvm::BitVector Entries;
  unsigned NumBootstrapMethods = 0;
};

} // namespace

unsigned Uses::poolSize() const {
  int Last = Entries.find_last();
  if (Last < 0)
    return 1;
  return unsigned(Last) + (isWide(F.Pool[unsigned(Last)].Tag) ? 2 : 1);
}

void Uses::mark(unsigned Index) {
  if (!Index || Index >= Entries.size() || Entries.test(Index))
    return;
  Entries.set(Index);
  const CPEntry &E = F.Pool[Index];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  if (E.Tag == CPTag::Dynamic || E.Tag == CPTag::InvokeDynamic)
    NumBootstrapMethods = std::max(NumBootstrapMethods, E.A + 1u);
  if (T.A)
    mark(E.A);
  if (T.B)
    mark(E.B);
}

/// All that are kept: those may use others behind them.
bool Uses::useBootstrapMethods() {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods");
  if (!A || !NumBootstrapMethods)
    return true;
  mark(A->NameIndex);
  ByteCursor C(A->Data);
  unsigned Count = C.u2();
  for (unsigned I = 0; I < NumBootstrapMethods && I < Count; ++I) {
    mark(C.u2());
    for (unsigned N = C.u2(); N && !C.failed(); --N)
      mark(C.u2());
  }
  return !C.failed();
}

bool Uses::find() {
  mark(F.ThisIndex);
  mark(F.SuperIndex);
  for (unsigned I : F.Interfaces)
    mark(I);
  for (const Field &Fd : F.Fields) {
    mark(Fd.NameIndex);
    mark(Fd.DescriptorIndex);
    if (!visit(Fd.Attributes, InField))
      return false;
  }
  for (const Method &M : F.Methods) {
    mark(M.NameIndex);
    mark(M.DescriptorIndex);
    if (M.IR || !visit(M.Attributes, InMethod))
      return false;
  }
  return visit(F.Attributes, InClass) && useBootstrapMethods();
}

void jopt::trimPool(ClassFile &F) {
  Uses U(F);
  if (!U.find())
    return;
  F.keepBootstrapMethods(U.numBootstrapMethods());
  F.Pool.truncate(U.poolSize());
}
