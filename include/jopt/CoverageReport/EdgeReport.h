//===- EdgeReport.h - Which edges were taken, how often ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The counts that strategies of CodeEdges.h recorded, with the class files of
/// the code.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_EDGEREPORT_H
#define JOPT_COVERAGEREPORT_EDGEREPORT_H

#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Coverage/EdgeProfile.h"
#include "jopt/Data/Run.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::data {
struct CoveredClass;
}

namespace jopt::coverage {

/// A method of which edges were counted.
struct MethodEdges {
  std::string Class, Method, Descriptor; ///< as class files have them
  std::string SourceFile;                ///< empty if it is not known
  CodeEdges Edges;   ///< as the last of the runs counted them
  EdgeCounts Counts; ///< of all runs
};

/// The counts of each method with code, in the order of the class file, from
/// \p C, whose rules are a text of edges. An error if that is damaged.
llvm::Expected<std::vector<std::pair<EdgeGraph, EdgeCounts>>>
countEdges(const data::CoveredClass &C);

/// The methods of which \p Runs counted edges, in the order of the class files
/// among \p Classes (folders, archives, class files, as they were before they
/// were woven). Tells of classes that ran and are not there.
llvm::Expected<std::vector<MethodEdges>>
findMethodEdges(llvm::ArrayRef<data::Run> Runs,
                llvm::ArrayRef<std::string> Classes, data::LeftOut Tell);

/// Writes the edges between blocks that were taken: class, method, descriptor,
/// the offset of the last instruction of a block and of the first of the next,
/// kind, and the count. -1 is where callers are: the entry leads from there,
/// what leaves the method to there. Kinds are `normal` and `exception`;
/// exceptions are a sum for each handler, and from -1.
void writeEdgesCSV(llvm::ArrayRef<MethodEdges> Methods, llvm::raw_ostream &OS);

/// Writes the runs of \p M and their edges with counts for Graphviz: thick are
/// edges that were counted, dashed what was thrown.
void writeEdgesDot(const MethodEdges &M, llvm::raw_ostream &OS);

/// The counts of all runs of the data folder \p Folder. An error if there is
/// none, or something is damaged.
llvm::Expected<EdgeProfile> readProfile(llvm::StringRef Folder);

} // namespace jopt::coverage

#endif
