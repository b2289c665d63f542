//===- CallTree.cpp - Calls by the calls that they are in -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallTree.h"
#include "CallSpans.h"
#include "jopt/Data/TraceFilter.h"

using namespace jopt;
using namespace jopt::data;

void CallTree::count(const TracedEvent &E) {
  Thread &Of = Threads[E.Thread->Number];
  if (Of.Node == 0)
    Of.Node = child(0, {~0u, E.Thread->Number}, displayName(*E.Thread));
  Of.Stack.cut(E.Level);
  if (E.IsEnter && Of.Stack.has(E.Level))
    Of.Stack.pop();
  if (!Of.Stack.has(E.Level)) {
    uint32_t Above = Of.Node;
    if (Of.Stack.has(E.Level - 1))
      Above = Of.Stack.at(E.Level - 1);
    else if (Of.Stack.hasUnknown())
      Above = child(Above, {~0u, 0}, CallSpans::Unknown.str());
    Of.Stack.push(child(Above, {E.Of->Class, E.Of->MethodNumber},
                        displayName(*E.Class, E.Of->MethodNumber)));
  }
  if (Of.Last)
    Nodes[Of.Last].Milliseconds += E.Milliseconds - Of.Milliseconds;
  Of.Last = Of.Stack.at(E.Level);
  Of.Milliseconds = E.Milliseconds;
  ++Nodes[Of.Last].Events;
}

uint32_t CallTree::child(uint32_t Above, Method M, const std::string &Name) {
  auto [I, IsNew] = Children.try_emplace({Above, M}, Nodes.size());
  if (IsNew)
    Nodes.push_back({Above, Name});
  return I->second;
}

llvm::Expected<CallTree> CallTree::read(const Traces &T, LeftOut Tell) {
  CallTree Tree;
  if (llvm::Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
        Tree.count(E);
        return true;
      }))
    return E;
  return Tree;
}
