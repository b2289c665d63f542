//===- ProbeFiles.h - Probe files of a run ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run asks of front-ends, and the files it writes of its probes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_PROBEFILES_H
#define JOPT_LIB_DRIVER_PROBEFILES_H

#include "jopt/Archive/Storage.h"
#include "jopt/Driver/Job.h"
#include "jopt/Probes/LoadProbes.h"

namespace jopt {

/// The options of front-ends, with the inputs on the class path.
ProbeOptions makeProbeOptions(const JobOptions &Options);

/// Paths and contents of what `-emit-bundle`, `-emit-script` and
/// `-emit-probeinfo` ask for.
llvm::Expected<std::vector<std::pair<std::string, Rope>>>
makeProbeFiles(const JobOptions &Options, const LoadedProbes &Probes);

} // namespace jopt

#endif
