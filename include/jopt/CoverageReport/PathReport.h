//===- PathReport.h - Which paths were taken, how often ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The paths that strategies of PathLayout.h recorded, with the class files
/// from which their numbers come.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_PATHREPORT_H
#define JOPT_COVERAGEREPORT_PATHREPORT_H

#include "jopt/Data/Run.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::coverage {

/// A way through blocks of a method that was taken. Those that end in their
/// last block in different ways are one.
struct MethodPath {
  std::string Class, Method, Descriptor; ///< as class files have them
  std::vector<uint32_t> Starts;          ///< where its blocks start
  uint64_t Count;
  std::string SourceFile;     ///< empty if it is not known
  std::vector<int32_t> Lines; ///< that it goes through, as far as known
};

/// The paths that \p Runs recorded, by classes and methods in the order of
/// \p Classes (folders, archives, class files), then by their blocks. Runs add
/// up. Told is what is left out: a class without its class file, counts without
/// a place. Fails if \p Classes cannot be read.
llvm::Expected<std::vector<MethodPath>>
findPaths(llvm::ArrayRef<data::Run> Runs, llvm::ArrayRef<std::string> Classes,
          data::LeftOut Tell);

/// Columns class, method, descriptor, path, count.
void writePathsCSV(llvm::ArrayRef<MethodPath> Paths, llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
