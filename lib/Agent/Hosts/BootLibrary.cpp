//===- BootLibrary.cpp - What is in jopt.boot -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/BootLibrary.h"
#include "DefineClasses.h"
#include "jopt/Agent/Attach/Options.h"
#include "jopt/Passes/Dispatch.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/ProbeOptions.h"
#include "jopt/Support/Files.h"
#include <algorithm>
#include <libdeflate.h>
#include <memory>

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

namespace {
/// A class file of runtime/boot, and where it is when they are unpacked.
struct BootClass {
  llvm::StringLiteral Name;
  size_t Begin, Size;
  llvm::ArrayRef<uint8_t> data() const;
};
} // namespace

// Constants: a JVM that needs none pays for none.
#include "jopt/Agent/BootClasses.inc"

/// All of them, once one is needed; empty classes if there is no memory.
llvm::ArrayRef<uint8_t> BootClass::data() const {
  static const auto All = [] {
    llvm::SmallVector<uint8_t, 0> Unpacked(UnpackedSize);
    std::unique_ptr<libdeflate_decompressor,
                    decltype(&libdeflate_free_decompressor)>
        D(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!D || libdeflate_zlib_decompress(D.get(), PackedClasses.data(),
                                         PackedClasses.size(), Unpacked.data(),
                                         Unpacked.size(), nullptr))
      Unpacked.assign(UnpackedSize, 0);
    return Unpacked;
  }();
  return llvm::ArrayRef(All).slice(Begin, Size);
}

static constexpr llvm::StringLiteral LinkClass = "jopt/boot/Link",
                                     HostsClass = "jopt/boot/Hosts";

/// Has \p Link ask the classes of the boot loader from now on. It would find
/// them by itself, but when it is first asked, perhaps by what it takes to find
/// them. Fails if it is of another jopt than the agent, or asks others, as
/// where a program had it before the agent came.
static Error connectLink(JNIEnv *Jni, jclass Link) {
  jfieldID Field = Jni->GetStaticFieldID(Link, "FORMAT", "I");
  Jni->ExceptionClear();
  const auto Has = Field ? unsigned(Jni->GetStaticIntField(Link, Field)) : 0;
  if (Has != LinkFormat)
    return makeError("has a jopt.boot of format " + llvm::Twine(Has) +
                     ", and this agent is of format " +
                     llvm::Twine(LinkFormat) +
                     ": use the jopt-runtime.jar that came with it");
  Field = Jni->GetStaticFieldID(Link, "hosts", "Ljava/util/function/Function;");
  jobject Hosts = Field ? Jni->GetStaticObjectField(Link, Field) : nullptr;
  Jni->ExceptionClear();
  jclass Known = BootLibrary::find(Jni, HostsClass);
  if (Known && Field && !Hosts) {
    jmethodID Make = Jni->GetMethodID(Known, "<init>", "()V");
    Hosts = Make ? Jni->NewObject(Known, Make) : nullptr;
    Jni->ExceptionClear();
    Jni->SetStaticObjectField(Link, Field, Hosts);
  }
  if (Hosts && Known && Jni->IsInstanceOf(Hosts, Known))
    return Error::success();
  return makeError("has a jopt.boot of its own, which is at work already: put "
                   "jopt-runtime.jar on the boot loader's path "
                   "(-Xbootclasspath/a:)");
}

/// What a JVM may be without: jdk.jfr, java.management, and Java 11.
static bool isOptional(StringRef Name) {
  return Name.starts_with("jopt/boot/flight/") ||
         Name.starts_with("jopt/probe/FlightWriter") ||
         Name.starts_with("jopt/probe/BeanWriter") ||
         Name == "jopt/probe/LiveFrames" || Name == "jopt/probe/Walker";
}

/// Defines those of \p All that are not there.
static Error defineOnBoot(JNIEnv *Jni, const Parts &All) {
  for (const Part *P : sorted(All)) {
    if (isOnBoot(Jni, P->Name))
      continue;
    LocalFrame Frame(Jni, 8);
    if (defineClass(Jni, P->Name, nullptr, P->Data))
      continue;
    const std::string Thrown = takeException(Jni);
    if (!isOptional(P->Name))
      return makeError("the JVM refuses the class " + P->Name + ": " + Thrown);
  }
  return Error::success();
}

Error BootLibrary::defineJar(JNIEnv *Jni, StringRef Jar, StringRef Prefix,
                             StringRef Who) {
  const std::string Path = findInstalled(Jar);
  if (Path.empty())
    return makeError("there is no " + Jar + " beside the agent, which " + Who +
                     " need");
  auto Classes = readBundleArchive(Path);
  if (!Classes)
    return Classes.takeError();
  Parts All;
  for (const auto &[Name, Data] : *Classes) {
    if (!StringRef(Name).starts_with(Prefix) ||
        StringRef(Name).starts_with("META-INF/") || Name == "module-info.class")
      continue;
    auto P = readPart(Name, Data);
    if (!P)
      return P.takeError();
    All.emplace(P->Name, std::move(*P));
  }
  return defineOnBoot(Jni, All);
}

Error BootLibrary::defineProbeLibrary(JNIEnv *Jni) {
  // Its threads are made by that.
  if (Error E = defineRecorder(Jni))
    return E;
  std::lock_guard<std::mutex> Guard(Lock);
  if (HasProbeLibrary)
    return Error::success();
  if (Error E =
          defineJar(Jni, RuntimeJar, "jopt/probe/", "fragments that measure"))
    return E;
  HasProbeLibrary = true;
  return Error::success();
}

Error BootLibrary::defineProbeApi(JNIEnv *Jni) {
  // What tables record with.
  if (Error E = defineRecorder(Jni))
    return E;
  std::lock_guard<std::mutex> Guard(Lock);
  if (HasProbeApi)
    return Error::success();
  if (Error E = defineJar(Jni, ProbeApiJar, "", "probe classes"))
    return E;
  // Recording opens files, which takes this. It starts a thread while it is
  // initialised, when a probe of threads or files would come too early.
  LocalFrame Frame(Jni, 16);
  std::string Missing; // before Java 9
  forName(Jni, "jdk/internal/ref/CleanerFactory", /*Initialize=*/true, nullptr,
          &Missing);
  HasProbeApi = true;
  return Error::success();
}

/// Calls the static method \p Name of \p Class, which takes and gives nothing.
static void callStatic(JNIEnv *Jni, StringRef Class, const char *Name) {
  LocalFrame Frame(Jni, 8);
  jclass Found = BootLibrary::find(Jni, Class);
  jmethodID Method =
      Found ? Jni->GetStaticMethodID(Found, Name, "()V") : nullptr;
  Jni->ExceptionClear();
  if (Method)
    Jni->CallStaticVoidMethod(Found, Method);
  Jni->ExceptionClear();
}

Error BootLibrary::define(JNIEnv *Jni, bool Recorder) {
  std::atomic<bool> &Done = Recorder ? HasRecorder : IsDefined;
  if (Done)
    return Error::success();
  std::lock_guard<std::mutex> Guard(Lock);
  if (Done)
    return Error::success();
  Parts All;
  for (const BootClass &Class : BootClasses) {
    const bool IsBelow = Class.Name.count('/') > 2;
    if (IsBelow != Recorder)
      continue;
    auto P = readPart(Class.Name, Class.data());
    if (!P)
      return P.takeError();
    All.emplace(Class.Name, std::move(*P));
  }
  LocalFrame Frame(Jni, 16);
  if (jclass Link = findOnBoot(Jni, LinkClass.str()))
    if (Error E = connectLink(Jni, Link))
      return makeError("the boot loader " + toMessage(std::move(E)));
  if (Error E = defineOnBoot(Jni, All))
    return E;
  // Not when a class of the JDK first asks for them.
  for (const auto &[Name, P] : All) {
    if (isOptional(Name))
      continue;
    LocalFrame Inner(Jni, 8);
    std::string Thrown;
    if (!forName(Jni, Name, /*Initialize=*/true, nullptr, &Thrown))
      return makeError("the class " + Name +
                       " cannot be initialised: " + Thrown);
  }
  if (Error E = connectLink(Jni, findOnBoot(Jni, LinkClass.str())))
    return E;
  Done = true;
  return Error::success();
}

Error BootLibrary::define(JNIEnv *Jni) {
  return define(Jni, /*Recorder=*/false);
}

Error BootLibrary::defineRecorder(JNIEnv *Jni) {
  if (Error E = define(Jni))
    return E;
  if (Error E = define(Jni, /*Recorder=*/true))
    return E;
  callStatic(Jni, "jopt/boot/coverage/Writer", "wake");
  return Error::success();
}

void BootLibrary::endRecording(JNIEnv *Jni) {
  if (!HasRecorder)
    return;
  callStatic(Jni, "jopt/boot/coverage/Coverage", "flush");
  callStatic(Jni, "jopt/boot/record/Recorder", "check");
}

void BootLibrary::restRecorder(JNIEnv *Jni) {
  if (HasRecorder) {
    callStatic(Jni, "jopt/boot/coverage/Writer", "rest");
    callStatic(Jni, "jopt/boot/trace/Clock", "rest");
  }
  // The calls above may be the first to write.
  for (StringRef Name : std::exchange(OwnProperties, {}))
    setProperty(Jni, Name, std::nullopt);
}

/// Where this JVM has begun to record, if that is not in \p Folder.
static std::optional<std::string> recordsElsewhere(JNIEnv *Jni,
                                                   StringRef Folder) {
  LocalFrame Frame(Jni, 8);
  jclass Recorder = BootLibrary::find(Jni, "jopt/boot/record/Recorder");
  jmethodID Elsewhere =
      Recorder
          ? Jni->GetStaticMethodID(Recorder, "elsewhere",
                                   "(Ljava/lang/String;)Ljava/lang/String;")
          : nullptr;
  Jni->ExceptionClear();
  if (!Elsewhere)
    return std::nullopt;
  jobject Found = Jni->CallStaticObjectMethod(
      Recorder, Elsewhere, Jni->NewStringUTF(Folder.str().c_str()));
  Jni->ExceptionClear();
  if (!Found)
    return std::nullopt;
  return toString(Jni, static_cast<jstring>(Found));
}

Error BootLibrary::setUpRecording(JNIEnv *Jni, const AgentOptions &O) {
  if (!O.DataFolder.empty() && HasRecorder)
    if (auto Other = recordsElsewhere(Jni, O.DataFolder))
      return makeError("data=" + O.DataFolder + ": this JVM records in " +
                       *Other +
                       " until it ends; leave out data=, or give that folder");
  auto Set = [&](StringRef Name, StringRef Value) {
    if (!getProperty(Jni, Name))
      OwnProperties.push_back(Name);
    setProperty(Jni, Name, Value);
  };
  if (!O.DataFolder.empty())
    Set("jopt.data", O.DataFolder);
  if (O.TableLength)
    Set("jopt.probetablelengthlimit", std::to_string(*O.TableLength));
  return Error::success();
}

void BootLibrary::endOutput(JNIEnv *Jni) {
  if (HasProbeLibrary)
    callStatic(Jni, "jopt/probe/Output", "end");
}

void BootLibrary::settleOutput(JNIEnv *Jni) {
  if (HasProbeLibrary)
    callStatic(Jni, "jopt/probe/Output", "settle");
}

std::optional<std::string> BootLibrary::askCalls(JNIEnv *Jni, StringRef What) {
  LocalFrame Frame(Jni, 8);
  jclass Calls = HasProbeLibrary ? find(Jni, "jopt/probe/Calls") : nullptr;
  jmethodID Ask =
      Calls ? Jni->GetStaticMethodID(Calls, "ask",
                                     "(Ljava/lang/String;)Ljava/lang/String;")
            : nullptr;
  jobject Text = Ask ? Jni->CallStaticObjectMethod(
                           Calls, Ask, Jni->NewStringUTF(What.str().c_str()))
                     : nullptr;
  Jni->ExceptionClear();
  if (!Text)
    return std::nullopt;
  return toString(Jni, static_cast<jstring>(Text));
}

std::vector<uint64_t> BootLibrary::readPlaces(JNIEnv *Jni, uint32_t End) {
  static_assert(sizeof(jlong) == sizeof(uint64_t));
  constexpr uint32_t Page = 4096; // as Places has it
  std::vector<uint64_t> Counts(End);
  LocalFrame Frame(Jni, 8);
  jclass Places = IsDefined ? find(Jni, "jopt/boot/Places") : nullptr;
  jmethodID Get =
      Places ? Jni->GetStaticMethodID(Places, "page", "(I)[J") : nullptr;
  Jni->ExceptionClear();
  for (uint32_t At = 0; Get && At < End; At += Page) {
    auto *Some = static_cast<jlongArray>(
        Jni->CallStaticObjectMethod(Places, Get, jint(At / Page)));
    Jni->ExceptionClear();
    if (!Some)
      continue;
    Jni->GetLongArrayRegion(Some, 0, jsize(std::min(Page, End - At)),
                            reinterpret_cast<jlong *>(&Counts[At]));
    Jni->DeleteLocalRef(Some);
  }
  return Counts;
}

jclass BootLibrary::find(JNIEnv *Jni, StringRef Name) {
  return forName(Jni, Name.str(), /*Initialize=*/true, nullptr);
}

Error BootLibrary::defineLink(JNIEnv *Jni, jobject Loader) {
  LocalFrame Frame(Jni, 16);
  jclass Link = loadClass(Jni, Loader, LinkClass);
  for (const BootClass &Class : BootClasses)
    if (!Link && Class.Name == LinkClass) {
      defineClass(Jni, LinkClass, Loader, Class.data());
      // Another thread may have been first.
      Jni->ExceptionClear();
      Link = loadClass(Jni, Loader, LinkClass);
    }
  return Link ? connectLink(Jni, Link)
              : makeError("does not take jopt.boot.Link");
}

Error BootLibrary::defineBeside(JNIEnv *Jni, jobject Loader, StringRef Name,
                                Bytes Data) {
  LocalFrame Frame(Jni, 16);
  if (defineClass(Jni, Name, Loader, Data))
    return Error::success();
  const std::string Thrown = takeException(Jni);
  // Of a class that is changed again it is there.
  if (Loader ? loadClass(Jni, Loader, Name) : findOnBoot(Jni, Name.str()))
    return Error::success();
  return makeError("the JVM refuses the class " + Name +
                   ", which it needs: " + Thrown);
}

/// Class.getModule, or ClassLoader.getUnnamedModule; null if it throws.
static jobject askModule(JNIEnv *Jni, jobject Of, const char *Method) {
  jmethodID Ask = Of ? Jni->GetMethodID(Jni->GetObjectClass(Of), Method,
                                        "()Ljava/lang/Module;")
                     : nullptr;
  Jni->ExceptionClear();
  jobject Module = Ask ? Jni->CallObjectMethod(Of, Ask) : nullptr;
  Jni->ExceptionClear();
  return Module;
}

void BootLibrary::readBoot(jvmtiEnv *Jvmti, JNIEnv *Jni) {
  LocalFrame Frame(Jni, 64);
  jobject Boot = askModule(Jni, find(Jni, LinkClass), "getModule");
  jint Count = 0;
  JvmtiMemory<jobject> Modules(Jvmti);
  if (!Boot || Jvmti->GetAllModules(&Count, &Modules) != JVMTI_ERROR_NONE ||
      Jni->EnsureLocalCapacity(Count + 16) != 0)
    return Jni->ExceptionClear();
  jmethodID Ask = Jni->GetMethodID(Jni->GetObjectClass(Boot), "getName",
                                   "()Ljava/lang/String;");
  for (jobject Module : llvm::ArrayRef(Modules.get(), size_t(Count))) {
    auto *Name = static_cast<jstring>(Jni->CallObjectMethod(Module, Ask));
    Jni->ExceptionClear();
    if (StringRef(toString(Jni, Name)).starts_with("jopt."))
      Jvmti->AddModuleReads(Module, Boot);
    Jni->DeleteLocalRef(Name);
    Jni->DeleteLocalRef(Module);
  }
}

void BootLibrary::openTo(jvmtiEnv *Jvmti, JNIEnv *Jni, const char *Class,
                         StringRef To) {
  LocalFrame Frame(Jni, 16);
  if (!hasModules(Jni))
    return;
  jobject Of = askModule(Jni, Jni->FindClass(Class), "getModule");
  jobject User = askModule(Jni, find(Jni, To), "getModule");
  Jni->ExceptionClear();
  std::string Package = StringRef(Class).rsplit('/').first.str();
  std::replace(Package.begin(), Package.end(), '/', '.');
  if (Of && User)
    Jvmti->AddModuleOpens(Of, Package.c_str(), User);
}

void BootLibrary::exportTo(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class,
                           jclass To) {
  LocalFrame Frame(Jni, 8);
  jobject Of = askModule(Jni, Class, "getModule");
  jobject User = askModule(Jni, To, "getModule");
  const std::string Name = className(Jvmti, Class);
  const std::string Package = StringRef(Name).rsplit('/').first.str();
  if (Of && User && Package != Name)
    Jvmti->AddModuleExports(Of, Package.c_str(), User);
}

void BootLibrary::readLink(jvmtiEnv *Jvmti, JNIEnv *Jni, jobject Loader,
                           StringRef Name) {
  LocalFrame Frame(Jni, 16);
  jobject Module = nullptr;
  std::string Package = Name.substr(0, Name.rfind('/')).str();
  if (!hasModules(Jni) || !Name.contains('/') ||
      Jvmti->GetNamedModule(Loader, Package.c_str(), &Module) !=
          JVMTI_ERROR_NONE ||
      !Module)
    return;
  if (jobject Unnamed = askModule(Jni, Loader, "getUnnamedModule"))
    Jvmti->AddModuleReads(Module, Unnamed);
}
