//===- Settings.h - What may be set about weaving ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The settings of jopt, jopt-tf and the agent: the record that they fill, and
/// the table (Settings.td) by which command lines and the agent's options are
/// read, dumps written and docs/Settings.md made. So each is spelled and means
/// the same everywhere.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WEAVE_SETTINGS_H
#define JOPT_WEAVE_SETTINGS_H

#include "jopt/Coverage/Plan.h"
#include "jopt/Passes/TracingPasses.h"
#include "jopt/Probes/ProbeOptions.h"
#include "jopt/TF/Program.h"
#include "jopt/Weave/ClassWork.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

/// Who reads or writes settings; a bit each.
enum class SettingTool : unsigned { Jopt = 1, JoptTF = 2, Agent = 4, Dump = 8 };

/// How the report of a run is printed (Report.h).
enum class ReportFormat : uint8_t { None, Text, JSON, HTML };

/// How hosts reach the classes of probes; Auto: by call sites where their
/// loader does not see them.
enum class DispatchPolicy : uint8_t { Auto, Direct, Indy };

/// The methods that are optimised where no level asks for all.
enum class OptimizePolicy : uint8_t { Off, Limits };

/// How much is optimised; by name a pipeline of Passes.td.
enum class OptimizationLevel : uint8_t { None, O1, O2, Os, Oz };

/// A value, filled before anything runs. The members are jopt's defaults.
struct WeaveSettings {
#define GET_SETTING_FIELDS
#include "jopt/Weave/Settings.inc"

  /// The agent's defaults.
  static WeaveSettings ofAgent();

  /// The tracing facility has something to do.
  bool traces() const {
    return TracingLibrary.has_value() || !TracingAnnotations.empty();
  }
  bool optimizes() const { return Level != OptimizationLevel::None; }
  /// There is something to do to classes.
  bool weaves() const {
    return !Probes.empty() || Coverage || Passes || traces() || optimizes();
  }
  /// An option about the trace of a run is given, and none is asked for.
  bool lacksTrace() const;
  /// CoverageRate is none that Java has as an int above 0.
  bool isRateWrong() const;
  /// The library that traced classes use, as tf::Packages::named takes it.
  std::string tracingLibrary() const { return TracingLibrary.value_or("jopt"); }
};

/// Both ask for the same bytes: they differ in nothing that a dump has.
bool askForSameBytes(const WeaveSettings &A, const WeaveSettings &B);

/// Replaces the name `once` of a strategy for coverage by the strategy and the
/// code of points that it stands for in a JVM of \p Release; 0: the JVM is not
/// known. Fails, and names all strategies, if there is none of that name.
llvm::Error resolveCoverage(WeaveSettings &S, unsigned Release = 0);

/// The text of the pipeline: that of `passes`, else what probes and the tracing
/// facility need, the latter from stage \p FirstStage on.
std::string pipelineText(const WeaveSettings &S, unsigned FirstStage = 1);

/// Applies the settings for work on classes to \p W; leaves the pipeline, the
/// advices and all else without a setting as they are.
void applySettings(const WeaveSettings &S, ClassWork &W);

/// The settings for reading and compiling probes.
ProbeOptions makeProbeOptions(const WeaveSettings &S);

enum class SettingType : uint8_t {
  Flag,     ///< on, off, or nothing for on
  Choice,   ///< one of its values
  Text,     ///< as it stands
  File,     ///< a path
  Number,   ///< from 0
  Item,     ///< one text, as it stands, added to a list
  List,     ///< texts, `@` stands before the path of a file
  Files,    ///< paths
  Paths,    ///< paths, ':' between them
  Patterns, ///< over names of classes, with '.' or '/'
  Command,  ///< has no value
};

struct SettingValue {
  llvm::StringRef Name, Help;
  unsigned By; ///< bits of SettingTool; 0: whoever may set the setting
};

/// A name that a tool takes for one release more.
struct OldSettingName {
  SettingTool By;
  llvm::StringRef Name;
};

/// The description of a setting, whatever record it belongs to. Immutable.
struct SettingInfo {
  llvm::StringRef Name, Help;
  llvm::StringRef Argument; ///< what stands for a value in help
  llvm::StringRef NoFile;   ///< the value that is no path
  SettingType Type;
  unsigned By;     ///< bits of SettingTool
  bool MayBeEmpty; ///< `name=` gives it the empty text
  std::vector<SettingValue> Values;
  std::vector<OldSettingName> OldNames;

  bool isFor(SettingTool T) const { return By & unsigned(T); }
  /// \p T calls it \p Given, by its name or an old one; `_` is `-`.
  bool isNamed(llvm::StringRef Given, SettingTool T) const;
  bool mayStandAlone() const {
    return Type == SettingType::Flag || Type == SettingType::Command;
  }
  bool isList() const {
    return Type == SettingType::List || Type == SettingType::Files ||
           Type == SettingType::Paths || Type == SettingType::Patterns;
  }
  /// The values that \p T may give, for messages: "report|skip", "FILE".
  std::string valuesFor(SettingTool T) const;
  /// Reads \p Value, given to \p T: one text, or those of a list; the agent's
  /// paths are made absolute. The error says only what is wrong with the value.
  llvm::Expected<std::vector<std::string>> read(llvm::StringRef Value,
                                                SettingTool T) const;
};

using SettingPrinter = llvm::function_ref<void(llvm::StringRef Value)>;

/// A setting of \p Record.
template <typename Record> struct Setting : SettingInfo {
  /// Takes one text that read() returned.
  void (*Set)(Record &, llvm::StringRef);
  /// Prints its value, or each of its values, if it is not jopt's default.
  void (*Print)(const Record &, SettingPrinter);

  Setting(SettingInfo I, void (*Set)(Record &, llvm::StringRef),
          void (*Print)(const Record &, SettingPrinter))
      : SettingInfo(std::move(I)), Set(Set), Print(Print) {}

  /// Sets it to what \p T was given.
  llvm::Error apply(Record &R, llvm::StringRef Value, SettingTool T) const {
    auto Texts = read(Value, T);
    if (!Texts)
      return Texts.takeError();
    for (const std::string &Text : *Texts)
      Set(R, Text);
    return llvm::Error::success();
  }
};

/// The table; from any thread.
llvm::ArrayRef<Setting<WeaveSettings>> weaveSettings();

/// \p S as options of jopt, `-name=value`, without those that are jopt's
/// defaults and those that have no part in the bytes written.
std::vector<std::string> printSettings(const WeaveSettings &S);

} // namespace jopt

#endif
