//===- ElementNames.h - What reports call classes and methods ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names that people know, of those in class files. All results are UTF-8.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_ELEMENTNAMES_H
#define JOPT_LIB_COVERAGEREPORT_ELEMENTNAMES_H

#include "jopt/CoverageReport/Bundle.h"

namespace jopt::coverage {

/// `a.b.C.D` of the internal name `a/b/C$D`.
std::string dottedName(llvm::StringRef Internal);

/// The same of a package; `default` is the unnamed one.
std::string packageName(llvm::StringRef Internal);

/// `C.D` of the internal name `a/b/C$D`.
std::string nameInPackage(llvm::StringRef Internal);

/// The same; a class without a name of its own is called by what it extends, as
/// in `C.new Runnable() {...}`.
std::string shortClassName(const ClassCounters &C);

/// `f(int, java.util.Map.Entry)`, `C()` for a constructor, `static {...}` for a
/// class initialiser. With \p IsShort types have no packages.
std::string methodSignature(llvm::StringRef Class, const MethodCounters &M,
                            bool IsShort);

/// `p/A.java` for a source file of the package \p P.
std::string sourceName(const PackageCounters &P, const SourceCounters &S);

} // namespace jopt::coverage

#endif
