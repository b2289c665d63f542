//===- Agent.cpp - The agent in a JVM -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Agent.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

Agent &Agent::get() {
  static Agent *TheAgent = new Agent;
  return *TheAgent;
}

static void JNICALL hook(jvmtiEnv *, JNIEnv *Jni, jclass Redefined,
                         jobject Loader, const char *Name, jobject Domain,
                         jint Size, const unsigned char *Data, jint *NewSize,
                         unsigned char **NewData) {
  Agent::get().onClass(Jni, Redefined, Loader, Name, Domain,
                       Bytes(Data, size_t(Size)), NewSize, NewData);
}

static void JNICALL prepare(jvmtiEnv *, JNIEnv *Jni, jthread, jclass Class) {
  Agent::get().onPrepare(Jni, Class);
}

static void JNICALL vmInit(jvmtiEnv *, JNIEnv *Jni, jthread) {
  Agent::get().onVMInit(Jni);
}

static void JNICALL vmDeath(jvmtiEnv *, JNIEnv *Jni) {
  Agent::get().onVMDeath(Jni);
}

/// Asks the JVM for what the agent needs; once.
Error Agent::connect(JavaVM *TheVM) {
  if (Jvmti)
    return Error::success();
  VM = TheVM;
  jvmtiEnv *New = nullptr;
  if (VM->GetEnv(reinterpret_cast<void **>(&New), JVMTI_VERSION_9) != JNI_OK)
    return makeError("the JVM has no JVMTI 9: it is older than Java 9, or was "
                     "built without");
  jvmtiCapabilities Wanted = {};
  Wanted.can_generate_all_class_hook_events = 1;
  Wanted.can_retransform_classes = 1;
  Wanted.can_redefine_classes = 1; // those of probes
  Wanted.can_tag_objects = 1;
  Wanted.can_get_constant_pool = 1;
  if (jvmtiError E = New->AddCapabilities(&Wanted)) {
    Error Failed = jvmtiFailed(New, E, "let classes be changed");
    New->DisposeEnvironment();
    return Failed;
  }
  jvmtiEventCallbacks Callbacks = {};
  Callbacks.ClassFileLoadHook = hook;
  Callbacks.ClassPrepare = prepare;
  Callbacks.VMInit = vmInit;
  Callbacks.VMDeath = vmDeath;
  New->SetEventCallbacks(&Callbacks, sizeof(Callbacks));
  New->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, nullptr);
  Jvmti = New;
  return Error::success();
}

Error Agent::enable() {
  if (jvmtiError E = Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr))
    return jvmtiFailed(Jvmti, E, "hand over classes");
  Jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE,
                                  nullptr);
  return Error::success();
}

/// The files that \p O names, so that what cannot be written is known at once.
Error Agent::openFiles(const AgentOptions &O, const Session *S) {
  if (!O.LogFile.empty())
    if (Error E = TheLog.open(O.LogFile))
      return E;
  TheLog.setLevel(O.Level);
  for (const std::string *File : {&O.StatsFile, &O.ReportFile})
    if (!File->empty()) {
      std::error_code EC;
      llvm::raw_fd_ostream OS(*File, EC, llvm::sys::fs::CD_OpenAlways,
                              llvm::sys::fs::FA_Write,
                              llvm::sys::fs::OF_Append);
      if (EC)
        return makeError(Location(*File), EC.message());
    }
  if (!O.StatsFile.empty())
    StatsFile = O.StatsFile;
  if (!O.ReportFile.empty())
    ReportFile = O.ReportFile;
  if (S && !O.DumpFolder.empty())
    return TheDump.open(O.DumpFolder);
  return Error::success();
}

Session::Surroundings Agent::surroundings() const {
  Session::Surroundings Around;
  Around.JavaHome = earlyProperty(Jvmti, "java.home");
  std::string Path = earlyProperty(Jvmti, "java.class.path");
  llvm::SmallVector<StringRef> Parts;
  StringRef(Path).split(Parts, ':', -1, /*KeepEmpty=*/false);
  for (StringRef P : Parts)
    if (llvm::sys::fs::exists(P))
      Around.ClassPath.push_back(P.str());
  Around.ProbeClasses = Probes.names();
  return Around;
}

llvm::Expected<std::shared_ptr<const Session>>
Agent::makeSession(const AgentOptions &O) {
  DiagnosticEngine Diags([&](const Diagnostic &D) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    D.print(OS);
    TheLog.write(D.Level == Severity::Error     ? LogLevel::Error
                 : D.Level <= Severity::Warning ? LogLevel::Warning
                                                : LogLevel::Info,
                 OS.str());
  });
  return Session::create(O, surroundings(), Diags);
}

bool Agent::start(JavaVM *TheVM, const char *Text) {
  std::lock_guard<std::mutex> Guard(AttachLock);
  bool Continue = false;
  auto Begin = [&]() -> Error {
    auto Parsed = parseAgentOptions(Text ? Text : "");
    if (!Parsed) {
      Continue = StringRef(Text).contains("on-error=continue");
      return Parsed.takeError();
    }
    Options = std::move(*Parsed);
    Continue = Options.ContinueOnError;
    if (!Options.weaves() && !Options.Off)
      return makeError("no probes: probes=FILE names them");
    if (Error E = connect(TheVM))
      return E;
    if (!Options.LogFile.empty())
      if (Error E = TheLog.open(Options.LogFile))
        return E;
    TheLog.setLevel(Options.Level);
    if (!Options.Off) {
      auto S = makeSession(Options);
      if (!S)
        return S.takeError();
      if (Error E = openFiles(Options, S->get()))
        return E;
      Waiting = std::move(*S);
    }
    if (jvmtiError E = Jvmti->SetEventNotificationMode(
            JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr))
      return jvmtiFailed(Jvmti, E, "say when it is ready");
    return Error::success();
  };
  Error E = Begin();
  if (!E)
    return true;
  TheLog.announce(toMessage(std::move(E)) +
                  (Continue ? "; going on without probes" : ""));
  return Continue;
}

/// Puts \p New to work in place of what was there.
Error Agent::activate(JNIEnv *Jni, std::shared_ptr<const Session> New) {
  if (New->usesLink())
    if (Error E = Boot.define(Jni))
      return E;
  if (New->tracesOnDemand())
    if (Error E = traceOnDemand(Jni))
      return E;
  if (Error E =
          Probes.define(Jvmti, Jni, Known, New->bundle(), New->options().Place,
                        New->filter().targetsJdk(), TheLog))
    return E;
  Flight.start(Jvmti, Jni);
  std::atomic_store(&Current, std::move(New));
  return enable();
}

void Agent::onVMInit(JNIEnv *Jni) {
  std::lock_guard<std::mutex> Guard(AttachLock);
  Known.find(Jni);
  if (!Waiting)
    return publishStatus(Jni, nullptr, "");
  std::shared_ptr<const Session> S = std::move(Waiting);
  if (Error E = activate(Jni, S)) {
    std::string Text = toMessage(std::move(E));
    TheLog.announce(Text + "; going on without probes");
    return publishStatus(Jni, nullptr, Text);
  }
  unsigned Refused = retransform(Jni, S.get());
  if (S->tracesOnDemand())
    findRegistries(Jni, *S);
  if (Refused)
    TheLog.warning(llvm::Twine(Refused) +
                   " classes that were loaded already are as they were");
  publishStatus(Jni, S.get(), "");
}

AttachStatus Agent::fail(JNIEnv *Jni, AttachStatus S, Error E) {
  std::string Text = toMessage(std::move(E));
  TheLog.error(Text);
  publishStatus(Jni, current().get(), Text);
  return S;
}

AttachStatus Agent::attach(JavaVM *TheVM, const char *Text) {
  std::lock_guard<std::mutex> Guard(AttachLock);
  JNIEnv *Jni = nullptr;
  if (TheVM->GetEnv(reinterpret_cast<void **>(&Jni), JNI_VERSION_1_8) != JNI_OK)
    return AttachStatus::NotCapable;
  return attachLocked(TheVM, Jni, Text);
}

AttachStatus Agent::attachLocked(JavaVM *TheVM, JNIEnv *Jni, const char *Text) {
  Known.find(Jni);
  auto Parsed = parseAgentOptions(Text ? Text : "");
  if (!Parsed)
    return fail(Jni, AttachStatus::BadOptions, Parsed.takeError());
  if (Error E = connect(TheVM))
    return fail(Jni, AttachStatus::NotCapable, std::move(E));
  if (!Parsed->Off && !Parsed->weaves()) {
    if (!Parsed->Status && Parsed->ReportFile.empty() &&
        Parsed->StatsFile.empty())
      return fail(Jni, AttachStatus::BadOptions,
                  makeError("nothing to do: give probes=FILE, off, status, "
                            "report=FILE or stats=FILE"));
    if (Error E = openFiles(*Parsed, nullptr))
      return fail(Jni, AttachStatus::BadFile, std::move(E));
    std::shared_ptr<const Session> S = current();
    publishStatus(Jni, S.get(), "");
    if (!Parsed->StatsFile.empty())
      writeStats(Jni);
    if (!Parsed->ReportFile.empty())
      writeReport(S.get(), Parsed->ReportFile);
    return AttachStatus::Done;
  }
  std::shared_ptr<const Session> New;
  if (!Parsed->Off) {
    auto S = makeSession(*Parsed);
    if (!S)
      return fail(Jni, AttachStatus::BadProbes, S.takeError());
    New = std::move(*S);
  }
  if (Error E = openFiles(*Parsed, New.get()))
    return fail(Jni, AttachStatus::BadFile, std::move(E));
  Options = std::move(*Parsed);
  TheLog.forget();
  if (New) {
    if (Error E = activate(Jni, New))
      return fail(Jni, AttachStatus::BadProbeClasses, std::move(E));
  } else {
    std::atomic_store(&Current, std::shared_ptr<const Session>());
    TheDump.close();
    if (Error E = Probes.disable(Jvmti))
      TheLog.warning(toMessage(std::move(E)));
  }
  unsigned Refused = retransform(Jni, New.get());
  if (New && New->tracesOnDemand())
    findRegistries(Jni, *New);
  if (!New) {
    Jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE,
                                    nullptr);
    std::lock_guard<std::mutex> Guard(ChangedLock);
    if (!Refused && WithMembers.empty())
      Changed.clear();
    // Whoever asks for a class with members of ours must get them.
    if (WithMembers.empty())
      Jvmti->SetEventNotificationMode(
          JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  }
  if (!Options.ReportFile.empty())
    writeReport(New.get(), Options.ReportFile);
  publishStatus(Jni, New.get(),
                Refused ? std::to_string(Refused) +
                              " loaded classes are as they were"
                        : std::string());
  return Refused ? AttachStatus::LeftUndone : AttachStatus::Done;
}

void Agent::onVMDeath(JNIEnv *Jni) {
  std::lock_guard<std::mutex> Guard(AttachLock);
  if (!StatsFile.empty())
    writeStats(Jni);
  if (!ReportFile.empty())
    writeReport(current().get(), ReportFile);
}
