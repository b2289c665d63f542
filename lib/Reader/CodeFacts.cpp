//===- CodeFacts.cpp - What bytes of code say without a body --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reader/CodeFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

bool jopt::isOwnField(const ClassFile &F, const DecodedInst &I) {
  const MemberRef R = F.Pool.member(I.Index);
  const bool Static = I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC;
  const bool Put = I.Op == op::PUTSTATIC || I.Op == op::PUTFIELD;
  return R.Owner == F.name() && llvm::any_of(F.Fields, [&](const Field &Of) {
           return F.name(Of) == R.Name && F.descriptor(Of) == R.Descriptor &&
                  Of.is(ACC_STATIC) == Static && !(Put && Of.is(ACC_FINAL));
         });
}

bool jopt::mayThrow(const ClassFile &F, const DecodedInst &I, bool OfThis) {
  if (!I.info().MayThrow || (I.Op >= op::IRETURN && I.Op <= op::RETURN))
    return false;
  if (I.info().Canonical == op::LDC || I.Op == op::LDC2_W)
    return !isPlainConstant(F.Pool[I.Index].Tag);
  if (I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC)
    return !isOwnField(F, I);
  if (I.Op == op::GETFIELD || I.Op == op::PUTFIELD)
    return !(OfThis && isOwnField(F, I));
  return true;
}

// An object that was made by `new` and is not initialised yet is on the stack
// wherever the code of another constructor's arguments is, so counting them
// tells the call from others.
CodeBeforeSuper jopt::findCodeBeforeSuper(const ClassFile &F,
                                          const CodeView &Code) {
  CodeBeforeSuper R;
  R.Code.resize(unsigned(Code.Code.size()));
  llvm::SmallVector<std::pair<uint32_t, int>, 16> Work = {{0, 0}};
  while (!Work.empty()) {
    auto [BCI, News] = Work.pop_back_val();
    DecodedInst I;
    if (BCI >= Code.Code.size() || R.Code[BCI] ||
        !decodeInst(Code.Code, BCI, I))
      continue;
    R.Code.set(BCI);
    for (const CodeView::Handler &H : Code.Handlers)
      if (H.covers(BCI))
        Work.push_back({H.Target, 0});
    if (I.Op == op::NEW)
      ++News;
    if (I.Op == op::INVOKESPECIAL && F.Pool.member(I.Index).Name == "<init>" &&
        News-- == 0) {
      ++R.Calls;
      continue;
    }
    I.forEachTarget(
        [&, N = News](int32_t To) { Work.push_back({uint32_t(To), N}); });
    if (!I.info().EndsBlock)
      Work.push_back({I.end(), News});
  }
  return R;
}
