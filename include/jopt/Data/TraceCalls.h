//===- TraceCalls.h - Who called whom ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The calls that happened in a run, as a graph of methods, and the stacks that
/// they make.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TRACECALLS_H
#define JOPT_DATA_TRACECALLS_H

#include "jopt/Data/Traces.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::data {

/// State of the activations of a thread, by their levels. The state of those at
/// the bottom, which began before the trace, may be unknown.
template <typename T> class LevelStack {
public:
  /// Drops what is above \p Level, which is at least 1. True if nothing is
  /// known of the ones below it.
  bool cut(uint32_t Level) {
    if (Level <= Unknown || Level - 1 > Unknown + Known.size()) {
      Known.clear();
      Unknown = Level - 1;
      return true;
    }
    if (has(Level))
      Known.resize(Level - Unknown);
    return false;
  }
  bool has(uint32_t Level) const {
    return Level > Unknown && Level - Unknown <= Known.size();
  }
  const T &at(uint32_t Level) const { return Known[Level - Unknown - 1]; }
  /// The next level.
  void push(T Of) { Known.push_back(std::move(Of)); }
  void pop() { Known.pop_back(); }

  /// The known ones, the outermost first.
  llvm::ArrayRef<T> known() const { return Known; }
  /// There are others below.
  bool hasUnknown() const { return Unknown != 0; }

private:
  uint32_t Unknown = 0;
  std::vector<T> Known;
};

/// The last event of an activation.
struct TracedFrame {
  const TracedClass *Class = nullptr;
  uint32_t ClassIndex = 0;
  uint32_t Number = 0; ///< of the event
  uint32_t method() const { return Class->Methods[Number]; }
};

/// The activations of a thread.
class TracedStack : public LevelStack<TracedFrame> {
public:
  void add(uint32_t Level, TracedFrame F) {
    cut(Level);
    if (has(Level))
      pop();
    push(F);
  }
  void add(const TracedEvent &E) {
    add(E.Level, {E.Class, E.Of->Class, E.Number});
    if (E.IsReturn)
      pop();
  }
};

/// Writes the methods of \p T that were called, and for each that called
/// another how often, for GraphViz.
llvm::Error printCallGraphDot(const Traces &T, llvm::raw_ostream &OS,
                              LeftOut Tell);
/// The same as JSON.
llvm::Error printCallGraphJSON(const Traces &T, llvm::raw_ostream &OS,
                               LeftOut Tell);

} // namespace jopt::data

#endif
