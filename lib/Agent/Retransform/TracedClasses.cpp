//===- TracedClasses.cpp - Which classes somebody monitors ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/TracedClasses.h"
#include "jopt/IR/Model/ClassFile.h"
#include "jopt/TF/ClassData.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

llvm::Error TracedClasses::connect(JavaVM *VM) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Jvmti)
    return llvm::Error::success();
  jvmtiEnv *New = nullptr;
  if (getInterface(VM, New) != JNI_OK)
    return makeError("the JVM gives no more environments");
  jvmtiCapabilities Wanted = {};
  Wanted.can_tag_objects = 1;
  if (jvmtiError E = New->AddCapabilities(&Wanted)) {
    llvm::Error Failed = jvmtiFailed(New, E, "let classes be tagged");
    New->DisposeEnvironment();
    return Failed;
  }
  Jvmti = New;
  return llvm::Error::success();
}

/// Calls \p Use for each field of \p Class, which is linked, until it returns
/// true.
static void
forEachField(jvmtiEnv *Jvmti, jclass Class,
             llvm::function_ref<bool(jfieldID, bool IsStatic, StringRef Name,
                                     StringRef Signature)>
                 Use) {
  jint Count = 0;
  JvmtiMemory<jfieldID> Fields(Jvmti);
  if (Jvmti->GetClassFields(Class, &Count, &Fields) != JVMTI_ERROR_NONE)
    return;
  for (jint I = 0; I < Count; ++I) {
    jfieldID Field = Fields.get()[I];
    JvmtiMemory<char> Name(Jvmti), Signature(Jvmti);
    jint Flags = 0;
    if (Jvmti->GetFieldName(Class, Field, &Name, &Signature, nullptr) !=
            JVMTI_ERROR_NONE ||
        Jvmti->GetFieldModifiers(Class, Field, &Flags) != JVMTI_ERROR_NONE)
      continue;
    if (Use(Field, Flags & ACC_STATIC, Name.get(), Signature.get()))
      return;
  }
}

static bool contains(JNIEnv *Jni, llvm::ArrayRef<jweak> Classes, jclass C) {
  return llvm::any_of(Classes,
                      [&](jweak W) { return Jni->IsSameObject(W, C); });
}

/// False if \p C was there. Drops classes that are no more.
static bool insert(JNIEnv *Jni, std::vector<jweak> &Classes, jclass C) {
  if (contains(Jni, Classes, C))
    return false;
  llvm::erase_if(Classes, [&](jweak W) {
    bool Gone = Jni->IsSameObject(W, nullptr);
    if (Gone)
      Jni->DeleteWeakGlobalRef(W);
    return Gone;
  });
  if (jweak W = Jni->NewWeakGlobalRef(C))
    Classes.push_back(W);
  Jni->ExceptionClear();
  return true;
}

TracedClasses::Entry *TracedClasses::find(jclass Class) const {
  jlong Tag = 0;
  if (!Jvmti || Jvmti->GetTag(Class, &Tag) != JVMTI_ERROR_NONE)
    return nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a tag is a number for JVMTI.
  return reinterpret_cast<Entry *>(Tag);
}

void TracedClasses::restart() {
  std::lock_guard<std::mutex> Guard(Lock);
  All = false;
  Names.clear();
  Monitored.clear();
  for (const std::unique_ptr<Entry> &E : Entries)
    E->Annotations.clear();
}

bool TracedClasses::comes(StringRef Name, llvm::SmallBitVector Annotations) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto [At, IsNew] = Names.try_emplace(Name);
  if (IsNew) {
    At->second.Traced = Monitored.anyCommon(Annotations);
    At->second.Annotations = std::move(Annotations);
  }
  return All || At->second.Traced;
}

void TracedClasses::stayed(StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  Names[Name].Traced = false;
}

bool TracedClasses::add(JNIEnv *Jni, jclass Class,
                        const tf::Packages &Library) {
  std::lock_guard<std::mutex> Guard(Lock);
  jint Status = 0;
  if (!Jvmti || find(Class) ||
      Jvmti->GetClassStatus(Class, &Status) != JVMTI_ERROR_NONE)
    return true;
  auto Came = Names.find(className(Jvmti, Class));
  if (!(Status & JVMTI_CLASS_STATUS_PREPARED)) {
    if (Came != Names.end())
      Came->second.Traced = false;
    return true;
  }
  auto New = std::make_unique<Entry>();
  if (Came != Names.end())
    static_cast<Coming &>(*New) = Came->second;
  const std::string Type = "L" + Library.Holder + ";";
  const std::string First = tf::ClassData::holderField(0);
  forEachField(
      Jvmti, Class,
      [&](jfieldID Field, bool IsStatic, StringRef Name, StringRef Signature) {
        if (IsStatic && Signature == Type &&
            Name.starts_with(StringRef(First).drop_back()))
          New->Holders.push_back(Field);
        return false;
      });
  if (New->Holders.empty())
    return false;
  New->Class = Jni->NewWeakGlobalRef(Class);
  Jni->ExceptionClear();
  if (!New->Class)
    return true;
  if (Jvmti->SetTag(Class, reinterpret_cast<jlong>(New.get())) ==
      JVMTI_ERROR_NONE)
    Entries.push_back(std::move(New));
  else
    Jni->DeleteWeakGlobalRef(New->Class);
  return true;
}

void TracedClasses::addIdle(JNIEnv *Jni, jobject Monitor) {
  std::lock_guard<std::mutex> Guard(Lock);
  jclass Class = Jni->GetObjectClass(Monitor);
  insert(Jni, Idle, Class);
  Jni->DeleteLocalRef(Class);
}

bool TracedClasses::isTraced(jclass Class) const {
  if (All)
    return true;
  std::lock_guard<std::mutex> Guard(Lock);
  Entry *E = find(Class);
  return E && E->Traced;
}

/// Some holder of \p Class has a monitor that does something, or it cannot be
/// known.
bool TracedClasses::hasMonitor(JNIEnv *Jni, Entry &E, jclass Class) {
  LocalFrame Frame(Jni, jint(3 * E.Holders.size()) + 8);
  for (jfieldID Field : E.Holders) {
    jobject Holder = Jni->GetStaticObjectField(Class, Field);
    if (!Holder)
      continue; // not registered yet
    if (!E.Content)
      forEachField(
          Jvmti, Jni->GetObjectClass(Holder),
          [&](jfieldID F, bool IsStatic, StringRef, StringRef Signature) {
            if (!IsStatic && Signature == "Ljava/lang/Object;")
              E.Content = F;
            return E.Content != nullptr;
          });
    if (!E.Content)
      return true;
    jobject Monitor = Jni->GetObjectField(Holder, E.Content);
    if (!Monitor)
      continue;
    jclass Kind = Jni->GetObjectClass(Monitor);
    if (!contains(Jni, Idle, Kind))
      return true;
  }
  return false;
}

std::vector<TracedClasses::Change> TracedClasses::decide(JNIEnv *Jni,
                                                         jclass Only) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<Change> Changes;
  // True if the class is no more.
  auto Look = [&](Entry &E) {
    auto *Class = static_cast<jclass>(Jni->NewLocalRef(E.Class));
    if (!Class)
      return true;
    bool Wanted = All || hasMonitor(Jni, E, Class);
    if (Monitored.size() < E.Annotations.size())
      Monitored.resize(E.Annotations.size());
    if (Wanted)
      Monitored |= E.Annotations;
    else if (Only)
      Monitored.reset(E.Annotations);
    if (Wanted != E.Traced || E.Changing)
      if (jobject Kept = Jni->NewGlobalRef(Class)) {
        E.Traced = Wanted;
        ++E.Changing;
        Changes.push_back({static_cast<jclass>(Kept), &E});
      }
    Jni->DeleteLocalRef(Class);
    return false;
  };
  if (Only) {
    if (Entry *E = find(Only))
      Look(*E);
    return Changes;
  }
  Monitored.reset();
  llvm::erase_if(Entries, [&](std::unique_ptr<Entry> &E) {
    bool Gone = Look(*E);
    if (Gone)
      Jni->DeleteWeakGlobalRef(E->Class);
    return Gone;
  });
  return Changes;
}

void TracedClasses::done(llvm::ArrayRef<Change> Changes) {
  std::lock_guard<std::mutex> Guard(Lock);
  // Their classes are held, so the entries are there.
  for (const Change &C : Changes)
    --static_cast<Entry *>(C.Entry)->Changing;
}

bool TracedClasses::addRegistry(JNIEnv *Jni, jclass Registry) {
  std::lock_guard<std::mutex> Guard(Lock);
  return insert(Jni, Registries, Registry);
}

size_t TracedClasses::count(JNIEnv *Jni) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return size_t(llvm::count_if(Entries, [&](const std::unique_ptr<Entry> &E) {
    return E->Traced && !Jni->IsSameObject(E->Class, nullptr);
  }));
}
