//===- Counters.cpp - What of a class was covered -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Counters.h"
#include "BegunLines.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

StringRef coverage::counterName(CounterKind K) {
  static constexpr StringRef Names[] = {"INSTRUCTION", "BRANCH", "LINE",
                                        "COMPLEXITY",  "METHOD", "CLASS"};
  return Names[K];
}

CounterSet &CounterSet::operator+=(const CounterSet &O) {
  for (unsigned K = 0; K < NumCounters; ++K)
    (*this)[K] += O[K];
  return *this;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void LineTable::add(int32_t Line, const LineCounters &C) {
  if (Table.empty())
    First = Line;
  if (Line < First) {
    Table.insert(Table.begin(), size_t(First - Line), LineCounters());
    First = Line;
  }
  const size_t At = size_t(Line - First);
  if (At >= Table.size())
    Table.resize(At + 1);
  Table[At].Instructions += C.Instructions;
  Table[At].Branches += C.Branches;
  Table[At].Fate = std::max(Table[At].Fate, C.Fate);
  if (C.Times)
    Table[At].Times = Table[At].Times.value_or(0) + *C.Times;
}

void LineTable::addTimes(int32_t Line, int64_t Times) {
  const size_t At = size_t(Line - First);
  if (Line >= First && At < Table.size() && Table[At].Instructions.total())
    Table[At].Times = Table[At].Times.value_or(0) + Times;
}

void LineTable::add(const LineTable &O) {
  for (size_t I = 0; I < O.Table.size(); ++I)
    add(O.First + int32_t(I), O.Table[I]);
}

Counter LineTable::count() const {
  Counter Found;
  for (const LineCounters &L : Table)
    if (L.Instructions.total())
      Found.add(L.Instructions.Covered);
  return Found;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {
/// The coverage of an instruction. A branch of it is covered if its probe was
/// passed, or if any branch of the instruction that it leads to is covered.
struct CountedInst {
  int32_t Line = -1;
  uint32_t NumBranches = 0;
  llvm::SmallBitVector Covered; ///< by branch
  /// Where control comes from if no probe stands there, and by which branch.
  CountedInst *Before = nullptr;
  uint32_t BranchBefore = 0;

  bool isCovered(uint32_t Branch = Replacements::Any) const {
    return Branch == Replacements::Any
               ? Covered.any()
               : Branch < Covered.size() && Covered.test(Branch);
  }

  void cover(uint32_t Branch) {
    if (Covered.size() <= Branch)
      Covered.resize(Branch + 1);
    Covered.set(Branch);
  }
  /// Covers it, and what leads here alone.
  void propagate(uint32_t Branch) {
    for (CountedInst *I = this; I;) {
      const bool Known = I->isCovered();
      I->cover(Branch);
      if (Known)
        return;
      Branch = I->BranchBefore;
      I = I->Before;
    }
  }
  void addBranch(CountedInst &To, uint32_t Branch) {
    ++NumBranches;
    To.Before = this;
    To.BranchBefore = Branch;
    if (To.isCovered())
      propagate(Branch);
  }
  void addProbe(bool Passed, uint32_t Branch) {
    ++NumBranches;
    if (Passed)
      propagate(Branch);
  }
};

/// The counters of one method.
class MethodCounter {
public:
  /// \p Probes are those of the class; null if none was passed.
  MethodCounter(const CodeFlow &Flow, const llvm::BitVector *Probes,
                uint32_t FirstProbe)
      : Flow(Flow), Probes(Probes), Probe(FirstProbe), Insts(Flow.size()) {
    build();
  }

  /// The number behind that of its last probe.
  uint32_t nextProbe() const { return Probe; }

  void apply(const FilterOutput &Filtered);
  /// \p Lines gets what has a line.
  CounterSet count(const FilterOutput &Filtered, LineTable &Lines) const;
  /// Adds all instructions, as they are before apply().
  void addInstructions(LineTable &To) const;

private:
  void build();
  void addInst(size_t I);
  void addSwitch(size_t I);
  bool nextProbePassed() {
    const uint32_t P = Probe++;
    return Probes && P < Probes->size() && Probes->test(P);
  }

  const CodeFlow &Flow;
  const llvm::BitVector *const Probes;
  uint32_t Probe;
  std::vector<CountedInst> Insts;
  struct Jump {
    size_t From, To;
    uint32_t Branch;
  };
  std::vector<Jump> Jumps;
};
} // namespace

void MethodCounter::addSwitch(size_t I) {
  uint32_t Branch = 0;
  Flow.forEachTarget(I, [&](size_t To) {
    if (Flow.place(To).IsMulti)
      Insts[I].addProbe(nextProbePassed(), Branch);
    else
      Jumps.push_back({I, To, Branch});
    ++Branch;
  });
}

void MethodCounter::addInst(size_t I) {
  if (Flow.leaves(I)) {
    Insts[I].addProbe(nextProbePassed(), 0);
  } else if (Flow.isSwitch(I)) {
    addSwitch(I);
  } else if (Flow.isJump(I)) {
    if (Flow.place(Flow.target(I)).IsMulti)
      Insts[I].addProbe(nextProbePassed(), 1);
    else
      Jumps.push_back({I, Flow.target(I), 1});
  }
}

void MethodCounter::build() {
  CountedInst *Before = nullptr; // control falls from there
  int32_t Line = -1;
  for (size_t I = 0; I < Flow.size(); ++I) {
    const CodeFlow::Place &P = Flow.place(I);
    if (P.hasProbe()) {
      Before->addProbe(nextProbePassed(), 0);
      Before = nullptr;
    }
    if (P.IsLabel && !P.IsSuccessor)
      Before = nullptr;
    if (P.Line >= 0)
      Line = P.Line;
    Insts[I].Line = Line;
    if (Before)
      Before->addBranch(Insts[I], 0);
    Before = &Insts[I];
    addInst(I);
  }
  for (const Jump &J : Jumps)
    Insts[J.From].addBranch(Insts[J.To], J.Branch);
}

void MethodCounter::apply(const FilterOutput &Filtered) {
  auto Unite = [&](CountedInst &I, const CountedInst &By) {
    if (I.Covered.size() < By.Covered.size())
      I.Covered.resize(By.Covered.size());
    I.Covered |= By.Covered;
  };
  for (auto [Copy, Counts] : Filtered.Merged)
    Unite(Insts[Filtered.representative(Counts)], Insts[Copy]);
  for (auto [Copy, Counts] : Filtered.Merged) {
    const CountedInst &By = Insts[Filtered.representative(Counts)];
    Insts[Copy].NumBranches = By.NumBranches;
    Insts[Copy].Covered = By.Covered;
  }
  for (const auto &[Inst, By] : Filtered.Replaced) {
    llvm::SmallBitVector Covered(unsigned(By.Branches.size()));
    unsigned Branch = 0;
    for (const auto &[Target, Ways] : By.Branches) {
      if (llvm::any_of(Ways, [&](const Replacements::Way &W) {
            return Insts[W.Inst].isCovered(W.Branch);
          }))
        Covered.set(Branch);
      ++Branch;
    }
    Insts[Inst].NumBranches = Branch;
    Insts[Inst].Covered = Covered;
  }
}

CounterSet MethodCounter::count(const FilterOutput &Filtered,
                                LineTable &Lines) const {
  CounterSet C;
  for (size_t N = 0; N < Insts.size(); ++N) {
    if (Filtered.Ignored[N] || Filtered.Merged.count(N))
      continue;
    const CountedInst &I = Insts[N];
    LineCounters Own;
    Own.Instructions.add(I.isCovered());
    if (I.NumBranches > 1) {
      const uint32_t Covered =
          std::min<uint32_t>(I.Covered.count(), I.NumBranches);
      Own.Branches = {I.NumBranches - Covered, Covered};
      const uint32_t Ways = Covered ? Covered - 1 : 0;
      C[Complexity] += {I.NumBranches - 1 - Ways, Ways};
    }
    C[Instructions] += Own.Instructions;
    C[Branches] += Own.Branches;
    if (I.Line >= 0)
      Lines.add(I.Line, Own);
  }
  if (!C[Instructions].total())
    return {};
  C[coverage::Lines] = Lines.count();
  C[Methods].add(C[Instructions].Covered);
  C[Complexity].add(C[Instructions].Covered);
  return C;
}

void MethodCounter::addInstructions(LineTable &To) const {
  for (const CountedInst &I : Insts) {
    if (I.Line < 0)
      continue;
    LineCounters Own;
    Own.Instructions.add(I.isCovered());
    To.add(I.Line, Own);
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Covers the lines of a method that were begun and threw.
static void coverBegun(LineTable &Lines, CounterSet &Counted) {
  auto Move = [](Counter &C) {
    --C.Missed;
    ++C.Covered;
  };
  const bool HasRun = Counted[Instructions].Covered;
  for (int32_t Line = Lines.first(); LineCounters *L = Lines.find(Line);
       ++Line) {
    if (!L->onlyThrew() || !L->Instructions.Missed)
      continue;
    for (Counter *C :
         {&L->Instructions, &Counted[Instructions], &Counted[coverage::Lines]})
      Move(*C);
  }
  if (!HasRun && Counted[Instructions].Covered)
    for (CounterKind K : {Methods, Complexity})
      Move(Counted[K]);
}

/// Adds the counters of a method to \p To. \p Probe is the number of its first
/// probe, then that behind its last; \p Line the same of lines that are begun.
/// \p All gets all instructions if code was inlined.
static Error countMethod(const FilterInput &In, const ClassCoverage *Ran,
                         uint32_t &Probe, uint32_t &Line, LineTable &All,
                         ClassCounters &To) {
  const uint32_t First = Probe;
  MethodCounter Counter(In.Flow, Ran ? &Ran->Probes : nullptr, Probe);
  Probe = Counter.nextProbe();
  if (!In.Class.Inlined.empty())
    Counter.addInstructions(All);
  FilterOutput Filtered(In.Flow.size());
  filter(In, Filtered);
  Counter.apply(Filtered);
  LineTable Lines;
  MethodCounters Own;
  Own.Counted = Counter.count(Filtered, Lines);
  if (Ran && !Ran->Lines.empty())
    if (Error E = addBegunLines(In, Filtered, *Ran, First, Line, Lines))
      return E;
  if (In.Class.Options.CountBegun)
    coverBegun(Lines, Own.Counted);
  if (!Own.Counted[Instructions].total())
    return Error::success();
  Own.Name = In.F.name(In.M).str();
  Own.Descriptor = In.F.descriptor(In.M).str();
  Own.FirstLine = Lines.first();
  To.Counted += Own.Counted;
  To.Lines.add(Lines);
  if (In.Class.IsKotlin)
    Own.Lines = std::move(Lines);
  To.Methods.push_back(std::move(Own));
  return Error::success();
}

/// addCopies, for the counters and lines of a method or class. \returns whether
/// it has any of the lines.
static bool replaceLines(CounterSet &Counted, LineTable &Lines,
                         const LineTable &Copies) {
  bool HasAny = false;
  int32_t Line = Copies.first() - 1;
  for (const LineCounters &Copy : Copies.lines()) {
    LineCounters *L = Lines.find(++Line);
    if (!L || !Copy.Instructions.total())
      continue;
    HasAny = true;
    const bool Covered = L->Instructions.Covered || Copy.Instructions.Covered;
    if (L->Instructions.total()) {
      Counter &OfLines = Counted[coverage::Lines];
      --(L->Instructions.Covered ? OfLines.Covered : OfLines.Missed);
    }
    for (auto [Kind, Old] : {std::pair(Instructions, L->Instructions),
                             std::pair(Branches, L->Branches)}) {
      Counted[Kind].Missed -= Old.Missed;
      Counted[Kind].Covered -= Old.Covered;
    }
    L->Instructions = L->Branches = {};
    for (Counter *C :
         {&L->Instructions, &Counted[Instructions], &Counted[coverage::Lines]})
      C->add(Covered);
  }
  return HasAny;
}

void coverage::addCopies(ClassCounters &C, const LineTable &Copies) {
  if (!replaceLines(C.Counted, C.Lines, Copies))
    return;
  for (MethodCounters &M : C.Methods) {
    const Counter Ways = M.Counted[Complexity], Before = M.Counted[Methods];
    if (!replaceLines(M.Counted, M.Lines, Copies))
      continue;
    Counter Now;
    Now.add(M.Counted[Instructions].Covered);
    M.Counted[Methods] = M.Counted[Complexity] = Now;
    for (auto [Kind, Old] :
         {std::pair(Methods, Before), std::pair(Complexity, Ways)}) {
      C.Counted[Kind].Missed += Now.Missed - Old.Missed;
      C.Counted[Kind].Covered += Now.Covered - Old.Covered;
    }
  }
  C.Counted[Classes] = {};
  C.Counted[Classes].add(C.Counted[Methods].Covered);
}

StringRef coverage::sourceFile(const ClassFile &F) {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "SourceFile");
  return A && A->Data.size() == 2 ? F.Pool.utf8(readU2(A->Data.data()))
                                  : StringRef();
}

/// Adds to \p To what \p All, the instructions of a class, has of copies. Of a
/// text made to be slow only the beginning counts.
static void countCopies(llvm::ArrayRef<InlinedLines> Inlined,
                        const LineTable &All,
                        std::map<std::string, LineTable> &To) {
  size_t Left = 1u << 22;
  for (const InlinedLines &C : Inlined)
    for (int32_t I = 0; I < C.Count && Left; ++I, --Left)
      if (const LineCounters *L = All.find(C.Output + I))
        if (L->Instructions.total())
          To[C.Of.str()].add(C.Input + I, *L);
}

/// Calls \p Use with each method of \p F that has code.
static Error forEachMethod(ClassFile &F, const FilteredClass &Class,
                           llvm::function_ref<Error(const FilterInput &)> Use) {
  for (const Method &M : F.Methods) {
    const int Index = M.codeAttribute(F.Pool);
    if (Index < 0)
      continue;
    CodeView Code;
    Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code);
    if (!E) {
      auto Flow = CodeFlow::create(F, Code);
      if (Flow && Class.Rules == Filters::JaCoCo0816)
        Flow->takeLineZero();
      E = Flow ? Use({F, M, Code, *Flow, Class}) : Flow.takeError();
    }
    if (E)
      return makeError(F.displayName(M) + ": " + toMessage(std::move(E)));
  }
  return Error::success();
}

/// Adds the lines of a method's probes.
static void addLines(const FilterInput &In, ProbeLines &To) {
  FilterOutput Filtered(In.Flow.size());
  filter(In, Filtered);
  const auto First = uint32_t(To.Lines.size());
  auto Count = [&](const llvm::BitVector *Probes, LineTable &Lines) {
    MethodCounter Counter(In.Flow, Probes, First);
    Counter.apply(Filtered);
    Counter.count(Filtered, Lines);
    return Counter.nextProbe();
  };
  auto ForEach = [](const LineTable &Lines, auto Use) {
    int32_t Line = Lines.first();
    for (const LineCounters &L : Lines.lines()) {
      if (L.Instructions.total())
        Use(Line, L.Instructions.Covered != 0);
      ++Line;
    }
  };
  LineTable All;
  const uint32_t End = Count(nullptr, All);
  const bool IsInitialiser = In.F.name(In.M) == "<clinit>";
  ForEach(All, [&](int32_t Line, bool) {
    To.Counted.push_back(Line);
    if (IsInitialiser)
      To.Initialiser.push_back(Line);
  });
  if (!All.empty() && !In.F.name(In.M).starts_with("<"))
    To.Methods.emplace_back(All.first(),
                            All.first() + int32_t(All.lines().size()) - 1);
  for (size_t I = 0; I < In.Flow.size(); ++I)
    if (const CodeFlow::Place &P = In.Flow.place(I);
        P.Line >= 0 && !P.HasLineZero)
      To.Begun.push_back(Filtered.Ignored[I] ? -1 : P.Line);
  To.Lines.resize(End);
  llvm::BitVector One(End);
  for (uint32_t P = First; P < End; ++P) {
    One.set(P);
    LineTable Own;
    Count(&One, Own);
    One.reset(P);
    ForEach(Own, [&](int32_t Line, bool IsCovered) {
      if (IsCovered)
        To.Lines[P].push_back(Line);
    });
  }
}

Expected<ProbeLines> coverage::findProbeLines(ClassFile &F, Filters Rules) {
  ProbeLines Found;
  const CountOptions O = {Rules};
  const ExcludedLines None;
  const FilteredClass Class(F, O, None);
  if (Error E = forEachMethod(F, Class, [&](const FilterInput &In) {
        addLines(In, Found);
        return Error::success();
      }))
    return E;
  llvm::sort(Found.Counted);
  Found.Counted.erase(llvm::unique(Found.Counted), Found.Counted.end());
  return Found;
}

/// Adds how often control came to the lines of \p F.
static Error addTimes(const ClassFile &F, llvm::ArrayRef<EdgeCounts> Counts,
                      LineTable &To) {
  for (const Method &M : F.Methods) {
    const int Index = M.codeAttribute(F.Pool);
    if (Index < 0)
      continue;
    CodeView Code;
    if (Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code))
      return E;
    auto Edges = findEdges(F, M, Code);
    if (!Edges)
      return Edges.takeError();
    if (Counts.empty() || !Edges->accepts(Counts.front()))
      return makeError("other code was counted");
    Edges->forEachArrival(Counts.front(), [&](int32_t Line, int64_t Times) {
      To.addTimes(Line, Times);
    });
    Counts = Counts.drop_front();
  }
  return Error::success();
}

Expected<ClassCounters> coverage::countClass(ClassFile &F, uint64_t Id,
                                             const ClassCoverage *Ran,
                                             const CountOptions &O,
                                             const ExcludedLines &Excluded) {
  ClassCounters C;
  C.Name = F.name().str();
  C.Id = Id;
  C.SuperType = F.Interfaces.empty()
                    ? F.superName().str()
                    : F.Pool.className(F.Interfaces.front()).str();
  C.SourceFile = sourceFile(F).str();
  const FilteredClass Class(F, O, Excluded);
  LineTable All;
  uint32_t Probe = 0, Line = 0;
  if (Error E = forEachMethod(F, Class, [&](const FilterInput &In) {
        return countMethod(In, Ran, Probe, Line, All, C);
      }))
    return E;
  countCopies(Class.Inlined, All, C.Copies);
  if (Ran && Ran->Probes.size() != Probe)
    return makeError("the class has " + Twine(Probe) + " probes, and " +
                     Twine(Ran->Probes.size()) + " were recorded");
  if (Ran && !Ran->Edges.empty())
    if (Error E = addTimes(F, Ran->Edges, C.Lines))
      return E;
  C.IsSynthetic = F.Access & ACC_SYNTHETIC;
  if (C.Counted[Instructions].total()) {
    C.Counted[Lines] = C.Lines.count();
    C.Counted[Classes].add(C.Counted[Methods].Covered);
  }
  return C;
}
