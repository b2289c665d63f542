//===- ClassPath.h - Classes on a class path --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The classes in the folders and archives of a class path; a hierarchy of them
/// for the verifier, and one of ancestors alone for target rules.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_CLASSPATH_H
#define JOPT_LIB_DRIVER_CLASSPATH_H

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

/// Paths in their folder or archive, and bytes.
using ClassContents =
    std::vector<std::pair<std::string, llvm::SmallVector<uint8_t, 0>>>;

/// Every class of \p Entries, as readHierarchy finds them. A class file of its
/// own has the name of the file.
llvm::Expected<ClassContents> readClassPath(llvm::ArrayRef<std::string> Entries,
                                            unsigned Threads);

/// Reads the ancestors of every class of \p In, then of \p ClassPath, the
/// earlier ones first. Classes that cannot be read are left out.
llvm::Expected<std::unique_ptr<MemoryHierarchy>>
readAncestry(const InputSet &In, llvm::ArrayRef<std::string> ClassPath,
             unsigned Threads);

} // namespace jopt

#endif
