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
#include "jopt/Coverage/ProbePoints.h"
#include "jopt/IR/Model/ClassFile.h"
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
    bool HasLineZero = false; ///< a line 0, which is none, begins here alone
    int32_t Line = -1;        ///< which begins here; -1 for none

    bool hasProbe() const { return IsSuccessor && (IsMulti || HasCalls); }
    bool onlyFallsIn() const { return !IsTarget && !IsMulti; }
  };

  struct Handler {
    uint32_t Start, End, Target; ///< numbers of instructions
    uint16_t CatchType;
  };

  /// An error if the code cannot be decoded, something leads to where no
  /// instruction is, or there are subroutines. What \p Code refers to stays.
  static llvm::Expected<CodeFlow> create(const ClassFile &F,
                                         const CodeView &Code);
  /// Begins another class: the methods that are read next belong to it.
  void beginClass() { OwnFields.clear(); }
  /// Makes this the flow of another method of the class \p F, reusing memory.
  llvm::Error read(const ClassFile &F, const CodeView &Code);

  /// findStraightPoints (ProbePoints.h).
  static std::optional<MethodPoints> straightPoints(const ClassFile &F,
                                                    const CodeView &Code);

  /// Makes lines of those with the number 0, as JaCoCo's counters do since
  /// 0.8.11; its probes do not.
  void takeLineZero() {
    for (Place &P : Places)
      if (P.HasLineZero)
        P.Line = 0;
  }

  size_t size() const { return Insts.size(); }
  /// Instruction \p I, decoded anew.
  DecodedInst inst(size_t I) const {
    DecodedInst D;
    decodeInst(Code, Insts[I].BCI, D);
    return D;
  }
  /// \name Fields of an instruction that need no decoding
  /// @{
  uint32_t bci(size_t I) const { return Insts[I].BCI; }
  Opcode op(size_t I) const { return Insts[I].Op; }
  const OpcodeInfo &info(size_t I) const {
    return detail::OpcodeRows[Insts[I].Op];
  }
  /// Control may go elsewhere than to the next instruction; exceptions do not
  /// count.
  bool leads(size_t I) const {
    return Insts[I].Flags & (Jumps | Switches | Ends);
  }
  /// Those that do, in order.
  llvm::ArrayRef<uint32_t> leading() const { return Leading; }
  bool endsBlock(size_t I) const { return Insts[I].Flags & Ends; }
  /// @}
  /// The place before instruction \p I; size() is the one behind the code.
  const Place &place(size_t I) const { return Places[I]; }
  llvm::ArrayRef<Handler> handlers() const { return Handlers; }

  bool isSwitch(size_t I) const { return Insts[I].Flags & Switches; }
  bool isJump(size_t I) const { return Insts[I].Flags & Jumps; }
  bool isGoto(size_t I) const { return info(I).Canonical == op::GOTO; }
  /// A return or athrow.
  bool leaves(size_t I) const {
    return (Insts[I].Flags & (Ends | Jumps | Switches)) == Ends;
  }
  /// The number of the instruction that \p I, a jump, leads to; of a switch the
  /// default.
  size_t target(size_t I) const { return Insts[I].Target; }
  /// That to which case \p C of the switch \p I leads, in their order in the
  /// code.
  size_t caseTarget(size_t I, uint32_t C) const {
    return IndexAt[uint32_t(inst(I).caseTarget(C))];
  }
  /// Calls \p Use with each instruction that the switch \p I leads to, the
  /// default first, each once.
  void forEachTarget(size_t I, llvm::function_ref<void(size_t)> Use) const;

  /// The specification names an exception for instruction \p I of \p M in \p F
  /// (mayThrow).
  bool throws(size_t I, const ClassFile &F, const Method &M) {
    return Insts[I].Flags & MayThrow && finallyThrows(I, F, M);
  }
  /// By instruction.
  std::vector<bool> throwing(const ClassFile &F, const Method &M);

  static constexpr uint32_t None = UINT32_MAX;
  /// Number of the instruction at \p BCI, of the end of the code size(), None
  /// if there is none.
  uint32_t indexAt(uint32_t BCI) const {
    return BCI < IndexAt.size() ? IndexAt[BCI] : None;
  }

private:
  enum Flag : uint8_t {
    Jumps = 1, ///< and is no switch
    Switches = 2,
    Ends = 4, ///< what follows is not fallen to
    Calls = 8,
    MayThrow = 16,   ///< by its opcode
    StoresThis = 32, ///< a reference to slot 0, or to the slot that it names
    LookCloser = 64, ///< of no fixed length, or a subroutine
  };
  struct Inst {
    uint32_t BCI;
    uint32_t Target; ///< of a jump or switch
    Opcode Op;
    uint8_t Flags;
  };
  struct OpFacts {
    uint8_t Length = 0, Flags = LookCloser;
  };
  static const OpFacts *opFacts();

  /// \p I gets or puts a field of the object in slot 0, and plain code in front
  /// of it computes the value.
  bool isOfThis(size_t I) const;
  bool isOwnField(const ClassFile &F, const DecodedInst &I);
  bool finallyThrows(size_t I, const ClassFile &F, const Method &M);
  llvm::Error decode();
  llvm::Error findTargets();
  llvm::Error addHandlers(const CodeView &Code);
  void addLines(Bytes Table);
  void addTables(const ClassFile &F, const CodeView &Code);
  void addFrames(Bytes Table);
  void mark();
  void addLabel(uint32_t BCI) {
    if (uint32_t I = indexAt(BCI); I != None)
      Places[I].IsLabel = true;
  }
  void addTarget(size_t I);

  Bytes Code;
  llvm::SmallVector<Inst, 0> Insts;
  std::vector<Place> Places;
  std::vector<uint32_t> IndexAt; ///< by bytecode index, the end too
  std::vector<Handler> Handlers;
  /// Instructions, in order: jumps and switches; and returns and throws too.
  std::vector<uint32_t> Branches, Leading;
  bool KeepsThis = true; ///< slot 0 is not stored to
  /// By pool index: whether it is a field of the class's own, by opcode; 0 is
  /// not known yet.
  std::vector<uint8_t> OwnFields;
};

/// The points of \p M in \p F, of which \p Flow is.
MethodPoints findPoints(PointSet Which, const ClassFile &F, const Method &M,
                        CodeFlow &Flow);

} // namespace jopt::coverage

#endif
