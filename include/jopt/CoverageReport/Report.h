//===- Report.h - Coverage as files for others ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reports of a product's coverage in the formats of others.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_REPORT_H
#define JOPT_COVERAGEREPORT_REPORT_H

#include "jopt/CoverageReport/Bundle.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::coverage {

/// Gives the path of a source file of a package.
using PathOfSource = llvm::function_ref<std::string(const PackageCounters &,
                                                    const SourceCounters &)>;

/// JaCoCo's XML, by its document type 1.1. With \p HasGroups it has a group for
/// each module of \p B, if there are several.
void writeXML(const Bundle &B, llvm::raw_ostream &OS, bool HasGroups = false);

/// JaCoCo's table of classes, with the modules of \p B if \p HasGroups.
void writeCSV(const Bundle &B, llvm::raw_ostream &OS, bool HasGroups = false);

/// Cobertura's XML, by its document type 04. JaCoCo's counters do not say which
/// method has a line, so a line is in the method that begins last before it.
/// \p Sources are the folders below which the names of files are.
void writeCobertura(const Bundle &B, llvm::ArrayRef<std::string> Sources,
                    llvm::raw_ostream &OS);

/// LCOV's records of source files. \p PathOf gives the path of a source file of
/// a package, as `a/b/C.java`. What is known is whether a line was executed,
/// not how often: 1 stands for any number.
void writeLCOV(const Bundle &B, PathOfSource PathOf, llvm::raw_ostream &OS);

/// A source file, by its path in UTF-8, and lines of it that count.
struct CountedFile {
  std::string Path;
  std::vector<std::pair<int32_t, LineCounters>> Lines;
};

/// The source files of \p B.
std::vector<CountedFile> countedFiles(const Bundle &B, PathOfSource PathOf);

/// SARIF 2.1.0: a result for each piece of \p Files that was not run, and for
/// each line some of whose branches were not taken. \p Version is that of jopt.
void writeSARIF(llvm::ArrayRef<CountedFile> Files, llvm::StringRef Version,
                llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
