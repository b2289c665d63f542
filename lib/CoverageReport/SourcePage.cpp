//===- SourcePage.cpp - A source file with its coverage -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourcePage.h"
#include "Highlighter.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {
enum LineState : uint8_t { NoCode, Full, Part, Missed, Threw, Ran };

/// How a page shows a state.
struct StateInfo {
  StringRef Class, Mark, Title;
};
} // namespace

static constexpr StateInfo States[] = {
    {"", "", ""},
    {"full", "\u2713", "covered"},
    {"part", "\u25d0", "covered in part"},
    {"none", "\u2717", "missed"},
    {"threw", "!", "began, and something was thrown in it"},
    {"ran", "\u00b7",
     "ran; as something was thrown behind it, it does not count as covered"},
};

static LineState stateOf(const LineCounters *L) {
  if (!L || !L->Instructions.total())
    return NoCode;
  if (L->Instructions.Covered)
    return L->Instructions.Missed || L->Branches.Missed ? Part : Full;
  return L->Fate == LineCounters::Threw ? Threw
         : L->Fate == LineCounters::Ran ? Ran
                                        : Missed;
}

namespace {
class SourceWriter {
public:
  SourceWriter(Page &P, const SourceView &V);

  void write();

private:
  void writeHints();
  void writeLine(int32_t Line, StringRef Text);
  void writeMark(int32_t Line, const LineCounters &L);
  void writeTests();
  bool beginsGap(int32_t Line) const {
    return std::binary_search(Gaps.begin(), Gaps.end(), Line);
  }
  LineState state(int32_t Line) const {
    return stateOf(V.Source.Lines.find(Line));
  }

  Page &P;
  llvm::raw_ostream &OS;
  const SourceView &V;
  llvm::SmallVector<StringRef, 0> Texts;
  int32_t Last = 0; ///< line that counts
  bool HasTimes = false;
  /// Where lines begin that miss something, one behind the other.
  std::vector<int32_t> Gaps;
  Highlighter Colours;
  /// Sets of tests, and the lines that each reaches; and by line, which set.
  std::vector<std::pair<const llvm::BitVector *, std::vector<int32_t>>> Sets;
  std::map<int32_t, size_t> SetOf;
};
} // namespace

SourceWriter::SourceWriter(Page &P, const SourceView &V)
    : P(P), OS(P.OS), V(V) {
  V.Text.split(Texts, '\n');
  if (Texts.back().empty())
    Texts.pop_back();
  const LineTable &Lines = V.Source.Lines;
  Last = Lines.first() + int32_t(Lines.lines().size()) - 1;
  // Methods are apart: more than a brace is between them.
  constexpr int32_t Apart = 2;
  int32_t InGap = INT32_MIN / 2; // last line of the gap, if there is one
  for (int32_t Line = Lines.first(); Line <= Last && !Lines.empty(); ++Line) {
    HasTimes |= Lines.find(Line)->Times.has_value();
    const LineState S = state(Line);
    if (S == NoCode)
      continue;
    if (S != Full && Line - InGap > Apart)
      Gaps.push_back(Line);
    InGap = S != Full ? Line : INT32_MIN / 2;
  }
  if (!V.Tests)
    return;
  for (auto [Line, Tests] : llvm::zip(V.Tests->Lines, V.Tests->Tests)) {
    if (Tests.none())
      continue;
    auto Known = llvm::find_if(
        Sets, [&, &T = Tests](const auto &Set) { return *Set.first == T; });
    if (Known == Sets.end())
      Known = Sets.insert(Known, {&Tests, {}});
    Known->second.push_back(Line);
    SetOf[Line] = size_t(Known - Sets.begin());
  }
}

/// What a reader should know before the lines.
void SourceWriter::writeHints() {
  if (V.Text.empty())
    P.warn("The source is not here: -sources= says where it is.");
  else if (size_t(std::max(Last, 0)) > Texts.size())
    P.warn("This source is not that of the classes: they have a line " +
           std::to_string(Last) + ".");
  size_t Of[std::size(States)] = {};
  for (const LineCounters &L : V.Source.Lines.lines())
    ++Of[stateOf(&L)];
  OS << "<p>";
  if (Of[Threw])
    OS << counted(Of[Threw], "line", "lines") << " began and threw. ";
  if (Of[Ran])
    OS << counted(Of[Ran], "line", "lines")
       << " ran before something was thrown. ";
  if (!Gaps.empty())
    OS << "<a href=\"#L" << Gaps.front()
       << "\">First missed line: " << Gaps.front() << "</a>";
  OS << "</p>\n";
}

void SourceWriter::writeMark(int32_t Line, const LineCounters &L) {
  const StateInfo &S = States[stateOf(&L)];
  OS << "<td title=\"" << S.Title;
  if (L.Branches.total())
    OS << "; " << L.Branches.Missed << " of "
       << counted(L.Branches.total(), "branch", "branches") << " missed";
  OS << "\">";
  // The mark of a gap leads to the next one.
  auto Next = llvm::upper_bound(Gaps, Line);
  const bool Leads = beginsGap(Line) && Next != Gaps.end();
  if (Leads)
    OS << "<a href=\"#L" << *Next << "\">";
  OS << S.Mark;
  if (L.Branches.total())
    OS << ' ' << L.Branches.Covered << '/' << L.Branches.total();
  if (Leads)
    OS << "</a>";
}

void SourceWriter::writeLine(int32_t Line, StringRef Text) {
  const LineCounters *L = V.Source.Lines.find(Line);
  const LineState S = stateOf(L);
  const bool IsAdded = V.Added && V.Added->count(Line);
  OS << "<tr id=\"L" << Line << '"';
  if (S != NoCode)
    OS << " class=\"" << States[S].Class << (beginsGap(Line) ? " gap" : "")
       << (IsAdded ? " added" : "") << '"';
  OS << "><th scope=\"row\"><a href=\"#L" << Line << "\">" << Line << "</a>";
  if (S == NoCode)
    OS << "<td>";
  else
    writeMark(Line, *L);
  if (HasTimes) {
    OS << "<td>";
    if (L && L->Times)
      OS << *L->Times;
  }
  if (V.Tests) {
    OS << "<td>";
    if (auto Set = SetOf.find(Line); Set != SetOf.end())
      OS << "<a href=\"#tests-" << Set->second << "\">"
         << Sets[Set->second].first->count() << "</a>";
  }
  if (V.Added)
    OS << "<td>" << (IsAdded ? "+" : "");
  OS << "<td>";
  Colours.writeLine(Text, OS);
  if (L && L->Branches.Missed)
    if (const auto Branches = V.Source.Lines.missed(Line); !Branches.empty())
      OS << "<small>never: " << toXMLText(llvm::join(Branches, "; "))
         << "</small>";
  OS << '\n';
}

/// The lines that have the same tests, and these.
void SourceWriter::writeTests() {
  constexpr unsigned Most = 50;
  OS << "<h2 id=\"tests\">Tests</h2>\n";
  for (size_t I = 0; I < Sets.size(); ++I) {
    const auto &[Tests, Lines] = Sets[I];
    std::vector<int32_t> Numbers;
    for (unsigned T : Tests->set_bits())
      Numbers.push_back(int32_t(T));
    OS << "<section id=\"tests-" << I << "\" data-tests=\"" << toRanges(Numbers)
       << "\">\n<h3>" << counted(Numbers.size(), "test reaches", "tests reach")
       << ' ' << (Lines.size() == 1 ? "line " : "lines ") << toRanges(Lines)
       << "</h3>\n<ul>\n";
    for (int32_t T : llvm::ArrayRef(Numbers).take_front(Most)) {
      OS << "<li>";
      P.link(V.TestPages[size_t(T)]);
      OS << '\n';
    }
    if (Numbers.size() > Most)
      OS << "<li>and " << Numbers.size() - Most << " more\n";
    OS << "</ul>\n</section>\n";
  }
}

void SourceWriter::write() {
  writeHints();
  OS << "<div class=\"wide\"><table class=\"source\">\n<caption>"
     << toXMLText(toSafeLine(V.Source.Name))
     << "</caption>\n<thead><tr><th scope=\"col\">line<th "
        "scope=\"col\">covered";
  if (HasTimes)
    OS << "<th scope=\"col\">times";
  if (V.Tests)
    OS << "<th scope=\"col\">tests";
  if (V.Added)
    OS << "<th scope=\"col\">new";
  OS << "<th scope=\"col\">source\n<tbody>\n";
  for (size_t I = 0; I < Texts.size(); ++I)
    writeLine(int32_t(I) + 1, Texts[I]);
  // Lines without a text are left out where nothing counts: a class file may
  // have any numbers.
  for (int32_t Line =
           std::max(V.Source.Lines.first(), int32_t(Texts.size()) + 1);
       Line <= Last; ++Line)
    if (state(Line) != NoCode)
      writeLine(Line, "");
  OS << "</table></div>\n";
  if (V.Tests && !Sets.empty())
    writeTests();
}

void coverage::writeSourceText(Page &P, const SourceView &V) {
  SourceWriter(P, V).write();
}
