//===- Statistics.cpp - Counters in release builds ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cstring>
#include <mutex>
#include <vector>

using namespace jopt;

std::atomic<bool> jopt::detail::StatisticsOn = false;

void jopt::enableStatistics() { detail::StatisticsOn = true; }

namespace {
struct StatisticRegistry {
  std::mutex Lock;
  std::vector<Statistic *> All;
};
} // namespace

static StatisticRegistry &registry() {
  // Leaked on purpose: counters may be bumped while the process shuts down.
  static StatisticRegistry *R = new StatisticRegistry;
  return *R;
}

void Statistic::count(uint64_t N) {
  Value.fetch_add(N, std::memory_order_relaxed);
  if (Registered.exchange(true, std::memory_order_relaxed))
    return;
  StatisticRegistry &R = registry();
  std::lock_guard<std::mutex> Guard(R.Lock);
  R.All.push_back(this);
}

static std::vector<Statistic *> sorted() {
  StatisticRegistry &R = registry();
  std::lock_guard<std::mutex> Guard(R.Lock);
  std::vector<Statistic *> All;
  for (Statistic *S : R.All)
    if (S->value())
      All.push_back(S);
  llvm::sort(All, [](const Statistic *A, const Statistic *B) {
    if (int Order = std::strcmp(A->Group, B->Group))
      return Order < 0;
    return std::strcmp(A->Name, B->Name) < 0;
  });
  return All;
}

void jopt::printStatistics(llvm::raw_ostream &OS) {
  for (Statistic *S : sorted())
    OS << llvm::format("%12llu", (unsigned long long)S->value()) << ' '
       << llvm::left_justify(S->Group, 16) << ' ' << S->Name << " - " << S->Help
       << '\n';
}

void jopt::printStatisticsJSON(llvm::raw_ostream &OS) {
  llvm::json::OStream J(OS, 2);
  J.object([&] {
    for (Statistic *S : sorted())
      J.attribute((llvm::Twine(S->Group) + "." + S->Name).str(),
                  int64_t(S->value()));
  });
  OS << '\n';
}
