//===- BranchNames.cpp - What a branch is in the source -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {
/// When a jump is taken, and when control falls through.
struct Condition {
  StringRef Jumps, Falls;
};
} // namespace

/// The relations of ifeq to ifle, and of if_icmpeq to if_icmple.
static constexpr Condition Relations[] = {{"==", "!="}, {"!=", "=="},
                                          {"<", ">="},  {">=", "<"},
                                          {">", "<="},  {"<=", ">"}};

/// The instruction in front of \p I leaves less, equal or greater.
static bool isBehindComparison(const CodeFlow &Flow, size_t I) {
  if (!I)
    return false;
  const Opcode Op = Flow.op(I - 1);
  return Op >= op::LCMP && Op <= op::DCMPG;
}

static std::string jumpName(const CodeFlow &Flow, size_t I, bool Jumps) {
  const Opcode Op = Flow.op(I);
  auto Of = [&](const Condition &C) {
    return (Jumps ? C.Jumps : C.Falls).str();
  };
  if (Op == op::IFNULL || Op == op::IFNONNULL)
    return (Op == op::IFNULL) == Jumps ? "null" : "not null";
  if (Op == op::IF_ACMPEQ || Op == op::IF_ACMPNE)
    return (Op == op::IF_ACMPEQ) == Jumps ? "the same object"
                                          : "another object";
  if (Op >= op::IF_ICMPEQ && Op <= op::IF_ICMPLE)
    return Of(Relations[Op - op::IF_ICMPEQ]);
  if (Op < op::IFEQ || Op > op::IFLE)
    return {};
  const std::string Relation = Of(Relations[Op - op::IFEQ]);
  if (isBehindComparison(Flow, I))
    return Relation;
  // Conditions are numbers, too.
  if (Op == op::IFEQ || Op == op::IFNE)
    return Relation == "==" ? "false, or 0" : "true, or not 0";
  return Relation + " 0";
}

static std::string caseName(const CodeFlow &Flow, size_t I, uint32_t Branch) {
  constexpr size_t Most = 10;
  std::vector<size_t> Targets;
  Flow.forEachTarget(I, [&](size_t To) { Targets.push_back(To); });
  if (Branch >= Targets.size())
    return {};
  if (Branch == 0)
    return "default";
  const DecodedInst Switch = Flow.inst(I);
  std::string Keys;
  llvm::ListSeparator Comma;
  size_t Count = 0;
  for (uint32_t C = 0; C < Switch.NumCases && Count <= Most; ++C)
    if (Flow.caseTarget(I, C) == Targets[Branch]) {
      Keys += StringRef(Comma);
      Keys += ++Count > Most ? "..." : std::to_string(Switch.caseKey(C));
    }
  return "case " + Keys;
}

std::string coverage::branchName(const CodeFlow &Flow, size_t I,
                                 uint32_t Branch) {
  if (Flow.isSwitch(I))
    return caseName(Flow, I, Branch);
  return Flow.isJump(I) ? jumpName(Flow, I, Branch == 1) : std::string();
}
