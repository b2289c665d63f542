//===- PassRegistry.h - Passes by name --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The record of each pass (Passes.td, and what plugins add), and the parser of
/// options in the text of a pipeline.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PASSREGISTRY_H
#define JOPT_PASSES_PASSREGISTRY_H

#include "jopt/Advice/AdviceKinds.h"
#include "jopt/Passes/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <bitset>
#include <deque>
#include <functional>

namespace jopt {

/// Properties of the classes between two passes. A pipeline is checked before
/// it runs: a pass must find what it requires. NoAdvice: no `advice`
/// instruction is left, which is what the writer needs. For each phase of
/// Advice.td: no pass that places advices of the phase has run yet.
#define GET_PROPERTIES
#include "jopt/Passes/Passes.inc"
/// A set of properties, by their numbers.
using PropertySet = std::bitset<NumProperties>;
llvm::StringRef getPropertyName(Property P); ///< "no-advice"

/// The text between the angle brackets after a pass's name, and its column in
/// the pipeline (from 1), for messages.
struct OptionText {
  llvm::StringRef Text;
  unsigned Column = 1;
};

/// Reads the options of a pass:
/// \code
///   OptionReader R(Text);
///   while (R.next())
///     if (!R.flag("deep", O.Deep) && !R.integer("limit", O.Limit))
///       R.unknown();
///   return R.finish(O);
/// \endcode
/// Options are separated by `;`: `name`, `no-name` (flags) or `name=value`.
class OptionReader {
public:
  explicit OptionReader(OptionText T) : Rest(T.Text), Column(T.Column) {}

  /// Steps to the next option; false at the end or after a failure.
  bool next();
  /// Each is true if the current option is \p Name; a bad value is a failure.
  bool flag(llvm::StringRef Name, bool &Value);
  bool integer(llvm::StringRef Name, int64_t &Value);
  bool text(llvm::StringRef Name, std::string &Value);
  /// One of \p Choices; \p Value becomes its index.
  bool choice(llvm::StringRef Name, unsigned &Value,
              llvm::ArrayRef<llvm::StringRef> Choices);
  /// The current option is none that the pass has.
  void unknown();

  /// \p Options, or what was wrong with the text, with its column.
  template <typename T> llvm::Expected<T> finish(T Options) {
    if (Message.empty())
      return Options;
    return error();
  }

private:
  llvm::Error error() const;
  bool value(llvm::StringRef Name, llvm::StringRef &V);
  void fail(const llvm::Twine &M);

  llvm::StringRef Rest, Name, Value;
  bool HasValue = false;
  unsigned Column, At = 0;
  std::string Message;
};

/// One option, for `-help` and docs/Passes.md.
struct PassOptionInfo {
  std::string Name, Type, Default, Help;
};

/// A counter of `-stats`, for docs/Passes.md.
struct PassStatisticInfo {
  std::string Name, Help;
};

/// A pass, or a name for a pipeline.
struct PassInfo {
  std::string Argument; ///< the name in pipelines
  std::string Summary;  ///< one line
  std::string Description;
  std::vector<PassOptionInfo> Options;
  std::vector<PassStatisticInfo> Statistics;
  /// The kinds of advice that the pass places.
  llvm::SmallVector<AdviceKind, 2> Places;
  /// The methods that it wants: those that AnyPass::wants says; that advices of
  /// kinds that it places select; that have a body; that may be optimised.
  enum : uint8_t { Asked, Kinds, Lifted, Optimizable } Wants = Asked;
  PropertySet Requires, Loses, Establishes;
  /// The code of a body that may be raw for a method pass.
  KeepRaw Raw = KeepRaw::No;
  /// And patched ones (Body::Patch).
  bool TakesPatched = false;
  /// What all such passes do to a method is undone where it does not get
  /// smaller.
  bool Optimizes = false;
  /// A pass that looks into AdviceRunOptions::Classes.
  bool NeedsCallees = false;
  /// A class may be illegal, or half done, without what it does about the work
  /// of other passes: PassInstrumentation::MayRun is not asked.
  bool Required = false;
  /// Makes the pass from its options.
  std::function<llvm::Expected<AnyPass>(OptionText)> Create;
  /// Not empty: a name for this pipeline; Create is not used.
  std::string Pipeline;
};

/// The passes that a pipeline may name. Filled before any thread starts, then
/// read only.
class PassRegistry {
public:
  /// The passes of Passes.td.
  PassRegistry();

  /// Fails if the name is taken or malformed (letters, digits, `-`, `_`, `.`).
  llvm::Error add(PassInfo I);
  /// Null if there is none. The address is stable.
  const PassInfo *find(llvm::StringRef Argument) const;
  /// In the order of registration.
  const std::deque<PassInfo> &passes() const { return Passes; }

  /// Loads a shared object and lets it register its passes (Plugin.h). It
  /// stays loaded to the end of the process.
  llvm::Error loadPlugin(llvm::StringRef Path);

  /// Every pass with summary and options, for `-help`.
  void printHelp(llvm::raw_ostream &OS) const;

private:
  std::deque<PassInfo> Passes;
};

} // namespace jopt

#endif
