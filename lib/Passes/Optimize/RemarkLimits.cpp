//===- RemarkLimits.cpp - Methods that crossed a limit of HotSpot ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RemarkLimits.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;

#define GET_STATISTICS_RemarkLimits
#include "jopt/Passes/Passes.inc"

namespace {
struct HotSpotLimit {
  unsigned Bytes;
  const char *Over, *Under; ///< what HotSpot does with code on either side
};
} // namespace

static constexpr HotSpotLimit Limits[] = {
    {hotspot::MaxInlineSize, "inlines it where the call is hot only",
     "inlines it everywhere"},
    {hotspot::FreqInlineSize, "does not inline it",
     "inlines it where the call is hot"},
    {hotspot::HugeMethodLimit, "does not compile it", "compiles it"},
};

CodeSize CodeSize::of(const ConstantPool &Pool,
                      llvm::ArrayRef<Attribute> Attributes) {
  CodeSize S;
  const Attribute *A = ClassFile::findAttribute(Pool, Attributes, "Code");
  if (!A || A->Data.size() < 8)
    return S;
  S.MaxStack = readU2(A->Data.data());
  S.Code = readU4(A->Data.data() + 4);
  S.WithTables = unsigned(A->Data.size());
  return S;
}

std::string CodeSize::against(const CodeSize &Old) const {
  return llvm::formatv("{0} bytes of code instead of {1}, {2} with its tables "
                       "instead of {3}, stack {4} instead of {5}",
                       Code, Old.Code, WithTables, Old.WithTables, MaxStack,
                       Old.MaxStack)
      .str();
}

bool jopt::outgrowsLimit(unsigned Old, unsigned New) {
  return llvm::any_of(Limits, [&](const HotSpotLimit &L) {
    return outgrows(L.Bytes, Old, New);
  });
}

void jopt::remarkLimits(PassContext &C, const Method &M, unsigned Old,
                        unsigned New) {
  // Of several the largest says most.
  for (const HotSpotLimit &L : llvm::reverse(Limits)) {
    const bool IsOver = outgrows(L.Bytes, Old, New);
    if (!IsOver && !outgrows(L.Bytes, New, Old))
      continue;
    ++(IsOver ? NumOver : NumUnder);
    C.remark(M, llvm::formatv("its code has {0} bytes instead of {1}, {2} "
                              "{3:N}: HotSpot {4}",
                              New, Old, IsOver ? "over" : "no longer over",
                              L.Bytes, IsOver ? L.Over : L.Under)
                    .str());
    return;
  }
}

bool RemarkLimitsPass::begin(PassContext &C) const {
  C.get<ClassEditor>().remarkLimits();
  return false; // sizes are known in the end
}

llvm::Expected<PreservedAnalyses> RemarkLimitsPass::run(Body &,
                                                        PassContext &) const {
  return PreservedAnalyses::all();
}
