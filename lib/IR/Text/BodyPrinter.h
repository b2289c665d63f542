//===- BodyPrinter.h - Code blocks as text ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_BODYPRINTER_H
#define JOPT_LIB_IR_TEXT_BODYPRINTER_H

#include "BodyNames.h"
#include "TextWriter.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/Body.h"
#include "jopt/IR/Model/CodePatch.h"

namespace jopt {

/// Prints one Body with the words of a TextWriter for its class.
class BodyPrinter {
public:
  BodyPrinter(const Body &B, TextWriter &W)
      : B(B), W(W), OS(W.OS), Types(B.types()), Names(B) {}

  /// Everything behind `code`, up to the closing brace.
  void print(unsigned Indent);
  /// A block with its header, its instructions indented by two more.
  void wholeBlock(const Block &Blk, unsigned Indent);
  /// The line of \p I; of raw code the first one.
  void instruction(const Instruction &I);
  void type(Type T);
  void block(const Block *Target);
  void value(const Value *V);

private:
  void header(const Block &Blk, unsigned Indent);
  void values(llvm::ArrayRef<Value *> Vs);
  void slots(llvm::ArrayRef<Type> Ts);
  void constant(const Instruction &I);
  void narrowTypes(NarrowTypes Of);
  void operands(const Instruction &I);
  void successors(const Instruction &I);
  void entryLocals();
  void tryEntry(const TryEntry &T, unsigned Indent);

  /// \name Patched bodies (PatchText.cpp)
  /// @{
  void patchHead(const CodePatch &S);
  void original(const CodePatch &S, unsigned Indent);
  void patch(const CodePatch &S, unsigned Indent);
  void types(llvm::ArrayRef<Type> Ts);
  void snippet(const SnippetInstance &Code, bool Lowered, unsigned Indent);
  void snippetIR(const SnippetInstance &Code, const Body &IR, unsigned Indent);
  void snippetBytes(const SnippetInstance &Code, unsigned Indent);
  /// What the insertion point has instead of \p Constant, an int or the index
  /// of a String.
  uint32_t fixedUp(uint32_t Constant, bool IsInt) const;
  /// @}

  void rawHeader(const RawCode &Raw);
  void rawInstruction(const DecodedInst &I);
  void rawCode(const RawCode &Raw, unsigned Indent);
  /// \p Numbered: each with its index in front.
  void rawInstructions(Bytes All, unsigned Indent, bool Numbered);

  const Body &B;
  TextWriter &W;
  llvm::raw_ostream &OS;
  const TypeTable &Types;
  BodyNames Names;
  /// The body is a snippet with fixups, at this insertion point.
  const SnippetInstance *Fixups = nullptr;
};

} // namespace jopt

#endif
