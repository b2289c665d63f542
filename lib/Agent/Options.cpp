//===- Options.cpp - What stands behind -agentpath: -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Options.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Takes a value that was given; false if it is no value of the option.
using Apply = bool (*)(AgentOptions &, StringRef Value);

struct Option {
  StringRef Name;
  /// What values there are, for messages; empty: none is given.
  StringRef Values;
  Apply Set;
};

} // namespace

/// Files are named relative to the folder that the JVM runs in.
static std::string absolute(StringRef Path) {
  llvm::SmallString<128> Absolute(Path);
  (void)llvm::sys::fs::make_absolute(Absolute);
  return Absolute.str().str();
}

/// A pattern as users write it, with dots, or as the JVM does.
static std::string pattern(StringRef Value) {
  std::string Text = Value.str();
  std::replace(Text.begin(), Text.end(), '.', '/');
  return Text;
}

template <typename T> static bool choose(T &Member, std::optional<T> Value) {
  if (Value)
    Member = *Value;
  return Value.has_value();
}

template <typename T> using Choices = llvm::StringSwitch<std::optional<T>>;

static bool setFlag(bool &Member) {
  Member = true;
  return true;
}

static bool setFile(std::string &Member, StringRef Value) {
  Member = absolute(Value);
  return true;
}

static bool add(std::vector<std::string> &Member, std::string Value) {
  Member.push_back(std::move(Value));
  return true;
}

static const Option Known[] = {
    {"probes", "FILE",
     [](AgentOptions &O, StringRef V) { return add(O.Probes, absolute(V)); }},
    {"include", "PATTERN",
     [](AgentOptions &O, StringRef V) { return add(O.Include, pattern(V)); }},
    {"exclude", "PATTERN",
     [](AgentOptions &O, StringRef V) { return add(O.Exclude, pattern(V)); }},
    {"loader", "PATTERN",
     [](AgentOptions &O, StringRef V) { return add(O.Loaders, pattern(V)); }},
    {"source", "PATTERN",
     [](AgentOptions &O, StringRef V) { return add(O.Sources, V.str()); }},
    {"classpath", "PATH",
     [](AgentOptions &O, StringRef V) {
       llvm::SmallVector<StringRef> Parts;
       V.split(Parts, ':', -1, /*KeepEmpty=*/false);
       for (StringRef P : Parts)
         O.ClassPath.push_back(absolute(P));
       return true;
     }},
    {"tf", "ANNOTATION|@FILE",
     [](AgentOptions &O, StringRef V) {
       O.Tracing.push_back(V.consume_front("@") ? "@" + absolute(V) : V.str());
       return true;
     }},
    {"tf-library", "pfl|orb|jopt|PACKAGE",
     [](AgentOptions &O, StringRef V) {
       O.TracingLibrary = V.str();
       return true;
     }},
    {"tf-idle", "holder|indy|none",
     [](AgentOptions &O, StringRef V) {
       return choose<TracingIdle>(O.Idle,
                                  Choices<TracingIdle>(V)
                                      .Case("holder", TracingIdle::Holder)
                                      .Case("indy", TracingIdle::Indy)
                                      .Case("none", TracingIdle::None)
                                      .Default(std::nullopt));
     }},
    {"log", "FILE|stderr",
     [](AgentOptions &O, StringRef V) {
       O.LogFile = V == "stderr" ? std::string() : absolute(V);
       return true;
     }},
    {"level", "error|warning|info|debug",
     [](AgentOptions &O, StringRef V) {
       return choose<LogLevel>(O.Level, Choices<LogLevel>(V)
                                            .Case("error", LogLevel::Error)
                                            .Case("warning", LogLevel::Warning)
                                            .Case("info", LogLevel::Info)
                                            .Case("debug", LogLevel::Debug)
                                            .Default(std::nullopt));
     }},
    {"dump", "FOLDER",
     [](AgentOptions &O, StringRef V) { return setFile(O.DumpFolder, V); }},
    {"stats", "FILE",
     [](AgentOptions &O, StringRef V) { return setFile(O.StatsFile, V); }},
    {"report", "FILE",
     [](AgentOptions &O, StringRef V) { return setFile(O.ReportFile, V); }},
    {"javac", "FILE",
     [](AgentOptions &O, StringRef V) {
       O.Javac = V.str();
       return true;
     }},
    {"probe-cache", "FOLDER|off",
     [](AgentOptions &O, StringRef V) {
       O.CacheFolder = V == "off" ? V.str() : absolute(V);
       return true;
     }},
    {"verify", "off|changed|all",
     [](AgentOptions &O, StringRef V) {
       return choose<VerifyPolicy>(O.Verify,
                                   Choices<VerifyPolicy>(V)
                                       .Case("off", VerifyPolicy::Off)
                                       .Case("changed", VerifyPolicy::Changed)
                                       .Case("all", VerifyPolicy::All)
                                       .Default(std::nullopt));
     }},
    {"schema", "keep|change",
     [](AgentOptions &O, StringRef V) {
       return choose<SchemaPolicy>(O.Schema,
                                   Choices<SchemaPolicy>(V)
                                       .Case("keep", SchemaPolicy::Keep)
                                       .Case("change", SchemaPolicy::Change)
                                       .Default(std::nullopt));
     }},
    {"dispatch", "auto|direct|indy",
     [](AgentOptions &O, StringRef V) {
       return choose<DispatchPolicy>(O.Dispatch,
                                     Choices<DispatchPolicy>(V)
                                         .Case("auto", DispatchPolicy::Auto)
                                         .Case("direct", DispatchPolicy::Direct)
                                         .Case("indy", DispatchPolicy::Indy)
                                         .Default(std::nullopt));
     }},
    {"place", "auto|boot|system",
     [](AgentOptions &O, StringRef V) {
       return choose<ProbePlace>(O.Place,
                                 Choices<ProbePlace>(V)
                                     .Case("auto", ProbePlace::Auto)
                                     .Case("boot", ProbePlace::Boot)
                                     .Case("system", ProbePlace::System)
                                     .Default(std::nullopt));
     }},
    {"on-error", "stop|continue",
     [](AgentOptions &O, StringRef V) {
       return choose<bool>(O.ContinueOnError, Choices<bool>(V)
                                                  .Case("stop", false)
                                                  .Case("continue", true)
                                                  .Default(std::nullopt));
     }},
    {"huge", "report|skip",
     [](AgentOptions &O, StringRef V) {
       return choose<HugePolicy>(O.Huge, Choices<HugePolicy>(V)
                                             .Case("report", HugePolicy::Report)
                                             .Case("skip", HugePolicy::Skip)
                                             .Default(std::nullopt));
     }},
    {"guard", "on|off",
     [](AgentOptions &O, StringRef V) {
       bool On = true;
       bool Known = choose<bool>(On, Choices<bool>(V)
                                         .Cases("on", "", true)
                                         .Case("off", false)
                                         .Default(std::nullopt));
       O.Guard = On;
       return Known;
     }},
    {"isolate", "",
     [](AgentOptions &O, StringRef) { return setFlag(O.Isolate); }},
    {"inline", "",
     [](AgentOptions &O, StringRef) { return setFlag(O.Inline); }},
    {"off", "", [](AgentOptions &O, StringRef) { return setFlag(O.Off); }},
    {"status", "",
     [](AgentOptions &O, StringRef) { return setFlag(O.Status); }},
};

static std::string nearest(StringRef Name) {
  StringRef Best;
  unsigned Distance = std::max<unsigned>(2, unsigned(Name.size()) / 2);
  for (const Option &O : Known)
    if (unsigned D = O.Name.edit_distance(Name, true, Distance);
        D <= Distance && (Best.empty() || D < Distance)) {
      Best = O.Name;
      Distance = D;
    }
  return Best.empty() ? std::string()
                      : ("; did you mean '" + Best + "'?").str();
}

/// One option, `name=value` or `name`.
static llvm::Error parseOption(AgentOptions &Options, StringRef Text) {
  auto [Name, Value] = Text.split('=');
  const bool HasValue = Text.contains('=');
  auto O =
      llvm::find_if(Known, [N = Name](const Option &K) { return K.Name == N; });
  if (O == std::end(Known))
    return makeError("unknown option '" + Name + "'" + nearest(Name));
  const bool MayStandAlone = O->Values.empty() || O->Name == "guard";
  if (O->Values.empty() && HasValue)
    return makeError("option '" + Name + "' has no value");
  if (!MayStandAlone && Value.empty())
    return makeError("option '" + Name + "' needs a value: " + Name + "=" +
                     O->Values);
  if (!O->Set(Options, Value))
    return makeError("option '" + Name + "': '" + Value + "' is none of " +
                     O->Values);
  return llvm::Error::success();
}

static llvm::Error parseFile(AgentOptions &Options, StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return makeError(Location(File), Buffer.getError().message());
  llvm::Error Errors = llvm::Error::success();
  llvm::SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n');
  for (auto [Number, Line] : llvm::enumerate(Lines)) {
    StringRef Text = Line.trim();
    if (Text.empty() || Text.starts_with("#"))
      continue;
    Location Where(File, unsigned(Number) + 1);
    llvm::Error E = Text.starts_with("@")
                        ? makeError("a file of options names no other")
                        : parseOption(Options, Text);
    if (E)
      Errors = llvm::joinErrors(std::move(Errors),
                                makeError(Where, toMessage(std::move(E))));
  }
  return Errors;
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
  if (!Errors && Options.Tracing.empty() && Options.Idle != TracingIdle::Holder)
    Errors = makeError("'tf-idle' needs 'tf'");
  if (!Errors && Options.Off && Options.weaves())
    Errors = makeError("'off' excludes 'probes' and 'tf'");
  if (Errors)
    return Errors;
  return Options;
}
