//===- FlightEvents.cpp - Changed classes in flight recordings ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/FlightEvents.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

static constexpr size_t MaxWaitingEvents = 10000;
/// Classes come in swarms, and waking the thread costs as much as weaving a
/// method or two: it takes all that came in this time.
static constexpr std::chrono::milliseconds RestTime(20);

static constexpr const char *ListOf = "java/util/List";
static constexpr const char *Annotation = "jdk/jfr/AnnotationElement";
static constexpr const char *FieldType = "jdk/jfr/ValueDescriptor";

/// Calls a static method, or the constructor `<init>`; null, with an exception
/// pending, where that fails or one is pending already.
template <typename... Args>
static jobject call(JNIEnv *Jni, const char *Class, const char *Method,
                    const char *Signature, Args... Arguments) {
  if (Jni->ExceptionCheck())
    return nullptr;
  jclass C = Jni->FindClass(Class);
  if (!C)
    return nullptr;
  bool Makes = StringRef(Method) == "<init>";
  jmethodID M = Makes ? Jni->GetMethodID(C, Method, Signature)
                      : Jni->GetStaticMethodID(C, Method, Signature);
  if (!M)
    return nullptr;
  jobject Result = Makes ? Jni->NewObject(C, M, Arguments...)
                         : Jni->CallStaticObjectMethod(C, M, Arguments...);
  return Jni->ExceptionCheck() ? nullptr : Result;
}

static jobject makeLong(JNIEnv *Jni, jlong V) {
  return call(Jni, "java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", V);
}

/// The class of a primitive type, of which \p Box has objects.
static jobject primitive(JNIEnv *Jni, const char *Box) {
  jclass C = Jni->FindClass(Box);
  jfieldID F =
      C ? Jni->GetStaticFieldID(C, "TYPE", "Ljava/lang/Class;") : nullptr;
  return F ? Jni->GetStaticObjectField(C, F) : nullptr;
}

/// A list of objects of \p Class.
static jobject list(JNIEnv *Jni, llvm::ArrayRef<jobject> Elements) {
  jclass Object =
      Jni->ExceptionCheck() ? nullptr : Jni->FindClass("java/lang/Object");
  jobjectArray Array =
      Object ? Jni->NewObjectArray(jsize(Elements.size()), Object, nullptr)
             : nullptr;
  for (size_t I = 0; Array && I < Elements.size(); ++I)
    Jni->SetObjectArrayElement(Array, jsize(I), Elements[I]);
  return Array ? call(Jni, ListOf, "of",
                      "([Ljava/lang/Object;)Ljava/util/List;", Array)
               : nullptr;
}

void FlightEvents::add(StringRef Class, size_t BytesBefore, size_t BytesAfter,
                       uint64_t Nanoseconds) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Waiting.size() >= MaxWaitingEvents)
    return;
  Waiting.push_back(
      {Class.str(), jint(BytesBefore), jint(BytesAfter), jlong(Nanoseconds)});
  if (Waiting.size() == 1)
    Later.schedule(this, RestTime, [this](JNIEnv *Jni) { commit(Jni); });
}

/// FlightRecorder.isInitialized(): somebody has started it.
bool FlightEvents::isRecording(JNIEnv *Jni) {
  if (Missing)
    return false;
  if (!Recorder) {
    jclass C = Jni->FindClass("jdk/jfr/FlightRecorder");
    Missing = !C;
    if (Missing)
      return false;
    Recorder = static_cast<jclass>(Jni->NewGlobalRef(C));
  }
  jmethodID Ask = Jni->GetStaticMethodID(Recorder, "isInitialized", "()Z");
  return Ask && Jni->CallStaticBooleanMethod(Recorder, Ask) &&
         !Jni->ExceptionCheck();
}

bool FlightEvents::makeFactory(JNIEnv *Jni) {
  if (Factory)
    return true;
  auto Annotated = [&](const char *Class, jobject With) {
    jclass C = Jni->ExceptionCheck() ? nullptr : Jni->FindClass(Class);
    return C ? call(Jni, Annotation, "<init>",
                    "(Ljava/lang/Class;Ljava/lang/Object;)V", C, With)
             : nullptr;
  };
  auto Field = [&](jobject Type, const char *Name) {
    return Type ? call(Jni, FieldType, "<init>",
                       "(Ljava/lang/Class;Ljava/lang/String;)V", Type,
                       Jni->NewStringUTF(Name))
                : nullptr;
  };
  jobject No = call(Jni, "java/lang/Boolean", "valueOf",
                    "(Z)Ljava/lang/Boolean;", jboolean(false));
  jobject Long = primitive(Jni, "java/lang/Long");
  jobject Annotations = list(
      Jni,
      {Annotated("jdk/jfr/Name", Jni->NewStringUTF("jopt.ClassChanged")),
       Annotated("jdk/jfr/Label", Jni->NewStringUTF("Class Changed by Probes")),
       Annotated("jdk/jfr/StackTrace", No)});
  jobject Fields =
      list(Jni, {Field(Jni->FindClass("java/lang/String"), "className"),
                 Field(Long, "bytesBefore"), Field(Long, "bytesAfter"),
                 Field(Long, "nanoseconds")});
  jobject New = call(Jni, "jdk/jfr/EventFactory", "create",
                     "(Ljava/util/List;Ljava/util/List;)Ljdk/jfr/EventFactory;",
                     Annotations, Fields);
  if (!takeException(Jni).empty() || !New) {
    Missing = true;
    return false;
  }
  Factory = Jni->NewGlobalRef(New);
  return true;
}

void FlightEvents::commit(JNIEnv *Jni) {
  std::vector<Record> Records;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Records.swap(Waiting);
  }
  LocalFrame Frame(Jni, 64);
  if (!isRecording(Jni) || !makeFactory(Jni))
    return Jni->ExceptionClear();
  for (const Record &R : Records)
    commit(Jni, R);
}

void FlightEvents::commit(JNIEnv *Jni, const Record &R) {
  LocalFrame Frame(Jni, 16);
  std::string Name = R.Class;
  std::replace(Name.begin(), Name.end(), '/', '.');
  jmethodID Make = Jni->GetMethodID(Jni->GetObjectClass(Factory), "newEvent",
                                    "()Ljdk/jfr/Event;");
  jobject Event = Make ? Jni->CallObjectMethod(Factory, Make) : nullptr;
  jclass Class =
      Jni->ExceptionCheck() ? nullptr : Jni->FindClass("jdk/jfr/Event");
  jmethodID Set = Class
                      ? Jni->GetMethodID(Class, "set", "(ILjava/lang/Object;)V")
                      : nullptr;
  jmethodID Commit = Set ? Jni->GetMethodID(Class, "commit", "()V") : nullptr;
  if (!Commit)
    return Jni->ExceptionClear();
  const jobject Values[] = {Jni->NewStringUTF(Name.c_str()),
                            makeLong(Jni, R.Before), makeLong(Jni, R.After),
                            makeLong(Jni, R.Nanoseconds)};
  for (jint I = 0; I < 4 && !Jni->ExceptionCheck(); ++I)
    Jni->CallVoidMethod(Event, Set, I, Values[I]);
  if (!Jni->ExceptionCheck())
    Jni->CallVoidMethod(Event, Commit);
  Jni->ExceptionClear();
}
