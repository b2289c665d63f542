//===- AdvicePlan.h - Which advices go where in a method --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts about a method's advices that follow from their list alone.
/// Methods with the same list share a plan. Lifted and patched bodies place
/// advices by it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SITES_ADVICEPLAN_H
#define JOPT_LIB_PASSES_SITES_ADVICEPLAN_H

#include "jopt/Advice/Advice.h"
#include "llvm/ADT/SmallVector.h"

namespace jopt {

/// The advices that select a method, by where they go. Each list is in the
/// order in which they run at a site.
struct AdvicePlan {
  llvm::ArrayRef<unsigned> Of; ///< as ClassAdvices has them in the class
  /// The advices of kind \p K.
  llvm::ArrayRef<unsigned> at(AdviceKind K) const { return Lists[unsigned(K)]; }
  /// The exits that run at returns, and for exceptions.
  llvm::SmallVector<unsigned, 4> Returns, Throws;
  llvm::SmallVector<unsigned, 4> Probes; ///< that have any, ascending
  /// One is given this object; one at exits is, and is given it as receiver.
  bool NamesThis = false, ThisAtExits = false, ReceiverAtExits = false;

  /// The handler of exit advices reads `this`, which is initialised there. In
  /// a constructor only the receiver is asked for: `this` is null where a
  /// constructor throws.
  bool readsThisInHandler(bool Constructor) const {
    return ReceiverAtExits || (!Constructor && ThisAtExits);
  }
  /// Sorts \p Advices of \p Set into the plan, which is empty.
  void make(const AdviceSet &Set, llvm::ArrayRef<unsigned> Advices);

private:
  llvm::SmallVector<unsigned, 2> Lists[NumAdviceKinds];
};

/// The advices at a call, each list in the order in which they run.
struct CallAdvices {
  llvm::SmallVector<unsigned, 4> Before, After;
  llvm::SmallVector<unsigned, 4> Probes; ///< that have any
  void make(const AdviceSet &Set, llvm::ArrayRef<unsigned> Advices);
};

/// Advice \p N is given \p D.
inline bool takes(const AdviceSet &Set, unsigned N, DataItem D) {
  return llvm::any_of(Set.Advices[N].Data,
                      [=](const DataUse &Use) { return Use.Item == D; });
}

/// Advice \p N is given the object of the activation.
inline bool takesThis(const AdviceSet &Set, unsigned N) {
  return llvm::any_of(Set.Advices[N].Data, [](const DataUse &Use) {
    return getInfo(Use.Item).IsReceiver;
  });
}

} // namespace jopt

#endif
