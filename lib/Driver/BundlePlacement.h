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
#include <set>

namespace jopt {

/// Called from the finish() hook of each changed container; inner ones first.
class BundlePlacement {
public:
  /// With the classes of \p B, marked as added. \p KeepOriginal: changed module
  /// descriptors carry what they were.
  static llvm::Expected<std::unique_ptr<BundlePlacement>>
  create(const ProbeBundle &B, bool KeepOriginal, Report &R);

  /// The probe class at \p Path, which the inputs have, is to say that it is
  /// woven (markWoven()), \p BySites or not.
  void markOwn(std::string Path, bool BySites) {
    Own.emplace_back(std::move(Path), BySites);
  }

  /// One copy for a program whose loader finds packages by an index, where the
  /// loader above it finds classes. Before finish(), of each container.
  llvm::Error addToLauncher(ContainerEditor &C);
  /// Adds the classes to \p C if this is their place, and the package to its
  /// module descriptors.
  llvm::Error finish(ContainerEditor &C);

  /// Reports, after the walk, where the copies would be in each other's way.
  void reportCopies(DiagnosticEngine &Diags);

private:
  BundlePlacement(bool KeepOriginal, Report &R)
      : KeepOriginal(KeepOriginal), Rep(R) {}
  llvm::Error addPackages(ContainerEditor &C, size_t I);
  llvm::Error markOwn(ContainerEditor &C, llvm::StringRef Path, bool BySites);
  /// \p New in place of the entry \p I, which is \p Old.
  llvm::Error replace(ContainerEditor &C, size_t I, Bytes New, Bytes Old);

  /// Folders in \p C that the loaders of its woven classes read, so that they
  /// share a copy as far as they can. None: an EAR, whose lib/ takes archives.
  std::vector<std::string> classFolders(const ContainerEditor &C) const;
  /// The classes go into the folder \p Folder of \p C.
  llvm::Error addTo(ContainerEditor &C, const std::string &Folder);

  ProbeBundle Bundle;
  std::vector<std::pair<std::string, bool>> Own; ///< markOwn()
  const bool KeepOriginal;
  Report &Rep;
  /// How many plain archives in one container got a copy of their own.
  std::map<unsigned, unsigned> Copies;
  /// Containers with a copy; modules by their names, others by their places.
  std::set<std::string> Modules, Others;
  /// Folders of programs whose loader finds packages by an index, and those of
  /// them that have a copy where the loader above it finds classes.
  std::set<std::string> Indexed, HaveCopyAbove;
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

/// The module descriptor \p ModuleInfo without hashes of other modules. Empty
/// if it has none.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
withoutModuleHashes(Bytes ModuleInfo);

} // namespace jopt

#endif
