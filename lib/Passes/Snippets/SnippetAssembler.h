//===- SnippetAssembler.h - Snippets made as bytes --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code of a patched body that is a few instructions, and differs at each of
/// many sites: made as bytes (CodePatch::OwnSnippets).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SNIPPETS_SNIPPETASSEMBLER_H
#define JOPT_LIB_PASSES_SNIPPETS_SNIPPETASSEMBLER_H

#include "jopt/Bytecode/Opcodes.h"
#include "jopt/IR/Model/CodePatch.h"

namespace jopt {

/// Makes snippets of one patched body. An instruction has its shortest form.
class SnippetAssembler {
public:
  explicit SnippetAssembler(CodePatch &S) : S(S) {}

  /// Makes room: all that is made takes at most \p Bytes, and does not move. To
  /// be called before anything is made.
  void reserve(size_t Bytes) {
    S.Made.resize_for_overwrite(Bytes);
    From = P = S.Made.data();
  }
  void add(Opcode Op) { *P++ = Op; }
  void add(Opcode Op, uint16_t Index) {
    *P++ = Op;
    writeU2(P, Index);
    P += 2;
  }
  void add(std::initializer_list<uint8_t> Code) {
    P = std::copy(Code.begin(), Code.end(), P);
  }
  void add(Bytes Code) { P = std::copy(Code.begin(), Code.end(), P); }
  /// A load or store of a slot; \p Op is aload, iload, ...
  void slot(Opcode Op, unsigned Slot);
  /// An int that is not negative, and at most MostConstant.
  void constant(uint32_t Value);
  static constexpr uint32_t MostConstant = INT16_MAX;
  /// The loadable entry \p Index, which takes one slot.
  void load(uint16_t Index) {
    if (Index < 256)
      add({op::LDC, uint8_t(Index)});
    else
      add(op::LDC_W, Index);
  }
  /// The snippet made since the last one, which gets \p MaxStack slots deep.
  Snippet *finish(unsigned MaxStack);

private:
  CodePatch &S;
  uint8_t *From = nullptr; ///< where the code begins that is being made
  uint8_t *P = nullptr;    ///< where it goes on
};

inline void SnippetAssembler::slot(Opcode Op, unsigned Slot) {
  if (Slot < 4) {
    const unsigned Short = Op < op::ISTORE
                               ? op::ILOAD_0 + 4u * (Op - op::ILOAD)
                               : op::ISTORE_0 + 4u * (Op - op::ISTORE);
    add(uint8_t(Short + Slot));
  } else if (Slot <= 255) {
    add({Op, uint8_t(Slot)});
  } else {
    add(op::WIDE);
    add(Op, uint16_t(Slot));
  }
}

inline void SnippetAssembler::constant(uint32_t Value) {
  if (Value <= 5)
    add(uint8_t(op::ICONST_0 + Value));
  else if (Value <= INT8_MAX)
    add({op::BIPUSH, uint8_t(Value)});
  else
    add(op::SIPUSH, uint16_t(Value));
}

inline Snippet *SnippetAssembler::finish(unsigned MaxStack) {
  if (S.NumOwnSnippets == S.OwnSnippets.size())
    S.OwnSnippets.emplace_back();
  Snippet &Code = S.OwnSnippets[S.NumOwnSnippets++];
  Code.Continues = Code.Lowered = true;
  Code.NumGiven = 0;
  Code.MaxStack = MaxStack;
  Code.Code = Bytes(From, P);
  From = P;
  assert(P <= S.Made.data() + S.Made.size());
  return &Code;
}

} // namespace jopt

#endif
