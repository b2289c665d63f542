//===- SiteTests.h - Conditions on what instructions name -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SITES_SITETESTS_H
#define JOPT_LIB_PASSES_SITES_SITETESTS_H

#include "jopt/Advice/AdviceKinds.h"
#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

/// The member of \p F's pool at \p Index, which an instruction names, passes
/// \p Test. Depends on the class file alone, so fields of other classes are
/// not taken for volatile.
bool passes(SiteTest Test, const ClassFile &F, unsigned Index);

} // namespace jopt

#endif
