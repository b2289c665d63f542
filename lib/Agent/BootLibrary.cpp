//===- BootLibrary.cpp - What is in jopt.boot -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/BootLibrary.h"
#include "DefineClasses.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// What runtime/boot is compiled to.
static const std::pair<const char *, std::vector<uint8_t>> BootClasses[] = {
#include "jopt/Agent/BootClasses.inc"
};
static constexpr StringRef LinkClass = "jopt/boot/Link";

Error BootLibrary::define(JNIEnv *Jni) {
  if (IsDefined)
    return Error::success();
  std::lock_guard<std::mutex> Guard(Lock);
  if (IsDefined)
    return Error::success();
  Parts All;
  for (const auto &[Name, Data] : BootClasses) {
    auto P = readPart(Name, Data);
    if (!P)
      return P.takeError();
    All.emplace(Name, std::move(*P));
  }
  LocalFrame Frame(Jni, 2 * jint(All.size()) + 16);
  for (const Part *P : sorted(All))
    if (!isOnBoot(Jni, P->Name) && !defineClass(Jni, P->Name, nullptr, P->Data))
      return makeError("the JVM refuses the class " + P->Name + ": " +
                       takeException(Jni));
  // Not when a class of the JDK first asks for them.
  for (const auto &[Name, P] : All) {
    std::string Thrown;
    if (!forName(Jni, Name, /*Initialize=*/true, nullptr, &Thrown))
      return makeError("the class " + Name +
                       " cannot be initialised: " + Thrown);
  }
  IsDefined = true;
  return Error::success();
}

jclass BootLibrary::find(JNIEnv *Jni, StringRef Name) {
  return forName(Jni, Name.str(), /*Initialize=*/true, nullptr);
}

bool BootLibrary::defineLink(JNIEnv *Jni, jobject Loader) {
  LocalFrame Frame(Jni, 16);
  if (loadClass(Jni, Loader, LinkClass))
    return true;
  for (const auto &[Name, Data] : BootClasses)
    if (Name == LinkClass)
      defineClass(Jni, Name, Loader, Data);
  // Another thread may have been first.
  Jni->ExceptionClear();
  return loadClass(Jni, Loader, LinkClass);
}

void BootLibrary::readLink(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader,
                           StringRef Name) {
  LocalFrame Frame(Jni, 16);
  jobject Module = nullptr;
  std::string Package = Name.substr(0, Name.rfind('/')).str();
  if (!Name.contains('/') ||
      Jvmti->GetNamedModule(Loader, Package.c_str(), &Module) !=
          JVMTI_ERROR_NONE ||
      !Module)
    return;
  jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(Loader),
                                   "getUnnamedModule", "()Ljava/lang/Module;");
  jobject Unnamed = Ask ? Jni->CallObjectMethod(Loader, Ask) : nullptr;
  Jni->ExceptionClear();
  if (Unnamed)
    Jvmti->AddModuleReads(Module, Unnamed);
}
