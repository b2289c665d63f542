//===- ProbeFiles.h - Probe files of a run ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run asks of the front-end, and the files it writes of its probes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_PROBEFILES_H
#define JOPT_LIB_DRIVER_PROBEFILES_H

#include "jopt/Archive/Storage.h"
#include "jopt/Driver/Job.h"

namespace jopt {

/// The options of the front-end, with the inputs on the class path.
ProbekitOptions makeProbekitOptions(const JobOptions &Options);

/// Paths and contents of what `-emit-bundle`, `-emit-script` and
/// `-emit-probeinfo` ask for.
llvm::Expected<std::vector<std::pair<std::string, Rope>>>
makeProbeFiles(const JobOptions &Options, const ProbekitSources &Sources,
               const ProbeBundle &Bundle);

} // namespace jopt

#endif
