//===- BodyNames.h - Numbers of values and blocks ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names that printed text gives to blocks, values, tries and new-sites:
/// numbers in the order of appearance, so that equal bodies print alike
/// whatever they were made from.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_BODYNAMES_H
#define JOPT_LIB_IR_TEXT_BODYNAMES_H

#include "jopt/IR/Model/Body.h"
#include <vector>

namespace jopt {

class BodyNames {
public:
  explicit BodyNames(const Body &B);

  static constexpr unsigned None = ~0u;
  /// None for blocks, values and sites that are nowhere in the layout.
  unsigned block(const Block *B) const {
    return B && B->id() < Blocks.size() ? Blocks[B->id()] : None;
  }
  unsigned value(const Value *V) const {
    return V && V->id() < Values.size() ? Values[V->id()] : None;
  }
  unsigned site(unsigned Payload) const {
    return Payload < Sites.size() ? Sites[Payload] : Payload;
  }

private:
  std::vector<unsigned> Blocks, Values, Sites;
};

} // namespace jopt

#endif
