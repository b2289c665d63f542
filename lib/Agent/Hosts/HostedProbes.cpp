//===- HostedProbes.cpp - Probe classes where their hosts are -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/HostedProbes.h"
#include "DefineClasses.h"
#include "TypeAccess.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace jopt::agent {
/// What a class of a set refers to outside of it, dotted.
struct OutsideNeeds {
  std::vector<std::string> Foreign; ///< what the boot loader does not have
  /// Classes of the boot loader that they may not use, and why.
  std::vector<std::pair<std::string, std::string>> Closed;
};
using NeedsByClass = std::map<std::string, OutsideNeeds>;
} // namespace jopt::agent

/// What the JVM knows of a set: of classes that refer to one another.
struct HostedProbes::Set {
  jobject Object = nullptr; ///< a global reference
  uint64_t Hash = 0;
  std::shared_ptr<const NeedsByClass> Needs;
  std::vector<std::string> Names;
  llvm::StringSet<> Called; ///< of these, what hosts called so far
};

HostedProbes::HostedProbes() = default;
HostedProbes::~HostedProbes() = default;

static std::string dotted(StringRef Internal) {
  std::string Name = Internal.str();
  std::replace(Name.begin(), Name.end(), '/', '.');
  return Name;
}

/// How often the classes \p All have an instance method, by name and
/// descriptor.
static llvm::StringMap<unsigned> countMethods(const Parts &All) {
  llvm::StringMap<unsigned> Counts;
  for (const auto &[Name, P] : All)
    for (const std::string &Method : P.Methods)
      ++Counts[Method];
  return Counts;
}

/// The class \p Data with all that it has public: classes of one set that stand
/// in different loaders are of different packages for the JVM (section 5.3).
/// Private methods that, public, could override others or be overridden stay
/// as they are.
static llvm::Expected<llvm::SmallVector<uint8_t, 0>>
makePublic(Bytes Data, const llvm::StringMap<unsigned> &Counts) {
  auto Class = readClass(Data);
  if (!Class)
    return Class.takeError();
  ClassFile &F = **Class;
  auto Open = [](uint16_t &Access) {
    Access = uint16_t((Access & ~(ACC_PRIVATE | ACC_PROTECTED)) | ACC_PUBLIC);
  };
  F.Access |= ACC_PUBLIC;
  F.Changed = true;
  for (Field &M : F.Fields) {
    Open(M.Access);
    M.Changed = true;
  }
  for (Method &M : F.Methods) {
    std::string Name = (F.name(M) + F.descriptor(M)).str();
    bool Own =
        isStatic(F, M) || F.name(M) == "<init>" || Counts.lookup(Name) == 1;
    if (F.name(M) == "<clinit>" || (M.is(ACC_PRIVATE) && !Own))
      continue;
    Open(M.Access);
    M.Changed = true;
  }
  return writeClass(F);
}

/// By class of \p All, with the others that it refers to.
static NeedsByClass findNeeds(const Environment &Env, JNIEnv *Jni,
                              const Parts &All) {
  llvm::StringSet<> Foreign;
  llvm::StringMap<std::string> Closed;
  for (const std::string &Name : outsideNames(All))
    if (!isOnBoot(Jni, Name))
      Foreign.insert(Name);
    else if (auto Why = whyNoAccess(Env, Jni, nullptr, Name); !Why.empty())
      Closed[Name] = Why;
  NeedsByClass ByClass;
  for (const auto &[Name, P] : All) {
    llvm::StringSet<> Seen;
    std::vector<const Part *> Work = {&P};
    OutsideNeeds &Found = ByClass[dotted(Name)];
    Seen.insert(Name);
    while (!Work.empty()) {
      const Part *Next = Work.back();
      Work.pop_back();
      for (const auto &Entry : Next->Names) {
        if (!Seen.insert(Entry.getKey()).second)
          continue;
        if (auto At = All.find(Entry.getKey().str()); At != All.end())
          Work.push_back(&At->second);
        else if (Foreign.contains(Entry.getKey()))
          Found.Foreign.push_back(dotted(Entry.getKey()));
        else if (auto At = Closed.find(Entry.getKey()); At != Closed.end())
          Found.Closed.emplace_back(dotted(At->getKey()), At->second);
      }
    }
    llvm::sort(Found.Foreign);
    llvm::sort(Found.Closed);
  }
  return ByClass;
}

namespace {

/// Arrays of Java; local references, in the frame of whoever makes one. What
/// fails leaves an exception.
class JavaArrays {
public:
  explicit JavaArrays(JNIEnv *Jni) : Jni(Jni) {}

  jobjectArray make(const char *Element, size_t Size) {
    jclass Class = Jni->FindClass(Element);
    jobjectArray A =
        Class ? Jni->NewObjectArray(jsize(Size), Class, nullptr) : nullptr;
    Jni->DeleteLocalRef(Class);
    return A;
  }
  void set(jobjectArray A, size_t I, jobject Value) {
    if (A && Value)
      Jni->SetObjectArrayElement(A, jsize(I), Value);
    Jni->DeleteLocalRef(Value);
  }
  jobjectArray strings(llvm::ArrayRef<std::string> Texts) {
    jobjectArray A = make("java/lang/String", Texts.size());
    for (auto [I, Text] : llvm::enumerate(Texts))
      set(A, I, Jni->NewStringUTF(Text.c_str()));
    return A;
  }
  jbyteArray bytes(Bytes Data) {
    jbyteArray A = Jni->NewByteArray(jsize(Data.size()));
    if (A)
      Jni->SetByteArrayRegion(A, 0, jsize(Data.size()),
                              reinterpret_cast<const jbyte *>(Data.data()));
    return A;
  }

private:
  JNIEnv *Jni;
};

} // namespace

static constexpr llvm::StringLiteral SetClass = "jopt/boot/ProbeSet";

/// What the probes of a file share is in the class around them: says where that
/// is not one object for all.
static void tellShared(Log &TheLog, StringRef Class,
                       llvm::ArrayRef<std::string> Needs) {
  if (!Class.contains('$') && !Needs.empty())
    TheLog.info("what the probes of " + dotted(Class) +
                " share is one for each loader that has " + Needs.front() +
                " of its own");
}

/// ProbeSet.open; a local reference.
static llvm::Expected<jobject> openSet(Environment &Env, JNIEnv *Jni,
                                       const Parts &All,
                                       const NeedsByClass &NeedsOf) {
  JavaArrays Make(Jni);
  std::vector<std::string> Names;
  jobjectArray Data = Make.make("[B", All.size());
  jobjectArray Needs = Make.make("[Ljava/lang/String;", All.size());
  const llvm::StringMap<unsigned> Counts = countMethods(All);
  for (const auto &[Name, P] : All) {
    auto Public = makePublic(P.Data, Counts);
    if (!Public)
      return Public.takeError();
    Make.set(Data, Names.size(), Make.bytes(*Public));
    const auto &Foreign = NeedsOf.at(dotted(Name)).Foreign;
    Make.set(Needs, Names.size(), Make.strings(Foreign));
    tellShared(Env.TheLog, Name, Foreign);
    Names.push_back(dotted(Name));
  }
  jclass Class = BootLibrary::find(Jni, SetClass);
  jmethodID Open =
      Class ? Jni->GetStaticMethodID(
                  Class, "open",
                  "([Ljava/lang/String;[[B[[Ljava/lang/String;)Ljava/lang/"
                  "Object;")
            : nullptr;
  jobject Set = Open ? Jni->CallStaticObjectMethod(
                           Class, Open, Make.strings(Names), Data, Needs)
                     : nullptr;
  std::string Thrown = takeException(Jni);
  if (!Set)
    return makeError("the classes of the probes cannot be kept: " + Thrown);
  return Set;
}

Expected<std::unique_ptr<HostedProbes::Set>>
HostedProbes::makeSet(Environment &Env, JNIEnv *Jni, const Parts &All,
                      uint64_t Hash) {
  LocalFrame Frame(Jni, 4 * jint(All.size()) + 64);
  auto Needs = std::make_shared<NeedsByClass>(findNeeds(Env, Jni, All));
  auto Opened = openSet(Env, Jni, All, *Needs);
  if (!Opened)
    return Opened.takeError();
  auto New = std::make_unique<Set>();
  New->Object = Jni->NewGlobalRef(*Opened);
  New->Hash = Hash;
  New->Needs = std::move(Needs);
  for (const auto &[Name, P] : All)
    New->Names.push_back(Name);
  return New;
}

static uint64_t hashOf(const Parts &All) {
  std::string Hashes;
  for (const auto &[Name, P] : All)
    Hashes += Name + ":" + std::to_string(P.Hash) + "\n";
  return llvm::xxh3_64bits(Hashes);
}

/// Calls \p Method of the set \p Object: with the names \p Left, dotted, if
/// they are given.
static void callSet(JNIEnv *Jni, jobject Object, const char *Method,
                    std::optional<llvm::ArrayRef<std::string>> Left = {}) {
  LocalFrame Frame(Jni, 16);
  jmethodID Found = Jni->GetMethodID(Jni->GetObjectClass(Object), Method,
                                     Left ? "([Ljava/lang/String;)V" : "()V");
  if (Found && Left)
    Jni->CallVoidMethod(Object, Found, JavaArrays(Jni).strings(*Left));
  else if (Found)
    Jni->CallVoidMethod(Object, Found);
  takeException(Jni);
}

Error HostedProbes::open(Environment &Env, JNIEnv *Jni, const Parts &All,
                         const llvm::StringSet<> &Called) {
  std::vector<Set *> Staying;
  Sets Opened;
  for (const Parts &Group : divide(All)) {
    const uint64_t Hash = hashOf(Group);
    auto At = llvm::find_if(Current, [&](auto &S) { return S->Hash == Hash; });
    if (At != Current.end()) {
      Staying.push_back(At->get());
      continue;
    }
    auto New = makeSet(Env, Jni, Group, Hash);
    if (!New) {
      close(Jni, std::move(Opened));
      return New.takeError();
    }
    Opened.push_back(std::move(*New));
  }
  closeOthers(Jni);
  std::vector<jobject> Begins;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Sets Old = std::move(Current);
    Current.clear();
    for (std::unique_ptr<Set> &S : Old)
      (llvm::is_contained(Staying, S.get()) ? Current : Before)
          .push_back(std::move(S));
    Generation += !Opened.empty();
    for (std::unique_ptr<Set> &S : Opened) {
      Begins.push_back(S->Object);
      Current.push_back(std::move(S));
    }
  }
  for (jobject Object : Begins)
    callSet(Jni, Object, "begin");
  for (const std::unique_ptr<Set> &S : Current) {
    std::vector<std::string> Left;
    for (const std::string &Name : S->Names)
      if (Called.contains(Name))
        S->Called.insert(Name);
      else if (S->Called.contains(Name))
        Left.push_back(dotted(Name));
    callSet(Jni, S->Object, "callAllBut", llvm::ArrayRef(Left));
  }
  return Error::success();
}

void HostedProbes::close(JNIEnv *Jni, Sets Old) {
  for (const std::unique_ptr<Set> &S : Old) {
    callSet(Jni, S->Object, "close");
    Jni->DeleteGlobalRef(S->Object);
  }
}

bool HostedProbes::areReplaced(const AdviceSet &Advices) const {
  return llvm::any_of(Advices.Advices, [&](const Advice &A) {
    return llvm::any_of(Before, [&](const std::unique_ptr<Set> &S) {
      return llvm::is_contained(S->Names, A.Body.Owner);
    });
  });
}

void HostedProbes::closeOthers(JNIEnv *Jni) {
  close(Jni, std::exchange(Before, {}));
}

void HostedProbes::close(JNIEnv *Jni) {
  closeOthers(Jni);
  Sets Old;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::swap(Old, Current);
  }
  close(Jni, std::move(Old));
}

Error HostedProbes::forEachClass(
    JNIEnv *Jni, llvm::function_ref<Error(jclass Class)> Use) const {
  for (const std::unique_ptr<Set> &S : Current) {
    LocalFrame Frame(Jni, 16);
    jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(S->Object), "classes",
                                     "()[Ljava/lang/Class;");
    auto *All = static_cast<jobjectArray>(
        Ask ? Jni->CallObjectMethod(S->Object, Ask) : nullptr);
    if (std::string Thrown = takeException(Jni); !All)
      return makeError(Thrown);
    for (jsize I = 0; I < Jni->GetArrayLength(All); ++I) {
      LocalFrame Inner(Jni, 16);
      if (Error E =
              Use(static_cast<jclass>(Jni->GetObjectArrayElement(All, I))))
        return E;
    }
  }
  return Error::success();
}

std::vector<std::string> HostedProbes::names() const {
  std::vector<std::string> Names;
  for (const std::unique_ptr<Set> &S : Current)
    llvm::append_range(Names, S->Names);
  return Names;
}

/// ProbeSet.missing: pairs of a class of the set and what it lacks.
static std::vector<std::pair<std::string, std::string>>
findMissing(JNIEnv *Jni, jobject Set, jobject Loader, StringRef Loading) {
  std::vector<std::pair<std::string, std::string>> Found;
  jmethodID Ask = Jni->GetMethodID(
      Jni->GetObjectClass(Set), "missing",
      "(Ljava/lang/ClassLoader;Ljava/lang/String;)[Ljava/lang/String;");
  jstring Name = Jni->NewStringUTF(dotted(Loading).c_str());
  auto *Pairs = static_cast<jobjectArray>(
      Ask && Name ? Jni->CallObjectMethod(Set, Ask, Loader, Name) : nullptr);
  if (!takeException(Jni).empty() || !Pairs)
    return Found;
  for (jsize I = 0; I + 1 < Jni->GetArrayLength(Pairs); I += 2) {
    LocalFrame Frame(Jni, 4);
    auto Text = [&](jsize At) {
      return toString(
          Jni, static_cast<jstring>(Jni->GetObjectArrayElement(Pairs, At)));
    };
    Found.emplace_back(Text(I), Text(I + 1));
  }
  return Found;
}

/// In the tag of a loader: from this bit on the last generation of sets of
/// which it sees all that is needed.
static constexpr unsigned TagShift = 8;

/// Why the needs \p Of keep a class from standing below \p Loader, as a clause;
/// empty if they do not. \p Known keeps the answers by type.
static std::string whyClosed(const Environment &Env, JNIEnv *Jni,
                             jobject Loader, const OutsideNeeds &Of,
                             llvm::StringMap<std::string> &Known) {
  for (const auto &[Name, Why] : Of.Closed)
    return "refers to " + Name + ", which " + Why;
  for (const std::string &Name : Of.Foreign) {
    auto [At, New] = Known.try_emplace(Name);
    if (New && Loader) {
      std::string Internal = Name;
      std::replace(Internal.begin(), Internal.end(), '.', '/');
      At->second = whyNoAccess(Env, Jni, Loader, Internal);
    }
    if (!At->second.empty())
      return "refers to " + Name + ", which " + At->second;
  }
  return {};
}

/// The problems of all classes of a set below \p Loader, by class.
static std::map<std::string, std::string>
findWrong(const Environment &Env, JNIEnv *Jni, jobject Set, jobject Loader,
          StringRef Loading, const NeedsByClass &NeedsOf) {
  std::map<std::string, std::string> Wrong;
  for (const auto &[Name, Lacks] : findMissing(Jni, Set, Loader, Loading))
    Wrong[Name] = "refers to " + Lacks + ", which neither its loader (" +
                  loaderName(Env.Jvmti, Jni, Loader) +
                  ") nor the system loader has";
  llvm::StringMap<std::string> Known;
  for (const auto &[Name, Of] : NeedsOf)
    if (!Wrong.count(Name))
      if (auto Why = whyClosed(Env, Jni, Loader, Of, Known); !Why.empty())
        Wrong[Name] = Why;
  return Wrong;
}

std::map<unsigned, std::string>
HostedProbes::findUnlinked(const Environment &Env, JNIEnv *Jni, jobject Loader,
                           StringRef Loading, const AdviceSet &Advices,
                           const llvm::BitVector &Applied) const {
  std::vector<std::pair<jobject, std::shared_ptr<const NeedsByClass>>> Now;
  int64_t Number = 0;
  LocalFrame Frame(Jni, 64);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Number = Generation;
    for (const std::unique_ptr<Set> &S : Current)
      Now.emplace_back(Jni->NewLocalRef(S->Object), S->Needs);
  }
  jlong Tag = 0;
  if (Loader)
    Env.Jvmti->GetTag(Loader, &Tag);
  if (Now.empty() || Tag >> TagShift == Number)
    return {};
  HookScope ForTheLoader(InHook::No);
  std::map<std::string, std::string> Wrong;
  for (const auto &[Object, Needs] : Now)
    Wrong.merge(findWrong(Env, Jni, Object, Loader, Loading, *Needs));
  if (Wrong.empty() && Loader) {
    Env.Jvmti->GetTag(Loader, &Tag);
    Env.Jvmti->SetTag(Loader,
                      (Tag & ((1 << TagShift) - 1)) | Number << TagShift);
  }
  std::map<unsigned, std::string> Unlinked;
  for (const auto &[Name, Why] : Wrong)
    for (const Advice &A : Advices.Advices)
      if (A.Probe < Applied.size() && Applied.test(A.Probe) &&
          dotted(A.Body.Owner) == Name)
        Unlinked.try_emplace(A.Probe, Why);
  return Unlinked;
}
