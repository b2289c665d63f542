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
#include "jopt/CoverageReport/TestCoverage.h"

namespace llvm {
class raw_ostream;
}

namespace jopt::coverage {

/// JaCoCo's XML, by its document type 1.1.
void writeXML(const Bundle &B, llvm::raw_ostream &OS);

/// JaCoCo's table of classes.
void writeCSV(const Bundle &B, llvm::raw_ostream &OS);

/// LCOV's records of source files. \p PathOf gives the path of a source file of
/// a package, as `a/b/C.java`. What is known is whether a line was executed,
/// not how often: 1 stands for any number.
void writeLCOV(const Bundle &B,
               llvm::function_ref<std::string(const PackageCounters &,
                                              const SourceCounters &)>
                   PathOf,
               llvm::raw_ostream &OS);

/// The number of a source file in those pages.
using SourceNumbers = std::map<std::string, size_t>;
/// By path, `p/A.java` in modified UTF-8.
SourceNumbers numberSources(const Bundle &B);

/// Pages for a browser, which need nothing but the files of \p Folder, made if
/// it is not there: `index.html`, and scripts with what it shows. \p TextOf
/// gives the text of a source file, in UTF-8; empty if it is not known.
/// \p HasTests: writeTestsHTML adds to them. An error names the file that could
/// not be written.
llvm::Error writeHTML(const Bundle &B,
                      llvm::function_ref<std::string(const PackageCounters &,
                                                     const SourceCounters &)>
                          TextOf,
                      llvm::StringRef Folder, bool HasTests = false);

/// Adds to such pages which tests reach which line: `tests.js`, and a script
/// for each test and each source file that tests reached. A source file at a
/// time; then finish() once.
class TestsHTML {
public:
  TestsHTML(const TestCoverage &Ran, const Bundle &B, llvm::StringRef Folder)
      : Ran(Ran), Numbers(numberSources(B)), Folder(Folder),
        Files(Ran.tests().size()) {}

  llvm::Error add(const TestedSource &S);
  llvm::Error finish();

private:
  const TestCoverage &Ran;
  const SourceNumbers Numbers;
  const std::string Folder;
  /// By test: the number of a source file, how many lines.
  std::vector<std::vector<std::pair<size_t, size_t>>> Files;
};

} // namespace jopt::coverage

#endif
