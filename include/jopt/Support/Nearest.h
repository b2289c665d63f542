//===- Nearest.h - The name that was meant ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// "did you mean": the known name that a word is near to.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_NEAREST_H
#define JOPT_SUPPORT_NEAREST_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace jopt {

/// The one of \p Names that \p Word is likely to mean; empty if none is near.
template <typename Range>
llvm::StringRef nearestName(llvm::StringRef Word, const Range &Names) {
  llvm::StringRef Best;
  unsigned Distance = std::max(unsigned(Word.size()) / 3 + 1, 2u);
  for (llvm::StringRef Name : Names)
    if (const unsigned D = Name.edit_distance(Word, true, Distance);
        D < Distance) {
      Best = Name;
      Distance = D;
    }
  return Best;
}

} // namespace jopt

#endif
