//===- VirtualThreads.cpp - Threads that JVMTI does not list --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/VirtualThreads.h"
#include "../Hosts/DefineClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;

/// Of all that a walk found, as JVMTI gives objects back by their tags alone.
static constexpr jlong Found = -1;
/// Of the class; that of a class and of its objects are different things.
static constexpr jlong IsVirtual = -1;

namespace {
struct HeapWalk {
  VirtualThreads::Clock::time_point End;
  unsigned Objects = 0;
  bool Complete = true;
};
} // namespace

/// Whether there may be a virtual thread: the class was initialised.
bool VirtualThreads::areThere(jvmtiEnv *Jvmti, JNIEnv *Jni) {
  if (Missing)
    return false;
  if (!Class) {
    LocalFrame Frame(Jni, 8);
    jclass C = findOnBoot(Jni, "java/lang/VirtualThread");
    Class = C ? static_cast<jclass>(Jni->NewGlobalRef(C)) : nullptr;
    Missing = !Class;
  }
  jint Status = 0;
  return Class && Jvmti->GetClassStatus(Class, &Status) == JVMTI_ERROR_NONE &&
         (Status & JVMTI_CLASS_STATUS_INITIALIZED);
}

/// Leaves out those of \p Threads that are being made. The JVM can be asked
/// about one that has its continuation; into that of others JDK 25 looks all
/// the same.
void VirtualThreads::dropUnmade(JNIEnv *Jni, std::vector<jthread> &Threads) {
  // Not before the class was initialised: this would do it.
  if (!Continuation)
    Continuation =
        Jni->GetFieldID(Class, "cont", "Ljdk/internal/vm/Continuation;");
  Jni->ExceptionClear();
  if (!Continuation)
    return;
  llvm::erase_if(Threads, [&](jthread T) {
    jobject Its = Jni->GetObjectField(T, Continuation);
    Jni->DeleteLocalRef(Its);
    return !Its;
  });
}

/// Visits one object of the heap. The walk visits all objects: if it visited
/// only virtual threads, it could not stop in time where there are none.
static jint JNICALL onObject(jlong ClassTag, jlong, jlong *Tag, jint,
                             void *Data) {
  auto &W = *static_cast<HeapWalk *>(Data);
  if (ClassTag == IsVirtual)
    *Tag = Found;
  if (++W.Objects % 4096 == 0 && VirtualThreads::Clock::now() >= W.End) {
    W.Complete = false;
    return JVMTI_VISIT_ABORT;
  }
  return 0;
}

std::vector<jthread> VirtualThreads::find(jvmtiEnv *Jvmti, JNIEnv *Jni,
                                          Clock::time_point End,
                                          bool &Complete) {
  if (!areThere(Jvmti, Jni))
    return {};
  HeapWalk W;
  W.End = End;
  jvmtiHeapCallbacks Callbacks = {};
  Callbacks.heap_iteration_callback = onObject;
  Jvmti->SetTag(Class, IsVirtual);
  Jvmti->IterateThroughHeap(0, nullptr, &Callbacks, &W);
  Jvmti->SetTag(Class, 0);
  jint Count = 0;
  JvmtiMemory<jobject> Objects(Jvmti);
  if (Jvmti->GetObjectsWithTags(1, &Found, &Count, &Objects, nullptr) !=
      JVMTI_ERROR_NONE)
    Count = 0;
  Complete &= W.Complete;
  // They are all there already; -Xcheck:jni wants to be told.
  if (Jni->EnsureLocalCapacity(Count + 64) != 0)
    Jni->ExceptionClear();
  std::vector<jthread> Threads(Objects.get(), Objects.get() + Count);
  // Tags cost time in each collection of garbage.
  for (jthread T : Threads)
    Jvmti->SetTag(T, 0);
  dropUnmade(Jni, Threads);
  return Threads;
}
