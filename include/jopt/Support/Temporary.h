//===- Temporary.h - Files that do not outlive the process ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Temporary files and folders. They go with the object that stands for them,
/// and also where the process has to end on the spot: removing them takes no
/// memory.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_TEMPORARY_H
#define JOPT_SUPPORT_TEMPORARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace jopt {

/// Removes the file \p Name of the folder \p In (AT_FDCWD: it is a path), or
/// the folder with all that is in it. It follows no link, takes no memory, and
/// tries again what failed.
void removeTree(int In, const char *Name);

/// A file or folder that is removed, if it is there, when this object goes.
/// Made before the file, so that none is without one.
class Temporary {
public:
  enum class Extent { Tree, EmptyFolder };

  Temporary();
  explicit Temporary(std::string Path, Extent E = Extent::Tree);
  Temporary(Temporary &&Other);
  Temporary &operator=(Temporary &&Other);
  ~Temporary();

  /// Empty for an object that was moved from or kept.
  const std::string &path() const;
  explicit operator bool() const { return Known != nullptr; }
  /// It stays where it is, or has another name now.
  void keep();

  struct Entry;

private:
  std::unique_ptr<Entry> Known;
};

/// A new folder in the system's place for temporary files that only this user
/// can enter. Its name begins with \p Prefix.
llvm::Expected<Temporary> makeTemporaryFolder(llvm::StringRef Prefix);

/// A file without a name, to write and to read, in the system's place for
/// temporary files. The caller closes it.
llvm::Expected<int> openNamelessFile();

/// Removes all that there are objects for, the newest first. Nobody makes or
/// releases one afterwards: this is for a process that ends at once.
void removeTemporaries();

} // namespace jopt

#endif
