//===- ClassPath.h - Classes on a class path --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bytes of the classes in the folders and archives of a class path.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_CLASSPATH_H
#define JOPT_ARCHIVE_CLASSPATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace jopt {

/// Paths in their folder or archive, and bytes.
using ClassContents =
    std::vector<std::pair<std::string, llvm::SmallVector<uint8_t, 0>>>;

/// Every class of \p Entries (folders, archives, class files), the earlier ones
/// first. A class file of its own has the name of the file. What cannot be read
/// is left out; an entry that is not there is an error.
llvm::Expected<ClassContents> readClassPath(llvm::ArrayRef<std::string> Entries,
                                            unsigned Threads);

} // namespace jopt

#endif
