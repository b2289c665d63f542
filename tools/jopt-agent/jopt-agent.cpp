//===- jopt-agent.cpp - What the JVM calls --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The three functions that JVMTI asks a library for, one for other copies of
/// it, and nothing else: what they do is lib/Agent.
///
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Agent.h"

using namespace jopt::agent;

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *VM, char *Options,
                                               void *) {
  return Agent::get().start(VM, Options) ? JNI_OK : JNI_ERR;
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *VM, char *Options,
                                                 void *) {
  return jint(Agent::get().attach(VM, Options));
}

/// Asked by other copies of the library (AtWorkName): probes of this one are
/// in.
extern "C" JNIEXPORT int jopt_agent_is_at_work() {
  return Agent::get().isAtWork();
}

/// The JVM calls it when it ends; what there is to do was done at VMDeath.
extern "C" JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *) {}
