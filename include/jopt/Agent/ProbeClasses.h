//===- ProbeClasses.h - Probe classes in the JVM ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_PROBECLASSES_H
#define JOPT_AGENT_PROBECLASSES_H

#include "jopt/Agent/Environment.h"
#include "jopt/Agent/Options.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <map>

namespace jopt::agent {

struct Part;

/// Defines the classes of bundles, each once: neither the boot loader nor the
/// system loader ever gives one up, so probes that come again are those that
/// are there. Used by one thread at a time, but for what any may ask.
///
/// Of these classes nothing is said to modules: the JVM lets the module of a
/// class that an agent changed read the unnamed modules of both loaders.
class ProbeClasses {
public:
  /// Defines what of \p Bundle is not there yet, on the boot loader if all that
  /// it refers to is visible there or \p Place says so, else on the system
  /// loader. Fails, before anything is defined, if they refer to what cannot be
  /// found from there, or if a class of one of the names with other content is
  /// there; a class that the JVM refuses fails too. \p
  /// Initialize: their static initialisers run now, and not when a fragment is
  /// first called. The fragments of the bundle run from now on, and no others.
  llvm::Error define(Environment &Env, JNIEnv *Jni, const ProbeBundle &Bundle,
                     ProbePlace Place, bool Initialize);

  /// Fragments no longer run, whoever calls them: activations that began with
  /// probes still do. define() lets them run again. Fails if the JVM refuses.
  llvm::Error disable(jvmtiEnv *Jvmti);

  /// Gives parameters of \p Bundle, which is defined, values, "NAME=VALUE";
  /// they keep them until forgetParams. Fails, and gives none, where one does
  /// not exist or a value is none of its type.
  llvm::Error setParams(Environment &Env, JNIEnv *Jni,
                        const ProbeBundle &Bundle,
                        llvm::ArrayRef<std::string> Given);
  /// What setParams gave is gone: \p Bundle, if it is not null, has the values
  /// that it was made with.
  void forgetParams(Environment &Env, JNIEnv *Jni, const ProbeBundle *Bundle);

  /// How many exceptions of each probe of \p Advices were isolated that nobody
  /// has taken yet. Needs no class of the program.
  std::vector<uint64_t> takeIsolated(Environment &Env, JNIEnv *Jni,
                                     const AdviceSet &Advices) const;

  /// The internal names of all classes that were defined.
  std::vector<std::string> names() const;

  /// \name Asked by any thread
  /// @{
  /// The probes of the last bundle are visible to every class.
  bool onBootLoader() const { return OnBoot; }
  /// A class of the last bundle; null if there is none.
  jclass sample() const { return Samples[OnBoot]; }
  /// @}

private:
  struct Definition {
    uint64_t Hash = 0;
    bool OnBoot = true;
    bool Runs = true; ///< the fragments do what they are for
    /// A global reference, and the class with its fragments and with empty
    /// ones; not set where there are none.
    jclass Class = nullptr;
    llvm::SmallVector<uint8_t, 0> Full, Empty;
  };
  llvm::Expected<bool> isForBoot(JNIEnv *Jni,
                                 const std::map<std::string, Part> &All,
                                 ProbePlace Place, Log &TheLog) const;
  llvm::Error defineOne(JNIEnv *Jni, const Part &P, bool Boot, jobject Loader,
                        const AdviceSet &Advices);
  llvm::Error redefine(jvmtiEnv *Jvmti, bool Runs,
                       llvm::function_ref<bool(llvm::StringRef)> Which);

  llvm::Error readParams(Environment &Env, JNIEnv *Jni,
                         const ProbeBundle &Bundle);

  jclass find(Environment &Env, JNIEnv *Jni, llvm::StringRef Name,
              std::string *Thrown = nullptr) const;

  llvm::StringMap<Definition> Defined;
  llvm::StringSet<> GivenParams; ///< their system properties are set
  std::atomic<bool> OnBoot{true};
  /// Global references: of the system loader, of the boot loader.
  std::atomic<jclass> Samples[2] = {nullptr, nullptr};
};

} // namespace jopt::agent

#endif
