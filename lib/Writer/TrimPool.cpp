//===- TrimPool.cpp - The end of a constant pool --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Writer/TrimPool.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "llvm/ADT/BitVector.h"

using namespace jopt;
using llvm::StringRef;

namespace {

/// The entries of its tables that a class uses.
class Uses {
public:
  explicit Uses(const ClassFile &F) : F(F), Entries(F.Pool.size()) {}
  /// False where that cannot be known.
  bool find();

  /// One more than the last that is used.
  unsigned poolSize() const;
  unsigned numBootstrapMethods() const { return NumBootstrapMethods; }

private:
  void use(unsigned Index);
  bool useAttributes(llvm::ArrayRef<Attribute> As, AttributePlace Place);
  bool useNested(ByteCursor &C, AttributePlace Place);
  bool useCode(Bytes Data);
  bool useRecord(Bytes Data);
  bool useBootstrapMethods();

  const ClassFile &F;
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

void Uses::use(unsigned Index) {
  if (!Index || Index >= Entries.size() || Entries.test(Index))
    return;
  Entries.set(Index);
  const CPEntry &E = F.Pool[Index];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  if (E.Tag == CPTag::Dynamic || E.Tag == CPTag::InvokeDynamic)
    NumBootstrapMethods = std::max(NumBootstrapMethods, E.A + 1u);
  if (T.A)
    use(E.A);
  if (T.B)
    use(E.B);
}

/// A table of attributes.
bool Uses::useNested(ByteCursor &C, AttributePlace Place) {
  llvm::SmallVector<Attribute, 4> As;
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    Attribute A;
    A.NameIndex = C.u2();
    A.Data = C.bytes(C.u4());
    As.push_back(A);
  }
  return !C.failed() && useAttributes(As, Place);
}

bool Uses::useCode(Bytes Data) {
  ByteCursor C(Data);
  C.skip(4);
  Bytes Code = C.bytes(C.u4());
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size(); At = I.end()) {
    if (!decodeInst(Code, At, I))
      return false;
    if (I.info().PoolTags)
      use(I.Index);
  }
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    C.skip(6);
    use(C.u2());
  }
  return useNested(C, InCode);
}

bool Uses::useRecord(Bytes Data) {
  ByteCursor C(Data);
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    use(C.u2());
    use(C.u2());
    if (!useNested(C, InRecordComponent))
      return false;
  }
  return !C.failed();
}

bool Uses::useAttributes(llvm::ArrayRef<Attribute> As, AttributePlace Place) {
  for (const Attribute &A : As) {
    StringRef Name = F.Pool.utf8(A.NameIndex);
    if (Place == InClass && Name == "BootstrapMethods")
      continue; // what nobody calls uses nothing
    use(A.NameIndex);
    const AttributeInfo *Info = findAttributeInfo(Name, Place);
    if (!Info || !fitsLayout(*Info, A.Data, F.Pool))
      return false;
    bool Known = true;
    if (Place == InMethod && Name == "Code")
      Known = useCode(A.Data);
    else if (Place == InClass && Name == "Record")
      Known = useRecord(A.Data);
    else
      visitAttribute(*Info, A.Data, F.Pool, [&](AttributeField Field) {
        if (Field.K == AttributeField::Pool)
          use(readU2(A.Data.data() + Field.Offset));
      });
    if (!Known)
      return false;
  }
  return true;
}

/// All that are kept: those may use others behind them.
bool Uses::useBootstrapMethods() {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods");
  if (!A || !NumBootstrapMethods)
    return true;
  use(A->NameIndex);
  ByteCursor C(A->Data);
  unsigned Count = C.u2();
  for (unsigned I = 0; I < NumBootstrapMethods && I < Count; ++I) {
    use(C.u2());
    for (unsigned N = C.u2(); N && !C.failed(); --N)
      use(C.u2());
  }
  return !C.failed();
}

bool Uses::find() {
  use(F.ThisIndex);
  use(F.SuperIndex);
  for (unsigned I : F.Interfaces)
    use(I);
  for (const Field &Fd : F.Fields) {
    use(Fd.NameIndex);
    use(Fd.DescriptorIndex);
    if (!useAttributes(Fd.Attributes, InField))
      return false;
  }
  for (const Method &M : F.Methods) {
    use(M.NameIndex);
    use(M.DescriptorIndex);
    if (M.IR || !useAttributes(M.Attributes, InMethod))
      return false;
  }
  return useAttributes(F.Attributes, InClass) && useBootstrapMethods();
}

void jopt::trimPool(ClassFile &F) {
  Uses U(F);
  if (!U.find())
    return;
  F.keepBootstrapMethods(U.numBootstrapMethods());
  F.Pool.truncate(U.poolSize());
}
