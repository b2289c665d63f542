//===- PageParts.cpp - What pages of a report consist of ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageParts.h"
#include "jopt/CoverageReport/Check.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

std::string FileNames::take(StringRef Wanted, StringRef Ending) {
  constexpr size_t Longest = 120;
  std::string Name;
  for (char C : Wanted.take_front(Longest))
    Name += llvm::isAlnum(C) || StringRef("_.$-").contains(C) ? C : '_';
  if (Name.empty() || Name.front() == '.')
    Name.insert(0, "_");
  auto IsNew = [&] {
    return Taken.insert(StringRef(Name + Ending.str()).lower()).second;
  };
  if (Wanted.size() <= Longest && IsNew())
    return Name + Ending.str();
  Name += "-" + llvm::utohexstr(llvm::xxh3_64bits(Wanted), /*LowerCase=*/true);
  while (!IsNew())
    Name += "_";
  return Name + Ending.str();
}

std::string coverage::counted(uint64_t N, StringRef One, StringRef Many) {
  return std::to_string(N) + " " + (N == 1 ? One : Many).str();
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

Page::Page(llvm::raw_ostream &OS, StringRef Title, unsigned Depth,
           llvm::ArrayRef<PageLink> Path, llvm::ArrayRef<PageLink> Others,
           StringRef Version)
    : OS(OS), Version(Version) {
  for (unsigned I = 0; I < Depth; ++I)
    Root += "../";
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>"
     << toXMLText(Title) << "</title>\n<link rel=\"stylesheet\" href=\"" << Root
     << "report.css\">\n<script src=\"" << Root
     << "report.js\" defer></script>\n</head>\n<body data-root=\"" << Root
     << "\">\n<header>\n<nav aria-label=\"Breadcrumbs\">";
  for (const PageLink &L : Path) {
    link(L);
    OS << " / ";
  }
  OS << "<span aria-current=\"page\">" << toXMLText(Title)
     << "</span></nav>\n<nav aria-label=\"Report\">";
  llvm::ListSeparator Dot(" \u00b7 ");
  for (const PageLink &L : Others) {
    OS << Dot;
    link(L);
  }
  OS << "</nav>\n</header>\n<main>\n<h1>" << toXMLText(Title) << "</h1>\n";
}

Page::~Page() {
  OS << "</main>\n<footer>" << toXMLText(Version)
     << "</footer>\n</body>\n</html>\n";
}

void Page::link(const PageLink &L) {
  if (L.Link.empty())
    OS << toXMLText(L.Text);
  else
    OS << "<a href=\"" << Root << toXMLText(L.Link) << "\">"
       << toXMLText(L.Text) << "</a>";
}

void Page::warn(StringRef Text) {
  OS << "<p class=\"warning\">" << toXMLText(Text) << "</p>\n";
}

static constexpr StringRef KindNames[] = {
    "Instructions", "Branches", "Lines", "Complexity", "Methods", "Classes"};

void Page::summary(const CounterSet &C) {
  OS << "<p>";
  llvm::ListSeparator Comma(", ");
  for (unsigned K = 0; K < NumCounters; ++K)
    if (C[K].total())
      OS << Comma << KindNames[K].lower() << ' ' << percentText(C[K]);
  OS << "</p>\n";
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Kinds that have a bar and a percentage.
static constexpr unsigned NumWithBars = Branches + 1;
static constexpr uint64_t BarWidth = 100;

/// A bar as long as \p C is large, of \p Largest.
static void writeBar(llvm::raw_ostream &OS, const Counter &C,
                     uint32_t Largest) {
  auto WidthOf = [&](uint64_t Part) {
    return Part ? std::max<uint64_t>(Part * BarWidth / Largest, 1) : 0;
  };
  const uint64_t Missed = WidthOf(C.Missed), Covered = WidthOf(C.Covered);
  OS << "<td class=\"bar\">";
  if (!C.total())
    return;
  OS << "<svg width=\"" << Missed + Covered
     << "\" height=\"10\" aria-hidden=\"true\">";
  if (Missed)
    OS << "<rect class=\"missed\" width=\"" << Missed << "\" height=\"10\"/>";
  if (Covered)
    OS << "<rect class=\"covered\" x=\"" << Missed << "\" width=\"" << Covered
       << "\" height=\"10\"/>";
  OS << "</svg>";
}

static void writeCells(llvm::raw_ostream &OS, const CounterSet &C,
                       const CounterSet *Largest, unsigned Kinds) {
  for (unsigned K = 0; K < Kinds; ++K) {
    if (K < NumWithBars) {
      if (Largest)
        writeBar(OS, C[K], (*Largest)[K].Missed);
      else
        OS << "<td>";
      OS << "<td>" << (C[K].total() ? percentText(C[K]) : "");
    }
    if (C[K].total())
      OS << "<td>" << C[K].Missed << "<td>" << C[K].total();
    else
      OS << "<td><td>";
  }
  OS << '\n';
}

static void writeHead(llvm::raw_ostream &OS, StringRef Element,
                      unsigned Kinds) {
  OS << "<thead><tr><th scope=\"col\" rowspan=\"2\">" << Element;
  for (unsigned K = 0; K < Kinds; ++K)
    OS << "<th scope=\"colgroup\" colspan=\"" << (K < NumWithBars ? 4 : 2)
       << "\">" << KindNames[K];
  OS << "\n<tr>";
  for (unsigned K = 0; K < Kinds; ++K) {
    if (K < NumWithBars)
      OS << "<td class=\"bar\"><th scope=\"col\">covered";
    OS << "<th scope=\"col\""
       << (K == Instructions ? " aria-sort=\"descending\"" : "")
       << ">missed<th scope=\"col\">of";
  }
  OS << "\n<tbody>\n";
}

void coverage::writeCounterTable(Page &P, StringRef Caption, StringRef Element,
                                 std::vector<ElementRow> Rows,
                                 const CounterSet &Total, unsigned Kinds) {
  llvm::erase_if(Rows, [](const ElementRow &R) {
    return !(*R.Counted)[Instructions].total();
  });
  if (Rows.empty())
    return;
  llvm::stable_sort(Rows, [](const ElementRow &A, const ElementRow &B) {
    auto Key = [](const ElementRow &R) {
      return std::tuple(-int64_t((*R.Counted)[Instructions].Missed),
                        -int64_t((*R.Counted)[Branches].Missed),
                        StringRef(R.Name.Text));
    };
    return Key(A) < Key(B);
  });
  // Their Missed are the totals of the largest rows.
  CounterSet Largest;
  for (const ElementRow &R : Rows)
    for (unsigned K = 0; K < NumWithBars; ++K)
      Largest[K].Missed = std::max(Largest[K].Missed, (*R.Counted)[K].total());
  P.OS << "<div class=\"wide\"><table class=\"counters\">\n<caption>" << Caption
       << "</caption>\n";
  writeHead(P.OS, Element, Kinds);
  for (const ElementRow &R : Rows) {
    P.OS << "<tr";
    if (!R.Id.empty())
      P.OS << " id=\"" << toXMLText(R.Id) << '"';
    P.OS << "><th scope=\"row\">";
    P.link(R.Name);
    writeCells(P.OS, *R.Counted, &Largest, Kinds);
  }
  P.OS << "<tfoot><tr><th scope=\"row\">Total";
  writeCells(P.OS, Total, nullptr, Kinds);
  P.OS << "</table></div>\n";
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
struct Rectangle {
  double X, Y, Width, Height;
};
} // namespace

/// Parts the rectangle \p R among \p Areas, along its longer side.
static void divide(llvm::ArrayRef<uint32_t> Areas, Rectangle R,
                   std::vector<Rectangle> &To) {
  if (Areas.size() <= 1) {
    To.insert(To.end(), Areas.size(), R);
    return;
  }
  uint64_t Sum = 0, First = Areas.front();
  for (uint32_t A : Areas)
    Sum += A;
  size_t Middle = 1;
  while (Middle + 1 < Areas.size() && 2 * (First + Areas[Middle]) <= Sum)
    First += Areas[Middle++];
  const double Share = double(First) / double(Sum);
  Rectangle A = R, B = R;
  if (R.Width > R.Height) {
    A.Width *= Share;
    B.X += A.Width;
    B.Width -= A.Width;
  } else {
    A.Height *= Share;
    B.Y += A.Height;
    B.Height -= A.Height;
  }
  divide(Areas.take_front(Middle), A, To);
  divide(Areas.drop_front(Middle), B, To);
}

void coverage::writeTreemap(Page &P, llvm::ArrayRef<ElementRow> Rows) {
  constexpr size_t Most = 300;
  std::vector<const ElementRow *> Order;
  for (const ElementRow &R : Rows)
    if ((*R.Counted)[Instructions].total())
      Order.push_back(&R);
  llvm::stable_sort(Order, [](const ElementRow *A, const ElementRow *B) {
    return (*A->Counted)[Instructions].total() >
           (*B->Counted)[Instructions].total();
  });
  Order.resize(std::min(Order.size(), Most));
  if (Order.size() < 2)
    return;
  std::vector<uint32_t> Areas;
  for (const ElementRow *R : Order)
    Areas.push_back((*R->Counted)[Instructions].total());
  std::vector<Rectangle> Places;
  divide(Areas, {0, 0, 960, 200}, Places);
  P.OS << "<svg class=\"map\" viewBox=\"0 0 960 200\" role=\"group\" "
          "aria-label=\"Map: the larger, the more instructions\">\n";
  for (auto [R, At] : llvm::zip(Order, Places)) {
    const Counter &C = (*R->Counted)[Instructions];
    const long X = std::lround(At.X), Y = std::lround(At.Y),
               Width = std::lround(At.X + At.Width) - X,
               Height = std::lround(At.Y + At.Height) - Y;
    P.OS << "<a href=\"" << P.Root << toXMLText(R->Name.Link)
         << "\"><rect class=\"h" << uint64_t(C.Covered) * 10 / C.total()
         << "\" x=\"" << X << "\" y=\"" << Y << "\" width=\"" << Width
         << "\" height=\"" << Height << "\"/><title>" << toXMLText(R->Name.Text)
         << ": " << percentText(C) << " of " << C.total()
         << " instructions</title>";
    // A letter is some 7 wide; what does not fit is left out in front.
    if (Width > 60 && Height > 16)
      P.OS << "<text x=\"" << X + 4 << "\" y=\"" << Y + 13 << "\">"
           << toXMLText(StringRef(R->Name.Text).take_back(size_t(Width) / 7))
           << "</text>";
    P.OS << "</a>\n";
  }
  P.OS << "</svg>\n";
}
