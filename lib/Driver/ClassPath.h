//===- ClassPath.h - Classes on a class path --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The classes of a class path as a hierarchy for the verifier, and as one of
/// ancestors alone for target rules.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_CLASSPATH_H
#define JOPT_LIB_DRIVER_CLASSPATH_H

#include "jopt/Archive/ClassPath.h"
#include "jopt/Archive/Inputs.h"
#include "jopt/Verify/TypeHierarchy.h"
#include <memory>
#include <string>
#include <vector>

namespace jopt {

/// Reads every class of \p Entries (folders, archives, class files), the
/// earlier ones first. Classes that cannot be read are left out.
llvm::Expected<std::unique_ptr<MemoryHierarchy>>
readHierarchy(llvm::ArrayRef<std::string> Entries, unsigned Threads);

/// Reads the ancestors of every class of \p In, then of \p ClassPath, the
/// earlier ones first. Classes that cannot be read are left out.
llvm::Expected<std::unique_ptr<MemoryHierarchy>>
readAncestry(const InputSet &In, llvm::ArrayRef<std::string> ClassPath,
             unsigned Threads);

} // namespace jopt

#endif
