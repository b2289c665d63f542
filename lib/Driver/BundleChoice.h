//===- BundleChoice.h - Which probe classes a run writes --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Probes that come compiled may lie among the classes of the program, in a
/// folder or an archive with more than they need. What is written of them is
/// what they need and the inputs lack: a class of the inputs is woven, and one
/// of the same name would take its place.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_BUNDLECHOICE_H
#define JOPT_LIB_DRIVER_BUNDLECHOICE_H

#include "jopt/Archive/Containers.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/StringSet.h"

namespace jopt {

struct BundleChoice {
  /// Paths, as in ProbeBundle::Classes, of those that are not written.
  llvm::StringSet<> LeftOut;
  /// Those of them that the inputs have, and that the probes need.
  std::vector<std::string> OfInputs;
  /// Those of these that differ from what the inputs have.
  std::vector<std::string> Different;
};

/// Chooses among the classes of \p B. Those at the paths \p CameCompiled were
/// not made for this run.
llvm::Expected<BundleChoice>
chooseClasses(const ProbeBundle &B, const llvm::StringSet<> &CameCompiled,
              const InputSet &In, const ProcessOptions &Options);

} // namespace jopt

#endif
