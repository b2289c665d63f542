//===- Registry.cpp - Probe classes that a program registers --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/Registry.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

ProbeRequest::ProbeRequest(JNIEnv *Jni, jint What, jobjectArray Names,
                           jobjectArray Classes, jobjectArray Files)
    : What(Kind(What)) {
  const jsize Size = Names ? Jni->GetArrayLength(Names) : 0;
  for (jsize I = 0; I < Size; ++I) {
    LocalFrame Frame(Jni, 8);
    Item &New = Items.emplace_back();
    New.Name = toString(
        Jni, static_cast<jstring>(Jni->GetObjectArrayElement(Names, I)));
    if (jobject C = Classes ? Jni->GetObjectArrayElement(Classes, I) : nullptr)
      New.Class = Jni->NewGlobalRef(C);
    if (auto *File = static_cast<jbyteArray>(
            Files ? Jni->GetObjectArrayElement(Files, I) : nullptr)) {
      New.File.resize(size_t(Jni->GetArrayLength(File)));
      Jni->GetByteArrayRegion(File, 0, jsize(New.File.size()),
                              reinterpret_cast<jbyte *>(New.File.data()));
    }
  }
  Jni->ExceptionClear();
}

void ProbeRequest::release(JNIEnv *Jni) {
  for (Item &I : Items)
    Jni->DeleteGlobalRef(std::exchange(I.Class, nullptr));
}

//===----------------------------------------------------------------------===//
// Registered probes
//===----------------------------------------------------------------------===//

void Registry::say(const ProbeRequest &R, StringRef Name,
                   const llvm::Twine &What) const {
  StringRef Asked = R.What == ProbeRequest::Register     ? "registerProbes"
                    : R.What == ProbeRequest::Unregister ? "unregisterProbes"
                                                         : "setMode";
  Env.TheLog.announce(Asked + " " + Name + ": " + What, LogLevel::Warning);
}

/// \p Name is \p Of, or nested in it.
static bool isIn(StringRef Name, StringRef Of) {
  return Name.consume_front(Of) && (Name.empty() || Name.front() == '$');
}

bool Registry::hasEntry(StringRef Name) const {
  return llvm::any_of(All,
                      [&](const auto &E) { return E->Probe.name() == Name; });
}

/// What the options of start or attach say.
ProbeMode Registry::givenMode(StringRef Name) const {
  return findMode(Base->givenModes(), Name);
}

/// What \p I names: of its own loader, if it gives a class.
std::vector<Registry::Entry *>
Registry::find(JNIEnv *Jni, const ProbeRequest::Item &I) const {
  LocalFrame Frame(Jni, 8);
  jobject Wanted = nullptr;
  if (I.Class)
    Env.Jvmti->GetClassLoader(static_cast<jclass>(I.Class), &Wanted);
  std::vector<Entry *> Found;
  for (const auto &E : All) {
    if (!isIn(E->Probe.name(), I.Name))
      continue;
    auto *Class = static_cast<jclass>(Jni->NewLocalRef(E->Class));
    jobject Loader = nullptr;
    if (Class)
      Env.Jvmti->GetClassLoader(Class, &Loader);
    if (!I.Class || Jni->IsSameObject(Loader, Wanted))
      Found.push_back(E.get());
    Jni->DeleteLocalRef(Loader);
    Jni->DeleteLocalRef(Class);
  }
  return Found;
}

/// The probe classes of files that \p Name means.
Registry::Names Registry::findFiles(StringRef Name) const {
  Names Found;
  for (const Probe &P : Base->files().Advices.Probes)
    if (P.HasMode && isIn(P.Name, Name))
      Found.push_back(P.Name);
  return Found;
}

void Registry::setModes(llvm::ArrayRef<std::string> Of, StringRef Mode) {
  for (const std::string &Name : Of) {
    llvm::erase_if(Modes,
                   [&](StringRef M) { return M.split(':').second == Name; });
    Modes.push_back((Mode + ":" + Name).str());
  }
}

/// A class that the program registered takes the place of that of a file.
Session::Choice Registry::choice() const {
  Session::Choice C;
  C.Modes = Modes;
  for (const auto &E : All) {
    C.Modes.push_back(("off:" + E->Probe.name()).str());
    if (E->Set)
      C.Registered.push_back(&E->Probe);
  }
  return C;
}

/// Those of files that are on.
Registry::Names Registry::filesOn() const {
  Names Given = Base->options().Weave.Modes, On;
  llvm::append_range(Given, choice().Modes);
  for (const Probe &P : Base->files().Advices.Probes)
    if (P.HasMode && isOn(Given, P.Name))
      On.push_back(P.Name);
  return On;
}

void Registry::setBase(std::shared_ptr<const Session> New, ProgramModes Which) {
  Base = std::move(New);
  if (Which == ProgramModes::Forget)
    Modes.clear();
}

/// Why classes can have no call sites for registered probes; empty if they can.
static StringRef whyNoSites(const Session &S) {
  const WeaveSettings &W = S.options().Weave;
  if (W.How == DispatchPolicy::Direct)
    return "with dispatch=direct classes call probes by name";
  if (W.Inline)
    return "inlined fragments may name classes of probes";
  if (W.Schema == SchemaPolicy::Change)
    return "with schema=change classes get members of the types of probes";
  return {};
}

Expected<std::shared_ptr<const Session>>
Registry::compose(const std::shared_ptr<const Session> &New,
                  ProgramModes Which) const {
  const bool Keeps = Which == ProgramModes::Keep && !Modes.empty();
  if (All.empty() && !Keeps)
    return New;
  Session::Choice C = choice();
  if (!Keeps)
    C.Modes.erase(C.Modes.begin(), C.Modes.begin() + ptrdiff_t(Modes.size()));
  if (StringRef Why = whyNoSites(*New); !Why.empty()) {
    Env.TheLog.announce("the program's probe classes are left out: " + Why,
                        LogLevel::Warning);
    C.Registered.clear();
  }
  return Session::choose(*New, C);
}

//===----------------------------------------------------------------------===//
// What the program asks for
//===----------------------------------------------------------------------===//

/// Hosts call nothing of \p E any more.
void Registry::closeOne(JNIEnv *Jni, Entry &E) {
  if (!E.Set)
    return;
  LocalFrame Frame(Jni, 8);
  jmethodID Close =
      Jni->GetMethodID(Jni->GetObjectClass(E.Set), "close", "()V");
  if (Close)
    Jni->CallVoidMethod(E.Set, Close);
  takeException(Jni);
  Jni->DeleteGlobalRef(std::exchange(E.Set, nullptr));
  if (!E.Probe.Stub.empty())
    ForCore.close(Jni, E.Probe);
}

/// From now on hosts find the class by its owner's name.
bool Registry::turnOn(JNIEnv *Jni, Entry &E) {
  if (E.Set)
    return true;
  LocalFrame Frame(Jni, 16);
  auto *Class = static_cast<jclass>(Jni->NewLocalRef(E.Class));
  if (!Class)
    return false;
  std::string Owner = E.Probe.name().str();
  std::replace(Owner.begin(), Owner.end(), '.', '/');
  E.Probe.Owner = Owner + "~" + std::to_string(++Number);
  BootLibrary::exportTo(Env.Jvmti, Jni, Class,
                        BootLibrary::find(Jni, "jopt/boot/Link"));
  jclass Sets = BootLibrary::find(Jni, "jopt/boot/ProbeSet");
  jmethodID Make = Sets ? Jni->GetStaticMethodID(Sets, "register",
                                                 "(Ljava/lang/String;Ljava/"
                                                 "lang/Class;)Ljava/lang/"
                                                 "Object;")
                        : nullptr;
  jstring Text = Make ? Jni->NewStringUTF(E.Probe.Owner.c_str()) : nullptr;
  jobject Set =
      Text ? Jni->CallStaticObjectMethod(Sets, Make, Text, Class) : nullptr;
  Jni->ExceptionClear();
  E.Set = Set ? Jni->NewGlobalRef(Set) : nullptr;
  E.Probe.Stub.clear();
  ProbeBundle Alone;
  Alone.Advices = E.Probe.Advices;
  if (!E.Set || !ClassFilter(Base->options(), Alone, {}).targetsCore())
    return E.Set;
  Error Failed = ForCore.assign(Jni, E.Probe);
  if (!Failed)
    Failed = ForCore.open(Env.Jvmti, Jni, E.Probe, Class);
  if (!Failed)
    return true;
  Env.TheLog.announce(E.Probe.name() + ": " + toMessage(std::move(Failed)),
                      LogLevel::Warning);
  closeOne(Jni, E);
  return false;
}

/// Registers the class of \p I, if it is a probe class; false: it is none.
bool Registry::addOne(JNIEnv *Jni, const ProbeRequest &R,
                      const ProbeRequest::Item &I) {
  std::string Path = I.Name + ".class";
  std::replace(Path.begin(), Path.begin() + ptrdiff_t(I.Name.size()), '.', '/');
  if (I.File.empty()) {
    say(R, I.Name, "its loader has no class file of it");
    return true;
  }
  auto Part = readProbeClasses({{Path, I.File}},
                               makeProbeOptions(Base->options().Weave));
  Error Wrong = Part ? checkAdviceSet(Part->Advices) : Part.takeError();
  if (Wrong) {
    say(R, I.Name, toMessage(std::move(Wrong)));
    return true;
  }
  for (const Diagnostic &D : Part->LeftOut)
    say(R, I.Name, D.Message + "; this probe class is applied nowhere");
  if (Part->Advices.Probes.empty())
    return !Part->LeftOut.empty();
  if (StringRef Why = whyNoSites(*Base); !Why.empty()) {
    say(R, I.Name, Why);
    return true;
  }
  const ProbeMode Mode = givenMode(I.Name);
  if (Mode == ProbeMode::Disable) {
    say(R, I.Name, "it is disabled by the agent's options");
    return true;
  }
  for (const auto &E : All)
    if (Jni->IsSameObject(E->Class, I.Class))
      return true;
  auto New = std::make_unique<Entry>();
  New->Probe.Advices = std::move(Part->Advices);
  New->Class = Jni->NewWeakGlobalRef(I.Class);
  if (Mode == ProbeMode::On && !turnOn(Jni, *New))
    say(R, I.Name, "it cannot be called");
  All.push_back(std::move(New));
  return true;
}

void Registry::add(JNIEnv *Jni, const ProbeRequest &R) {
  const ProbeRequest::Item *First = nullptr; // of those that come as classes
  bool IsAny = false;
  for (const ProbeRequest::Item &I : R.Items) {
    // The agent defined that one, of its own files.
    if (I.Class && (!I.File.empty() || findFiles(I.Name).empty())) {
      First = First ? First : &I;
      IsAny |= addOne(Jni, R, I);
      continue;
    }
    Names Found = findFiles(I.Name);
    if (Found.empty())
      say(R, I.Name,
          "the thread's class loader does not have it, nor is it on "
          "probeclasspath=");
    llvm::erase_if(Found, [&](StringRef Name) {
      const bool Not = givenMode(Name) == ProbeMode::Disable;
      if (Not)
        say(R, Name, "it is disabled by the agent's options");
      return Not;
    });
    setModes(Found, "on");
  }
  if (First && !IsAny)
    say(R, First->Name,
        "neither it nor what is nested in it has @MethodPattern");
}

/// Unregisters, or switches.
void Registry::take(JNIEnv *Jni, const ProbeRequest &R, Entries &Gone) {
  for (const ProbeRequest::Item &I : R.Items) {
    Names Files = findFiles(I.Name);
    std::vector<Entry *> Found = find(Jni, I);
    llvm::erase_if(Files, [&](StringRef Name) { return hasEntry(Name); });
    if (Files.empty() && Found.empty() && R.What != ProbeRequest::Unregister)
      say(R, I.Name, "no such probe class is registered");
    llvm::erase_if(Files, [&](StringRef Name) {
      const bool Not =
          R.What == ProbeRequest::On && givenMode(Name) == ProbeMode::Disable;
      if (Not)
        say(R, Name, "it is disabled by the agent's options");
      return Not;
    });
    setModes(Files, R.What == ProbeRequest::On ? "on" : "off");
    for (Entry *E : Found) {
      if (R.What == ProbeRequest::On) {
        turnOn(Jni, *E);
        continue;
      }
      if (E->Set) {
        // It is still asked which classes it is in.
        Gone.push_back(std::make_unique<Entry>());
        Gone.back()->Probe = E->Probe;
        Gone.back()->Set = std::exchange(E->Set, nullptr);
      }
      if (R.What != ProbeRequest::Unregister)
        continue;
      setModes(findFiles(E->Probe.name()), "off");
      Jni->DeleteWeakGlobalRef(E->Class);
      llvm::erase_if(All, [&](const auto &Is) { return Is.get() == E; });
    }
  }
}

Expected<std::optional<Registry::Change>>
Registry::apply(JNIEnv *Jni, const ProbeRequest &R) {
  const Names Before = filesOn();
  llvm::StringSet<> Owners;
  for (const auto &E : All)
    if (E->Set)
      Owners.insert(E->Probe.Owner);
  Change C;
  Entries &Gone = C.Gone;
  if (R.What == ProbeRequest::Register)
    add(Jni, R);
  else
    take(Jni, R, Gone);

  Session::Choice Concerned;
  Concerned.OnlyClasses = true;
  Concerned.Modes = {"off:*"};
  const Names Now = filesOn();
  for (const auto *Some : {&Before, &Now})
    for (const std::string &Name : *Some)
      if (llvm::is_contained(Before, Name) != llvm::is_contained(Now, Name))
        Concerned.Modes.push_back("on:" + Name);
  for (const auto &E : Gone)
    Concerned.Registered.push_back(&E->Probe);
  for (const auto &E : All)
    if (E->Set && !Owners.contains(E->Probe.Owner))
      Concerned.Registered.push_back(&E->Probe);
  if (Concerned.Registered.empty() && Concerned.Modes.size() == 1)
    return std::nullopt;
  auto New = Session::choose(*Base, choice());
  if (!New)
    return New.takeError();
  auto Of = Session::choose(*Base, Concerned);
  if (!Of)
    return Of.takeError();
  C.New = std::move(*New);
  C.Concerned = std::move(*Of);
  return std::optional<Change>(std::move(C));
}

void Registry::close(JNIEnv *Jni, const Entries &Gone) {
  for (const auto &E : Gone)
    closeOne(Jni, *E);
}

void Registry::clear(JNIEnv *Jni) {
  close(Jni, All);
  for (const auto &E : All)
    Jni->DeleteWeakGlobalRef(E->Class);
  All.clear();
  setBase(nullptr);
}
