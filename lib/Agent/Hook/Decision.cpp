//===- Decision.cpp - What is to be done with a class ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/Decision.h"

using namespace jopt;
using namespace jopt::agent;

/// `loader=` and `source=`.
static bool acceptsOrigin(const AgentOptions &O, ClassFacts &Class) {
  if (!O.Loaders.empty() && !matchesAnyWildcard(O.Loaders, Class.loaderName()))
    return false;
  if (O.Sources.empty())
    return true;
  std::optional<std::string> Source = Class.source();
  return !Source || matchesAnyWildcard(O.Sources, *Source);
}

/// Probes can select something in the class.
static bool canMatch(const Matcher &M, ClassFacts &Class) {
  if (!M.canMatchClass(Class.name()))
    return false;
  std::optional<MatchClass> Known = Class.supers(M.needsHierarchy());
  return !Known || M.canMatchClass(*Known);
}

bool agent::mayHaveRegistered(const Session &S, ClassFacts &Class) {
  return S.registered() && canMatch(*S.registered(), Class);
}

Decision agent::decide(const Session &S, ClassFacts &Class) {
  if (S.isRegistry(Class.name()))
    return Decision::Watch;
  if (!S.filter().accepts(Class.name(), [&] { return Class.loaderKind(); }) ||
      !acceptsOrigin(S.options(), Class))
    return Decision::Filtered;
  if (canMatch(S.matcher(), Class))
    return Decision::Probe;
  if (S.covers())
    return Decision::Cover;
  if (S.tracing() && S.mayTrace(Class.pool()))
    return Decision::Trace;
  return Decision::Unmatched;
}
