//===- SiteConstants.cpp - Code that is alike but for constants -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteConstants.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

/// Finds where \p Code pushes what others have otherwise. False if it is not
/// known which of its constants these are.
static bool findHoles(const SiteCode &Code) {
  SiteHoles &Of = *Code.Holes;
  if (!Of.List.empty())
    return true;
  const SiteConstants &Own = Code.Constants;
  const uint16_t *const End = Own.Values.data() + Own.Count;
  DecodedInst D;
  for (uint32_t At = 0; At < Code.Code.size(); At = D.end()) {
    if (!decodeInst(Code.Code, At, D))
      return false;
    const uint16_t *Found = End;
    if (Own.IsInt && D.Op == op::SIPUSH)
      Found = std::find(Own.Values.data(), End, uint16_t(D.Value));
    else if (!Own.IsInt && (D.Op == op::LDC || D.Op == op::LDC_W))
      Found = std::find(Own.Values.data(), End, uint16_t(D.Index));
    if (Found != End)
      Of.List.push_back({At, D.end(), unsigned(Found - Own.Values.data())});
  }
  return Of.List.size() == Of.NumUses;
}

/// An int or a String in its shortest form, at most three bytes, to \p To.
static uint8_t *push(uint8_t *To, const SiteConstants &Of, unsigned Which) {
  const uint16_t Value = Of.Values[Which];
  if (Of.IsInt && Value <= 5) {
    *To++ = uint8_t(op::ICONST_0 + Value);
    return To;
  }
  const bool Short = Value <= (Of.IsInt ? INT8_MAX : UINT8_MAX);
  *To++ = Of.IsInt ? (Short ? op::BIPUSH : op::SIPUSH)
                   : (Short ? op::LDC : op::LDC_W);
  if (!Short)
    *To++ = uint8_t(Value >> 8);
  *To++ = uint8_t(Value);
  return To;
}

llvm::Error jopt::fillIn(ClassFile &Class, SiteCode &Code) {
  const SiteCode &Like = *Code.Like;
  if (!findHoles(Like))
    return makeError("constants of a site are not known");
  const llvm::ArrayRef<SiteHoles::Hole> Holes = Like.Holes->List;
  constexpr size_t Longest = 3;
  uint8_t *const Begin = Class.allocator().Allocate<uint8_t>(
      Like.Code.size() + Longest * Holes.size());
  uint8_t *To = Begin;
  uint32_t Copied = 0;
  auto CopyTo = [&](uint32_t End) {
    To = std::copy(Like.Code.begin() + Copied, Like.Code.begin() + End, To);
  };
  for (const SiteHoles::Hole &H : Holes) {
    CopyTo(H.At);
    To = push(To, Code.Constants, H.Which);
    Copied = H.End;
  }
  CopyTo(uint32_t(Like.Code.size()));
  Code.Code = Bytes(Begin, size_t(To - Begin));
  Code.NumGiven = Like.NumGiven;
  Code.MaxStack = Like.MaxStack;
  return llvm::Error::success();
}
