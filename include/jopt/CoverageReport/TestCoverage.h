//===- TestCoverage.h - Which tests reached what ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The JaCoCo probes that each test of any number of runs passed, and the lines
/// of source for them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_TESTCOVERAGE_H
#define JOPT_COVERAGEREPORT_TESTCOVERAGE_H

#include "jopt/Coverage/Counters.h"
#include "jopt/Data/Run.h"
#include <map>

namespace jopt::coverage {

/// The tests of all runs that were added, by name, and the probes of classes
/// that each passed. What several tests of a name passed is one. Adding is
/// commutative and associative. Not thread-safe.
class TestCoverage {
public:
  struct Test {
    std::string Name; ///< in modified UTF-8
    /// It is what went on around the tests of a class, whose name it has.
    bool IsAround = false;
    /// It ended in some run: only then it is known what it passed.
    bool HasEnded = false;
    /// Others ran at the same time, so it may not have passed all it has.
    bool IsShared = false;
  };
  /// A class that tests reached. Many tests pass the same probes of it, so a
  /// set stands once.
  struct Class {
    std::string Name; ///< internal, in modified UTF-8
    unsigned NumProbes = 0;
    /// Of probes, and behind them of lines that were begun if these were
    /// recorded.
    std::vector<llvm::BitVector> Sets;
    /// Number of a test, place in Sets. A test may have several.
    std::vector<std::pair<uint32_t, uint32_t>> Reached;
  };

  /// Adds the tests of \p R. Calls \p Tell for damaged ones and leaves them
  /// out.
  llvm::Error add(const data::Run &R, data::LeftOut Tell);
  /// Orders the tests by name, once all runs were added: the number of a test
  /// is its place.
  void finish();

  llvm::ArrayRef<Test> tests() const { return Tests; }
  /// Of some class it was not recorded which lines were begun: a test in which
  /// such a line threw may be missing there.
  bool missesThrows() const { return MissesThrows; }
  /// The class file with that id; null if no test reached it.
  const Class *find(uint64_t Id) const;
  /// Some class of the name was reached.
  bool hasName(llvm::StringRef Name) const { return Names.count(Name.str()); }

private:
  uint32_t numberOf(llvm::StringRef Name);

  bool MissesThrows = false;
  std::vector<Test> Tests;
  std::unordered_map<std::string, uint32_t> Numbers;
  std::unordered_map<uint64_t, Class> Classes;
  std::unordered_map<std::string, unsigned> Names;
};

/// A source file, and which tests reached which line of it.
struct TestedSource {
  std::string Path; ///< package and name, `p/A.java`, in modified UTF-8
  /// The lines with instructions that count, ascending.
  std::vector<int32_t> Lines;
  /// The first and the last such line of each method that is no constructor.
  std::vector<std::pair<int32_t, int32_t>> Methods;
  /// For each of Lines, by number, the tests.
  std::vector<llvm::BitVector> Tests;
  /// Those that reached any of it.
  llvm::BitVector Any;
  /// The class files of it are not those that ran.
  bool IsOther = false;

  /// The tests of \p Line; null if nothing on it counts.
  const llvm::BitVector *find(int32_t Line) const;
};

/// Calls \p Use with the source files of the classes of \p Inputs (folders,
/// archives, class files), by path, those alone that \p IsWanted. Among classes
/// of one name the one that tests reached counts, else the first. A line of a
/// class initialiser is reached by all tests that reach the class: it runs
/// once, in whichever comes first. Calls \p Tell for inputs that could not be
/// read, and for classes of which tests reached another file.
llvm::Error
forEachTestedSource(llvm::ArrayRef<std::string> Inputs, const TestCoverage &Ran,
                    Filters Rules, data::LeftOut Tell,
                    llvm::function_ref<bool(llvm::StringRef Path)> IsWanted,
                    llvm::function_ref<llvm::Error(const TestedSource &)> Use);

} // namespace jopt::coverage

#endif
