//===- ChangeAtWork.cpp - Probes that come beside others, or leave them ---===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Agent.h"
#include "jopt/Probes/LoadProbes.h"
#include "jopt/Probes/ProbeModes.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// Fails if one of \p Leaving names no probe of \p S.
static Error checkNames(const Session &S, llvm::ArrayRef<std::string> Leaving) {
  std::vector<StringRef> Names;
  for (const Probe &P : S.files().Advices.Probes)
    Names.push_back(P.Name);
  for (StringRef Name : Leaving)
    if (llvm::none_of(Names,
                      [&](StringRef N) { return matchesWildcard(Name, N); }))
      return makeError("no probe at work has the name '" + Name +
                       "'; there are '" + llvm::join(Names, "', '") + "'");
  return Error::success();
}

/// Why \p S cannot change while it is at work; empty if it can.
static StringRef whyFixed(const Session &S) {
  if (S.options().Weave.Schema == SchemaPolicy::Change)
    return "with schema=change classes keep members that are numbered as the "
           "probes are";
  return {};
}

/// The probes of \p Set whose classes \p New has not.
static AdviceSet withoutClassesOf(const AdviceSet &Set, const Session &New) {
  llvm::StringSet<> Owners;
  for (const Advice &A : New.files().Advices.Advices)
    Owners.insert(A.Body.Owner);
  llvm::BitVector Stay(unsigned(Set.Probes.size()));
  for (const Advice &A : Set.Advices)
    if (Owners.contains(A.Body.Owner))
      Stay.set(A.Probe);
  return selectProbes(Set, [&](const Probe &P) {
    return !Stay.test(unsigned(&P - Set.Probes.data()));
  });
}

/// Probes come to those at work, or some of these leave. Whatever is the same
/// before and after keeps what it knows.
AttachStatus Agent::changeAtWork(JNIEnv *Jni, AgentOptions O, StringRef Text) {
  std::shared_ptr<const Session> Base = Programs.base();
  std::shared_ptr<const Session> Now = TheHook.current();
  auto Refuse = [&](Error E) {
    return fail(Jni, AttachStatus::BadOptions, std::move(E));
  };
  const StringRef What = O.Adds ? "add" : "off";
  if (!Now || !Base)
    return Refuse(makeError("'" + What + "': no probes are at work"));
  if (StringRef Why = whyFixed(*Base); !Why.empty())
    return Refuse(makeError("'" + What + "': " + Why));
  if (Error E = checkNames(*Base, O.Leaving))
    return Refuse(std::move(E));

  std::shared_ptr<const Session> More;
  if (O.Adds) {
    AgentOptions Own = O;
    Own.MaxRate = Base->options().MaxRate;
    Own.MaxOverhead = Base->options().MaxOverhead;
    Own.Weave.CountEvents |= Base->options().Weave.CountEvents;
    auto S = makeSession(Own, Jni);
    if (!S)
      return fail(Jni, AttachStatus::BadProbes, S.takeError());
    More = std::move(*S);
  }
  // Those that leave by themselves are one set at a time.
  const bool IsGuest = O.Adds && (!O.For.empty() || !O.FollowSocket.empty());
  const std::vector<std::string> Before =
      IsGuest ? std::exchange(Stay.Guests, {}) : std::vector<std::string>();
  auto Leaves = [&](const Probe &P) {
    return llvm::is_contained(Before, P.Name) ||
           llvm::any_of(O.Leaving, [&](StringRef Name) {
             return matchesWildcard(Name, P.Name);
           });
  };
  auto New = Session::change(*Base, More.get(), Leaves);
  auto Whole = New ? Programs.compose(*New, Registry::ProgramModes::Keep)
                   : New.takeError();
  if (!Whole)
    return fail(Jni, AttachStatus::BadProbes, Whole.takeError());
  if (Error E = openFiles(O, nullptr))
    return fail(Jni, AttachStatus::BadFile, std::move(E));
  if (!O.FollowSocket.empty())
    if (Error E = Tell.follower().connect(O.FollowSocket))
      return fail(Jni, AttachStatus::BadFile, std::move(E));
  if ((*Whole)->isIdle() && Programs.isEmpty())
    return putToWork(Jni, O, nullptr, Reason{"off", Text});

  auto Comes = [&](const Probe &P) {
    return More &&
           llvm::any_of(More->files().Advices.Probes,
                        [&](const Probe &M) { return M.Name == P.Name; });
  };
  AdviceSet Changed = selectProbes(Base->files().Advices, [&](const Probe &P) {
    return Leaves(P) || Comes(P);
  });
  append(Changed, selectProbes((*New)->files().Advices, Comes));
  const Matcher Concerned(Changed);
  const Retransformer::Change Only = {Now.get(), Concerned};
  const AdviceSet Gone = withoutClassesOf(Now->bundle().Advices, **New);
  if (Now->measures())
    Probes.leaveOff(Env, Jni, Gone);
  if (!Before.empty())
    Tell.follower().end(Jni, "others put in other probes", /*IsBound=*/false);
  if (IsGuest)
    for (const Probe &P : More->files().Advices.Probes)
      Stay.Guests.push_back(P.Name);
  const AttachStatus Status =
      putToWork(Jni, O, *Whole, Reason{What, Text, false, &Only});
  if (Stay.Last && !Stay.Guests.empty())
    leaveAt(&Stay.Guests, Stay.Began + *Stay.Last, "for=" + O.For + " is over");
  if (Status != AttachStatus::BadProbeClasses)
    Programs.setBase(*New, Registry::ProgramModes::Keep);
  else if (Now->measures())
    Probes.beginAgain(Env, Jni, Now->bundle().Advices);
  return Status;
}
