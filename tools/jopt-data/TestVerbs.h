//===- TestVerbs.h - Which tests reached what -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_TESTVERBS_H
#define JOPT_TOOLS_JOPTDATA_TESTVERBS_H

#include "jopt/CoverageReport/Changes.h"
#include "jopt/CoverageReport/TestCoverage.h"
#include "jopt/Data/Run.h"

namespace jopt::data {

/// The tests of the runs in \p Folders, or of that whose id begins with
/// \p RunId.
llvm::Expected<coverage::TestCoverage>
readTests(llvm::ArrayRef<std::string> Folders, llvm::StringRef RunId,
          LeftOut Tell);

/// What -changed-since= names; empty: nothing.
llvm::StringRef changesFile();
/// What the diff in the file \p Path changes; `-` is standard input.
llvm::Expected<std::vector<coverage::ChangedFile>>
readChanges(llvm::StringRef Path);

/// What the verb `tests` does with \p Folders; \p Run is that option.
llvm::Error runTests(llvm::ArrayRef<std::string> Folders, llvm::StringRef Run,
                     LeftOut Tell);

} // namespace jopt::data

#endif
