//===- Hook.cpp - A class on its way into the JVM -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/Hook.h"
#include "jopt/Agent/Hook/AttributeRecovery.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "jopt/Agent/Hook/JaCoCoClass.h"
#include "jopt/Agent/Hosts/Ancestors.h"
#include "jopt/Agent/Lifetime/Memory.h"
#include "jopt/Agent/Lifetime/Stack.h"
#include "jopt/Agent/Retransform/SaturatedClasses.h"
#include "jopt/Passes/Dispatch.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/NoMemory.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <utility>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

static uint64_t nanosecondsSince(std::chrono::steady_clock::time_point Begin) {
  return uint64_t(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - Begin)
          .count());
}

llvm::Error Hook::start(JNIEnv *Jni, std::shared_ptr<const Session> New) {
  if (!Env.Later.start(Env.Jvmti, Jni))
    Env.TheLog.warning(NoThread);
  Memory.startOver();
  Env.Rows.startOver();
  std::atomic_store(&Current, std::move(New));
  if (jvmtiError E = Env.Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr))
    return jvmtiFailed(Env.Jvmti, E, "hand over classes");
  Env.Jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE,
                                      nullptr);
  return llvm::Error::success();
}

void Hook::change(const std::shared_ptr<const Session> &New,
                  const Matcher &Changed) {
  const auto Before = std::atomic_exchange(&Current, New);
  New->matcher().countFrom(Before->matcher(), Changed);
}

void Hook::stop() {
  Memory.startOver();
  Env.Rows.startOver();
  std::atomic_store(&Current, std::shared_ptr<const Session>());
  Env.Later.stop();
  TheDump.close();
}

void Hook::disable(bool Needed) {
  Env.Later.stop();
  Compilers.restore();
  Env.Jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE,
                                      nullptr);
  if (!Needed)
    Env.Jvmti->SetEventNotificationMode(
        JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
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

void Hook::onClass(LoadedClass C, Place Out) {
  std::shared_ptr<const Session> S = current();
  if (!S && !C.Class)
    return;
  // Java 17 counts what whoever changes the class has for us too.
  if (C.Jni->EnsureLocalCapacity(16) != 0)
    C.Jni->ExceptionClear();
  ++Env.Count.Seen;
  if (HookScope::current() != InHook::No) {
    ++Env.Count.Nested;
    return;
  }
  HookScope Here(C.Class ? InHook::ForChange : InHook::ForLoading);
  auto Begin = Clock::now();
  std::string Read;
  if (C.Name.empty())
    C.Name = Read = nameOf(C.Data);
  llvm::SmallVector<uint8_t, 0> Repaired;
  if (C.Class)
    Repaired = repairRecord(C.Data);
  if (!Repaired.empty())
    C.Data = Repaired;
  handle(C, std::move(S), Out);
  if (!Repaired.empty() && !*Out.Data)
    handOver(C.Name, Repaired, Out);
  Env.Count.Nanoseconds += nanosecondsSince(Begin);
}

void Hook::handle(const LoadedClass &C, std::shared_ptr<const Session> S,
                  Place Out) {
  auto Begin = Clock::now();
  const Session *const For = S.get();
  std::optional<WeaveRequest> R = prepare(C, std::move(S));
  if (R && !replace(C, *R, Out, Begin) && R->S && R->S->tracesOnDemand() &&
      R->Mode.Traced && !C.Class)
    Demand.stayed(C.Name);
  // Those of the session that is at work when this is done need no change.
  if (!C.Class && For && current().get() == For)
    Memory.addComing(C.Jni, C.Loader, C.Name);
}

/// How \p S may change the class; none if it may not.
std::optional<Dispatch> Hook::open(const LoadedClass &C, const Session &S,
                                   ClassFacts &Facts, Decision What) {
  if (What == Decision::Filtered)
    ++Env.Count.Filtered;
  if (What == Decision::Unmatched)
    ++Env.Count.Unmatched;
  if (!isMeant(What))
    return std::nullopt;
  auto How = Access.open(C, S, What, mayHaveRegistered(S, Facts));
  if (How)
    return *How;
  Env.leave(C.Name, "its loader (" + loaderName(Env.Jvmti, C.Jni, C.Loader) +
                        ") " + toMessage(How.takeError()));
  if (What == Decision::Watch)
    Demand.traceAlways(C.Jni, S, C.Name, /*IsLoaded=*/C.Class);
  return std::nullopt;
}

/// The request to weave the class; none if it stays as it is.
std::optional<WeaveRequest> Hook::prepare(const LoadedClass &C,
                                          std::shared_ptr<const Session> S) {
  WeaveRequest R;
  R.Came = C.Data;
  R.Mode.Loaded = C.Class;
  LoadedClassFacts Facts(Env, C);
  // A class that is left for good soon need not get probes first. The walk that
  // takes them out is asked, too, as it may have to answer somebody.
  if (C.Class && Retransformer::isStoppingHere())
    S = nullptr;
  if (S && S->onlyCovers() && C.Class && isSaturated(C.Jni, C.Class))
    S = nullptr;
  if (S) {
    Decision What = decide(*S, Facts);
    if (std::optional<Dispatch> How = open(C, *S, Facts, What)) {
      R.S = std::move(S);
      R.Mode.How = *How;
      R.Mode.Registry = What == Decision::Watch;
      if (*How == Dispatch::Stub && !Access.sees(C.Jni, C.Loader)) {
        R.Mode.Without.resize(unsigned(R.S->bundle().Advices.Probes.size()));
        R.Mode.Without.set(0, unsigned(R.S->countOfFiles()));
      }
    }
  }
  if (R.S && R.S->tracesOnDemand())
    R.Mode.Traced = Demand.isToBeTraced(*R.S, C);
  if (C.Class)
    R.Members = Memory.find(Env.Jvmti, C);
  if (!R.S && !R.Members.By)
    return std::nullopt;
  // Weave it again from the original bytes, and add the members again.
  if (R.Members.By && !R.inTwoSteps())
    R.Mode.Loaded = false;
  if (R.S && R.S->covers() && canAskLink(C.Name) && mayHaveJaCoCo(C.Data))
    adopt(C, R);
  if (R.S && C.Class && !R.IsAdopted)
    R.Restored = restoreLoaded(C, *R.S);
  if (R.S && C.Class && R.S->onlyCovers())
    R.Mode.Known =
        findKnown(C.Jni, C.Class, *R.S->options().Weave.Coverage, R.data());
  if ((R.S && R.S->matcher().needsHierarchy()) ||
      (R.Members.By && R.Members.By->matcher().needsHierarchy())) {
    HookScope ForTheLoader(InHook::No);
    R.Ancestry = Facts.takeAncestry();
    if (!R.Ancestry)
      R.Ancestry = C.Class ? ancestorsOf(Env.Jvmti, C.Jni, C.Class)
                           : ancestorsOf(Env.Jvmti, C.Jni, C.Loader, R.data());
    R.Mode.Ancestry = R.Ancestry.get();
  }
  return R;
}

/// Has JaCoCo's array of the class recorded.
void Hook::adopt(const LoadedClass &C, WeaveRequest &R) {
  auto Adopted = adoptJaCoCo(C.Data);
  if (!Adopted) {
    Env.leave(C.Name, toMessage(Adopted.takeError()));
    return;
  }
  if (Adopted->empty())
    return;
  R.Restored = std::move(*Adopted);
  R.IsAdopted = true;
  Env.TheLog.once(LogLevel::Info,
                  "JaCoCo's agent covers classes here: of these its probes are "
                  "recorded, not those of coverage=" +
                      *R.S->options().Weave.Coverage);
  if (C.Class && !Memory.isChanged(C.Name))
    Env.TheLog.once(LogLevel::Warning,
                    C.Name + ": was loaded with JaCoCo's probes before it was "
                             "to be covered: what it runs is not recorded");
}

/// What the JVM handed over for the loaded class \p C, with what it does not
/// keep, from the loader's resource. Empty if there is nothing to add.
llvm::SmallVector<uint8_t, 0> Hook::restoreLoaded(const LoadedClass &C,
                                                  const Session &S) {
  // This thread asks a loader for the class file of a loaded class; read and
  // written by it alone.
  static thread_local bool AsksForResource = false;
  bool Annotations = S.matcher().needsAnnotations();
  bool Order = S.needsMethodOrder();
  // The JVM verifies what other loaders have, and needs the frames for that.
  if (!Annotations && !Order && !S.covers() &&
      (C.Loader || !hasNoFrames(C.Data)))
    return {};
  std::string Why = "its loader is just being asked for another";
  if (!AsksForResource) {
    AsksForResource = true;
    llvm::SmallVector<uint8_t, 0> Resource;
    {
      HookScope ForTheLoader(InHook::No);
      Resource = readResource(C.Jni, C.Class, C.Name);
    }
    AsksForResource = false;
    Why = "its loader has no class file of it";
    // Coverage is of the class file as it was built, and known by that.
    if (!Resource.empty() && S.covers())
      return Resource;
    if (!Resource.empty()) {
      auto Added = recoverAttributes(C.Data, Resource);
      if (Added)
        return std::move(*Added);
      Why = "its loader has a class file of it, but " +
            toMessage(Added.takeError());
    }
  }
  if (Annotations)
    Env.TheLog.once(LogLevel::Warning,
                    C.Name +
                        ": was loaded before its probes came: the JVM may not "
                        "tell of annotations that are not visible at run time, "
                        "and " +
                        Why);
  if (Order)
    Env.TheLog.once(LogLevel::Warning,
                    C.Name + ": was loaded before its probes came, and " + Why +
                        ": its methods are numbered as the JVM orders them");
  if (S.covers())
    Env.TheLog.once(LogLevel::Warning,
                    C.Name + ": was loaded before it was to be covered, and " +
                        Why +
                        ": what it records may have another id than its class "
                        "file");
  return {};
}

/// Weaves the class, without the probes that cannot run there. Nothing: there
/// is no stack to do that on.
std::optional<llvm::Expected<WeaveResult>> Hook::work(const LoadedClass &C,
                                                      WeaveRequest &R) {
  std::optional<llvm::Expected<WeaveResult>> Woven;
  auto Weave = [&] { return runWithStack([&] { Woven.emplace(weave(R)); }); };
  if (!Weave())
    return std::nullopt;
  if (!R.S || !*Woven || !(*Woven)->Outcome.Changed)
    return Woven;
  const llvm::BitVector Applied = (*Woven)->Outcome.Applied;
  auto Unlinked = Access.findUnlinked(C, *R.S, Applied);
  if (Unlinked.empty())
    return Woven;
  R.Mode.Without.resize(Applied.size());
  for (const auto &[Probe, Why] : Unlinked)
    R.Mode.Without.set(Probe);
  if (!Weave())
    return std::nullopt;
  tellUnlinked(C, *R.S, Unlinked, *Woven && (*Woven)->Outcome.Applied.any());
  return Woven;
}

/// Of classes that this thread has changed: the JVM calls the hook on the
/// thread that asks for that. Others load and change classes meanwhile.
static thread_local Hook::Unlinked OfThread;

Hook::Unlinked Hook::takeUnlinked() {
  return std::exchange(OfThread, Unlinked());
}

/// A class does without probes, which cannot link there; it has others, if \p
/// HasOthers.
void Hook::tellUnlinked(const LoadedClass &C, const Session &S,
                        const std::map<unsigned, std::string> &Unlinked,
                        bool HasOthers) {
  std::string Probes;
  llvm::ListSeparator Next("; ");
  for (const auto &[Probe, Why] : Unlinked)
    Probes += (StringRef(Next) + "probe '" +
               S.bundle().Advices.Probes[Probe].Name + "' " + Why)
                  .str();
  Env.Count.Problems += Unlinked.size();
  if (HasOthers) {
    OfThread.Partly += C.Class != nullptr;
    Env.TheLog.once(LogLevel::Warning,
                    C.Name + ": has not all its probes: " + Probes);
    return;
  }
  OfThread.Whole += C.Class != nullptr;
  Env.leave(C.Name, Probes);
}

/// What the report will have of the class \p Name.
void Hook::keepRows(StringRef Name, const WeaveRequest &R,
                    WeaveResult &Result) {
  if (Result.KeptRows)
    Env.Rows.setPacked(Name, std::move(*Result.KeptRows));
  else if (R.S && Result.Outcome.Left.empty())
    Env.Rows.set(Name, Result.Outcome.Rows);
  else if (R.S)
    Env.Rows.leave(Name, toMessage(Result.Outcome.Left));
  else
    Env.Rows.set(Name, {});
}

/// Counts a class file of the version \p Major, which is newer than those that
/// are known. The log names the first, and what was \p Done.
void Hook::countNewer(StringRef Name, unsigned Major, StringRef Done) {
  if (!Env.Count.Newer++)
    Env.TheLog.once(LogLevel::Warning,
                    (Name + ": " + describeNewer(Major) + ", so jopt " + Done +
                     "; others are treated alike")
                        .str());
}

/// Has HotSpot compile long methods, if the class got one and that is wanted.
void Hook::compileHuge(StringRef Name, const WeaveRequest &R, Bytes After) {
  const AgentOptions &O = R.S->options();
  if (O.Huge == HugePolicy::Leave ||
      (O.Huge == HugePolicy::Auto && !O.Weave.Coverage) ||
      !growsHuge(R.data(), After))
    return;
  auto Done = Compilers.compileHuge(Env.VM);
  if (!Done)
    Env.TheLog.warning(
        Name +
        ": a method grew over 8,000 bytes, and HotSpot leaves it "
        "to its interpreter unless it is started with "
        "-XX:-DontCompileHugeMethods: " +
        toMessage(Done.takeError()));
  else if (*Done)
    Env.TheLog.info(Name + ": a method grew over 8,000 bytes: from now on "
                           "HotSpot compiles methods of any length, those of "
                           "the program too (huge=leave: it does not)");
}

/// Has HotSpot inline as if points that are linked were not there, if the class
/// has such and that is wanted.
void Hook::raiseInlining(const WeaveRequest &R) {
  const AgentOptions &O = R.S->options();
  const bool Links =
      O.Weave.Coverage && (O.Weave.Points == coverage::PointCode::Sites ||
                           O.Weave.Points == coverage::PointCode::Constants);
  if (O.Inlining == InliningPolicy::Leave || !Links)
    return;
  auto Done = Compilers.raiseInlining(Env.VM);
  if (!Done)
    Env.TheLog.warning("HotSpot inlines less than without coverage: " +
                       toMessage(Done.takeError()));
  else if (*Done)
    Env.TheLog.info("HotSpot inlines methods that are longer by two fifths, as "
                    "coverage=once makes code longer (inlining=leave: it does "
                    "not)");
}

/// Weaves the class and gives the JVM the result.
bool Hook::replace(const LoadedClass &C, WeaveRequest &R, Place Out,
                   Clock::time_point Begin) {
  if (!hasMemory()) {
    Env.leave(C.Name, NoMemory + " to change it");
    return false;
  }
  auto Woven = work(C, R);
  if (!Woven) {
    Env.leave(C.Name, "no stack to work on");
    return false;
  }
  if (!*Woven) {
    ++Env.Count.Unreadable;
    if (const unsigned Newer = newerMajor(R.data()))
      countNewer(C.Name, Newer, "left it as it was (newer=error)");
    Env.TheLog.once(LogLevel::Debug, C.Name + ": left to the JVM: " +
                                         toMessage(Woven->takeError()));
    return false;
  }
  WeaveResult &Result = **Woven;
  const ClassOutcome &Outcome = Result.Outcome;
  keepRows(C.Name, R, Result);
  if (R.S && C.Class && Outcome.Changed)
    tellInitialized(C, R);
  tell(Outcome, C.Name);
  if (Outcome.NewerMajor)
    countNewer(C.Name, Outcome.NewerMajor,
               Outcome.Changed ? "applied the newest rules that it knows"
                               : "left it as it was (newer=copy)");
  if (!Outcome.Changed) {
    if (R.Mode.Registry)
      Demand.traceAlways(C.Jni, *R.S, C.Name, /*IsLoaded=*/C.Class);
    if (R.Mode.Without.none())
      ++(Outcome.Left.empty() ? Env.Count.Unchanged : Env.Count.Failed);
    return false;
  }
  for (const CompanionClass &B : Outcome.Beside)
    if (llvm::Error E =
            BootLibrary::defineBeside(C.Jni, C.Loader, B.Name, B.Data)) {
      Env.leave(C.Name, toMessage(std::move(E)));
      return false;
    }
  if (!handOver(C.Name, Outcome.Data, Out))
    return false;
  ++Env.Count.Changed;
  Env.Count.Kept += Result.KeptRows.has_value();
  Env.Count.BytesBefore += R.data().size();
  Env.Count.BytesAfter += Outcome.Data.size();
  remember(C, R);
  if (!R.S)
    return true;
  compileHuge(C.Name, R, Outcome.Data);
  raiseInlining(R);
  if (R.S->asksForCost())
    Limits.add(C.Name, R.data(), Outcome.Data);
  Flight.add(C.Name, R.data().size(), Outcome.Data.size(),
             nanosecondsSince(Begin));
  Traced.add(Outcome.Declared);
  Env.TheLog.debug(C.Name + ": has probes");
  if (isJdkClass(C.Name, Env.Known.kind(C.Jni, C.Loader)))
    tellIntrinsics(R, C.Name);
  if (Result.HasProbes)
    dump(C, R, Result);
  return true;
}

/// Copies \p Data to where the JVM takes it from.
bool Hook::handOver(StringRef Name, Bytes Data, Place Out) {
  unsigned char *Memory = nullptr;
  jvmtiError E = Env.Jvmti->Allocate(jlong(Data.size()), &Memory);
  if (E != JVMTI_ERROR_NONE) {
    Env.leave(Name, "no memory (" + errorName(Env.Jvmti, E) + ")");
    return false;
  }
  std::memcpy(Memory, Data.data(), Data.size());
  *Out.Data = Memory;
  *Out.Size = jint(Data.size());
  return true;
}

/// Remembers a changed class for later requests to change it.
void Hook::remember(const LoadedClass &C, const WeaveRequest &R) {
  Memory.addChanged(C.Name);
  if (!C.Class && !R.Mode.Registry && R.S->addsMembers(R.Mode.How))
    Memory.addMembers(C.Name, MemberMemory::hash(C.Data), {R.S, R.Mode.How});
}

/// If a class is made in two steps, its input is the result of the first.
void Hook::dump(const LoadedClass &C, const WeaveRequest &R,
                const WeaveResult &Result) {
  // jopt cannot reproduce a class with only some of its probes. The earlier
  // dump has all of them.
  if (R.S->options().DumpFolder.empty() || R.Mode.Known.any())
    return;
  Bytes Before =
      Result.WithMembers.empty() ? R.data() : Bytes(Result.WithMembers);
  if (llvm::Error E = TheDump.write(C.Name, Before, Result.Outcome.Data,
                                    R.S->joptOptions(R.Mode), R.Ancestry.get()))
    Env.TheLog.once(LogLevel::Warning, "dump: " + toMessage(std::move(E)));
}

void Hook::tellIntrinsics(const WeaveRequest &R, StringRef Name) {
  for (const std::string &M : R.S->probedIntrinsics(R.data(), R.Mode.Ancestry))
    Env.TheLog.once(
        LogLevel::Warning,
        M + ": HotSpot's compilers may use an intrinsic instead, which "
            "runs no probe: -XX:+UnlockDiagnosticVMOptions "
            "-XX:DisableIntrinsic=NAME keeps them from it "
            "(-XX:+PrintIntrinsics names it)");
}

/// A class that is new to the probes, and whose initialiser will not run again.
void Hook::tellInitialized(const LoadedClass &C, const WeaveRequest &R) {
  jint Status = 0;
  if (!Memory.isChanged(C.Name) &&
      R.S->putsIntoInitializer(R.data(), R.Mode.Ancestry) &&
      Env.Jvmti->GetClassStatus(C.Class, &Status) == JVMTI_ERROR_NONE &&
      (Status & JVMTI_CLASS_STATUS_INITIALIZED))
    Env.TheLog.once(LogLevel::Warning,
                    C.Name +
                        ": was initialised before its probes came: fragments "
                        "of its static initialiser do not run");
}

/// What went wrong with a class, each thing once.
void Hook::tell(const ClassOutcome &Outcome, StringRef Name) {
  if (!Outcome.Left.empty()) {
    std::string Text = toMessage(Outcome.Left);
    for (const auto *Findings :
         {&Outcome.InputFindings, &Outcome.OutputFindings})
      for (const Finding &F : *Findings)
        Text += "; " + F.str();
    Env.TheLog.once(LogLevel::Warning, Name + ": left as it was: " + Text);
  }
  for (const ReportRow &R : Outcome.Rows.Other) {
    if (!isProblem(R.What))
      continue;
    ++Env.Count.Problems;
    std::string Place = R.Method.empty() ? R.Class : R.Class + "." + R.Method;
    Env.TheLog.once(
        LogLevel::Warning,
        Place + (R.What == ReportRow::LeftAlone ? ": left as it was: " : ": ") +
            toMessage(R.Reasons));
  }
}

/// Whether the JDK made the hidden class \p Name: for a lambda, whose body is a
/// method of its host, for a call of a caller-sensitive method, or to choose a
/// case. It has no code of the program.
static bool isMadeByJdk(StringRef Name) {
  return Name.contains("$$Lambda") || Name.ends_with("$$InjectedInvoker") ||
         Name.ends_with("$$TypeSwitch");
}

/// Hidden classes cannot be changed.
void Hook::onPrepare(JNIEnv *Jni, jclass Class) {
  std::shared_ptr<const Session> S = current();
  JvmtiMemory<char> Signature(Env.Jvmti);
  if (!S || HookScope::current() != InHook::No ||
      Env.Jvmti->GetClassSignature(Class, &Signature, nullptr) !=
          JVMTI_ERROR_NONE)
    return;
  StringRef Name = Signature.get();
  if (!Name.consume_front("L") || !Name.contains('.'))
    return;
  // "a/B.0x0123" was defined as a/B.
  Name = Name.take_until([](char C) { return C == '.'; });
  if (isMadeByJdk(Name))
    return;
  LocalFrame Frame(Jni, 8);
  LoadedClass C{Jni, Class, /*Loader=*/nullptr, Name, /*Domain=*/nullptr, {}};
  LoadedClassFacts Facts(Env, C);
  if (decide(*S, Facts) == Decision::Probe && Facts.maySelect(S->matcher()) &&
      Tell.addHidden(Name))
    Env.TheLog.once(LogLevel::Warning,
                    Name + ": is a hidden class, which cannot be changed");
}
