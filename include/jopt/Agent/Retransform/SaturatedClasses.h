//===- SaturatedClasses.h - Covered classes without probes ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_SATURATEDCLASSES_H
#define JOPT_AGENT_SATURATEDCLASSES_H

#include "jopt/Agent/Retransform/Retransformer.h"
#include "llvm/ADT/BitVector.h"

namespace jopt::agent {

/// Whether \p Class is a covered class all of whose probes were reached: it
/// tells nothing more, and gets none. Any thread; asks jopt.boot.coverage.
bool isSaturated(JNIEnv *Jni, jclass Class);

/// What the code of the covered class \p Class, with probes by \p Strategy,
/// need not store any more, by element; empty: it stores all. \p File: its
/// class file. Any thread; asks jopt.boot.coverage.
llvm::BitVector findKnown(JNIEnv *Jni, jclass Class,
                          const std::string &Strategy, Bytes File);

/// The time until the first look at them.
constexpr std::chrono::milliseconds FirstLookAtSaturated{5000};

/// Has \p Classes take the probes out of more of them, and out of others whose
/// code goes on storing what is known those that do, some classes at a time; of
/// those with activations in loops later. When to look again, the last time
/// that being \p Since ago. For one thread at a time.
std::chrono::milliseconds removeSaturated(Environment &Env, JNIEnv *Jni,
                                          Retransformer &Classes,
                                          std::chrono::milliseconds Since);

} // namespace jopt::agent

#endif
