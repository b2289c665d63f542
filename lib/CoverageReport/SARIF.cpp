//===- SARIF.cpp - Coverage as results of an analysis ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
namespace json = llvm::json;
using llvm::StringRef;

/// \p Path as a URI that is relative, or of the scheme `file`.
static std::string toURI(StringRef Path) {
  std::string URI = Path.starts_with("/") ? "file://" : "";
  for (char C : Path)
    if (llvm::isAlnum(C) || StringRef("/-_.~").contains(C))
      URI += C;
    else
      URI += "%" + llvm::utohexstr(uint8_t(C), /*LowerCase=*/false, 2);
  return URI;
}

static void writeRule(json::OStream &J, StringRef Id, StringRef What) {
  J.object([&] {
    J.attribute("id", Id);
    J.attributeObject("shortDescription", [&] { J.attribute("text", What); });
    J.attributeObject("defaultConfiguration",
                      [&] { J.attribute("level", "warning"); });
  });
}

static void writeResult(json::OStream &J, StringRef Rule,
                        const std::string &Message, StringRef URI,
                        int32_t First, int32_t Last) {
  J.object([&] {
    J.attribute("ruleId", Rule);
    J.attribute("level", "warning");
    J.attributeObject("message", [&] { J.attribute("text", Message); });
    J.attributeArray("locations", [&] {
      J.object([&] {
        J.attributeObject("physicalLocation", [&] {
          J.attributeObject("artifactLocation",
                            [&] { J.attribute("uri", URI); });
          J.attributeObject("region", [&] {
            J.attribute("startLine", First);
            J.attribute("endLine", Last);
          });
        });
      });
    });
  });
}

/// The results of a file: one for lines that follow one another and were not
/// run, and one for a line that ran without some of its branches.
static void writeFile(json::OStream &J, const CountedFile &F) {
  const std::string URI = toURI(F.Path);
  for (size_t I = 0; I < F.Lines.size(); ++I) {
    const LineCounters &L = F.Lines[I].second;
    const int32_t First = F.Lines[I].first;
    if (!L.Instructions.Covered) {
      size_t End = I + 1;
      while (End < F.Lines.size() && !F.Lines[End].second.Instructions.Covered)
        ++End;
      const size_t N = End - I;
      writeResult(J, "missed-line",
                  N == 1 ? "This line was not run."
                         : llvm::utostr(N) + " lines were not run.",
                  URI, First, F.Lines[End - 1].first);
      I = End - 1;
    } else if (L.Branches.Missed) {
      writeResult(J, "missed-branch",
                  llvm::utostr(L.Branches.Missed) + " of " +
                      llvm::utostr(L.Branches.total()) +
                      " branches were not taken.",
                  URI, First, First);
    }
  }
}

std::vector<CountedFile> coverage::countedFiles(const Bundle &B,
                                                PathOfSource PathOf) {
  std::vector<CountedFile> Files;
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources) {
      CountedFile &F = Files.emplace_back();
      F.Path = PathOf(P, S);
      int32_t Number = S.Lines.first();
      for (const LineCounters &L : S.Lines.lines()) {
        if (L.Instructions.total())
          F.Lines.emplace_back(Number, L);
        ++Number;
      }
    }
  return Files;
}

void coverage::writeSARIF(llvm::ArrayRef<CountedFile> Files, StringRef Version,
                          llvm::raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        J.attributeObject("tool", [&] {
          J.attributeObject("driver", [&] {
            J.attribute("name", "jopt");
            J.attribute("version", Version);
            J.attributeArray("rules", [&] {
              writeRule(J, "missed-line", "Lines that no test ran");
              writeRule(J, "missed-branch", "Branches that no test took");
            });
          });
        });
        J.attributeArray("results", [&] {
          for (const CountedFile &F : Files)
            writeFile(J, F);
        });
      });
    });
  });
  OS << '\n';
}
