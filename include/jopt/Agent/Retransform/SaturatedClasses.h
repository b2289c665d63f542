//===- SaturatedClasses.h - Covered classes without probes ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_SATURATEDCLASSES_H
#define JOPT_AGENT_RETRANSFORM_SATURATEDCLASSES_H

#include "jopt/Agent/Retransform/Retransformer.h"
#include "llvm/ADT/BitVector.h"

namespace jopt::agent {

/// Whether \p Class is a covered class all of whose probes were reached: it
/// tells nothing more, and gets none. Any thread; asks jopt.boot.coverage.
bool isSaturated(JNIEnv *Jni, jclass Class);

/// The elements that the code of the covered class \p Class, with probes by
/// \p Strategy, need not store any more; empty: it stores all. \p File: its
/// class file. Any thread; asks jopt.boot.coverage.
llvm::BitVector findKnown(JNIEnv *Jni, jclass Class,
                          const std::string &Strategy, Bytes File);

/// The time until the first look at them.
constexpr std::chrono::milliseconds FirstLookAtSaturated{5000};

/// Has \p Classes remove the probes from more saturated classes, and from other
/// classes those probes that store known elements again; some classes at a
/// time, and those with activations in loops later. Returns when to look again,
/// given that the last look was \p Since ago. For one thread at a time.
std::chrono::milliseconds removeSaturated(Environment &Env, JNIEnv *Jni,
                                          Retransformer &Classes,
                                          std::chrono::milliseconds Since);

} // namespace jopt::agent

#endif
