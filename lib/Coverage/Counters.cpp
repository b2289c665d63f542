//===- Counters.cpp - What of a class was covered -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Counters.h"
#include "BegunLines.h"
#include "MethodCounter.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"

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
  for (const auto &[Line, Branches] : O.Missed)
    llvm::append_range(Missed[Line], Branches);
}

Counter LineTable::count() const {
  Counter Found;
  for (const LineCounters &L : Table)
    if (L.Instructions.total())
      Found.add(L.Instructions.Covered);
  return Found;
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

namespace {
/// Counts the methods of one class, in the order of the file.
class CodeCounter {
public:
  CodeCounter(const FilteredClass &Class, const ClassCoverage *Ran,
              ClassCounters &To)
      : Class(Class), Ran(Ran), To(To) {}

  Error add(const FilterInput &In);
  /// Fails if \p Ran is of another class file.
  Error finish();

private:
  Error addSegments(const FilterInput &In, MethodCounter &Counter);
  Error addEdges(const FilterInput &In, MethodCounter &Counter);

  const FilteredClass &Class;
  const ClassCoverage *const Ran; ///< null: nothing was recorded
  ClassCounters &To;
  /// The numbers of the next method's first points.
  uint32_t Probe = 0, Line = 0, Segment = 0;
  size_t Method = 0; ///< among those with code
  LineTable All;     ///< all instructions, if code was inlined
  /// How often control came to a line.
  std::vector<std::pair<int32_t, int64_t>> Times;
};
} // namespace

Error CodeCounter::addSegments(const FilterInput &In, MethodCounter &Counter) {
  auto Points = findPoints(PointSet::Segments, In.F, In.M, In.Code);
  if (!Points)
    return Points.takeError();
  Points->FirstOther = Segment;
  Segment += uint32_t(Points->Points.size());
  if (Segment > Ran->Segments.size())
    return makeError("other segments were recorded");
  Counter.arrive(*Points, Ran->Segments);
  return Error::success();
}

Error CodeCounter::addEdges(const FilterInput &In, MethodCounter &Counter) {
  auto Edges = findEdges(In.F, In.M, In.Code);
  if (!Edges)
    return Edges.takeError();
  if (Method >= Ran->Edges.size() || !Edges->accepts(Ran->Edges[Method]))
    return makeError("other code was counted");
  const EdgeCounts &Counts = Ran->Edges[Method++];
  Counter.arrive(*Edges, Counts);
  Edges->forEachArrival(
      Counts, [&](int32_t Line, int64_t N) { Times.emplace_back(Line, N); });
  return Error::success();
}

Error CodeCounter::add(const FilterInput &In) {
  const uint32_t First = Probe;
  MethodCounter Counter(In.Flow, Ran ? &Ran->Probes : nullptr, First);
  Probe = Counter.nextProbe();
  if (Ran && !Ran->Segments.empty())
    if (Error E = addSegments(In, Counter))
      return E;
  if (Ran && !Ran->Edges.empty())
    if (Error E = addEdges(In, Counter))
      return E;
  if (!Class.Inlined.empty())
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
  if (Class.Options.CountBegun)
    coverBegun(Lines, Own.Counted);
  if (!Own.Counted[Instructions].total())
    return Error::success();
  Own.Name = In.F.name(In.M).str();
  Own.Descriptor = In.F.descriptor(In.M).str();
  Own.FirstLine = Lines.first();
  To.Counted += Own.Counted;
  To.Lines.add(Lines);
  if (Class.IsKotlin)
    Own.Lines = std::move(Lines);
  To.Methods.push_back(std::move(Own));
  return Error::success();
}

Error CodeCounter::finish() {
  if (Ran && Ran->Probes.size() != Probe &&
      (Ran->Segments.empty() || !Ran->Probes.empty()))
    return makeError("the class has " + Twine(Probe) + " probes, and " +
                     Twine(Ran->Probes.size()) + " were recorded");
  if (Ran && !Ran->Segments.empty() && Ran->Segments.size() != Segment)
    return makeError("the class has " + Twine(Segment) + " segments, and " +
                     Twine(Ran->Segments.size()) + " were recorded");
  // Of a text made to be slow only the beginning counts.
  size_t Left = 1u << 22;
  for (const InlinedLines &C : Class.Inlined)
    for (int32_t I = 0; I < C.Count && Left; ++I, --Left)
      if (const LineCounters *L = All.find(C.Output + I))
        if (L->Instructions.total())
          To.Copies[C.Of.str()].add(C.Input + I, *L);
  for (auto [Line, N] : Times)
    To.Lines.addTimes(Line, N);
  if (!To.Counted[Instructions].total())
    return Error::success();
  To.Counted[Lines] = To.Lines.count();
  To.Counted[Classes].add(To.Counted[Methods].Covered);
  return Error::success();
}

StringRef coverage::sourceFile(const ClassFile &F) {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "SourceFile");
  return A && A->Data.size() == 2 ? F.Pool.utf8(readU2(A->Data.data()))
                                  : StringRef();
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
  C.IsSynthetic = F.Access & ACC_SYNTHETIC;
  C.HasRun = Ran;
  CodeCounter Counter(Class, Ran, C);
  if (Error E = forEachMethod(
          F, Class, [&](const FilterInput &In) { return Counter.add(In); }))
    return E;
  if (Error E = Counter.finish())
    return E;
  return C;
}
