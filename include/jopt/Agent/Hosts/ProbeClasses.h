//===- ProbeClasses.h - Probe classes in the JVM ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_PROBECLASSES_H
#define JOPT_AGENT_HOSTS_PROBECLASSES_H

#include "jopt/Agent/Attach/Options.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Agent/Hosts/HostedProbes.h"
#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Weave/Report.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <map>
#include <mutex>

namespace jopt::agent {

struct Part;

/// The classes of bundles in the JVM. On the boot loader and the system loader
/// each is defined once: neither ever gives one up, so probes that come again
/// are those that are there. Others stand in loaders of their own, and go with
/// their probes. Used by one thread at a time, but for what any may ask.
///
/// Of these classes nothing is said to modules: the JVM lets the module of a
/// class that an agent changed read the unnamed modules of both loaders.
class ProbeClasses {
public:
  /// \p Boot must outlive it.
  explicit ProbeClasses(BootLibrary &Boot) : Boot(Boot) {}

  /// Where classes of a bundle go, and how.
  struct Request {
    ProbePlace Place = ProbePlace::Auto;
    /// Their static initialisers run now, and not when a fragment is first
    /// called.
    bool Initialize = false;
    /// Not empty: why they cannot be in loaders of their own, but have to be
    /// where hosts find them by name.
    std::string WhyNotHosted;
    bool PrefersHosted = false; ///< they are to go with their probes
    /// Their probes name classes that reach them on the boot loader alone.
    bool TargetsCore = false;
    /// The advices that classes may call while the bundle is at work, including
    /// those of probes that are off.
    const AdviceSet *Callable = nullptr;
  };
  /// Defines what of \p Bundle is not there yet. On the boot or the system
  /// loader, what refers to what cannot be found from there is left out
  /// (findUnlinked). Fails, before anything is defined, if that is so of all
  /// probes, or if a class of one of the names with other content is there; a
  /// class that the JVM refuses fails too. The fragments of the bundle
  /// run from now on, and no others but those of hosted classes.
  llvm::Error define(Environment &Env, JNIEnv *Jni, const ProbeBundle &Bundle,
                     const Request &R);
  /// No class calls hosted ones of before any more.
  void leaveOthers(JNIEnv *Jni);

  /// Fragments no longer run, whoever calls them: activations that began with
  /// probes still do. define() lets them run again. Fails if the JVM refuses.
  llvm::Error disable(jvmtiEnv *Jvmti);

  /// Gives parameters of \p Bundle, which is defined, values, "NAME=VALUE";
  /// they keep them until forgetParams. Fails, and gives none, where one does
  /// not exist or a value is none of its type.
  llvm::Error setParams(Environment &Env, JNIEnv *Jni,
                        const ProbeBundle &Bundle,
                        llvm::ArrayRef<std::string> Given);
  /// Those of \p Advices are at work, and leave: each does what it does then.
  void leaveOff(Environment &Env, JNIEnv *Jni, const AdviceSet &Advices) const;
  /// Probes of \p Advices that left before, and are at work, do what they do
  /// when they come (jopt.probe.Life).
  void beginAgain(Environment &Env, JNIEnv *Jni,
                  const AdviceSet &Advices) const;
  /// Undoes setParams: \p Bundle, if it is not null, has the values that it was
  /// made with.
  void forgetParams(Environment &Env, JNIEnv *Jni, const ProbeBundle *Bundle);

  /// How many exceptions of each probe of \p Advices were isolated that nobody
  /// has taken yet. Needs no class of the program.
  std::vector<uint64_t> takeIsolated(Environment &Env, JNIEnv *Jni,
                                     const AdviceSet &Advices) const;

  /// The events of each advice's fragment that were not taken yet; nothing for
  /// those that do not count (-count-events).
  std::vector<std::optional<FragmentCalls>>
  takeEvents(Environment &Env, JNIEnv *Jni, const AdviceSet &Advices) const;

  /// The internal names of all classes that were defined.
  std::vector<std::string> names() const;

  /// \name Asked by any thread
  /// @{
  /// All probes of the last bundle are visible to every class.
  bool onBootLoader() const { return OnBoot; }
  /// They are in loaders of their own.
  bool areHosted() const { return IsHosted; }
  const HostedProbes &hosted() const { return Hosted; }
  /// The probes of \p Advices that cannot link where those of the last bundle
  /// stand, if that is no loader of their own, and why.
  std::map<unsigned, std::string> findUnlinked(const AdviceSet &Advices) const;
  /// Those of the last bundle, if it is not hosted, that stand on the system
  /// loader, and why, as a clause.
  std::map<unsigned, std::string> findBelowBoot(const AdviceSet &Advices) const;
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
                                 const Request &R, Log &TheLog) const;
  llvm::Error defineOne(JNIEnv *Jni, const Part &P, bool Boot, jobject Loader,
                        const AdviceSet &Advices);
  llvm::Error redefine(jvmtiEnv *Jvmti, bool Runs,
                       llvm::function_ref<bool(llvm::StringRef)> Which);

  llvm::Error leaveUnlinked(Environment &Env, JNIEnv *Jni,
                            std::map<std::string, Part> &All, bool Boot,
                            const AdviceSet &Advices);
  /// Which classes of \p All, by name, are to be on the system loader or are
  /// there, and why. Where probes name classes of the JDK the others are on the
  /// boot loader.
  std::map<std::string, std::string>
  findBelowBoot(Environment &Env, JNIEnv *Jni,
                const std::map<std::string, Part> &All, const Request &R) const;
  llvm::Error openHosted(Environment &Env, JNIEnv *Jni,
                         const std::map<std::string, Part> &All,
                         const AdviceSet &Callable);
  llvm::Error readParams(Environment &Env, JNIEnv *Jni,
                         const ProbeBundle &Bundle);

  void callLife(Environment &Env, JNIEnv *Jni, const AdviceSet &Advices,
                const char *Method) const;
  void forEachAdvice(
      Environment &Env, JNIEnv *Jni, const AdviceSet &Advices,
      llvm::function_ref<void(const Advice &, jclass Owner)> Use) const;
  jclass find(Environment &Env, JNIEnv *Jni, llvm::StringRef Name,
              std::string *Thrown = nullptr) const;

  BootLibrary &Boot;
  llvm::StringMap<Definition> Defined;
  llvm::StringSet<> GivenParams; ///< their system properties are set
  std::atomic<bool> OnBoot{true};
  HostedProbes Hosted;
  std::atomic<bool> IsHosted{false};
  /// Global references: of the system loader, of the boot loader.
  std::atomic<jclass> Samples[2] = {nullptr, nullptr};
  mutable std::mutex Lock; ///< of what follows
  /// Classes that are not defined, as they cannot link, and why.
  std::map<std::string, std::string> Unlinked;
  /// Classes of the last bundle on the system loader, and why they are.
  std::map<std::string, std::string> BelowBoot;
};

} // namespace jopt::agent

#endif
