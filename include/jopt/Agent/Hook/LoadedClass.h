//===- LoadedClass.h - A class in the JVM -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_LOADEDCLASS_H
#define JOPT_AGENT_HOOK_LOADEDCLASS_H

#include "jopt/Agent/Hook/Decision.h"
#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Verify/TypeHierarchy.h"

namespace jopt::agent {

/// A class as the JVM hands it to the hook, or as it is found among the loaded
/// ones. A view: of local references, and of bytes and a name that live longer.
struct LoadedClass {
  JNIEnv *Jni;
  jclass Class;         ///< null while it is first loaded
  jobject Loader;       ///< null: the boot loader, or outside of the hook
  llvm::StringRef Name; ///< internal
  jobject Domain;       ///< of protection; null if it has none, or outside of
                        ///< the hook
  Bytes Data;           ///< the class file; empty outside of the hook
};

/// The JVM's facts about a class. A class that is first loaded has neither
/// supers nor ancestors, as asking for them loads classes. Used by one thread.
class LoadedClassFacts final : public ClassFacts {
public:
  /// Both must outlive it.
  LoadedClassFacts(const Environment &Env, const LoadedClass &C)
      : Env(Env), C(C), Pool(Env.Jvmti) {}
  ~LoadedClassFacts() override;
  LoadedClassFacts(const LoadedClassFacts &) = delete;
  LoadedClassFacts &operator=(const LoadedClassFacts &) = delete;

  llvm::StringRef name() const override { return C.Name; }
  LoaderKind loaderKind() override { return Env.Known.kind(C.Jni, loader()); }
  std::string loaderName() override;
  std::optional<std::string> source() override;
  Bytes pool() override;
  std::optional<MatchClass> supers(bool Hierarchy) override;

  /// Whether a probe of \p M may select one of the methods that the class
  /// declares, or a call in its constant pool. Only for a class that is loaded;
  /// one whose methods the JVM does not tell may be selected.
  bool maySelect(const Matcher &M);

  /// The ancestors that supers() found; null if it was not called.
  std::unique_ptr<MemoryHierarchy> takeAncestry() {
    Supers.reset();
    return std::move(Ancestry);
  }

private:
  jobject loader();

  const Environment &Env;
  const LoadedClass &C;
  std::optional<jobject> Loader; ///< as loader() found it: a local reference
  JvmtiMemory<unsigned char> Pool;
  size_t PoolSize = 0;
  jint PoolCount = -1;              ///< of its entries; negative: not known
  std::optional<MatchClass> Supers; ///< once they were asked for
  std::string Super;
  std::vector<std::string> InterfaceNames;
  llvm::SmallVector<llvm::StringRef> Interfaces; ///< InterfaceNames
  std::unique_ptr<MemoryHierarchy> Ancestry;
};

} // namespace jopt::agent

#endif
