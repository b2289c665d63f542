//===- JavacPath.h - What javac can read ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a class path for javac from the probed inputs. javac reads folders and
/// jars whose classes lie where their packages say, and nothing inside of them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_JAVACPATH_H
#define JOPT_LIB_PROBES_JAVA_JAVACPATH_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt::java {

/// \p Entries (folders and archives) and whatever classes are further inside:
/// behind a prefix (`WEB-INF/classes/`, the `classes/` of a .jmod), in archives
/// in folders, in archives in archives. Classes that javac cannot read in place
/// are copied to the new folder \p Temp, also those of jars with names of
/// entries that javac refuses. The JDK's own modules are left out, since javac
/// knows those of its JDK, and so are entries that cannot be read: no fragment
/// may need them. All errors are errors of writing.
llvm::Expected<std::vector<std::string>>
makeJavacPath(const std::vector<std::string> &Entries, const std::string &Temp);

} // namespace jopt::java

#endif
