//===- HelperThreads.h - Threads that need not be there ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_HELPERTHREADS_H
#define JOPT_SUPPORT_HELPERTHREADS_H

#include <functional>
#include <pthread.h>
#include <vector>

namespace jopt {

/// Threads that do what their owner's thread does too. There are fewer where
/// the system gives no more; std::thread would end the process.
class HelperThreads {
public:
  explicit HelperThreads(std::function<void()> Work) : Work(std::move(Work)) {}
  HelperThreads(const HelperThreads &) = delete;
  HelperThreads &operator=(const HelperThreads &) = delete;
  ~HelperThreads() { join(); }

  /// Starts one more; false if there can be no more, which it remembers.
  bool add();
  size_t size() const { return Threads.size(); }
  /// Waits for them to end.
  void join();

private:
  const std::function<void()> Work;
  std::vector<pthread_t> Threads;
  bool HasAll = false;
};

} // namespace jopt

#endif
