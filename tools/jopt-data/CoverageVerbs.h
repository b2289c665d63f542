//===- CoverageVerbs.h - Verbs for coverage ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_COVERAGEVERBS_H
#define JOPT_TOOLS_JOPTDATA_COVERAGEVERBS_H

#include "jopt/CoverageReport/Bundle.h"
#include "jopt/Data/Run.h"

namespace jopt::data {

/// Whether the command is about coverage alone: it has options that only
/// coverage has, or one of \p Inputs is an exec file.
bool isAboutCoverage(llvm::ArrayRef<std::string> Inputs,
                     llvm::StringRef Format);

/// \name Options that verbs for coverage share
/// @{
llvm::ArrayRef<std::string> classInputs(); ///< -classes=
llvm::ArrayRef<std::string> testClasses(); ///< -test-classes=
coverage::Filters filterRules();           ///< -filters=
llvm::StringRef csvFile();                 ///< -csv=
llvm::StringRef lcovFile();                ///< -lcov=
/// The file \p Name, `p/A.java`, below one of -sources=; itself if it is there
/// in none.
std::string sourcePath(const std::string &Name);
/// Those that were given and that say what counts, as they were written.
std::vector<std::string> coverageOptions();
/// @}

/// The runs in \p Folders, each once; only the one of each folder that
/// \p RunId names, if that is not empty.
llvm::Expected<std::vector<Run>>
openFolders(llvm::ArrayRef<std::string> Folders, llvm::StringRef RunId,
            LeftOut Tell);

/// Writes the file \p Path, which appears when it is complete.
llvm::Error writeOutput(llvm::StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

/// An option asks for a report of coverage other than the page of -o=.
bool hasReportOutputs();

/// What \p Inputs recorded: data folders, exec files and lines of probes.
llvm::Expected<coverage::CoverageData>
readInputs(llvm::ArrayRef<std::string> Inputs, llvm::StringRef Run,
           LeftOut Tell);

/// Counts the classes of -classes= by what \p Inputs recorded.
llvm::Expected<coverage::Bundle> countInputs(llvm::ArrayRef<std::string> Inputs,
                                             llvm::StringRef Run, LeftOut Tell);

/// What \p Verb does with the coverage of \p Inputs, exec files, lines of
/// probes and data folders.
/// \p Output, \p Format and \p Run are those options.
llvm::Error runCoverage(llvm::StringRef Verb,
                        llvm::ArrayRef<std::string> Inputs,
                        llvm::StringRef Output, llvm::StringRef Format,
                        llvm::StringRef Run, LeftOut Tell);

} // namespace jopt::data

#endif
