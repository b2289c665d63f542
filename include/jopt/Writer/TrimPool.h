//===- TrimPool.h - The end of a constant pool ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes only add to the constant pool. What one takes out of a class leaves
/// entries behind that nothing uses.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WRITER_TRIMPOOL_H
#define JOPT_WRITER_TRIMPOOL_H

#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

/// Drops the last bootstrap methods and the last entries of the pool, as long
/// as nothing of \p F uses them; all others keep their numbers. Methods must be
/// lowered. Where \p F has an attribute of which nobody knows what it uses,
/// nothing happens.
void trimPool(ClassFile &F);

} // namespace jopt

#endif
