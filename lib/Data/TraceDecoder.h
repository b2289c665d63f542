//===- TraceDecoder.h - The records of one chunk ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the bytes of a chunk of traces mean: docs/DataFormat.md.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_TRACEDECODER_H
#define JOPT_LIB_DATA_TRACEDECODER_H

#include "jopt/Data/Traces.h"
#include <array>
#include <memory>
#include <unordered_map>

namespace jopt::data {

/// A method that events name.
struct KnownMethod {
  const TracedClass *Class;
  uint32_t ClassIndex;
  uint32_t Method;
  uint32_t First; ///< its events, or paths
  uint32_t Enter;
  uint32_t End; ///< behind them
  /// Not null: what it told are paths.
  const trace::Paths *Paths = nullptr;
};
using KnownMethods = std::unordered_map<uint32_t, KnownMethod>;

/// Where a thread is.
struct ThreadState {
  TracedThread Thread;
  uint32_t Stream = 0;
  /// Activations below the first one of Stack, of which nothing is known.
  uint32_t Unknown = 0;
  struct Level : Activation {
    const KnownMethod *Method = nullptr;
  };
  std::vector<Level> Stack;
  /// Of the arguments of its innermost activation, or of its next call.
  std::vector<uint32_t> Types;
  /// Places where the program could not record what it did, and where the
  /// first one is.
  uint64_t Gaps = 0;
  std::string FirstGap;
};

/// Those of a run.
class ThreadStates {
public:
  ThreadState &get(uint32_t Number) {
    std::unique_ptr<ThreadState> &S = All[Number];
    if (!S) {
      S = std::make_unique<ThreadState>();
      S->Thread.Number = Number;
      S->Thread.Id = Number;
    }
    return *S;
  }
  /// In the order of their numbers.
  void forEach(llvm::function_ref<void(const ThreadState &)> Use) const {
    for (const auto &[Number, S] : All)
      Use(*S);
  }
  /// Nothing is known of those that \p Stream is about.
  void forget(uint32_t Stream) {
    for (auto &[Number, S] : All)
      if (S->Stream == Stream) {
        S->Stack.clear();
        S->Unknown = 0;
      }
  }

private:
  std::map<uint32_t, std::unique_ptr<ThreadState>> All;
};

/// Decodes one chunk, a part at a time.
class TraceDecoder {
public:
  TraceDecoder(const ChunkView &V, const KnownMethods &Methods,
               ThreadStates &Threads);

  enum Stop { End, Later, Enough, Damaged };

  /// Calls \p Use with events up to where the time changes to one that \p
  /// IsLater; \p Opened is the time at which the guard was opened last.
  Stop run(llvm::function_ref<bool(int32_t)> IsLater, int32_t &Opened,
           llvm::function_ref<bool(const TracedEvent &)> Use);

  /// That of the next event.
  int32_t time() const { return Time; }
  /// Of the record that is next, in the slot.
  size_t offset() const { return size_t(At - Begin) + ChunkHeaderSize; }

private:
  enum Outcome { Fine, IsEvent, IsWrong };

  uint32_t number();
  int32_t signedNumber();
  int32_t hash();
  Outcome record(TracedEvent &E);
  Outcome event(int32_t Distance, TracedEvent &E);
  Outcome activation(uint8_t Flags, bool IsActive, TracedEvent &E);
  Outcome thread(bool IsNamed);
  bool rebuild(TracedEvent &E,
               llvm::function_ref<bool(const TracedEvent &)> Use) const;
  Outcome types(bool OfCall, TracedEvent &E);
  void addGap(int32_t Opened);

  const uint8_t *const Begin;
  const uint8_t *At;
  const uint8_t *const Limit;
  const KnownMethods &Methods;
  ThreadStates &Threads;
  const uint32_t Stream;
  ThreadState *Thread = nullptr;
  int32_t Time = 0;
  bool Failed = false;
  std::array<int32_t, 128> Hashes{};
};

} // namespace jopt::data

#endif
