//===- Retransform.cpp - Classes that are there already -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loaded classes are changed, and changed back, by asking the JVM to hand them
/// to the hook again, in batches: each is one stop of all threads.
///
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Agent.h"
#include "jopt/Agent/Ancestors.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Whether \p S may trace methods of a loaded class, by its constant pool.
bool Agent::mayTrace(const Session &S, jclass Class) const {
  if (S.options().Tracing.empty())
    return false;
  jint Count = 0, Size = 0;
  JvmtiMemory<unsigned char> Pool(Jvmti);
  return Jvmti->GetConstantPool(Class, &Count, &Size, &Pool) ==
             JVMTI_ERROR_NONE &&
         S.mayTrace(Bytes(Pool.get(), size_t(Size)));
}

bool Agent::canMatch(JNIEnv *Jni, const Matcher &M, StringRef Name,
                     jclass Class) const {
  if (!M.canMatchClass(Name))
    return false;
  std::vector<std::string> Names = directInterfaces(Jvmti, Jni, Class);
  llvm::SmallVector<StringRef> Interfaces(Names.begin(), Names.end());
  MatchClass C{Name, Interfaces};
  if (!M.needsHierarchy())
    return M.canMatchClass(C);
  std::string Super = superName(Jvmti, Jni, Class);
  std::unique_ptr<MemoryHierarchy> Ancestry = ancestorsOf(Jvmti, Jni, Class);
  C.Super = Super;
  C.Ancestry = Ancestry.get();
  return M.canMatchClass(C);
}

/// The class is to go through the hook again: it has probes of before, or may
/// get some of \p New.
bool Agent::isMeant(JNIEnv *Jni, const Session *New, jclass Class) {
  std::string Name = className(Jvmti, Class);
  if (Name.empty())
    return false;
  {
    std::lock_guard<std::mutex> Guard(ChangedLock);
    if (Changed.contains(Name))
      return true;
  }
  if (!New)
    return false;
  if (New->isRegistry(Name))
    return true;
  jobject Loader = nullptr;
  if (Jvmti->GetClassLoader(Class, &Loader) != JVMTI_ERROR_NONE)
    return false;
  bool Accepted = New->filter().accepts(Name, Known.kind(Jni, Loader));
  if (Loader)
    Jni->DeleteLocalRef(Loader);
  if (!Accepted)
    return false;
  if (mayTrace(*New, Class))
    return true;
  return canMatch(Jni, New->matcher(), Name, Class);
}

/// Those of \p Batch that the JVM refuses stay as they are; how many.
unsigned Agent::retransformBatch(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch) {
  if (Batch.empty())
    return 0;
  jvmtiError E = Jvmti->RetransformClasses(jint(Batch.size()), Batch.data());
  if (E == JVMTI_ERROR_NONE)
    return 0;
  // One that the JVM refuses keeps the others from it.
  if (Batch.size() > 1) {
    size_t Half = Batch.size() / 2;
    return retransformBatch(Jni, Batch.take_front(Half)) +
           retransformBatch(Jni, Batch.drop_front(Half));
  }
  takeException(Jni);
  ++Count.Failed;
  TheLog.once(LogLevel::Warning, className(Jvmti, Batch[0]) +
                                     ": left as it was: the JVM refuses to "
                                     "change it: " +
                                     errorName(Jvmti, E));
  return 1;
}

/// One walk over the loaded classes; those that have the tag were seen.
unsigned Agent::retransformPass(JNIEnv *Jni, const Session *New, jlong Tag) {
  jint Number = 0;
  JvmtiMemory<jclass> Classes(Jvmti);
  if (Jvmti->GetLoadedClasses(&Number, &Classes) != JVMTI_ERROR_NONE)
    return 0;
  unsigned Refused = 0;
  std::vector<jclass> Batch;
  auto Flush = [&] {
    Refused += retransformBatch(Jni, Batch);
    for (jclass C : Batch)
      Jni->DeleteLocalRef(C);
    Batch.clear();
  };
  for (jint I = 0; I < Number; ++I) {
    jclass C = Classes.get()[I];
    jlong Seen = 0;
    jboolean CanChange = false;
    bool Wanted = Jvmti->GetTag(C, &Seen) == JVMTI_ERROR_NONE && Seen != Tag;
    if (Wanted) {
      Jvmti->SetTag(C, Tag);
      Wanted = isMeant(Jni, New, C) &&
               Jvmti->IsModifiableClass(C, &CanChange) == JVMTI_ERROR_NONE &&
               CanChange;
    }
    if (!Wanted) {
      Jni->DeleteLocalRef(C);
      continue;
    }
    Batch.push_back(C);
    if (Batch.size() == BatchSize)
      Flush();
  }
  Flush();
  return Refused;
}

/// Takes all loaded classes from the probes of before to \p New, or to none.
/// How many could not be changed.
unsigned Agent::retransform(JNIEnv *Jni, const Session *New) {
  jlong Tag = ++Sessions;
  unsigned Refused = retransformPass(Jni, New, Tag);
  // Classes that were on their way when the probes changed.
  return Refused + retransformPass(Jni, New, Tag);
}
