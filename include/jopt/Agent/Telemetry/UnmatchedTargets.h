//===- UnmatchedTargets.h - Targets that no loaded class matches *- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Targets of probes that matched nothing in a JVM. The nearest miss is looked
/// for among the loaded classes, whose names, interfaces and methods the JVM
/// gives; nothing is kept of classes for that while they are loaded.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_UNMATCHEDTARGETS_H
#define JOPT_AGENT_TELEMETRY_UNMATCHEDTARGETS_H

#include "jopt/Advice/Unmatched.h"
#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Lifetime/Environment.h"

namespace jopt::agent {

/// How many targets of \p S matched nothing so far.
unsigned countUnmatched(const Session &S);

/// There are probes, and none of them matched anything so far.
bool matchesNothing(const Session &S);

/// Why targets of \p S matched nothing so far. Walks over all loaded classes if
/// there are some.
UnmatchedReasons explainUnmatched(Environment &Env, JNIEnv *Jni,
                                  const Session &S);

/// Says in the log, once, which probes and targets of \p S matched nothing so
/// far, and why, as explainUnmatched() finds it. Classes of which \p IsLeft
/// says that they are left for later were named before, and so are no news.
void tellUnmatched(Environment &Env, JNIEnv *Jni, const Session &S,
                   llvm::function_ref<bool(jclass)> IsLeft);

/// Says in the log, once, which parts of the ready probes in \p S are for
/// methods that this JDK does not have, but for those of later ones (SinceN at
/// the end of their names). Asks the platform loader for the class
/// files of those that matched nothing so far.
void tellMissingParts(Environment &Env, JNIEnv *Jni, const Session &S);

} // namespace jopt::agent

#endif
