//===- PoolTags.cpp - The kinds of constant-pool entries ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/PoolTags.h"

using namespace jopt;

CPTag jopt::findPoolTag(llvm::StringRef Name) {
  for (const PoolTagInfo &T : detail::PoolTags)
    if (T.Since && T.Name == Name)
      return CPTag(&T - detail::PoolTags);
  return CPTag::None;
}

uint32_t jopt::handleTags(unsigned Kind) {
  switch (Kind) {
  case 1: // getField, getStatic, putField, putStatic
  case 2:
  case 3:
  case 4:
    return tagBit(CPTag::Fieldref);
  case 5: // invokeVirtual, newInvokeSpecial
  case 8:
    return tagBit(CPTag::Methodref);
  case 6: // invokeStatic, invokeSpecial
  case 7:
    return AnyMethodTags;
  case 9: // invokeInterface
    return tagBit(CPTag::InterfaceMethodref);
  default:
    return 0;
  }
}
