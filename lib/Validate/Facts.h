//===- Facts.h - Facts that hold on a path ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VALIDATE_FACTS_H
#define JOPT_LIB_VALIDATE_FACTS_H

#include "Terms.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace jopt::validate {

/// Predicates that were decided, and what follows from them. Cheap to copy.
class PathFacts {
public:
  using Fact = std::pair<TermRef, bool>;

  /// Whether \p Predicate holds, if that is known.
  std::optional<bool> decide(Terms &T, TermRef Predicate) const;
  void set(TermRef Predicate, bool Holds);
  /// \p V with everything in place of it that is known to be equal and simpler.
  TermRef normalise(Terms &T, TermRef V) const;
  llvm::ArrayRef<Fact> all() const { return All; }
  void keep(llvm::function_ref<bool(const Fact &)> Wanted) {
    llvm::erase_if(All, [&](const Fact &F) { return !Wanted(F); });
  }

private:
  TermRef normalise(Terms &T, TermRef V,
                    llvm::DenseMap<TermRef, TermRef> &Done) const;
  std::optional<bool> find(TermRef Predicate) const;
  bool isNonNull(Terms &T, TermRef V) const;
  IntRange rangeOf(Terms &T, TermRef V) const;
  std::optional<bool> decideCast(Terms &T, TermRef Predicate) const;
  std::optional<bool> decideInstance(Terms &T, TermRef Predicate) const;

  llvm::SmallVector<Fact, 0> All; ///< by Term::Id, ascending
};

} // namespace jopt::validate

#endif
