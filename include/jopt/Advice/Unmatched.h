//===- Unmatched.h - Why a target matched nothing ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For targets that matched nothing: what comes nearest to them, and what keeps
/// it from matching; and the words for both. Where classes are known from is
/// the caller's matter: jopt reads its inputs, the agent asks the JVM.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_UNMATCHED_H
#define JOPT_ADVICE_UNMATCHED_H

#include "jopt/Advice/Matcher.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt {

/// Why a candidate is not selected, the nearest miss first.
enum class Miss : uint8_t {
  Decided,    ///< nothing but other rules
  NoCode,     ///< it is abstract or native
  Interface,  ///< it is in an interface
  Annotation, ///< neither it nor its class carries it
  SignatureDots,
  Signature,
  MethodCase,
  Method,
  PackageInClass, ///< the class pattern has a package
  NestedDot,      ///< the class pattern has a dot for a dollar sign
  ClassCase,
  Package, ///< such a class is in another package
  All,     ///< nothing is near
};

/// The method of a class, or the callee of a call.
struct MissedMethod {
  llvm::StringRef Name, Descriptor;
  bool HasCode = true;
  /// Its own, and those of its class; null: they are not known.
  const llvm::SmallVectorImpl<llvm::StringRef> *Annotations = nullptr;
  /// A compiler or a tool made it: an example only where the rule names it.
  bool IsSynthetic = false;
};

/// The nearest miss of an include rule among all that look() was given. Used by
/// one thread; the rule must outlive it.
class NearestMiss {
public:
  NearestMiss(const Probe &P, const TargetRule &R);

  /// A class. Calls \p EachMethod, if the class matches, with what takes its
  /// methods.
  using MethodSink = llvm::function_ref<void(const MissedMethod &)>;
  /// Whether the class is an interface is asked only where names() says so, or
  /// it has interfaces.
  void look(const MatchClass &Class,
            llvm::function_ref<void(MethodSink)> EachMethod);
  /// The callee of a call.
  void lookAtCallee(llvm::StringRef Class, const MissedMethod &Callee);

  /// The rule is about the class of that internal name.
  bool names(llvm::StringRef Class) const { return matchesClass(*R, Class); }

  Miss what() const { return What; }
  const std::string &example() const { return Example; }
  /// Why that does not match, to stand behind "matched nothing: ".
  /// \p OfCalls: calls were looked at, and no classes.
  std::string text(bool OfCalls = false) const;

private:
  void takeNear(llvm::StringRef Class, llvm::StringRef Name);
  void take(Miss New, llvm::StringRef Class, llvm::StringRef Name = {},
            llvm::StringRef Descriptor = {});
  Miss missOf(const MissedMethod &M) const;
  Miss missOfClass(llvm::StringRef Class) const;

  const Probe *P;
  const TargetRule *R;
  TargetRule Lower; ///< R in small letters
  Miss What = Miss::All;
  std::string Example;
  /// A method of a class that the rule names whose name is nearly that of the
  /// rule; empty if there is none.
  std::string Near;
  unsigned NearDistance = 0;
};

/// The places of ready probes begin with this; `-probes=` takes such a place.
constexpr llvm::StringLiteral ReadyProbePrefix = "lib:";

/// Whether \p P is a part of a ready probe. Those are for many programs, each
/// of which has use for some parts.
inline bool isReadyProbe(const Probe &P) {
  return llvm::StringRef(P.Where.File).starts_with(ReadyProbePrefix);
}

/// A rule, by its probe and its number in that.
using RuleNumber = std::pair<unsigned, unsigned>;
using UnmatchedReasons = std::map<RuleNumber, std::string>;

/// The include rules of \p A that \p Match never used, in their order. Of a
/// ready probe the first one if nothing matched any part, else none.
std::vector<RuleNumber> unmatchedRules(const AdviceSet &A,
                                       const Matcher &Match);

/// The places of the ready probes in \p A whose part for classes of the JDK
/// \p Match never used.
std::vector<std::string> findJdkParts(const AdviceSet &A, const Matcher &Match);

/// The parts of ready probes in \p A, by the number of the probe, that \p Match
/// never used and that are for methods of the JDK alone, of classes that they
/// name in full.
std::vector<unsigned> findUnusedJdkParts(const AdviceSet &A,
                                         const Matcher &Match);

/// The rule as messages and reports have it.
std::string ruleText(const TargetRule &R);

/// A message of severity \p Level for each probe, but parts of ready ones, and
/// each of unmatchedRules(), in their order, with its reason if \p Reasons has
/// one. None for rules with an empty reason, which another message has, and
/// their probes.
std::vector<Diagnostic> describeUnmatched(const AdviceSet &A,
                                          const Matcher &Match,
                                          const UnmatchedReasons &Reasons,
                                          Severity Level);

} // namespace jopt

#endif
