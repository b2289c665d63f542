//===- DotFiles.h - Control flow of methods, for Graphviz -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `-dot-cfg`: a file for each method with code, as the run leaves it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_DOTFILES_H
#define JOPT_LIB_DRIVER_DOTFILES_H

#include "jopt/Coverage/EdgeProfile.h"
#include "jopt/IR/Model/ClassFile.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// Writes graphs into a folder. Any thread.
class DotFiles {
public:
  /// Makes the folder; fails where that cannot be.
  /// \p Profile, if it is given, has counts to be drawn; it outlives this.
  static llvm::Expected<std::unique_ptr<DotFiles>>
  create(llvm::StringRef Folder, DiagnosticEngine &Diags,
         const coverage::EdgeProfile *Profile);

  /// The graphs of \p Class, whose methods it lifts where they are not. What
  /// has no graph gets a warning.
  void write(ClassFile &Class);

  /// What kept files from being written, once every class is done.
  llvm::Error takeError() { return std::move(Failure); }

private:
  DotFiles(llvm::StringRef Folder, DiagnosticEngine &Diags,
           const coverage::EdgeProfile *Profile)
      : Folder(Folder), Diags(Diags), Profile(Profile) {}
  std::string nextPath(const ClassFile &Class, const Method &M);
  void write(ClassFile &Class, Method &M);

  const std::string Folder;
  DiagnosticEngine &Diags;
  const coverage::EdgeProfile *const Profile;
  std::mutex Lock; ///< of what follows
  llvm::StringMap<unsigned> Names;
  llvm::Error Failure = llvm::Error::success();
};

} // namespace jopt

#endif
