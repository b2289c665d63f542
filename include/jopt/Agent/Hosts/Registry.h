//===- Registry.h - Probe classes that a program registers ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_REGISTRY_H
#define JOPT_AGENT_HOSTS_REGISTRY_H

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Hosts/Stubs.h"
#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Probes/ProbeModes.h"

namespace jopt::agent {

/// A program's request to jopt.boot.record.ProbeControl, which has the numbers.
struct ProbeRequest {
  enum Kind { Register, Unregister, On, Off, Auto };
  struct Item {
    std::string Name; ///< dotted
    jobject Class =
        nullptr; ///< a global reference; null: only the name is known
    llvm::SmallVector<uint8_t, 0> File; ///< of the class; empty: there is none
  };
  Kind What = Register;
  std::vector<Item> Items;

  ProbeRequest(JNIEnv *Jni, jint What, jobjectArray Names, jobjectArray Classes,
               jobjectArray Files);
  void release(JNIEnv *Jni);
};

/// The probe classes that the program registered, and the modes that it gave
/// them and those of files. Used by one thread at a time.
class Registry {
public:
  explicit Registry(Environment &Env) : Env(Env) {}

  /// The session of start and attach; null: nothing is at work.
  const std::shared_ptr<const Session> &base() const { return Base; }
  /// How to treat the modes that the program gave.
  enum class ProgramModes {
    Forget, ///< others are at work from now on
    Keep,   ///< what is at work changes
  };
  void setBase(std::shared_ptr<const Session> New,
               ProgramModes Which = ProgramModes::Forget);
  /// \p New with what the program registered.
  llvm::Expected<std::shared_ptr<const Session>>
  compose(const std::shared_ptr<const Session> &New,
          ProgramModes Which = ProgramModes::Forget) const;
  /// The program registered none.
  bool isEmpty() const { return All.empty(); }

  struct Entry {
    RegisteredProbe Probe;
    jweak Class = nullptr;
    jobject Set = nullptr; ///< a global reference; null: it is off
  };
  using Entries = std::vector<std::unique_ptr<Entry>>;

  struct Change {
    std::shared_ptr<const Session> New; ///< is to be at work
    /// The probes that came and went: classes in which it has nothing stay.
    std::shared_ptr<const Session> Concerned;
    Entries Gone; ///< what goes: to be closed when it is in no class
  };
  /// Does what \p R asks for as far as it can be, and announces what cannot. No
  /// change: nothing is to be done in any class. Needs base().
  llvm::Expected<std::optional<Change>> apply(JNIEnv *Jni,
                                              const ProbeRequest &R);
  /// Hosts call nothing of \p Gone any more, activations in flight neither.
  void close(JNIEnv *Jni, const Entries &Gone);
  /// Nothing is registered any more.
  void clear(JNIEnv *Jni);

private:
  using Names = std::vector<std::string>;

  void say(const ProbeRequest &R, llvm::StringRef Name,
           const llvm::Twine &What) const;
  bool hasEntry(llvm::StringRef Name) const;
  ProbeMode givenMode(llvm::StringRef Name) const;
  std::vector<Entry *> find(JNIEnv *Jni, const ProbeRequest::Item &I) const;
  Names findFiles(llvm::StringRef Name) const;
  Names filesOn() const;
  void setModes(llvm::ArrayRef<std::string> Of, llvm::StringRef Mode);
  void add(JNIEnv *Jni, const ProbeRequest &R);
  bool addOne(JNIEnv *Jni, const ProbeRequest &R, const ProbeRequest::Item &I);
  bool turnOn(JNIEnv *Jni, Entry &E);
  void closeOne(JNIEnv *Jni, Entry &E);
  void take(JNIEnv *Jni, const ProbeRequest &R, Entries &Gone);
  Session::Choice choice() const;

  Environment &Env;
  std::shared_ptr<const Session> Base;
  Names Modes; ///< of probe classes of files: "on:NAME"
  Entries All;
  Stubs ForCore;
  uint64_t Number = 0; ///< of what was switched on so far
};

} // namespace jopt::agent

#endif
