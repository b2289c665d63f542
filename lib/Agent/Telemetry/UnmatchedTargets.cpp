//===- UnmatchedTargets.cpp - Targets that no loaded class matches --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/UnmatchedTargets.h"
#include "jopt/Agent/Hook/LoadedClass.h"
#include "jopt/Agent/Hosts/Ancestors.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

namespace {
/// Asks the JVM about loaded classes for the sake of targets that matched
/// nothing.
class LoadedClassSearch {
public:
  LoadedClassSearch(const Environment &Env, JNIEnv *Jni, const Session &S);
  /// Empty where a class that \p IsLeft for later would be matched.
  UnmatchedReasons explain(llvm::function_ref<bool(jclass)> IsLeft);

private:
  struct Question {
    RuleNumber Rule;
    NearestMiss Best;
    /// The nearest of the classes that are not looked at.
    NearestMiss Filtered;
    bool IsOfJdk = false; ///< that one
    bool IsLeft = false;  ///< the nearest class is left for later
  };
  void look(jclass Class, llvm::function_ref<bool(jclass)> IsLeft);
  void forEachMethod(jclass Class, NearestMiss::MethodSink Take) const;
  std::string text(const Question &Q) const;

  const Environment &Env;
  JNIEnv *Jni;
  const Session &S;
  std::vector<Question> Questions;
  unsigned LookedAt = 0;
};
} // namespace

LoadedClassSearch::LoadedClassSearch(const Environment &Env, JNIEnv *Jni,
                                     const Session &S)
    : Env(Env), Jni(Jni), S(S) {
  const AdviceSet &A = S.bundle().Advices;
  for (RuleNumber R : unmatchedRules(A, S.matcher())) {
    const Probe &P = A.Probes[R.first];
    NearestMiss N(P, P.Rules[R.second]);
    if (!isReadyProbe(P))
      Questions.push_back({R, N, N});
  }
}

/// What the JVM knows of methods: not their annotations.
void LoadedClassSearch::forEachMethod(jclass Class,
                                      NearestMiss::MethodSink Take) const {
  jint Count = 0;
  JvmtiMemory<jmethodID> Methods(Env.Jvmti);
  // A class that is not prepared has none yet.
  if (Env.Jvmti->GetClassMethods(Class, &Count, &Methods) != JVMTI_ERROR_NONE)
    return;
  for (jmethodID M : llvm::ArrayRef(Methods.get(), size_t(Count))) {
    JvmtiMemory<char> Name(Env.Jvmti), Descriptor(Env.Jvmti);
    jint Access = 0;
    if (Env.Jvmti->GetMethodName(M, &Name, &Descriptor, nullptr) ==
            JVMTI_ERROR_NONE &&
        Env.Jvmti->GetMethodModifiers(M, &Access) == JVMTI_ERROR_NONE)
      Take({Name.get(), Descriptor.get(),
            !(Access & (ACC_ABSTRACT | ACC_NATIVE)), /*Annotations=*/nullptr,
            bool(Access & ACC_SYNTHETIC)});
  }
}

void LoadedClassSearch::look(jclass Class,
                             llvm::function_ref<bool(jclass)> IsLeft) {
  std::string Name = className(Env.Jvmti, Class);
  if (Name.empty())
    return;
  LoadedClass C{Jni, Class, /*Loader=*/nullptr, Name, /*Domain=*/nullptr, {}};
  LoadedClassFacts Facts(Env, C);
  const bool IsFiltered = decide(S, Facts) == Decision::Filtered;
  LookedAt += !IsFiltered;
  // Of the JDK's classes, which are most, hardly one is asked any more; what is
  // near does not count of them.
  jboolean IsInterface = false;
  auto IsNamedBy = [&](const Question &Q) { return Q.Best.names(Name); };
  if (IsFiltered && llvm::none_of(Questions, IsNamedBy))
    return;
  Env.Jvmti->IsInterface(Class, &IsInterface);
  std::vector<std::string> Names;
  if (!IsFiltered)
    Names = directInterfaces(Env.Jvmti, Jni, Class);
  llvm::SmallVector<StringRef, 4> Interfaces(Names.begin(), Names.end());
  for (Question &Q : Questions) {
    NearestMiss &N = IsFiltered ? Q.Filtered : Q.Best;
    const Miss Before = N.what();
    N.look({Name, Interfaces, bool(IsInterface)},
           [&](NearestMiss::MethodSink Take) { forEachMethod(Class, Take); });
    if (N.what() == Before)
      continue;
    if (IsFiltered)
      Q.IsOfJdk = isJdkClass(Name, Facts.loaderKind());
    else if (N.what() == Miss::Decided)
      Q.IsLeft = IsLeft(Class);
  }
}

std::string LoadedClassSearch::text(const Question &Q) const {
  const std::string Number =
      "; loaded classes looked at: " + std::to_string(LookedAt);
  if (S.matcher().callProbes().test(Q.Rule.first))
    return "there is no such call" + Number;
  if (Q.Best.what() != Miss::Decided && Q.Filtered.what() == Miss::Decided)
    return Q.Filtered.example() + " is not looked at: " +
           (Q.IsOfJdk ? "its class is one of the JDK, and neither a target's "
                        "package nor include names it"
                      : "its class is one of probes, or left out by include, "
                        "exclude, loader or source");
  switch (Q.Best.what()) {
  case Miss::All:
    return Q.Best.text() + Number;
  case Miss::Decided:
    return Q.Best.text() + ", or was left as it was, as a line above says";
  default:
    return Q.Best.text();
  }
}

UnmatchedReasons
LoadedClassSearch::explain(llvm::function_ref<bool(jclass)> IsLeft) {
  UnmatchedReasons Reasons;
  if (Questions.empty())
    return Reasons;
  LocalFrame Frame(Jni, 8);
  std::optional<BaseModule> Skipped;
  if (!S.filter().targetsJdk() &&
      llvm::none_of(Questions, [&](const Question &Q) {
        const Probe &P = S.bundle().Advices.Probes[Q.Rule.first];
        return mayNameJdk(P.Rules[Q.Rule.second]);
      }))
    Skipped.emplace(Env.Jvmti, Jni, Env.Known);
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass C) {
    if (!Skipped || !Skipped->has(C))
      look(C, IsLeft);
  });
  for (const Question &Q : Questions)
    Reasons[Q.Rule] = Q.IsLeft ? std::string() : text(Q);
  return Reasons;
}

unsigned agent::countUnmatched(const Session &S) {
  return unsigned(unmatchedRules(S.bundle().Advices, S.matcher()).size());
}

bool agent::matchesNothing(const Session &S) {
  const unsigned Probes = unsigned(S.bundle().Advices.Probes.size());
  for (unsigned P = 0; P < Probes; ++P)
    if (S.matcher().probeHits(P))
      return false;
  return Probes != 0;
}

UnmatchedReasons agent::explainUnmatched(Environment &Env, JNIEnv *Jni,
                                         const Session &S) {
  return LoadedClassSearch(Env, Jni, S).explain([](jclass) { return false; });
}

void agent::tellUnmatched(Environment &Env, JNIEnv *Jni, const Session &S,
                          llvm::function_ref<bool(jclass)> IsLeft) {
  if (!Env.TheLog.shows(LogLevel::Warning))
    return;
  UnmatchedReasons Reasons = LoadedClassSearch(Env, Jni, S).explain(IsLeft);
  for (const Diagnostic &D : describeUnmatched(S.bundle().Advices, S.matcher(),
                                               Reasons, Severity::Warning))
    Env.TheLog.once(LogLevel::Warning, toMessage(D));
}

/// Whether the JDK's class file \p Data has a method that \p R of \p P is for.
static bool hasMethodFor(const Probe &P, const TargetRule &R, Bytes Data) {
  auto Class = readClass(Data);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return true; // Nobody can tell.
  }
  const ClassFile &F = **Class;
  NearestMiss N(P, R);
  N.look({F.name(), {}, F.isInterface()}, [&](NearestMiss::MethodSink Take) {
    for (const Method &M : F.Methods)
      Take({F.name(M), F.descriptor(M), M.codeAttribute(F.Pool) >= 0,
            /*Annotations=*/nullptr, M.is(ACC_SYNTHETIC)});
  });
  return N.what() == Miss::Decided;
}

/// The N of a part whose name ends with SinceN, which is for what JDKs have
/// from Java N on; else 0.
static unsigned sinceOf(const Probe &P) {
  unsigned Release = 0;
  const size_t At = StringRef(P.Name).rfind("Since");
  if (At != StringRef::npos)
    (void)llvm::to_integer(StringRef(P.Name).drop_front(At + 5), Release, 10);
  return Release;
}

void agent::tellMissingParts(Environment &Env, JNIEnv *Jni, const Session &S) {
  jobject Loader = Env.Known.platform();
  if (!Loader || !Env.TheLog.shows(LogLevel::Warning))
    return;
  const AdviceSet &A = S.bundle().Advices;
  const unsigned Release = javaRelease(Env.Jvmti);
  for (unsigned Part : findUnusedJdkParts(A, S.matcher())) {
    const Probe &P = A.Probes[Part];
    if (sinceOf(P) > Release)
      continue;
    const bool IsThere = llvm::any_of(P.Rules, [&](const TargetRule &R) {
      if (!R.Include)
        return false;
      auto Data = readResource(Jni, Loader, R.Type);
      return !Data.empty() && hasMethodFor(P, R, Data);
    });
    if (!IsThere)
      Env.TheLog.once(LogLevel::Warning,
                      P.Where.File + ": part '" + P.Name +
                          "' is for methods that this JDK does not have, and "
                          "records nothing");
  }
}
