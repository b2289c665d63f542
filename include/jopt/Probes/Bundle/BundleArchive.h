//===- BundleArchive.h - Probe classes in a jar -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bundles of compiled probes as files: what `-emit-bundle` writes, and
/// `-probes` and the agent read.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_BUNDLE_BUNDLEARCHIVE_H
#define JOPT_PROBES_BUNDLE_BUNDLEARCHIVE_H

#include "jopt/Archive/Storage.h"
#include "jopt/Probes/ProbeBundle.h"

namespace jopt {

/// An archive with the classes of \p B, stored, with fixed times; with a
/// script, so that `-probes` can read it, or without.
llvm::Expected<Rope> makeBundleArchive(const ProbeBundle &B,
                                       bool WithScript = false);

/// The scripts and the classes of the bundle \p File, by their names in it.
llvm::Expected<CompiledClasses> readBundleArchive(const std::string &File);

} // namespace jopt

#endif
