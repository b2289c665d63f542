//===- ProbeClasses.cpp - Probe classes in the JVM ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/ProbeClasses.h"
#include "jopt/Agent/EmptyFragments.h"
#include "jopt/Probes/Probekit/JavaSource.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <map>

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

namespace {
/// A class of a bundle.
struct Part {
  std::string Name;
  Bytes Data;
  std::vector<std::string> Supers; ///< and interfaces
};
} // namespace

/// The classes in a descriptor.
static void addClasses(StringRef Descriptor, llvm::StringSet<> &Names) {
  while (!Descriptor.empty()) {
    if (Descriptor.consume_front("L")) {
      auto [Name, Rest] = Descriptor.split(';');
      Names.insert(Name);
      Descriptor = Rest;
    } else {
      Descriptor = Descriptor.drop_front();
    }
  }
}

/// What runtime/boot is compiled to.
static const std::pair<const char *, std::vector<uint8_t>> BootClasses[] = {
#include "jopt/Agent/BootClasses.inc"
};
static constexpr StringRef LinkClass = "jopt/boot/Link";

static jclass defineClass(JNIEnv *Jni, StringRef Name, jobject Loader,
                          Bytes Data) {
  return Jni->DefineClass(Name.str().c_str(), Loader,
                          reinterpret_cast<const jbyte *>(Data.data()),
                          jsize(Data.size()));
}

/// Reads the class \p Data; adds what it refers to to \p Names.
static llvm::Expected<Part> readPart(StringRef Path, Bytes Data,
                                     llvm::StringSet<> &Names) {
  auto Class = readClass(Data);
  if (!Class)
    return inFile(Class.takeError(), Path);
  const ClassFile &F = **Class;
  for (unsigned I = 1; I < F.Pool.size(); ++I) {
    if (StringRef Name = F.Pool.className(I); Name.starts_with("["))
      addClasses(Name, Names);
    else if (!Name.empty())
      Names.insert(Name);
    if (F.Pool.has(I, CPTag::NameAndType))
      addClasses(F.Pool.utf8(F.Pool[I].B), Names);
  }
  for (const Field &M : F.Fields)
    addClasses(F.descriptor(M), Names);
  for (const Method &M : F.Methods)
    addClasses(F.descriptor(M), Names);
  Part P{F.name().str(), Data, {F.superName().str()}};
  for (uint16_t I : F.Interfaces)
    P.Supers.push_back(F.Pool.className(I).str());
  return P;
}

/// Class.forName(\p Name, an internal one, \p Initialize, \p Loader), or null.
/// \p Thrown, if given, gets the exception.
static jclass forName(JNIEnv *Jni, const std::string &Name, bool Initialize,
                      jobject Loader, std::string *Thrown = nullptr) {
  jclass Class = Jni->FindClass("java/lang/Class");
  jmethodID ForName =
      Class
          ? Jni->GetStaticMethodID(
                Class, "forName",
                "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;")
          : nullptr;
  std::string Dotted = Name;
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  jstring Text = ForName ? Jni->NewStringUTF(Dotted.c_str()) : nullptr;
  jobject Found = Text ? Jni->CallStaticObjectMethod(
                             Class, ForName, Text, jboolean(Initialize), Loader)
                       : nullptr;
  if (Thrown)
    *Thrown = takeException(Jni);
  Jni->ExceptionClear();
  return static_cast<jclass>(Found);
}

/// Whether the boot loader has a class \p Name.
static bool isOnBoot(JNIEnv *Jni, const std::string &Name) {
  LocalFrame Frame(Jni, 8);
  return forName(Jni, Name, /*Initialize=*/false, nullptr) != nullptr;
}

/// \p Parts with superclasses first.
static std::vector<const Part *>
sorted(const std::map<std::string, Part> &Parts) {
  std::vector<const Part *> Order;
  llvm::StringSet<> Done;
  // As deep as the inheritance among the probes' own classes; a circle ends as
  // names are marked first, and the JVM refuses it.
  auto Visit = [&](auto &Self, const Part &P) -> void {
    if (!Done.insert(P.Name).second)
      return;
    for (const std::string &S : P.Supers)
      if (auto At = Parts.find(S); At != Parts.end())
        Self(Self, At->second);
    Order.push_back(&P);
  };
  for (const auto &[Name, P] : Parts)
    Visit(Visit, P);
  return Order;
}

Error ProbeClasses::define(jvmtiEnv *Jvmti, JNIEnv *Jni, const Loaders &Known,
                           const ProbeBundle &Bundle, ProbePlace Place,
                           bool Initialize, Log &TheLog) {
  std::map<std::string, Part> Parts;
  llvm::StringSet<> Names;
  for (const auto &[Path, Data] : Bundle.Classes) {
    auto P = readPart(Path, Data, Names);
    if (!P)
      return P.takeError();
    std::string Name = P->Name;
    Parts.emplace(std::move(Name), std::move(*P));
  }
  std::optional<bool> Before;
  bool All = true;
  for (const auto &[Name, P] : Parts) {
    auto At = Defined.find(Name);
    if (At == Defined.end()) {
      All = false;
      continue;
    }
    if (At->second.Hash != llvm::xxh3_64bits(P.Data))
      return makeError("the JVM has another class " + Name +
                       " of probes already, and keeps it; compile the probes "
                       "into another package (-probe-package)");
    Before = At->second.OnBoot;
  }

  bool Boot = Place != ProbePlace::System;
  if (Before && All) {
    Boot = *Before;
  } else if (Place == ProbePlace::Auto) {
    std::vector<std::string> Sorted;
    for (const auto &Entry : Names)
      if (!Parts.count(Entry.getKey().str()))
        Sorted.push_back(Entry.getKey().str());
    llvm::sort(Sorted);
    for (const std::string &Name : Sorted)
      if (!isOnBoot(Jni, Name)) {
        Boot = false;
        TheLog.info("probes refer to " + Name +
                    ", which the boot loader does not have: they go to the "
                    "system loader");
        break;
      }
  }
  OnBoot = Boot;

  jobject Loader = Boot ? nullptr : Known.system();
  jclass First = nullptr;
  LocalFrame Frame(Jni, jint(Parts.size()) + 16);
  for (const Part *P : sorted(Parts)) {
    if (Defined.count(P->Name))
      continue;
    jclass C = defineClass(Jni, P->Name, Loader, P->Data);
    std::string Thrown = takeException(Jni);
    if (!C)
      return makeError("the JVM refuses the class " + P->Name +
                       " of the probes: " + Thrown);
    Definition &D = Defined[P->Name];
    D.Hash = llvm::xxh3_64bits(P->Data);
    D.OnBoot = Boot;
    First = First ? First : C;
    auto Empty = emptyFragments(P->Data, Bundle.Advices);
    if (!Empty)
      return Empty.takeError();
    if (!Empty->empty()) {
      D.Class = static_cast<jclass>(Jni->NewGlobalRef(C));
      D.Full.assign(P->Data.begin(), P->Data.end());
      D.Empty = std::move(*Empty);
    }
  }
  // The guard against recursion must not be made while it is needed; where
  // classes of the JDK have probes, no initialiser of theirs may run wherever
  // the JDK happens to be.
  for (const auto &[Name, P] : Parts) {
    if (!Initialize &&
        !StringRef(Name).ends_with("/" + probekit::RuntimeClass.str()))
      continue;
    std::string Thrown;
    if (!forName(Jni, Name, /*Initialize=*/true, Loader, &Thrown))
      return makeError("the class " + Name +
                       " of the probes cannot be initialised: " + Thrown);
  }
  if (First && !Samples[Boot])
    Samples[Boot] = static_cast<jclass>(Jni->NewGlobalRef(First));
  auto IsNew = [&](StringRef Name) { return Parts.count(Name.str()) != 0; };
  if (Error E = redefine(Jvmti, /*Runs=*/true, IsNew))
    return E;
  return redefine(Jvmti, /*Runs=*/false,
                  [&](StringRef Name) { return !IsNew(Name); });
}

/// All at once: one stop of all threads.
Error ProbeClasses::redefine(jvmtiEnv *Jvmti, bool Runs,
                             llvm::function_ref<bool(StringRef)> Which) {
  std::vector<jvmtiClassDefinition> Definitions;
  std::vector<Definition *> Of;
  for (auto &Entry : Defined) {
    Definition &D = Entry.second;
    if (!D.Class || D.Runs == Runs || !Which(Entry.getKey()))
      continue;
    Bytes Data = Runs ? D.Full : D.Empty;
    Definitions.push_back({D.Class, jint(Data.size()), Data.data()});
    Of.push_back(&D);
  }
  if (Of.empty())
    return Error::success();
  if (jvmtiError E =
          Jvmti->RedefineClasses(jint(Definitions.size()), Definitions.data()))
    return jvmtiFailed(Jvmti, E,
                       Runs ? "let probes run that were disabled"
                            : "disable probes");
  for (Definition *D : Of)
    D->Runs = Runs;
  return Error::success();
}

Error ProbeClasses::disable(jvmtiEnv *Jvmti) {
  return redefine(Jvmti, /*Runs=*/false, [](StringRef) { return true; });
}

std::vector<std::string> ProbeClasses::names() const {
  std::vector<std::string> Names;
  for (const auto &Entry : Defined)
    Names.push_back(Entry.getKey().str());
  return Names;
}

Error ProbeClasses::defineBootClasses(JNIEnv *Jni) {
  if (HasBootClasses)
    return Error::success();
  // What this loads is of java.*, which no thread that waits here is loading.
  std::lock_guard<std::mutex> Guard(BootLock);
  if (HasBootClasses)
    return Error::success();
  std::map<std::string, Part> Parts;
  llvm::StringSet<> Names;
  for (const auto &[Name, Data] : BootClasses) {
    auto P = readPart(Name, Data, Names);
    if (!P)
      return P.takeError();
    Parts.emplace(Name, std::move(*P));
  }
  LocalFrame Frame(Jni, 2 * jint(Parts.size()) + 16);
  for (const Part *P : sorted(Parts))
    if (!isOnBoot(Jni, P->Name) && !defineClass(Jni, P->Name, nullptr, P->Data))
      return makeError("the JVM refuses the class " + P->Name + ": " +
                       takeException(Jni));
  // Not when a class of the JDK first asks for them.
  for (const auto &[Name, P] : Parts) {
    std::string Thrown;
    if (!forName(Jni, Name, /*Initialize=*/true, nullptr, &Thrown))
      return makeError("the class " + Name +
                       " cannot be initialised: " + Thrown);
  }
  HasBootClasses = true;
  return Error::success();
}

jclass ProbeClasses::findBootClass(JNIEnv *Jni, StringRef Name) {
  return forName(Jni, Name.str(), /*Initialize=*/true, nullptr);
}

bool ProbeClasses::defineLink(JNIEnv *Jni, jobject Loader) const {
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

void ProbeClasses::readLink(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader,
                            StringRef Name) const {
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
