//===- ViewerCoverage.cpp - Coverage for the viewer -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/ViewerCoverage.h"
#include "ElementNames.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::coverage;
using data::ViewerColumn;
using data::ViewerTable;
using llvm::StringRef;

namespace {
/// The elements as a tree: each behind the one that it is in.
class ElementTree {
public:
  ElementTree() {
    Of.Title = "Coverage";
    Of.Group = "Coverage";
    Of.Columns.emplace_back("above", ViewerColumn::Number, "above");
    Of.Columns.emplace_back("name", ViewerColumn::Text, "name");
    Of.Columns.emplace_back("element", ViewerColumn::Text);
    Of.Columns.emplace_back("line", ViewerColumn::Number);
    Of.Columns.emplace_back("instructions", ViewerColumn::Number, "total");
    Of.Columns.emplace_back("covered instructions", ViewerColumn::Number,
                            "covered");
    for (const char *Title : {"branches", "covered branches", "lines",
                              "covered lines", "methods", "covered methods"})
      Of.Columns.emplace_back(Title, ViewerColumn::Number);
  }
  ViewerTable Of;

  void add(llvm::ArrayRef<PackageCounters> Packages, int64_t Above) {
    for (const PackageCounters &P : Packages) {
      if (!P.Counted[Instructions].total())
        continue;
      const int64_t Own =
          row(Above, packageName(P.Name), "package", -1, P.Counted);
      for (const ClassCounters &C : P.Classes) {
        if (!C.Counted[Instructions].total())
          continue;
        const int64_t Class =
            row(Own, shortClassName(C), "class", -1, C.Counted);
        for (const MethodCounters &M : C.Methods)
          row(Class, methodSignature(C.Name, M, true), "method", M.FirstLine,
              M.Counted);
      }
    }
  }
  int64_t row(int64_t Above, StringRef Name, StringRef Element, int32_t Line,
              const CounterSet &Counted) {
    Of.Columns[0].add(Above);
    Of.Columns[1].add(Name);
    Of.Columns[2].add(Element);
    Of.Columns[3].add(Line >= 0 ? std::optional<int64_t>(Line) : std::nullopt);
    size_t At = 4;
    for (CounterKind K : {Instructions, Branches, Lines, Methods}) {
      Of.Columns[At++].add(int64_t(Counted[K].total()));
      Of.Columns[At++].add(int64_t(Counted[K].Covered));
    }
    return Rows++;
  }

private:
  int64_t Rows = 0;
};
} // namespace

static ViewerTable linesOf(const Bundle &B) {
  ViewerTable Of{"Lines", "Coverage", -1, {}};
  Of.Columns.emplace_back("file", ViewerColumn::Text);
  for (const char *Title : {"line", "instructions", "covered instructions",
                            "branches", "covered branches", "times"})
    Of.Columns.emplace_back(Title, ViewerColumn::Number);
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources) {
      const std::string Name = sourceName(P, S);
      int64_t Number = S.Lines.first() - 1;
      for (const LineCounters &L : S.Lines.lines()) {
        ++Number;
        if (!L.Instructions.total())
          continue;
        Of.Columns[0].add(StringRef(Name));
        Of.Columns[1].add(Number);
        Of.Columns[2].add(int64_t(L.Instructions.total()));
        Of.Columns[3].add(int64_t(L.Instructions.Covered));
        Of.Columns[4].add(int64_t(L.Branches.total()));
        Of.Columns[5].add(int64_t(L.Branches.Covered));
        Of.Columns[6].add(L.Times);
      }
    }
  return Of;
}

void coverage::addCoverage(const Bundle &B, size_t Input,
                           data::ViewerPage &To) {
  ElementTree Tree;
  if (B.Modules.empty())
    Tree.add(B.Packages, -1);
  for (const ModuleCounters &M : B.Modules)
    Tree.add(M.Packages, Tree.row(-1, M.Name, "module", -1, M.Counted));
  To.add(std::move(Tree.Of), Input);
  To.add(linesOf(B), Input);
}

ViewerTests::ViewerTests(const TestCoverage &Ran)
    : Ran(Ran), Reached(Ran.tests().size()) {
  Lines.Title = "Lines of a test";
  Lines.Group = "Tests";
  Lines.Columns.emplace_back("test", ViewerColumn::Number, "parent");
  Lines.Columns.emplace_back("name", ViewerColumn::Text, "name");
  Lines.Columns.emplace_back("file", ViewerColumn::Text);
  Lines.Columns.emplace_back("line", ViewerColumn::Number);
}

void ViewerTests::add(const TestedSource &S) {
  for (size_t I = 0; I < S.Lines.size(); ++I)
    for (unsigned Test : S.Tests[I].set_bits()) {
      ++Reached[Test];
      Lines.Columns[0].add(int64_t(Test) + 1);
      Lines.Columns[1].add(StringRef(toDisplayUTF8(Ran.tests()[Test].Name)));
      Lines.Columns[2].add(StringRef(toDisplayUTF8(S.Path)));
      Lines.Columns[3].add(int64_t(S.Lines[I]));
    }
}

void ViewerTests::finish(size_t Input, data::ViewerPage &To) {
  ViewerTable Of{"Tests", "Tests", -1, {}};
  Of.Columns.emplace_back("test", ViewerColumn::Number, "number");
  Of.Columns.emplace_back("name", ViewerColumn::Text, "name");
  Of.Columns.emplace_back("what it is", ViewerColumn::Text);
  Of.Columns.emplace_back("lines", ViewerColumn::Number);
  int64_t Number = 0;
  for (const TestCoverage::Test &T : Ran.tests()) {
    Of.Columns[0].add(Number + 1);
    Of.Columns[1].add(StringRef(toDisplayUTF8(T.Name)));
    Of.Columns[2].add(StringRef(T.IsAround   ? "around the tests of a class"
                                : T.HasEnded ? "test"
                                             : "test that did not end"));
    Of.Columns[3].add(Reached[size_t(Number++)]);
  }
  Lines.Parent = To.next();
  To.add(std::move(Of), Input);
  To.add(std::move(Lines), Input);
}
