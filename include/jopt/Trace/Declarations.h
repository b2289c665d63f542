//===- Declarations.h - What a traced class declares ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The methods and events of a class that is traced, and the text in which the
/// woven class carries them: docs/TraceFormat.md says how it is made. The
/// writer and the reader of it are here; the events themselves are found by
/// lib/Passes/Trace.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TRACE_DECLARATIONS_H
#define JOPT_TRACE_DECLARATIONS_H

#include "jopt/Trace/Paths.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jopt::trace {

/// The properties that events of one opcode have in common.
struct Kind {
  std::string Type;     ///< as declared: "$return$"
  std::string Executed; ///< when it happens: "$exit$"
  int32_t Opcode = 0; ///< as printed: 25 for aload_0, negative for pseudo ones
  /// A letter for each operand: `s` a string, `n` a number.
  std::string Operands;
  /// The letters one of which declares it, or has its executions logged;
  /// empty: always.
  std::string Emit, Log;

  bool operator==(const Kind &O) const {
    return Type == O.Type && Executed == O.Executed && Opcode == O.Opcode &&
           Operands == O.Operands && Emit == O.Emit && Log == O.Log;
  }
};

/// An operand of an event, which its kind says.
struct Operand {
  int32_t Number = 0;  ///< `n`
  uint32_t String = 0; ///< `s`: in ClassDeclarations::Strings
};

/// One event of a method. Its number in the class is its place among all.
struct Event {
  uint32_t Kind = 0;         ///< in ClassDeclarations::Kinds
  int32_t Line = -1;         ///< -1: not known
  uint32_t BCI = 0;          ///< of enter and line events, where they are
  uint32_t FirstOperand = 0; ///< in MethodDeclaration::Operands
};

/// An edge of control flow (option `control`); -1 for both ends of it.
struct Flow {
  int32_t FromBCI = -1, FromOpcode = -1;
  int32_t ToBCI = -1, ToOpcode = -1;
  bool Exceptional = false;
};

struct MethodDeclaration {
  uint32_t Name = 0, Descriptor = 0; ///< in ClassDeclarations::Strings
  uint16_t Access = 0;
  /// It has code that is traced; without, nothing but the method is declared.
  bool HasEvents = false;
  std::vector<Event> Events;
  std::vector<Operand> Operands;
  std::vector<Flow> Flows;
  /// With the option `reconstruct`: the segments of all events but the first,
  /// which records give as numbers of paths. None: records give each event.
  std::vector<Segment> Segments;
};

/// All that a class declares. Texts are modified UTF-8.
struct ClassDeclarations {
  /// The letters and options of the trace as they were given.
  std::string Options;
  uint64_t Id = 0; ///< of name and original bytes
  std::string Name, SourceFile;
  uint16_t Access = 0;
  std::vector<std::string> Strings;
  std::vector<Kind> Kinds;
  std::vector<MethodDeclaration> Methods;

  /// The value of the option \p Name, empty if it has none; nothing if it is
  /// not among Options.
  std::optional<llvm::StringRef> option(llvm::StringRef Name) const;
  bool hasOption(llvm::StringRef Name) const {
    return option(Name).has_value();
  }
  /// Options say `A`, all letters.
  bool asksForAll() const;
  /// The letters of Options, `A` spelled out.
  std::string letters() const;
};

/// Among the options: record paths instead of events.
inline constexpr llvm::StringLiteral ReconstructOption = "reconstruct";

/// The letters that `A` stands for.
inline constexpr llvm::StringLiteral AllLetters = "exlivzjfctsE";

/// \p D as text.
std::string encode(const ClassDeclarations &D);
/// Decodes a text of encode(); the error says what is wrong with it.
llvm::Expected<ClassDeclarations> decode(llvm::StringRef Text);

/// \p Text in parts that a String constant can hold, none of them cut inside of
/// a character.
std::vector<llvm::StringRef> cutIntoConstants(llvm::StringRef Text);

} // namespace jopt::trace

#endif
