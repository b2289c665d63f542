//===- Sampling.h - Samples of a running JVM's stacks -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nothing of jopt samples: the JDK's flight recorder does, which the JVM
/// starts and stops on request, or async-profiler, where there is one. No class
/// of the program is changed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_SAMPLING_H
#define JOPT_CLIENT_SAMPLING_H

#include "jopt/Client/Loading.h"

namespace jopt::client {

enum class SampledKind : uint8_t {
  Cpu,  ///< threads that run
  Wall, ///< and those that wait
  Alloc ///< where objects are made
};

struct SamplingOptions {
  SampledKind Kind = SampledKind::Cpu;
  std::chrono::milliseconds For{10000};
  std::string AsyncProfiler; ///< its library; empty: the flight recorder
};

/// A stack, and how often it was met.
struct SampledStack {
  uint64_t Samples = 0;
  uint64_t Weight = 0;             ///< nanoseconds, or bytes
  std::vector<std::string> Frames; ///< `pkg.Class.method`, outermost first
};

struct SampledStacks {
  std::string By;         ///< what sampled
  uint64_t LostBytes = 0; ///< of the record
  uint64_t Truncated = 0; ///< stacks without their outer frames
  std::chrono::milliseconds Took{0};
  std::vector<SampledStack> Stacks;
};

/// Samples the JVM \p T for the time of \p Options, or until \p Stop. However
/// this ends, the JVM stops sampling soon after that time.
llvm::Expected<SampledStacks> sample(Target &T, const StagingDirectory &Folder,
                                     const CarriedFiles &Carried,
                                     const SamplingOptions &Options,
                                     llvm::function_ref<bool()> Stop);

} // namespace jopt::client

#endif
