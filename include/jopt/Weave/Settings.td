//===- Settings.td - What may be set about weaving ---------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per setting. utils/gen_settings.py makes of them (through
// llvm-tblgen --dump-json) the fields of WeaveSettings, the table by which
// jopt, jopt-tf and the agent read them and the agent's dump writes them, and
// docs/Settings.md. A new setting is a record here and its use.
//
//===----------------------------------------------------------------------===//

// Who may set it. Dump: it stands in the agent's dumps, since it may change
// the bytes written.
class Tool;
def Jopt : Tool;
def JoptTF : Tool;
def Agent : Tool;
def Dump : Tool;

// One of the values of a choice: its name, and the enumerator that it stands
// for. By: who may give it; nothing: whoever may set the setting.
class Value<string name, string enumerator, string help, list<Tool> by = []> {
  string Name = name;
  string Enumerator = enumerator;
  string Code = "";
  string Help = help;
  list<Tool> By = by;
}
// One that stands for no enumerator: what it does to the record S.
class Shorthand<string name, string effect, string help>
    : Value<name, "", help> {
  let Code = effect;
}

// A name that a tool took before, and takes for one release more.
class OldName<Tool tool, string name> {
  Tool By = tool;
  string Name = name;
}

class Setting<string name, string help> {
  string Name = name;
  string Help = help;
  // The member of the record. Optional: it is a std::optional.
  string Field = "";
  bit Optional = 0;
  // "flag", "choice", "text", "file", "number", "item", "list", "files" or
  // "paths".
  string Type = ?;
  // Placeholder for the value in help.
  string Argument = "";
  // Begins what is added to a list that another setting has too.
  string Prefix = "";
  // `name=` gives it the empty text.
  bit MayBeEmpty = 0;
  // The value that is no file: "off" of "FOLDER|off".
  string NoFile = "";
  // Of a choice.
  string Enum = "";
  list<Value> Values = [];
  // In C++; the agent's where it differs.
  string Default = "";
  string AgentDefault = Default;
  // The default in documents, where it is none of the values.
  string Unset = "";
  list<Tool> Tools = [Jopt, Agent, Dump];
  list<OldName> OldNames = [];
  // The client gives it, no user: it is in the help, and in no page.
  bit OfClient = 0;
}
// `name`, `name=on`, `name=off`.
class Flag<string name, string member, string help> : Setting<name, help> {
  let Type = "flag";
  let Field = member;
  let Default = "false";
}
class Choice<string name, string member, string enum, list<Value> values,
             string help> : Setting<name, help> {
  let Type = "choice";
  let Field = member;
  let Enum = enum;
  let Values = values;
  let Default = enum # "::" # !head(values).Enumerator;
}
class Text<string name, string member, string argument, string help>
    : Setting<name, help> {
  let Type = "text";
  let Field = member;
  let Argument = argument;
}
// The path of a file; the agent makes it absolute.
class File<string name, string member, string argument, string help>
    : Text<name, member, argument, help> {
  let Type = "file";
}
class Number<string name, string member, string help> : Setting<name, help> {
  let Type = "number";
  let Field = member;
  let Argument = "N";
}
// May be given several times; values add up. On a command line several may
// stand in one, separated by commas; a comma that is part of one is written
// twice. An item that begins with `@` is the name of a file.
class List<string name, string member, string argument, string help>
    : Text<name, member, argument, help> {
  let Type = "list";
}
// The same; all are files.
class Files<string name, string member, string argument, string help>
    : Text<name, member, argument, help> {
  let Type = "files";
}
// The same; they are separated by ':' instead.
class Paths<string name, string member, string argument, string help>
    : Text<name, member, argument, help> {
  let Type = "paths";
}

#ifndef SETTING_CLASSES_ONLY

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

def : Files<"probes", "Probes", "FILE",
            "Probekit XML, lines, script, bundle, or probe classes (jar, "
           "folder, class file, Java source); repeatable">;
def : Text<"trace", "Probes", "LETTERS[,OPTION...]",
           "Trace the program: letters for events, A for all, and options "
           "(docs/Traces.md)"> {
  let Type = "item";
  let Prefix = "trace:";
  let Tools = [Jopt, Agent];
}
def : Flag<"trace-reconstruct", "ReconstructTrace",
           "Record only ways of control, from which jopt-data rebuilds "
           "the events (docs/Traces.md)"> {
  let Tools = [Jopt, Agent];
}
def : Text<"coverage", "Coverage", "STRATEGY",
           "Record which code runs: pos (few stores), jacoco, dom, min, "
           "once (costs nothing after the first time). edges and paths "
           "count; nodup, sampled and dup count a sample "
           "(docs/Placement.md)"> {
  let Optional = 1;
}
def : Number<"coverage-rate", "CoverageRate",
             "With coverage=sampled, dup or nodup: count one event of N, by "
           "default 1000; 1: all"> {
  let Optional = 1;
}
def : Choice<"coverage-points", "Points", "coverage::PointCode", [
        Value<"auto", "Auto",
              "with coverage=once constants (agent, Java 19 and later) or "
           "sites; else stores">,
        Value<"stores", "Stores", "stores into an array">,
        Value<"sites", "Sites",
              "call sites that record once; classes below version 51 store">,
        Value<"constants", "Constants",
              "dynamic constants that record once, for Java 19 and later; "
           "classes below version 55 have sites">],
        "How coverage records a place">;
def : File<"profile", "Profile", "FOLDER",
           "With coverage=edges: a data folder; counters go where its "
           "counts are smallest. -dot-cfg draws them"> {
  let Optional = 1;
}
def : Paths<"classpath", "ClassPath", "PATH",
            "Folders and archives with classes that inputs and fragments "
           "use, with ':' between them; FOLDER/* for all jars"> {
  let Tools = [Jopt, JoptTF, Agent, Dump];
}
def : Text<"probe-package", "Package", "NAME",
           "Package of the probe classes; empty for the unnamed package"> {
  let Optional = 1;
  let MayBeEmpty = 1;
}
def : List<"probe-api", "ProbeApi", "PACKAGE",
           "Another package of annotations like jopt.probes and "
           "com.yourkit.probes">;
def : List<"probe-mode", "Modes", "MODE:GLOB",
           "Matching probe classes are `on`, `off`, `auto` (which is off) "
           "or `disable`d for good; the last match counts">;
class ModeOf<string name, string mode, string help>
    : List<name, "Modes", "GLOB", help> {
  let Prefix = mode # ":";
  let Tools = [Jopt, Agent];
}
def : ModeOf<"probe-on", "on", "As probe-mode=on:GLOB">;
def : ModeOf<"probe-off", "off", "As probe-mode=off:GLOB">;
def : ModeOf<"probe-auto", "auto", "As probe-mode=auto:GLOB">;
def : ModeOf<"probe-disable", "disable", "As probe-mode=disable:GLOB">;
def : List<"param", "Params", "NAME=VALUE",
           "The value of the parameter NAME of all probes; also "
           "param.NAME=VALUE">;
def : Flag<"isolate", "Isolate",
           "Keep exceptions of fragments from the program, and report "
           "each once. Not for compiled probes"> {
  let Optional = 1;
  let Default = "";
  let Unset = "`on` when attached";
  let OldNames = [OldName<Jopt, "isolate-probes">];
}
def : Flag<"guard", "Guard",
           "Run no fragment while one runs on the same thread"> {
  let Optional = 1;
  let Default = "";
  let Unset = "`on` when attached, and if a target names a package of the JDK";
  let OldNames = [OldName<Jopt, "guard-recursion">];
}
def : Flag<"count-events", "CountEvents",
           "Count the events of fragments and their time, for the agent's "
           "report">;
def : Flag<"inline", "Inline",
           "Replace calls of fragments by code that any class may contain"> {
  let OldNames = [OldName<Jopt, "inline-fragments">];
}
def : Number<"release", "Release", "Java release to compile fragments for"> {
  let Optional = 1;
  let Unset = "that of the JVM";
}
def : File<"jdk", "Jdk", "HOME",
           "The JDK that the classes run on, for the verifier and "
           "hierarchies; by default JAVA_HOME, or javac's"> {
  let Tools = [Jopt];
}
def : Text<"javac", "Javac", "FILE",
           "The compiler for fragments; by default that of JAVA_HOME "
           "(agent: of the JVM) or on PATH">;
def : File<"probe-cache", "CacheFolder", "FOLDER|off",
           "The folder of compiled fragments"> {
  let NoFile = "off";
  let Tools = [Jopt, Agent];
}

//===----------------------------------------------------------------------===//
// Tracing facility
//===----------------------------------------------------------------------===//

def : Text<"tf-library", "TracingLibrary", "pfl|orb|jopt|PACKAGE",
           "The tracing facility, with the library pfl, orb or jopt, or "
           "one in a package laid out like jopt's"> {
  let Optional = 1;
  let Tools = [Jopt, JoptTF, Agent, Dump];
  let OldNames = [OldName<Jopt, "tf">, OldName<JoptTF, "package">];
}
def : List<"tf-annotations", "TracingAnnotations", "NAME|@FILE",
           "TF annotations, by name or properties file: all for the "
           "agent, for jopt those outside of the inputs"> {
  let OldNames = [OldName<Agent, "tf">];
}
def : Choice<"tf-rules", "TracingRules", "tf::Rules", [
        Value<"seed", "Seed", "the documents'">,
        Value<"pfl", "PFL", "the original's, which refuse less">],
        "The rules; by default those of the library"> {
  let Optional = 1;
  let Default = "";
  let Tools = [Jopt, JoptTF, Dump];
  let OldNames = [OldName<JoptTF, "compat">];
}
def : Choice<"tf-idle", "Idle", "TracingIdle", [
        Value<"holder", "Holder", "they ask a field">,
        Value<"indy", "Indy",
              "they ask a call site, which costs nothing">,
        Value<"none", "None",
              "stage 1 alone; the agent traces on demand">],
        "Traced methods while nobody monitors them"> {
  let Tools = [Jopt, JoptTF, Agent, Dump];
  let OldNames = [OldName<JoptTF, "idle">];
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

def : List<"without-probes", "WithoutProbes", "N",
           "Leave out the probe with that number, in the order of the "
           "files from 0"> {
  let Tools = [Jopt, Dump];
}
def : Text<"passes", "Passes", "PIPELINE",
           "Run exactly these passes, as 'place-advice,lower-advice'"> {
  let Optional = 1;
  let Tools = [Jopt, Dump];
}
def : Choice<"O", "Level", "OptimizationLevel", [
        Value<"0", "None", "nothing">,
        Value<"1", "O1", "quick passes; all tables for debuggers">,
        Value<"2", "O2", "more; lines, and variables where they have a value">,
        Value<"s", "Os", "the same, and the constant pool">,
        Value<"z", "Oz", "the same, without tables of variables">],
        "Optimise classes, last of all: -O1, -O2, -Os, -Oz (docs/Optimiser.md)"> {
  let Tools = [Jopt];
}
def : Choice<"optimise", "Optimize", "OptimizePolicy", [
        Value<"off", "Off", "none">,
        Value<"limits", "Limits",
              "those over 35, 325 or 8,000 bytes by their probes, as by -O2 "
           "-g=keep">],
        "The methods to optimise with their probes, without -O"> {
  let Default = "OptimizePolicy::Off";
}
def : Choice<"g", "Debug", "DebugTables", [
        Value<"keep", "Keep", "all lines, and all variables in scope">,
        Value<"lines", "Lines", "lines, and variables where they have a value">,
        Value<"none", "None", "nothing">],
        "Tables for debuggers of optimised methods; by default the "
           "level's"> {
  let Optional = 1;
  let Default = "";
  let Unset = "`keep` by `-O1`, `none` by `-Oz`, else `lines`";
  let Tools = [Jopt];
}
def : Choice<"schema", "Schema", "SchemaPolicy", [
        Value<"keep", "Keep",
              "add none: the objects are in jopt-runtime.jar">,
        Value<"change", "Change", "add them">],
        "Fields and methods that probes need in probed classes"> {
  let Default = "SchemaPolicy::Change";
  let AgentDefault = "SchemaPolicy::Keep";
}
def : Choice<"dispatch", "How", "DispatchPolicy", [
        Value<"auto", "Auto",
              "direct where the class's loader finds the probe classes, else "
              "indy", [Agent]>,
        Value<"direct", "Direct",
              "by name: the class's loader finds the probe classes">,
        Value<"indy", "Indy",
              "by call sites that jopt-runtime.jar binds">],
        "How probed classes call fragments"> {
  let Default = "DispatchPolicy::Direct";
  let AgentDefault = "DispatchPolicy::Auto";
}
def : Choice<"oversize", "Oversize", "OversizePolicy", [
        Value<"report", "Report", "name them in the report">,
        Value<"skip", "Skip", "leave them as they are">,
        Value<"outline", "Outline",
              "put the code of their probes into methods of their own; also "
              "for methods that would grow over 64 KB", [Jopt]>],
        "Methods that grow over 8,000 bytes, which HotSpot never "
           "compiles"> {
  let OldNames = [OldName<Jopt, "huge">];
}
def : Choice<"patch", "Patch", "PatchPolicy", [
        Value<"auto", "Auto", "where all passes allow it">,
        Value<"never", "Never", "not at all">,
        Value<"check", "Check",
              "weave in both ways, and name classes whose bytes differ">],
        "Put probes into the original code without lifting it: the "
           "same bytes, sooner"> {
  let OldNames = [OldName<Jopt, "sparse">, OldName<Agent, "sparse">];
  let Default = "PatchPolicy::Auto";
  let Tools = [Jopt, Agent];
}
def : Flag<"skip-sensitive", "SkipSensitive",
           "Keep probes out of methods of the JDK in which they can end "
           "the JVM, as the agent does"> {
  let AgentDefault = "true";
  let Tools = [Jopt, Dump];
}
def : Flag<"reinstrument", "Reinstrument",
           "Put probes again into classes that have them already"> {
  let Tools = [Jopt];
}

def : Choice<"newer", "Newer", "NewerPolicy", [
        Value<"weave", "Weave", "weave them by the rules of the newest">,
        Value<"copy", "Copy", "leave them as they are">,
        Value<"error", "Error",
              "the same, and name each: exit status 2">],
        "Class files of newer versions than jopt knows; a warning "
           "names the first"> {
  let Default = "NewerPolicy::Weave";
}
def : Choice<"if-probed", "IfProbed", "ProbedPolicy", [
        Value<"ok", "OK", "their probes stay, and other probes go in">,
        Value<"replace", "Replace",
              "weave the originals anew; stale probe classes go">,
        Value<"error", "Error",
              "as `ok`, and name probes that are there already: exit status "
           "2">],
        "Classes from an earlier run"> {
  let Optional = 1;
  let Default = "";
  let Unset = "`replace` with -in-place, else `error`";
  let Tools = [Jopt];
}
def : Flag<"keep-original", "KeepOriginal",
           "Keep the original in each woven class, for -strip-probes and "
           "-if-probed=replace"> {
  let Optional = 1;
  let Default = "";
  let Unset = "`on` with -in-place";
  let Tools = [Jopt];
}
def : Flag<"strip-probes", "StripProbes",
           "Restore the original classes, and do nothing else"> {
  let Tools = [Jopt];
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def : Choice<"verify", "", "", [
        Shorthand<"off", "S.VerifyInput = false; S.VerifyOutput = false", "no class file">,
        Shorthand<"changed", "S.VerifyInput = false; S.VerifyOutput.reset()",
                  "the changes of jopt, without other classes">,
        Shorthand<"all", "S.VerifyInput = true; S.VerifyOutput = true", "as -verify-input -verify-output">],
        "Verify class files. A class whose probes do not verify stays "
           "as it was"> {
  let Default = "";
  let Unset = "`changed`";
  let Tools = [Jopt, Agent];
}
def : Flag<"verify-input", "VerifyInput",
           "Verify class files of the input"> {
  let Tools = [Jopt, Dump];
}
def : Flag<"verify-output", "VerifyOutput",
           "Verify whole class files of the output"> {
  let Optional = 1;
  let Default = "";
  let Unset = "what changed is verified";
  let Tools = [Jopt, Dump];
}

#endif
