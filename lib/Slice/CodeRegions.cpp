//===- CodeRegions.cpp - How far branches decide --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRegions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

using namespace jopt;
using namespace jopt::slice;

CodeRegions::CodeRegions(const CodeView &Code) {
  CodeLeaders Leaders;
  Leaders.scan(Code.Code, Code.Handlers);
  // Without edges all that such code decides ends with the activation.
  llvm::consumeError(Graph.build(Leaders, HandlerEdges::FromThrows));
  Tree.recalculate(Graph);
}

CodeBlock *CodeRegions::postDominator(CodeBlock &B) const {
  const auto *N = Tree.getNode(&B);
  return N && N->getIDom() ? N->getIDom()->getBlock() : nullptr;
}

uint32_t CodeRegions::endOf(uint32_t BCI) {
  return startOf(postDominator(Graph.at(BCI)));
}

uint32_t CodeRegions::endOf(uint32_t BCI, uint32_t Handler) {
  CodeBlock &From = Graph.at(BCI), &To = Graph.at(Handler);
  if (From.last() == BCI && llvm::is_contained(From.handlers(), &To))
    return startOf(postDominator(To)); // there is no other way
  CodeBlock *Normal = postDominator(From);
  if (!Normal)
    return Method;
  CodeBlock *Both = Tree.findNearestCommonDominator(Normal, &To);
  return startOf(Both == &To ? postDominator(To) : Both);
}

bool CodeRegions::leadsTo(uint32_t BCI, uint32_t End) {
  return End == Method || Tree.dominates(&Graph.at(End), &Graph.at(BCI));
}
