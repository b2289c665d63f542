//===- StackMap.h - Frames of the StackMapTable -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decodes a StackMapTable (JVM specification, 4.7.4) into absolute frames.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_STACKMAP_H
#define JOPT_LIB_READER_STACKMAP_H

#include "jopt/IR/Model/Body.h"
#include <vector>

namespace jopt {

/// One frame: slots one per Type (High after a category 2), stack one per
/// value. Both arrays live in the body's arena; equal slots are shared.
struct StackMapFrame {
  uint32_t BCI;
  llvm::ArrayRef<Type> Slots;
  llvm::ArrayRef<Type> Stack;
};

/// Decodes \p Payload. \p SiteAt gives the new-site for uninitialised values,
/// by the offset of their `new`; the function makes sites that are missing.
llvm::Error decodeStackMap(Body &F, Bytes Payload,
                           std::vector<uint32_t> &SiteAt,
                           std::vector<StackMapFrame> &Frames);

} // namespace jopt

#endif
