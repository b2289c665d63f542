//===- CollectPool.h - A pool without what nobody uses ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_WRITER_COLLECTPOOL_H
#define JOPT_WRITER_COLLECTPOOL_H

#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace jopt {

/// The class file \p F, as it was read, with only those entries of the pool
/// that something refers to. Equal texts, numbers, strings and names with their
/// types become one. Those that code loads most come first, where ldc can name
/// them (section 6.5.ldc). Nothing if it would not be smaller, or where an
/// attribute is not known, as its references cannot be found.
/// \p Keep: entries that stay all the same, by index; null: none.
/// \p HasLongLoads, if it is not null: some ldc_w could be an ldc now. That is
/// worth a file of the same size.
std::optional<llvm::SmallVector<uint8_t, 0>>
collectPool(const ClassFile &F, const llvm::BitVector *Keep = nullptr,
            bool *HasLongLoads = nullptr);

/// The entries that nothing in the class file \p F refers to, by index, as far
/// as that is known; none where an attribute is not known.
llvm::BitVector findUnusedEntries(const ClassFile &F);

} // namespace jopt

#endif
