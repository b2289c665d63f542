//===- Pages.cpp - Coverage as pages for a browser ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Pages.h"
#include "ElementNames.h"
#include "PageLists.h"
#include "SourcePage.h"
#include "jopt/Archive/Transaction.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;

/// Coverage.css, Coverage.js.
static constexpr uint8_t Style[] = {
#include "jopt/CoverageReport/CoverageStyle.inc"
};
static constexpr uint8_t Script[] = {
#include "jopt/CoverageReport/CoverageScript.inc"
};

class CoveragePages::Writer {
public:
  Writer(const Bundle &B, const PageOptions &O);

  Error add(const TestedSource &S);
  Error finish();

private:
  using Package = PageTree::Package;
  /// A source file of a package.
  struct Place {
    const PageTree::Module *Module;
    const Package *In;
    size_t Source;
    bool IsWritten = false;
  };
  struct Reached {
    const Place *File;
    std::string Lines;
    size_t Count;
  };

  /// Writes the file \p Name as \p Content says.
  Error write(StringRef Name,
              llvm::function_ref<void(llvm::raw_ostream &)> Content);
  Error writePage(const PageLink &At, unsigned Depth,
                  llvm::ArrayRef<PageLink> Path,
                  llvm::function_ref<void(Page &)> Content);
  Error writeSourceFile(Place &At, const TestedSource *Tests);
  Error writeFirst();
  Error writeModule(const PageTree::Module &M);
  Error writePackage(const PageTree::Module &M, const Package &P);
  Error writeClass(const PageTree::Module &M, const Package &P, size_t Class);
  Error writeTests();
  Error writeTest(size_t Test);
  Error writeOthers();
  void addPackages(Page &P, const PageTree::Module &M);
  /// The pages above those of a package.
  std::vector<PageLink> pathTo(const PageTree::Module &M) const;
  std::vector<PageLink> pathTo(const PageTree::Module &M,
                               const Package &P) const;

  const Bundle &B;
  const PageOptions &O;
  const PageTree Tree;
  Transaction Files;
  std::vector<PageLink> Others;
  /// By path, as in `p/A.java`; several modules may have one.
  std::multimap<std::string, Place> Sources;
  std::map<std::string, std::set<int32_t>> Added; ///< by path
  std::vector<PageLink> TestPages;
  std::vector<std::vector<Reached>> OfTest;
};

CoveragePages::Writer::Writer(const Bundle &B, const PageOptions &O)
    : B(B), O(O), Tree(B) {
  Files.addFolder(O.Folder);
  for (const PageTree::Module &M : Tree.modules())
    for (const Package &P : M.Packages)
      for (size_t S = 0; S < P.Sources.size(); ++S)
        Sources.emplace(sourceName(P.Counters, P.Counters.Sources[S]),
                        Place{&M, &P, S});
  Others.push_back({"Risks", "risks.html"});
  if (O.Changes) {
    Others.push_back({"Changes", "changes.html"});
    for (const ChangedCoverage::File &F : O.Changes->Files)
      for (const auto &[Line, Counters] : F.Lines)
        Added[F.Path].insert(Line);
  }
  if (O.Tests) {
    Others.push_back({"Tests", "tests.html"});
    FileNames Names;
    for (const TestCoverage::Test &T : O.Tests->tests()) {
      const std::string Name = toDisplayUTF8(T.Name);
      TestPages.push_back({Name, "tests/" + Names.take(Name)});
    }
    OfTest.resize(TestPages.size());
  }
  if (!O.History.empty())
    Others.push_back({"History", "history.html"});
  Others.push_back({"Sessions", "sessions.html"});
  if (!O.Warnings.empty())
    Others.push_back(
        {counted(O.Warnings.size(), "warning", "warnings"), "warnings.html"});
}

Error CoveragePages::Writer::write(
    StringRef Name, llvm::function_ref<void(llvm::raw_ostream &)> Content) {
  llvm::SmallString<128> Path(O.Folder);
  llvm::sys::path::append(Path, Name);
  llvm::SmallString<0> Text;
  llvm::raw_svector_ostream OS(Text);
  Content(OS);
  // Most pages of a report that is made again stay as they are.
  if (!Files.isInNewFolder(Path)) {
    auto Old = readRegular(Path.str().str(), {Text.size()});
    if (Old && *Old == StringRef(Text))
      return Error::success();
    if (!Old)
      llvm::consumeError(Old.takeError());
  }
  return Files.stage(Path, Rope(toBytes(Text)), /*Mode=*/0);
}

Error CoveragePages::Writer::writePage(
    const PageLink &At, unsigned Depth, llvm::ArrayRef<PageLink> Path,
    llvm::function_ref<void(Page &)> Content) {
  return write(At.Link, [&](llvm::raw_ostream &OS) {
    Page P(OS, At.Text, Depth, Path, Others, O.Version);
    Content(P);
  });
}

std::vector<PageLink>
CoveragePages::Writer::pathTo(const PageTree::Module &M) const {
  std::vector<PageLink> Path = {{B.Name, "index.html"}};
  if (Tree.hasModules())
    Path.push_back(M.Page);
  return Path;
}

std::vector<PageLink> CoveragePages::Writer::pathTo(const PageTree::Module &M,
                                                    const Package &P) const {
  std::vector<PageLink> Path = pathTo(M);
  Path.push_back(P.Page);
  return Path;
}

//===----------------------------------------------------------------------===//
// Source files
//===----------------------------------------------------------------------===//

Error CoveragePages::Writer::writeSourceFile(Place &At,
                                             const TestedSource *Tests) {
  At.IsWritten = true;
  const SourceCounters &S = At.In->Counters.Sources[At.Source];
  const std::string Path = sourceName(At.In->Counters, S);
  const std::string Text = O.TextOf(Path);
  auto Own = Added.find(Path);
  return writePage(At.In->Sources[At.Source], At.In->Depth,
                   pathTo(*At.Module, *At.In), [&](Page &P) {
                     P.summary(S.Counted);
                     writeSourceText(
                         P,
                         {S, Text, Own == Added.end() ? nullptr : &Own->second,
                          Tests, TestPages});
                   });
}

Error CoveragePages::Writer::add(const TestedSource &S) {
  auto [First, Last] = Sources.equal_range(toDisplayUTF8(S.Path));
  for (; First != Last; ++First) {
    Place &At = First->second;
    if (Error E = writeSourceFile(At, &S))
      return E;
    std::vector<std::vector<int32_t>> Lines(OfTest.size()); // by test
    for (auto [Line, Tests] : llvm::zip(S.Lines, S.Tests))
      for (unsigned T : Tests.set_bits())
        Lines[T].push_back(Line);
    for (size_t T = 0; T < OfTest.size(); ++T)
      if (!Lines[T].empty())
        OfTest[T].push_back({&At, toRanges(Lines[T]), Lines[T].size()});
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The rows of \p Packages.
static std::vector<ElementRow>
packageRows(llvm::ArrayRef<PageTree::Package> Packages) {
  std::vector<ElementRow> Rows;
  for (const PageTree::Package &P : Packages)
    Rows.push_back({P.Page, &P.Counters.Counted, ""});
  return Rows;
}

void CoveragePages::Writer::addPackages(Page &P, const PageTree::Module &M) {
  const std::vector<ElementRow> Rows = packageRows(M.Packages);
  writeTreemap(P, Rows);
  writeCounterTable(P, "Packages", "Package", Rows, M.Counted, NumCounters);
}

Error CoveragePages::Writer::writeFirst() {
  return writePage({B.Name, "index.html"}, 0, {}, [&](Page &P) {
    if (!O.Warnings.empty())
      P.warn("This report is incomplete: see the warnings.");
    P.summary(B.Counted);
    if (!Tree.hasModules())
      return addPackages(P, Tree.modules().front());
    std::vector<ElementRow> Rows, Packages;
    for (const PageTree::Module &M : Tree.modules()) {
      Rows.push_back({M.Page, &M.Counted, ""});
      llvm::append_range(Packages, packageRows(M.Packages));
    }
    writeTreemap(P, Packages);
    writeCounterTable(P, "Modules", "Module", Rows, B.Counted, NumCounters);
  });
}

Error CoveragePages::Writer::writeModule(const PageTree::Module &M) {
  if (Tree.hasModules())
    if (Error E = writePage(M.Page, 1, {{B.Name, "index.html"}}, [&](Page &P) {
          P.summary(M.Counted);
          addPackages(P, M);
        }))
      return E;
  for (const Package &P : M.Packages)
    if (Error E = writePackage(M, P))
      return E;
  return Error::success();
}

Error CoveragePages::Writer::writePackage(const PageTree::Module &M,
                                          const Package &In) {
  const PackageCounters &C = In.Counters;
  // Warnings name classes as class files do.
  auto IsHere = [&](StringRef Warning) {
    if (!Warning.consume_front("class "))
      return false;
    const StringRef Class = Warning.split(':').first;
    const size_t Slash = Class.rfind('/');
    return Class.take_front(Slash == StringRef::npos ? 0 : Slash) ==
           toDisplayUTF8(C.Name);
  };
  if (Error E = writePage(In.Page, In.Depth, pathTo(M), [&](Page &P) {
        for (const std::string &W : O.Warnings)
          if (IsHere(W))
            P.warn("Left out: " + W);
        P.summary(C.Counted);
        std::vector<ElementRow> Classes, Files;
        for (auto [Link, Own] : llvm::zip(In.Classes, C.Classes))
          Classes.push_back({Link, &Own.Counted, ""});
        for (auto [Link, Own] : llvm::zip(In.Sources, C.Sources))
          Files.push_back({Link, &Own.Counted, ""});
        writeCounterTable(P, "Classes", "Class", Classes, C.Counted,
                          Methods + 1);
        writeCounterTable(P, "Source files", "Source file", Files, C.Counted,
                          NumCounters);
      }))
    return E;
  for (size_t I = 0; I < C.Classes.size(); ++I)
    if (C.Classes[I].Counted[Instructions].total())
      if (Error E = writeClass(M, In, I))
        return E;
  return Error::success();
}

Error CoveragePages::Writer::writeClass(const PageTree::Module &M,
                                        const Package &In, size_t Class) {
  const ClassCounters &C = In.Counters.Classes[Class];
  return writePage(In.Classes[Class], In.Depth, pathTo(M, In), [&](Page &P) {
    P.summary(C.Counted);
    P.OS << "<p>";
    if (const size_t Source = In.SourceOf[Class]; Source != PageTree::None) {
      P.link(In.Sources[Source]);
      P.OS << ", ";
    }
    P.OS << "class file " << llvm::utohexstr(C.Id, /*LowerCase=*/true, 16)
         << "</p>\n";
    if (!C.HasRun)
      P.warn("Nothing was recorded of this class.");
    if (C.SourceFile.empty() || !C.Counted[Lines].total())
      P.warn("The class file has no debug information about " +
             std::string(C.SourceFile.empty() ? "its source file." : "lines."));
    std::vector<ElementRow> Rows;
    for (const MethodCounters &Method : C.Methods)
      Rows.push_back(
          {{methodSignature(C.Name, Method, /*IsShort=*/true),
            In.SourceOf[Class] == PageTree::None || Method.FirstLine < 0
                ? ""
                : In.linkTo(Class, Method)},
           &Method.Counted,
           methodId(Method)});
    writeCounterTable(P, "Methods", "Method", Rows, C.Counted, Complexity + 1);
  });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// What there is to know about a test besides what it reached.
static StringRef noteOn(const TestCoverage::Test &T) {
  return T.IsAround    ? "around its tests"
         : !T.HasEnded ? "has not ended"
         : T.IsShared  ? "others ran at the same time"
                       : "";
}

Error CoveragePages::Writer::writeTests() {
  const llvm::ArrayRef<TestCoverage::Test> Tests = O.Tests->tests();
  if (Error E = writePage(
          {"Tests", "tests.html"}, 0, {{B.Name, "index.html"}}, [&](Page &P) {
            P.OS << "<div class=\"wide\"><table class=\"counters\">\n<caption>"
                 << counted(Tests.size(), "test", "tests")
                 << "</caption>\n<thead><tr><th scope=\"col\" "
                    "aria-sort=\"ascending\">Test<th scope=\"col\">lines<th "
                    "scope=\"col\">note\n<tbody>\n";
            for (size_t T = 0; T < Tests.size(); ++T) {
              size_t Lines = 0;
              for (const Reached &R : OfTest[T])
                Lines += R.Count;
              P.OS << "<tr><th scope=\"row\">";
              P.link(TestPages[T]);
              P.OS << "<td>" << Lines << "<td class=\"text\">"
                   << noteOn(Tests[T]) << '\n';
            }
            P.OS << "</table></div>\n";
          }))
    return E;
  for (size_t T = 0; T < Tests.size(); ++T)
    if (Error E = writeTest(T))
      return E;
  return Error::success();
}

Error CoveragePages::Writer::writeTest(size_t Test) {
  return writePage(
      TestPages[Test], 1, {{B.Name, "index.html"}, {"Tests", "tests.html"}},
      [&](Page &P) {
        P.OS << "<p>" << noteOn(O.Tests->tests()[Test])
             << "</p>\n<div class=\"wide\"><table class=\"counters\">\n"
                "<caption>What it reached</caption>\n<thead><tr><th "
                "scope=\"col\">Source file<th scope=\"col\">lines<th "
                "scope=\"col\">which\n<tbody>\n";
        for (const Reached &R : OfTest[Test]) {
          const Package &In = *R.File->In;
          P.OS << "<tr><th scope=\"row\">";
          // The script colours what this test reached.
          P.link({In.Page.Text + "." + In.Sources[R.File->Source].Text,
                  In.Sources[R.File->Source].Link +
                      "#test=" + std::to_string(Test)});
          P.OS << "<td>" << R.Count << "<td class=\"text\">" << R.Lines << '\n';
        }
        P.OS << "</table></div>\n";
      });
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

Error CoveragePages::Writer::writeOthers() {
  const PageLink First = {B.Name, "index.html"};
  if (Error E = writePage({"Risks", "risks.html"}, 0, First,
                          [&](Page &P) { writeRisks(P, Tree); }))
    return E;
  if (Error E = writePage({"Sessions", "sessions.html"}, 0, First,
                          [&](Page &P) { writeSessions(P, B.Sessions); }))
    return E;
  if (!O.History.empty())
    if (Error E = writePage({"History", "history.html"}, 0, First,
                            [&](Page &P) { writeHistory(P, O.History); }))
      return E;
  auto LinkTo = [&](StringRef Path) {
    auto At = Sources.find(Path.str());
    return At == Sources.end() ? std::string()
                               : At->second.In->Sources[At->second.Source].Link;
  };
  if (O.Changes)
    if (Error E =
            writePage({"Changes", "changes.html"}, 0, First,
                      [&](Page &P) { writeChanges(P, *O.Changes, LinkTo); }))
      return E;
  if (!O.Warnings.empty())
    if (Error E =
            writePage({"Warnings", "warnings.html"}, 0, First, [&](Page &P) {
              P.OS << "<p>What this report leaves out, and why.</p>\n<ul>\n";
              for (const std::string &W : O.Warnings)
                P.OS << "<li>" << toXMLText(W) << '\n';
              P.OS << "</ul>\n";
            }))
      return E;
  if (Error E = write("names.js",
                      [&](llvm::raw_ostream &OS) { writeNames(Tree, OS); }))
    return E;
  for (auto [Name, Content] : {std::pair("report.css", Bytes(Style)),
                               std::pair("report.js", Bytes(Script))})
    if (Error E = write(Name, [&, &C = Content](llvm::raw_ostream &OS) {
          OS << jopt::toStringRef(C);
        }))
      return E;
  return Error::success();
}

Error CoveragePages::Writer::finish() {
  for (auto &[Path, At] : Sources)
    if (!At.IsWritten)
      if (Error E = writeSourceFile(At, nullptr))
        return E;
  for (const PageTree::Module &M : Tree.modules())
    if (Error E = writeModule(M))
      return E;
  if (O.Tests)
    if (Error E = writeTests())
      return E;
  if (Error E = writeOthers())
    return E;
  if (Error E = writeFirst())
    return E;
  return Files.commit();
}

CoveragePages::CoveragePages(const Bundle &B, const PageOptions &O)
    : Own(std::make_unique<Writer>(B, O)) {}

CoveragePages::~CoveragePages() = default;

Error CoveragePages::add(const TestedSource &S) { return Own->add(S); }

Error CoveragePages::finish() { return Own->finish(); }
