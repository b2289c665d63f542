//===- LeftWoven.h - Classes that cannot be taken back ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A woven class that does not know its original stays woven, and calls classes
/// that were put beside it. Those stay with it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_LEFTWOVEN_H
#define JOPT_LIB_DRIVER_LEFTWOVEN_H

#include "jopt/Weave/Original.h"

namespace jopt {

/// Has \p View keep what the classes of \p In need that it cannot take back.
llvm::Error keepForLeftWoven(const InputSet &In, OriginalView &View,
                             const ProcessOptions &Options);

} // namespace jopt

#endif
