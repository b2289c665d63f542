//===- Program.h - What TF knows of a program ----------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts that the passes of the tracing facility need besides the class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_PROGRAM_H
#define JOPT_TF_PROGRAM_H

#include "jopt/TF/AnnotationSet.h"
#include <map>

namespace jopt::tf {

/// Made once, by the collect stage or from a properties file; then immutable
/// and shared by all threads.
struct Program {
  Packages Library;           ///< which library the classes use
  Rules Checks = Rules::Seed; ///< and by whose rules
  AnnotationSet Annotations;  ///< of all inputs
  /// By class (internal name), a sentence for each other class that calls an
  /// info method of it: an error of that class, which alone does not show it.
  std::map<std::string, std::vector<std::string>> ForeignInfoCalls;
};

/// The names that the constant pool of a class file has, whatever the library.
/// All are set if the pool cannot be read: somebody else complains.
struct PoolFacts {
  bool Group = true;     ///< MethodMonitorGroup: it may be a TF annotation
  bool Annotated = true; ///< it has annotations that are visible at run time
  bool Info = true;      ///< InfoMethod
  bool Nested = true;    ///< it has nestmates
};
PoolFacts lookAtPool(Bytes ClassFile);

/// False if \p ClassFile surely has nothing to do with the tracing facility:
/// its constant pool names neither a TF annotation nor that of info methods.
bool mayUseTF(Bytes ClassFile, const Program &P);

} // namespace jopt::tf

#endif
