//===- PlaceNumbers.h - By which places of probes count ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PLACENUMBERS_H
#define JOPT_PASSES_PLACENUMBERS_H

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace jopt {

/// Numbers of places that count how often control comes there (jopt.boot.Link),
/// of all classes of a JVM. Thread-safe.
class PlaceNumbers {
public:
  /// As many numbers as Link has room for.
  static constexpr uint32_t Most = 1 << 24;
  /// One that nobody else has, from 1 on; 0 where there is none left.
  uint32_t take() {
    const uint32_t N = Next.fetch_add(1, std::memory_order_relaxed);
    return N < Most ? N : 0;
  }
  /// Behind all that were taken.
  uint32_t end() const {
    return std::min(Next.load(std::memory_order_relaxed), Most);
  }

private:
  std::atomic<uint32_t> Next{1};
};

} // namespace jopt

#endif
