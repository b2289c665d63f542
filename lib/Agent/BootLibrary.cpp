//===- BootLibrary.cpp - What is in jopt.boot -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/BootLibrary.h"
#include "DefineClasses.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/ProbeOptions.h"
#include "jopt/Support/Files.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// What runtime/boot is compiled to.
static const std::pair<const char *, std::vector<uint8_t>> BootClasses[] = {
#include "jopt/Agent/BootClasses.inc"
};
static constexpr StringRef LinkClass = "jopt/boot/Link";

/// Defines those of \p All that are not there.
static Error defineOnBoot(JNIEnv *Jni, const Parts &All) {
  LocalFrame Frame(Jni, 2 * jint(All.size()) + 16);
  for (const Part *P : sorted(All))
    if (!isOnBoot(Jni, P->Name) && !defineClass(Jni, P->Name, nullptr, P->Data))
      return makeError("the JVM refuses the class " + P->Name + ": " +
                       takeException(Jni));
  return Error::success();
}

Error BootLibrary::defineProbeApi(JNIEnv *Jni) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (HasProbeApi)
    return Error::success();
  std::string Jar = findInstalled(ProbeApiJar);
  if (Jar.empty())
    return makeError("there is no " + ProbeApiJar +
                     " beside the agent, which probe classes need");
  auto Classes = readBundleArchive(Jar);
  if (!Classes)
    return Classes.takeError();
  Parts All;
  for (const auto &[Path, Data] : *Classes) {
    if (StringRef(Path).starts_with("META-INF/") || Path == "module-info.class")
      continue;
    auto P = readPart(Path, Data);
    if (!P)
      return P.takeError();
    All.emplace(P->Name, std::move(*P));
  }
  if (Error E = defineOnBoot(Jni, All))
    return E;
  HasProbeApi = true;
  return Error::success();
}

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
  if (Error E = defineOnBoot(Jni, All))
    return E;
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
