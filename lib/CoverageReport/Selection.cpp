//===- Selection.cpp - The tests that a change concerns -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Selection.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::string coverage::toRanges(llvm::ArrayRef<int32_t> Lines) {
  std::string Text;
  for (size_t I = 0; I < Lines.size();) {
    size_t End = I + 1;
    while (End < Lines.size() && Lines[End] == Lines[End - 1] + 1)
      ++End;
    Text += (Text.empty() ? "" : " ") + std::to_string(Lines[I]);
    if (End > I + 1)
      Text += "-" + std::to_string(Lines[End - 1]);
    I = End;
  }
  return Text;
}

/// Of `p.ATest$Inner#method[1]` the class and the method.
static std::pair<StringRef, StringRef> splitName(StringRef Test) {
  auto [Class, Method] = Test.split('#');
  return {Class, Method.take_until([](char C) { return C == '['; })};
}

/// `p/ATest` of that: what its source file is called, but for its end.
static std::string sourceOf(StringRef Test) {
  std::string Path =
      Test.take_until([](char C) { return C == '#' || C == '$'; }).str();
  std::replace(Path.begin(), Path.end(), '.', '/');
  return Path;
}

namespace {
class Selector {
public:
  Selector(const TestCoverage &Ran, const std::vector<FoundTest> *Now)
      : Ran(Ran), Now(Now), Selected(unsigned(Ran.tests().size())) {
    for (const TestCoverage::Test &T : Ran.tests())
      Names.push_back(toDisplayUTF8(T.Name));
    for (unsigned I = 0; I < Names.size(); ++I)
      BySource[sourceOf(Names[I])].push_back(I);
    if (Now)
      for (const FoundTest &T : *Now)
        TestSources.insert(T.Source);
  }

  std::map<std::string, TestedSource> Sources;

  void add(const ChangedFile &F) {
    const StringRef Path = F.Old.empty() ? F.New : F.Old;
    const bool WasTest = addTestSource(F.Old), IsTest = addTestSource(F.New);
    if (WasTest || IsTest)
      return;
    const StringRef Known = matchSource(
        F.Old, [&](StringRef P) { return Sources.count(P.str()) != 0; });
    if (Known.empty()) {
      auto &To = !isSource(Path) ? Made.Others
                 : F.Old.empty() ? Made.NewSources
                                 : Made.Unknown;
      To.push_back(Path.str());
      return;
    }
    change(Sources.find(Known.str())->second, F);
  }

  Selection take() {
    std::set<std::string> Run;
    std::set<std::pair<StringRef, StringRef>> Recorded;
    std::set<StringRef> Classes;
    if (Now)
      for (const FoundTest &T : *Now)
        Classes.insert(splitName(T.Name).first);
    addTestsOfClasses();
    for (unsigned I = 0; I < Names.size(); ++I) {
      if (Ran.tests()[I].IsAround)
        continue;
      Recorded.insert(splitName(Names[I]));
      if (Now && !Classes.count(splitName(Names[I]).first)) {
        Made.Gone.push_back(Names[I]);
        continue;
      }
      if (!Ran.tests()[I].HasEnded)
        Made.Open.push_back(Names[I]);
      else if (!Selected[I])
        continue;
      Run.insert(Names[I]);
    }
    if (Now)
      for (const FoundTest &T : *Now)
        if (!Recorded.count(splitName(T.Name)) && Run.insert(T.Name).second)
          Made.New.push_back(T.Name);
    Made.Run.assign(Run.begin(), Run.end());
    return std::move(Made);
  }

private:
  /// Selects all tests of a class, and of its inner classes, if the code around
  /// them is selected.
  void addTestsOfClasses() {
    for (unsigned Class = 0; Class < Names.size(); ++Class)
      for (unsigned I = 0; I < Names.size(); ++I)
        if (Selected[Class] && Ran.tests()[Class].IsAround &&
            StringRef(Names[I]).starts_with(Names[Class]) &&
            Names[I].find_first_of("#$", Names[Class].size()) ==
                Names[Class].size())
          Selected.set(I);
  }

  /// The tests of a source file that is changed itself; false if it has none.
  bool addTestSource(StringRef Path) {
    bool Is = false;
    const StringRef Stem = Path.substr(0, Path.rfind('.'));
    const StringRef Own = matchSource(
        Stem, [&](StringRef P) { return BySource.count(P.str()) != 0; });
    if (!Own.empty() && isSource(Path)) {
      for (unsigned I : BySource[Own.str()])
        Selected.set(I);
      Is = true;
    }
    return Is || !matchSource(Path, [&](StringRef P) {
                    return TestSources.count(P.str()) != 0;
                  }).empty();
  }

  void change(const TestedSource &S, const ChangedFile &F) {
    std::vector<int32_t> Unreached;
    if (F.New.empty() || S.IsOther)
      Selected |= S.Any;
    for (size_t I = 0; I < F.Lines.size();) {
      size_t Middle = I;
      while (Middle < F.Lines.size() && !F.Lines[Middle].IsAdded &&
             F.Lines[Middle].Old == F.Lines[I].Old + (Middle - I))
        ++Middle;
      size_t End = Middle;
      while (End < F.Lines.size() && F.Lines[End].IsAdded &&
             F.Lines[End].Old ==
                 (Middle > I ? F.Lines[Middle - 1].Old : F.Lines[I].Old))
        ++End;
      const llvm::ArrayRef<ChangedLine> All(F.Lines);
      replace(S, All.slice(I, Middle - I), All.slice(Middle, End - Middle),
              Unreached);
      I = End;
    }
    if (!Unreached.empty())
      Made.Unreached.push_back(toDisplayUTF8(S.Path) + ":" +
                               toRanges(Unreached));
  }

  /// \p Added stands where \p Removed did.
  void replace(const TestedSource &S, llvm::ArrayRef<ChangedLine> Removed,
               llvm::ArrayRef<ChangedLine> Added,
               std::vector<int32_t> &Unreached) {
    bool HasCode = false;
    for (const ChangedLine &L : Removed) {
      if (L.IsBare)
        continue;
      HasCode = true;
      if (L.IsType)
        Selected |= S.Any;
      const llvm::BitVector *Tests = S.find(int32_t(L.Old));
      if (!Tests) {
        // A part of a statement that begins before it, if in a method.
        addBeside(S, int32_t(L.Old), Unreached);
        continue;
      }
      Selected |= *Tests;
      if (Tests->none())
        Unreached.push_back(int32_t(L.Old));
    }
    const bool Adds =
        llvm::any_of(Added, [](const ChangedLine &L) { return !L.IsBare; });
    if (Adds && !HasCode)
      addBeside(S, int32_t(Added.front().Old), Unreached);
  }

  /// Something is changed on or behind line \p Before, which has no code.
  void addBeside(const TestedSource &S, int32_t Before,
                 std::vector<int32_t> &Unreached) {
    const bool IsInside =
        llvm::any_of(S.Methods, [&](std::pair<int32_t, int32_t> M) {
          return M.first <= Before && Before < M.second;
        });
    if (!IsInside) {
      Selected |= S.Any;
      return;
    }
    const auto Next = std::upper_bound(S.Lines.begin(), S.Lines.end(), Before);
    llvm::BitVector Beside(Selected.size());
    if (Next != S.Lines.end())
      Beside |= *S.find(*Next);
    if (Next != S.Lines.begin())
      Beside |= *S.find(*std::prev(Next));
    Selected |= Beside;
    if (Beside.none() && Next != S.Lines.begin())
      Unreached.push_back(*std::prev(Next));
  }

  const TestCoverage &Ran;
  const std::vector<FoundTest> *const Now;
  std::vector<std::string> Names; ///< of Ran
  std::map<std::string, std::vector<unsigned>> BySource;
  std::set<std::string> TestSources;
  llvm::BitVector Selected;
  Selection Made;
};
} // namespace

Expected<Selection> coverage::selectTests(llvm::ArrayRef<ChangedFile> Changes,
                                          llvm::ArrayRef<std::string> Inputs,
                                          const TestCoverage &Ran,
                                          const std::vector<FoundTest> *Tests,
                                          Filters Rules, data::LeftOut Tell) {
  Selector S(Ran, Tests);
  auto IsWanted = [&](StringRef Path) {
    return llvm::any_of(Changes, [&](const ChangedFile &F) {
      return !matchSource(F.Old, [&](StringRef P) {
                return P == Path;
              }).empty();
    });
  };
  if (Error E = forEachTestedSource(Inputs, Ran, Rules, Tell, IsWanted,
                                    [&](const TestedSource &Source) {
                                      S.Sources.emplace(Source.Path, Source);
                                      return Error::success();
                                    }))
    return E;
  for (const ChangedFile &F : Changes)
    S.add(F);
  return S.take();
}
