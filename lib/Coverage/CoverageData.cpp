//===- CoverageData.cpp - What ran ----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/CoverageData.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

Error CoverageData::add(const ClassCoverage &C) {
  auto [It, IsNew] = Classes.try_emplace(C.Id, C);
  ClassCoverage &Own = It->second;
  if (IsNew) {
    ++Names[C.Name];
    return Error::success();
  }
  const std::string Id =
      llvm::utohexstr(C.Id, /*LowerCase=*/true, /*Width=*/16);
  if (Own.Name != C.Name)
    return makeError("the id " + Id + " is that of " + toDisplayUTF8(Own.Name) +
                     " and of " + toDisplayUTF8(C.Name));
  // Of segments alone probes are not known.
  const bool HasProbes = !C.Probes.empty() || C.Segments.empty();
  const bool HadProbes = !Own.Probes.empty() || Own.Segments.empty();
  if (HasProbes && HadProbes && Own.Probes.size() != C.Probes.size())
    return makeError("class " + toDisplayUTF8(C.Name) + " with the id " + Id +
                     " has " + Twine(Own.Probes.size()) + " probes and " +
                     Twine(C.Probes.size()));
  if (!C.Lines.empty() && !Own.Lines.empty() &&
      Own.Lines.size() != C.Lines.size())
    return makeError("class " + toDisplayUTF8(C.Name) + " with the id " + Id +
                     " begins " + Twine(Own.Lines.size()) + " lines and " +
                     Twine(C.Lines.size()));
  if (!C.Segments.empty() && !Own.Segments.empty() &&
      Own.Segments.size() != C.Segments.size())
    return makeError("class " + toDisplayUTF8(C.Name) + " with the id " + Id +
                     " has " + Twine(Own.Segments.size()) + " segments and " +
                     Twine(C.Segments.size()));
  Own.Probes |= C.Probes;
  Own.Lines |= C.Lines;
  Own.Segments |= C.Segments;
  Own.Edges.resize(std::max(Own.Edges.size(), C.Edges.size()));
  for (size_t M = 0; M < C.Edges.size(); ++M)
    if (!C.Edges[M].Runs.empty())
      Own.Edges[M] += C.Edges[M];
  return Error::success();
}

const ClassCoverage *CoverageData::find(uint64_t Id) const {
  auto It = Classes.find(Id);
  return It == Classes.end() ? nullptr : &It->second;
}

bool CoverageData::hasName(StringRef Name) const {
  return Names.count(Name.str());
}

std::vector<const ClassCoverage *> CoverageData::classes() const {
  std::vector<const ClassCoverage *> All;
  for (const auto &[Id, C] : Classes)
    All.push_back(&C);
  llvm::sort(All, [](const ClassCoverage *A, const ClassCoverage *B) {
    return std::tie(A->Name, A->Id) < std::tie(B->Name, B->Id);
  });
  return All;
}

std::vector<SessionInfo> CoverageData::sessions() const {
  std::vector<SessionInfo> All = Sessions;
  llvm::sort(All);
  All.erase(llvm::unique(All), All.end());
  return All;
}
