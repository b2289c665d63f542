//===- ProbeAccess.cpp - How classes reach their probes -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/ProbeAccess.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Whether \p Loader finds the class of a probe that the probed classes call.
bool ProbeAccess::asksForProbes(JNIEnv *Jni, jobject Loader) const {
  LocalFrame Frame(Jni, 8);
  jclass Sample = Probes.sample();
  jclass Found = loadClass(Jni, Loader, className(Env.Jvmti, Sample));
  return Found && Jni->IsSameObject(Found, Sample);
}

/// Facts about a loader, kept in its tag.
enum : jlong {
  AskedForSystem = 1, ///< whether it sees probes on the system loader
  SeesSystem = 2,
  AskedForBoot = 4, ///< and those on the boot loader
  SeesBoot = 8,
  SeesLink = 16,
};

/// Asks a loader of the program only once, and keeps the answer in its tag.
bool ProbeAccess::seesProbes(JNIEnv *Jni, jobject Loader) const {
  if (!Probes.sample())
    return true;
  LoaderKind Kind = Env.Known.kind(Jni, Loader);
  if (Kind != LoaderKind::Other)
    return Probes.onBootLoader() || Kind == LoaderKind::System;
  const bool Boot = Probes.onBootLoader();
  const jlong Asked = Boot ? AskedForBoot : AskedForSystem;
  const jlong Sees = Boot ? SeesBoot : SeesSystem;
  jlong Tag = 0;
  Env.Jvmti->GetTag(Loader, &Tag);
  if (!(Tag & Asked)) {
    Tag |= Asked | (asksForProbes(Jni, Loader) ? Sees : 0);
    Env.Jvmti->SetTag(Loader, Tag);
  }
  return Tag & Sees;
}

/// Makes the part of the boot library that \p C calls available to it.
llvm::Error ProbeAccess::openLink(const LoadedClass &C) const {
  // The system loader may have had another one before the agent came.
  const LoaderKind Kind = Env.Known.kind(C.Jni, C.Loader);
  if (Kind == LoaderKind::Boot || Kind == LoaderKind::Platform)
    return llvm::Error::success();
  jlong Tag = 0;
  Env.Jvmti->GetTag(C.Loader, &Tag);
  if (!(Tag & SeesLink)) {
    if (llvm::Error E = BootLibrary::defineLink(C.Jni, C.Loader))
      return E;
    // Another thread may have asked for something else.
    jlong Now = 0;
    Env.Jvmti->GetTag(C.Loader, &Now);
    Env.Jvmti->SetTag(C.Loader, Now | SeesLink);
  }
  BootLibrary::readLink(Env.Jvmti, C.Jni, C.Loader, C.Name);
  return llvm::Error::success();
}

std::map<unsigned, std::string>
ProbeAccess::findUnlinked(const LoadedClass &C, const Session &S,
                          const llvm::BitVector &Applied) const {
  if (Applied.none())
    return {};
  if (!Probes.areHosted()) {
    auto Unlinked = Probes.findUnlinked(S.bundle().Advices);
    if (!canAskLink(C.Name) && !seesProbes(C.Jni, C.Loader))
      for (const auto &[Probe, Why] : Probes.findBelowBoot(S.bundle().Advices))
        Unlinked.try_emplace(Probe, Why + ", so the class cannot reach it");
    for (auto I = Unlinked.begin(); I != Unlinked.end();)
      I = I->first < Applied.size() && Applied.test(I->first)
              ? std::next(I)
              : Unlinked.erase(I);
    return Unlinked;
  }
  return Probes.hosted().findUnlinked(Env, C.Jni, C.Loader,
                                      C.Class ? StringRef() : C.Name,
                                      S.bundle().Advices, Applied);
}

llvm::Expected<Dispatch> ProbeAccess::open(const LoadedClass &C,
                                           const Session &S, Decision What,
                                           bool Registered) {
  if (What == Decision::Trace)
    return Dispatch::Direct;
  if (What == Decision::Cover) {
    if (!canAskLink(C.Name))
      return makeError("has it among the classes that can have no call site");
    if (llvm::Error E = openLink(C))
      return E;
    return Dispatch::Direct;
  }
  const bool IsRegistry = What == Decision::Watch;
  const DispatchPolicy Policy = S.options().Weave.How;
  if (!IsRegistry && Registered && !canAskLink(C.Name))
    return Dispatch::Stub;
  // A class that can have no call site gets those of the boot loader, if others
  // are below it (findUnlinked).
  const bool GetsSome = Policy == DispatchPolicy::Auto && !canAskLink(C.Name) &&
                        !S.options().Weave.Inline &&
                        S.options().Weave.Schema != SchemaPolicy::Change;
  const bool Sees = IsRegistry || (!Registered && !Probes.areHosted() &&
                                   (GetsSome || seesProbes(C.Jni, C.Loader)));
  const Dispatch How =
      !IsRegistry && (Policy == DispatchPolicy::Indy ||
                      (Policy == DispatchPolicy::Auto && !Sees))
          ? Dispatch::Indy
          : Dispatch::Direct;
  if (How == Dispatch::Direct && !Sees)
    return makeError("does not see the classes of the probes");
  if (How == Dispatch::Indy && !canAskLink(C.Name))
    return makeError(Sees ? "is to reach the classes of the probes by call "
                            "sites, which the class can have none of"
                          : "does not see the classes of the probes, and the "
                            "class can have no call site");
  if (How == Dispatch::Indy || IsRegistry || S.usesLink()) {
    if (llvm::Error E = Boot.define(C.Jni))
      return makeError("does not get jopt.boot: " + toMessage(std::move(E)));
    if (llvm::Error E = openLink(C))
      return E;
  }
  return How;
}
