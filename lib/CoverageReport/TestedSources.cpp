//===- TestedSources.cpp - Lines, and the tests that reach them -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/CoverageReport/TestCoverage.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

const llvm::BitVector *TestedSource::find(int32_t Line) const {
  auto It = std::lower_bound(Lines.begin(), Lines.end(), Line);
  return It == Lines.end() || *It != Line ? nullptr
                                          : &Tests[size_t(It - Lines.begin())];
}

namespace {
/// Finds the lines of each class file where it is read.
class LineFinder : public ContainerClient {
public:
  struct Found {
    uint64_t Ordinal = 0;
    std::string Name, Path;
    const TestCoverage::Class *Ran = nullptr;
    ProbeLines Lines;
    std::string Wrong; ///< empty if there are lines

    /// The lines that are reached where the probe \p Point was passed, or the
    /// line that is point \p Point was begun.
    llvm::ArrayRef<int32_t> linesOf(size_t Point) const {
      if (Point < Lines.Lines.size())
        return Lines.Lines[Point];
      const int32_t &Begun = Lines.Begun[Point - Lines.Lines.size()];
      return Begun < 0 ? llvm::ArrayRef<int32_t>() : Begun;
    }
  };

  LineFinder(const TestCoverage &Ran, Filters Rules,
             llvm::function_ref<bool(StringRef)> IsWanted)
      : Ran(Ran), Rules(Rules), IsWanted(IsWanted) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    Found Own;
    Own.Ordinal = E.Ordinal;
    if (Error Err = find(Data, Own))
      Own.Wrong = E.display() + ": " + toMessage(std::move(Err));
    keep(std::move(Own));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &E, Error Why) override {
    Found Own;
    Own.Ordinal = E.Ordinal;
    Own.Wrong = toMessage(std::move(Why));
    keep(std::move(Own));
    return Error::success();
  }

  /// In the order of the inputs.
  std::vector<Found> take() {
    llvm::sort(All, [](const Found &A, const Found &B) {
      return A.Ordinal < B.Ordinal;
    });
    return std::move(All);
  }

private:
  void keep(Found Own) {
    if (Own.Name.empty() && Own.Wrong.empty())
      return;
    const std::lock_guard<std::mutex> Guard(Lock);
    All.push_back(std::move(Own));
  }

  Error find(Bytes Data, Found &Own) {
    auto F = readClass(Data);
    if (!F)
      return F.takeError();
    if ((*F)->Access & (ACC_MODULE | ACC_SYNTHETIC))
      return Error::success();
    const StringRef Source = sourceFile(**F);
    StringRef Name = (*F)->name();
    if (Source.empty())
      return Error::success();
    const std::string Path =
        (Name.take_front(Name.rfind('/') + 1) + Source).str();
    if (!IsWanted(Path))
      return Error::success();
    auto Lines = findProbeLines(**F, Rules);
    if (!Lines)
      return Lines.takeError();
    Own.Lines = std::move(*Lines);
    Own.Name = Name.str();
    Own.Path = Path;
    Own.Ran = Ran.find(classId(Data));
    if (Own.Ran && !fits(*Own.Ran, Own.Lines))
      return makeError("it has another number of probes than was recorded");
    return Error::success();
  }

  static bool fits(const TestCoverage::Class &Ran, const ProbeLines &Lines) {
    const size_t NumProbes = Lines.Lines.size();
    return Ran.NumProbes == NumProbes &&
           llvm::all_of(Ran.Sets, [&](const llvm::BitVector &Set) {
             return Set.size() <= NumProbes ||
                    Set.size() == NumProbes + Lines.Begun.size();
           });
  }

  const TestCoverage &Ran;
  const Filters Rules;
  const llvm::function_ref<bool(StringRef)> IsWanted;
  std::mutex Lock;
  std::vector<Found> All;
};

/// The classes of a source file, to one.
class SourceMaker {
public:
  SourceMaker(StringRef Path, size_t NumTests) : NumTests(unsigned(NumTests)) {
    Made.Path = Path.str();
    Made.Any.resize(this->NumTests);
  }

  void add(const LineFinder::Found &C) {
    for (int32_t Line : C.Lines.Counted)
      testsOf(Line);
    llvm::append_range(Made.Methods, C.Lines.Methods);
    if (!C.Ran)
      return;
    // A set at a time: many tests have one.
    std::map<uint32_t, llvm::BitVector> BySet;
    llvm::BitVector All(NumTests);
    for (auto [Test, Set] : C.Ran->Reached) {
      auto [It, IsNew] = BySet.try_emplace(Set, NumTests);
      It->second.set(Test);
      All.set(Test);
    }
    for (const auto &[Set, Tests] : BySet)
      for (unsigned Point : C.Ran->Sets[Set].set_bits())
        for (int32_t Line : C.linesOf(Point))
          testsOf(Line) |= Tests;
    for (int32_t Line : C.Lines.Initialiser)
      testsOf(Line) |= All;
    Made.Any |= All;
  }

  TestedSource take() {
    for (auto &[Line, Tests] : ByLine) {
      Made.Lines.push_back(Line);
      Made.Tests.push_back(std::move(Tests));
    }
    return std::move(Made);
  }

  TestedSource Made;

private:
  llvm::BitVector &testsOf(int32_t Line) {
    return ByLine.try_emplace(Line, NumTests).first->second;
  }

  const unsigned NumTests;
  std::map<int32_t, llvm::BitVector> ByLine;
};
} // namespace

/// By path, those that count, of all that were found.
static std::map<std::string, std::vector<const LineFinder::Found *>>
chooseClasses(llvm::ArrayRef<LineFinder::Found> All, data::LeftOut Tell) {
  std::map<std::string, const LineFinder::Found *> Chosen;
  for (const LineFinder::Found &Own : All) {
    if (!Own.Wrong.empty()) {
      Tell(Own.Wrong);
      continue;
    }
    auto [It, IsNew] = Chosen.try_emplace(Own.Name, &Own);
    if (!IsNew && Own.Ran && !It->second->Ran)
      It->second = &Own;
  }
  std::map<std::string, std::vector<const LineFinder::Found *>> ByPath;
  for (const auto &[Name, Own] : Chosen)
    ByPath[Own->Path].push_back(Own);
  return ByPath;
}

Error coverage::forEachTestedSource(
    llvm::ArrayRef<std::string> Inputs, const TestCoverage &Ran, Filters Rules,
    data::LeftOut Tell, llvm::function_ref<bool(StringRef)> IsWanted,
    llvm::function_ref<Error(const TestedSource &)> Use) {
  auto In = InputSet::open(Inputs);
  if (!In)
    return In.takeError();
  LineFinder Finder(Ran, Rules, IsWanted);
  if (Error E = processInputs(*In, Finder, nullptr, ProcessOptions()))
    return E;
  const std::vector<LineFinder::Found> All = Finder.take();
  for (const auto &[Path, Classes] : chooseClasses(All, Tell)) {
    SourceMaker Maker(Path, Ran.tests().size());
    for (const LineFinder::Found *C : Classes) {
      Maker.add(*C);
      if (C->Ran || !Ran.hasName(C->Name))
        continue;
      Maker.Made.IsOther = true;
      Tell("class " + toDisplayUTF8(C->Name) +
           ": tests reached another class file of the name");
    }
    if (Error E = Use(Maker.take()))
      return E;
  }
  return Error::success();
}
