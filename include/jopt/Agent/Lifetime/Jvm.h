//===- Jvm.h - JNI and JVMTI made shorter -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_JVM_H
#define JOPT_AGENT_LIFETIME_JVM_H

#include "jopt/Agent/Hook/ClassFilter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <jvmti.h>
#include <optional>
#include <string>

namespace jopt::agent {

/// Memory that JVMTI allocated.
template <typename T> class JvmtiMemory {
public:
  explicit JvmtiMemory(jvmtiEnv *Jvmti) : Jvmti(Jvmti) {}
  ~JvmtiMemory() {
    if (Data)
      Jvmti->Deallocate(reinterpret_cast<unsigned char *>(Data));
  }
  JvmtiMemory(const JvmtiMemory &) = delete;
  JvmtiMemory &operator=(const JvmtiMemory &) = delete;
  T **operator&() { return &Data; }
  T *get() const { return Data; }

private:
  jvmtiEnv *Jvmti;
  T *Data = nullptr;
};

/// The local references that are made while it lives go with it.
class LocalFrame {
public:
  LocalFrame(JNIEnv *Jni, jint Capacity)
      : Jni(Jni), Pushed(Jni->PushLocalFrame(Capacity) == 0) {
    if (!Pushed)
      Jni->ExceptionClear();
  }
  ~LocalFrame() {
    if (Pushed)
      Jni->PopLocalFrame(nullptr);
  }
  LocalFrame(const LocalFrame &) = delete;
  LocalFrame &operator=(const LocalFrame &) = delete;

private:
  JNIEnv *Jni;
  bool Pushed;
};

/// "JVMTI_ERROR_INVALID_CLASS" and the like.
std::string errorName(jvmtiEnv *Jvmti, jvmtiError E);

/// A JVMTI function that failed, as an error with what it was for.
llvm::Error jvmtiFailed(jvmtiEnv *Jvmti, jvmtiError E, const llvm::Twine &What);

/// Stores an environment of JVMTI in \p New: of version 9, or on Java 8 of 1.2,
/// which lacks modules alone of what the agent uses. \returns what GetEnv does.
jint getInterface(JavaVM *TheVM, jvmtiEnv *&New);

/// Whether the JVM has modules. Before Java 9 neither JNI nor JVMTI has their
/// functions: to call one is to crash.
bool hasModules(JNIEnv *Jni);

/// The JVM's tool interface. Between its first class and its main program it
/// gives none, and takes attaches already: whoever comes then waits, up to 10
/// s. Any thread.
llvm::Expected<jvmtiEnv *> askForInterface(JavaVM *TheVM);

/// The text of \p S, standard UTF-8 but for what JNI changes in it; empty if
/// \p S is null.
std::string toString(JNIEnv *Jni, jstring S);

/// The exception that is pending, as text; clears it. Empty if there is none.
std::string takeException(JNIEnv *Jni);

/// The internal name of \p Class; empty for arrays, primitive types and hidden
/// classes, which nobody can change.
std::string className(jvmtiEnv *Jvmti, jclass Class);

/// Calls \p Use with each loaded class, prepared or not: a local reference that
/// is deleted then. Those to the classes that are still to come are there too.
void forEachLoadedClass(jvmtiEnv *Jvmti, JNIEnv *Jni,
                        llvm::function_ref<void(jclass)> Use);

/// The class of \p Loader: "boot" for the boot loader.
std::string loaderName(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader);

/// Domain.getCodeSource().getLocation().toString(); empty where there is none,
/// or \p Domain is null.
std::string codeSource(JNIEnv *Jni, jobject Domain);

/// The class file of the internal name \p Name as \p Of finds it, a class with
/// its loader or a loader: getResourceAsStream. Empty if there is none; what is
/// thrown is dropped.
llvm::SmallVector<uint8_t, 0> readResource(JNIEnv *Jni, jobject Of,
                                           llvm::StringRef Name);

/// The result of \p Loader.loadClass for the internal name \p Name; null if
/// that throws.
jclass loadClass(JNIEnv *Jni, jobject Loader, llvm::StringRef Name);

/// A thread of Java of that name, not started yet: a local reference; null if
/// there can be none.
jthread newThread(JNIEnv *Jni, const char *Name);
/// Runs \p What on a new thread of that name, a daemon. False: the JVM has no
/// thread to give.
bool runOnThread(jvmtiEnv *Jvmti, JNIEnv *Jni, const char *Name,
                 std::function<void(JNIEnv *)> What);

/// A property of the system before there is Java; empty if it is not set.
std::string earlyProperty(jvmtiEnv *Jvmti, const char *Name);

/// The Java that the JVM is of: 8, 11, 17; 0 if it does not say so. At any
/// time.
unsigned javaRelease(jvmtiEnv *Jvmti);

/// System.getProperty; nothing if it is not set, or that throws.
std::optional<std::string> getProperty(JNIEnv *Jni, llvm::StringRef Name);
/// System.setProperty, or clearProperty if there is no value; an exception
/// there is dropped.
void setProperty(JNIEnv *Jni, llvm::StringRef Name,
                 std::optional<llvm::StringRef> Value);
/// System.setProperty for each of them in their order, below \p Prefix.
void setProperties(
    JNIEnv *Jni, llvm::StringRef Prefix,
    llvm::ArrayRef<std::pair<std::string, std::string>> Properties);

/// The loaders that a class may have, known once there is Java.
class Loaders {
public:
  /// Asks for them; global references stay for good.
  void find(JNIEnv *Jni);
  jobject system() const { return System; }
  jobject platform() const { return Platform; }
  LoaderKind kind(JNIEnv *Jni, jobject Loader) const;

private:
  jobject System = nullptr, Platform = nullptr;
};

/// The module java.base, in which most of the first classes of a JVM are. To
/// ask a class for its module is cheaper than for its name, which lies where
/// nobody was yet. Used by one thread, in a native frame.
class BaseModule {
public:
  BaseModule(jvmtiEnv *Jvmti, JNIEnv *Jni, const Loaders &Known);
  /// \p Class is of java.base, and in one of its packages. False is not
  /// certain.
  bool has(jclass Class) const;

private:
  JNIEnv *Jni;
  jobject Module = nullptr; ///< null: others may have added packages to it
};

} // namespace jopt::agent

#endif
