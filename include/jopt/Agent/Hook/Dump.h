//===- Dump.h - What came and what went -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `dump=FOLDER`: the class files before and after, with the options by which
/// `jopt @FOLDER/N/options FOLDER/N/before` gives the files in `after`.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_DUMP_H
#define JOPT_AGENT_HOOK_DUMP_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jopt {
class MemoryHierarchy;
}

namespace jopt::agent {

/// Thread-safe.
class Dump {
public:
  /// From now on classes go into new groups below \p Folder, which it makes;
  /// their numbers are such as nothing there has. Fails if it cannot be
  /// written.
  llvm::Error open(llvm::StringRef Folder);
  /// Classes are no longer written.
  void close();
  /// Writes a class, which jopt does with \p Options, into a group with these.
  /// One whose name was there with other bytes (of another loader) goes into
  /// one more. Of \p Ancestry, which may be null, it writes class files that
  /// have nothing but supers, and adds their folder to the options.
  llvm::Error write(llvm::StringRef Name, Bytes Before, Bytes After,
                    llvm::StringRef Options,
                    const MemoryHierarchy *Ancestry = nullptr);

private:
  struct Group {
    std::string Folder, Options;
    llvm::StringMap<uint64_t> Classes; ///< with a hash of what came
    llvm::StringSet<> Ancestors;
  };
  llvm::Expected<Group &> openGroup(llvm::StringRef Options, bool Ancestry);

  std::mutex Lock;
  std::string Folder;
  std::vector<std::unique_ptr<Group>> Groups;
};

} // namespace jopt::agent

#endif
