//===- TypeAccess.cpp - Which types probes may name -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeAccess.h"
#include "DefineClasses.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Reader/ClassReader.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// What \p On.\p Method() returns; null if it throws.
static jobject ask(JNIEnv *Jni, jobject On, const char *Method,
                   const char *Signature) {
  jmethodID M = Jni->GetMethodID(Jni->GetObjectClass(On), Method, Signature);
  jobject Found = M ? Jni->CallObjectMethod(On, M) : nullptr;
  return takeException(Jni).empty() ? Found : nullptr;
}

/// By the flags of the class itself, as the JVM counts.
static bool isPublic(const Environment &Env, JNIEnv *Jni, jobject Loader,
                     const std::string &Name) {
  if (Loader) {
    auto Data = readResource(Jni, Loader, Name);
    auto Class = readClass(Data);
    if (Class)
      return (*Class)->Access & ACC_PUBLIC;
    llvm::consumeError(Class.takeError());
    return true; // Nobody can tell.
  }
  jclass Class = forName(Jni, Name, /*Initialize=*/false, nullptr);
  jint Flags = 0;
  // Of nested classes JVMTI gives what their source says: protected ones are
  // public for the JVM.
  return !Class ||
         Env.Jvmti->GetClassModifiers(Class, &Flags) != JVMTI_ERROR_NONE ||
         Flags & (ACC_PUBLIC | ACC_PROTECTED);
}

/// The named module with \p Package, internal, of \p Loader or one above it;
/// null: there is none.
static jobject findModule(const Environment &Env, JNIEnv *Jni, jobject Loader,
                          const std::string &Package) {
  if (!hasModules(Jni))
    return nullptr;
  while (true) {
    jobject Module = nullptr;
    if (Env.Jvmti->GetNamedModule(Loader, Package.c_str(), &Module) ==
            JVMTI_ERROR_NONE &&
        Module)
      return Module;
    if (!Loader)
      return nullptr;
    Loader = ask(Jni, Loader, "getParent", "()Ljava/lang/ClassLoader;");
  }
}

/// The name of the module that has \p Package and does not export it to unnamed
/// modules; empty if there is none.
static std::string findClosedModule(const Environment &Env, JNIEnv *Jni,
                                    jobject Loader, std::string Package) {
  jobject Module = findModule(Env, Jni, Loader, Package);
  jobject Unnamed =
      ask(Jni, Env.Known.system(), "getUnnamedModule", "()Ljava/lang/Module;");
  if (!Module || !Unnamed)
    return {};
  std::replace(Package.begin(), Package.end(), '/', '.');
  jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(Module), "isExported",
                                   "(Ljava/lang/String;Ljava/lang/Module;)Z");
  jstring Text = Jni->NewStringUTF(Package.c_str());
  if (!Ask || !Text)
    return {};
  const bool IsOpen = Jni->CallBooleanMethod(Module, Ask, Text, Unnamed);
  if (!takeException(Jni).empty() || IsOpen)
    return {};
  return toString(Jni, static_cast<jstring>(ask(Jni, Module, "getName",
                                                "()Ljava/lang/String;")));
}

std::string agent::whyNoAccess(const Environment &Env, JNIEnv *Jni,
                               jobject Loader, const std::string &Name) {
  LocalFrame Frame(Jni, 64);
  if (!isPublic(Env, Jni, Loader, Name))
    return "is not public";
  const size_t End = Name.rfind('/');
  if (End == std::string::npos)
    return {};
  std::string Module = findClosedModule(Env, Jni, Loader, Name.substr(0, End));
  return Module.empty()
             ? std::string()
             : "is in a package that module " + Module + " does not export";
}
