//===- SiteConstants.h - Code that is alike but for constants ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sites of units and calls differ in what they push: the number of a unit, the
/// names of what is called. Code of one of them serves the others.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SITECONSTANTS_H
#define JOPT_LIB_WRITER_SITECONSTANTS_H

#include "jopt/IR/Splice.h"

namespace jopt {

/// Makes the bytes of \p Code, which is like another that has its own, and is
/// lowered. They live as long as \p Class. Fails if that other pushes something
/// else too that looks like what they differ in.
llvm::Error fillIn(ClassFile &Class, SiteCode &Code);

} // namespace jopt

#endif
