//===- TempFolder.h - A folder for a while ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_TEMPFOLDER_H
#define JOPT_LIB_PROBES_JAVA_TEMPFOLDER_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <string>

namespace jopt::java {

/// A new folder in the system's place for temporary files, removed with all
/// that is in it when this object goes.
class TempFolder {
public:
  static llvm::Expected<TempFolder> create() {
    llvm::SmallString<128> Path;
    if (std::error_code EC =
            llvm::sys::fs::createUniqueDirectory("jopt-probes", Path))
      return makeError(Location(Path),
                       "cannot make a temporary folder: " + EC.message());
    (void)llvm::sys::fs::setPermissions(Path, llvm::sys::fs::owner_all);
    // javac names its sources by their path; links would change it.
    llvm::SmallString<128> Real;
    if (!llvm::sys::fs::real_path(Path, Real))
      Path = Real;
    return TempFolder(Path.str().str());
  }
  TempFolder(TempFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  TempFolder &operator=(TempFolder &&) = delete;
  ~TempFolder() {
    if (!Path.empty())
      llvm::sys::fs::remove_directories(Path);
  }

  const std::string &path() const { return Path; }
  /// The path of a file or folder in it.
  std::string file(llvm::StringRef Name) const {
    return Path + "/" + Name.str();
  }

private:
  explicit TempFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

} // namespace jopt::java

#endif
