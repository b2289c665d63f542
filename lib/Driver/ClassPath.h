//===- ClassPath.h - Classes on a class path --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A hierarchy for the verifier out of the folders and archives of a class
/// path.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_CLASSPATH_H
#define JOPT_LIB_DRIVER_CLASSPATH_H

#include "jopt/Verify/TypeHierarchy.h"
#include <memory>
#include <string>

namespace jopt {

/// Reads every class of \p Entries (folders, archives, class files), the
/// earlier ones first. Classes that cannot be read are left out.
llvm::Expected<std::unique_ptr<MemoryHierarchy>>
readHierarchy(llvm::ArrayRef<std::string> Entries, unsigned Threads);

} // namespace jopt

#endif
