//===- Jvm.cpp - JNI and JVMTI made shorter -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Jvm.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <chrono>
#include <thread>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;
using llvm::Twine;

std::string agent::errorName(jvmtiEnv *Jvmti, jvmtiError E) {
  JvmtiMemory<char> Name(Jvmti);
  if (Jvmti->GetErrorName(E, &Name) != JVMTI_ERROR_NONE || !Name.get())
    return "JVMTI error " + std::to_string(int(E));
  return Name.get();
}

llvm::Error agent::jvmtiFailed(jvmtiEnv *Jvmti, jvmtiError E,
                               const Twine &What) {
  return makeError("the JVM refuses to " + What + ": " + errorName(Jvmti, E));
}

jint agent::getInterface(JavaVM *TheVM, jvmtiEnv *&New) {
  jint Code = JNI_EVERSION;
  for (jint Version : {JVMTI_VERSION_9, JVMTI_VERSION_1_2})
    if (Code == JNI_EVERSION)
      Code = TheVM->GetEnv(reinterpret_cast<void **>(&New), Version);
  return Code;
}

bool agent::hasModules(JNIEnv *Jni) {
  return Jni->GetVersion() >= JNI_VERSION_9;
}

llvm::Expected<jvmtiEnv *> agent::askForInterface(JavaVM *TheVM) {
  constexpr std::chrono::milliseconds Pause(10), Patience(10000);
  jvmtiEnv *New = nullptr;
  jint Code = JNI_EDETACHED;
  for (auto Waited = Pause; Code == JNI_EDETACHED && Waited < Patience;
       Waited += Pause) {
    Code = getInterface(TheVM, New);
    if (Code == JNI_EDETACHED)
      std::this_thread::sleep_for(Pause);
  }
  if (Code == JNI_OK)
    return New;
  return makeError(
      Code == JNI_EDETACHED
          ? "the JVM is still starting after 10 s, and gives no JVMTI yet"
          : "the JVM has no JVMTI 1.2: it is older than Java 8, or was built "
            "without");
}

std::string agent::toString(JNIEnv *Jni, jstring S) {
  if (!S)
    return {};
  const char *Chars = Jni->GetStringUTFChars(S, nullptr);
  if (!Chars) {
    Jni->ExceptionClear();
    return {};
  }
  std::string Text = Chars;
  Jni->ReleaseStringUTFChars(S, Chars);
  return Text;
}

std::string agent::takeException(JNIEnv *Jni) {
  jthrowable Thrown = Jni->ExceptionOccurred();
  if (!Thrown)
    return {};
  Jni->ExceptionClear();
  std::string Text = "an exception";
  if (jclass C = Jni->GetObjectClass(Thrown)) {
    if (jmethodID M = Jni->GetMethodID(C, "toString", "()Ljava/lang/String;"))
      if (auto *S = static_cast<jstring>(Jni->CallObjectMethod(Thrown, M)))
        if (!Jni->ExceptionCheck())
          Text = toString(Jni, S);
    Jni->DeleteLocalRef(C);
  }
  Jni->ExceptionClear();
  Jni->DeleteLocalRef(Thrown);
  return Text;
}

std::string agent::className(jvmtiEnv *Jvmti, jclass Class) {
  JvmtiMemory<char> Signature(Jvmti);
  if (Jvmti->GetClassSignature(Class, &Signature, nullptr) != JVMTI_ERROR_NONE)
    return {};
  StringRef Name = Signature.get();
  // The signature of a hidden class has a dot in it.
  if (!Name.consume_front("L") || !Name.consume_back(";") || Name.contains('.'))
    return {};
  return Name.str();
}

void agent::forEachLoadedClass(jvmtiEnv *Jvmti, JNIEnv *Jni,
                               llvm::function_ref<void(jclass)> Use) {
  jint Number = 0;
  JvmtiMemory<jclass> Classes(Jvmti);
  if (Jvmti->GetLoadedClasses(&Number, &Classes) != JVMTI_ERROR_NONE)
    return;
  // They are all there already; -Xcheck:jni wants to be told.
  if (Jni->EnsureLocalCapacity(Number) != 0)
    Jni->ExceptionClear();
  for (jclass C : llvm::ArrayRef(Classes.get(), size_t(Number))) {
    Use(C);
    Jni->DeleteLocalRef(C);
  }
}

BaseModule::BaseModule(jvmtiEnv *Jvmti, JNIEnv *Jni, const Loaders &Known)
    : Jni(Jni) {
  // --patch-module may add packages. Its only sign is that the JVM does without
  // its archive of classes.
  if (hasModules(Jni) && Known.platform() &&
      StringRef(earlyProperty(Jvmti, "java.vm.info")).contains("sharing"))
    Module = Jni->GetModule(Jni->GetObjectClass(Known.platform()));
}

bool BaseModule::has(jclass Class) const {
  if (!Module)
    return false;
  jobject Of = Jni->GetModule(Class);
  const bool Is = Jni->IsSameObject(Of, Module);
  Jni->DeleteLocalRef(Of);
  return Is;
}

std::string agent::loaderName(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader) {
  if (!Loader)
    return "boot";
  jclass Class = Jni->GetObjectClass(Loader);
  std::string Name = className(Jvmti, Class);
  Jni->DeleteLocalRef(Class);
  return Name;
}

std::string agent::codeSource(JNIEnv *Jni, jobject Domain) {
  LocalFrame Frame(Jni, 16);
  jobject At = Domain;
  for (auto [Method, Signature] :
       {std::pair("getCodeSource", "()Ljava/security/CodeSource;"),
        std::pair("getLocation", "()Ljava/net/URL;"),
        std::pair("toString", "()Ljava/lang/String;")}) {
    if (!At)
      return {};
    jmethodID M = Jni->GetMethodID(Jni->GetObjectClass(At), Method, Signature);
    At = M ? Jni->CallObjectMethod(At, M) : nullptr;
    if (!takeException(Jni).empty())
      return {};
  }
  return toString(Jni, static_cast<jstring>(At));
}

/// All that \p Stream has; nothing if that throws. Java 8 has no readAllBytes.
static llvm::SmallVector<uint8_t, 0> readStream(JNIEnv *Jni, jobject Stream) {
  constexpr jsize PartSize = 1 << 14;
  llvm::SmallVector<uint8_t, 0> Data;
  jmethodID Read =
      Jni->GetMethodID(Jni->GetObjectClass(Stream), "read", "([B)I");
  jbyteArray Part = Read ? Jni->NewByteArray(PartSize) : nullptr;
  while (Part) {
    const jint Count = Jni->CallIntMethod(Stream, Read, Part);
    if (Jni->ExceptionCheck()) {
      Data.clear();
      break;
    }
    if (Count <= 0)
      break;
    const size_t At = Data.size();
    Data.resize(At + size_t(Count));
    Jni->GetByteArrayRegion(Part, 0, Count,
                            reinterpret_cast<jbyte *>(Data.data() + At));
  }
  Jni->ExceptionClear();
  return Data;
}

llvm::SmallVector<uint8_t, 0> agent::readResource(JNIEnv *Jni, jobject Of,
                                                  StringRef Name) {
  LocalFrame Frame(Jni, 16);
  jclass Classes = Jni->FindClass("java/lang/Class");
  const bool IsClass = Classes && Jni->IsInstanceOf(Of, Classes);
  // Of an object that may be null, which an exception makes it.
  auto Call = [&](jobject On, const char *Method, const char *Signature,
                  jobject Argument) -> jobject {
    jmethodID M =
        On ? Jni->GetMethodID(Jni->GetObjectClass(On), Method, Signature)
           : nullptr;
    jobject Result = M ? Jni->CallObjectMethod(On, M, Argument) : nullptr;
    return takeException(Jni).empty() ? Result : nullptr;
  };
  jstring Path =
      Jni->NewStringUTF(((IsClass ? "/" : "") + Name + ".class").str().c_str());
  jobject Stream = Path
                       ? Call(Of, "getResourceAsStream",
                              "(Ljava/lang/String;)Ljava/io/InputStream;", Path)
                       : nullptr;
  if (!Stream)
    return {};
  auto Data = readStream(Jni, Stream);
  jmethodID Close =
      Jni->GetMethodID(Jni->GetObjectClass(Stream), "close", "()V");
  if (Close)
    Jni->CallVoidMethod(Stream, Close);
  Jni->ExceptionClear();
  return Data;
}

jclass agent::loadClass(JNIEnv *Jni, jobject Loader, StringRef Name) {
  std::string Dotted = Name.str();
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  jclass Class = Jni->GetObjectClass(Loader);
  jmethodID Load = Jni->GetMethodID(Class, "loadClass",
                                    "(Ljava/lang/String;)Ljava/lang/Class;");
  jstring Text = Load ? Jni->NewStringUTF(Dotted.c_str()) : nullptr;
  jobject Found = Text ? Jni->CallObjectMethod(Loader, Load, Text) : nullptr;
  Jni->ExceptionClear();
  Jni->DeleteLocalRef(Text);
  Jni->DeleteLocalRef(Class);
  return static_cast<jclass>(Found);
}

jthread agent::newThread(JNIEnv *Jni, const char *Name) {
  jclass Class = Jni->FindClass("java/lang/Thread");
  jmethodID Make =
      Class ? Jni->GetMethodID(Class, "<init>", "(Ljava/lang/String;)V")
            : nullptr;
  jstring Text = Make ? Jni->NewStringUTF(Name) : nullptr;
  jobject Thread = Text ? Jni->NewObject(Class, Make, Text) : nullptr;
  return takeException(Jni).empty() ? Thread : nullptr;
}

bool agent::runOnThread(jvmtiEnv *Jvmti, JNIEnv *Jni, const char *Name,
                        std::function<void(JNIEnv *)> What) {
  using Task = std::function<void(JNIEnv *)>;
  LocalFrame Frame(Jni, 8);
  jthread Thread = newThread(Jni, Name);
  auto Owned = std::make_unique<Task>(std::move(What));
  auto Run = [](jvmtiEnv *, JNIEnv *OfThread, void *Given) {
    std::unique_ptr<Task> Mine(static_cast<Task *>(Given));
    (*Mine)(OfThread);
    OfThread->ExceptionClear();
  };
  if (!Thread ||
      Jvmti->RunAgentThread(Thread, Run, Owned.get(),
                            JVMTI_THREAD_NORM_PRIORITY) != JVMTI_ERROR_NONE)
    return false;
  [[maybe_unused]] Task *Theirs = Owned.release();
  return true;
}

std::string agent::earlyProperty(jvmtiEnv *Jvmti, const char *Name) {
  JvmtiMemory<char> Value(Jvmti);
  if (Jvmti->GetSystemProperty(Name, &Value) != JVMTI_ERROR_NONE)
    return {};
  return Value.get();
}

unsigned agent::javaRelease(jvmtiEnv *Jvmti) {
  const std::string Version =
      earlyProperty(Jvmti, "java.vm.specification.version");
  StringRef Feature = Version;
  Feature.consume_front("1."); // Java 8
  unsigned Release = 0;
  (void)llvm::to_integer(Feature, Release, 10);
  return Release;
}

std::optional<std::string> agent::getProperty(JNIEnv *Jni, StringRef Name) {
  LocalFrame Frame(Jni, 8);
  jclass System = Jni->FindClass("java/lang/System");
  jmethodID Get =
      System ? Jni->GetStaticMethodID(System, "getProperty",
                                      "(Ljava/lang/String;)Ljava/lang/String;")
             : nullptr;
  jstring N = Get ? Jni->NewStringUTF(Name.str().c_str()) : nullptr;
  jobject Value = N ? Jni->CallStaticObjectMethod(System, Get, N) : nullptr;
  if (!takeException(Jni).empty() || !Value)
    return std::nullopt;
  return toString(Jni, static_cast<jstring>(Value));
}

void agent::setProperty(JNIEnv *Jni, StringRef Name,
                        std::optional<StringRef> Value) {
  if (Value)
    return setProperties(Jni, "", {{Name.str(), Value->str()}});
  LocalFrame Frame(Jni, 8);
  jclass System = Jni->FindClass("java/lang/System");
  jstring N = System ? Jni->NewStringUTF(Name.str().c_str()) : nullptr;
  jmethodID Clear =
      N ? Jni->GetStaticMethodID(System, "clearProperty",
                                 "(Ljava/lang/String;)Ljava/lang/String;")
        : nullptr;
  if (Clear)
    Jni->CallStaticObjectMethod(System, Clear, N);
  Jni->ExceptionClear();
}

void agent::setProperties(
    JNIEnv *Jni, StringRef Prefix,
    llvm::ArrayRef<std::pair<std::string, std::string>> Properties) {
  LocalFrame Frame(Jni, 8);
  jclass System = Jni->FindClass("java/lang/System");
  jmethodID Set =
      System ? Jni->GetStaticMethodID(
                   System, "setProperty",
                   "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;")
             : nullptr;
  for (const auto &[Name, Value] : Properties) {
    LocalFrame OfOne(Jni, 8);
    jstring N =
        Set ? Jni->NewStringUTF((Prefix + Name).str().c_str()) : nullptr;
    jstring V = N ? Jni->NewStringUTF(Value.c_str()) : nullptr;
    if (V)
      Jni->CallStaticObjectMethod(System, Set, N, V);
    Jni->ExceptionClear();
  }
  Jni->ExceptionClear();
}

void Loaders::find(JNIEnv *Jni) {
  if (System)
    return;
  LocalFrame Frame(Jni, 8);
  jclass Class = Jni->FindClass("java/lang/ClassLoader");
  if (!Class)
    return Jni->ExceptionClear();
  constexpr const char *Type = "()Ljava/lang/ClassLoader;";
  auto Keep = [&](jobject Loader) -> jobject {
    if (Jni->ExceptionCheck()) {
      Jni->ExceptionClear();
      return nullptr;
    }
    return Loader ? Jni->NewGlobalRef(Loader) : nullptr;
  };
  auto Ask = [&](const char *Method) {
    jmethodID M = Jni->GetStaticMethodID(Class, Method, Type);
    return Keep(M ? Jni->CallStaticObjectMethod(Class, M) : nullptr);
  };
  System = Ask("getSystemClassLoader");
  Platform = Ask("getPlatformClassLoader");
  if (Platform || !System)
    return;
  // Java 8: the loader of extensions, where nobody replaced the system loader.
  jmethodID Parent = Jni->GetMethodID(Class, "getParent", Type);
  Platform = Keep(Parent ? Jni->CallObjectMethod(System, Parent) : nullptr);
}

LoaderKind Loaders::kind(JNIEnv *Jni, jobject Loader) const {
  if (!Loader)
    return LoaderKind::Boot;
  if (Platform && Jni->IsSameObject(Loader, Platform))
    return LoaderKind::Platform;
  if (System && Jni->IsSameObject(Loader, System))
    return LoaderKind::System;
  return LoaderKind::Other;
}
