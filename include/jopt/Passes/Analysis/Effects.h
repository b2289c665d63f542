//===- Effects.h - What instructions may do ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an instruction may do beside its result, by the columns of Opcodes.td
/// and by facts about its operands.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_EFFECTS_H
#define JOPT_PASSES_ANALYSIS_EFFECTS_H

#include "jopt/Passes/Pass.h"

namespace jopt {

/// The effects of the instructions of a body. Errors of the JVM itself (no
/// memory, no stack) do not count. Stays right when instructions go.
class Effects {
public:
  static inline AnalysisKey Key;
  static Effects run(const Body &F, PassContext &) { return Effects(F); }

  /// Why \p I may complete abruptly: bits of OpcodeInfo::Failures.
  unsigned failures(const Instruction &I) const;
  bool mayThrow(const Instruction &I) const {
    return I.opcodeInfo().MayThrow && !I.info().NoCode &&
           I.op() != irop::Drop && failures(I);
  }
  /// Nobody sees whether \p I runs, if nobody uses its result.
  bool isRemovable(const Instruction &I) const;
  /// \p V is an object.
  bool isNonNull(const Value &V) const;
  /// The field of the class that \p I, a FieldAccess, names; null if it is of
  /// another one.
  const Field *ownField(const Instruction &I) const;
  /// Slot 0 holds `this` from the entry to every end.
  bool hasThis() const { return HasThis; }
  /// This thread has initialised the class of the method, or is doing so.
  bool isInitialized() const { return IsInitialized; }
  /// There are instructions of monitors.
  bool locks() const { return Locks; }

private:
  explicit Effects(const Body &F);
  unsigned ofField(const Instruction &I) const;
  unsigned ofClass(const Instruction &I, unsigned All) const;
  /// Pool entry \p Index is the class itself, or a class of java.lang that is
  /// there before any program.
  bool isResolved(unsigned Index) const;

  const ClassFile &Class;
  bool HasThis = false, Locks = false;
  bool IsInitialized = false;
  /// The method is a constructor; an initialiser of the class.
  bool WritesFinals = false, WritesStaticFinals = false;
  bool IsSynchronized = false;
};

/// The value of an int constant.
std::optional<int32_t> intConstant(const Value &V);

} // namespace jopt

#endif
