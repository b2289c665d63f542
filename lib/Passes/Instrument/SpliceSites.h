//===- SpliceSites.h - Advices in code that is not lifted -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What placing passes do to spliced bodies (Body::Spliced): they say where
/// sites are and which code is there. That is made by Placement, as in any
/// body, but once for all sites that are alike in a class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_INSTRUMENT_SPLICESITES_H
#define JOPT_LIB_PASSES_INSTRUMENT_SPLICESITES_H

#include "jopt/Advice/Advice.h"
#include "jopt/IR/Splice.h"
#include "jopt/Passes/Pass.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// The code of the sites of a class: a service of the runner.
class SiteCodes {
public:
  static ServiceKey Key;

  /// Adds itself to \p C. Both must outlive it.
  SiteCodes(PassContext &C, const AdviceSet &Set) : C(C), Set(Set) {
    C.add(*this);
  }

  enum Kind : uint8_t { Entry, Return, Catch, Finally, BeforeSuper, Behind };
  static constexpr unsigned NumKinds = Behind + 1;

  /// The advices that select a method, by where they go; each list in the
  /// order in which they run.
  struct Plan {
    llvm::ArrayRef<unsigned> Of; ///< as ClassAdvices has them
    /// All of them can be in a spliced body.
    bool Fits = true;
    bool NamesThis = false;
    llvm::SmallVector<unsigned, 4> Entries, Exits, Handlers;
    /// Those of the exits that run at returns, and for exceptions.
    llvm::SmallVector<unsigned, 4> Returns, Throws;
    /// One at returns is given the value.
    bool TakesReturned = false;
    /// One at exits is given this object; as the receiver.
    bool ThisAtExits = false, ReceiverAtExits = false;
    llvm::SmallVector<unsigned, 4> Probes; ///< that have any, ascending
    /// No code says anything of its method, but that of a value it returns.
    bool Constant = true;
    /// That code, where it is known, by kind.
    mutable SiteCode *Known[NumKinds] = {};
  };
  /// That of \p Advices, a list of ClassAdvices.
  const Plan &plan(llvm::ArrayRef<unsigned> Advices);
  const Plan &plan(const Method &M);

  /// Advice \p N is given \p D.
  bool names(unsigned N, DataItem D) const {
    return llvm::any_of(Set.Advices[N].Data,
                        [&](const DataUse &Use) { return Use.Item == D; });
  }

  /// The code of the advices of \p P at a site of kind \p K in the spliced body
  /// \p F. \p R: the return there, if they are given its value. Fails as
  /// placing does.
  llvm::Expected<SiteCode &> get(Body &F, const Plan &P, Kind K,
                                 const OriginalReturn *R = nullptr);
  /// The pool shrank: what was made may name what is not in it.
  void forgetPool();

private:
  using Shape = std::pair<uint64_t, uint64_t>;
  static llvm::ArrayRef<unsigned> listOf(const Plan &P, Kind K);
  Shape shapeOf(const Body &F, Kind K, llvm::ArrayRef<unsigned> List,
                const OriginalReturn *R) const;
  void expectQuestions(llvm::ArrayRef<unsigned> Advices) const;
  bool dependsOnMethod(llvm::ArrayRef<unsigned> List) const;
  llvm::Error make(SiteCode &Code, Body &F, Kind K,
                   llvm::ArrayRef<unsigned> List, const OriginalReturn *R);

  PassContext &C;
  const AdviceSet &Set;
  std::vector<std::unique_ptr<Plan>> Plans;
  const Plan *Last = nullptr;
  struct {
    const Method *Of = nullptr;
    const Plan *Has = nullptr;
  } AtWork; ///< the method that was asked for last
  llvm::DenseMap<Shape, std::unique_ptr<SiteCode>> Codes;
};

/// \name What the passes of these names do to \p F, a spliced body. Each gives
/// the number of advices that it placed; duplicate-finally those at returns and
/// those for exceptions.
/// @{
llvm::Expected<unsigned> spliceEntries(Body &F, PassContext &C);
llvm::Expected<std::pair<unsigned, unsigned>> spliceExits(Body &F,
                                                          PassContext &C);
llvm::Expected<unsigned> spliceHandlers(Body &F, PassContext &C);
/// @}

} // namespace jopt

#endif
