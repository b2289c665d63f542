//===- PooledObject.h - Scratch space kept for its next use -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_POOLEDOBJECT_H
#define JOPT_SUPPORT_POOLEDOBJECT_H

#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace jopt {

/// A T as its last user left it, or a new one, for as long as this lives.
/// Thread-safe. What is not in use belongs to all threads together: classes are
/// woven by whatever thread loads them, so what were thread-local would pile up
/// in an agent. It is never destroyed: a thread may still be at work when the
/// process ends.
template <typename T> class PooledObject {
public:
  PooledObject() {
    Spares &S = spares();
    Own.reset(S.Last.exchange(nullptr, std::memory_order_acquire));
    if (Own)
      return;
    std::lock_guard<std::mutex> Guard(S.Lock);
    Own = S.Free.empty() ? std::make_unique<T>() : S.Free.pop_back_val();
  }
  ~PooledObject() {
    Spares &S = spares();
    T *None = nullptr;
    if (S.Last.compare_exchange_strong(None, Own.get(),
                                       std::memory_order_release,
                                       std::memory_order_relaxed)) {
      Own.release();
      return;
    }
    std::lock_guard<std::mutex> Guard(S.Lock);
    if (S.Free.size() < 16)
      S.Free.push_back(std::move(Own));
  }
  PooledObject(const PooledObject &) = delete;
  PooledObject &operator=(const PooledObject &) = delete;

  T &operator*() const { return *Own; }
  T *operator->() const { return Own.get(); }

private:
  struct Spares {
    std::atomic<T *> Last{nullptr}; ///< one, for whom the lock would cost more
    std::mutex Lock;
    llvm::SmallVector<std::unique_ptr<T>, 16> Free;
  };
  static Spares &spares() {
    static auto *S = new Spares;
    return *S;
  }

  std::unique_ptr<T> Own;
};

} // namespace jopt

#endif
