//===- CallPasses.cpp - A pass plugin -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plugin that docs/WritingAPass.md builds up: one pass that looks,
/// `find-calls`, and one that changes, `count-calls`.
///
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Plugin.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

namespace {

JOPT_STATISTIC(NumFound, "find-calls", "found", "Calls found");

/// Names every call of a method of one class, with its place.
struct FindCalls {
  std::string Owner = "java/lang/System";

  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &C) const {
    for (Block &Bl : B.blocks())
      for (Instruction &I : Bl) {
        if (I.op() != irop::Invoke || I.advice() >= 0)
          continue;
        MemberRef Callee = B.pool().member(I.index());
        if (Callee.Owner != Owner)
          continue;
        ++NumFound;
        C.remark(B.method(), "calls " + Callee.Name + " at bytecode " +
                                 llvm::Twine(I.bci()));
      }
    return PreservedAnalyses::all();
  }

  void printOptions(llvm::raw_ostream &OS) const {
    if (Owner != FindCalls().Owner)
      OS << "owner=" << Owner;
  }
};

/// Puts `counter.hit()` in front of every call.
struct CountCalls {
  bool wants(const Method &M, PassContext &C) const {
    return C.classFile().name(M) != "<clinit>";
  }

  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &) const {
    llvm::SmallVector<Instruction *, 16> Calls;
    for (Block &Bl : B.blocks())
      for (Instruction &I : Bl)
        if (I.op() == irop::Invoke && I.bci() >= 0)
          Calls.push_back(&I);
    for (Instruction *I : Calls)
      Builder(B, I).callStatic("Counter", "hit", "()V", {});
    return PreservedAnalyses::changedIf(!Calls.empty());
  }
};

llvm::Error registerPasses(PassRegistry &R) {
  PassInfo Find;
  Find.Argument = "find-calls";
  Find.Summary = "Names the calls of a class's methods";
  Find.Options.push_back(
      {"owner", "text", FindCalls().Owner, "Whose methods, internal name."});
  Find.Create = [](OptionText T) -> llvm::Expected<AnyPass> {
    FindCalls P;
    OptionReader Reader(T);
    while (Reader.next())
      if (!Reader.text("owner", P.Owner))
        Reader.unknown();
    return Reader.finish<AnyPass>(P);
  };
  if (llvm::Error E = R.add(std::move(Find)))
    return E;

  PassInfo Count;
  Count.Argument = "count-calls";
  Count.Summary = "Counts calls while the program runs";
  Count.Create = [](OptionText T) -> llvm::Expected<AnyPass> {
    OptionReader Reader(T);
    while (Reader.next())
      Reader.unknown();
    return Reader.finish<AnyPass>(CountCalls());
  };
  return R.add(std::move(Count));
}

} // namespace

jopt::PluginInfo joptGetPluginInfo() {
  return {JOPT_PLUGIN_API_VERSION, "CallPasses", "1.0", registerPasses};
}
