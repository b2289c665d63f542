//===- View.h - Files as another process sees them --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_VIEW_H
#define JOPT_CLIENT_VIEW_H

#include "jopt/Client/Process.h"
#include "jopt/Support/SharedPlaces.h"

namespace jopt::client {

/// The root folder of a process, which may be in another mount namespace, or
/// have another root than this one. What was opened stays open when this
/// process gives up its rights.
class View {
public:
  View() = default;
  /// That of \p P; that of this process where it may not look.
  explicit View(const Process &P);

  /// Opens the absolute \p Path as the process would: links that it finds on
  /// the way lead to where they would lead that. errno tells what failed.
  Descriptor open(llvm::StringRef Path, int Flags) const;
  /// A path of this process to \p Path, for calls that take no descriptor;
  /// \p Parent, which it opens, has to live that long. Empty: there is no such
  /// folder.
  std::string pathOf(llvm::StringRef Path, Descriptor &Parent) const;
  /// The process finds by the absolute \p Path the file that this one finds by
  /// it, and this one, with the rights that it has now, may read it.
  bool sees(llvm::StringRef Path) const;
  /// All of the regular file \p Path; empty if there is none that keeps \p
  /// Rule.
  std::string read(llvm::StringRef Path, const ReadRule &Rule) const;

private:
  Descriptor Root;
};

} // namespace jopt::client

#endif
