//===- SumConstants.cpp - A peephole optimisation, with a bug -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plugin that docs/OptimizerTutorial.md begins with; it finds and fixes
/// the bug.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/Passes/Plugin.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

namespace {

bool isSum(const Value &V) {
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  return I && I->op() == irop::Plain &&
         (I->opcode() == op::IADD || I->opcode() == op::ISUB) &&
         constantOf(*I->operand(1));
}

uint32_t added(const Instruction &I) { return constantOf(*I.operand(1))->u(); }

struct SumConstants {
  llvm::Expected<PreservedAnalyses> run(Body &F, PassContext &C) const {
    unsigned Count = 0;
    for (Block &B : F.blocks())
      for (auto It = B.begin(); It != B.end();) {
        Instruction &I = *It++;
        if (!isSum(I) || !isSum(*I.operand(0)))
          continue;
        auto &First = llvm::cast<Instruction>(*I.operand(0));
        if (First.block() != &B || B.countUses(&First) != 1)
          continue;
        Instruction *Sum =
            makeConstant(F, Constant{Type::Int, added(First) + added(I)}, &I);
        if (!Sum)
          continue; // it would need an entry of the pool
        Instruction *New = F.create(irop::Plain, I.opcode(), Type::Int,
                                    {First.operand(0), Sum}, I.bci());
        F.insert(New, &B, I.getIterator());
        B.replaceUses(&I, New);
        F.erase(&I);
        ++Count;
      }
    if (Count)
      C.remark(F.method(), "added up " + llvm::Twine(Count) + " constants");
    return PreservedAnalyses::changedIf(Count);
  }
};

llvm::Error registerPasses(PassRegistry &R) {
  PassInfo P;
  P.Argument = "sum-constants";
  P.Summary = "Adds up constants that are added one after the other";
  P.Wants = PassInfo::Optimizable;
  P.Create = [](OptionText T) -> llvm::Expected<AnyPass> {
    OptionReader Reader(T);
    while (Reader.next())
      Reader.unknown();
    return Reader.finish<AnyPass>(SumConstants());
  };
  return R.add(std::move(P));
}

} // namespace

jopt::PluginInfo joptGetPluginInfo() {
  return {JOPT_PLUGIN_API_VERSION, "SumConstants", "1.0", registerPasses};
}
