//===- Options.cpp - What stands behind -agentpath: -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/Options.h"
#include "jopt/Agent/Attach/GivenOption.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

static llvm::ArrayRef<Setting<AgentOptions>> ownOptions() {
  static const Setting<AgentOptions> Table[] = {
#define GET_SETTINGS
#include "jopt/Agent/Options.inc"
  };
  return Table;
}

static std::string nearest(StringRef Name) {
  // The part behind the dot is a name of the probes.
  constexpr llvm::StringLiteral Param = "param";
  auto [Family, Rest] = Name.split('.');
  if (!Rest.empty() && Family.edit_distance(Param, true, 2) <= 2)
    return ("; did you mean '" + Param + "." + Rest + "'?").str();
  StringRef Best;
  unsigned Distance = std::max<unsigned>(1, unsigned(Name.size() + 1) / 3);
  auto Try = [&](const SettingInfo &O) {
    if (!O.isFor(SettingTool::Agent))
      return;
    if (unsigned D = O.Name.edit_distance(Name, true, Distance);
        D <= Distance && (Best.empty() || D < Distance)) {
      Best = O.Name;
      Distance = D;
    }
  };
  llvm::for_each(weaveSettings(), Try);
  llvm::for_each(ownOptions(), Try);
  if (!Best.empty())
    return ("; did you mean '" + Best + "'?").str();
  // No option has a dot or a slash, but files do.
  if (Name.contains('.') || Name.contains('/'))
    return "; a comma in a value is written twice, and 'probes=' is given for "
           "each file";
  return "; the option 'help' lists them, and a comma in a value is written "
         "twice, as in trace=A,,exceptional";
}

std::string agent::describeOptions() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "jopt-agent " JOPT_VERSION "\n"
        "options of jopt's agent, name=value or name, separated by commas; "
        "@FILE: those in a file\n";
  auto Describe = [&](const SettingInfo &O) {
    if (!O.isFor(SettingTool::Agent))
      return;
    std::string Head = "  " + O.Name.str();
    if (std::string Values = O.valuesFor(SettingTool::Agent);
        !Values.empty() && O.Type != SettingType::Command)
      Head += "=" + Values;
    OS << Head << "\n        " << O.Help << '\n';
  };
  llvm::for_each(weaveSettings(), Describe);
  llvm::for_each(ownOptions(), Describe);
  return Text;
}

/// Sets what \p Text, `name=value` or `name`, sets of \p R by \p Table; null if
/// there is none of that name.
template <typename Record>
static std::optional<llvm::Error>
applyOption(llvm::ArrayRef<Setting<Record>> Table, Record &R, StringRef Text) {
  auto [Name, Value] = Text.split('=');
  auto Row = llvm::find_if(Table, [N = Name](const Setting<Record> &Row) {
    return Row.isNamed(N, SettingTool::Agent);
  });
  if (Row == Table.end())
    return std::nullopt;
  if (Row->Type == SettingType::Command && Text.contains('='))
    return makeError("option '" + Name + "' has no value");
  if (!Row->mayStandAlone() && Value.empty() &&
      !(Row->MayBeEmpty && Text.contains('=')))
    return makeError("option '" + Name + "' needs a value: " + Name + "=" +
                     Row->valuesFor(SettingTool::Agent));
  if (llvm::Error E = Row->apply(R, Value, SettingTool::Agent))
    return makeError("option '" + Name + "': " + toMessage(std::move(E)));
  return llvm::Error::success();
}

static llvm::Error parseOption(AgentOptions &Options, StringRef Text) {
  Options.GivenNames.push_back(Text.split('=').first.str());
  if (StringRef Param = Text; Param.consume_front("param.")) {
    Options.Weave.Params.push_back(Param.str());
    return llvm::Error::success();
  }
  if (auto Done = applyOption(weaveSettings(), Options.Weave, Text))
    return std::move(*Done);
  if (auto Done = applyOption(ownOptions(), Options, Text))
    return std::move(*Done);
  StringRef Name = Text.split('=').first;
  return makeError("unknown option '" + Name + "'" + nearest(Name));
}

static llvm::Error parseFile(AgentOptions &Options, StringRef File) {
  constexpr size_t Limit = 1 << 20;
  auto Text = readRegular(File.str(), {Limit});
  if (!Text)
    return Text.takeError();
  llvm::Error Errors = llvm::Error::success();
  llvm::SmallVector<StringRef> Lines;
  StringRef(*Text).split(Lines, '\n');
  for (auto [Number, Line] : llvm::enumerate(Lines)) {
    StringRef Option = Line.trim();
    if (Option.empty() || Option.starts_with("#"))
      continue;
    Location Where(File, unsigned(Number) + 1);
    llvm::Error E = Option.starts_with("@")
                        ? makeError("a file of options names no other")
                        : parseOption(Options, Option);
    if (E)
      Errors = llvm::joinErrors(std::move(Errors),
                                makeError(Where, toMessage(std::move(E))));
  }
  return Errors;
}

std::optional<std::chrono::milliseconds> agent::parseTime(StringRef Text) {
  constexpr uint64_t TenYears = uint64_t(10) * 366 * 24 * 3600 * 1000;
  uint64_t Number = 0;
  if (Text.consumeInteger(10, Number))
    return std::nullopt;
  const uint64_t Unit = llvm::StringSwitch<uint64_t>(Text)
                            .Case("ms", 1)
                            .Case("s", 1000)
                            .Case("m", 60 * 1000)
                            .Case("h", 3600 * 1000)
                            .Default(0);
  if (!Unit || Number > TenYears / Unit)
    return std::nullopt;
  return std::chrono::milliseconds(Number * Unit);
}

std::optional<double> agent::parsePercent(StringRef Text) {
  Text.consume_back("%");
  double Value = 0;
  // No exponents, no signs, no infinity.
  if (Text.empty() ||
      Text.find_first_not_of("0123456789.") != StringRef::npos ||
      Text.getAsDouble(Value))
    return std::nullopt;
  return Value;
}

/// Checks the bounds in \p O.
static llvm::Error checkBounds(const AgentOptions &O) {
  for (auto [Name, Time] :
       {std::pair("max-stop", &O.MaxStop), std::pair("max-stops", &O.MaxStops)})
    if (!Time->empty() && (!parseTime(*Time) || parseTime(*Time)->count() == 0))
      return makeError("'" + llvm::Twine(Name) + "': '" + *Time +
                       "' is no time; write it like 20ms or 1s");
  if (!O.For.empty() && !parseTime(O.For))
    return makeError("'for': '" + O.For +
                     "' is no time; write it like 500ms, 30s, 5m, 2h");
  if (!O.FollowSocket.empty() && !O.weaves())
    return makeError("'follow' needs 'probes', 'coverage' or 'tf-annotations'");
  if (!O.For.empty() && !O.weaves())
    return makeError("'for' needs 'probes', 'coverage' or 'tf-annotations'");
  if (!O.MaxOverhead.empty() && !parsePercent(O.MaxOverhead))
    return makeError("'max-overhead': '" + O.MaxOverhead +
                     "' is no share; write it like 5% or 0.5%");
  if (O.Weave.isRateWrong())
    return makeError("'coverage-rate' is a number from 1 to 2147483647");
  if (O.boundsEvents() && O.Weave.Probes.empty())
    return makeError("'max-rate' and 'max-overhead' need 'probes'");
  return llvm::Error::success();
}

/// Checks an \p O that adds probes to those at work or takes some out. Options
/// that concern more than these probes stay as the first attach set them.
static llvm::Error checkChange(const AgentOptions &O) {
  if (!O.Leaving.empty() && !O.Off)
    return makeError("'probe' needs 'off'");
  if (!O.Adds)
    return llvm::Error::success();
  if (O.Weave.Probes.empty())
    return makeError("'add' needs 'probes'");
  static const llvm::StringSet<> Own = {
      "add",        "probes",        "classpath", "javac",     "release",
      "probe-api",  "probe-mode",    "probe-on",  "probe-off", "probe-cache",
      "probe-auto", "probe-disable", "isolate",   "guard",     "count-events",
      "log",        "level",         "answer",    "report",    "stats",
      "in-flight",  "max-stop",      "max-stops", "client",    "status",
      "for",        "follow"};
  // Where no others are at work, their bounds hold.
  const bool MayBeAlone = !O.For.empty() || !O.FollowSocket.empty();
  for (std::string Name : O.GivenNames) {
    std::replace(Name.begin(), Name.end(), '_', '-');
    if (MayBeAlone && (Name == "max-rate" || Name == "max-overhead"))
      continue;
    if (!Own.contains(Name) && !StringRef(Name).starts_with("param."))
      return makeError("'add' excludes '" + Name +
                       "': that is as the attach said which the probes at work "
                       "came with");
  }
  return llvm::Error::success();
}

llvm::Expected<AgentOptions> agent::parseAgentOptions(StringRef Text) {
  AgentOptions Options;
  llvm::Error Errors = llvm::Error::success();
  for (size_t At = 0; At < Text.size();) {
    std::string Part;
    for (; At < Text.size(); ++At) {
      if (Text[At] == ',') {
        if (!Text.substr(At).starts_with(",,"))
          break;
        ++At;
      }
      Part += Text[At];
    }
    ++At; // the comma
    StringRef Trimmed = StringRef(Part).trim();
    if (Trimmed.empty())
      continue;
    llvm::Error E = Trimmed.starts_with("@")
                        ? parseFile(Options, Trimmed.drop_front())
                        : parseOption(Options, Trimmed);
    Errors = llvm::joinErrors(std::move(Errors), std::move(E));
  }
  if (!Errors && Options.Weave.TracingAnnotations.empty() &&
      Options.Weave.Idle != TracingIdle::Holder)
    Errors = makeError("'tf-idle' needs 'tf' or 'tf-annotations'");
  if (!Errors && Options.Weave.lacksTrace())
    Errors = makeError("'trace-reconstruct' needs 'trace'");
  if (!Errors && Options.Set && (Options.Off || Options.weaves()))
    Errors = makeError("'set' excludes 'off', 'probes' and 'tf-annotations'");
  if (!Errors && Options.Set == Options.Weave.Params.empty() &&
      !Options.weaves())
    Errors = makeError(Options.Set ? "'set' needs param.NAME=VALUE"
                                   : "'param' needs 'probes' or 'set'");
  if (!Errors && Options.Off && Options.weaves())
    Errors = makeError("'off' excludes 'probes' and 'tf-annotations'");
  if (!Errors)
    Errors = checkBounds(Options);
  if (!Errors) {
    WeaveSettings Checked = Options.Weave; // a session knows its JVM
    Errors = resolveCoverage(Checked);
  }
  if (!Errors)
    Errors = checkChange(Options);
  if (Errors)
    return Errors;
  if (Options.LogFile == "stderr")
    Options.LogFile.clear();
  return Options;
}

/// The row of \p Name; null if there is none.
static const SettingInfo *findOption(StringRef Name) {
  for (const Setting<WeaveSettings> &Row : weaveSettings())
    if (Row.isNamed(Name, SettingTool::Agent))
      return &Row;
  for (const Setting<AgentOptions> &Row : ownOptions())
    if (Row.isNamed(Name, SettingTool::Agent))
      return &Row;
  return nullptr;
}

bool agent::needsValue(StringRef Name) {
  const SettingInfo *Row = findOption(Name);
  return Row && !Row->mayStandAlone();
}

llvm::Expected<GivenOption> agent::readOption(StringRef Text) {
  AgentOptions Unused;
  if (llvm::Error E = parseOption(Unused, Text))
    return E;
  auto [Name, Value] = Text.split('=');
  GivenOption Read;
  Read.Name = Name.str();
  if (!Text.contains('='))
    return Read;
  const SettingInfo *Row = findOption(Name);
  if (!Row || Row->Type == SettingType::Patterns) {
    Read.Values.push_back(Value.str());
    return Read;
  }
  auto Values = Row->read(Value, SettingTool::Agent);
  if (!Values)
    return Values.takeError();
  Read.Values = std::move(*Values);
  Read.AreFiles =
      Row->Type == SettingType::Files || Row->Type == SettingType::Paths;
  return Read;
}
