//===- ClassNames.h - Classes that a class names ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a class may need of others, found in its constant pool: names of
/// classes, in descriptors and signatures, and in strings, by which reflection
/// finds them. It is rather too much than too little.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_CLASSNAMES_H
#define JOPT_LIB_DRIVER_CLASSNAMES_H

#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace jopt {

/// The internal names in the texts of \p F.
std::vector<std::string> namesIn(const ClassFile &F);

/// By the internal name of a class: the names in its texts.
using NamedClasses = llvm::StringMap<std::vector<std::string>>;

/// Those of \p Classes that \p Roots name, and that these name, and so on; with
/// those of the roots that are in \p Classes.
llvm::StringSet<> reachableClasses(const NamedClasses &Classes,
                                   std::vector<std::string> Roots);

} // namespace jopt

#endif
