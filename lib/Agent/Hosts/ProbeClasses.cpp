//===- ProbeClasses.cpp - Probe classes in the JVM ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/ProbeClasses.h"
#include "DefineClasses.h"
#include "TypeAccess.h"
#include "jopt/Agent/Hook/EmptyFragments.h"
#include "jopt/Probes/Java/Fragments.h"
#include "jopt/Probes/ProbeText.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// Whether \p All are on the boot loader, or are to be. Fails if a class of one
/// of their names with other content is there.
llvm::Expected<bool> ProbeClasses::isForBoot(JNIEnv *Jni, const Parts &All,
                                             const Request &R,
                                             Log &TheLog) const {
  std::optional<bool> Before;
  bool AreAllThere = true;
  for (const auto &[Name, P] : All) {
    auto At = Defined.find(Name);
    if (At == Defined.end()) {
      AreAllThere = false;
      continue;
    }
    if (At->second.Hash != P.Hash)
      return makeError("the JVM has another class " + Name +
                       " of probes already, and keeps it; compile the probes "
                       "into another package (probe-package=)");
    Before = Before.value_or(true) && At->second.OnBoot;
  }
  if (Before && AreAllThere)
    return *Before;
  if (R.Place != ProbePlace::Auto)
    return R.Place == ProbePlace::Boot;
  for (const std::string &Name : outsideNames(All)) {
    if (isOnBoot(Jni, Name))
      continue;
    std::string Why = "probes refer to " + Name +
                      ", which the boot loader does not have: they go to the "
                      "system loader";
    if (R.TargetsCore)
      TheLog.warning(Why + ", where classes in java.*, jdk.* and sun.* do not "
                           "reach them; with it on -Xbootclasspath/a: they do, "
                           "and so they do where the program registers probe "
                           "classes");
    else
      TheLog.info(Why);
    return false;
  }
  return true;
}

namespace {

/// What classes of probes may refer to on the boot loader, or on the system
/// loader.
class LinkCheck {
public:
  LinkCheck(Environment &Env, JNIEnv *Jni, bool Boot)
      : Env(Env), Jni(Jni), Boot(Boot) {}
  /// Why \p P cannot refer to \p Name, as a clause behind "which"; empty if it
  /// can.
  StringRef whyNot(const Part &P, const std::string &Name);

private:
  Environment &Env;
  JNIEnv *Jni;
  bool Boot;
  struct Answer {
    bool IsOnSystem = false;
    std::string Why;
  };
  std::map<std::string, Answer> Known;
};

} // namespace

static StringRef packageOf(StringRef Name) { return Name.rsplit('/').first; }

StringRef LinkCheck::whyNot(const Part &P, const std::string &Name) {
  auto [At, New] = Known.try_emplace(Name);
  Answer &A = At->second;
  if (New && isOnBoot(Jni, Name)) {
    A.Why = whyNoAccess(Env, Jni, nullptr, Name);
  } else if (New && !Boot && finds(Jni, Env.Known.system(), Name)) {
    A.IsOnSystem = true;
    A.Why = whyNoAccess(Env, Jni, Env.Known.system(), Name);
  } else if (New) {
    A.Why = Boot ? "the boot loader does not have"
                 : "neither the boot loader nor the system loader has";
    A.Why += ": put it on the program's class path, or take it as Object and "
             "use reflection";
  }
  // Classes of one package and loader may use each other.
  return A.IsOnSystem && packageOf(P.Name) == packageOf(Name) ? StringRef()
                                                              : A.Why;
}

/// Calls \p Use for each of \p All and what it refers to outside of them.
static void forEachReference(
    const Parts &All,
    llvm::function_ref<void(const Part &, const std::string &)> Use) {
  for (const auto &[Of, P] : All)
    for (const auto &Entry : P.Names)
      if (std::string Name = Entry.getKey().str(); !All.count(Name))
        Use(P, Name);
}

static bool canLink(Environment &Env, JNIEnv *Jni, const Parts &All,
                    bool Boot) {
  LinkCheck Check(Env, Jni, Boot);
  bool Can = true;
  forEachReference(All, [&](const Part &P, const std::string &Name) {
    Can = Can && Check.whyNot(P, Name).empty();
  });
  return Can;
}

/// The problems, by class, that classes of \p All have on the boot loader or on
/// the system loader: they refer, themselves or through others, to classes that
/// they cannot use from there, so that their fragments would throw.
static std::map<std::string, std::string>
findUnlinked(Environment &Env, JNIEnv *Jni, const Parts &All, bool Boot) {
  LinkCheck Check(Env, Jni, Boot);
  std::map<std::string, std::string> Wrong;
  forEachReference(All, [&](const Part &P, const std::string &Name) {
    StringRef Why = Check.whyNot(P, Name);
    if (Why.empty())
      return;
    std::string Type = Name;
    std::replace(Type.begin(), Type.end(), '/', '.');
    Wrong.try_emplace(P.Name, "refers to " + Type + ", which " + Why.str());
  });
  for (size_t Before = 0; Before != Wrong.size();) {
    Before = Wrong.size();
    for (const auto &[Name, P] : All)
      for (const auto &Entry : P.Names)
        if (auto At = Wrong.find(Entry.getKey().str()); At != Wrong.end())
          Wrong.try_emplace(Name, At->second);
  }
  return Wrong;
}

std::map<std::string, std::string>
ProbeClasses::findBelowBoot(Environment &Env, JNIEnv *Jni, const Parts &All,
                            const Request &R) const {
  const bool Divides = R.Place == ProbePlace::Auto && R.TargetsCore;
  std::map<std::string, std::string> Below;
  for (const auto &[Name, Why] : ::findUnlinked(Env, Jni, All, /*Boot=*/true))
    Below[Name] = StringRef(Why).split(':').first.str();
  for (const auto &[Name, P] : All) {
    auto At = Defined.find(Name);
    if (At == Defined.end() ? !Divides : !At->second.OnBoot)
      Below.try_emplace(Name, "is on the system loader");
  }
  // Add the classes that refer to them, and those of their package that they
  // refer to: members that are not public are accessible in one loader only.
  for (size_t Before = 0; Before != Below.size();) {
    Before = Below.size();
    for (const auto &[Name, P] : All)
      for (const auto &Entry : P.Names) {
        const std::string To = Entry.getKey().str();
        if (!All.count(To))
          continue;
        if (auto At = Below.find(To); At != Below.end())
          Below.try_emplace(Name, At->second);
        else if (auto Of = Below.find(Name);
                 Of != Below.end() && packageOf(Name) == packageOf(To))
          Below.try_emplace(To, Of->second);
      }
  }
  return Below;
}

/// The probes of \p Advices whose classes are in \p Wrong.
static std::map<unsigned, std::string>
probesOf(const std::map<std::string, std::string> &Wrong,
         const AdviceSet &Advices) {
  std::map<unsigned, std::string> Found;
  for (const Advice &A : Advices.Advices)
    if (auto At = Wrong.find(A.Body.Owner); At != Wrong.end())
      Found.try_emplace(A.Probe, At->second);
  return Found;
}

std::map<unsigned, std::string>
ProbeClasses::findUnlinked(const AdviceSet &Advices) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Unlinked.empty() ? std::map<unsigned, std::string>()
                          : probesOf(Unlinked, Advices);
}

std::map<unsigned, std::string>
ProbeClasses::findBelowBoot(const AdviceSet &Advices) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return probesOf(BelowBoot, Advices);
}

/// Takes what cannot link on its loader out of \p All. Fails if no probe is
/// left then.
Error ProbeClasses::leaveUnlinked(Environment &Env, JNIEnv *Jni, Parts &All,
                                  bool Boot, const AdviceSet &Advices) {
  auto Wrong = ::findUnlinked(Env, Jni, All, Boot);
  const auto Without = probesOf(Wrong, Advices);
  const bool HasOthers = llvm::any_of(Advices.Advices, [&](const Advice &A) {
    return !Without.count(A.Probe);
  });
  Error Errors = Error::success();
  if (!Wrong.empty() && !HasOthers)
    for (const auto &[P, Why] : Without) {
      const Probe &Of = Advices.Probes[P];
      ++Env.Count.Problems;
      Errors = llvm::joinErrors(
          std::move(Errors),
          makeError(Of.Where, "probe '" + Of.Name + "' " + Why));
    }
  if (Errors)
    return Errors;
  for (const auto &[Name, Why] : Wrong)
    All.erase(Name);
  std::lock_guard<std::mutex> Guard(Lock);
  Unlinked = std::move(Wrong);
  return Error::success();
}

/// Gives the JVM the class \p P with the fragments of \p Advices.
Error ProbeClasses::defineOne(JNIEnv *Jni, const Part &P, bool Boot,
                              jobject Loader, const AdviceSet &Advices) {
  LocalFrame Frame(Jni, 16);
  jclass C = defineClass(Jni, P.Name, Loader, P.Data);
  std::string Thrown = takeException(Jni);
  if (!C)
    return makeError("the JVM refuses the class " + P.Name +
                     " of the probes: " + Thrown);
  Definition &D = Defined[P.Name];
  D.Hash = P.Hash;
  D.OnBoot = Boot;
  if (!Samples[Boot])
    Samples[Boot] = static_cast<jclass>(Jni->NewGlobalRef(C));
  auto Empty = emptyFragments(P.Data, Advices);
  if (!Empty)
    return Empty.takeError();
  if (!Empty->empty()) {
    D.Class = static_cast<jclass>(Jni->NewGlobalRef(C));
    D.Full.assign(P.Data.begin(), P.Data.end());
    D.Empty = std::move(*Empty);
  }
  return Error::success();
}

/// What does something when a probe comes.
static constexpr llvm::StringLiteral LifeClass = "jopt/probe/Life";

/// Runs their static initialisers, or just that of the guard against recursion,
/// which must not be made while it is needed. Where classes of the JDK have
/// probes, no initialiser may run wherever the JDK happens to be.
static Error initialize(JNIEnv *Jni, const Parts &All, jobject Loader,
                        bool GuardOnly) {
  for (const auto &[Name, P] : All) {
    if (GuardOnly && !StringRef(Name).ends_with("/" + RuntimeClass.str()) &&
        !P.Names.contains(LifeClass))
      continue;
    LocalFrame Frame(Jni, 8);
    std::string Thrown;
    if (!forName(Jni, Name, /*Initialize=*/true, Loader, &Thrown))
      return makeError("the class " + Name +
                       " of the probes cannot be initialised: " + Thrown);
  }
  return Error::success();
}

/// The classes \p All go into loaders of their own.
Error ProbeClasses::openHosted(Environment &Env, JNIEnv *Jni, const Parts &All,
                               const AdviceSet &Callable) {
  if (Error E = Boot.define(Jni))
    return E;
  llvm::StringSet<> Called;
  for (const Advice &A : Callable.Advices) {
    Called.insert(A.Body.Owner);
    Called.insert(StringRef(A.Switch).rsplit('.').first);
  }
  if (Error E = Hosted.open(Env, Jni, All, Called))
    return E;
  IsHosted = true;
  return redefine(Env.Jvmti, /*Runs=*/false, [](StringRef) { return true; });
}

Error ProbeClasses::define(Environment &Env, JNIEnv *Jni,
                           const ProbeBundle &Bundle, const Request &R) {
  Parts All;
  for (const auto &[Path, Data] : Bundle.Classes) {
    auto P = readPart(Path, Data);
    if (!P)
      return P.takeError();
    std::string Name = P->Name;
    All.emplace(std::move(Name), std::move(*P));
  }
  const bool AreThere =
      llvm::all_of(All, [&](const auto &P) { return Defined.count(P.first); });
  if (R.Place == ProbePlace::Host && !R.WhyNotHosted.empty())
    return makeError("place=host: " + R.WhyNotHosted);
  if (!All.empty() && (R.Place == ProbePlace::Host ||
                       (R.Place == ProbePlace::Auto && R.WhyNotHosted.empty() &&
                        R.PrefersHosted && !AreThere)))
    return openHosted(Env, Jni, All, *R.Callable);
  auto Boot = isForBoot(Jni, All, R, Env.TheLog);
  if (!Boot)
    return Boot.takeError();
  if (R.Place == ProbePlace::Auto && R.WhyNotHosted.empty() &&
      !canLink(Env, Jni, All, *Boot)) {
    Env.TheLog.info("probes refer to what they cannot use from the boot loader "
                    "or the system loader: they go below the loaders of the "
                    "classes that they probe");
    return openHosted(Env, Jni, All, *R.Callable);
  }
  if (Error E = leaveUnlinked(Env, Jni, All, *Boot, Bundle.Advices))
    return E;

  std::map<std::string, std::string> Below;
  if (!*Boot)
    Below = findBelowBoot(Env, Jni, All, R);
  jobject Loader = Below.empty() ? nullptr : Env.Known.system();
  LocalFrame Frame(Jni, 16);
  for (const Part *P : sorted(All))
    if (!Defined.count(P->Name)) {
      const bool IsBelow = Below.count(P->Name);
      if (Error E = defineOne(Jni, *P, !IsBelow, IsBelow ? Loader : nullptr,
                              Bundle.Advices))
        return E;
    }
  if (Error E = initialize(Jni, All, Loader, /*GuardOnly=*/!R.Initialize))
    return E;
  OnBoot = Below.empty();
  IsHosted = false;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    BelowBoot = std::move(Below);
  }
  auto IsNew = [&](StringRef Name) { return All.count(Name.str()) != 0; };
  if (Error E = redefine(Env.Jvmti, /*Runs=*/true, IsNew))
    return E;
  return redefine(Env.Jvmti, /*Runs=*/false,
                  [&](StringRef Name) { return !IsNew(Name); });
}

void ProbeClasses::leaveOthers(JNIEnv *Jni) {
  if (IsHosted)
    Hosted.closeOthers(Jni);
  else
    Hosted.close(Jni);
}

/// All at once: one stop of all threads.
Error ProbeClasses::redefine(jvmtiEnv *Jvmti, bool Runs,
                             llvm::function_ref<bool(StringRef)> Which) {
  std::vector<jvmtiClassDefinition> Definitions;
  std::vector<Definition *> Of;
  for (auto &Entry : Defined) {
    Definition &D = Entry.second;
    if (!D.Class || D.Runs == Runs || !Which(Entry.getKey()))
      continue;
    Bytes Data = Runs ? D.Full : D.Empty;
    Definitions.push_back({D.Class, jint(Data.size()), Data.data()});
    Of.push_back(&D);
  }
  if (Of.empty())
    return Error::success();
  if (jvmtiError E =
          Jvmti->RedefineClasses(jint(Definitions.size()), Definitions.data()))
    return jvmtiFailed(Jvmti, E,
                       Runs ? "let probes run that were disabled"
                            : "disable probes");
  for (Definition *D : Of)
    D->Runs = Runs;
  return Error::success();
}

Error ProbeClasses::disable(jvmtiEnv *Jvmti) {
  IsHosted = false;
  return redefine(Jvmti, /*Runs=*/false, [](StringRef) { return true; });
}

/// The class \p Name of probes, initialised: a local reference; null if it is
/// not there.
jclass ProbeClasses::find(Environment &Env, JNIEnv *Jni, StringRef Name,
                          std::string *Thrown) const {
  auto At = Defined.find(Name);
  return At == Defined.end()
             ? nullptr
             : forName(Jni, Name.str(), /*Initialize=*/true,
                       At->second.OnBoot ? nullptr : Env.Known.system(),
                       Thrown);
}

/// Calls \p Use with each of \p Advices and the class of its method that is
/// there, or with each copy of that.
void ProbeClasses::forEachAdvice(
    Environment &Env, JNIEnv *Jni, const AdviceSet &Advices,
    llvm::function_ref<void(const Advice &, jclass Owner)> Use) const {
  if (!IsHosted) {
    for (const Advice &A : Advices.Advices) {
      LocalFrame Frame(Jni, 16);
      if (jclass C = find(Env, Jni, A.Body.Owner))
        Use(A, C);
    }
    return;
  }
  Error E = Hosted.forEachClass(Jni, [&](jclass C) {
    std::string Name = className(Env.Jvmti, C);
    for (const Advice &A : Advices.Advices)
      if (A.Body.Owner == Name)
        Use(A, C);
    return Error::success();
  });
  llvm::consumeError(std::move(E)); // Another time.
}

/// The array in the field of \p Class whose name is \p Kind and \p Method, as
/// long as \p Size; null if there is none: probes of an older jopt, or that
/// were compiled otherwise, do not count.
static jlongArray findCounts(JNIEnv *Jni, jclass Class, StringRef Kind,
                             StringRef Method, jsize Size) {
  jfieldID Field =
      Jni->GetStaticFieldID(Class, (Kind + Method).str().c_str(), "[J");
  auto *Counts = static_cast<jlongArray>(
      Field ? Jni->GetStaticObjectField(Class, Field) : nullptr);
  Jni->ExceptionClear();
  return Counts && Jni->GetArrayLength(Counts) == Size ? Counts : nullptr;
}

std::vector<uint64_t>
ProbeClasses::takeIsolated(Environment &Env, JNIEnv *Jni,
                           const AdviceSet &Advices) const {
  std::vector<uint64_t> Taken(Advices.Probes.size());
  forEachAdvice(Env, Jni, Advices, [&](const Advice &A, jclass C) {
    jlongArray Count = findCounts(Jni, C, FailureCount, A.Body.Name, 2);
    if (!Count)
      return;
    jlong Seen[2]; // how many, how many of these were taken
    Jni->GetLongArrayRegion(Count, 0, 2, Seen);
    Jni->SetLongArrayRegion(Count, 1, 1, Seen);
    Jni->DeleteLocalRef(Count);
    Taken[A.Probe] += uint64_t(Seen[0] - Seen[1]);
  });
  return Taken;
}

std::vector<std::optional<FragmentCalls>>
ProbeClasses::takeEvents(Environment &Env, JNIEnv *Jni,
                         const AdviceSet &Advices) const {
  std::vector<std::optional<FragmentCalls>> Taken(Advices.Advices.size());
  constexpr jsize Size = EventStripes * EventStripe;
  forEachAdvice(Env, Jni, Advices, [&](const Advice &A, jclass C) {
    jlongArray Count = findCounts(Jni, C, EventCount, A.Body.Name, Size);
    if (!Count)
      return;
    // Copies of a class, for loaders, add up.
    std::optional<FragmentCalls> &Of =
        Taken[size_t(&A - Advices.Advices.data())];
    Of = Of.value_or(FragmentCalls());
    jlong Seen[Size];
    Jni->GetLongArrayRegion(Count, 0, Size, Seen);
    for (jsize At = 0; At < Size; At += EventStripe) {
      Jni->SetLongArrayRegion(Count, At + 2, 2, Seen + At);
      Of->Number += uint64_t(Seen[At] - Seen[At + 2]);
      Of->Nanoseconds += uint64_t(Seen[At + 1] - Seen[At + 3]);
    }
    Jni->DeleteLocalRef(Count);
  });
  return Taken;
}

/// Has \p C read its parameters again, if it has some.
static Error readParamsOf(JNIEnv *Jni, jclass C) {
  jmethodID Read = Jni->GetStaticMethodID(C, ParamReader.data(), "()V");
  Jni->ExceptionClear();
  if (Read)
    Jni->CallStaticVoidMethod(C, Read);
  std::string Thrown = takeException(Jni);
  return Thrown.empty()
             ? Error::success()
             : makeError("probes cannot read their parameters: " + Thrown);
}

/// All probes of \p Bundle read their parameters again.
Error ProbeClasses::readParams(Environment &Env, JNIEnv *Jni,
                               const ProbeBundle &Bundle) {
  if (Bundle.Params.empty())
    return Error::success();
  if (IsHosted)
    return Hosted.forEachClass(Jni,
                               [&](jclass C) { return readParamsOf(Jni, C); });
  for (const auto &[Path, Data] : Bundle.Classes) {
    LocalFrame Frame(Jni, 16);
    StringRef Name = Path;
    Name.consume_back(".class");
    if (jclass C = find(Env, Jni, Name))
      if (Error E = readParamsOf(Jni, C))
        return E;
  }
  return Error::success();
}

Error ProbeClasses::setParams(Environment &Env, JNIEnv *Jni,
                              const ProbeBundle &Bundle,
                              llvm::ArrayRef<std::string> Given) {
  if (Error E = java::checkParams(Bundle.Params, Given))
    return E;
  for (StringRef Item : Given) {
    auto [Name, Value] = Item.split('=');
    std::string Property = (ParamProperty + Name).str();
    setProperty(Jni, Property, toModifiedUTF8(Value).value_or(Value.str()));
    GivenParams.insert(Property);
    Env.TheLog.info("parameter " + Name + " is " + Value);
  }
  return readParams(Env, Jni, Bundle);
}

void ProbeClasses::forgetParams(Environment &Env, JNIEnv *Jni,
                                const ProbeBundle *Bundle) {
  if (GivenParams.empty())
    return;
  for (const auto &Entry : GivenParams)
    setProperty(Jni, Entry.getKey(), std::nullopt);
  GivenParams.clear();
  if (Error E = Bundle ? readParams(Env, Jni, *Bundle) : Error::success())
    Env.TheLog.warning(toMessage(std::move(E)));
}

/// Calls Life.\p Method with the class of each of \p Advices.
void ProbeClasses::callLife(Environment &Env, JNIEnv *Jni,
                            const AdviceSet &Advices,
                            const char *Method) const {
  LocalFrame Frame(Jni, 16);
  jclass Life = BootLibrary::find(Jni, LifeClass);
  jmethodID Call =
      Life ? Jni->GetStaticMethodID(Life, Method, "(Ljava/lang/Class;)V")
           : nullptr;
  Jni->ExceptionClear();
  if (Call)
    forEachAdvice(Env, Jni, Advices, [&](const Advice &, jclass Owner) {
      Jni->CallStaticVoidMethod(Life, Call, Owner);
      Jni->ExceptionClear();
    });
}

void ProbeClasses::leaveOff(Environment &Env, JNIEnv *Jni,
                            const AdviceSet &Advices) const {
  callLife(Env, Jni, Advices, "end");
}

void ProbeClasses::beginAgain(Environment &Env, JNIEnv *Jni,
                              const AdviceSet &Advices) const {
  callLife(Env, Jni, Advices, "again");
}

std::vector<std::string> ProbeClasses::names() const {
  std::vector<std::string> Names;
  for (const auto &Entry : Defined)
    Names.push_back(Entry.getKey().str());
  llvm::append_range(Names, Hosted.names());
  return Names;
}
