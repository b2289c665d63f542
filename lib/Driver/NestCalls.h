//===- NestCalls.h - Info methods that other classes call ------- -*- C++
//-*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Since Java 11 an inner class calls a private method of its outer one as it
/// is, without an accessor in that class; so what calls an info method is not
/// always to be seen in the class that declares it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_NESTCALLS_H
#define JOPT_LIB_DRIVER_NESTCALLS_H

#include "jopt/Archive/Containers.h"
#include "jopt/TF/Program.h"

namespace jopt {

/// Looks for calls of info methods from other classes in \p In, and adds them
/// to
/// \p P. \p Plan says which entries are looked at.
llvm::Error findForeignInfoCalls(
    const InputSet &In, tf::Program &P, const ProcessOptions &Options,
    llvm::function_ref<EntryPlan(const EntryInfo &)> Plan = planByName);

} // namespace jopt

#endif
