//===- Matcher.h - Which advices apply where --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates pointcuts. The rules are those of files that have been there for
/// decades: `*` is the only wildcard, the first matching rule decides, no match
/// means include, two tiers (the probe's filters, then its rules), and the rule
/// for directly implemented interfaces. Calls are selected by the callee as the
/// constant pool names it, without that rule; the method that makes the call
/// must be selected as well, by two tiers of its own.
/// Extensions, where a probe asks for them: annotations, interfaces, all
/// ancestors of a class, and invokedynamic.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_MATCHER_H
#define JOPT_ADVICE_MATCHER_H

#include "jopt/Advice/Advice.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <bitset>
#include <map>
#include <memory>
#include <optional>

namespace jopt {

class ClassMatcher;
class ProbeIndex;
class TypeHierarchy;

/// Whether package and class of \p R match the class of that name.
bool matchesClass(const TargetRule &R, llvm::StringRef InternalName);

/// Whether the parameters in \p Descriptor are as \p R says.
bool matchesParameters(const TargetRule &R, llvm::StringRef Descriptor);

/// The class for which target rules are evaluated; names as in the class file.
struct MatchClass {
  llvm::StringRef Name; ///< internal name
  llvm::ArrayRef<llvm::StringRef> Interfaces;
  bool IsInterface = false;
  llvm::StringRef Super = {}; ///< may be empty
  /// Internal names of its annotations, if Matcher::needsAnnotations().
  llvm::ArrayRef<llvm::StringRef> Annotations = {};
  /// Knows its ancestors, if Matcher::needsHierarchy(). May be null: then they
  /// are unknown but for those above.
  const TypeHierarchy *Ancestry = nullptr;
};

/// A method that is asked about.
struct MatchMethod {
  llvm::StringRef Name, Descriptor;
  /// As MatchClass::Annotations.
  llvm::ArrayRef<llvm::StringRef> Annotations = {};
  bool IsStatic = false;
};

/// Which call probes select the calls of some method, whoever makes them.
struct CalleeMatch {
  llvm::BitVector Probes;
  /// By probe: the rule that decided, or -1.
  llvm::SmallVector<int, 4> Rules;
  bool operator==(const CalleeMatch &O) const {
    return Probes == O.Probes && Rules == O.Rules;
  }
};

/// Whether what was selected counts for the report.
enum class MatchCount : uint8_t { Count, Ignore };

/// The rules for which a Matcher counts how often they decided. Methods whose
/// names no rule includes need not be evaluated if excludes are not counted.
enum class RuleCounts : uint8_t { All, OfIncludes };

/// An AdviceSet that ClassMatchers ask. Thread-safe after construction; counts
/// per probe and per rule how often it matched, for the report.
class Matcher {
public:
  explicit Matcher(const AdviceSet &Set, RuleCounts Counted = RuleCounts::All);
  ~Matcher();

  /// \name What the rules look at
  /// @{
  /// Some probe selects by ancestors (MatchClass::Ancestry).
  bool needsHierarchy() const { return Hierarchical; }
  bool needsAnnotations() const { return Annotated; }
  /// Some probe looks into interfaces.
  bool needsInterfaces() const { return IntoInterfaces; }
  /// Some probe selects call sites of invokedynamic.
  bool needsDynamicCalls() const { return Dynamic; }
  /// The set has an advice of kind \p K.
  bool has(AdviceKind K) const { return Kinds.test(unsigned(K)); }
  /// The kinds that it has, a bit for each.
  uint64_t kinds() const { return Kinds.to_ullong(); }
  /// No rule tells one class, which is no interface, from another.
  bool isSameForClasses() const { return ForAnyClass != nullptr; }
  /// No rule tells one caller from another in the same class.
  bool isSameForCallers() const { return !Tells.Callers; }
  /// No rule tells one callee from another, but for call sites of
  /// invokedynamic.
  bool isSameForCallees() const { return !Tells.Callees; }
  /// A number that no other Matcher has.
  uint64_t id() const { return Id; }
  /// One of the probes is a trace.
  bool hasTrace() const { return Trace; }
  /// The probes with a static field or an advice of the static initialiser.
  const llvm::BitVector &classProbes() const { return OfClass; }
  /// @}

  /// False if no probe can select a method of a class with this name, or a
  /// call that it makes, whatever the method and the interfaces; cheap, for
  /// inputs that need not be read.
  bool canMatchClass(llvm::StringRef InternalName) const;
  /// The same of a class whose direct interfaces are known, and its ancestors
  /// too if it has an Ancestry. Its annotations do not count.
  bool canMatchClass(const MatchClass &Class) const;

  /// \name Calls
  /// @{
  /// The probes whose advices are at calls.
  const llvm::BitVector &callProbes() const { return Calls; }
  /// Asks about a callee; counts nothing. \p Dynamic: it is a call site of
  /// invokedynamic.
  CalleeMatch matchCallee(llvm::StringRef Owner, llvm::StringRef Name,
                          llvm::StringRef Descriptor,
                          bool Dynamic = false) const;
  /// Bit P is set if call probe P selects calls that the method makes; none in
  /// interfaces unless P looks into them. \p Annotations are those of the
  /// method. Counts nothing.
  llvm::BitVector
  matchCaller(const MatchClass &C, llvm::StringRef Method,
              llvm::StringRef Descriptor,
              llvm::ArrayRef<llvm::StringRef> Annotations = {}) const;
  /// Bit P is set if probe P selects a call of \p Callee by \p Caller. To be
  /// asked once for each call with MatchCount::Count.
  llvm::BitVector matchCall(const CalleeMatch &Callee,
                            const llvm::BitVector &Caller,
                            MatchCount Counted = MatchCount::Count) const;
  /// Counts what matchCall does \p Times, for who knows the answer.
  void countCall(const CalleeMatch &Callee, const llvm::BitVector &Caller,
                 unsigned Times = 1) const;
  /// @}

  /// How many methods, or calls, probe \p P selected so far.
  uint64_t probeHits(unsigned P) const;
  /// How many methods rule \p R of probe \p P decided so far; calls are counted
  /// where they were selected. Methods are not asked about in a class in which
  /// the probe cannot select any, nor where no probe may select one of the
  /// name.
  uint64_t ruleHits(unsigned P, unsigned R) const;

  /// Classes below one whose own ancestors are not known.
  struct Unresolved {
    uint64_t Classes = 0; ///< how many
    std::string First;    ///< the first of them in the order of names
  };
  /// By the internal name of the ancestor that was not found.
  std::map<std::string, Unresolved> unresolvedAncestors() const;

  size_t numProbes() const { return Set.Probes.size(); }
  /// Counts what \p Before selected so far, for probes that both have, by name,
  /// and that \p Changed has not: classes that keep them are not asked about
  /// again.
  void countFrom(const Matcher &Before, const Matcher &Changed) const;
  /// Counts what a MatchTally had. False, and nothing, if it was that of a
  /// matcher with fewer probes or rules.
  bool countAgain(llvm::ArrayRef<uint32_t> Counted) const;

private:
  friend class ClassMatcher;
  friend class MatchTally;
  bool canMatch(llvm::StringRef InternalName, const MatchClass *Class) const;
  /// \p Ancestors of \p Class are not known.
  void noteMissing(llvm::StringRef Class,
                   llvm::ArrayRef<llvm::StringRef> Ancestors) const;
  const AdviceSet &Set;
  const uint64_t Id;
  const RuleCounts Counted;
  const llvm::BitVector Calls;
  const std::unique_ptr<ProbeIndex> Index;
  bool Hierarchical = false, Annotated = false, IntoInterfaces = false,
       Dynamic = false, Trace = false;
  struct {
    bool Callers = false, Callees = false;
  } Tells;                           ///< some rule does one from another
  std::bitset<NumAdviceKinds> Kinds; ///< of advices
  llvm::BitVector OfClass;
  struct Counters;
  std::unique_ptr<Counters> Hits;
  /// The rules as they apply to every class; null if they depend on the class.
  std::unique_ptr<const ClassMatcher> ForAnyClass;
};

/// The counts of a Matcher on this thread while the tally lives. No two live on
/// a thread at once.
class MatchTally {
public:
  explicit MatchTally(const Matcher &Of);
  MatchTally(const MatchTally &) = delete;
  MatchTally &operator=(const MatchTally &) = delete;
  ~MatchTally();

  /// One for each time, in the matcher's own numbers.
  llvm::ArrayRef<uint32_t> counted() const { return Counted; }
  /// The matcher has noted nothing that counted() does not have.
  bool isWhole() const { return Whole; }

private:
  friend class Matcher;
  const void *Of; ///< the counters
  llvm::SmallVector<uint32_t, 16> Counted;
  bool Whole = true;
};

/// The rules as they apply to the methods of one class. Used by one thread; the
/// Matcher must outlive it.
class ClassMatcher {
public:
  /// \p Counted: whether the class counts among those below one whose own
  /// ancestors are not known.
  ClassMatcher(const Matcher &Match, const MatchClass &Class,
               MatchCount Counted = MatchCount::Count);

  /// False if no probe selects a method of that name, whatever else it is;
  /// cheap.
  bool maySelect(llvm::StringRef Method) const {
    return !Candidates.empty() && !Method.empty() &&
           Starts.test(uint8_t(Method.front()));
  }
  /// match() gives the same for all methods that maySelect().
  bool isSameForAll() const { return Alike; }
  /// Counts what match() would for \p Times more such methods, once it was
  /// asked for one.
  void countSame(MatchCount Counted, unsigned Times) const {
    if (Counted == MatchCount::Count)
      count(Common->Counted, Times);
  }
  /// The probes that select \p M, ascending; no call probes. Probes that are
  /// not in \p Only, if that is given, are not asked. \p Counted: whether the
  /// statistics know it.
  llvm::SmallVector<unsigned, 4>
  match(const MatchMethod &M, const llvm::BitVector *Only = nullptr,
        MatchCount Counted = MatchCount::Count) const;

private:
  /// The result of a list of rules: the deciding rule, or none (include).
  struct Verdict {
    bool Include = true;
    int Rule = -1;
    bool isExplicit() const { return Rule >= 0; }
  };
  struct NumberedRule {
    const TargetRule *Rule;
    int Number; ///< in its list
    /// The class has no such annotation, so the method must.
    bool ByAnnotation;
    /// A bit for each interface or ancestor by which alone it matches.
    uint64_t Above;
    /// It matches the class's own name.
    bool isOwn() const { return !Above; }
  };
  using Names = llvm::ArrayRef<llvm::StringRef>;
  void addLists(llvm::StringRef Name, Names ClassAnnotations, Names Ancestors,
                Names Interfaces);
  bool addStarts(size_t List);
  bool isAlike() const;
  void count(llvm::ArrayRef<size_t> Of, unsigned Times = 1) const;
  void evaluateAll(const MatchMethod &M, const llvm::BitVector *Only,
                   llvm::SmallVectorImpl<unsigned> &Selected,
                   llvm::SmallVectorImpl<size_t> &Counted) const;
  Verdict evaluate(size_t At, llvm::StringRef Method,
                   llvm::StringRef Descriptor, Names Annotations) const;

  const Matcher &Match;
  /// The probes that may select something in the class, ascending.
  llvm::SmallVector<unsigned, 8> Candidates;
  /// The first characters of the names of methods that they may select.
  std::bitset<256> Starts;
  /// The rules that match a name of the class, of each candidate those in its
  /// filters, then those in its own list.
  llvm::SmallVector<NumberedRule, 16> Rules;
  llvm::SmallVector<unsigned, 16> Ends; ///< of these lists, in Rules
  /// The matches of every method, and their counts, if nothing distinguishes
  /// methods; made with the first query.
  struct CommonMatch {
    llvm::SmallVector<unsigned, 4> Selected;
    llvm::SmallVector<size_t, 4> Counted;
  };
  bool Alike = false; ///< nothing does
  mutable std::optional<CommonMatch> Common;
};

} // namespace jopt

#endif
