//===- jopt-agent.cpp - What the JVM calls --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The three functions that JVMTI asks a library for, and nothing else: what
/// they do is lib/Agent.
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

/// The JVM calls it when it ends; what there is to do was done at VMDeath.
extern "C" JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *) {}
