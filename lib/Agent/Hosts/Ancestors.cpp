//===- Ancestors.cpp - The ancestors of a class in a JVM ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/Ancestors.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Reader/ClassReader.h"
#include <utility>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Calls \p Use for each interface that \p Class itself names. JVMTI tells
/// those of linked classes only, so Class.getInterfaces is asked for others: a
/// class that was loaded and never used is not to be linked for nothing, which
/// may fail.
static void forEachInterface(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class,
                             llvm::function_ref<void(jclass)> Use) {
  jint Count = 0;
  JvmtiMemory<jclass> Interfaces(Jvmti);
  if (Jvmti->GetImplementedInterfaces(Class, &Count, &Interfaces) ==
      JVMTI_ERROR_NONE) {
    for (jint I = 0; I < Count; ++I) {
      Use(Interfaces.get()[I]);
      Jni->DeleteLocalRef(Interfaces.get()[I]);
    }
    return;
  }
  LocalFrame Frame(Jni, 16);
  jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(Class), "getInterfaces",
                                   "()[Ljava/lang/Class;");
  auto *Found = static_cast<jobjectArray>(
      Ask ? Jni->CallObjectMethod(Class, Ask) : nullptr);
  Jni->ExceptionClear();
  if (!Found)
    return;
  for (jsize I = 0, E = Jni->GetArrayLength(Found); I < E; ++I) {
    auto *One = static_cast<jclass>(Jni->GetObjectArrayElement(Found, I));
    Use(One);
    Jni->DeleteLocalRef(One);
  }
}

std::vector<std::string> agent::directInterfaces(jvmtiEnv *Jvmti, JNIEnv *Jni,
                                                 jclass Class) {
  std::vector<std::string> Names;
  forEachInterface(Jvmti, Jni, Class,
                   [&](jclass I) { Names.push_back(className(Jvmti, I)); });
  return Names;
}

std::string agent::superName(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class) {
  jclass Super = Jni->GetSuperclass(Class);
  std::string Name = Super ? className(Jvmti, Super) : "";
  Jni->DeleteLocalRef(Super);
  return Name;
}

static void add(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class,
                MemoryHierarchy &Into);

/// Adds what is above \p Class.
static void addAbove(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class,
                     MemoryHierarchy &Into) {
  if (jclass Super = Jni->GetSuperclass(Class)) {
    add(Jvmti, Jni, Super, Into);
    Jni->DeleteLocalRef(Super);
  }
  forEachInterface(Jvmti, Jni, Class,
                   [&](jclass I) { add(Jvmti, Jni, I, Into); });
}

/// Adds \p Class and what is above it.
static void add(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class,
                MemoryHierarchy &Into) {
  std::string Name = className(Jvmti, Class);
  if (Into.lookup(Name))
    return;
  std::string Super = superName(Jvmti, Jni, Class);
  std::vector<std::string> Names = directInterfaces(Jvmti, Jni, Class);
  llvm::SmallVector<StringRef> Interfaces(Names.begin(), Names.end());
  jint Flags = 0;
  Jvmti->GetClassModifiers(Class, &Flags);
  ClassInfo Info;
  Info.Name = Name;
  Info.Super = Super;
  Info.Interfaces = Interfaces;
  Info.Flags = uint16_t(Flags);
  Into.addAncestry(Info);
  addAbove(Jvmti, Jni, Class, Into);
}

std::unique_ptr<MemoryHierarchy> agent::ancestorsOf(jvmtiEnv *Jvmti,
                                                    JNIEnv *Jni, jclass Class) {
  auto Found = std::make_unique<MemoryHierarchy>();
  addAbove(Jvmti, Jni, Class, *Found);
  return Found;
}

namespace {
/// A class that this thread is about to define, while it lives.
class Coming {
public:
  /// A global reference, which is the loader's in calls further in too.
  Coming(JNIEnv *Jni, StringRef Name, jobject Loader)
      : Jni(Jni), Name(Name), Loader(Jni->NewGlobalRef(Loader)),
        Outer(std::exchange(Innermost, this)) {}
  ~Coming() {
    Innermost = Outer;
    Jni->DeleteGlobalRef(Loader);
  }
  Coming(const Coming &) = delete;
  Coming &operator=(const Coming &) = delete;

  static bool isAny(JNIEnv *Jni, StringRef Name, jobject Loader) {
    for (const Coming *C = Innermost; C; C = C->Outer)
      if (C->Name == Name && Jni->IsSameObject(C->Loader, Loader))
        return true;
    return false;
  }

private:
  static thread_local const Coming *Innermost;
  JNIEnv *Jni;
  StringRef Name;
  jobject Loader;
  const Coming *Outer;
};
} // namespace
thread_local const Coming *Coming::Innermost = nullptr;

std::unique_ptr<MemoryHierarchy>
agent::ancestorsOf(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader, Bytes Data) {
  auto Found = std::make_unique<MemoryHierarchy>();
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return Found;
  }
  ClassFile &F = **Class;
  if (Coming::isAny(Jni, F.name(), Loader))
    return Found;
  Coming Here(Jni, F.name(), Loader);
  llvm::SmallVector<StringRef> Names{F.superName()};
  for (uint16_t I : F.Interfaces)
    Names.push_back(F.Pool.className(I));
  for (StringRef Name : Names) {
    LocalFrame Frame(Jni, 16);
    // FindClass would ask the loader of whoever called last.
    if (jclass Above = Loader ? loadClass(Jni, Loader, Name)
                              : BootLibrary::find(Jni, Name))
      add(Jvmti, Jni, Above, *Found);
  }
  return Found;
}
