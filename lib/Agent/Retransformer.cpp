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

/// One walk over the loaded classes; those that have the tag were seen.
unsigned Retransformer::pass(JNIEnv *Jni, const Session *New) {
  unsigned Refused = 0;
  std::vector<jclass> Batch;
  auto Flush = [&] {
    Refused += change(Jni, Batch);
    for (jclass C : Batch)
      Jni->DeleteLocalRef(C);
    Batch.clear();
  };
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass C) {
    jlong Seen = 0;
    if (Env.Jvmti->GetTag(C, &Seen) != JVMTI_ERROR_NONE || Seen == Walks)
      return false;
    Env.Jvmti->SetTag(C, Walks);
    if (!isMeant(Jni, New, C) || !isModifiable(C))
      return false;
    if (Batch.size() == BatchSize)
      Flush();
    Batch.push_back(C);
    return true;
  });
  Flush();
  return Refused;
}

unsigned Retransformer::walk(JNIEnv *Jni, const Session *New) {
  ++Walks;
  unsigned Refused = pass(Jni, New);
  // Classes that were on their way when the probes changed.
  return Refused + pass(Jni, New);
}

void Retransformer::changeTraced(JNIEnv *Jni, const Session &S) {
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass Class) {
    FoundClass C(Env, Jni, Class);
    if (C.IsKnown && agent::isMeant(decide(S, C.Facts)) &&
        S.mayTrace(C.Facts.pool()) && isModifiable(Class))
      change(Jni, Class);
    return false;
  });
}
