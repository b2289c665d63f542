//===- CodeMatcher.h - Sequences of instructions ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_CODEMATCHER_H
#define JOPT_LIB_COVERAGE_CODEMATCHER_H

#include "FilterOutput.h"

namespace jopt::coverage {

/// Compares a method's code with an expected sequence, instruction by
/// instruction. Once one is another than expected, nothing matches any more.
/// Slots, owners and targets that must be the same in several places are named
/// by numbers that the client chooses; the first place says what they are.
class CodeMatcher {
public:
  explicit CodeMatcher(const FilterInput &In) : In(In) {}

  /// The next instruction to be compared is \p I. Names stay.
  void moveTo(size_t I) {
    Next = I;
    Ok = true;
  }
  void forget() {
    Slots.clear();
    Targets.clear();
    Owners.clear();
  }
  /// Everything matched since moveTo().
  bool ok() const { return Ok; }
  /// The number of the instruction behind those that matched.
  size_t at() const { return Next; }

  /// The opcode without a form of its own for some slots or a wide index.
  Opcode opcode(size_t I) const {
    return In.Flow.op(I) == op::LDC2_W ? Opcode(op::LDC)
                                       : In.Flow.info(I).Canonical;
  }
  bool has(size_t I, Opcode Op) const {
    return I < In.Flow.size() && opcode(I) == Op;
  }

  bool is(Opcode Op) { return advance(has(Next, Op)); }
  bool any() { return advance(Next < In.Flow.size()); }
  bool isSwitch() {
    return advance(Next < In.Flow.size() && In.Flow.isSwitch(Next));
  }
  /// A load or store of the slot that is called \p Name.
  bool isVar(Opcode Op, unsigned Name) {
    return is(Op) && same(Slots, Name, In.Flow.inst(Next - 1).Index);
  }
  /// A jump to the place that is called \p Name.
  bool isJump(Opcode Op, unsigned Name) {
    return is(Op) && same(Targets, Name, uint32_t(In.Flow.target(Next - 1)));
  }
  /// The place called \p Name is here.
  bool isPlace(unsigned Name) {
    auto It = Targets.find(Name);
    return Ok = Ok && It != Targets.end() && It->second == Next;
  }
  bool isType(Opcode Op, llvm::StringRef Name) {
    return is(Op) &&
           (Ok = In.F.Pool.className(In.Flow.inst(Next - 1).Index) == Name);
  }
  /// A string constant that begins with \p Start.
  bool isText(llvm::StringRef Start) {
    return is(op::LDC) && (Ok = text(Next - 1).starts_with(Start));
  }
  bool isMember(Opcode Op, llvm::StringRef Owner, llvm::StringRef Name,
                llvm::StringRef Descriptor) {
    if (!is(Op))
      return false;
    const MemberRef M = member(Next - 1);
    return Ok =
               M.Owner == Owner && M.Name == Name && M.Descriptor == Descriptor;
  }
  /// A call of `close()` by whatever class, the same for all of that \p Name.
  bool isClose(unsigned Name);

  /// The string that is called \p Name is compared with a constant.
  bool comparesString(unsigned Name) {
    return isVar(op::ALOAD, Name) && is(op::LDC) &&
           isMember(op::INVOKEVIRTUAL, "java/lang/String", "equals",
                    "(Ljava/lang/Object;)Z");
  }
  bool hashesString() {
    return isMember(op::INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
  }

  /// The string constant that \p I loads; empty if it loads another constant.
  llvm::StringRef text(size_t I) const {
    const unsigned Index = In.Flow.inst(I).Index;
    return In.F.Pool.has(Index, CPTag::String) ? In.F.Pool.name(Index)
                                               : llvm::StringRef();
  }
  MemberRef member(size_t I) const {
    return In.F.Pool.member(In.Flow.inst(I).Index);
  }

private:
  bool advance(bool Matches) {
    Ok = Ok && Matches;
    Next += Ok;
    return Ok;
  }
  bool same(std::map<unsigned, uint32_t> &Names, unsigned Name,
            uint32_t Value) {
    return Ok = Names.try_emplace(Name, Value).first->second == Value;
  }

  const FilterInput &In;
  size_t Next = 0;
  bool Ok = true;
  std::map<unsigned, uint32_t> Slots, Targets;
  std::map<unsigned, std::string> Owners;
};

} // namespace jopt::coverage

#endif
