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
static bool findHoles(const SiteCode &Code, SiteConstants &Of) {
  if (!Of.Holes.empty())
    return true;
  DecodedInst D;
  for (uint32_t At = 0; At < Code.Code.size(); At = D.end()) {
    if (!decodeInst(Code.Code, At, D))
      return false;
    unsigned Which = 0;
    if (Of.Number >= 0) {
      if (D.Op != op::SIPUSH || D.Value != Of.Number)
        continue;
    } else {
      if (D.Op != op::LDC && D.Op != op::LDC_W)
        continue;
      Which = unsigned(llvm::find(Of.Pushes, D.Index) - Of.Pushes.begin());
      if (Which == Of.Pushes.size())
        continue;
    }
    Of.Holes.push_back({At, D.end(), Which});
  }
  return Of.Holes.size() == Of.NumUses;
}

/// An int or a String in its shortest form.
static void push(llvm::SmallVectorImpl<uint8_t> &To, const SiteConstants &Of,
                 unsigned Which) {
  if (Of.Number < 0) {
    const uint16_t Index = Of.Pushes[Which];
    if (Index < 256)
      To.append({op::LDC, uint8_t(Index)});
    else
      To.append({op::LDC_W, uint8_t(Index >> 8), uint8_t(Index)});
    return;
  }
  const auto Value = unsigned(Of.Number);
  if (Value <= 5)
    To.push_back(uint8_t(op::ICONST_0 + Value));
  else if (Value <= INT8_MAX)
    To.append({op::BIPUSH, uint8_t(Value)});
  else
    To.append({op::SIPUSH, uint8_t(Value >> 8), uint8_t(Value)});
}

llvm::Error jopt::fillIn(ClassFile &Class, SiteCode &Code) {
  const SiteConstants &Own = *Code.Constants;
  const SiteCode &Like = *Own.Like;
  SiteConstants &Others = *Like.Constants;
  if (!findHoles(Like, Others))
    return makeError("constants of a site are not known");
  llvm::SmallVector<uint8_t, 64> Made;
  uint32_t Copied = 0;
  auto CopyTo = [&](uint32_t To) {
    Made.append(Like.Code.begin() + Copied, Like.Code.begin() + To);
  };
  for (const SiteConstants::Hole &H : Others.Holes) {
    CopyTo(H.At);
    push(Made, Own, H.Which);
    Copied = H.End;
  }
  CopyTo(uint32_t(Like.Code.size()));
  Code.Code = Class.save(Made);
  Code.NumGiven = Like.NumGiven;
  Code.MaxStack = Like.MaxStack;
  return llvm::Error::success();
}
