//===- BundlePlacement.h - Where probe classes go ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts the classes of the probes where the probed classes can see them: one
/// copy at the place that the loader of a container looks at, shared by nested
/// archives with a common loader.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_BUNDLEPLACEMENT_H
#define JOPT_LIB_DRIVER_BUNDLEPLACEMENT_H

#include "jopt/Archive/Containers.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Weave/Report.h"

namespace jopt {

/// Called from the finish() hook of each changed container; inner ones first.
class BundlePlacement {
public:
  /// With the classes of \p B, marked as added. \p KeepOriginal: changed module
  /// descriptors carry what they were.
  static llvm::Expected<std::unique_ptr<BundlePlacement>>
  create(const ProbeBundle &B, bool KeepOriginal, Report &R);

  /// Adds the classes to \p C if this is their place, and the package to its
  /// module descriptors.
  llvm::Error finish(ContainerEditor &C);

private:
  BundlePlacement(bool KeepOriginal, Report &R)
      : KeepOriginal(KeepOriginal), Rep(R) {}
  llvm::Error addPackages(ContainerEditor &C, size_t I);

  /// Folder in \p C that its class loader reads; the loader of \p C's own
  /// classes if \p C is an ordinary archive. None: an EAR, whose lib/ takes
  /// archives.
  std::optional<std::string> classFolder(const ContainerEditor &C) const;

  ProbeBundle Bundle;
  const bool KeepOriginal;
  Report &Rep;
  /// How many plain archives in one container got a copy of their own.
  std::map<unsigned, unsigned> Copies;
};

/// Whether the classes in an archive named \p Name inside \p Outer are loaded
/// by the loader that also reads \p Outer's own class folder.
bool sharesLoaderWith(llvm::StringRef Name, const ContainerInfo &Outer);

/// Adds \p Package (dotted) to the ModulePackages attribute of the module
/// descriptor \p ModuleInfo. Unchanged bytes (empty result) if it has none: a
/// JVM then looks at the archive itself.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
withModulePackage(Bytes ModuleInfo, llvm::StringRef Package);

/// The name of the module that \p ModuleInfo describes; empty if it is none.
std::string moduleName(Bytes ModuleInfo);

} // namespace jopt

#endif
