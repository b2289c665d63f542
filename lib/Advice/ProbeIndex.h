//===- ProbeIndex.h - Probes by classes to select ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Probe classes come by the hundred, and most are for a few classes: those
/// that a pattern names, or that are below a type. The index finds them by
/// these names, so that a class asks only the probes that may be for it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_ADVICE_PROBEINDEX_H
#define JOPT_LIB_ADVICE_PROBEINDEX_H

#include "jopt/Advice/Advice.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// The pattern of a target matches everything. An empty one stands for an
/// attribute that was left out.
inline bool isAll(llvm::StringRef Pattern) {
  return Pattern.empty() || Pattern == "*";
}

/// The ancestors of a class, nearest first; it has few.
using AncestorNames = llvm::SmallSetVector<llvm::StringRef, 16>;

/// Immutable after construction; shared by all threads. Knows names, not the
/// set it was made of.
class ProbeIndex {
public:
  explicit ProbeIndex(const AdviceSet &Set);

  /// The probes that may select something in the class \p Name (internal):
  /// all that do, and others. \p Ancestors may be null: not known.
  llvm::BitVector find(llvm::StringRef Name,
                       const AncestorNames *Ancestors) const;

private:
  void add(unsigned Number, const Probe &P);

  const unsigned Size;
  /// Those about which no name says anything.
  llvm::BitVector Everywhere;
  llvm::StringMap<llvm::BitVector> ByName, ByAncestor;
  /// The beginnings of class names, and the probes for each.
  std::vector<std::pair<std::string, llvm::BitVector>> ByPrefix;
};

} // namespace jopt

#endif
