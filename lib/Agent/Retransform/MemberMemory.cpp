//===- MemberMemory.cpp - Classes that were changed so far ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/MemberMemory.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

uint64_t MemberMemory::hash(Bytes Data) { return llvm::xxh3_64bits(Data); }

/// The loaded class \p Class has not the number of members that its class file
/// \p Data has. The same file may have come for another loader when there were
/// no probes.
static bool hasOtherMembers(jvmtiEnv *Jvmti, jclass Class, Bytes Data) {
  jint Fields = 0, Methods = 0;
  JvmtiMemory<jfieldID> FieldList(Jvmti);
  JvmtiMemory<jmethodID> MethodList(Jvmti);
  auto Read = readClass(Data);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return true;
  }
  // Not linked: nobody can know.
  return Jvmti->GetClassFields(Class, &Fields, &FieldList) !=
             JVMTI_ERROR_NONE ||
         size_t(Fields) != (*Read)->Fields.size() ||
         Jvmti->GetClassMethods(Class, &Methods, &MethodList) !=
             JVMTI_ERROR_NONE ||
         size_t(Methods) != (*Read)->Methods.size();
}

LoadedWith MemberMemory::find(jvmtiEnv *Jvmti, const LoadedClass &C) const {
  LoadedWith Found;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto At = WithMembers.find({C.Name.str(), hash(C.Data)});
        At != WithMembers.end())
      Found = At->second;
  }
  if (Found.By && !hasOtherMembers(Jvmti, C.Class, C.Data))
    return {};
  return Found;
}

void MemberMemory::startOver() {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Turn;
}

void MemberMemory::addChanged(StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  Changed[Name] = Turn;
}

void MemberMemory::forgetChange(StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (auto At = Changed.find(Name); At != Changed.end())
    At->second = 0; // No turn is this one.
}

void MemberMemory::addMembers(StringRef Name, uint64_t Hash, LoadedWith With) {
  std::lock_guard<std::mutex> Guard(Lock);
  WithMembers[{Name.str(), Hash}] = std::move(With);
}

bool MemberMemory::isChanged(StringRef Name) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Changed.contains(Name);
}

bool MemberMemory::hasThoseAtWork(StringRef Name) const {
  std::lock_guard<std::mutex> Guard(Lock);
  const auto At = Changed.find(Name);
  return At != Changed.end() && At->second == Turn;
}

bool MemberMemory::isAnyChanged() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return !Changed.empty();
}

std::vector<std::string> MemberMemory::changedNames() const {
  std::vector<std::string> Names;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    for (const auto &Entry : Changed)
      if (Entry.second == Turn)
        Names.push_back(Entry.getKey().str());
  }
  llvm::sort(Names);
  return Names;
}

bool MemberMemory::forget(bool Everywhere) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!WithMembers.empty())
    return false;
  if (Everywhere)
    Changed.clear();
  return true;
}

void MemberMemory::noteComing(JNIEnv *Jni, bool Notes) {
  std::lock_guard<std::mutex> Guard(Lock);
  NotesComing = Notes;
  for (const auto &Of : Coming)
    for (jweak Loader : Of.second)
      if (Loader)
        Jni->DeleteWeakGlobalRef(Loader);
  Coming.clear();
}

void MemberMemory::addComing(JNIEnv *Jni, jobject Loader, StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!NotesComing)
    return;
  const jweak Of = Loader ? Jni->NewWeakGlobalRef(Loader) : nullptr;
  if (Of || !Loader)
    Coming[Name].push_back(Of);
  else
    Jni->ExceptionClear(); // It is changed once more then.
}

bool MemberMemory::hasCome(JNIEnv *Jni, jobject Loader, StringRef Name) const {
  std::lock_guard<std::mutex> Guard(Lock);
  const auto At = Coming.find(Name);
  return At != Coming.end() && llvm::any_of(At->second, [&](jweak Of) {
           return Loader ? Of && Jni->IsSameObject(Of, Loader) : !Of;
         });
}
