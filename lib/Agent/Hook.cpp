//===- Hook.cpp - A class on its way into the JVM -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The class-file load hook. It runs on whatever thread loads the class, holds
/// no lock while it weaves, and whatever goes wrong leaves the class as it is.
///
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Agent.h"
#include "jopt/Agent/Ancestors.h"
#include "jopt/Agent/LostParts.h"
#include "jopt/Agent/Stack.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cstring>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

thread_local Agent::InHook Agent::ThreadIs = Agent::InHook::No;
/// The thread asks a loader for the class file of a loaded class.
static thread_local bool AsksForResource = false;

static uint64_t nanosecondsSince(std::chrono::steady_clock::time_point Begin) {
  return uint64_t(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - Begin)
          .count());
}

void Agent::onClass(JNIEnv *Jni, jclass Redefined, jobject Loader,
                    const char *Name, jobject Domain, Bytes Data, jint *NewSize,
                    unsigned char **NewData) {
  std::shared_ptr<const Session> S = current();
  if (!S && !Redefined)
    return;
  ++Count.Seen;
  if (ThreadIs != InHook::No) {
    ++Count.Nested;
    return;
  }
  ThreadIs = Redefined ? InHook::ForChange : InHook::ForLoading;
  auto Begin = std::chrono::steady_clock::now();
  weave(Jni, S, Redefined, Loader, Name, Domain, Data, NewSize, NewData);
  Count.Nanoseconds += nanosecondsSince(Begin);
  ThreadIs = InHook::No;
}

/// The class of \p Loader, as the JVM names it: "boot" for the boot loader.
static std::string loaderName(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader) {
  if (!Loader)
    return "boot";
  jclass Class = Jni->GetObjectClass(Loader);
  std::string Name = className(Jvmti, Class);
  Jni->DeleteLocalRef(Class);
  return Name;
}

/// The name in a class file that came without one.
static std::string nameOf(Bytes Data) {
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return {};
  }
  return (*Class)->name().str();
}

/// How \p S may change the class; none if it may not.
std::optional<Dispatch> Agent::howWanted(JNIEnv *Jni, const Session &S,
                                         StringRef Name, jobject Loader,
                                         jobject Domain, Bytes Data) {
  const bool Registry = S.isRegistry(Name);
  if (!Registry && (!S.filter().accepts(Name, Known.kind(Jni, Loader)) ||
                    !acceptsOrigin(Jni, S.options(), Loader, Domain))) {
    ++Count.Filtered;
    return std::nullopt;
  }
  if (!Registry && !S.matcher().canMatchClass(Name)) {
    if (S.mayTrace(Data))
      return Dispatch::Direct;
    ++Count.Unmatched;
    return std::nullopt;
  }
  const DispatchPolicy Policy = S.options().Dispatch;
  const bool Sees = Registry || seesProbes(Jni, Loader);
  const Dispatch How = !Registry && (Policy == DispatchPolicy::Indy ||
                                     (Policy == DispatchPolicy::Auto && !Sees))
                           ? Dispatch::Indy
                           : Dispatch::Direct;
  std::string Why;
  if (How == Dispatch::Direct && !Sees) {
    Why = "does not see the classes of the probes";
  } else if (How == Dispatch::Indy &&
             !canHaveCallSites(Name,
                               Data.size() < 8 ? 0 : readU2(Data.data() + 6))) {
    Why = Sees ? "is to reach the classes of the probes by call sites, which "
                 "the class can have none of"
               : "does not see the classes of the probes, and the class can "
                 "have no call site";
  } else if (How == Dispatch::Indy || Registry || S.usesLink()) {
    if (llvm::Error E = Boot.define(Jni))
      Why = "does not get jopt.boot: " + toMessage(std::move(E));
    else if (!seesLink(Jni, Loader, Name))
      Why = "does not take jopt.boot.Link";
  }
  if (Why.empty())
    return How;
  ++Count.Failed;
  TheLog.once(LogLevel::Warning, Name + ": left as it was: its loader (" +
                                     loaderName(Jvmti, Jni, Loader) + ") " +
                                     Why);
  return std::nullopt;
}

/// \p Data, as the JVM hands it over for the loaded class \p Class, with what
/// the JVM does not keep, from the loader's resource. Empty if there is nothing
/// to add.
llvm::SmallVector<uint8_t, 0> Agent::restoreLoaded(JNIEnv *Jni,
                                                   const Session &S,
                                                   jclass Class, jobject Loader,
                                                   StringRef Name, Bytes Data) {
  bool Annotations = S.matcher().needsAnnotations();
  // The JVM verifies what other loaders have, and needs the frames for that.
  if (!Annotations && (Loader || !hasNoFrames(Data)))
    return {};
  std::string Why = "its loader is just being asked for another";
  if (!AsksForResource) {
    AsksForResource = true;
    llvm::SmallVector<uint8_t, 0> Resource;
    {
      OutOfHook ForTheLoader;
      Resource = readResource(Jni, Class, Name);
    }
    AsksForResource = false;
    Why = "its loader has no class file of it";
    if (!Resource.empty()) {
      auto Added = restoreLostParts(Data, Resource);
      if (Added)
        return std::move(*Added);
      Why = "its loader has a class file of it, but " +
            toMessage(Added.takeError());
    }
  }
  if (Annotations)
    TheLog.once(LogLevel::Warning,
                Name +
                    ": was loaded before its probes came: the JVM may not "
                    "tell of annotations that are not visible at run time, "
                    "and " +
                    Why);
  return {};
}

/// The class with the members that it was loaded with and, if \p S is given,
/// its probes.
llvm::Expected<ClassOutcome> Agent::makeClass(const Session *S,
                                              const Loaded &Members,
                                              WeaveMode Mode, Bytes Data) {
  if (S && inOneStep(*S, Members, Mode)) {
    Mode.Loaded &= !Members.By;
    return S->weave(Data, Mode);
  }
  auto First = Members.By->addMembers(Data, Members.How, Mode.Ancestry);
  if (!First || !S || !First->Left.empty())
    return First;
  // A class that came at stage 1 of the tracing facility has them already.
  auto Second = S->weave(First->Changed ? Bytes(First->Data) : Data, Mode);
  if (!Second || !Second->Changed)
    return First;
  return Second;
}

/// Copies \p Data to where the JVM takes it from.
bool Agent::handOver(StringRef Name, Bytes Data, jint *NewSize,
                     unsigned char **NewData) {
  unsigned char *Memory = nullptr;
  jvmtiError E = Jvmti->Allocate(jlong(Data.size()), &Memory);
  if (E != JVMTI_ERROR_NONE) {
    ++Count.Failed;
    TheLog.once(LogLevel::Warning, Name + ": left as it was: no memory (" +
                                       errorName(Jvmti, E) + ")");
    return false;
  }
  std::memcpy(Memory, Data.data(), Data.size());
  *NewData = Memory;
  *NewSize = jint(Data.size());
  return true;
}

/// The loaded class \p Class has not the number of members that its class file
/// \p Data has. The same file may have come for another loader when there were
/// no probes.
bool Agent::hasOtherMembers(jclass Class, Bytes Data) const {
  jint Fields = 0, Methods = 0;
  JvmtiMemory<jfieldID> FieldList(Jvmti);
  JvmtiMemory<jmethodID> MethodList(Jvmti);
  auto Read = readClass(Data);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return true;
  }
  // Not linked: nobody can know.
  return Jvmti->GetClassFields(Class, &Fields, &FieldList) !=
             JVMTI_ERROR_NONE ||
         size_t(Fields) != (*Read)->Fields.size() ||
         Jvmti->GetClassMethods(Class, &Methods, &MethodList) !=
             JVMTI_ERROR_NONE ||
         size_t(Methods) != (*Read)->Methods.size();
}

void Agent::weave(JNIEnv *Jni, std::shared_ptr<const Session> S,
                  jclass Redefined, jobject Loader, const char *GivenName,
                  jobject Domain, Bytes Data, jint *NewSize,
                  unsigned char **NewData) {
  auto Begin = std::chrono::steady_clock::now();
  std::string Read;
  if (!GivenName)
    Read = nameOf(Data);
  StringRef Name = GivenName ? StringRef(GivenName) : StringRef(Read);
  std::pair<std::string, uint64_t> Key;
  Loaded Members;
  WeaveMode Mode;
  Mode.Loaded = Redefined;
  if (S) {
    Mode.Registry = S->isRegistry(Name);
    auto How = howWanted(Jni, *S, Name, Loader, Domain, Data);
    if (!How && Mode.Registry)
      traceAlways(Jni, *S, Name, Redefined);
    if (!How)
      S = nullptr;
    Mode.How = How.value_or(Dispatch::Direct);
  }
  if (S && S->tracesOnDemand())
    Mode.Traced = isToBeTraced(Jni, *S, Redefined, Name, Data);
  auto Stayed = llvm::make_scope_exit([&] {
    if (S && S->tracesOnDemand() && Mode.Traced && !Redefined)
      Traced.stayed(Name);
  });
  const bool Remembers =
      Redefined || (S && !Mode.Registry && S->addsMembers(Mode.How));
  if (Remembers)
    Key = {Name.str(), llvm::xxh3_64bits(Data)};
  if (Redefined) {
    std::lock_guard<std::mutex> Guard(ChangedLock);
    if (auto At = WithMembers.find(Key); At != WithMembers.end())
      Members = At->second;
  }
  if (Members.By && !hasOtherMembers(Redefined, Data))
    Members = {};
  if (!S && !Members.By)
    return;
  llvm::SmallVector<uint8_t, 0> Restored;
  if (S && Redefined)
    Restored = restoreLoaded(Jni, *S, Redefined, Loader, Name, Data);
  if (!Restored.empty())
    Data = Restored;
  std::unique_ptr<MemoryHierarchy> Ancestry;
  if ((S && S->matcher().needsHierarchy()) ||
      (Members.By && Members.By->matcher().needsHierarchy())) {
    OutOfHook ForTheLoader;
    Ancestry = Redefined ? ancestorsOf(Jvmti, Jni, Redefined)
                         : ancestorsOf(Jvmti, Jni, Loader, Data);
    Mode.Ancestry = Ancestry.get();
  }
  std::optional<llvm::Expected<ClassOutcome>> Outcome;
  if (!runWithStack(
          [&] { Outcome.emplace(makeClass(S.get(), Members, Mode, Data)); })) {
    ++Count.Failed;
    TheLog.once(LogLevel::Warning,
                Name + ": left as it was: no stack to work on");
    return;
  }
  if (!*Outcome) {
    ++Count.Unreadable;
    TheLog.once(LogLevel::Debug,
                Name + ": left to the JVM: " + toMessage(Outcome->takeError()));
    return;
  }
  ClassOutcome &Result = **Outcome;
  if (S && Redefined && Result.Changed)
    tellInitialized(*S, Redefined, Name, Data, Ancestry.get());
  tell(Result, Name);
  if (Mode.Registry && !Result.Changed)
    traceAlways(Jni, *S, Name, Redefined);
  if (!Result.Changed) {
    ++(Result.Left.empty() ? Count.Unchanged : Count.Failed);
    return;
  }
  if (!handOver(Name, Result.Data, NewSize, NewData))
    return;
  Stayed.release();
  ++Count.Changed;
  Count.BytesBefore += Data.size();
  Count.BytesAfter += Result.Data.size();
  {
    std::lock_guard<std::mutex> Guard(ChangedLock);
    Changed.insert(Name);
    if (Remembers && !Redefined && S)
      WithMembers[Key] = {S, Mode.How};
  }
  if (!S)
    return;
  Flight.add(Name, Data.size(), Result.Data.size(), nanosecondsSince(Begin));
  TheLog.debug(Name + ": has probes");
  if (isJdkClass(Name, Known.kind(Jni, Loader)))
    tellIntrinsics(*S, Name, Data, Ancestry.get());
  // What got members of others before is made in two steps, which jopt has not.
  if (S->options().DumpFolder.empty() || !inOneStep(*S, Members, Mode))
    return;
  Mode.Loaded &= !Members.By;
  if (llvm::Error Err = TheDump.write(Name, Data, Result.Data,
                                      S->joptOptions(Mode), Ancestry.get()))
    TheLog.once(LogLevel::Warning, "dump: " + toMessage(std::move(Err)));
}

void Agent::tellIntrinsics(const Session &S, StringRef Name, Bytes Data,
                           const TypeHierarchy *Ancestry) {
  for (const std::string &M : S.probedIntrinsics(Data, Ancestry))
    TheLog.once(LogLevel::Warning,
                M + ": HotSpot's compilers may use an intrinsic instead, which "
                    "runs no probe: -XX:+UnlockDiagnosticVMOptions "
                    "-XX:DisableIntrinsic=NAME keeps them from it "
                    "(-XX:+PrintIntrinsics names it)");
}

/// A class that is new to the probes, and whose initialiser will not run again.
void Agent::tellInitialized(const Session &S, jclass Class, StringRef Name,
                            Bytes Data, const TypeHierarchy *Ancestry) {
  {
    std::lock_guard<std::mutex> Guard(ChangedLock);
    if (Changed.contains(Name))
      return;
  }
  jint Status = 0;
  if (S.putsIntoInitializer(Data, Ancestry) &&
      Jvmti->GetClassStatus(Class, &Status) == JVMTI_ERROR_NONE &&
      (Status & JVMTI_CLASS_STATUS_INITIALIZED))
    TheLog.once(LogLevel::Warning,
                Name + ": was initialised before its probes came: fragments "
                       "of its static initialiser do not run");
}

/// Hidden classes cannot be changed. Those of lambdas have nothing of their
/// own: the body is a method of its host.
void Agent::onPrepare(JNIEnv *Jni, jclass Class) {
  std::shared_ptr<const Session> S = current();
  JvmtiMemory<char> Signature(Jvmti);
  if (!S || ThreadIs != InHook::No ||
      Jvmti->GetClassSignature(Class, &Signature, nullptr) != JVMTI_ERROR_NONE)
    return;
  StringRef Name = Signature.get();
  if (!Name.consume_front("L") || !Name.contains('.') ||
      Name.contains("$$Lambda"))
    return;
  // "a/B.0x0123" was defined as a/B.
  Name = Name.take_until([](char C) { return C == '.'; });
  if (!S->filter().accepts(Name, LoaderKind::System) ||
      !canMatch(Jni, S->matcher(), Name, Class))
    return;
  {
    std::lock_guard<std::mutex> Guard(ChangedLock);
    if (!Hidden.insert(Name).second)
      return;
  }
  TheLog.once(LogLevel::Warning,
              Name + ": is a hidden class, which cannot be changed");
}

/// Whether \p Loader finds the class of a probe that the probed classes call.
bool Agent::asksForProbes(JNIEnv *Jni, jobject Loader) const {
  LocalFrame Frame(Jni, 8);
  jclass Sample = Probes.sample();
  jclass Found = loadClass(Jni, Loader, className(Jvmti, Sample));
  return Found && Jni->IsSameObject(Found, Sample);
}

/// What is remembered of a loader, in its tag.
enum : jlong {
  AskedForSystem = 1, ///< whether it sees probes on the system loader
  SeesSystem = 2,
  AskedForBoot = 4, ///< and those on the boot loader
  SeesBoot = 8,
  SeesLink = 16,
};

/// The same, remembered by the tag of the loader: the thread is about to
/// resolve classes by it anyway, so asking cannot block it any more than that.
bool Agent::seesProbes(JNIEnv *Jni, jobject Loader) {
  if (!Probes.sample())
    return true;
  LoaderKind Kind = Known.kind(Jni, Loader);
  if (Kind != LoaderKind::Other)
    return Probes.onBootLoader() || Kind == LoaderKind::System;
  const bool Boot = Probes.onBootLoader();
  const jlong Asked = Boot ? AskedForBoot : AskedForSystem;
  const jlong Sees = Boot ? SeesBoot : SeesSystem;
  jlong Tag = 0;
  Jvmti->GetTag(Loader, &Tag);
  if (!(Tag & Asked)) {
    Tag |= Asked | (asksForProbes(Jni, Loader) ? Sees : 0);
    Jvmti->SetTag(Loader, Tag);
  }
  return Tag & Sees;
}

/// Whether what a class \p Name of \p Loader asks of the boot library can be
/// had; sees to it.
bool Agent::seesLink(JNIEnv *Jni, jobject Loader, StringRef Name) {
  if (Known.kind(Jni, Loader) != LoaderKind::Other)
    return true;
  jlong Tag = 0;
  Jvmti->GetTag(Loader, &Tag);
  if (!(Tag & SeesLink)) {
    if (!BootLibrary::defineLink(Jni, Loader))
      return false;
    // Another thread may have asked for something else.
    jlong Now = 0;
    Jvmti->GetTag(Loader, &Now);
    Jvmti->SetTag(Loader, Now | SeesLink);
  }
  BootLibrary::readLink(Jvmti, Jni, Loader, Name);
  return true;
}

/// What went wrong with a class, each thing once.
void Agent::tell(const ClassOutcome &Outcome, StringRef Name) {
  if (!Outcome.Left.empty()) {
    std::string Text = Outcome.Left;
    for (const auto *Findings :
         {&Outcome.InputFindings, &Outcome.OutputFindings})
      for (const Finding &F : *Findings)
        Text += "; " + F.str();
    TheLog.once(LogLevel::Warning, Name + ": left as it was: " + Text);
  }
  for (const ReportRow &R : Outcome.Rows) {
    if (!isProblem(R.What))
      continue;
    ++Count.Problems;
    std::string Place = R.Method.empty() ? R.Class : R.Class + "." + R.Method;
    TheLog.once(
        LogLevel::Warning,
        Place + (R.What == ReportRow::LeftAlone ? ": left as it was: " : ": ") +
            R.Text);
  }
}

/// domain.getCodeSource().getLocation().toString(), or nothing.
static std::string sourceName(JNIEnv *Jni, jobject Domain) {
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
  if (!At)
    return {};
  const char *Chars = Jni->GetStringUTFChars(static_cast<jstring>(At), nullptr);
  std::string Text = Chars ? Chars : "";
  if (Chars)
    Jni->ReleaseStringUTFChars(static_cast<jstring>(At), Chars);
  return Text;
}

bool Agent::acceptsOrigin(JNIEnv *Jni, const AgentOptions &O, jobject Loader,
                          jobject Domain) {
  auto Matches = [](const std::vector<std::string> &Patterns,
                    const std::string &Name) {
    return llvm::any_of(Patterns, [&](const std::string &P) {
      return matchesWildcard(P, Name);
    });
  };
  if (!O.Loaders.empty() && !Matches(O.Loaders, loaderName(Jvmti, Jni, Loader)))
    return false;
  return O.Sources.empty() || Matches(O.Sources, sourceName(Jni, Domain));
}
