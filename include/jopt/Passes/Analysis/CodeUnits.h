//===- CodeUnits.h - Units of code ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cuts the original code of methods into units, the places of advices of kind
/// executableUnit, and makes the strings that describe all methods of a class.
///
/// A unit begins at offset 0, at every target of a branch or switch, at every
/// exception handler, at every start_pc of a LineNumberTable, and behind every
/// branch, switch, return, athrow, jsr, ret and call (invokedynamic included).
/// Units are numbered from 0 in the order of the code; code that is never
/// reached has units like any other. A method without line numbers, or without
/// code, counts as one unit, number 0, of line 0.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_CODEUNITS_H
#define JOPT_PASSES_ANALYSIS_CODEUNITS_H

#include "jopt/Passes/Pass.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

struct AdviceSet;
struct CodePatch;

/// One unit of a method.
struct CodeUnit {
  uint32_t Start; ///< offset of its first instruction
  uint16_t Line;  ///< its value in methodLineTables
};

/// The units of one method, in the order of the code; at least one.
struct MethodUnits {
  std::vector<CodeUnit> Units = {{0, 0}};
  /// There are line numbers. If not, there is one unit, which probes see once
  /// per activation, at the entry of the method.
  bool HasLines = false;

  /// The number of the unit that the instruction at \p BCI lies in.
  unsigned unitAt(uint32_t BCI) const;
};

/// The payload of the Code attribute that \p M had when it came; empty if it
/// had none. Its attributes may be new ones by now.
Bytes originalCode(const ClassFile &F, const Method &M);

/// The units of \p Code. \p Lines are the entries of all its LineNumberTables
/// in the order of the file, which need not be sorted.
///
/// The line of a unit is found so: one cursor walks the entries in their order;
/// a unit at or behind the cursor's start_pc takes that line, and the cursor
/// moves on by one entry only. So entries with the same start_pc take effect
/// one unit after the other.
///
/// Targets and line entries that are no instruction cut nothing. Code that
/// cannot be decoded counts as code without lines.
MethodUnits findCodeUnits(Bytes Code,
                          llvm::ArrayRef<CodeView::Handler> Handlers,
                          llvm::ArrayRef<LineEntry> Lines);

/// Marks in \p S.Marks, of a patched body, where units begin whatever is in
/// front of them: what is marked and no instruction cuts nothing. False, and
/// nothing is, if \p S has no lines.
bool markUnits(const ClassFile &F, CodePatch &S);

/// Whether a unit begins behind an instruction, by the byte that encodes it.
const bool *endsOfUnits();

/// Encodes line values of units (data item methodLineTables): `+` starts a run
/// of digits, each the distance (0 to 9) from the value before; `#` and a
/// decimal number stand for any other. What the value before was, and whether
/// such a run is on, goes over from one method to the next.
class LineTableEncoder {
public:
  void emit(unsigned Line);
  /// Between two methods.
  void nextMethod() { Text += ','; }
  std::string take() { return std::move(Text); }

private:
  std::string Text;
  unsigned Previous = 0;
  bool Increments = false;
};

/// The methods that a class had when it came, in its order. Methods that were
/// added since are none of them.
struct OriginalMethods {
  static AnalysisKey Key;
  static OriginalMethods run(const ClassFile &F, PassContext &C);

  std::vector<const Method *> Methods;
  llvm::DenseMap<const Method *, unsigned> Numbers;

  /// The index of \p M; that of a method that was added is their number.
  unsigned numberOf(const Method &M) const {
    auto It = Numbers.find(&M);
    return It == Numbers.end() ? unsigned(Methods.size()) : It->second;
  }
  /// Data item methodNames: name and descriptor of each, joined by `+`.
  std::string names(const ClassFile &F) const;
};

/// The units of every method of OriginalMethods.
struct ClassUnits {
  static AnalysisKey Key;
  static ClassUnits run(const ClassFile &F, PassContext &C);

  std::vector<MethodUnits> Methods; ///< by method number
  /// By method number: units of the methods before. Together with the number
  /// of a unit it counts the values of methodLineTables.
  std::vector<unsigned> Previous;

  /// The units of \p M; of a method that was added, one without lines.
  const MethodUnits &of(const Method &M, PassContext &C) const;
  /// Data item methodLineTables.
  std::string lineTables() const;
};

/// \name The strings, made once per class
/// @{
struct MethodNamesText {
  static AnalysisKey Key;
  static MethodNamesText run(const ClassFile &F, PassContext &C);
  std::string Text;
};
struct MethodLineTablesText {
  static AnalysisKey Key;
  static MethodLineTablesText run(const ClassFile &F, PassContext &C);
  std::string Text;
};
/// @}

/// An advice of the run needs the original code, for which materializeBytecode
/// exists.
bool needsOriginalCode(const AdviceSet &A);

/// Must be called from `begin` by every pass that asks for the analyses above.
/// Does nothing for a class that was read from a class file. The methods of a
/// class that was parsed from text have no original code: where \p WithCode is
/// set they are lowered, and what they then are is their original; a pass that
/// wants their IR gets it lifted again. A method that cannot be lowered,
/// because it has advice in it, say, counts as one without lines.
void materializeBytecode(PassContext &C, bool WithCode);

} // namespace jopt

#endif
