//===- VerifierImpl.h - Tiers of the IR verifier ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_VERIFIER_VERIFIERIMPL_H
#define JOPT_LIB_IR_VERIFIER_VERIFIERIMPL_H

#include "../Text/BodyPrinter.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace jopt {

/// Prints the parts of findings. Shared by the bodies of a class: it knows the
/// whole pool.
class FindingPrinter {
public:
  explicit FindingPrinter(const ClassFile &Class) : Class(Class), OS(Text) {}
  TextWriter &writer() {
    if (!Writer)
      Writer.emplace(OS, Class);
    return *Writer;
  }
  std::string take() { return std::move(OS.str()); }
  void clear() { Text.clear(); }

private:
  const ClassFile &Class;
  std::string Text;
  llvm::raw_string_ostream OS;
  std::optional<TextWriter> Writer;
};

/// Collects the findings of one body. Names are made when the first finding
/// needs them: valid bodies, the usual case, pay nothing.
class Findings {
public:
  Findings(const Body &B, FindingPrinter &P, std::vector<IRFinding> &All)
      : B(B), P(P), All(All) {}

  void add(IRRule R, const Block *Blk, const Instruction *I,
           const llvm::Twine &Message);
  void add(IRRule R, const Block &Blk, const llvm::Twine &Message) {
    add(R, &Blk, nullptr, Message);
  }
  void add(IRRule R, const Instruction &I, const llvm::Twine &Message) {
    add(R, I.block(), &I, Message);
  }
  void add(IRRule R, const llvm::Twine &Message) {
    add(R, nullptr, nullptr, Message);
  }

  /// As printed.
  std::string name(const Block *Blk);
  std::string name(const Value *V);
  std::string name(Type T);

private:
  template <typename Fn> std::string print(Fn F);

  const Body &B;
  FindingPrinter &P;
  std::vector<IRFinding> &All;
  std::optional<BodyPrinter> Printer;
};

/// As operandShape of an opcode, but of an instruction, which may have none.
/// False if its pool entry is bad.
bool operandShape(const Body &B, const Instruction &I, OperandShape &Shape);

void verifyStructure(const Body &B, Findings &F);
/// Of the second tier, for one raw instruction.
void verifyRaw(const Body &B, const Instruction &Raw, Findings &F);
void verifyShape(const Body &B, Findings &F);
void verifyPatch(const Body &B, Findings &F);
void verifyTypes(const Body &B, Findings &F);
void verifyInstrumentation(const Body &B, Findings &F);

} // namespace jopt

#endif
