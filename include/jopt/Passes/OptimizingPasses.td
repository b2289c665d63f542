//===- OptimizingPasses.td - The passes of the optimiser ---*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Passes.td that -O1, -O2, -Os and -Oz are made of
// (docs/Optimiser.md). Passes.td, whose classes these records use, includes it.
//
//===----------------------------------------------------------------------===//

// A pass of the optimiser. It is undone where a method does not get smaller by
// all of them together.
class OptimizingPass<string argument, string summary> : Pass<argument, summary> {
  let Wants = "optimizable";
  let Requires = [NoAdvice];
  list<Property> Loses = [OriginalCode];
}

def SimplifyCFG : OptimizingPass<"simplifycfg", "Simplifies control flow"> {
  let Description = [{
Removes unreachable blocks with their ranges, and joins blocks. Branches to
empty blocks go on to the blocks after them. Inverts branches around a `goto`.
A `goto` to a return becomes the return. Drops branches whose two ways are one,
and cases of a switch that lead to its default; other cases get the shortest
kind of branch.

With `-g=keep` a line that had an instruction keeps one.}];
  let Statistics = [
    Statistic<"NumBlocks", "blocks", "Blocks removed to which no way leads">,
    Statistic<"NumJoined", "joined", "Blocks joined with the one before">,
    Statistic<"NumRedirected", "redirected", "Branches sent on to where an empty block leads">,
    Statistic<"NumGotos", "gotos", "Jumps to the next instruction removed">,
    Statistic<"NumInverted", "inverted", "Branches around a goto inverted">,
    Statistic<"NumReturns", "returns", "Jumps to a return replaced by it">,
    Statistic<"NumFolded", "folded", "Branches removed of which all ways are one">,
    Statistic<"NumSwitches", "switches", "Switches made smaller">,
    Statistic<"NumNops", "nops", "Instructions nop removed">,
  ];
}

def Inline : OptimizingPass<"inline<local>",
    "Puts short methods of the class where it calls them"> {
  let Description = [{
Replaces a call by the code of the called method, if that takes no more bytes:
getters, setters, constants, sums. The method is static, private or final, in
the class itself, and cannot throw; no pass before changes it. So no stack trace
and no probe misses it. With `-g=keep` calls stay, as debuggers may stop in the
method.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumCalls", "calls", "Calls replaced by what they do">,
  ];
}

def ADCE : OptimizingPass<"adce", "Removes values that nobody uses"> {
  let Description = [{
Removes instructions whose result has no use, with the values that only they
use, if they have no other effect. Effects are exceptions, the initialisation of
a class, and references that do not resolve. Objects go with their constructor
if it is that of `Object` or `StringBuilder`.}];
  let Statistics = [
    Statistic<"NumRemoved", "removed", "Instructions removed">,
    Statistic<"NumObjects", "objects", "Objects removed that nobody used">,
  ];
}

def DSE : OptimizingPass<"dse", "Removes stores to slots that nobody reads"> {
  let Description = [{
Removes stores to slots that are not read before the next store, with the values
that only they use, and stores of the value that the slot has. Frames no longer
declare such slots.

A store of null to a slot with an object stays, since it may be there for the
garbage collector. With `-g=keep` slots count as read wherever a variable is in
scope.}];
  let Statistics = [
    Statistic<"NumStores", "stores", "Stores removed">,
    Statistic<"NumFrames", "frames", "Frames that declare less">,
  ];
}

def InstCombine : OptimizingPass<"instcombine", "Combines instructions into fewer"> {
  let Description = [{
Computes results that follow from constants, by the table `Folding.td`; NaN and
divisions by zero stay. Drops operations that change nothing (`x + 0`, a
repeated conversion or cast). Compares with zero and null by the short branch,
and turns a sum that goes back to its slot into an `iinc`. It makes no constant
that the pool does not have.}];
  let Statistics = [
    Statistic<"NumConstants", "constants", "Results that are constants">,
    Statistic<"NumIdentities", "identities", "Operations that change nothing">,
    Statistic<"NumBranches", "branches", "Comparisons with zero or null">,
    Statistic<"NumIncrements", "increments", "Sums that are an increment of a slot">,
  ];
}

def ForwardSlots : OptimizingPass<"forward-slots",
    "Leaves values on the stack that are stored and read at once"> {
  let Description = [{
If a slot is read right after the store to it, the value stays on the operand
stack. The store goes if nothing else reads the slot, together with the debug
rows of its variable. With `-g=keep` such stores stay.}];
  let Statistics = [
    Statistic<"NumForwarded", "forwarded", "Stores that went with their read">,
    Statistic<"NumCopies", "copies", "Reads of what is on the stack">,
  ];
}

def EarlyCSE : OptimizingPass<"early-cse", "Uses what was computed before"> {
  let Description = [{
Reads a value from its slot instead of computing it again, or duplicates it on
the stack. Such values are arithmetic, casts, elements of arrays, and fields of the
class. Blocks
with one way in know the values of the block before. Calls, locks, volatile
accesses and code that may load a class change fields and arrays.}];
  let Statistics = [
    Statistic<"NumReads", "reads", "Values read from a slot">,
    Statistic<"NumCopies", "copies", "Values duplicated on the stack">,
  ];
}

def SCCP : OptimizingPass<"sccp", "Propagates constants through slots"> {
  let Description = [{
Sparse conditional constant propagation: finds slots and results that are one
number on all ways, and values that are never null. It removes the ways of
branches that control never takes. A read of such a slot becomes the constant if
that is no longer.}];
  let Statistics = [
    Statistic<"NumConstants", "constants", "Results that are constants">,
    Statistic<"NumReads", "reads", "Reads of slots that are constants">,
    Statistic<"NumBranches", "branches", "Branches that go one way only">,
  ];
}

def SROA : OptimizingPass<"sroa",
    "Replaces boxes and arrays that probes make by what they contain"> {
  let Description = [{
Boxes and arrays of `Object` that inlined probes make, and that nothing but
their code sees, go: their contents are read from where they were, or from slots
of their own. Nothing goes that is passed to a call, returned, stored elsewhere,
or compared, and no array that is read by an index that is not constant. Objects
of the program stay.}];
  let Statistics = [
    Statistic<"NumBoxes", "boxes", "Boxes removed">,
    Statistic<"NumArrays", "arrays", "Arrays removed">,
  ];
}

def TightenRanges : OptimizingPass<"tighten-ranges",
    "Takes out of exception ranges what cannot throw"> {
  let Description = [{
Takes blocks in which nothing can throw off the ends of exception ranges. An
empty range goes, and its handler with it. Ranges are never cut in two. In
methods that lock, ranges that catch everything stay, since the JVM's compilers
look for them.}];
  let Statistics = [
    Statistic<"NumBlocks", "blocks", "Blocks taken out of a range">,
    Statistic<"NumRanges", "ranges", "Ranges removed">,
  ];
}

def JumpThreading : OptimizingPass<"jump-threading",
    "Passes tests whose result is known where control comes from"> {
  let Description = [{
A block that only tests a value, on the stack or in a slot, is passed by edges
on which the value is known: a constant, null, a new object, or the result of
the same test before. They go where the test would send them. The code must not
get longer, and no loop may get a second entry.

With `-g=keep` a test is passed only within its line.}];
  let Statistics = [
    Statistic<"NumThreaded", "threaded", "Ways sent past a test">,
    Statistic<"NumTests", "tests", "Tests that nobody needs any more">,
  ];
}

def CorrelatedPropagation : OptimizingPass<"correlated-propagation",
    "Uses what tests, stores and accesses say about later tests"> {
  let Description = [{
Finds tests of slots whose result earlier code decides: an equal test, a new
object or a constant in the slot, or an access to a field or method that did not
fail. Branches with one possible way become jumps. Calls of
`Objects.requireNonNull` go if nobody uses the result and the object is known. A
handler knows the facts at the beginning of the code that it covers.}];
  let Statistics = [
    Statistic<"NumBranches", "branches", "Branches that go one way only">,
    Statistic<"NumTests", "tests", "Calls of requireNonNull removed">,
  ];
}

def ReorderSlots : OptimizingPass<"reorder-slots",
    "Gives the slots that are used most the shortest instructions"> {
  let Description = [{
Gives slots other numbers: the most used ones get the lowest that parameters
leave, and slots that are never needed at one time share one, also with
parameters. Copies between slots that share one go. It does so only if the code
gets shorter. Slots with a name for debuggers are not shared.}];
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods whose slots have other numbers">,
    Statistic<"NumCopies", "copies", "Copies between slots removed">,
  ];
}

def MergeTails : OptimizingPass<"merge-tails", "Shares equal ends of blocks"> {
  let Description = [{
Blocks that end alike share their last instructions, if that makes the method
shorter. Instructions that throw must be of one line. The JVM keeps profiles of
virtual calls and casts, so blocks do not share these unless a throw follows.
Methods that lock stay. With `-g=none` only, as a block would have the variables
of another.}];
  let Statistics = [
    Statistic<"NumTails", "tails", "Blocks that go on in the end of another">,
    Statistic<"NumBytes", "bytes", "Bytes of code saved">,
  ];
}

def DropAssertions : OptimizingPass<"drop-assertions",
    "Takes Java's assertions out"> {
  let Description = [{
Disables `assert` for good: the switch that compilers read becomes a constant,
and other passes remove dead code. No level of `-O` has this pass.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumReads", "reads", "Tests whether assertions are enabled">,
  ];
}

def RemarkLimits : Pass<"remark-limits",
    "Names methods whose code crossed a limit of HotSpot"> {
  let Description = [{
A remark (`-Rpass=remark-limits`) for each written method whose code was longer than 35,
325 or 8,000 bytes and is not, or the other way round: longer code is inlined less, or not
compiled.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumOver", "over", "Methods that are over a limit now">,
    Statistic<"NumUnder", "under", "Methods that are no longer over a limit">,
  ];
}

def GCPool : Pass<"gc-pool", "Takes what nobody uses out of the constant pool"> {
  let Description = [{
The written class has only the used entries of its pool, first those that short
instructions name, then the others in the old order. Equal texts, numbers,
strings, and names with their types become one. Entries that the JVM resolves
one by one stay as many. Classes with unknown attributes, or with their
original, keep their pool.}];
  let Begin = 1;
  let Requires = [NoAdvice];
}

def Strip : Pass<"strip", "Takes tables for debuggers out of classes"> {
  let Description = [{
The written methods have no tables of local variables, and with `what=lines` no lines
either. Annotations, signatures and names of parameters stay.}];
  let Begin = 1;
  let Requires = [NoAdvice];
  let Options = [
    Choice<"what", ["variables", "lines"], "Tables of variables, or those of lines too.">,
  ];
}

def : Alias<"default<O1>",
    "simplifycfg,instcombine,dse,adce,tighten-ranges,simplifycfg,remark-limits",
    "What -O1 runs">;
// Some twice, as others make work for them.
def : Alias<"default<O2>",
    "inline<local>,simplifycfg,sroa,early-cse,instcombine,sccp,correlated-propagation,"
    "jump-threading,simplifycfg,dse,forward-slots,adce,tighten-ranges,simplifycfg,instcombine,"
    "jump-threading,dse,forward-slots,simplifycfg,remark-limits",
    "What -O2 runs">;
// Another round takes longer than it is worth at -O2.
def : Alias<"default<Os>",
    "default<O2>,sccp,jump-threading,dse,forward-slots,adce,simplifycfg,"
    "reorder-slots,gc-pool",
    "What -Os runs">;
def : Alias<"default<Oz>",
    "default<O2>,sccp,jump-threading,dse,forward-slots,adce,merge-tails,"
    "simplifycfg,reorder-slots,strip,gc-pool",
    "What -Oz runs">;
