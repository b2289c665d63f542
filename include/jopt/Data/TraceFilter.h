//===- TraceFilter.h - Which events are wanted ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Chooses events by thread, method, type and time, one at a time.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TRACEFILTER_H
#define JOPT_DATA_TRACEFILTER_H

#include "jopt/Data/Traces.h"
#include "llvm/ADT/BitVector.h"

namespace jopt::data {

/// The types of lines about arguments, of activations and of calls.
inline constexpr llvm::StringLiteral ArgumentType = "$argtype$",
                                     CallArgumentType = "$invokeargtype$";

/// The events to select; an empty list selects all.
struct TraceFilterOptions {
  /// Ids or names.
  std::vector<std::string> Threads;
  /// Patterns of `binary.Class.method`, with stars.
  std::vector<std::string> Methods;
  /// Types of executions, as "$line$" or "line".
  std::vector<std::string> Types;
  /// Milliseconds since the guard was opened, as in the column TIME.
  int64_t From = 0, To = INT64_MAX;
};

/// "p.T.step": the method number \p Method of \p C, for people.
std::string displayName(const TracedClass &C, uint32_t Method);
/// The column TIME of \p E.
inline int32_t timeOf(const TracedEvent &E) {
  return std::max(0, E.Milliseconds - E.Opened);
}

/// Which events of one record are wanted. Not thread-safe.
class TraceFilter {
public:
  /// For \p T, which must live as long. An error names a method or type that
  /// nothing of it has.
  static llvm::Expected<TraceFilter> make(const Traces &T,
                                          TraceFilterOptions Options);

  bool wants(const TracedEvent &E) {
    return wantsPlace(E) &&
           (Options.Types.empty() ||
            Kinds[E.Of->Class].test(E.Class->event(E.Number).Kind));
  }
  /// The same for the arguments in \p E.
  bool wantsArguments(const TracedEvent &E, llvm::StringRef Type) {
    return wantsPlace(E) && isType(Type);
  }

  /// To be called behind the last event: an error names a thread that there was
  /// not.
  llvm::Error finish() const;

private:
  explicit TraceFilter(TraceFilterOptions O) : Options(std::move(O)) {}
  bool isType(llvm::StringRef Type) const;
  bool wantsPlace(const TracedEvent &E) {
    return (Options.Threads.empty() || wants(*E.Thread)) &&
           (Options.Methods.empty() ||
            Methods[E.Of->Class].test(E.Of->MethodNumber)) &&
           timeOf(E) >= Options.From && timeOf(E) <= Options.To;
  }
  bool wants(const TracedThread &T) {
    if (T.Number != Last) {
      Last = T.Number;
      IsLastWanted = isWanted(T);
    }
    return IsLastWanted;
  }
  bool isWanted(const TracedThread &T);

  TraceFilterOptions Options;
  /// For each class: those that are wanted, if not all are.
  std::vector<llvm::BitVector> Methods, Kinds;
  std::map<uint32_t, bool> Threads;
  /// That of the last event.
  std::optional<uint32_t> Last;
  bool IsLastWanted = false;
  /// Those of Options that were there.
  llvm::BitVector Seen;
};

} // namespace jopt::data

#endif
