//===- FolderList.h - All files below a folder ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_ARCHIVE_FOLDERLIST_H
#define JOPT_LIB_ARCHIVE_FOLDERLIST_H

#include "jopt/Archive/Inputs.h"

namespace jopt {

/// The regular files below \p Folder as Input::Files has them, found by so many
/// threads (0: as many as there are processors). Fails if a folder cannot be
/// read.
llvm::Expected<std::vector<InputFile>> listFolder(const std::string &Folder,
                                                  unsigned Threads);

} // namespace jopt

#endif
