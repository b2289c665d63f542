//===- empty-hook.cpp - The least an agent can do with classes ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For benchmarks/agent.py: a JVMTI agent that is handed every class and leaves
/// it as it is. What the JVM itself takes for that is the measure of ours. With
/// any option it may retransform classes, as ours may: the JVM then keeps the
/// part of its archive of classes that is else only read for writing.
///
//===----------------------------------------------------------------------===//

#include <jvmti.h>

static void JNICALL onClass(jvmtiEnv *, JNIEnv *, jclass, jobject, const char *,
                            jobject, jint, const unsigned char *, jint *,
                            unsigned char **) {}

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *VM, char *Options,
                                               void *) {
  jvmtiEnv *Jvmti = nullptr;
  if (VM->GetEnv(reinterpret_cast<void **>(&Jvmti), JVMTI_VERSION_9) != JNI_OK)
    return JNI_ERR;
  jvmtiCapabilities Wanted = {};
  Wanted.can_generate_all_class_hook_events = 1;
  Wanted.can_retransform_classes = Options && *Options;
  jvmtiEventCallbacks Callbacks = {};
  Callbacks.ClassFileLoadHook = onClass;
  if (Jvmti->AddCapabilities(&Wanted) ||
      Jvmti->SetEventCallbacks(&Callbacks, sizeof(Callbacks)) ||
      Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr))
    return JNI_ERR;
  return JNI_OK;
}
