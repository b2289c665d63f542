//===- TestCode.h - Methods from mnemonics ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Methods written as mnemonics, lifted, changed by a test, lowered, and read
/// back as mnemonics.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_WRITER_TESTCODE_H
#define JOPT_UNITTESTS_WRITER_TESTCODE_H

#include "jopt/IR/Model/Body.h"
#include "jopt/IR/Model/ClassFile.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace jopt::test {

/// A class `T` with one method that has code.
class TestCode {
public:
  /// Version 49: stacks are inferred, and no frames are needed.
  explicit TestCode(llvm::StringRef Descriptor = "()V", bool Static = true,
                    unsigned Major = 49);

  /// Instructions separated by `; `, each with labels `L:` before it. Operands:
  /// numbers; labels; `name` of a class; `name:descriptor` of a member of T;
  /// for switches `key=L` and `L`, the default.
  TestCode &code(llvm::StringRef Text);
  /// An exception-table row over labels; an empty label is the end.
  TestCode &handler(llvm::StringRef From, llvm::StringRef To,
                    llvm::StringRef Target, llvm::StringRef Type = "");
  /// An attribute of Code.
  TestCode &attribute(llvm::StringRef Name, std::vector<uint8_t> Data);
  /// Makes the Code attribute and lifts it.
  Body &lift(const LiftOptions &O = {});
  /// The same, patched into \p S.
  bool liftPatched(CodePatch &S);
  /// A new, empty body instead.
  Body &empty(unsigned Slots);

  /// Checks the schedule, lowers, and gives the instructions separated by "; "
  /// (members and branch targets left out), or the error.
  std::string lower();
  /// The parts of the Code attribute after lower().
  CodeView view();
  /// The frames after lower(): `offset:form[locals][stack]`, one per line.
  std::string frames();
  Bytes attributeData(llvm::StringRef Name);

  /// Offset of a label in what code() assembled.
  unsigned label(llvm::StringRef Name) const;
  unsigned size() const { return unsigned(Assembled.size()); }
  uint16_t member(llvm::StringRef NameAndDescriptor);

  ClassFile Class;
  Method &M;
  unsigned MaxLocals = 20, MaxStack = 20;

private:
  void assemble();
  struct Row {
    std::string From, To, Target, Type;
  };
  std::vector<uint8_t> Assembled;
  std::vector<std::pair<std::string, unsigned>> Labels;
  std::vector<Row> Rows;
  std::vector<std::pair<std::string, std::vector<uint8_t>>> Extra;
};

/// \p Code, static, with the parameters of \p Descriptor, lifted and lowered.
std::string relower(llvm::StringRef Descriptor, llvm::StringRef Code);

} // namespace jopt::test

#endif
