//===- Verifier.h - Is this IR valid? ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks IR, for the time between passes. It says all it finds, not only the
/// first. The rules are grouped in tiers, each of which presupposes the ones
/// before it; docs/LangRef.md lists them. Nothing is changed, but types may be
/// added to the class's table; one thread per class.
///
/// This is not the verifier for class files (lib/Verify), which knows nothing
/// of the IR.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_VERIFIER_VERIFIER_H
#define JOPT_IR_VERIFIER_VERIFIER_H

#include "jopt/IR/Model/Body.h"
#include <string>
#include <vector>

namespace jopt {

enum class IRTier : uint8_t {
  Structure, ///< blocks, edges, uses: without it nothing else can be asked
  Shape,     ///< operands, pool entries and immediates fit the opcodes
  Types,     ///< types of values and slots, initialisation of objects
  Instrumentation, ///< what must hold before the code is written
};

/// Every rule, in the order of their tiers.
enum class IRRule : uint8_t {
#define JOPT_IR_RULE(Name, Tier, Text) Name,
#include "jopt/IR/Verifier/VerifierRules.def"
};
constexpr unsigned NumIRRules = 0
#define JOPT_IR_RULE(Name, Tier, Text) +1
#include "jopt/IR/Verifier/VerifierRules.def"
    ;

IRTier getTier(IRRule R);
/// "exit-arity"
std::string getRuleName(IRRule R);
/// The demand of the rule, in one sentence.
llvm::StringRef getRuleText(IRRule R);

/// One violation of a rule, with its place.
struct IRFinding {
  IRRule Rule;
  std::string Class;       ///< display name
  std::string Method;      ///< "m(I)V"; empty if the class itself is wrong
  std::string Block;       ///< "b3", as printed; empty if none
  std::string Instruction; ///< as printed; empty if none
  int32_t BCI = -1;        ///< original bytecode index, -1 if none
  std::string Message;     ///< what was found and what was expected
  /// The address of the instruction, block, method, field or class, by which
  /// TextPlaces knows it.
  const void *Unit = nullptr;

  /// One line: place, message, rule.
  std::string str() const;
};

/// Findings of \p B in the tiers up to \p UpTo. A tier is not asked if one
/// before it has findings.
std::vector<IRFinding> verifyBody(const Body &B, IRTier UpTo = IRTier::Types);

/// The class's own findings, and those of all methods that have a Body.
std::vector<IRFinding> verifyClassIR(const ClassFile &Class,
                                     IRTier UpTo = IRTier::Types);

} // namespace jopt

#endif
