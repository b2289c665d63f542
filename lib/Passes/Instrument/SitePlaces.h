//===- SitePlaces.h - Lines and ordinals of sites ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What advices say of the place of their sites in a method, whatever the sites
/// are.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_INSTRUMENT_SITEPLACES_H
#define JOPT_LIB_PASSES_INSTRUMENT_SITEPLACES_H

#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/Placement.h"

namespace jopt {

/// Made before anything is placed; asked about the sites in the order of the
/// code.
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

  /// Advice \p N is for \p I, of which all holds that it says besides. To be
  /// asked once for each instruction and advice.
  bool takes(unsigned N, const Instruction &I) {
    const SiteFilter &Only = P.Set.Advices[N].Site;
    if (Only.says(SelectsLines) && !Only.takesLine(lineOf(I)))
      return false;
    if (!Only.Ordinal)
      return true;
    auto &Before = Seen[N];
    // Hand-written text has no indices; copies of subroutines share theirs.
    const int32_t Key = I.bci() >= 0 ? I.bci() : -2 - int32_t(Before.size());
    return Before.try_emplace(Key, Before.size() + 1).first->second ==
           Only.Ordinal;
  }

private:
  const LineNumbers &lines() {
    if (!Lines)
      Lines = &P.C.analysis<LineNumbers>(P.F);
    return *Lines;
  }

  Placement &P;
  const LineNumbers *Lines = nullptr;
  /// By advice that counts them: the sites so far, by bytecode index.
  llvm::DenseMap<unsigned, std::map<int32_t, unsigned>> Seen;
};

} // namespace jopt

#endif
