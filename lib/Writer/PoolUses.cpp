//===- PoolUses.cpp - Where a class names entries of its pool -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolUses.h"
#include "jopt/Bytecode/Decoder.h"

using namespace jopt;

PoolUses::~PoolUses() = default;

bool PoolUses::useNext(ByteCursor &C) {
  const Bytes Index = C.bytes(2);
  if (C.failed())
    return false;
  use(Index.data(), /*IsByte=*/false);
  return true;
}

/// A table of attributes.
bool PoolUses::visitNested(ByteCursor &C, AttributePlace Place) {
  llvm::SmallVector<Attribute, 4> As;
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    Attribute A;
    A.NameIndex = C.u2();
    A.Data = C.bytes(C.u4());
    As.push_back(A);
  }
  return !C.failed() && visit(As, Place);
}

bool PoolUses::visitCode(Bytes Data) {
  ByteCursor C(Data);
  C.skip(4);
  const Bytes Code = C.bytes(C.u4());
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size(); At = I.end()) {
    if (!decodeInst(Code, At, I))
      return false;
    if (!I.info().PoolTags)
      continue;
    const bool IsByte = I.info().IndexBytes == 1;
    if (I.Op == op::LDC || I.Op == op::LDC_W)
      load(Code.data() + At + 1, IsByte);
    else
      use(Code.data() + At + 1, IsByte);
  }
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    C.skip(6);
    if (!useNext(C))
      return false;
  }
  return visitNested(C, InCode);
}

bool PoolUses::visitRecord(Bytes Data) {
  ByteCursor C(Data);
  for (unsigned N = C.u2(); N && !C.failed(); --N)
    if (!useNext(C) || !useNext(C) || !visitNested(C, InRecordComponent))
      return false;
  return !C.failed();
}

bool PoolUses::visit(llvm::ArrayRef<Attribute> As, AttributePlace Place) {
  for (const Attribute &A : As) {
    const llvm::StringRef Name = F.Pool.utf8(A.NameIndex);
    const Answer Is = enter(A, Name, Place);
    if (Is == PassOver)
      continue;
    const AttributeInfo *Info = findAttributeInfo(Name, Place);
    if (Is == Fail || !Info || !fitsLayout(*Info, A.Data, F.Pool))
      return false;
    bool Known = true;
    if (Place == InMethod && Name == "Code")
      Known = visitCode(A.Data);
    else if (Place == InClass && Name == "Record")
      Known = visitRecord(A.Data);
    else
      visitAttribute(*Info, A.Data, F.Pool, [&](AttributeField Field) {
        if (Field.K == AttributeField::Pool)
          use(A.Data.data() + Field.Offset, /*IsByte=*/false);
      });
    if (!Known)
      return false;
  }
  return true;
}
