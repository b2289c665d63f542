//===- PatchSites.h - Advices in code that is not lifted --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How placing passes work on patched bodies (Body::Patch): they choose the
/// insertion points and the snippets for them. Placement makes the code of a
/// snippet, as in any body, but once for all sites that are alike in a class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SITES_PATCHSITES_H
#define JOPT_LIB_PASSES_SITES_PATCHSITES_H

#include "../AdviceCode/ActivationSlots.h"
#include "../Snippets/SnippetTemplates.h"
#include "AdvicePlan.h"
#include "jopt/Advice/Advice.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Passes/Pass.h"
#include "jopt/Passes/PlacedReport.h"
#include "llvm/ADT/DenseMap.h"
#include <list>

namespace jopt {

class SnippetPlans;
class SiteValues;

/// The snippets of a class: a service of the runner.
class Snippets {
public:
  static ServiceKey Key;

  /// Adds itself to \p C. Both must outlive it. Templates are shared by the run
  /// of \p Match, if it is not null.
  Snippets(PassContext &C, const AdviceSet &Set, const Matcher *Match);
  ~Snippets();

  enum Kind : uint8_t {
    Entry,
    Return,
    Unit,
    BeforeCall,
    AfterCall,
    Catch, ///< the kinds from here on have an exception on the stack
    Finally,
    BeforeSuper,
    Behind,
    CallHandler
  };
  static constexpr unsigned NumKinds = CallHandler + 1;

  /// The plan of a method's advices, and what patched bodies need besides.
  struct Plan : AdvicePlan {
    bool IsMade = false;
    /// All of them can be in a patched body.
    bool Fits = true;
    /// One at returns is given the value, or has it wait.
    bool TakesReturned = false;
    /// No snippet depends on its method, except for the type of a returned
    /// value.
    bool Constant = true;
    bool NumbersHandlers = false; ///< one at handlers is given the unit there
    /// Code at returns, and at handlers, has branches.
    bool ReturnsBranch = false, HandlersBranch = false;
    /// The snippets of the plan, where they are known, by kind; and the
    /// templates for them in the run.
    mutable Snippet *Known[NumKinds] = {};
    mutable const SnippetTemplate *Templates[NumKinds] = {};
    /// What the snippets depend on, by kind; computed on demand.
    struct Differs {
      bool ByThis = false, ByName = false, ByDescriptor = false;
      /// They depend on their method by its names only, and have fixups for
      /// these.
      bool HasFixups = false;
      bool BySlots = false; ///< by the slots that they keep values in
    };
    mutable std::optional<Differs> Differ[NumKinds] = {};
    llvm::SmallVector<ActivationSlot, 4> Slots; ///< that methods may need
    /// Indices of Slots, in the order in which placing asks for them.
    using SlotNumbers = llvm::SmallVector<uint8_t, 4>;
    struct {
      SlotNumbers Handlers, Units, Returns, Throws, Entries;
    } SlotsAt;
  };
  /// Snippets that differ in one number at most, by that number.
  class Family {
    friend class Snippets;
    Kind Of;
    llvm::ArrayRef<unsigned> List;
    bool HasThis = true;
    Plan::Differs By; ///< besides the number
    /// How often the snippet pushes constants for the number, if one snippet
    /// serves all numbers; else 0.
    unsigned NumUses = 0;
    bool Differ = false; ///< the number makes a difference
    /// The names of the callee that it pushes, in that order.
    llvm::SmallVector<DataItem, 3> Names;
    Snippet *Model = nullptr; ///< with fixups; or no number makes a difference
    std::vector<SnippetInstance> Known; ///< not of units that are fixups
  };
  /// The facts about a site that its snippet may depend on.
  struct Site {
    const OriginalReturn *Return = nullptr; ///< whose value the snippet gets
    /// The unit, or the pool entry of the callee.
    unsigned Number = 0;
    bool HasThis = true; ///< it is initialised, if there is one
    /// The type of the reference on top of the stack, if it waits in a slot.
    Type Top = Type::Void;
  };
  /// The advices at a call.
  struct CallPlan : CallAdvices {
    llvm::ArrayRef<unsigned> Of; ///< as ClassAdvices has them
    /// By the pool entry of the callee.
    Family BeforeCall, AfterCall, CallHandler;
  };
  /// The plan of \p Advices, which select a call: a list of ClassAdvices.
  CallPlan &callPlan(llvm::ArrayRef<unsigned> Advices);
  /// Gives \p F, a new patched body, the slots that the advices of \p P need,
  /// where a lifted body would have them. False: it has to be lifted.
  bool giveSlots(Body &F, const Plan &P);
  /// Places the code that fills the slots of \p F in front of all, if \p P has
  /// no entry advices: their snippet has that code.
  llvm::Error makeFront(Body &F, const Plan &P);

  /// Puts what \p Put makes in front of an instruction, \p Advices too, in
  /// front of all else in \p F, whose entries were placed before.
  llvm::Error
  putInFront(Body &F, llvm::ArrayRef<unsigned> Advices,
             llvm::function_ref<llvm::Error(Body &, Instruction &)> Put);

  /// All advices at calls can be in a patched body.
  bool fitCalls() const { return FitCalls; }
  bool hasCalls() const { return HasCalls; }
  /// The plan of \p Advices, a list of ClassAdvices.
  const Plan &plan(llvm::ArrayRef<unsigned> Advices) {
    if (Plans.Last && Plans.Last->Of.data() == Advices.data())
      return *Plans.Last;
    return findPlan(Advices);
  }
  const Plan &plan(const Method &M) {
    if (std::exchange(AtWork.Of, &M) != &M)
      AtWork.Has = &plan(Advices.advicesFor(M));
    return *AtWork.Has;
  }

  /// The snippet for the advices of \p P at a site of kind \p K in the patched
  /// body \p F. \p At has more facts about the site. Fails as placing does.
  llvm::Expected<Snippet *> get(Body &F, const Plan &P, Kind K, const Site &At);
  /// The same where no site differs from another.
  llvm::Expected<Snippet *> get(Body &F, const Plan &P, Kind K) {
    if (P.Known[K])
      return P.Known[K];
    return getFirst(F, P, K);
  }
  /// The family of \p P at units in \p F, where `this` is initialised or not.
  /// It is valid until the pool shrinks.
  Family &units(const Body &F, const Plan &P, bool HasThis);
  /// The snippet of \p Of for \p Number: a unit, or the pool entry of a callee.
  llvm::Expected<SnippetInstance> get(Body &F, Family &Of, unsigned Number) {
    if (!Of.Differ)
      Number = 0;
    if (Of.Model && Of.Of == Unit && Of.NumUses && Number <= INT16_MAX)
      return SnippetInstance(Of.Model, {uint16_t(Number)});
    if (Number < Of.Known.size() && Of.Known[Number])
      return Of.Known[Number];
    return add(F, Of, Number);
  }
  /// What keeps the snippets made from now on, for a body that outlives this.
  std::shared_ptr<const void> keep();
  /// The pool shrank: snippets may name entries that it has no more.
  void forgetPool();

  ClassAdvices &Advices; ///< of the class

private:
  const Plan &findPlan(llvm::ArrayRef<unsigned> Advices);
  void makePlan(Plan &P, llvm::ArrayRef<unsigned> Advices) const;
  using Shape = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;
  /// The most slots that a layout tells apart.
  static constexpr unsigned MostSlots = 12;
  static llvm::ArrayRef<unsigned> listOf(const Plan &P, Kind K);
  llvm::Expected<Snippet *> getFirst(Body &F, const Plan &P, Kind K);
  llvm::Expected<Snippet *> find(Body &F, Kind K, llvm::ArrayRef<unsigned> List,
                                 const Site &At, Plan::Differs By,
                                 const SnippetTemplate **Known = nullptr);
  Family familyOf(Kind K, llvm::ArrayRef<unsigned> List) const;
  llvm::Expected<SnippetInstance> add(Body &F, Family &Of, unsigned Number);
  llvm::Expected<Snippet *> make(Body &F, const Family &Of, unsigned Number,
                                 bool HasFixups);
  Plan::Differs differ(const Plan &P, Kind K) const;
  Shape shapeOf(const Body &F, Kind K, llvm::ArrayRef<unsigned> List,
                const Site &At, Plan::Differs By) const;
  void expectQuestions(llvm::ArrayRef<unsigned> Advices) const;
  Plan::Differs dependsOn(llvm::ArrayRef<unsigned> List) const;
  bool isPlain(unsigned N) const;
  bool saysNamesOnly(llvm::ArrayRef<unsigned> List) const;
  llvm::Error addFixups(Snippet &Code, const Body &F,
                        llvm::ArrayRef<unsigned> List) const;
  bool isAroundOthers(const Plan &P) const;
  bool usesSlots(llvm::ArrayRef<unsigned> List) const;
  Plan::SlotNumbers noteSlots(Plan &P, llvm::ArrayRef<unsigned> List) const;
  void noteSlots(Plan &P) const;
  std::optional<bool> placesThrows(const CodePatch &S, const Plan &P) const;
  void makeFront(Builder &B, Snippet &Code,
                 llvm::ArrayRef<unsigned> Entries) const;
  SnippetPlans &ofRun();
  bool useTemplate(Snippet &Code, const Body &F, Kind K,
                   llvm::ArrayRef<unsigned> List, const Site &At,
                   Plan::Differs By, const SnippetTemplate **Known = nullptr);
  llvm::Error place(Builder &B, Instruction &Before,
                    llvm::ArrayRef<unsigned> List, const SiteValues &S);
  llvm::Error make(Snippet &Code, Body &F, Kind K,
                   llvm::ArrayRef<unsigned> List, const Site &At);
  void handOver();
  void keepPlaced(Snippet &Code, Body &F, Kind K, llvm::ArrayRef<unsigned> List,
                  const Site &At);

  PassContext &C;
  const AdviceSet &Set;
  struct {
    std::optional<PooledObject<SnippetPlans>> OfRun; ///< once asked for
    llvm::SmallVector<Plan *, 2> OfClass; ///< those of them that it has
    const Plan *Last = nullptr;           ///< the last query
  } Plans;
  struct {
    const Method *Of = nullptr;
    const Plan *Has = nullptr;
    /// The result of giveSlots: the number of its own slots, and four bits for
    /// each of the others.
    uint64_t Layout = 0;
  } AtWork; ///< the method of the last query
  std::vector<std::unique_ptr<CallPlan>> CallPlans;
  bool HasCalls = false, FitCalls = true; ///< advices are at calls
  struct Store {
    llvm::SmallDenseMap<Shape, std::unique_ptr<Snippet>, 8> Codes;
    std::list<Snippet> OfFamilies; ///< not of Codes
  };
  Store Made;
  std::shared_ptr<Store> Heir; ///< gets them in the end, if there is one
  /// The families of units, by what else they depend on.
  llvm::SmallVector<std::pair<Shape, std::unique_ptr<Family>>, 2> Units;
  const Matcher *const Match;
  /// The snippets that become templates of the run, by their keys.
  struct Model {
    std::string Key;
    const Snippet *Code;
    llvm::ArrayRef<unsigned> List;
  };
  std::vector<Model> Models;
};

/// The plans and templates of a run that were made by one thread at a time;
/// borrowed for a class, which has its own lists and snippets.
class SnippetPlans {
public:
  /// Forgets those of other runs than \p Run (Matcher::id; 0: is like no
  /// other).
  void enter(uint64_t Run);
  /// The plan of \p Advices, or an empty one.
  Snippets::Plan &find(llvm::ArrayRef<unsigned> Advices);
  SnippetTemplates Templates;

private:
  uint64_t Run = 0;
  llvm::StringMap<Snippets::Plan> Known; ///< by the numbers of advices
};

/// An exception may leave the code of \p S that is behind super(), to be seen
/// by the exits of \p P. \p InCode: sites are in it.
bool mayLeave(const CodePatch &S, const Snippets::Plan &P, bool InCode);

/// Orders the sites of \p S, to which some were added behind \p Before that
/// are in order.
void mergeSites(CodePatch &S, size_t Before);

/// \name What the passes of these names do to \p F, a patched body. Each gives
/// the number of advices that it placed; place-exits those at returns and
/// those for exceptions; place-units the units, and place-calls the calls and
/// the handlers.
/// @{
llvm::Expected<unsigned> patchUnits(Body &F, PassContext &C);
llvm::Expected<std::pair<unsigned, unsigned>> patchCalls(Body &F,
                                                         PassContext &C);
llvm::Expected<unsigned> patchEntries(Body &F, PassContext &C);
llvm::Expected<std::pair<unsigned, unsigned>> patchExits(Body &F,
                                                         PassContext &C);
llvm::Expected<unsigned> patchHandlers(Body &F, PassContext &C);
/// @}

} // namespace jopt

#endif
