//===- CallSpans.cpp - Calls of a trace as spans of time ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "jopt/Data/TraceCalls.h"
#include "jopt/Data/TraceFilter.h"
#include <map>

using namespace jopt;
using namespace jopt::data;

std::string data::displayName(const TracedThread &T) {
  return T.Name.empty() ? "thread " + std::to_string(T.Id) : T.Name;
}

llvm::Error CallSpans::run(const Traces &T, LeftOut Tell) {
  struct Track {
    TracedThread Thread; ///< a copy: events have theirs for a while only
    size_t Open = 0;     ///< spans
    int32_t Last = 0;
    LevelStack<char> Stack;
  };
  std::map<uint32_t, Track> Tracks;
  auto Begin = [&](Track &Of, int32_t Time, llvm::StringRef Name) {
    ++Of.Open;
    begin(Of.Thread, Time, Name);
  };
  auto Close = [&](Track &Of, size_t Left, int32_t Time) {
    for (; Of.Open > Left; --Of.Open)
      end(Of.Thread, Time);
  };
  llvm::Error Failed = T.forEachEvent(Tell, [&](const TracedEvent &E) {
    auto [I, IsNew] =
        Tracks.try_emplace(E.Thread->Number, Track{*E.Thread, 0, 0, {}});
    Track &Of = I->second;
    if (IsNew)
      thread(Of.Thread);
    Of.Last = E.Milliseconds;
    // What an exception ended has no event of its own.
    const bool IsLost = Of.Stack.cut(E.Level);
    if (E.IsEnter && Of.Stack.has(E.Level))
      Of.Stack.pop();
    const size_t Below = Of.Stack.hasUnknown();
    Close(Of, IsLost ? 0 : Below + Of.Stack.known().size(), E.Milliseconds);
    if (Of.Open < Below)
      Begin(Of, E.Milliseconds, Unknown);
    if (!Of.Stack.has(E.Level)) {
      Of.Stack.push(0);
      Begin(Of, E.Milliseconds, displayName(*E.Class, E.Of->MethodNumber));
    }
    if (E.IsReturn) {
      Of.Stack.pop();
      Close(Of, Of.Open - 1, E.Milliseconds);
    }
    return true;
  });
  for (auto &[Number, Of] : Tracks)
    Close(Of, 0, Of.Last);
  return Failed;
}
