//===- MethodGraph.h - The graph of a method's original code ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a ProbeGraph of original code and the probe points in it. An
/// instruction for which the specification names an exception has edges to its
/// handlers, up to the first that takes whatever is thrown, and else out of the
/// method; the machine's own errors have none. From any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_METHODGRAPH_H
#define JOPT_COVERAGE_METHODGRAPH_H

#include "jopt/Coverage/Graph.h"
#include "jopt/Coverage/ProbePoints.h"
#include <memory>

namespace jopt {
template <typename T> class PooledObject;
}

namespace jopt::coverage {

/// The graph of \p M, whose original code is \p Code, with \p Points, as
/// findPoints gives them for it: their numbers are their places in the
/// list. An error, without a place, where that gives one, and where exceptions
/// make more than CodeGraph::MostEdges edges.
llvm::Expected<ProbeGraph> makeGraph(const ClassFile &F, const Method &M,
                                     const CodeView &Code,
                                     llvm::ArrayRef<ProbePoint> Points);

/// The same of one method of a class after another: each is decoded once, into
/// memory that all use, and the next class too. For one thread.
class MethodGraphs {
public:
  MethodGraphs(PointSet Which, const ClassFile &F);
  ~MethodGraphs();

  /// The points of \p M, whose original code is \p Code, unnumbered. An error,
  /// without a place, where findPoints gives one.
  llvm::Expected<MethodPoints> findPoints(const Method &M,
                                          const CodeView &Code);
  /// The graph of the method whose points were found last, with \p Points. It
  /// stays until the next. An error as makeGraph has it.
  llvm::Expected<const ProbeGraph &>
  makeGraph(const Method &M, const CodeView &Code,
            llvm::ArrayRef<ProbePoint> Points);

private:
  struct Memory;

  const PointSet Which;
  const ClassFile &F;
  const std::unique_ptr<PooledObject<Memory>> Own;
};

} // namespace jopt::coverage

#endif
