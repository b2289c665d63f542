//===- FixupConstants.cpp - Snippets with fixups --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/FixupConstants.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

llvm::Error jopt::findFixups(const Snippet &Code) {
  SnippetFixups &Of = *Code.Fixups;
  Of.List.clear();
  const auto Own = llvm::ArrayRef(Of.Own).take_front(Of.NumConstants);
  DecodedInst D;
  uint32_t At = 0;
  for (; decodeInst(Code.Code, At, D); At = D.end()) {
    const bool Pushes =
        Of.IsInt ? D.Op == op::SIPUSH : D.Op == op::LDC || D.Op == op::LDC_W;
    const auto *Found =
        llvm::find(Own, uint16_t(Of.IsInt ? uint32_t(D.Value) : D.Index));
    if (Pushes && Found != Own.end())
      Of.List.push_back({At, D.end(), unsigned(Found - Own.begin())});
  }
  if (At != Code.Code.size() || Of.List.size() != Of.NumUses)
    return makeError("constants of a site are not known");
  return llvm::Error::success();
}

/// The length of what pushes \p Value in its shortest form.
static unsigned lengthOf(uint16_t Value, bool IsInt) {
  if (!IsInt)
    return Value <= UINT8_MAX ? 2 : 3;
  return Value <= 5 ? 1 : Value <= INT8_MAX ? 2 : 3;
}

static inline uint8_t *push(uint8_t *To, uint16_t Value, bool IsInt) {
  if (IsInt && Value <= 5) {
    *To = uint8_t(op::ICONST_0 + Value);
    return To + 1;
  }
  if (Value <= (IsInt ? INT8_MAX : UINT8_MAX)) {
    *To = IsInt ? op::BIPUSH : op::LDC;
    To[1] = uint8_t(Value);
    return To + 2;
  }
  *To = IsInt ? op::SIPUSH : op::LDC_W;
  writeU2(To + 1, Value);
  return To + 3;
}

size_t jopt::sizeWithFixups(const SnippetInstance &Code) {
  const SnippetFixups &Fixups = *Code->Fixups;
  size_t Size = Code->Code.size();
  for (const SnippetFixups::Fixup &H : Fixups.List)
    Size =
        Size + lengthOf(Code.Constants[H.Which], Fixups.IsInt) - (H.End - H.At);
  return Size;
}

uint8_t *jopt::writeWithFixups(const SnippetInstance &Code, uint8_t *To) {
  const uint8_t *const First = Code->Code.data();
  const uint8_t *From = First, *const End = Code->Code.end();
  const bool IsInt = Code->Fixups->IsInt;
  const llvm::ArrayRef<SnippetFixups::Fixup> Fixups = Code->Fixups->List;
  for (const SnippetFixups::Fixup &H : Fixups) {
    To = copyFew(From, First + H.At, To);
    To = push(To, Code.Constants[H.Which], IsInt);
    From = First + H.End;
  }
  return copyFew(From, End, To);
}
