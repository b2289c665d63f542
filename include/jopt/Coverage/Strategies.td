//===- Strategies.td - Strategies of coverage --------------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record for each way of placing the probes of coverage. Each is a function
// of lib/Coverage/Plan.cpp, a choice of the pass place-coverage, and a case of
// the model test (unittests/Coverage), without which none may stand here.
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_STRATEGIES_TD
#define JOPT_COVERAGE_STRATEGIES_TD

// The array that a class records into.
class Element;
def Bits : Element;         // boolean[]: reached
def Counts : Element;       // long[]: how often; two threads may lose one
def Words : Element;        // long[] whose bits are elements: reached
def AtomicCounts : Element; // AtomicLongArray: how often, whatever threads do

// The points of a method that a strategy tells of.
class Point;
def Probes : Point;         // those of JaCoCo's probes
def ProbesAndLines : Point; // these, and where each line begins
def Entries : Point;        // the first instruction
def Segments : Point;       // code that runs as a whole or ends by an exception

class Strategy<string name, string measures> {
  string Name = name;
  // The measure that it records, in words.
  string Measures = measures;
  Element Elements = Bits;
  Point Points = Probes;
  // The activations for which its record is right, if nothing throws but what
  // the specification names.
  string Exact = "all";
  // The parts of running activations that its record lacks.
  string InFlight = "what straight code has passed since it might throw last";
}

def JaCoCo : Strategy<"jacoco", "each of JaCoCo's probes"> {
  let Exact = "all, whatever throws";
  let InFlight = "nothing";
}
def Dom : Strategy<"dom",
    "JaCoCo's probes but those that all that comes next tells of">;
def Min : Strategy<"min",
    "the fewest of JaCoCo's probes that tell of all others">;
def Pos : Strategy<"pos",
    "the fewest where ways meet, and a position for those that only an exception needs"> {
  let Exact = "finished ones";
  let InFlight = "lines that were begun since the last probe that is stored";
}
def Mask : Strategy<"mask",
    "as pos, but for stores bits in a slot, which are told where the method is left"> {
  let Elements = Words;
  let Exact = "finished ones";
  let InFlight = "what was passed since a loop that may last went round";
}
def Begun : Strategy<"begun",
    "as pos, and which lines were begun: also those that something was thrown in"> {
  let Points = ProbesAndLines;
  let Exact = "finished ones";
  let InFlight = "lines that were begun since the last probe that is stored";
}
def Entered : Strategy<"entry", "which methods were entered"> {
  let Points = Entries;
  let Exact = "all, whatever throws";
  let InFlight = "nothing";
}
def Blocks : Strategy<"blocks",
    "which instructions were run: the fewest segments that tell of all others"> {
  let Points = Segments;
}
def JaCoCoCounts : Strategy<"jacoco-counts",
    "how often each of JaCoCo's probes is passed"> {
  let Elements = AtomicCounts;
  let Exact = "all, whatever throws";
  let InFlight = "nothing";
}

// The same for ways of recording paths: a choice of the pass place-paths.
class PathStrategy<string name, string measures> {
  string Name = name;
  string Measures = measures;
  string Exact = "all";
  string InFlight = "the path that they are on";
  // Each is counted with the chance of 1 to the rate, as often as that.
  bit IsSampled = 0;
}
class SampledPaths<string name, string measures> : PathStrategy<name, measures> {
  let Exact = "all, at rate 1; else what is expected is";
  let IsSampled = 1;
}
def Paths : PathStrategy<"paths", "how often each path through a method is taken">;
def Sampled : SampledPaths<"sampled",
    "the same of a sample: all keep the number of their path, few count it">;
def Dup : SampledPaths<"dup",
    "the same of a sample: a second copy of the code counts a path and goes back">;
defvar PathStrategyNames = !foreach(S, [Paths, Sampled, Dup], S.Name);

// The same for ways of counting edges: a choice of the pass place-edges.
class EdgeStrategy<string name, string measures> {
  string Name = name;
  string Measures = measures;
  Element Elements = Counts;
  string Exact = "finished ones";
  string InFlight = "where in the straight code that they began they are";
  bit IsSampled = 0; // see PathStrategy
}
// Those that count in slots of loops (SlotLoops.h).
defvar InFlightWithSlots =
    "where in the straight code that they began they are, and what a loop in which nothing waits has counted since it was entered";
def Edges : EdgeStrategy<"edges", "how often each edge between lines and blocks is taken"> {
  let InFlight = InFlightWithSlots;
}
def AtomicEdges : EdgeStrategy<"edges-atomic",
    "the same, and loses no count to other threads"> {
  let Elements = AtomicCounts;
  let InFlight = InFlightWithSlots;
}
def Nodup : EdgeStrategy<"nodup",
    "the same of a sample: each place that counts asks whether it is to"> {
  let Exact = "finished ones, at rate 1; else what is expected is";
  let IsSampled = 1;
}
defvar EdgeStrategyNames = !foreach(S, [Edges, AtomicEdges, Nodup], S.Name);

// The default comes first.
defvar StrategyNames =
    !foreach(S, [Pos, JaCoCo, Dom, Min, Mask, Begun, Entered, Blocks, JaCoCoCounts], S.Name);

#endif
