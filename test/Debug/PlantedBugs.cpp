//===- PlantedBugs.cpp - Passes that are wrong on purpose -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plugin for the tests of what finds bugs. Each pass has a mistake that is
/// easily made; the comment says which.
///
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Plugin.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

namespace {

/// Drops writes to slots that nothing reads. Wrong: it looks for reads in the
/// same block alone.
struct DeadStores {
  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &) const {
    bool Changed = false;
    for (Block &Blk : B.blocks()) {
      llvm::DenseSet<uint32_t> Read;
      for (auto It = Blk.instructions().rbegin();
           It != Blk.instructions().rend();) {
        Instruction &I = *It++;
        if (I.op() == irop::LocalGet || I.op() == irop::LocalInc)
          Read.insert(I.index());
        if (I.op() != irop::LocalSet || Read.contains(I.index()))
          continue;
        B.erase(&I);
        Changed = true;
      }
    }
    return PreservedAnalyses::changedIf(Changed);
  }
};

/// Puts constants to the right of operations that commute. Wrong: isub does
/// not.
struct ConstantsRight {
  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &) const {
    bool Changed = false;
    for (Block &Blk : B.blocks())
      for (Instruction &I : Blk) {
        const bool Commutes =
            I.op() == irop::Plain &&
            (I.opcode() == op::IADD || I.opcode() == op::IMUL ||
             I.opcode() == op::IAND || I.opcode() == op::ISUB);
        if (!Commutes || !isConstant(I.operand(0)) || isConstant(I.operand(1)))
          continue;
        std::swap(I.operands()[0], I.operands()[1]);
        Changed = true;
      }
    return PreservedAnalyses::changedIf(Changed);
  }
  static bool isConstant(const Value *V) {
    const auto *I = llvm::dyn_cast<Instruction>(V);
    return I && I->op() == irop::Const;
  }
};

/// Counts activations: one more at the entry, one less where the method
/// returns. Wrong: it takes the last return for the only one.
struct CountActivations {
  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &) const {
    Instruction *Last = nullptr;
    for (Block &Blk : B.blocks())
      if (Instruction *End = Blk.terminator(); End && End->op() == irop::Return)
        Last = End;
    if (!Last)
      return PreservedAnalyses::all();
    Builder(B, Last).callStatic("Activations", "leave", "()V", {});
    Builder(B, &*B.entry().begin())
        .callStatic("Activations", "enter", "()V", {});
    return PreservedAnalyses::none();
  }
};

/// Ranges begin at the first instruction that may throw. Wrong: it thinks that
/// a static call may not.
struct ShrinkRanges {
  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &) const {
    bool Changed = false;
    for (auto It = B.blocks().begin(); It != B.blocks().end(); ++It) {
      const ThrowEdge *Before =
          It == B.blocks().begin() ? nullptr : std::prev(It)->throwEdges();
      if (!It->throwEdges() || It->throwEdges() == Before || It->isHandler())
        continue;
      auto At = It->begin();
      while (At != It->end() && !mayThrow(*At) && !At->isTerminator())
        ++At;
      if (At == It->begin() || At == It->end())
        continue;
      B.split(&*It, At);
      It->setThrowEdges(Before);
      Changed = true;
      ++It;
    }
    return PreservedAnalyses::changedIf(Changed);
  }
  static bool mayThrow(const Instruction &I) {
    return !I.isPure() && I.op() != irop::LocalSet &&
           !(I.op() == irop::Invoke && I.opcode() == op::INVOKESTATIC);
  }
};

template <typename PassT> llvm::Error add(PassRegistry &R, const char *Name) {
  PassInfo I;
  I.Argument = Name;
  I.Summary = "Wrong on purpose";
  I.Create = [](OptionText T) -> llvm::Expected<AnyPass> {
    OptionReader Reader(T);
    while (Reader.next())
      Reader.unknown();
    return Reader.finish<AnyPass>(PassT());
  };
  return R.add(std::move(I));
}

llvm::Error registerPasses(PassRegistry &R) {
  if (llvm::Error E = add<DeadStores>(R, "dead-stores"))
    return E;
  if (llvm::Error E = add<ConstantsRight>(R, "constants-right"))
    return E;
  if (llvm::Error E = add<CountActivations>(R, "count-activations"))
    return E;
  return add<ShrinkRanges>(R, "shrink-ranges");
}

} // namespace

jopt::PluginInfo joptGetPluginInfo() {
  return {JOPT_PLUGIN_API_VERSION, "PlantedBugs", "1.0", registerPasses};
}
