//===- Retransformer.cpp - Classes that are there already -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/Retransformer.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <thread>

using namespace jopt;
using namespace jopt::agent;
using std::chrono::milliseconds;

/// The first batch of a walk whose stops have a limit.
static constexpr size_t FirstOfLimited = 8;
/// How long it is to the first look on the agent's thread, and at most to the
/// next: each takes twice as long to come as the one before.
static constexpr milliseconds FirstRest(1000), LongestRest(30000);
/// What a walk waits for activations that end soon, as requests do.
static constexpr unsigned Pauses[] = {0, 5, 15, 30, 60, 90};
/// Threads that are named of those in loops of one method.
static constexpr size_t MostNames = 16;
/// A look at the stacks that is no older needs no other one. Each stops all
/// threads.
static constexpr milliseconds RecentLook(400);

using Clock = std::chrono::steady_clock;

/// The question of the walk on this thread; null: there is none.
static thread_local Retransformer::Continues *OfThread = nullptr;

bool Retransformer::isStoppingHere() { return OfThread && !(*OfThread)(0); }

namespace {
/// A loaded class and the facts that decide whether to change it.
struct FoundClass {
  FoundClass(const Environment &Env, JNIEnv *Jni, jclass Class)
      : Name(className(Env.Jvmti, Class)),
        Loaded{Jni, Class, nullptr, Name, nullptr, {}}, Facts(Env, Loaded) {}
  /// A class without a name cannot be changed.
  bool isKnown() const { return !Name.empty(); }

  const std::string Name;
  LoadedClass Loaded;
  LoadedClassFacts Facts;
};
} // namespace

/// The class \p Of gets something of \p S, as far as its methods tell.
static bool gets(const Session &S, LoadedClassFacts &Of) {
  const Decision What = decide(S, Of);
  if (What != Decision::Probe || S.covers())
    return agent::isMeant(What);
  return Of.maySelect(S.matcher()) || (S.tracing() && S.mayTrace(Of.pool()));
}

/// A probe that comes or leaves selects something in the class \p Of.
static bool isConcerned(const Retransformer::Change &What, const Session *New,
                        LoadedClassFacts &Of) {
  auto Probes = [&](const Session *S) {
    return S && decide(*S, Of) == Decision::Probe;
  };
  return (Probes(New) || Probes(What.Before)) && Of.maySelect(What.Concerned);
}

/// The class is to go through the hook again: it has probes of before, or gets
/// some of \p New; or \p Only concerns it, where that is given.
bool Retransformer::isMeant(JNIEnv *Jni, const Session *New, const Change *Only,
                            jclass Class) const {
  FoundClass C(Env, Jni, Class);
  if (Only) {
    if (!C.isKnown() || !isConcerned(*Only, New, C.Facts))
      return false;
    // The hook says so if it has probes still.
    Memory.forgetChange(C.Name);
    Env.Rows.set(C.Name, {});
    return true;
  }
  return C.isKnown() &&
         (Memory.isChanged(C.Name) || (New && gets(*New, C.Facts)));
}

/// The JVM can change \p Class, which may run some day.
bool Retransformer::isModifiable(jclass Class) const {
  jboolean CanChange = false;
  jint Status = 0;
  return Env.Jvmti->IsModifiableClass(Class, &CanChange) == JVMTI_ERROR_NONE &&
         CanChange &&
         Env.Jvmti->GetClassStatus(Class, &Status) == JVMTI_ERROR_NONE &&
         !(Status & JVMTI_CLASS_STATUS_ERROR);
}

/// The class is loaded and not linked yet.
static bool isUnlinked(jvmtiEnv *Jvmti, jclass Class) {
  jint Status = 0;
  return Jvmti->GetClassStatus(Class, &Status) == JVMTI_ERROR_NONE &&
         !(Status &
           (JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED));
}

/// Says that classes were changed, if a debugger is there. It has the one
/// capability that a JVM gives to one agent only while it runs; which class has
/// breakpoints it alone can tell.
static void tellDebugger(Environment &Env) {
  jvmtiCapabilities Free = {};
  if (Env.Jvmti->GetPotentialCapabilities(&Free) == JVMTI_ERROR_NONE &&
      !Free.can_suspend)
    Env.TheLog.once(
        LogLevel::Warning,
        "a debugger is there: the JVM clears its breakpoints in classes that "
        "are changed, and does not tell it: connect it again to set them");
}

unsigned Retransformer::changeNow(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch) {
  if (Batch.empty())
    return 0;
  jvmtiError E =
      Env.Jvmti->RetransformClasses(jint(Batch.size()), Batch.data());
  if (E == JVMTI_ERROR_NONE) {
    tellDebugger(Env);
    return 0;
  }
  // One that the JVM refuses keeps the others from it.
  if (Batch.size() > 1) {
    size_t Half = Batch.size() / 2;
    return changeNow(Jni, Batch.take_front(Half)) +
           changeNow(Jni, Batch.drop_front(Half));
  }
  takeException(Jni);
  const std::string Name = className(Env.Jvmti, Batch[0]);
  // It cannot be linked, and so it never runs.
  if (isUnlinked(Env.Jvmti, Batch[0])) {
    Memory.forgetChange(Name);
    Env.Rows.set(Name, {});
    Env.TheLog.info(Name + ": cannot be linked: " + errorName(Env.Jvmti, E));
    return 0;
  }
  Env.leave(Name, "the JVM refuses to change it: " + errorName(Env.Jvmti, E));
  return 1;
}

/// "run:17 on 'a', 'b'; go on 'c'": \p Loops, by their places.
static std::string describe(llvm::ArrayRef<LoopingActivation> Loops) {
  std::map<std::string, std::vector<llvm::StringRef>> Places;
  for (const LoopingActivation &A : Loops)
    Places[A.Method + (A.Line ? ":" + std::to_string(A.Line) : "")].push_back(
        A.Name);
  std::string Text;
  for (const auto &[Place, Names] : Places) {
    Text += (Text.empty() ? "" : "; ") + Place + " on ";
    llvm::ListSeparator Comma;
    for (llvm::StringRef N : llvm::ArrayRef(Names).take_front(MostNames))
      Text += llvm::StringRef(Comma).str() + "'" + N.str() + "'";
    if (Names.size() > MostNames)
      Text += " and " + std::to_string(Names.size() - MostNames) + " more";
  }
  return Text;
}

/// Those of \p Classes that may be changed now; the others are left for later.
std::vector<jclass> Retransformer::leaveLoops(JNIEnv *Jni,
                                              llvm::ArrayRef<jclass> Classes,
                                              Threads Which) {
  if (Policy == InFlightPolicy::Include || Classes.empty())
    return Classes.vec();
  std::lock_guard<std::mutex> Guard(Lock);
  StackView View = InFlight.look(Env.VM, Jni, Classes, Which);
  std::map<size_t, std::vector<LoopingActivation>> Loops;
  for (LoopingActivation &A : View.Loops)
    Loops[A.Class].push_back(std::move(A));
  if (!View.Complete)
    // Nobody can do anything about it.
    Env.TheLog.once(LogLevel::Info,
                    "there was no time to look at all virtual threads: those "
                    "that were not looked at may be in loops of methods whose "
                    "classes are changed");
  std::vector<jclass> Free;
  for (size_t I = 0; I < Classes.size(); ++I) {
    auto At = Loops.find(I);
    if (At == Loops.end()) {
      Free.push_back(Classes[I]);
      continue;
    }
    auto Before = llvm::find_if(Postponed, [&](const Left &L) {
      return Jni->IsSameObject(L.Class, Classes[I]);
    });
    if (Before != Postponed.end())
      Before->Walk = Walks;
    else if (jweak W = Jni->NewWeakGlobalRef(Classes[I]))
      Postponed.push_back(
          {W, className(Env.Jvmti, Classes[I]), std::move(At->second), Walks});
    Jni->ExceptionClear();
  }
  Env.Count.Postponed = Postponed.size();
  return Free;
}

unsigned Retransformer::change(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch) {
  std::vector<jclass> Free = leaveLoops(Jni, Batch, Threads::All);
  if (Free.size() != Batch.size()) {
    keepLooking(Jni);
  }
  return changeNow(Jni, Free);
}

/// The loaded classes that \p Is accepts, as weak references, so that none of
/// them is kept for the walk. Those that are linked come first: one that cannot
/// be linked has its batch done in halves.
std::vector<jclass>
Retransformer::collect(JNIEnv *Jni, llvm::function_ref<bool(jclass)> Is) const {
  std::vector<jclass> Found, Unlinked;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass C) {
    const bool IsLinked = !isUnlinked(Env.Jvmti, C);
    if (jweak Kept = Is(C) ? Jni->NewWeakGlobalRef(C) : nullptr)
      (IsLinked ? Found : Unlinked).push_back(static_cast<jclass>(Kept));
  });
  Jni->ExceptionClear();
  llvm::append_range(Found, Unlinked);
  return Found;
}

/// Behind a batch of \p Size classes that took \p Stop: half of the limit, as
/// what a stop takes differs.
size_t Retransformer::sizeOfNext(size_t Size, size_t Most,
                                 std::chrono::nanoseconds Stop) const {
  const double Fits = double(Limits.Each.count()) / 2 /
                      double(std::max<int64_t>(1, Stop.count()));
  return std::clamp<size_t>(size_t(double(Size) * std::min(Fits, 1e6)), 1,
                            Most);
}

/// Changes those of \p Meant, weak references, that are still there; how long
/// that stopped all threads.
std::chrono::nanoseconds
Retransformer::changeBatch(JNIEnv *Jni, llvm::ArrayRef<jclass> Meant, Walk &W) {
  std::vector<jclass> Batch;
  // Local references would count for whoever looks at a class then.
  for (jclass C : Meant)
    if (jobject Kept = Jni->NewGlobalRef(C))
      Batch.push_back(static_cast<jclass>(Kept));
  Jni->ExceptionClear();
  llvm::ArrayRef<jclass> Free = Batch;
  std::vector<jclass> NotInLoops;
  // Virtual threads have had their look.
  if (Clock::now() - W.Looked > RecentLook) {
    NotInLoops = leaveLoops(Jni, Batch, Threads::Platform);
    Free = NotInLoops;
    W.Looked = Clock::now();
  }
  const auto Begin = Clock::now();
  W.Not.Refused += changeNow(Jni, Free);
  const std::chrono::nanoseconds Stop =
      Free.empty() ? std::chrono::nanoseconds(0)
                   : Clock::now() - std::max(Begin, HookScope::lastEnd());
  Made.Count += !Free.empty();
  Made.Longest = std::max(Made.Longest, Stop);
  Made.Sum += Stop;
  for (jclass C : Batch)
    Jni->DeleteGlobalRef(C);
  return Stop;
}

/// Changes \p Meant, except the classes that it postpones, and deletes the
/// references.
void Retransformer::changeAll(JNIEnv *Jni, llvm::ArrayRef<jclass> Meant,
                              Walk &W) {
  std::vector<jclass> Free = leaveLoops(Jni, Meant, Threads::All);
  W.Looked = Clock::now();
  auto *const Outer = std::exchange(OfThread, &W.GoesOn);
  for (llvm::ArrayRef<jclass> Rest = Free; !Rest.empty();) {
    // The next stop is taken to be as long as the longest so far.
    Made.PassedAll |= W.PutsIn && Limits.All.count() && Made.Count &&
                      Made.Sum + Made.Longest > Limits.All;
    if (!W.GoesOn(Rest.size()) || Made.PassedAll) {
      W.Not.Left += Rest.size();
      break;
    }
    auto Batch = Rest.take_front(W.Batch);
    Rest = Rest.drop_front(Batch.size());
    const auto Stop = changeBatch(Jni, Batch, W);
    W.Batch = std::min(2 * W.Batch, MostInBatch);
    if (W.PutsIn && Limits.Each.count())
      W.Batch = sizeOfNext(Batch.size(), W.Batch, Stop);
  }
  OfThread = Outer;
  for (jclass C : Meant)
    Jni->DeleteWeakGlobalRef(C);
}

/// One look at the loaded classes; those that have the tag were seen.
void Retransformer::pass(JNIEnv *Jni, const Session *New, const Change *Only,
                         Walk &W) {
  LocalFrame Frame(Jni, 8);
  std::optional<BaseModule> Skipped;
  if (New && !New->filter().targetsJdk() && !Only && !Memory.isAnyChanged())
    Skipped.emplace(Env.Jvmti, Jni, Env.Known);
  std::vector<jclass> All = collect(Jni, [&](jclass C) {
    jlong Seen = 0;
    if (Skipped && Skipped->has(C))
      return false;
    if (Env.Jvmti->GetTag(C, &Seen) != JVMTI_ERROR_NONE || Seen == Walks)
      return false;
    Env.Jvmti->SetTag(C, Walks);
    return (W.IsFirst || !hasCome(Jni, C)) && isMeant(Jni, New, Only, C) &&
           isModifiable(C);
  });
  W.IsFirst = false;
  W.Meant += All.size();
  changeAll(Jni, All, W);
}

/// \p Class came since the walk began, and has been through the hook.
bool Retransformer::hasCome(JNIEnv *Jni, jclass Class) const {
  LocalFrame Frame(Jni, 8);
  jobject Loader = nullptr;
  return Env.Jvmti->GetClassLoader(Class, &Loader) == JVMTI_ERROR_NONE &&
         Memory.hasCome(Jni, Loader, className(Env.Jvmti, Class));
}

Retransformer::Unchanged Retransformer::walk(JNIEnv *Jni, const Session *New,
                                             Continues GoesOn,
                                             const Change *Only) {
  ++Walks;
  if (!Only)
    forgetLeft(Jni);
  Walk W = {GoesOn};
  W.PutsIn = New != nullptr;
  Made = {};
  if (W.PutsIn && Limits.Each.count())
    W.Batch = FirstOfLimited;
  Memory.noteComing(Jni, New && !Only);
  pass(Jni, New, Only, W);
  // Classes that were on their way when the probes changed.
  if (!W.Not.Left)
    pass(Jni, New, Only, W);
  Memory.noteComing(Jni, false);
  if (W.Meant && !W.Not.Left)
    W.Not.Refused += settle(Jni);
  return W.Not;
}

/// Looks at the postponed classes, and moves to \p Freed those that can be
/// changed now.
StackView Retransformer::takeFreed(JNIEnv *Jni, std::vector<jclass> &Freed) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<jclass> Classes;
  llvm::erase_if(Postponed, [&](const Left &L) {
    auto *Class = static_cast<jclass>(Jni->NewLocalRef(L.Class));
    if (Class)
      Classes.push_back(Class);
    else
      Jni->DeleteWeakGlobalRef(L.Class);
    return !Class;
  });
  StackView View = InFlight.look(Env.VM, Jni, Classes, Threads::All);
  for (size_t I = Classes.size(); I--;) {
    Left &L = Postponed[I];
    // An incomplete view may have missed activations that still run.
    if (View.Complete)
      llvm::erase_if(L.For, [&](const LoopingActivation &A) {
        return llvm::none_of(View.Loops, [&](const LoopingActivation &Now) {
          return Now.Class == I && Now.isSame(A);
        });
      });
    if (!L.For.empty() && Policy == InFlightPolicy::Skip) {
      Jni->DeleteLocalRef(Classes[I]);
      continue;
    }
    Freed.push_back(Classes[I]);
    Jni->DeleteWeakGlobalRef(L.Class);
    Postponed.erase(Postponed.begin() + ptrdiff_t(I));
  }
  Env.Count.Postponed = Postponed.size();
  Env.Count.OldActivations = View.Old;
  return View;
}

/// Looks at the classes that were postponed, with the result \p View, and
/// changes those that can be changed now. \returns how many the JVM refused.
unsigned Retransformer::changeFreed(JNIEnv *Jni, StackView &View) {
  std::vector<jclass> Freed;
  View = takeFreed(Jni, Freed);
  unsigned Refused = 0;
  for (llvm::ArrayRef<jclass> Rest = Freed; !Rest.empty();) {
    auto Batch = Rest.take_front(MostInBatch);
    Rest = Rest.drop_front(Batch.size());
    for (jclass C : Batch)
      Env.TheLog.info(className(Env.Jvmti, C) +
                      ": the activations in loops have ended: changed now");
    Refused += changeNow(Jni, Batch);
  }
  for (jclass C : Freed)
    Jni->DeleteLocalRef(C);
  return Refused;
}

/// After a walk: waits a little for activations that end soon, and names the
/// others.
unsigned Retransformer::settle(JNIEnv *Jni) {
  unsigned Refused = 0;
  std::vector<LoopingActivation> Old;
  for (unsigned Pause : Pauses) {
    std::this_thread::sleep_for(milliseconds(Pause));
    StackView View;
    Refused += changeFreed(Jni, View);
    if (Pause)
      llvm::erase_if(Old, [&](const LoopingActivation &A) {
        return llvm::none_of(View.OldLoops, [&](const LoopingActivation &Now) {
          return Now.isSame(A);
        });
      });
    else
      Old = std::move(View.OldLoops);
    if (Old.empty() && left().empty())
      break;
  }
  std::map<std::string, std::vector<LoopingActivation>> ByClass;
  for (LoopingActivation &A : Old)
    ByClass[A.ClassName].push_back(A);
  for (const auto &[Name, Loops] : ByClass)
    Env.TheLog.once(LogLevel::Warning,
                    Name +
                        ": an activation in a loop goes on in code that was "
                        "replaced, in the interpreter, until it returns: " +
                        describe(Loops));
  keepLooking(Jni);
  return Refused;
}

void Retransformer::lookAgain(JNIEnv *Jni) {
  StackView View;
  changeFreed(Jni, View);
}

/// Names the postponed classes, if there are any, and schedules another look.
void Retransformer::keepLooking(JNIEnv *Jni) {
  tellLeft();
  if (isAnyLeft() && Env.Later.start(Env.Jvmti, Jni))
    lookLater(FirstRest);
}

/// Schedules a look at the postponed classes, if there are any, in \p Delay.
void Retransformer::lookLater(milliseconds Delay) {
  if (!isAnyLeft())
    return;
  Env.Later.schedule(this, Delay, [this, Delay](JNIEnv *Jni) {
    lookAgain(Jni);
    lookLater(std::min(2 * Delay, LongestRest));
  });
}

bool Retransformer::isAnyLeft() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return !Postponed.empty();
}

std::vector<std::string> Retransformer::left() const {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<std::string> Names;
  Names.reserve(Postponed.size());
  for (const Left &L : Postponed)
    if (L.Walk == Walks)
      Names.push_back(L.Name);
  return Names;
}

bool Retransformer::isLeft(JNIEnv *Jni, jclass Class) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return llvm::any_of(Postponed, [&](const Left &L) {
    return Jni->IsSameObject(L.Class, Class);
  });
}

std::vector<std::pair<std::string, std::string>>
Retransformer::describeLeft() const {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<std::pair<std::string, std::string>> All;
  All.reserve(Postponed.size());
  for (const Left &L : Postponed)
    All.emplace_back(L.Name, "left for later: in a loop: " + describe(L.For));
  llvm::sort(All);
  return All;
}

/// Of many, as where threads of pools wait in a loop each, the log of
/// level=info and the report name all.
void Retransformer::tellLeft() const {
  static constexpr llvm::StringLiteral Then =
      "; changed when that has ended, or at once by in-flight=include";
  const auto All = describeLeft();
  const bool IsFew = areNamed(All.size());
  for (const auto &[Name, Why] : All)
    Env.TheLog.once(IsFew ? LogLevel::Warning : LogLevel::Info,
                    llvm::Twine(Name) + ": " + Why + Then);
  if (!IsFew)
    Env.TheLog.once(LogLevel::Warning,
                    llvm::Twine(All.size()) +
                        " classes are left for later, as threads are in loops "
                        "of theirs; the report names them" +
                        Then);
}

/// Forgets the postponed classes: a walk finds the classes to change anew.
void Retransformer::forgetLeft(JNIEnv *Jni) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (const Left &L : Postponed)
    Jni->DeleteWeakGlobalRef(L.Class);
  Postponed.clear();
  Env.Count.Postponed = 0;
  Env.Later.cancel(this);
}

void Retransformer::changeTraced(JNIEnv *Jni, const Session &S) {
  auto Always = [](size_t) { return true; };
  Walk W = {Always};
  changeAll(Jni,
            collect(Jni,
                    [&](jclass Class) {
                      FoundClass C(Env, Jni, Class);
                      return C.isKnown() &&
                             agent::isMeant(decide(S, C.Facts)) &&
                             S.mayTrace(C.Facts.pool()) && isModifiable(Class);
                    }),
            W);
  if (isAnyLeft())
    keepLooking(Jni);
}
