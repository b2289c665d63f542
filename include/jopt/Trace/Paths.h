//===- Paths.h - The ways through a method, as numbers ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Events that always happen together are a segment of their method. A path is
/// a way from one segment to another, with no loop in it; each path of a method
/// has a number, so that a number tells a list of events. What is written into
/// a class to find the numbers out, and what reads them, both count as it is
/// said here: docs/TraceFormat.md. Immutable once made; any thread may read.
///
/// JVM specification: which instructions may end abruptly 2.10, 6.5.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TRACE_PATHS_H
#define JOPT_TRACE_PATHS_H

#include "jopt/Support/PathNumbers.h"

namespace jopt::trace {

/// Events that all happen if the first does. The events of a method are those
/// of its segments, in their order. Segment 0 has none: it is where the method
/// begins.
struct Segment {
  uint32_t Events = 0;
  /// An exception may end it, when its events have happened.
  bool MayThrow = false;
  /// The method returns behind it.
  bool Returns = false;
  /// A path that comes here ends in front of it, and another begins.
  bool Begins = false;
  /// The segments that may come next, each once, in the order of counting
  /// paths.
  llvm::SmallVector<uint32_t, 2> Next;
};

/// Has paths begin where the segments \p S would else have loops, and where
/// more than \p Most paths would go on from one segment that may be come to.
void cutPaths(std::vector<Segment> &S, uint32_t Most);

/// The numbers of the paths of a method, from 0 on. Those that begin at one
/// segment follow those of the beginnings before. Of the paths from a segment
/// the first ends there by an exception, if it may; then come those by way of
/// each of Segment::Next; the last returns.
class Paths {
public:
  /// A method whose paths are more has its events recorded one by one.
  static constexpr uint32_t Limit = 1u << 20;

  /// Those of \p S; none if there is a loop, or they are more than Limit, or a
  /// segment leads to one that is not there.
  static std::optional<Paths> number(std::vector<Segment> S);

  uint32_t size() const { return Numbers.size(); }
  llvm::ArrayRef<Segment> segments() const { return Segments; }
  /// The first path that begins at segment \p S, which is 0 or Begins.
  uint32_t first(uint32_t S) const { return Numbers.first(S); }
  /// The step from \p From to \p To, one of its Next: it is added to the number
  /// of a path.
  uint32_t step(uint32_t From, uint32_t To) const;
  /// The step of a return behind \p From.
  uint32_t stepToReturn(uint32_t From) const;

  enum class End : uint8_t {
    Arrives, ///< in front of a segment where another begins
    Returns,
    Throws,
  };
  /// Calls \p Use with the number of the first event of each segment of the
  /// path \p Number, among those of all segments, and how many it has.
  End follow(
      uint32_t Number,
      llvm::function_ref<void(uint32_t First, uint32_t Count)> Use) const;

private:
  Paths(std::vector<Segment> S, PathNumbers N);

  std::vector<Segment> Segments;
  std::vector<uint32_t> FirstEvents; ///< by segment
  /// Each segment is a node. Its edges are that of an exception, if there may
  /// be one, those to Segment::Next, and that of a return.
  PathNumbers Numbers;
};

} // namespace jopt::trace

#endif
