//===- Stretches.cpp - Original code in one piece -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a sparse body has of the original code is copied. Inside a stretch all
/// distances stay; branches out of it, and the padding of a switch at its end,
/// are written anew where they differ.
///
//===----------------------------------------------------------------------===//

#include "CodeEmitter.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace jopt;

uint8_t *CodeEmitter::encodeStretch(uint8_t *P, const Stretch &Code) {
  if (!Stretches.empty() && Stretches.back().Code->To > Code.From)
    Problem = "original code is not in its order";
  Stretches.push_back({&Code, uint32_t(P - Buffer.data())});
  const uint8_t *From = Original->Code.data();
  // A switch is aligned by where it is: from there on it is copied apart.
  const uint32_t Whole = std::min(Code.To, Code.Switch + 1);
  std::memcpy(P, From + Code.From, Whole - Code.From);
  P += Whole - Code.From;
  if (Whole == Code.To)
    return P;
  while ((P - Buffer.data()) & 3)
    *P++ = 0;
  const uint32_t Table = (Code.Switch + 4) & ~3u;
  std::memcpy(P, From + Table, Code.To - Table);
  return P + (Code.To - Table);
}

/// Slots of the operand stack below the \p Own ones that \p B, which begins a
/// region, has as parameters.
uint32_t CodeEmitter::depthBelow(const Block &B, uint32_t Own) {
  if (B.bci() < 0 || B.isHandler())
    return 0;
  std::optional<unsigned> Depth =
      originalDepth(B.body().classFile(), Original->Code, Original->Frames,
                    uint32_t(B.bci()));
  if (!Depth || *Depth < Own) {
    Problem = "the depth of the operand stack cannot be told";
    return 0;
  }
  return *Depth - Own;
}

uint32_t CodeEmitter::originalOffset(uint32_t BCI) const {
  auto Behind = llvm::partition_point(
      Stretches, [&](const PlacedStretch &S) { return S.Code->From <= BCI; });
  if (Behind == Stretches.begin())
    return ~0u;
  const PlacedStretch &S = Behind[-1];
  return BCI < S.Code->To ? S.Offset + (BCI - S.Code->From) : ~0u;
}

uint32_t CodeEmitter::targetOffset(uint32_t BCI) const {
  Block *const *B =
      llvm::partition_point(Original->Blocks, [&](const Block *B) {
        return uint32_t(B->bci()) < BCI;
      });
  if (B == Original->Blocks.end() || uint32_t((*B)->bci()) != BCI)
    return originalOffset(BCI);
  const uint32_t Ordinal = (*OrdinalOf)[(*B)->id()];
  return Ordinal == ~0u ? ~0u : (*Blocks)[Ordinal].Offset;
}

/// Writes the table of the switch that \p S ends in.
bool CodeEmitter::branchFromSwitch(const PlacedStretch &S) {
  DecodedInst D;
  if (!decodeInst(Original->Code, S.Code->Switch, D))
    return false;
  const uint32_t At = S.Offset + (S.Code->Switch - S.Code->From);
  uint8_t *P = Buffer.data() + ((At + 4) & ~3u);
  auto Write = [&](uint8_t *Where, int32_t Target) {
    const uint32_t To = targetOffset(uint32_t(Target));
    writeU4(Where, To - At);
    return To != ~0u;
  };
  const bool Table = D.Op == op::TABLESWITCH;
  bool Ok = Write(P, D.Value);
  for (uint32_t C = 0; C < D.NumCases; ++C)
    Ok &= Write(P + (Table ? 12 + 4 * size_t(C) : 12 + 8 * size_t(C)),
                D.caseTarget(C));
  return Ok;
}

/// Writes the branches that leave their stretch.
bool CodeEmitter::branchBetween() {
  for (const PlacedStretch &S : Stretches) {
    for (const OriginalJump &J : S.Code->Jumps) {
      if (J.Target > S.Code->From && J.Target < S.Code->To)
        continue;
      const uint32_t At = S.Offset + (J.BCI - S.Code->From);
      const uint32_t To = targetOffset(J.Target);
      const int32_t Distance = int32_t(To - At);
      uint8_t *P = Buffer.data() + At;
      if (To == ~0u) {
        Problem = "a branch of the original code has lost its target";
        return false;
      }
      if (*P == op::GOTO_W) {
        writeU4(P + 1, uint32_t(Distance));
      } else if (Distance == int16_t(Distance)) {
        writeU2(P + 1, uint16_t(Distance));
      } else {
        Problem = "a branch of the original code would reach too far";
        return false;
      }
    }
    if (S.Code->Switch < S.Code->To && !branchFromSwitch(S)) {
      Problem = "a switch of the original code has lost a target";
      return false;
    }
  }
  return true;
}
