//===- Marker.h - The mark of an enhanced class --------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The annotation TFEnhanced, which says how far a class was enhanced.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_MARKER_H
#define JOPT_TF_MARKER_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/TF/Packages.h"

namespace jopt::tf {

/// The level in a TFEnhanced mark; None without one.
enum class Level { None, Phase1, Phase2 };

/// The name of a constant of TraceEnhanceLevel.
llvm::StringRef levelName(Level L);

/// The level in the mark of \p Class.
Level readLevel(const ClassFile &Class, const Packages &P);

/// Gives \p Class the mark \p L, behind its other annotations, in place of the
/// one it has; None takes it away. Fails where the annotations of the class are
/// malformed.
llvm::Error writeLevel(ClassFile &Class, const Packages &P, Level L);

} // namespace jopt::tf

#endif
