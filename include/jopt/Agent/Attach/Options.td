//===- Options.td - What only the agent is asked -----------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agent's options beside the settings of Weave/Settings.td, by the same
// classes: which classes it looks at, what it writes, what an attach asks for.
//
//===----------------------------------------------------------------------===//

#define SETTING_CLASSES_ONLY
include "jopt/Weave/Settings.td"

class Patterns<string name, string member, string help>
    : Text<name, member, "PATTERN", help> {
  let Type = "patterns";
}
class Command<string name, string member, string help> : Setting<name, help> {
  let Type = "command";
  let Field = member;
  let Default = "false";
}

def : Patterns<"include", "Include",
               "Only classes whose names match (`a.b.*`; `*` is any "
           "characters); several add up">;
def : Patterns<"exclude", "Exclude", "No class whose name matches">;
def : Patterns<"loader", "Loaders",
               "Only classes of loaders whose class matches; `boot` is the "
               "boot loader">;
def : List<"source", "Sources", "PATTERN",
           "Only classes whose code source (a URL) matches">;
def : Choice<"place", "Place", "ProbePlace", [
        Value<"auto", "Auto",
              "`host` at an attach; else the boot or system loader that has "
           "all their types, else `host`">,
        Value<"boot", "Boot", "the boot loader">,
        Value<"system", "System", "the system loader">,
        Value<"host", "Host",
              "loaders of their own, below those of the probed classes">],
        "The loader of the probes' classes">;
def : Choice<"in-flight", "InFlight", "InFlightPolicy", [
        Value<"skip", "Skip",
              "name it, and change it when the activation has ended">,
        Value<"include", "Include",
              "change it: the activation goes on in the interpreter">],
        "A loaded class with an activation in a loop">;
def : Flag<"count-places", "CountPlaces",
           "Count how often control comes to each place, for the report">;
def : File<"log", "LogFile", "FILE|stderr", "Where the log goes"> {
  let NoFile = "stderr";
  let Unset = "`stderr`";
}
def : Choice<"level", "Level", "LogLevel", [
        Value<"error", "Error", "errors">,
        Value<"warning", "Warning", "also warnings">,
        Value<"info", "Info", "also actions">,
        Value<"debug", "Debug", "everything">],
        "The lines of the log"> {
  let Default = "LogLevel::Warning";
}
def : File<"dump", "DumpFolder", "FOLDER",
           "Write the class files there, before and after weaving">;
def : File<"cache", "CacheFolder", "FOLDER",
           "Keep woven classes there for the next start. Not with the "
           "tracing facility, a profile, count-places, and registered "
           "probe classes">;
def : File<"stats", "StatsFile", "FILE",
           "Write counts and times there as JSON, at the end of the JVM "
           "or at an attach">;
def : File<"report", "ReportFile", "FILE",
           "Write matches of probes and targets and changed classes "
           "there, likewise">;
def : Paths<"probeclasspath", "ProbeClassPath", "PATH",
            "Folders and archives with probe classes for `probe-on=`, or "
           "that the program registers by name">;
def : Paths<"probebootclasspath", "ProbeBootClassPath", "PATH",
            "The same, on the boot loader unless `place=` says otherwise">;
def : File<"data", "DataFolder", "FOLDER",
           "The folder of recordings: sets the system property "
           "`jopt.data`">;
def : Flag<"coverage-remove", "RemovesCoverage",
           "Take coverage out of classes all of whose points ran, unless "
           "other probes are there"> {
  let Default = "true";
}
def : Choice<"huge", "Huge", "HugePolicy", [
        Value<"auto", "Auto", "methods that coverage made so long">,
        Value<"compile", "Compile", "all that jopt makes so long">,
        Value<"leave", "Leave", "none">],
        "Methods that grow over 8,000 bytes and make HotSpot compile "
           "methods of any length, until the probes leave"> {
  let Default = "HugePolicy::Auto";
}
def : Choice<"inlining", "Inlining", "InliningPolicy", [
        Value<"auto", "Auto", "two fifths larger with `coverage=once`, whose points count "
           "though they compile to nothing">,
        Value<"leave", "Leave", "as ever">],
        "HotSpot's limits for inlining, until the probes leave"> {
  let Default = "InliningPolicy::Auto";
}
def : Number<"probetablelengthlimit", "TableLength",
             "The most rows of a table: sets `jopt.probetablelengthlimit`"> {
  let Optional = 1;
}
def : Text<"for", "For", "TIME",
           "The probes leave after that time: `500ms`, `30s`, `5m`, `2h`">;
def : Number<"max-rate", "MaxRate",
             "The probes leave after a second with more events"> {
  let Optional = 1;
}
def : Text<"max-overhead", "MaxOverhead", "PERCENT",
           "The probes leave after three seconds in a row with a larger "
           "share of the JVM's CPU time, as `5%` or `0.5%`">;
def : Text<"answer", "AnswerFile", "FILE",
           "At an attach: write the answer there, as text for a client; it "
           "stands before all other options"> {
  let OfClient = 1;
}
def : Text<"client", "ClientPath", "SOCKET",
           "At an attach: a client listens there, and gets the answer when "
           "all is done. If it goes before, the probes leave. It stands "
           "before all other options"> {
  let OfClient = 1;
}
def : Text<"follow", "FollowSocket", "SOCKET",
           "At an attach: a client listens there, and gets the output of "
           "probes and the log; the probes leave when it goes"> {
  let OfClient = 1;
}
def : Text<"max-stop", "MaxStop", "TIME",
           "At an attach: the longest stop of all threads, about, as "
           "`20ms`">;
def : Text<"max-stops", "MaxStops", "TIME",
           "At an attach: the time of all stops, as `1s`; if they would "
           "take longer, the probes leave">;
def : Choice<"on-error", "", "", [
        Shorthand<"stop", "S.ContinueOnError = false", "it stops the JVM">,
        Shorthand<"continue", "S.ContinueOnError = true",
                  "the JVM goes on without probes">],
        "A start that fails"> {
  let Default = "";
  let Unset = "`stop`";
}
def : Command<"off", "Off", "At an attach: restore every class">;
def : Text<"probe", "Leaving", "NAME",
           "With `off`: only probes of that name go, `*` is any "
           "characters; several add up"> {
  let Type = "item";
}
def : Command<"add", "Adds",
              "At an attach: the probes come beside those at work, and "
           "replace those of the same names. With `for` or `follow` these "
           "alone leave">;
def : Command<"help", "Help",
              "Print all options to the log">;
def : Command<"set", "Set",
              "At an attach: give parameters of the probes at work new "
           "values">;
def : Choice<"print-report", "PrintReport", "ReportFormat", [
        Value<"none", "None", "nothing">,
        Value<"text", "Text", "the text of `report=`">,
        Value<"json", "JSON", "the same for programs">],
        "At an attach with `answer=`: the form of the report in the answer"> {
  let Default = "ReportFormat::None";
  let OfClient = 1;
}
def : Text<"ask", "Ask", "TEXT",
           "At an attach with `answer=`: the calls that probes keep: all for "
           "`list`, one for a number; as JSON after `json` and a blank"> {
  let OfClient = 1;
}
def : Text<"list-classes", "ListClasses", "NUMBER PATTERN",
           "At an attach with `answer=`: the first so many loaded classes whose "
           "names match, as JSON"> {
  let OfClient = 1;
}
def : Text<"list-methods", "ListMethods", "NUMBER PATTERN",
           "At an attach with `answer=`: the methods of those classes, as JSON"> {
  let OfClient = 1;
}
def : Text<"class-file", "ClassFile", "CLASS",
           "At an attach with `answer=`: the class file of that loaded class, as "
           "its loader finds it, in hexadecimal digits"> {
  let OfClient = 1;
}
def : Command<"status", "Status",
              "At an attach: set the system properties `jopt.agent.*`">;
