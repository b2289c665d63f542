//===- Product.h - Both versions run side by side ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Explores the pairs of places that both versions of a method reach together.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VALIDATE_PRODUCT_H
#define JOPT_LIB_VALIDATE_PRODUCT_H

#include "Machine.h"
#include "jopt/Validate/Validator.h"
#include <deque>
#include <map>

namespace jopt::validate {

/// Both versions, and what they share.
struct PairState {
  Side Of[2];
  TermRef Memory = nullptr;
  PathFacts Known;
};

/// The most special state of which both are cases. \p IsOld: it is \p Old but
/// for names. None if they do not fit together.
std::optional<PairState> generalise(Terms &T, const PairState &Old,
                                    const PairState &New, bool &IsOld);

/// There are numbers with which \p Known holds and \p V is not \p W; both may
/// be null, and then the facts are all that is asked for.
bool isWitness(Terms &T, const PathFacts &Known, TermRef V, TermRef W);

class Product {
public:
  Product(Terms &T, const MethodCode &A, const MethodCode &B,
          const ValidateLimits &Limits);

  /// Tries to prove it, keeping up to \p Copies states of a pair of places
  /// apart. False: Reason says why there is no proof.
  bool prove(unsigned Copies);
  /// Looks for numbers for which the versions differ, on paths without merging.
  bool refute();
  const std::string &reason() const { return Reason; }

private:
  PairState start();
  /// False: a difference, or what looks like one.
  bool explore(PairState S);
  bool compare(PairState &S, Stop &A, Stop &B);
  bool complete(PairState &S, Stop &A, Stop &B);
  /// Stores \p S at its pair of places; false if nothing new came there.
  bool isNew(PairState &S);
  bool isSame(const PairState &S, TermRef A, TermRef B);
  bool identify(PairState &S, Stop &Y, TermRef V, TermRef W);
  void fork(const PairState &S, TermRef Condition);
  void forkSwitch(const PairState &S, const Inst &I, TermRef V);
  void push(PairState S);
  bool differ(const PairState &S, const llvm::Twine &Why, TermRef A = nullptr,
              TermRef B = nullptr);
  std::string describe(unsigned Which, const Stop &S) const;

  Terms &T;
  const MethodCode &A, &B;
  const ValidateLimits &Limits;
  const bool UseLines;
  unsigned Steps = 0, NumStates = 0;
  SideMachine First, Second;
  std::deque<PairState> Waiting;
  /// By the places of both, and whether an exception is pending there.
  using Places = std::pair<uint32_t, uint32_t>;
  std::map<Places, std::vector<PairState>> Seen;
  unsigned Copies = 1;
  bool Merges = true, Found = false;
  std::string Reason;
};

} // namespace jopt::validate

#endif
