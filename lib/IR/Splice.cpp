//===- Splice.cpp - Original code with sites in it ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Splice.h"
#include "jopt/IR/Body.h"

using namespace jopt;

// Out of line, where Body is complete.
SiteCode::SiteCode() = default;
SiteCode::~SiteCode() = default;
