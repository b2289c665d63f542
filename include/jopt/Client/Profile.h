//===- Profile.h - What sampled stacks add up to ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_PROFILE_H
#define JOPT_CLIENT_PROFILE_H

#include "jopt/Client/Sampling.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::client {

/// How a profile is printed.
struct ProfileOptions {
  SampledKind Kind = SampledKind::Cpu;
  bool AsJson = false;
  size_t Rows = 20;                  ///< of top
  std::vector<std::string> Patterns; ///< `class#method` of its rows; none: all
};

/// `com.shop.*#pay` matches the frame \p Frame; a class without a package is
/// one of any.
bool matchesFrame(llvm::StringRef Pattern, llvm::StringRef Frame);

/// Leaves the stacks of \p S that have a frame that \p Pattern matches.
void keepDuring(SampledStacks &S, llvm::StringRef Pattern);

/// \name The verbs `top` and `tree`, and a page.
/// @{
void printTop(const SampledStacks &S, const ProfileOptions &O,
              llvm::raw_ostream &OS);
void printTree(const SampledStacks &S, const ProfileOptions &O,
               llvm::raw_ostream &OS);
/// A flame graph: one HTML file, which needs nothing else.
std::string makeFlameGraph(const SampledStacks &S, SampledKind Kind,
                           llvm::StringRef Title);
/// @}

} // namespace jopt::client

#endif
