//===- ViewerVerbs.h - The page of a report ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_VIEWERVERBS_H
#define JOPT_TOOLS_JOPTDATA_VIEWERVERBS_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// Writes the page of \p Inputs into the folder \p Output: data folders and
/// exec files, each on its own, and JSON lines of live output. With -classes=
/// it has coverage.
llvm::Error writeViewer(llvm::ArrayRef<std::string> Inputs,
                        llvm::StringRef Output, llvm::StringRef RunId,
                        uint64_t MaxRows, LeftOut Tell);

} // namespace jopt::data

#endif
