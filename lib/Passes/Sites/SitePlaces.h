//===- SitePlaces.h - Lines and ordinals of sites ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The conditions of advices on the places of their sites in a method, for
/// sites of all kinds.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SITES_SITEPLACES_H
#define JOPT_LIB_PASSES_SITES_SITEPLACES_H

#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/Placement.h"
#include <limits>
#include <set>

namespace jopt {

/// More of them, declared by frames of one method, are no real program.
inline constexpr size_t MaxDeclaredSlots = 1 << 22;

/// Made before anything is placed.
class SitePlaces {
public:
  explicit SitePlaces(Placement &P) : P(P) {}

  /// The line of \p I; 0 if it is not known.
  unsigned lineOf(const Instruction &I) { return lines().at(I.bci()); }
  /// A line begins at \p I.
  bool beginsLine(const Instruction &I) {
    auto At = llvm::partition_point(lines().Entries, [&](const LineEntry &E) {
      return int32_t(E.Start) < I.bci();
    });
    return At != lines().Entries.end() && int32_t(At->Start) == I.bci();
  }

  /// Whether advice \p N, whose other conditions \p I meets, may be for \p I:
  /// checks the lines, and counts \p I if the advice has an ordinal.
  bool takes(unsigned N, const Instruction &I) {
    const SiteFilter &Only = P.Set.Advices[N].Site;
    if (Only.says(SelectsLines) && !Only.takesLine(lineOf(I)))
      return false;
    if (Only.Ordinal)
      Seen[N].insert(keyOf(I));
    return true;
  }
  /// Some advice counts its sites.
  bool counts() const {
    return llvm::any_of(P.Set.Advices,
                        [](const Advice &A) { return A.Site.Ordinal != 0; });
  }
  /// \p I, which \p N takes, is the one of that number, if it says one. To be
  /// asked when it has been asked about all sites: copies of subroutines stand
  /// before code that comes before them.
  bool isMeant(unsigned N, const Instruction &I) {
    const unsigned Ordinal = P.Set.Advices[N].Site.Ordinal;
    if (!Ordinal)
      return true;
    const std::set<int32_t> &All = Seen[N];
    return std::distance(All.begin(), All.find(keyOf(I))) + 1 == Ordinal;
  }

private:
  const LineNumbers &lines() {
    if (!Lines)
      Lines = &P.C.analysis<LineNumbers>(P.F);
    return *Lines;
  }

  /// The bytecode index, which copies of subroutines share; hand-written text
  /// has none, and has them in their order.
  int32_t keyOf(const Instruction &I) {
    if (I.bci() >= 0)
      return I.bci();
    const auto Next =
        std::numeric_limits<int32_t>::min() + int32_t(Text.size());
    return Text.try_emplace(&I, Next).first->second;
  }

  Placement &P;
  const LineNumbers *Lines = nullptr;
  llvm::DenseMap<const Instruction *, int32_t> Text;
  /// By advice that counts them: the sites.
  llvm::DenseMap<unsigned, std::set<int32_t>> Seen;
};

} // namespace jopt

#endif
