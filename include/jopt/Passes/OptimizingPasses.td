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
Removes unreachable blocks, joins blocks, sends branches past empty blocks and
gotos, and drops branches and cases of a switch without an effect. With
`-g=keep` a line with an instruction keeps one.}];
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
Replaces a call by the code of the called method, if that takes no more bytes.
The method is static, private or final, in the class itself, and cannot throw,
so no stack trace and no probe misses it. With `-g=keep` calls stay.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumCalls", "calls", "Calls replaced by what they do">,
  ];
}

def ADCE : OptimizingPass<"adce", "Removes values that nobody uses"> {
  let Description = [{
Removes instructions without a use or an effect. Effects are exceptions, the
initialisation of a class, and references that do not resolve.}];
  let Statistics = [
    Statistic<"NumRemoved", "removed", "Instructions removed">,
    Statistic<"NumObjects", "objects", "Objects removed that nobody used">,
  ];
}

def DSE : OptimizingPass<"dse", "Removes stores to slots that nobody reads"> {
  let Description = [{
Removes stores to slots that nothing reads before the next store, with the
values that only they use. A store of null to a slot with an object stays, for
the garbage collector. With `-g=keep` a variable in scope counts as a read.}];
  let Statistics = [
    Statistic<"NumStores", "stores", "Stores removed">,
    Statistic<"NumFrames", "frames", "Frames that declare less">,
  ];
}

def InstCombine : OptimizingPass<"instcombine", "Combines instructions into fewer"> {
  let Description = [{
Computes results that follow from constants (`Folding.td`), drops operations
that change nothing, takes the short branch for zero and null, and makes `iinc`.}];
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
If code reads a slot right after the store to it, the value stays on the operand
stack. The store goes if nothing else reads the slot; with `-g=keep` it stays.}];
  let Statistics = [
    Statistic<"NumForwarded", "forwarded", "Stores that went with their read">,
    Statistic<"NumCopies", "copies", "Reads of what is on the stack">,
  ];
}

def EarlyCSE : OptimizingPass<"early-cse", "Uses what was computed before"> {
  let Description = [{
Takes a value from its slot, or duplicates it on the stack, instead of computing
it again. Such values are arithmetic, casts, elements of arrays, and fields of
the class.}];
  let Statistics = [
    Statistic<"NumReads", "reads", "Values read from a slot">,
    Statistic<"NumCopies", "copies", "Values duplicated on the stack">,
  ];
}

def SCCP : OptimizingPass<"sccp", "Propagates constants through slots"> {
  let Description = [{
Sparse conditional constant propagation: finds slots and results that are one
number on all ways, and values that are never null. It removes ways that control
never takes.}];
  let Statistics = [
    Statistic<"NumConstants", "constants", "Results that are constants">,
    Statistic<"NumReads", "reads", "Reads of slots that are constants">,
    Statistic<"NumBranches", "branches", "Branches that go one way only">,
  ];
}

def SROA : OptimizingPass<"sroa",
    "Replaces boxes and arrays that probes make by what they contain"> {
  let Description = [{
Removes boxes and arrays of `Object` that only inlined probes see, and reads
their contents from where they were.}];
  let Statistics = [
    Statistic<"NumBoxes", "boxes", "Boxes removed">,
    Statistic<"NumArrays", "arrays", "Arrays removed">,
  ];
}

def TightenRanges : OptimizingPass<"tighten-ranges",
    "Takes out of exception ranges what cannot throw"> {
  let Description = [{
Takes blocks in which nothing can throw off the ends of exception ranges. An
empty range goes, and its handler with it.}];
  let Statistics = [
    Statistic<"NumBlocks", "blocks", "Blocks taken out of a range">,
    Statistic<"NumRanges", "ranges", "Ranges removed">,
  ];
}

def JumpThreading : OptimizingPass<"jump-threading",
    "Passes tests whose result is known where control comes from"> {
  let Description = [{
Edges with a known value of a test skip the test. The code must not get longer,
and no loop gets a second entry. With `-g=keep` only within a line.}];
  let Statistics = [
    Statistic<"NumThreaded", "threaded", "Ways sent past a test">,
    Statistic<"NumTests", "tests", "Tests that nobody needs any more">,
  ];
}

def CorrelatedPropagation : OptimizingPass<"correlated-propagation",
    "Uses what tests, stores and accesses say about later tests"> {
  let Description = [{
Removes tests of slots whose result follows from earlier code, and such calls of
`Objects.requireNonNull`. That is an equal test, a new object or a constant, or
an access that did not fail.}];
  let Statistics = [
    Statistic<"NumBranches", "branches", "Branches that go one way only">,
    Statistic<"NumTests", "tests", "Calls of requireNonNull removed">,
  ];
}

def ReorderSlots : OptimizingPass<"reorder-slots",
    "Gives the slots that are used most the shortest instructions"> {
  let Description = [{
Gives the most used slots the lowest numbers, and slots of different times one
number, if the code gets shorter. Slots with a name for debuggers share none.}];
  let Statistics = [
    Statistic<"NumMethods", "methods", "Methods whose slots have other numbers">,
    Statistic<"NumCopies", "copies", "Copies between slots removed">,
  ];
}

def MergeTails : OptimizingPass<"merge-tails", "Shares equal ends of blocks"> {
  let Description = [{
Blocks that end alike share their last instructions, if that makes the method
shorter. Virtual calls and casts, of which the JVM has profiles, stay. Only with
`-g=none`, and not in methods that lock.}];
  let Statistics = [
    Statistic<"NumTails", "tails", "Blocks that go on in the end of another">,
    Statistic<"NumBytes", "bytes", "Bytes of code saved">,
  ];
}

def DropAssertions : OptimizingPass<"drop-assertions",
    "Takes Java's assertions out"> {
  let Description = [{
Disables `assert` for good. No level of `-O` has this pass.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumReads", "reads", "Tests whether assertions are enabled">,
  ];
}

def RemarkLimits : Pass<"remark-limits",
    "Names methods whose code crossed a limit of HotSpot"> {
  let Description = [{
A remark (`-Rpass=remark-limits`) for each method whose code crossed 35, 325 or
8,000 bytes, HotSpot's limits, in either direction.}];
  let Begin = 1;
  let Statistics = [
    Statistic<"NumOver", "over", "Methods that are over a limit now">,
    Statistic<"NumUnder", "under", "Methods that are no longer over a limit">,
  ];
}

def ShortForms : OptimizingPass<"short-forms",
    "Takes the shortest form of each instruction"> {
  let Description = [{
Writes `ldc` instead of `ldc_w`, and loads, stores and increments of slots
without `wide`, where their operands fit.}];
  let Wants = "own";
  let Statistics = [
    Statistic<"NumShortened", "shortened", "Instructions made shorter">,
  ];
}

def GCPool : Pass<"gc-pool", "Takes what nobody uses out of the constant pool"> {
  let Description = [{
Writes only used entries of the pool, the most loaded first, where `ldc` can load
them. Classes with unknown attributes, or with their original, keep their pool.}];
  let Begin = 1;
  let Requires = [NoAdvice];
}

def Strip : Pass<"strip", "Takes tables for debuggers out of classes"> {
  let Description = [{
Removes tables of local variables, and with `what=lines` lines too. Annotations,
signatures and names of parameters stay.}];
  let Begin = 1;
  let Requires = [NoAdvice];
  let Options = [
    Choice<"what", ["variables", "lines"], "Tables of variables, or those of lines too.">,
  ];
}

def : Alias<"default<O1>",
    "simplifycfg,instcombine,dse,adce,tighten-ranges,simplifycfg,remark-limits",
    "The passes of -O1">;
// Some twice, as others make work for them.
def : Alias<"default<O2>",
    "inline<local>,simplifycfg,sroa,early-cse,instcombine,sccp,correlated-propagation,"
    "jump-threading,simplifycfg,dse,forward-slots,adce,tighten-ranges,simplifycfg,instcombine,"
    "jump-threading,dse,forward-slots,simplifycfg,remark-limits",
    "The passes of -O2">;
// Another round takes longer than it is worth at -O2.
def : Alias<"default<Os>",
    "default<O2>,sccp,jump-threading,dse,forward-slots,adce,simplifycfg,"
    "reorder-slots,short-forms,gc-pool",
    "The passes of -Os">;
def : Alias<"default<Oz>",
    "default<O2>,sccp,jump-threading,dse,forward-slots,adce,merge-tails,"
    "simplifycfg,reorder-slots,short-forms,strip,gc-pool",
    "The passes of -Oz">;
