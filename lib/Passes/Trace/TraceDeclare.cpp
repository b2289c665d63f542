//===- TraceDeclare.cpp - Declares the events of a class ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/TracedEvents.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_TraceDeclare
#include "jopt/Passes/Passes.inc"

bool TraceDeclarePass::begin(PassContext &C) const {
  if (!C.get<ClassAdvices>().hasTrace())
    return false;
  materializeBytecode(C, true);
  const auto &Events = C.analysis<TracedEvents>(C.classFile());
  if (!Events.Any)
    return false;
  ++NumClasses;
  NumMethods += Events.Declared.Methods.size();
  for (const trace::MethodDeclaration &M : Events.Declared.Methods)
    NumEvents += M.Events.size();
  if (auto *Sink = C.find<DeclarationSink>())
    Sink->Take(Events.Declared, Events.Text);
  for (const Method &M : C.classFile().Methods)
    if (auto It = Events.Methods.find(&M);
        It != Events.Methods.end() && !It->second.LeftOut.empty())
      C.report(M, ReportRow::problem(ReportRow::Undone, It->second.LeftOut));
  return false;
}

llvm::Expected<PreservedAnalyses> TraceDeclarePass::run(Body &,
                                                        PassContext &) const {
  return PreservedAnalyses::all();
}
