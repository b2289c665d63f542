//===- CodeFlow.h - Instructions, and the places between them ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A method's code as JaCoCo's rules see it: instructions, and before each a
/// place that something may refer to.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_CODEFLOW_H
#define JOPT_LIB_COVERAGE_CODEFLOW_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/ClassFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::coverage {

class CodeFlow {
public:
  /// The place before an instruction, or behind the last one.
  struct Place {
    /// Anything refers to it: a jump, the exception table, a table of lines,
    /// variables or frames. What follows is known of such places alone.
    bool IsLabel = false;
    bool IsTarget = false;    ///< control may come here, but by falling
    bool IsSuccessor = false; ///< control may fall here
    bool IsMulti = false;     ///< control may come here in more than one way
    bool HasCalls = false;    ///< a line begins here that calls something
    int32_t Line = -1;        ///< which begins here; -1 for none

    bool hasProbe() const { return IsSuccessor && (IsMulti || HasCalls); }
    bool onlyFallsIn() const { return !IsTarget && !IsMulti; }
  };

  struct Handler {
    uint32_t Start, End, Target; ///< numbers of instructions
    uint16_t CatchType;
  };

  /// An error if the code cannot be decoded, something leads to where no
  /// instruction is, or there are subroutines.
  static llvm::Expected<CodeFlow> create(const ClassFile &F,
                                         const CodeView &Code);

  size_t size() const { return Insts.size(); }
  const DecodedInst &inst(size_t I) const { return Insts[I]; }
  /// The place before instruction \p I; size() is the one behind the code.
  const Place &place(size_t I) const { return Places[I]; }
  llvm::ArrayRef<Handler> handlers() const { return Handlers; }

  bool isSwitch(size_t I) const {
    return Insts[I].info().Fmt == op::FmtTableSwitch ||
           Insts[I].info().Fmt == op::FmtLookupSwitch;
  }
  bool isJump(size_t I) const {
    return Insts[I].info().Branches && !isSwitch(I);
  }
  bool isGoto(size_t I) const { return Insts[I].info().Canonical == op::GOTO; }
  /// A return or athrow.
  bool leaves(size_t I) const {
    return Insts[I].info().EndsBlock && !Insts[I].info().Branches;
  }
  /// The number of the instruction that \p I, a jump, leads to; of a switch the
  /// default.
  size_t target(size_t I) const { return IndexAt[uint32_t(Insts[I].Value)]; }
  /// That to which case \p C of the switch \p I leads, in their order in the
  /// code.
  size_t caseTarget(size_t I, uint32_t C) const {
    return IndexAt[uint32_t(Insts[I].caseTarget(C))];
  }
  /// Calls \p Use with each instruction that the switch \p I leads to, the
  /// default first, each once.
  void forEachTarget(size_t I, llvm::function_ref<void(size_t)> Use) const;

  /// By instruction: the specification names an exception for it (mayThrow).
  /// The code is that of \p M in \p F.
  std::vector<bool> throwing(const ClassFile &F, const Method &M) const;

  static constexpr uint32_t None = UINT32_MAX;
  /// Number of the instruction at \p BCI, of the end of the code size(), None
  /// if there is none.
  uint32_t indexAt(uint32_t BCI) const {
    return BCI < IndexAt.size() ? IndexAt[BCI] : None;
  }

private:
  /// \p I gets or puts a field of what slot 0 holds, whose value is computed by
  /// plain code in front of it.
  bool isOfThis(size_t I) const;
  llvm::Error decode(Bytes Code);
  llvm::Error checkTargets() const;
  llvm::Error addHandlers(const CodeView &Code);
  void addLines(const ClassFile &F, const CodeView &Code);
  void addTables(const ClassFile &F, const CodeView &Code);
  void addFrames(Bytes Table);
  void mark();
  void addLabel(uint32_t BCI) {
    if (uint32_t I = indexAt(BCI); I != None)
      Places[I].IsLabel = true;
  }
  void addTarget(size_t I);

  std::vector<DecodedInst> Insts;
  std::vector<Place> Places;
  std::vector<uint32_t> IndexAt; ///< by bytecode index, the end too
  std::vector<Handler> Handlers;
};

} // namespace jopt::coverage

#endif
