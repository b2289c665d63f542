//===- LineSites.cpp - Where lines begin, with the variables in scope -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineSites.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace jopt;
using namespace jopt::oneliner;
using llvm::StringRef;

namespace {
/// A row of a LocalVariableTable.
struct ScopedVariable {
  uint32_t Start, End;
  LineVariable Is;
};
} // namespace

static std::vector<ScopedVariable> variableRows(const ClassFile &F,
                                                const CodeView &Code) {
  std::vector<ScopedVariable> Rows;
  for (const Attribute &A : Code.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != "LocalVariableTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      ScopedVariable R;
      R.Start = C.u2();
      R.End = R.Start + C.u2();
      R.Is.Name = F.Pool.utf8(C.u2()).str();
      R.Is.Descriptor = F.Pool.utf8(C.u2()).str();
      R.Is.Slot = C.u2();
      R.Is.HasRow = true;
      if (!C.failed() && isFieldDescriptor(R.Is.Descriptor) &&
          !R.Is.Name.empty() && R.Is.Name != "this")
        Rows.push_back(std::move(R));
    }
  }
  return Rows;
}

/// The slots of a method without a table: parameters, and what is behind them.
static std::vector<LineVariable> slotsOf(const ClassFile &F, const Method &M,
                                         const CodeView &Code) {
  std::vector<LineVariable> All;
  unsigned Slot = M.Access & ACC_STATIC ? 0 : 1, Number = 0;
  MethodDescriptor D(F.descriptor(M));
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    All.push_back({"arg" + std::to_string(Number++), P.str(), Slot});
    Slot += jopt::slotsOf(P);
  }
  for (; Slot < Code.MaxLocals; ++Slot)
    All.push_back({"slot" + std::to_string(Slot), "?", Slot});
  if (All.size() > MaxLineVariables)
    All.resize(MaxLineVariables);
  return All;
}

static std::vector<LineVariable>
variablesAt(llvm::ArrayRef<ScopedVariable> Rows, uint32_t At) {
  std::vector<LineVariable> All;
  for (const ScopedVariable &R : Rows)
    if (R.Start <= At && At < R.End && All.size() < MaxLineVariables &&
        llvm::none_of(All, [&](auto &V) { return V.Name == R.Is.Name; }))
      All.push_back(R.Is);
  llvm::stable_sort(All, [](auto &A, auto &B) { return A.Slot < B.Slot; });
  return All;
}

/// The sites of \p M, whose code is \p Code, in the lines from \p From on.
static std::vector<LineSite> sitesOf(const ClassFile &F, const Method &M,
                                     const CodeView &Code, unsigned From,
                                     unsigned To,
                                     std::pair<unsigned, unsigned> &Near) {
  std::map<uint32_t, unsigned> LineAt; // of several entries the last one counts
  for (const LineEntry &E : lineEntries(F, Code))
    if (E.Start < Code.Code.size())
      LineAt[E.Start] = E.Line;
  const std::vector<ScopedVariable> Rows = variableRows(F, Code);
  const std::vector<LineVariable> Slots =
      Rows.empty() ? slotsOf(F, M, Code) : std::vector<LineVariable>();
  std::map<unsigned, std::vector<LineSite>> ByLine;
  for (auto [At, Line] : LineAt) {
    if (Line < From)
      Near.first = std::max(Near.first, Line);
    else if (Line > To)
      Near.second = Near.second ? std::min(Near.second, Line) : Line;
    else
      ByLine[Line].push_back(
          {Line, 0, Rows.empty() ? Slots : variablesAt(Rows, At)});
  }
  std::vector<LineSite> Sites;
  for (auto &[Line, Of] : ByLine) {
    if (llvm::all_of(Of, [&, &First = Of.front()](const LineSite &S) {
          return S.Variables == First.Variables;
        })) {
      Sites.push_back(std::move(Of.front()));
      continue;
    }
    for (auto [N, S] : llvm::enumerate(Of)) {
      S.Ordinal = unsigned(N) + 1;
      Sites.push_back(std::move(S));
    }
  }
  return Sites;
}

std::vector<LineMethod>
oneliner::findLineSites(const ClassFile &F, unsigned From, unsigned To,
                        std::pair<unsigned, unsigned> &Near) {
  std::vector<LineMethod> Found;
  for (const Method &M : F.Methods) {
    const int At = M.codeAttribute(F.Pool);
    CodeView Code;
    if (At < 0)
      continue;
    if (llvm::Error E = parseCode(F, M.Attributes[size_t(At)].Data, Code)) {
      llvm::consumeError(std::move(E));
      continue;
    }
    auto Sites = sitesOf(F, M, Code, From, To, Near);
    if (!Sites.empty())
      Found.push_back({F.name().str(), F.name(M).str(), F.descriptor(M).str(),
                       std::move(Sites)});
  }
  return Found;
}
