//===- Passes.td - The passes of jopt ----------------------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per pass. utils/gen_passes.py makes of them (through llvm-tblgen
// --dump-json) the option structs with their parsing and printing, the
// declarations of the passes, their statistics, the registry, and
// docs/Passes.md. A new pass is a record here and one .cpp file in a folder of
// lib/Passes; one that places advices says so (Places).
//
//===----------------------------------------------------------------------===//

include "jopt/Advice/Advice.td"
include "jopt/Coverage/Strategies.td"

// Properties of the classes between two passes. The pipeline is checked before
// it runs: a pass needs what it Requires, and Establishes more. Each phase of
// Advice.td has a property besides, "unplaced-" and its sites: no pass placed
// advices of it yet.
class Property<string text> {
  string Text = text;
}
// No `advice` instruction is left: what the writer needs.
def NoAdvice : Property<"no-advice">;
// The original instructions are where they were, whatever stands between them:
// what coverage, units, sites and traces are defined by.
def OriginalCode : Property<"original-code">;

class Option<string name, string help> {
  string Name = name;
  string Help = help;
  string Type = ?;
  string Default = ?;
  list<string> Choices = [];
}
// `name`, `no-name`.
class Flag<string name, bit default, string help> : Option<name, help> {
  let Type = "flag";
  let Default = !if(default, "true", "false");
}
// `name=N`.
class Integer<string name, int default, string help> : Option<name, help> {
  let Type = "integer";
  let Default = !cast<string>(default);
}
// `name=C`, one of the choices; the first is the default.
class Choice<string name, list<string> choices, string help>
    : Option<name, help> {
  let Type = "choice";
  let Default = !head(choices);
  let Choices = choices;
}

// A counter of -stats; Var is its name in the pass's file.
class Statistic<string var, string name, string help> {
  string Var = var;
  string Name = name;
  string Help = help;
}

class Pass<string argument, string summary> {
  string Argument = argument;
  string Summary = summary;
  string Description = summary;
  // "method" or "class": what run() gets.
  string IRUnit = "method";
  // The methods that it wants: all; those that its wants() selects ("own");
  // those that advices of the kinds that it places select ("kinds"); those that
  // have a body, as another pass wanted them ("lifted"); that may be optimised
  // ("optimizable").
  string Wants = "all";
  // The pass has begin().
  bit Begin = 0;
  // The code that may be raw when run() gets a body (KeepRaw), method passes
  // only: "straight" code that nobody looks into, code that "moves" on the
  // operand stack, or "no" code at all. Original code stays as it is unless all
  // of it is lifted.
  string Raw = "no";
  // And patched bodies too, where all advices of the method can be in one.
  bit Patched = 0;
  // It looks into the classes that advices call.
  bit NeedsCallees = 0;
  // -opt-bisect-limit never leaves it out: without it, what other passes did is
  // no class that can be written, or only half of one.
  bit Required = 0;
  list<Option> Options = [];
  list<Statistic> Statistics = [];
  // The kinds of advice that the pass places, all of one phase. It requires
  // original code, and that neither they nor those of a later phase were placed. After it neither
  // they nor those of an earlier phase can be, and there is advice.
  list<AdviceKind> Places = [];
  list<Property> Requires = [];
  list<Property> Establishes = [];
}

// A name for a pipeline.
class Alias<string argument, string pipeline, string summary> {
  string Argument = argument;
  string Pipeline = pipeline;
  string Summary = summary;
}
// The name for all passes that place advices, in the order of their phases.
class PlacingPasses<string argument, string summary>
    : Alias<argument, "", summary>;

def PlaceHandlers : Pass<"place-handlers",
    "Puts advices at exception handlers"> {
  let Description = [{
At the first instruction of each [handler](Probekit.md#handlers) of the original
exception table.}];
  let Places = [Handler];
  let Begin = 1;
  let Wants = "kinds";
  let Raw = "straight";
  let Patched = 1;
  let Statistics = [
    Statistic<"NumHandlers", "handlers", "Handlers that got an advice">,
  ];
}

def PlaceUnits : Pass<"place-units",
    "Puts advices at executable units"> {
  let Description = [{
Before the first instruction of each [executable
unit](Probekit.md#executable-units), after the advices of handlers.}];
  let Places = [Unit];
  let Patched = 1;
  let Begin = 1;
  let Wants = "kinds";
  let Raw = "moves";
  let Statistics = [
    Statistic<"NumUnits", "units", "Units that got an advice">,
  ];
}

def PlaceCalls : Pass<"place-calls",
    "Puts advices before and after calls"> {
  let Description = [{
Before and after [calls](Probekit.md#calls). A handler of highest priority that
covers the call alone runs the advices after it for exceptions, and throws these
again.}];
  let Places = [BeforeCall, AfterCall];
  let Patched = 1;
  let Options = [
    Choice<"box", ["valueOf", "new"],
           "How to box: by valueOf, or always as new objects.">,
  ];
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods with an advice at a call">,
    Statistic<"NumCalls", "calls", "Calls that got an advice">,
    Statistic<"NumArrays", "arrays", "Arrays of arguments">,
    Statistic<"NumHandlers", "handlers", "Handlers of exceptions out of calls">,
  ];
}

def PlaceSites : Pass<"place-sites",
    "Puts advices at instructions"> {
  let Description = [{
Before or after each original [instruction](ProbekitReference.md#instructions)
that is a site by `Advice.td`, inside the ranges that cover it.}];
  let Places = AtInstructions;
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Statistics = [
    Statistic<"NumSites", "sites", "Places that got an advice">,
  ];
}

def PlaceExits : Pass<"place-exits",
    "Puts exit advices on every way out of a method"> {
  let Description = [{
As a `finally` around the method: right before each return, and in a handler of
lowest priority that throws the exception again. A constructor has the handler
twice, before and after the call of `super()`.}];
  let Places = [Exit];
  let Begin = 1;
  let Wants = "kinds";
  let Raw = "straight";
  let Patched = 1;
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods that got an exit advice">,
    Statistic<"NumExits", "exits", "Exit advices placed at returns">,
    Statistic<"NumThrows", "throws", "Exit advices placed in handlers">,
  ];
}

def PlaceEntries : Pass<"place-entries",
    "Puts entry advices in front of methods"> {
  let Description = [{
Once per activation, before the first original instruction, outside of every
exception range, or after `super()`.}];
  let Places = [Entry];
  let Begin = 1;
  let Wants = "kinds";
  let Raw = "straight";
  let Patched = 1;
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods that got an entry advice">,
    Statistic<"NumEntries", "entries", "Entry advices placed">,
  ];
}

def AddClassState : Pass<"add-class-state",
    "Gives classes static fields and advices in their static initialiser"> {
  let Description = [{
Gives each class with a selected method the probe's [static
field](Probekit.md#static-fields) and [advices in the static
initialiser](Probekit.md#the-static-initialiser).}];
  let Places = [StaticInitializer];
  let Begin = 1;
  let Wants = "own";
  let Required = 1;
  let Raw = "straight";
  let Patched = 1;
  let Statistics = [
    Statistic<"NumFields", "fields", "Static fields added">,
    Statistic<"NumInitializers", "initializers", "Static initialisers made">,
    Statistic<"NumVersions", "versions", "Serial versions kept by a constant">,
  ];
}

def TraceDeclare : Pass<"trace-declare",
    "Declares the events of traced classes"> {
  let Requires = [OriginalCode];
  let Description = [{
Finds the [events](Traces.md) of each method in its original code.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumClasses", "classes", "Classes with events">,
    Statistic<"NumMethods", "methods", "Methods declared">,
    Statistic<"NumEvents", "events", "Events declared">,
  ];
}

def TraceEvents : Pass<"trace-events",
    "Puts the events of a trace at their sites"> {
  let Description = [{
Directly before the original instruction, or after it for events of its
completion, inside the ranges that cover it.}];
  let Places = [TraceEnter, TraceEvent];
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods with events">,
    Statistic<"NumEvents", "events", "Events placed">,
  ];
}

def LowerAdvice : Pass<"lower-advice",
    "Makes code of advice instructions"> {
  let Description = [{
Replaces every `advice` instruction by a static call with its data items. With
`-oversize=outline` the code of a site may be in a method of its own.}];
  let Options = [
    Choice<"box", ["valueOf", "new"],
           "How to box: by valueOf, or always as new objects.">,
  ];
  let Begin = 1;
  let Wants = "lifted";
  let Raw = "straight";
  let Patched = 1;
  let Required = 1;
  let Statistics = [
    Statistic<"NumAdvices", "advices", "Advice instructions lowered">,
    Statistic<"NumArrays", "arrays", "Argument arrays built">,
    Statistic<"NumBoxes", "boxes", "Primitive values boxed">,
  ];
  let Establishes = [NoAdvice];
}

def InlineAdvice : Pass<"inline-advice",
    "Puts the code of advices in place of their calls"> {
  let NeedsCallees = 1;
  let Description = [{
Replaces the calls that `lower-advice` made by the code of the called methods,
if [any class may contain it](Probekit.md#inlined-fragments). Remarks
(`-pass-remarks=inline-advice`) have the reason for each call that stays.}];
  let Begin = 1;
  let Wants = "lifted";
  let Raw = "straight";
  let Statistics = [
    Statistic<"NumInlined", "inlined", "Calls replaced by the method's code">,
    Statistic<"NumCalls", "calls", "Calls left as they are">,
  ];
  let Requires = [NoAdvice];
}

def PlacePaths : Pass<"place-paths",
    "Has methods count the paths that are taken through them"> {
  let Requires = [OriginalCode];
  let Description = [{
Counts the [paths](Placement.md#numbers-of-paths) of activations in an array of
the class, or [samples](Placement.md#samples) of them. Runs before passes that
place advices.}];
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Options = [
    Choice<"strategy", PathStrategyNames, "The paths that count.">,
    Integer<"rate", 1000,
            "Of a sample: one event in this many counts as this many.">,
  ];
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods that count paths">,
    Statistic<"NumPaths", "paths", "Paths that they have, where arrays count them">,
    Statistic<"NumTables", "tables", "Methods with too many paths for an array">,
    Statistic<"NumCut", "cut", "Edges cut as there are more paths than numbers">,
    Statistic<"NumSteps", "steps", "Places that add to the number of a path">,
    Statistic<"NumCounts", "counts", "Places where a path ends">,
    Statistic<"NumCopied", "copied", "Methods with a second copy of their code">,
  ];
}

def PlaceEdges : Pass<"place-edges",
    "Has methods count the edges that they take"> {
  let Requires = [OriginalCode];
  let Description = [{
Counts [edges](Placement.md#counts-of-edges) between lines and blocks in an
array of the class. Runs before passes that place advices.}];
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Options = [
    Choice<"strategy", EdgeStrategyNames, "The edges that count, and how.">,
    Integer<"rate", 1000,
            "Of a sample: one event in this many counts as this many.">,
  ];
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods that count edges">,
    Statistic<"NumEdges", "edges", "Edges that they have">,
    Statistic<"NumCounts", "counts", "Places where one is counted">,
    Statistic<"NumInSlots", "in-slots", "Edges that are counted in a slot of a loop">,
    Statistic<"NumPositions", "positions", "Places that keep their position">,
    Statistic<"NumHandlers", "handlers", "Handlers that count what is thrown">,
  ];
}

def PlaceCoverage : Pass<"place-coverage",
    "Has methods record which code they run"> {
  let Requires = [OriginalCode];
  let Description = [{
Puts stores into an array of the class at the points that the
[strategy](Placement.md) needs; with `points=sites` or `constants` points that
the JVM [links](Placement.md#points-that-link-themselves). Class files below
version 51 stay as they are. Runs before passes that place advices.}];
  let Begin = 1;
  let Wants = "own";
  let Raw = "moves";
  let Options = [
    Choice<"strategy", StrategyNames,
           "The recorded points, and which follow from others.">,
    Choice<"points", ["stores", "sites", "constants"],
           "Stores; or a call site or a dynamic constant, which records once.">,
  ];
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods that record something">,
    Statistic<"NumPoints", "points", "Points that the strategy tells of in them: JaCoCo's probes, lines, entries, segments">,
    Statistic<"NumStores", "stores", "Stores of one element">,
    Statistic<"NumLinks", "links", "Points that set their element when they are linked">,
    Statistic<"NumMarks", "positions", "Positions that are kept in a slot">,
    Statistic<"NumHandlers", "handlers", "Handlers that set the element of a position, or tell a mask">,
    Statistic<"NumBits", "bits", "Bits of masks that are kept in a slot">,
    Statistic<"NumTold", "told", "Places where a mask is written to the array: returns, and jumps back">,
  ];
}

def TFSchema : Pass<"tf-schema",
    "Makes classes ready to be traced (the tracing facility's stage 1)"> {
  let Requires = [OriginalCode];
  let Description = [{
Stage 1 of the [tracing facility](TF.md): holders of monitors, registration in
the static initialiser, and two more parameters of info methods. The class
behaves as before.}];
  let IRUnit = "class";
  let Options = [
    Choice<"register", ["auto", "long", "short"],
           "Who makes the holders: the class (long), or the library by reflection (short), if it can (auto).">,
  ];
  let Statistics = [
    Statistic<"NumClasses", "classes", "Classes made ready">,
    Statistic<"NumInfoMethods", "info-methods", "Info methods with new parameters">,
    Statistic<"NumInfoCalls", "info-calls", "Calls of info methods">,
  ];
}

def TFTrace : Pass<"tf-trace",
    "Has monitored methods tell their monitors (the tracing facility's stage 2)"> {
  let Requires = [OriginalCode];
  let Description = [{
Stage 2 of the [tracing facility](TF.md): monitored methods report their entry,
exits and throws to their monitor. With `idle=indy` methods call a [call
site](TF.md#the-run-time-library) instead of the holder.}];
  let IRUnit = "class";
  let Options = [
    Choice<"idle", ["holder", "indy"],
           "Where methods get their monitor from.">,
  ];
  let Statistics = [
    Statistic<"NumClasses", "classes", "Classes traced">,
    Statistic<"NumMethods", "methods", "Monitored methods">,
    Statistic<"NumExits", "exits", "Exits at returns">,
    Statistic<"NumThrows", "throws", "Throws that the trace records">,
  ];
}

def TFWatch : Pass<"tf-watch",
    "Has the registry of monitors tell the agent of changes"> {
  let Requires = [OriginalCode];
  let Description = [{
For `tf-idle=none` of the agent: the library's registry reports when a class
gets its first monitor, or loses its last.}];
  let IRUnit = "class";
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods of registries that tell of changes">,
  ];
}

def TFStrip : Pass<"tf-strip",
    "Takes what the tracing facility added out of classes again"> {
  let Requires = [OriginalCode];
  let Description = [{
[The way back](TF.md#out-again), also of classes of the original tool: from
stage 2 to stage 1 (`to=schema`), or to the class as it was.}];
  let IRUnit = "class";
  let Options = [
    Choice<"to", ["original", "schema"], "How far.">,
  ];
  let Statistics = [
    Statistic<"NumClasses", "classes", "Classes stripped">,
    Statistic<"NumMethods", "methods", "Methods that were monitored">,
    Statistic<"NumInfoMethods", "info-methods", "Info methods that were changed">,
  ];
}

def Relower : Pass<"relower",
    "Lifts every method and encodes the whole class again"> {
  let Description = [{
The test of the back-end: encodes the whole class from the model and copies
nothing from the input.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods lowered again">,
  ];
}

include "jopt/Passes/OptimizingPasses.td"

def : PlacingPasses<"place-advice",
    "Places the advices of the run at their sites">;
def : Alias<"insert-probes", "trace-declare,place-advice,lower-advice",
    "Places the advices of the run and makes code of them">;
// The names before, for one release more.
def : Alias<"drop-dead-values", "adce", "The old name of adce">;
def : Alias<"duplicate-finally", "place-exits",
    "The old name of place-exits">;
def : Alias<"trace-facility", "tf-schema,tf-trace",
    "Both stages of the tracing facility">;
