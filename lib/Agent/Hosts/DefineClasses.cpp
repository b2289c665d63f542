//===- DefineClasses.cpp - Giving classes to a JVM ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DefineClasses.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <set>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

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

jclass agent::defineClass(JNIEnv *Jni, StringRef Name, jobject Loader,
                          Bytes Data) {
  return Jni->DefineClass(Name.str().c_str(), Loader,
                          reinterpret_cast<const jbyte *>(Data.data()),
                          jsize(Data.size()));
}

/// Calls \p Use with the entries of the pool of \p F that are resolved when its
/// code runs. It skips entries that only other entries refer to, and those of
/// attributes that only describe classes, such as InnerClasses.
static void forEachUse(const ClassFile &F,
                       llvm::function_ref<void(unsigned)> Use) {
  for (const Method &M : F.Methods) {
    CodeView View;
    int At = M.codeAttribute(F.Pool);
    if (At < 0)
      continue;
    llvm::consumeError(parseCode(F, M.Attributes[At].Data, View));
    for (const CodeView::Handler &H : View.Handlers)
      Use(H.CatchType);
    DecodedInst I;
    for (uint32_t BCI = 0; decodeInst(View.Code, BCI, I); BCI = I.end())
      if (I.info().mayName(CPTag::Class))
        Use(I.Index);
  }
  for (const Attribute &A : F.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != "BootstrapMethods")
      continue;
    visitAttribute(
        *findAttributeInfo("BootstrapMethods", InClass), A.Data, F.Pool,
        [&](AttributeField E) { Use(readU2(A.Data.data() + E.Offset)); });
  }
}

/// All classes that code of \p F may need.
static llvm::StringSet<> usedNames(const ClassFile &F) {
  llvm::StringSet<> Names;
  auto AddClass = [&](unsigned Index) {
    if (StringRef Name = F.Pool.className(Index); Name.starts_with("["))
      addClasses(Name, Names);
    else if (!Name.empty())
      Names.insert(Name);
  };
  for (unsigned I = 1; I < F.Pool.size(); ++I) {
    if (F.Pool.has(I, CPTag::NameAndType))
      addClasses(F.Pool.utf8(F.Pool[I].B), Names);
    if (F.Pool.has(I, CPTag::MethodType))
      addClasses(F.Pool.utf8(F.Pool[I].A), Names);
    if (getPoolTagInfo(F.Pool[I].Tag).A & tagBit(CPTag::Class))
      AddClass(F.Pool[I].A);
  }
  forEachUse(F, AddClass);
  for (const Field &M : F.Fields)
    addClasses(F.descriptor(M), Names);
  for (const Method &M : F.Methods)
    addClasses(F.descriptor(M), Names);
  return Names;
}

/// A hash of the class \p F, which is \p Data, without its line numbers: probes
/// that were moved in their file are the same probes.
static uint64_t hashOf(const ClassFile &F, Bytes Data) {
  llvm::SmallVector<uint8_t, 0> Copy(Data.begin(), Data.end());
  for (const Method &M : F.Methods) {
    int At = M.codeAttribute(F.Pool);
    CodeView View;
    if (At < 0)
      continue;
    llvm::consumeError(parseCode(F, M.Attributes[At].Data, View));
    for (const Attribute &A : View.Attributes)
      if (F.Pool.utf8(A.NameIndex) == "LineNumberTable")
        std::fill_n(Copy.begin() + (A.Data.data() - Data.data()), A.Data.size(),
                    0);
  }
  return llvm::xxh3_64bits(Copy);
}

llvm::Expected<Part> agent::readPart(StringRef Path, Bytes Data) {
  auto Class = readClass(Data);
  if (!Class)
    return inFile(Class.takeError(), Path);
  const ClassFile &F = **Class;
  Part P{F.name().str(),  Data, {F.superName().str()}, usedNames(F),
         hashOf(F, Data), {}};
  for (const Method &M : F.Methods)
    if (!isStatic(F, M))
      P.Methods.push_back((F.name(M) + F.descriptor(M)).str());
  for (uint16_t I : F.Interfaces)
    P.Supers.push_back(F.Pool.className(I).str());
  for (const std::string &S : P.Supers)
    P.Names.insert(S);
  return P;
}

jclass agent::forName(JNIEnv *Jni, const std::string &Name, bool Initialize,
                      jobject Loader, std::string *Thrown) {
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
  // Callers look for many.
  Jni->DeleteLocalRef(Text);
  Jni->DeleteLocalRef(Class);
  return static_cast<jclass>(Found);
}

jclass agent::findOnBoot(JNIEnv *Jni, const std::string &Name) {
  jclass Class = Jni->FindClass("java/lang/ClassLoader");
  jmethodID Ask =
      Class ? Jni->GetStaticMethodID(Class, "findBootstrapClassOrNull",
                                     "(Ljava/lang/String;)Ljava/lang/Class;")
            : nullptr;
  Jni->ExceptionClear();
  if (!Ask) {
    Jni->DeleteLocalRef(Class);
    return forName(Jni, Name, /*Initialize=*/false, nullptr);
  }
  std::string Dotted = Name;
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  jstring Text = Jni->NewStringUTF(Dotted.c_str());
  jobject Found =
      Text ? Jni->CallStaticObjectMethod(Class, Ask, Text) : nullptr;
  Jni->ExceptionClear();
  Jni->DeleteLocalRef(Text);
  Jni->DeleteLocalRef(Class);
  return static_cast<jclass>(Found);
}

bool agent::isOnBoot(JNIEnv *Jni, const std::string &Name) {
  LocalFrame Frame(Jni, 8);
  return findOnBoot(Jni, Name) != nullptr;
}

bool agent::finds(JNIEnv *Jni, jobject Loader, const std::string &Name) {
  LocalFrame Frame(Jni, 8);
  jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(Loader), "getResource",
                                   "(Ljava/lang/String;)Ljava/net/URL;");
  jstring Path = Ask ? Jni->NewStringUTF((Name + ".class").c_str()) : nullptr;
  jobject Found = Path ? Jni->CallObjectMethod(Loader, Ask, Path) : nullptr;
  if (!takeException(Jni).empty())
    Found = nullptr;
  return Found || loadClass(Jni, Loader, Name);
}

std::vector<std::string> agent::outsideNames(const Parts &All) {
  std::set<std::string> Names;
  for (const auto &[Name, P] : All)
    for (const auto &Entry : P.Names)
      if (!All.count(Entry.getKey().str()))
        Names.insert(Entry.getKey().str());
  return {Names.begin(), Names.end()};
}

std::vector<const Part *> agent::sorted(const Parts &All) {
  std::vector<const Part *> Order;
  llvm::StringSet<> Done;
  // As deep as the inheritance among the probes' own classes; a circle ends as
  // names are marked first, and the JVM refuses it.
  auto Visit = [&](auto &Self, const Part &P) -> void {
    if (!Done.insert(P.Name).second)
      return;
    for (const std::string &S : P.Supers)
      if (auto At = All.find(S); At != All.end())
        Self(Self, At->second);
    Order.push_back(&P);
  };
  for (const auto &[Name, P] : All)
    Visit(Visit, P);
  return Order;
}

std::vector<Parts> agent::divide(const Parts &All) {
  llvm::EquivalenceClasses<StringRef> Groups;
  std::map<StringRef, StringRef> FirstIn; // by package
  for (const auto &[Name, P] : All) {
    Groups.insert(Name);
    StringRef Package = StringRef(Name).rsplit('/').first;
    Groups.unionSets(Name, FirstIn.try_emplace(Package, Name).first->second);
    for (const auto &Entry : P.Names)
      if (auto At = All.find(Entry.getKey().str()); At != All.end())
        Groups.unionSets(Name, At->first);
  }
  std::vector<Parts> Divided;
  std::map<StringRef, size_t> Numbers; // by what a group is known by
  for (const auto &[Name, P] : All) {
    auto [At, IsNew] =
        Numbers.try_emplace(Groups.getLeaderValue(Name), Divided.size());
    if (IsNew)
      Divided.emplace_back();
    Divided[At->second].emplace(Name, P);
  }
  return Divided;
}
