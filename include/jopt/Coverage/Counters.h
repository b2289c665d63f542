//===- Counters.h - What of a class was covered -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JaCoCo's counters of a class: from the class file as it was before it was
/// woven, and the probes that were passed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_COUNTERS_H
#define JOPT_COVERAGE_COUNTERS_H

#include "jopt/Coverage/CoverageData.h"
#include "jopt/IR/Model/ClassFile.h"
#include <array>
#include <map>
#include <optional>

namespace jopt::coverage {

struct Counter {
  uint32_t Missed = 0, Covered = 0;

  uint32_t total() const { return Missed + Covered; }
  void add(bool IsCovered) { ++(IsCovered ? Covered : Missed); }
  Counter &operator+=(const Counter &O) {
    Missed += O.Missed;
    Covered += O.Covered;
    return *this;
  }
};

/// The kinds of counters.
enum CounterKind : uint8_t {
  Instructions,
  Branches,   ///< edges out of instructions that have more than one
  Lines,      ///< with instructions; covered if one of them is
  Complexity, ///< independent paths through methods
  Methods,    ///< covered if any instruction is
  Classes     ///< covered if any method is
};
constexpr unsigned NumCounters = Classes + 1;
/// `INSTRUCTION`, as reports have it.
llvm::StringRef counterName(CounterKind K);

/// One counter of each kind.
struct CounterSet : std::array<Counter, NumCounters> {
  CounterSet() : array() {}
  CounterSet &operator+=(const CounterSet &O);
};

/// The counters of a line of source.
struct LineCounters {
  Counter Instructions, Branches;
  /// How the line ended, where the strategy recorded which lines are begun.
  /// Probes do not show this. Threw: each time the line was begun, something
  /// was thrown in it. Ran: it has run, as control reached the code behind it.
  enum Fates : uint8_t { Unknown, Threw, Ran } Fate = Unknown;

  /// No instruction counts as covered, but it was begun.
  bool onlyThrew() const { return Fate == Threw && !Instructions.Covered; }
  /// How often control came to it, from another line or around a loop within
  /// it; nothing if that was not counted.
  std::optional<int64_t> Times;
};

/// The lines of a method, class or source file; those between that have no
/// instruction, too.
class LineTable {
public:
  /// \p Line counts from 1.
  void add(int32_t Line, const LineCounters &C);
  void add(const LineTable &O);
  /// Null if \p Line is before the first or behind the last.
  LineCounters *find(int32_t Line) {
    const size_t At = size_t(int64_t(Line) - First);
    return Line >= First && At < Table.size() ? &Table[At] : nullptr;
  }
  const LineCounters *find(int32_t Line) const {
    return const_cast<LineTable *>(this)->find(Line);
  }
  /// Control came so often to \p Line, if that has instructions.
  void addTimes(int32_t Line, int64_t Times);
  /// A branch of \p Line that was missed, though its instruction was covered:
  /// when it is taken, and to which line it leads.
  void addMissed(int32_t Line, std::string What) {
    Missed[Line].push_back(std::move(What));
  }
  llvm::ArrayRef<std::string> missed(int32_t Line) const {
    auto At = Missed.find(Line);
    if (At == Missed.end())
      return {};
    return At->second;
  }
  bool empty() const { return Table.empty(); }
  /// The first line that has instructions; -1 if none.
  int32_t first() const { return Table.empty() ? -1 : First; }
  llvm::ArrayRef<LineCounters> lines() const { return Table; }
  Counter count() const;

private:
  int32_t First = 0;
  std::vector<LineCounters> Table;
  std::map<int32_t, std::vector<std::string>> Missed; ///< branches
};

struct MethodCounters {
  std::string Name, Descriptor;
  int32_t FirstLine = -1; ///< -1 if it is not known
  CounterSet Counted;
  LineTable Lines; ///< of a Kotlin class, until addCopies is done
};

/// A class; names are in modified UTF-8, as in the class file.
struct ClassCounters {
  std::string Name;
  std::string SourceFile; ///< empty if it is not known
  /// The first interface, or the superclass: by what reports call a class
  /// without a name.
  std::string SuperType;
  uint64_t Id = 0;
  bool IsSynthetic = false; ///< nothing in it counts, but its Copies do
  bool HasRun = false;      ///< something was recorded of it
  unsigned Input = 0;       ///< which input of countClasses() has it
  CounterSet Counted;
  std::vector<MethodCounters> Methods; ///< those with instructions that count
  LineTable Lines;
  /// Of copies of inline functions in it, which do not count here: the
  /// instructions of their lines, by the class that they are written in.
  std::map<std::string, LineTable> Copies;
};

/// The code made by compilers that does not count.
enum class Filters : uint8_t {
  None,
  JaCoCo086,  ///< what JaCoCo 0.8.6 leaves out
  JaCoCo0816, ///< what JaCoCo 0.8.16 leaves out, its faults included
  All         ///< the same without those faults
};

/// What of classes counts.
struct CountOptions {
  Filters Rules = Filters::All;
  /// A line that was begun and threw (LineCounters::onlyThrew) is covered, with
  /// one of its instructions.
  bool CountBegun = false;
  /// Classes and methods with one of these annotations do not count: names
  /// as `a.b.C`, or without their package; `*` matches anything.
  llvm::ArrayRef<std::string> ExcludedAnnotations = {};
};

/// Lines of a source file that do not count, each from its first to its last;
/// ascending.
using ExcludedLines = std::vector<std::pair<int32_t, int32_t>>;

/// The counters of \p F, the class file with the id \p Id. \p Ran is what was
/// recorded of it; null if nothing was. An error if the code of a method cannot
/// be counted (findPoints), or the class has another number of probes than
/// \p Ran.
llvm::Expected<ClassCounters> countClass(ClassFile &F, uint64_t Id,
                                         const ClassCoverage *Ran,
                                         const CountOptions &O = {},
                                         const ExcludedLines &Excluded = {});

/// \p Copies are the lines of copies of inline functions of \p C in a class, as
/// ClassCounters has them. As JaCoCo does since 0.8.13, each such line of \p C
/// becomes one instruction without branches, covered if it or a copy of it is.
void addCopies(ClassCounters &C, const LineTable &Copies);

/// Where the probes of a class stand in its source.
struct ProbeLines {
  /// By probe: the lines that are covered if it was passed, ascending. What
  /// several probes cover is what each of them does.
  std::vector<llvm::SmallVector<int32_t, 2>> Lines;
  /// By the other points of PointSet::ProbesAndLines: the line that begins
  /// there; -1 if it does not count.
  std::vector<int32_t> Begun;
  std::vector<int32_t> Counted; ///< lines with instructions that count
  /// The first and the last line of each method that has such; of initialisers
  /// and constructors not, as they have fields' lines too.
  std::vector<std::pair<int32_t, int32_t>> Methods;
  std::vector<int32_t> Initialiser; ///< those of `<clinit>`
};

/// The lines of \p F, by the rules of countClass.
llvm::Expected<ProbeLines> findProbeLines(ClassFile &F,
                                          Filters Rules = Filters::All);

/// The name of the source file of \p F; empty if it is not known.
llvm::StringRef sourceFile(const ClassFile &F);

} // namespace jopt::coverage

#endif
