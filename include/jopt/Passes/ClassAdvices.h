//===- ClassAdvices.h - Which advices select what in a class ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The matcher of a run asked about the methods and calls of one class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_CLASSADVICES_H
#define JOPT_PASSES_CLASSADVICES_H

#include "jopt/Advice/Advice.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Reader/ClassReader.h"
#include <map>
#include <optional>

namespace jopt {

struct AdviceRunOptions;

/// The advices of a run as one class has them, and what became of them. A
/// service of PassContext; used by one thread. In a run without advices it has
/// none.
class ClassAdvices {
public:
  static ServiceKey Key;

  /// Adds itself to \p C. All three must outlive it.
  ClassAdvices(PassContext &C, const ClassEditor &Editor,
               const AdviceRunOptions &O);
  ~ClassAdvices();

  /// The advices of the run; an empty set if there are none.
  const AdviceSet &set() const { return Set; }
  /// There is one of kind \p K.
  bool has(AdviceKind K) const { return kinds() >> unsigned(K) & 1; }
  /// The kinds that there are, a bit for each.
  uint64_t kinds() const;
  /// There may be something for classProbes().
  bool hasClassProbes() const;
  /// One of the probes is a trace.
  bool hasTrace() const;

  /// \name Matching
  /// In an attempt for what is required only, nothing is selected.
  /// @{
  /// The advices that select \p M, in order; none of call kinds. Empty for
  /// methods without code, for those that passes added, and for interfaces
  /// unless a probe looks into them. Matched once per method; counts for the
  /// report.
  llvm::ArrayRef<unsigned> advicesFor(const Method &M) {
    return selected(M).Advices;
  }
  /// Their kinds, a bit for each.
  uint64_t kindsFor(const Method &M) { return selected(M).Kinds; }
  /// One of them is of kind \p K.
  bool selects(AdviceKind K, const Method &M) {
    return kindsFor(M) >> unsigned(K) & 1;
  }
  /// False if that is nothing for all methods, as their names and those of the
  /// class say. For `begin`.
  bool maySelect();
  /// The original code of \p M makes a call that an advice selects. Cheap where
  /// none of the pool's methods is selected; needs no Body.
  bool hasSelectedCall(const Method &M);
  /// The advices that select a call of pool entry \p Callee in \p M, in order;
  /// lists that are equal are one, which lives as long as the class. To be
  /// asked once for each call, as it counts for the report.
  llvm::ArrayRef<unsigned> advicesForCall(const Method &M, unsigned Callee) {
    if (Callee < Calls.CalleeOf.size() && Calls.CalleeOf[Callee] &&
        Calls.AreCallersAlike) {
      auto &Known = Calls.Callees[Calls.CalleeOf[Callee] - 1].Selections;
      if (!Known.empty() && Known[0].IsKnown)
        return count(Known[0]);
    }
    return count(findCallSelection(M, Callee));
  }
  /// The probes with a static field or an advice of the static initialiser that
  /// select any method of the class, abstract and native ones included (of an
  /// interface: any with code).
  llvm::BitVector classProbes();
  /// Advice \p N is not for this class. For `begin`: nobody has asked yet.
  void withdraw(unsigned N);
  /// @}

  /// \name What was placed
  /// @{
  /// \p Probe was placed at \p Count sites of \p M: a row Applied. \p Sites:
  /// where, if keepsSites(); their lines are found here.
  void reportPlaced(const Method &M, unsigned Probe, unsigned Count,
                    llvm::ArrayRef<ReportRow::Site> Sites);
  bool keepsSites() const;
  /// Another number for a place that counts; 0: it is not to.
  uint32_t takePlaceNumber() const;
  /// \p M is put back as it was, so nothing was placed in it.
  void withdrawPlaced(const Method &M);
  /// The probes that were placed.
  llvm::BitVector placedProbes() const;
  /// The rows Applied, in the order of the methods.
  EncodedReport placedRows();
  /// Reports the probes and methods that were passed over.
  void reportRefused();
  /// @}

private:
  void addLines(const Method &M, llvm::ArrayRef<ReportRow::Site> Sites);
  struct Selection {
    llvm::ArrayRef<unsigned> Advices;
    uint64_t Kinds = 0; ///< of them, a bit for each
  };
  static_assert(NumAdviceKinds <= 64);
  const Selection &selected(const Method &M) {
    return &M == Last.Asked && !C.attempt().onlyRequired() ? *Last.Match
                                                           : find(M);
  }
  const Selection &find(const Method &M);
  const Selection &match(const Method &M);
  const Selection &chosen(llvm::ArrayRef<unsigned> Probes, bool Synchronized);
  ClassMatcher &rules() { return Rules ? *Rules : makeRules(); }
  ClassMatcher &makeRules();
  bool looksInto() const;
  bool isWithdrawn(unsigned N) const {
    return N < Withdrawn.size() && Withdrawn.test(N);
  }
  MatchCount counted() const;
  bool refuses(unsigned Probe);
  bool skips(const Method &M, bool Guarded = true);
  struct Callee;
  struct CallSelection;
  llvm::ArrayRef<unsigned> count(CallSelection &Of) {
    Of.NumCounted += Of.IsCounted && !C.attempt().wasCounted();
    return Of.Advices;
  }
  CallSelection &findCallSelection(const Method &M, unsigned Index);
  Callee &callee(unsigned Index);
  unsigned caller(const Method &M);
  llvm::ArrayRef<unsigned> callAdvices(const llvm::BitVector &Probes);
  const llvm::BitVector &selectedCallees();
  llvm::SmallVector<llvm::StringRef, 4>
  annotations(llvm::ArrayRef<Attribute> Attributes) const;

  PassContext &C;
  ClassFile &Class;
  const ClassEditor &Editor;
  const AdviceRunOptions &O;
  const AdviceSet Empty;
  const AdviceSet &Set;
  llvm::BitVector Withdrawn; ///< by advice
  /// Of AdviceRunOptions::Present, those that would have selected something.
  llvm::BitVector Refused;
  /// The methods that AdviceRunOptions::SkipSensitive kept probes from.
  std::map<llvm::StringRef, std::vector<std::string>> Sensitive; ///< by why
  struct PlacedProbe {
    const Method *Where;
    unsigned Probe, Count;
    size_t First, NumSites; ///< in Placed.Sites
  };
  void addPlaced(const PlacedProbe &P, llvm::ArrayRef<ReportRow::Site> Sites);
  struct {
    std::vector<PlacedProbe> Probes; ///< of a probe several, if passes are
    bool InOrder = true;             ///< of the methods
    llvm::SmallVector<ReportRow::Site, 0> Sites;
    const Method *Last = nullptr;           ///< in which something was placed
    llvm::SmallVector<LineEntry, 64> Lines; ///< of that, as it came
  } Placed;
  std::optional<ClassMatcher> Rules; ///< once they were asked for
  std::optional<bool> MaySelect;     ///< likewise
  /// The advices that select a call.
  struct CallSelection {
    llvm::ArrayRef<unsigned> Advices;
    bool IsKnown = false, IsCounted = false;
    unsigned NumCounted = 0; ///< calls that the matcher is not told of yet
  };
  /// A called method, and the advices that select its calls.
  struct Callee {
    CalleeMatch Match;
    llvm::SmallVector<CallSelection, 1> Selections; ///< by number of the caller
  };
  struct {
    /// Those that differ, and which a pool entry is, counted from 1; 0: it was
    /// not asked for. The same of callers, by Method::Number.
    std::vector<Callee> Callees;
    std::vector<uint32_t> CalleeOf;
    /// That of all callees, where one is like another: of methods, and of call
    /// sites of invokedynamic; as in CalleeOf.
    uint32_t Alike[2] = {};
    bool AreCallersAlike = false; ///< the first is all that there are
    std::vector<llvm::BitVector> Callers;
    std::vector<uint32_t> CallerOf;
    llvm::SmallVector<llvm::ArrayRef<unsigned>, 2> Lists;
    std::optional<llvm::BitVector> Selected; ///< selectedCallees
    CallSelection Nothing;                   ///< where there is no matcher
  } Calls;
  /// The selections of the methods queried so far.
  struct {
    /// By Method::Number; null: it was not asked for.
    std::vector<const Selection *> Of;
    const Selection Nothing;
    /// That of every method, where one is like another; of every synchronized
    /// one. Null: none was asked for.
    const Selection *All[2] = {};
    unsigned NumAlike = 0; ///< so many got that, and were not counted yet
    /// The advices that a method gets from the probes that selected it.
    struct Chosen {
      llvm::ArrayRef<unsigned> Probes;
      bool Synchronized; ///< it is
      Selection Has;
    };
    llvm::SmallVector<const Chosen *, 2> Lists; ///< live as long as the class
  } Matched;
  /// The last of them: passes come to a method one after the other.
  struct {
    const Method *Asked = nullptr;
    const Selection *Match = nullptr;
  } Last;
};

} // namespace jopt

#endif
