//===- Advice.td - Kinds of advice and data items ----------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record for each kind of place where an advice may run, and one for each
// value that it may be given. From them, utils/gen_advice.py generates (through
// llvm-tblgen --dump-json) the enums and tables of jopt/Advice/AdviceKinds.h,
// and utils/gen_docs.py the schemas of share/probekit and the tables of
// fragments and data items in docs/ProbekitReference.md. Passes.td names the
// kinds that each pass places.
//
//===----------------------------------------------------------------------===//

// Passes that place advices run in the order of their phases, each in front of
// what is there, so what an earlier one placed at an instruction runs first.
class Phase<int order, string sites> {
  int Order = order; // in tens, so that one more finds room
  string Sites = sites; // the pipeline's property is "unplaced-" and this
}
def HandlerSites : Phase<10, "handlers">;
def UnitSites : Phase<20, "units">;
def InstructionSites : Phase<25, "sites">;
def CallSites : Phase<30, "calls">;
def ExitSites : Phase<40, "exits">;
def EntrySites : Phase<50, "entries">;
def ClassSites : Phase<60, "class-state">;
// Last, and so nearest to the instruction.
def TraceSites : Phase<70, "trace">;

// A kind of place. Numbers are without gaps, and never change.
class AdviceKind<int number, string name, string keyword, Phase placed,
                 string doc> {
  int Number = number;
  string Name = name;       // in text and in probe files
  string Keyword = keyword; // in scripts
  Phase Placed = placed;
  // The targets of a probe select: "method" (the one that contains the site;
  // for class sites, the class of one) or "call" (the callee).
  string Selects = "method";
  // Of several advices at one site those of lower order run last.
  bit Backwards = 0;
  // There is a value that the result may replace.
  bit ReplacesValue = 0;
  // The method that it is in may return what it returns, there and then.
  bit EndsMethod = 0;
  // Others of the probe follow in the same activation: the result may be kept
  // for them, and what is left in the array of arguments may become the
  // arguments.
  bit Begins = 0;
  bit Extension = 0; // only jopt has it
  // Probe files may have fragments of this kind.
  bit InFiles = 1;
  // Further conditions on the sites of an advice (SiteFilter): patterns for
  // parts of what the instruction names, and "ordinal", "lines" and "where".
  list<string> Selectors = [];
  // Methods of probe classes have an annotation of this name.
  bit Annotated = 0;
  // Without `where` it runs when the instruction has completed.
  bit Behind = 0;
  string Doc = doc;  // a sentence without its subject, in Markdown
}

def Entry : AdviceKind<0, "entry", "ONENTRY", EntrySites,
    "before the first instruction of the method, once for each activation"> {
  let Begins = 1;
  let EndsMethod = 1;
}
def Exit : AdviceKind<1, "exit", "ONEXIT", ExitSites,
    "before each return, and where an exception leaves the method"> {
  let Backwards = 1;
  let ReplacesValue = 1;
  let EndsMethod = 1;
}
def Handler : AdviceKind<2, "catch", "ONCATCH", HandlerSites,
    "first in each exception handler, also of `finally`, however control comes "
    "there"> {
  let Annotated = 1;
  let EndsMethod = 1;
}
def Unit : AdviceKind<3, "executableUnit", "EXECUTABLEUNIT", UnitSites,
    "before the first instruction of each executable unit">;
def StaticInitializer : AdviceKind<4, "staticInitializer", "STATICINITIALIZER",
    ClassSites,
    "at the head of the static initialiser of each class with a selected method; "
    "a class without one gets one">;
def BeforeCall : AdviceKind<5, "beforeCall", "BEFORECALL", CallSites,
    "in the calling method, between the evaluation of the arguments and the "
    "call"> {
  let Selectors = ["ordinal", "lines"];
  let Selects = "call";
  let Begins = 1;
}
def AfterCall : AdviceKind<6, "afterCall", "AFTERCALL", CallSites,
    "in the calling method, after the call, and where an exception comes out "
    "of it"> {
  let Selectors = ["ordinal", "lines"];
  let Selects = "call";
  let Backwards = 1;
  let ReplacesValue = 1;
}

// A place that is an instruction, found by its opcode (SiteOpcode, below), or a
// place between instructions.
class SiteKind<int number, string name, string keyword,
               list<string> selectors, string doc>
    : AdviceKind<number, name, keyword, InstructionSites, doc> {
  let Extension = 1;
  let Annotated = 1;
  let Selectors = selectors # ["ordinal", "lines"];
}
def Throw : SiteKind<7, "throw", "THROW", [],
    "before each `athrow` of the code, also that at the end of a `finally`; each "
    "time that it runs, even if the same method catches the exception">;

// Of the trace alone (-trace=).
class TraceKind<int number, string name, string doc>
    : AdviceKind<number, name, "", TraceSites, doc> {
  let Extension = 1;
  let InFiles = 0;
}
def TraceEnter : TraceKind<8, "traceEnter",
    "where an activation begins: before the first instruction, in constructors "
    "after the call of super() or this()"> {
  let Begins = 1;
}
def TraceEvent : TraceKind<9, "traceEvent",
    "at each event of a trace that the class declares">;

def FieldRead : SiteKind<10, "fieldRead", "FIELDREAD",
    ["owner", "name", "descriptor", "where"],
    "after the read of a field, static or not"> {
  let Behind = 1;
}
def FieldWrite : SiteKind<11, "fieldWrite", "FIELDWRITE",
    ["owner", "name", "descriptor", "where"],
    "before the write of a field">;
def New : SiteKind<12, "new", "NEW", ["owner", "where"],
    "when the constructor of a new object has returned; with "
    "`where=\"before\"` at the instruction `new`"> {
  let Behind = 1;
}
def NewArray : SiteKind<13, "newArray", "NEWARRAY", ["owner", "where"],
    "after an instruction that makes an array"> {
  let Behind = 1;
}
def ArrayRead : SiteKind<14, "arrayRead", "ARRAYREAD", ["descriptor", "where"],
    "after the read of an array's element"> {
  let Behind = 1;
}
def ArrayWrite : SiteKind<15, "arrayWrite", "ARRAYWRITE",
    ["descriptor", "where"], "before the write of an array's element">;
def MonitorEnter : SiteKind<16, "monitorEnter", "MONITORENTER", ["where"],
    "before a `synchronized` block waits for its lock; with `where=\"after\"` "
    "when it has it">;
def MonitorExit : SiteKind<17, "monitorExit", "MONITOREXIT", ["where"],
    "before a `synchronized` block gives its lock back, by an exception too">;
def Cast : SiteKind<18, "cast", "CAST", ["owner", "where"],
    "before a cast of an object">;
def InstanceOf : SiteKind<19, "instanceOf", "INSTANCEOF", ["owner", "where"],
    "before a test of an object's type">;

def Line : SiteKind<20, "line", "LINE", [],
    "where a line of the source begins, each time">;
def Loop : SiteKind<21, "loop", "LOOP", [],
    "at the head of a loop, where jumps go back to: once at the beginning, and "
    "once for each turn">;
def LocalWrite : SiteKind<22, "localWrite", "LOCALWRITE",
    ["name", "descriptor", "where"],
    "before the write of a local variable or parameter">;

def VolatileWrite : SiteKind<23, "volatileWrite", "VOLATILEWRITE",
    ["name", "descriptor", "where"],
    "before the write of a volatile field that the class itself declares">;
def BlockingCall : SiteKind<24, "blockingCall", "BLOCKINGCALL",
    ["owner", "name", "where"],
    "before a call for which the thread may have to wait: `wait`, `sleep`, "
    "`park`, `waitFor`, and waiting methods of locks, conditions, futures, "
    "queues and executors in `java.util.concurrent`">;

defvar AtFields = [FieldRead, FieldWrite, VolatileWrite];
defvar AtObjects = AtFields # [New, MonitorEnter, MonitorExit, Cast, InstanceOf,
                               BlockingCall];
defvar AtElements = [ArrayRead, ArrayWrite];
defvar AtValues = AtFields # [InstanceOf, LocalWrite] # AtElements;
defvar AtInstructions = AtObjects # AtElements # [Throw, NewArray, LocalWrite, Line,
                                                 Loop];
defvar AtMethods = [Entry, Exit, Handler, Unit] # AtInstructions;
defvar AtCalls = [BeforeCall, AfterCall];
defvar InClass = AtMethods # [StaticInitializer];
defvar Anywhere = InClass # AtCalls;

// A value. Numbers are the canonical order of parameters, without gaps, and
// never change.
class DataItem<int number, string name, string descriptor,
               list<AdviceKind> allowed, string source, string doc> {
  int Number = number;
  string Name = name;
  // In probe files and scripts; empty: it is not for them.
  string FileName = name;
  string Descriptor = descriptor;
  list<AdviceKind> Allowed = allowed;
  // Who knows the value. "site": the place; it is an operand of the `advice`
  // instruction. "host" and "class": the method and its class; lower-advice
  // makes it. At calls, whose method is the one that is called, all are of the
  // site.
  string Source = source;
  // "fixed": of the type above, and whatever takes it must be of that type, or
  // Object. Else the type is that of the probe's static field ("field"), of
  // what the probe keeps ("kept"), or whatever the author says ("declared").
  string TypeRule = "fixed";
  // Not empty: an advice may have several, told apart by a key, which is this
  // attribute of the `data` element: a text, or a number.
  string Key = "";
  bit NumericKey = 0;
  // It is boxed, put together, or a constant that is made at its first use: the
  // code should not ask for it where a switch says no.
  bit Costly = 0;
  // Where it comes from is only known of lifted code.
  bit OfWholeBody = 0;
  // Its code can stand at a call of a patched body.
  bit AtPatchedCalls = 0;
  // The slot that it is read from, filled once for an activation: "array" (of
  // the arguments), "kept" (by the probe), "argument" (of the number), "begin"
  // (the time); "none": from the site.
  string Slot = "none";
  // The parts of the method that its code depends on: "name", "descriptor". At
  // calls that is the callee.
  list<string> DependsOn = ["name", "descriptor"];
  // Its code is a String constant that names a class or a method.
  bit IsName = 0;
  // Its code may push another String constant.
  bit PushesText = 1;
  // Its code is the same in every class.
  bit IsShared = 0;
  // It is the object that the method is called on.
  bit IsReceiver = 0;
  // It is what the method returns.
  bit IsReturned = 0;
  // It is known of the code that the class came with, before passes change it.
  bit OfOriginalCode = 0;
  // It depends on the order of the methods in the class file.
  bit OfMethodOrder = 0;
  bit Extension = 0;
  // Not empty: probe classes have parameters with an annotation of this name,
  // in capitals. Those of other items are in lib/Probes/Classes/MakeProbe.cpp.
  string Annotation = "";
  string Doc = doc;
}

def ReturnedObject : DataItem<0, "returnedObject", "Ljava/lang/Object;",
    [Exit, AfterCall], "site",
    "the result, boxed; null for void and for exceptions"> {
  let DependsOn = [];
  let IsShared = 1;
  let IsReturned = 1;
  let Costly = 1;
}
def ExceptionObject : DataItem<1, "exceptionObject", "Ljava/lang/Throwable;",
    [Exit, Handler, AfterCall, Throw], "site",
    "the exception, or null"> {
  let DependsOn = [];
  let PushesText = 0;
  let IsShared = 1;
  let AtPatchedCalls = 1;
}
def ClassName : DataItem<2, "className", "Ljava/lang/String;",
    Anywhere, "class",
    "the class of the fragment, as `a/b/Outer$Inner`; at calls the called one"> {
  let DependsOn = [];
  let IsName = 1;
  let AtPatchedCalls = 1;
  let Costly = 1;
}
def MethodName : DataItem<3, "methodName", "Ljava/lang/String;",
    Anywhere, "host",
    "the method, at calls the called one; constructors are `<init>`. In "
    "`staticInitializer` it always is `<clinit>`, with a warning"> {
  let DependsOn = ["name"];
  let IsName = 1;
  let AtPatchedCalls = 1;
  let Costly = 1;
}
def MethodSig : DataItem<4, "methodSig", "Ljava/lang/String;",
    Anywhere, "host",
    "the descriptor of the method, likewise"> {
  let DependsOn = ["descriptor"];
  let IsName = 1;
  let AtPatchedCalls = 1;
  let Costly = 1;
}
def ThisObject : DataItem<5, "thisObject", "Ljava/lang/Object;",
    AtMethods # AtCalls # [TraceEnter], "site",
    "the object; null in static methods, and in constructors at entry and where "
    "they throw. At calls the receiver"> {
  let DependsOn = [];
  let PushesText = 0;
  let IsShared = 1;
  let IsReceiver = 1;
}
def Args : DataItem<6, "args", "[Ljava/lang/Object;",
    AtMethods # AtCalls, "host",
    "the arguments, boxed, in one array for all fragments of the activation, or "
    "of the call"> {
  let Slot = "array";
  let DependsOn = [];
  let PushesText = 0;
}
def IsFinally : DataItem<7, "isFinally", "Z",
    [Handler], "site",
    "the handler catches everything"> {
  let DependsOn = [];
  let PushesText = 0;
  let IsShared = 1;
}
def StaticField : DataItem<8, "staticField", "Ljava/lang/Object;",
    InClass, "class",
    "the object that the probed class has for a probe with this element"> {
  let DependsOn = [];
  let AtPatchedCalls = 1;
  let TypeRule = "field";
}
def ClassSourceFile : DataItem<9, "classSourceFile", "Ljava/lang/String;",
    InClass, "class",
    "the source file, or null"> {
  let Costly = 1;
}
def MethodNames : DataItem<10, "methodNames", "Ljava/lang/String;",
    InClass, "class",
    "names and descriptors of all methods, with `+` between them"> {
  let OfMethodOrder = 1;
  let Costly = 1;
}
def MethodLineTables : DataItem<11, "methodLineTables", "Ljava/lang/String;",
    InClass, "class",
    "the first line of each [executable unit](Probekit.md#executable-units), as "
    "`+8101,301,4#28+112`"> {
  let OfOriginalCode = 1;
  let OfMethodOrder = 1;
  let Costly = 1;
}
def MethodNumber : DataItem<12, "methodNumber", "I",
    InClass, "host",
    "the number of the method in `methodNames`"> {
  let OfMethodOrder = 1;
}
def UnitNumber : DataItem<13, "executableUnitNumber", "I",
    [Handler, Unit], "site",
    "the number of the unit in its method, from 0"> {
  let DependsOn = [];
  let OfOriginalCode = 1;
}
def PreviousUnits : DataItem<14, "numPreviousUnits", "I",
    [Unit], "host",
    "the units of the methods before"> {
  let OfOriginalCode = 1;
  let OfMethodOrder = 1;
}
def Kept : DataItem<15, "kept", "Ljava/lang/Object;",
    AtMethods # [AfterCall, TraceEvent], "site",
    "the result of the probe's `entry` or `beforeCall` in this activation; zero "
    "or null where that did not run"> {
  let Slot = "kept";
  let DependsOn = [];
  let PushesText = 0;
  let Extension = 1;
  let FileName = "invocationObject";
  let TypeRule = "kept";
}
def Local : DataItem<16, "local", "Ljava/lang/Object;",
    AtMethods # AtCalls, "site",
    "the local variable of the item's name; zero or null where there is none, or "
    "none of that type"> {
  let Extension = 1;
  let OfWholeBody = 1;
  let TypeRule = "declared";
  let Key = "name";
}
def Argument : DataItem<17, "argument", "Ljava/lang/Object;",
    AtMethods # AtCalls, "site",
    "the argument `index`, from 0, as the caller passed it, boxed only for "
    "`Object`. A method without it, or with another type than `javaType`, gets no "
    "probes, and the report names it"> {
  let Slot = "argument";
  let DependsOn = ["descriptor"];
  let Extension = 1;
  let TypeRule = "declared";
  let Key = "index";
  let NumericKey = 1;
}

// Data items of probe classes. A value of another type than the parameter has
// is zero or null there, and the method is probed all the same.
class ClassItem<int number, string name, string descriptor,
                list<AdviceKind> allowed, string source, string doc>
    : DataItem<number, name, descriptor, allowed, source, doc> {
  let Extension = 1;
  let FileName = "";
}
def Parameter : ClassItem<18, "parameter", "Ljava/lang/Object;",
    AtMethods, "site",
    "the argument of the number `index`, from 0, as it was at entry"> {
  let Slot = "argument";
  let DependsOn = ["descriptor"];
  let TypeRule = "declared";
  let Key = "index";
  let NumericKey = 1;
}
def Result : ClassItem<19, "result", "Ljava/lang/Object;",
    [Exit, AfterCall], "site",
    "the result without a box; zero or null for another type than `javaType`, for "
    "void, and for exceptions"> {
  let DependsOn = ["descriptor"];
  let IsReturned = 1;
  let FileName = "result";
  let TypeRule = "declared";
}
def Receiver : ClassItem<20, "receiver", "Ljava/lang/Object;",
    AtMethods, "site",
    "the object, cast to the type of the parameter; null in static methods and "
    "before super()"> {
  let DependsOn = [];
  let PushesText = 0;
  let IsReceiver = 1;
  let TypeRule = "declared";
}
def HostClass : ClassItem<21, "hostClass", "Ljava/lang/Class;",
    InClass, "class", "the class that the advice is in"> {
  let DependsOn = [];
}
def Arguments : ClassItem<22, "arguments", "[Ljava/lang/Object;",
    AtMethods, "host", "a new array of the arguments, boxed"> {
  let Slot = "array";
  let DependsOn = [];
  let Costly = 1;
}
def ParameterTypes : ClassItem<23, "parameterTypes", "Ljava/lang/String;",
    InClass, "host", "the types of the parameters, as `int, java.lang.String[]`">;
def ElapsedNanos : ClassItem<24, "elapsedNanos", "J",
    [Exit, AfterCall], "site",
    "the time of the activation, at calls of the call, in nanoseconds"> {
  let Slot = "begin";
  let DependsOn = [];
  let PushesText = 0;
  let FileName = "duration";
}
def ElapsedMillis : ClassItem<25, "elapsedMillis", "J",
    [Exit], "site", "the same in milliseconds"> {
  let Slot = "begin";
  let DependsOn = [];
  let PushesText = 0;
}

// Data items of events of a trace.
class TraceItem<int number, string name, string descriptor,
                list<AdviceKind> allowed, string doc>
    : DataItem<number, name, descriptor, allowed, "site", doc> {
  let Extension = 1;
  let FileName = "";
}
def EventNumber : TraceItem<26, "eventNumber", "I",
    [TraceEnter, TraceEvent], "the number of the event in its class">;
def EventObject : TraceItem<27, "eventObject", "Ljava/lang/Object;",
    [TraceEvent], "an object that the event is about">;
def EventIndex : TraceItem<28, "eventIndex", "J",
    [TraceEvent], "the index of an event that is about an array">;

// Data items about the instruction of a site and its place.
class SiteItem<int number, string name, string descriptor,
               list<AdviceKind> allowed, string doc>
    : DataItem<number, name, descriptor, allowed, "site", doc> {
  let Extension = 1;
  let Annotation = name;
}
def Object : SiteItem<29, "object", "Ljava/lang/Object;", AtObjects,
    "the object of the field, null if static or `this` before `super()`. Else the "
    "new one, the lock, or the operand"> {
  let Annotation = "objectRef"; // no second Object in Java
}
def TypeName : SiteItem<30, "typeName", "Ljava/lang/String;",
    [New, NewArray, Cast, InstanceOf, BlockingCall],
    "the type that the instruction names, as `a/b/Outer$Inner`; arrays are "
    "`[I`, `[La/B;`"> {
  let Costly = 1;
}
def FieldName : SiteItem<31, "fieldName", "Ljava/lang/String;",
    AtFields, "the name of the field"> {
  let Costly = 1;
}
def FieldOwner : SiteItem<32, "fieldOwner", "Ljava/lang/String;",
    AtFields,
    "the class by which the instruction names the field, as `a/b/C`"> {
  let Costly = 1;
}
def ValueItem : SiteItem<33, "value", "Ljava/lang/Object;", AtValues,
    "the value of the read or write; after `instanceOf` its result. With a "
    "primitive `javaType` it has no box, and the fragment is for values of that "
    "type alone"> {
  let TypeRule = "declared";
  let Costly = 1;
}
def OldValue : SiteItem<34, "oldValue", "Ljava/lang/Object;",
    [FieldWrite, VolatileWrite],
    "the field's value before the write; zero or null where the object is null, "
    "or `this` before `super()`. For `javaType` as `value`"> {
  let TypeRule = "declared";
  let Costly = 1;
  let OfWholeBody = 1;
}
def Array : SiteItem<35, "array", "Ljava/lang/Object;",
    AtElements # [NewArray],
    "the array; at `newArray` null with `where=\"before\"`">;
def Index : SiteItem<36, "index", "I", AtElements, "the index">;
def Length : SiteItem<37, "length", "I", [NewArray],
    "the length, of several dimensions the first">;
def LineNumber : SiteItem<38, "lineNumber", "I", AtMethods # AtCalls,
    "the line of the place, 0 if unknown"> {
  let OfOriginalCode = 1;
  let OfWholeBody = 1;
}
def VariableName : SiteItem<39, "variableName", "Ljava/lang/String;",
    [LocalWrite], "the name of the variable, null if unknown"> {
  let Costly = 1;
}
def Count : SiteItem<40, "count", "I", [Loop],
    "the turns since the loop began">;
def CaughtType : SiteItem<41, "caughtType", "Ljava/lang/String;", [Handler],
    "the caught class, as `a/b/C`; several with `|` between them; null for all"> {
  let Annotation = "";
  let OfWholeBody = 1;
  let Costly = 1;
}
def Lock : DataItem<42, "lock", "Ljava/lang/Object;", [Entry, Exit], "site",
    "the lock of a `synchronized` method, the object or the class. The fragment is "
    "for such methods alone"> {
  let IsReceiver = 1;
  let Extension = 1;
  let OfWholeBody = 1;
}

def CalledMethod : SiteItem<43, "calledMethod", "Ljava/lang/String;",
    [BlockingCall], "the name of the called method"> {
  let Costly = 1;
}

def ParameterNames : DataItem<44, "parameterNames", "Ljava/lang/String;",
    AtMethods, "host",
    "the names of the parameters with commas between them; the place of an "
    "unknown one is empty"> {
  let Extension = 1;
  let Costly = 1;
}

// A condition on the member that an instruction names
// (lib/Passes/Sites/SiteTests.cpp).
class SiteTest;
def AnyMember : SiteTest;
def OwnVolatileField : SiteTest;
def BlockingMember : SiteTest;

// Which instructions are sites of a kind, by the opcode in its general form
// (Opcodes.td, Canonical) and a test, and which items their operands are, in
// their order, and their result. An instruction may be a site of several kinds.
class SiteOpcode<int opcode, AdviceKind kind, list<DataItem> operands,
                 list<DataItem> result = [], SiteTest test = AnyMember> {
  int Opcode = opcode;
  AdviceKind Kind = kind;
  list<DataItem> Operands = operands;
  list<DataItem> Result = result;
  SiteTest Test = test;
}
foreach op = 46...53 in
  def : SiteOpcode<op, ArrayRead, [Array, Index], [ValueItem]>;
foreach op = 79...86 in
  def : SiteOpcode<op, ArrayWrite, [Array, Index, ValueItem]>;
def : SiteOpcode<178, FieldRead, [], [ValueItem]>;
def : SiteOpcode<179, FieldWrite, [ValueItem]>;
def : SiteOpcode<180, FieldRead, [Object], [ValueItem]>;
def : SiteOpcode<181, FieldWrite, [Object, ValueItem]>;
foreach op = 54...58 in
  def : SiteOpcode<op, LocalWrite, [ValueItem]>;
def : SiteOpcode<132, LocalWrite, []>; // iinc: what there will be is made
// Behind: the call of the constructor.
def : SiteOpcode<187, New, []>;
foreach op = [188, 189, 197] in
  def : SiteOpcode<op, NewArray, [Length], [Array]>;
def : SiteOpcode<191, Throw, [ExceptionObject]>;
def : SiteOpcode<192, Cast, [Object]>;
def : SiteOpcode<193, InstanceOf, [Object], [ValueItem]>;
def : SiteOpcode<194, MonitorEnter, [Object]>;
def : SiteOpcode<195, MonitorExit, [Object]>;
def : SiteOpcode<179, VolatileWrite, [ValueItem], [], OwnVolatileField>;
def : SiteOpcode<181, VolatileWrite, [Object, ValueItem], [], OwnVolatileField>;
def : SiteOpcode<182, BlockingCall, [Object], [], BlockingMember>;
def : SiteOpcode<184, BlockingCall, [], [], BlockingMember>;
def : SiteOpcode<185, BlockingCall, [Object], [], BlockingMember>;

// Methods that may have their thread wait, whatever their parameters. An empty
// owner: of whatever class a call names, as every class inherits it.
class BlockingMethod<string owner, list<string> names> {
  string Owner = owner;
  list<string> Names = names;
}
def : BlockingMethod<"", ["wait"]>;
def : BlockingMethod<"java/lang/Thread", ["sleep", "join"]>;
def : BlockingMethod<"java/lang/Process", ["waitFor"]>;
def : BlockingMethod<"java/util/concurrent/locks/LockSupport",
    ["park", "parkNanos", "parkUntil"]>;
foreach lock = ["Lock", "ReentrantLock", "ReentrantReadWriteLock$ReadLock",
                "ReentrantReadWriteLock$WriteLock"] in
  def : BlockingMethod<"java/util/concurrent/locks/" # lock,
      ["lock", "lockInterruptibly"]>;
def : BlockingMethod<"java/util/concurrent/locks/StampedLock",
    ["readLock", "readLockInterruptibly", "writeLock",
     "writeLockInterruptibly"]>;
def : BlockingMethod<"java/util/concurrent/locks/Condition",
    ["await", "awaitNanos", "awaitUntil", "awaitUninterruptibly"]>;
foreach future = ["Future", "FutureTask", "CompletableFuture", "ForkJoinTask"] in
  def : BlockingMethod<"java/util/concurrent/" # future, ["get", "join"]>;
foreach queue = ["BlockingQueue", "BlockingDeque", "TransferQueue",
                 "ArrayBlockingQueue", "LinkedBlockingQueue",
                 "LinkedBlockingDeque", "LinkedTransferQueue",
                 "PriorityBlockingQueue", "DelayQueue", "SynchronousQueue"] in
  def : BlockingMethod<"java/util/concurrent/" # queue,
      ["take", "takeFirst", "takeLast", "put", "putFirst", "putLast",
       "transfer"]>;
def : BlockingMethod<"java/util/concurrent/CountDownLatch", ["await"]>;
def : BlockingMethod<"java/util/concurrent/CyclicBarrier", ["await"]>;
def : BlockingMethod<"java/util/concurrent/Exchanger", ["exchange"]>;
def : BlockingMethod<"java/util/concurrent/Phaser",
    ["arriveAndAwaitAdvance", "awaitAdvance", "awaitAdvanceInterruptibly"]>;
def : BlockingMethod<"java/util/concurrent/Semaphore",
    ["acquire", "acquireUninterruptibly"]>;
foreach pool = ["ExecutorService", "ThreadPoolExecutor", "ForkJoinPool"] in
  def : BlockingMethod<"java/util/concurrent/" # pool,
      ["awaitTermination", "invokeAll", "invokeAny"]>;
def : BlockingMethod<"java/util/concurrent/CompletionService", ["take"]>;
def : BlockingMethod<"java/nio/channels/Selector", ["select"]>;
