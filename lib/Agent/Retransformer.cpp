//===- Retransformer.cpp - Classes that are there already -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransformer.h"

using namespace jopt;
using namespace jopt::agent;

namespace {
/// A class that is found among the loaded ones, and what is asked about it.
struct FoundClass {
  FoundClass(const Environment &Env, JNIEnv *Jni, jclass Class)
      : Name(className(Env.Jvmti, Class)),
        Loaded{Jni, Class, nullptr, Name, nullptr, {}}, Facts(Env, Loaded) {
    // Without a name it is none that can be changed.
    IsKnown = !Name.empty() && Env.Jvmti->GetClassLoader(
                                   Class, &Loaded.Loader) == JVMTI_ERROR_NONE;
  }
  ~FoundClass() {
    if (Loaded.Loader)
      Loaded.Jni->DeleteLocalRef(Loaded.Loader);
  }
  FoundClass(const FoundClass &) = delete;
  FoundClass &operator=(const FoundClass &) = delete;

  const std::string Name;
  LoadedClass Loaded;
  LoadedClassFacts Facts;
  bool IsKnown = false;
};
} // namespace

/// The class is to go through the hook again: it has probes of before, or may
/// get some of \p New.
bool Retransformer::isMeant(JNIEnv *Jni, const Session *New,
                            jclass Class) const {
  FoundClass C(Env, Jni, Class);
  return C.IsKnown && (Memory.isChanged(C.Name) ||
                       (New && agent::isMeant(decide(*New, C.Facts))));
}

bool Retransformer::isModifiable(jclass Class) const {
  jboolean CanChange = false;
  return Env.Jvmti->IsModifiableClass(Class, &CanChange) == JVMTI_ERROR_NONE &&
         CanChange;
}

unsigned Retransformer::change(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch) {
  if (Batch.empty())
    return 0;
  jvmtiError E =
      Env.Jvmti->RetransformClasses(jint(Batch.size()), Batch.data());
  if (E == JVMTI_ERROR_NONE)
    return 0;
  // One that the JVM refuses keeps the others from it.
  if (Batch.size() > 1) {
    size_t Half = Batch.size() / 2;
    return change(Jni, Batch.take_front(Half)) +
           change(Jni, Batch.drop_front(Half));
  }
  takeException(Jni);
  Env.leave(className(Env.Jvmti, Batch[0]),
            "the JVM refuses to change it: " + errorName(Env.Jvmti, E));
  return 1;
}

/// The loaded classes that \p Is accepts, as global references. Local ones to
/// all loaded classes must be gone when any is changed: they count for whoever
/// looks at a class then.
std::vector<jclass>
Retransformer::collect(JNIEnv *Jni, llvm::function_ref<bool(jclass)> Is) const {
  std::vector<jclass> Found;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass C) {
    if (jobject Kept = Is(C) ? Jni->NewGlobalRef(C) : nullptr)
      Found.push_back(static_cast<jclass>(Kept));
  });
  return Found;
}

/// Changes them in batches, and deletes the references.
unsigned Retransformer::changeAll(JNIEnv *Jni, llvm::ArrayRef<jclass> Meant) {
  unsigned Refused = 0;
  while (!Meant.empty()) {
    auto Batch = Meant.take_front(BatchSize);
    Meant = Meant.drop_front(Batch.size());
    Refused += change(Jni, Batch);
    for (jclass C : Batch)
      Jni->DeleteGlobalRef(C);
  }
  return Refused;
}

/// One walk over the loaded classes; those that have the tag were seen.
unsigned Retransformer::pass(JNIEnv *Jni, const Session *New) {
  return changeAll(Jni, collect(Jni, [&](jclass C) {
                     jlong Seen = 0;
                     if (Env.Jvmti->GetTag(C, &Seen) != JVMTI_ERROR_NONE ||
                         Seen == Walks)
                       return false;
                     Env.Jvmti->SetTag(C, Walks);
                     return isMeant(Jni, New, C) && isModifiable(C);
                   }));
}

unsigned Retransformer::walk(JNIEnv *Jni, const Session *New) {
  ++Walks;
  unsigned Refused = pass(Jni, New);
  // Classes that were on their way when the probes changed.
  return Refused + pass(Jni, New);
}

void Retransformer::changeTraced(JNIEnv *Jni, const Session &S) {
  changeAll(Jni, collect(Jni, [&](jclass Class) {
              FoundClass C(Env, Jni, Class);
              return C.IsKnown && agent::isMeant(decide(S, C.Facts)) &&
                     S.mayTrace(C.Facts.pool()) && isModifiable(Class);
            }));
}
