//===- TraceArguments.h - Lines about arguments -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Letters E and I: which arguments have lines, and with which event.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_TRACEARGUMENTS_H
#define JOPT_LIB_DATA_TRACEARGUMENTS_H

#include "jopt/Data/Traces.h"
#include "jopt/Trace/Lines.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace jopt::data {

/// An argument that has a line.
struct TracedArgument {
  std::string Descriptor; ///< of the parameter
  uint32_t Index = 0;     ///< the variable; of calls its place, 0 the receiver
  /// Its place among those that are references; -1: it is none.
  int32_t Reference = -1;
};

/// The arguments of all activations and calls. Not thread-safe.
class TracedArguments {
public:
  TracedArguments(const Traces &T, trace::Flavour F);

  /// Those that have their lines with \p E: behind its own, in front of it if
  /// it is a call.
  llvm::ArrayRef<TracedArgument> of(const TracedEvent &E) {
    return Classes[E.Of->Class].Tells ? find(E)
                                      : llvm::ArrayRef<TracedArgument>();
  }
  /// The name of the class of \p A, which came with \p E.
  llvm::StringRef typeOf(const TracedEvent &E, const TracedArgument &A) const;

private:
  llvm::ArrayRef<TracedArgument> find(const TracedEvent &E);

  struct ClassArguments {
    bool Tells = false, TellsEnter = false;
    llvm::BitVector Calls; ///< kinds of events with letter I
  };
  struct List {
    std::vector<TracedArgument> All;
    bool HasReferences = false;
  };
  /// By descriptor, behind the number of the first one.
  const List &list(uint32_t First, llvm::StringRef Descriptor, bool OfCall);

  const Traces &T;
  std::vector<ClassArguments> Classes;
  llvm::StringMap<List> Lists;
};

} // namespace jopt::data

#endif
