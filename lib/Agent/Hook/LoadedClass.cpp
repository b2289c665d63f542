//===- LoadedClass.cpp - A class in the JVM -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/LoadedClass.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "jopt/Agent/Hosts/Ancestors.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

LoadedClassFacts::~LoadedClassFacts() {
  if (Loader && *Loader)
    C.Jni->DeleteLocalRef(*Loader);
}

/// The hook is given it; of loaded classes, which are many, few are asked.
jobject LoadedClassFacts::loader() {
  if (!C.Data.empty())
    return C.Loader;
  if (!Loader) {
    Loader = nullptr;
    Env.Jvmti->GetClassLoader(C.Class, &*Loader);
  }
  return *Loader;
}

std::string LoadedClassFacts::loaderName() {
  return agent::loaderName(Env.Jvmti, C.Jni, loader());
}

std::optional<std::string> LoadedClassFacts::source() {
  LocalFrame Frame(C.Jni, 8);
  jobject Domain = C.Domain;
  // A security manager may refuse to say.
  if (C.Data.empty()) {
    jmethodID Ask = C.Jni->GetMethodID(C.Jni->GetObjectClass(C.Class),
                                       "getProtectionDomain",
                                       "()Ljava/security/ProtectionDomain;");
    Domain = Ask ? C.Jni->CallObjectMethod(C.Class, Ask) : nullptr;
    if (!takeException(C.Jni).empty())
      return std::nullopt;
  }
  return codeSource(C.Jni, Domain);
}

Bytes LoadedClassFacts::pool() {
  if (!C.Data.empty())
    return C.Data;
  jint Count = 0, Size = 0;
  if (!Pool.get() && Env.Jvmti->GetConstantPool(C.Class, &Count, &Size,
                                                &Pool) == JVMTI_ERROR_NONE)
    PoolSize = size_t(Size);
  return Bytes(Pool.get(), PoolSize);
}

std::optional<MatchClass> LoadedClassFacts::supers(bool Hierarchy) {
  if (!C.Class)
    return std::nullopt;
  // Class.getInterfaces may be what tells.
  HookScope JavaRuns(InHook::No);
  InterfaceNames = directInterfaces(Env.Jvmti, C.Jni, C.Class);
  Interfaces.assign(InterfaceNames.begin(), InterfaceNames.end());
  MatchClass Found{C.Name, Interfaces};
  if (!Hierarchy)
    return Found;
  Super = superName(Env.Jvmti, C.Jni, C.Class);
  Ancestry = ancestorsOf(Env.Jvmti, C.Jni, C.Class);
  Found.Super = Super;
  Found.Ancestry = Ancestry.get();
  return Found;
}
