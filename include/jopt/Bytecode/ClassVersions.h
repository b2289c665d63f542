//===- ClassVersions.h - Versions of class files ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which major versions of class files there are, and the releases of Java that
/// they belong to (JVM specification, table 4.1-A). A release of Java raises
/// NewestMajorVersion when its new structures are known here, or it has none.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_CLASSVERSIONS_H
#define JOPT_BYTECODE_CLASSVERSIONS_H

namespace jopt {

/// The versions whose rules are known: of Java 1.0.2 to 28. Newer class files
/// are read by the rules of the newest.
constexpr unsigned OldestMajorVersion = 45, NewestMajorVersion = 72;

/// The release of Java that introduced \p Major, 46 or above.
constexpr unsigned javaOfMajor(unsigned Major) { return Major - 44; }

/// The newest release of Java whose class files are known.
constexpr unsigned NewestRelease = javaOfMajor(NewestMajorVersion);

/// The minor version of class files that use preview features.
constexpr unsigned PreviewMinor = 65535;

/// Class files of this version may be of value classes (JEP 401) and have
/// strict fields (JEP 539): flags, frames and the attribute LoadableDescriptors
/// say so. Both are in preview in Java 28.
constexpr bool hasValueClasses(unsigned Major, unsigned Minor) {
  constexpr unsigned FirstWith = 72;
  return Major > FirstWith || (Major == FirstWith && Minor == PreviewMinor);
}

} // namespace jopt

#endif
