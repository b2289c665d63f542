//===- Javac.h - Running javac ----------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The JDK's compiler as a child process.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_JAVA_JAVAC_H
#define JOPT_PROBES_JAVA_JAVAC_H

#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/ProbeOptions.h"

namespace jopt::java {

/// A javac that was found.
struct Javac {
  std::string Path;     ///< of the executable
  std::string Version;  ///< as it says itself: "17.0.15", "1.8.0_402"
  unsigned Feature = 0; ///< 17, 8: also the highest release it compiles for
  /// Changes when another JDK stands at Path: paths, sizes and times of files.
  std::string Identity;

  /// The highest release that it compiles for and whose class files are known.
  unsigned newestRelease() const;
};

/// Finds javac: \p Override if it is not empty, else JAVA_HOME's, else the one
/// on PATH; and asks for its version: the file `release` of its JDK, or
/// `javac -version` where there is none. Older than 8 is refused.
llvm::Expected<Javac> findJavac(llvm::StringRef Override,
                                unsigned TimeoutSeconds);

/// The release to compile for with \p Compiler.
llvm::Expected<unsigned> chooseRelease(const ProbeOptions &Options,
                                       const Javac &Compiler);

struct JavacJob {
  /// Relative path ("a/b/X.java") and text of each source.
  std::vector<std::pair<std::string, std::string>> Sources;
  /// Folders and archives, with whatever archives are in them.
  std::vector<std::string> ClassPath;
  /// Folders in which packages begin, as ProbeOptions::Roots.
  std::vector<std::string> Roots;
  const InputSet *Listed = nullptr; ///< as ProbeOptions::Listed
  unsigned Release = 8;
  unsigned TimeoutSeconds = 300;
};

struct JavacResult {
  CompiledClasses Classes; ///< sorted by path; empty if it failed
  int Status = 0;          ///< exit status: 0, it succeeded
  /// The output of javac, with the sources named by their relative paths.
  std::string Output;
};

/// Compiles in a temporary folder, which is removed. The environment variables
/// that change what javac does are kept from it. The error is for a javac that
/// could not run or did not end in time; errors in the sources are not one.
llvm::Expected<JavacResult> runJavac(const Javac &Compiler,
                                     const JavacJob &Job);

/// One message of javac.
struct JavacMessage {
  Severity Level = Severity::Error;
  int Source = -1; ///< index in JavacJob::Sources; -1: no place in a source
  unsigned Line = 0;
  unsigned Column = 0; ///< UTF-16 units from 0, by javac's marker line
  std::string Text;    ///< one line; details follow after "; "
};

/// Takes javac's output apart. Lines that belong to no message are dropped,
/// and so are the count of errors and advice to compile with other options.
std::vector<JavacMessage> parseJavacOutput(llvm::StringRef Output,
                                           const JavacJob &Job);

} // namespace jopt::java

#endif
