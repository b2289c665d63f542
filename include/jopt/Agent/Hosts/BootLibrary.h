//===- BootLibrary.h - What is in jopt.boot ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_BOOTLIBRARY_H
#define JOPT_AGENT_HOSTS_BOOTLIBRARY_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jopt::agent {

struct AgentOptions;

/// The classes of runtime/boot, which probed classes refer to besides probes,
/// in the JVM. Thread-safe.
class BootLibrary {
public:
  /// Defines those of jopt.boot itself on the boot loader and initialises them,
  /// once; those that are there, from -Xbootclasspath/a, stay, and must be of
  /// the same format. Who comes meanwhile waits.
  llvm::Error define(JNIEnv *Jni);
  /// The same for the packages below it, which record.
  llvm::Error defineRecorder(JNIEnv *Jni);
  /// Has what covered classes stored recorded, where the recorder is, and said
  /// if what was recorded is gone.
  void endRecording(JNIEnv *Jni);
  /// Defines what probe classes call (ProbeApiJar) on the boot loader, once:
  /// one copy, whatever loaders the probes are below. Those classes that are
  /// there stay.
  llvm::Error defineProbeApi(JNIEnv *Jni);
  /// Defines what probes measure with (`jopt.probe` of RuntimeJar) on the boot
  /// loader, once.
  llvm::Error defineProbeLibrary(JNIEnv *Jni);
  /// Where and how much traces and tables of probe classes record, if \p O
  /// says. A JVM that has recorded goes on in that folder, so an error if it is
  /// another one.
  llvm::Error setUpRecording(JNIEnv *Jni, const AgentOptions &O);
  /// There are no probes any more: coverage is written, the threads of the
  /// recorder end until there is something to record again, and the properties
  /// go that the program did not have.
  void restRecorder(JNIEnv *Jni);
  /// Has what probes measured told, where they did; they begin anew.
  void endOutput(JNIEnv *Jni);
  /// The probes that had it told count no more.
  void settleOutput(JNIEnv *Jni);
  /// The calls that probes keep which \p What asks for (jopt.probe.Calls);
  /// nothing if none keeps any.
  std::optional<std::string> askCalls(JNIEnv *Jni, llvm::StringRef What);
  /// How often control came to places that count (PlaceNumbers), by their
  /// numbers up to \p End. Runs Java code.
  std::vector<uint64_t> readPlaces(JNIEnv *Jni, uint32_t End);
  /// Modules that have what probe classes call, or jopt.boot, read what the
  /// agent defined.
  static void readBoot(jvmtiEnv *Jvmti, JNIEnv *Jni);
  /// The module of \p To may use the package of \p Class.
  static void exportTo(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class, jclass To);
  /// The class \p To of the boot loader may reflect upon all of the package of
  /// \p Class, which is one of the boot loader, too.
  static void openTo(jvmtiEnv *Jvmti, JNIEnv *Jni, const char *Class,
                     llvm::StringRef To);
  /// The class of the boot loader with that internal name, initialised; null if
  /// there is none.
  static jclass find(JNIEnv *Jni, llvm::StringRef Name);
  /// Sees to it that classes of \p Loader find jopt.boot.Link. Where it does
  /// not ask the boot loader (OSGi), it gets a copy, which keeps nothing and
  /// goes with it. Fails if it has one of another format.
  static llvm::Error defineLink(JNIEnv *Jni, jobject Loader);
  /// Gives \p Loader the class \p Name, which another of its classes needs. Not
  /// if it has it already.
  static llvm::Error defineBeside(JNIEnv *Jni, jobject Loader,
                                  llvm::StringRef Name, Bytes Data);
  /// If the class \p Name of \p Loader is in a named module, that reads the
  /// module of such a copy.
  static void readLink(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader,
                       llvm::StringRef Name);

private:
  /// Defines the recorder, or the rest.
  llvm::Error define(JNIEnv *Jni, bool Recorder);
  /// Defines those classes of \p Jar, which lies beside the agent, whose names
  /// begin with \p Prefix. \p Who needs them. Under the lock.
  static llvm::Error defineJar(JNIEnv *Jni, llvm::StringRef Jar,
                               llvm::StringRef Prefix, llvm::StringRef Who);

  std::atomic<bool> IsDefined{false}, HasRecorder{false};
  bool HasProbeApi = false; ///< guarded by Lock
  std::atomic<bool> HasProbeLibrary{false};
  std::vector<llvm::StringRef> OwnProperties;
  /// Of the definition. Held while the JVM loads classes: these are of java.*,
  /// which no thread that waits here is loading.
  std::mutex Lock;
};

} // namespace jopt::agent

#endif
