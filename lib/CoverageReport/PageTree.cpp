//===- PageTree.cpp - The pages of a report and their names ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageTree.h"
#include "ElementNames.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

std::string coverage::methodId(const MethodCounters &M) {
  return toDisplayUTF8(M.Name + M.Descriptor);
}

std::string PageTree::Package::linkTo(size_t Class,
                                      const MethodCounters &M) const {
  const size_t Source = SourceOf[Class];
  return Source != None && M.FirstLine >= 0
             ? Sources[Source].Link + "#L" + std::to_string(M.FirstLine)
             : Classes[Class].Link + "#" + methodId(M);
}

/// The pages of \p P in \p Folder, which is empty or ends with a slash.
static PageTree::Package toPackage(const PackageCounters &P,
                                   const std::string &Folder,
                                   FileNames &Names) {
  const std::string Title = packageName(P.Name);
  const std::string Own = Folder + Names.take(Title, "") + "/";
  PageTree::Package To{P, {Title, Own + "index.html"}, 1, {}, {}, {}};
  To.Depth += Folder.empty() ? 0 : 1;
  FileNames Files;
  Files.take("index");
  To.SourceOf.resize(P.Classes.size(), PageTree::None);
  for (const ClassCounters &C : P.Classes)
    To.Classes.push_back(
        {shortClassName(C),
         Own + Files.take(StringRef(C.Name).substr(C.Name.rfind('/') + 1))});
  for (const SourceCounters &S : P.Sources) {
    for (size_t Class : S.Classes)
      To.SourceOf[Class] = To.Sources.size();
    To.Sources.push_back({toDisplayUTF8(S.Name), Own + Files.take(S.Name)});
  }
  return To;
}

PageTree::PageTree(const Bundle &B) : HasModules(!B.Modules.empty()) {
  FileNames Names;
  Names.take("tests", ""); // a folder of the report's own
  auto Add = [&](const std::string &Name, const CounterSet &Counted,
                 llvm::ArrayRef<PackageCounters> Packages,
                 const std::string &Folder, FileNames &Taken) {
    Module &M = Modules.emplace_back(
        Module{{Name, Folder + "index.html"}, Counted, {}});
    for (const PackageCounters &P : Packages)
      M.Packages.push_back(toPackage(P, Folder, Taken));
  };
  if (!HasModules)
    Add(B.Name, B.Counted, B.Packages, "", Names);
  for (const ModuleCounters &M : B.Modules) {
    FileNames Own;
    Add(M.Name, M.Counted, M.Packages, Names.take(M.Name, "") + "/", Own);
  }
}

void PageTree::forEachClass(
    llvm::function_ref<void(const Package &, size_t)> Use) const {
  for (const Module &M : Modules)
    for (const Package &P : M.Packages)
      for (size_t C = 0; C < P.Classes.size(); ++C)
        if (P.Counters.Classes[C].Counted[Instructions].total())
          Use(P, C);
}
