//===- CodeUnits.cpp - Units of code --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Advice/Advice.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include <array>

using namespace jopt;

//===----------------------------------------------------------------------===//
// Units of a method
//===----------------------------------------------------------------------===//

unsigned MethodUnits::unitAt(uint32_t BCI) const {
  auto It = llvm::upper_bound(
      Units, BCI, [](uint32_t At, const CodeUnit &U) { return At < U.Start; });
  return It == Units.begin() ? 0 : unsigned(It - Units.begin()) - 1;
}

MethodUnits jopt::findCodeUnits(Bytes Code,
                                llvm::ArrayRef<CodeView::Handler> Handlers,
                                llvm::ArrayRef<LineEntry> Lines) {
  MethodUnits M;
  CodeLeaders Leaders;
  if (Code.empty() || Lines.empty() ||
      !Leaders.scan(Code, Handlers, MoreLeaders::BehindCalls))
    return M;
  for (const LineEntry &L : Lines)
    if (L.Start < Code.size())
      Leaders.addLeader(L.Start);
  M.HasLines = true;
  M.Units.clear();
  uint16_t Line = 0;
  const LineEntry *Cursor = Lines.begin();
  Leaders.forEachLeader([&](uint32_t Start) {
    if (Cursor != Lines.end() && Start >= Cursor->Start)
      Line = Cursor++->Line;
    M.Units.push_back({Start, Line});
  });
  return M;
}

const bool *jopt::endsOfUnits() {
  static const auto Table = [] {
    std::array<bool, 256> T = {};
    for (const OpcodeInfo &Info : getOpcodeTable())
      T[Info.Encoding] = isLeaderBehind(Info, MoreLeaders::BehindCalls);
    return T;
  }();
  return Table.data();
}

bool jopt::markUnits(const ClassFile &F, CodePatch &S) {
  const uint32_t Size = uint32_t(S.Code.Code.size());
  auto Mark = [&](uint32_t At) {
    if (At < Size)
      S.Marks[At] |= CodePatch::Unit;
  };
  bool HasLines = false;
  for (const Attribute &A : S.Code.Attributes) {
    if (A.NameIndex != S.LinesName &&
        F.Pool.utf8(A.NameIndex) != "LineNumberTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && C.remaining() >= 4; --N) {
      Mark(C.u2());
      C.skip(2);
      HasLines = true;
    }
  }
  if (!HasLines)
    return false;
  for (const OriginalJump &J : S.Jumps)
    Mark(J.Target);
  DecodedInst D;
  for (uint32_t BCI : S.Switches) {
    decodeInst(S.Code.Code, BCI, D);
    D.forEachTarget(Mark);
  }
  for (const CodeView::Handler &H : S.Code.Handlers)
    Mark(H.Target);
  return true;
}

void LineTableEncoder::emit(unsigned Line) {
  if (Line >= Previous && Line - Previous <= 9) {
    if (!Increments)
      Text += '+';
    Text += char('0' + (Line - Previous));
    Increments = true;
  } else {
    Text += '#';
    Text += std::to_string(Line);
    Increments = false;
  }
  Previous = Line;
}

//===----------------------------------------------------------------------===//
// Methods of a class
//===----------------------------------------------------------------------===//

AnalysisKey OriginalMethods::Key;

OriginalMethods OriginalMethods::run(const ClassFile &F, PassContext &) {
  OriginalMethods R;
  for (const Method &M : F.Methods) {
    // A method without original bytes, in a class that has them, was added.
    if (M.Original.empty() && !F.Original.empty())
      continue;
    R.Numbers[&M] = unsigned(R.Methods.size());
    R.Methods.push_back(&M);
  }
  return R;
}

std::string OriginalMethods::names(const ClassFile &F) const {
  std::string Names;
  for (const Method *M : Methods) {
    if (M != Methods.front())
      Names += '+';
    Names += F.name(*M);
    Names += F.descriptor(*M);
  }
  return Names;
}

Bytes jopt::originalCode(const ClassFile &F, const Method &M) {
  if (M.Original.empty()) {
    int At = M.codeAttribute(F.Pool);
    return At < 0 ? Bytes() : M.Attributes[unsigned(At)].Data;
  }
  ByteCursor C(M.Original);
  C.skip(6);
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    unsigned Name = C.u2();
    Bytes Data = C.bytes(C.u4());
    if (F.Pool.utf8(Name) == "Code")
      return Data;
  }
  return {};
}

static MethodUnits unitsOf(const ClassFile &F, const Method &M) {
  CodeView Code;
  if (llvm::Error E = parseCode(F, originalCode(F, M), Code)) {
    llvm::consumeError(std::move(E)); // No code, or none that can be run.
    return {};
  }
  return findCodeUnits(Code.Code, Code.Handlers, lineEntries(F, Code));
}

AnalysisKey ClassUnits::Key;

ClassUnits ClassUnits::run(const ClassFile &F, PassContext &C) {
  ClassUnits R;
  unsigned Units = 0;
  for (const Method *M : C.analysis<OriginalMethods>(F).Methods) {
    R.Previous.push_back(Units);
    R.Methods.push_back(unitsOf(F, *M));
    Units += unsigned(R.Methods.back().Units.size());
  }
  R.Previous.push_back(Units);
  return R;
}

const MethodUnits &ClassUnits::of(const Method &M, PassContext &C) const {
  static const MethodUnits Added;
  unsigned N = C.analysis<OriginalMethods>(C.classFile()).numberOf(M);
  return N < Methods.size() ? Methods[N] : Added;
}

std::string ClassUnits::lineTables() const {
  LineTableEncoder E;
  for (const MethodUnits &M : Methods) {
    if (&M != &Methods.front())
      E.nextMethod();
    for (const CodeUnit &U : M.Units)
      E.emit(U.Line);
  }
  return E.take();
}

AnalysisKey MethodNamesText::Key;
AnalysisKey MethodLineTablesText::Key;

MethodNamesText MethodNamesText::run(const ClassFile &F, PassContext &C) {
  return {C.analysis<OriginalMethods>(F).names(F)};
}

MethodLineTablesText MethodLineTablesText::run(const ClassFile &F,
                                               PassContext &C) {
  return {C.analysis<ClassUnits>(F).lineTables()};
}

bool jopt::needsOriginalCode(const AdviceSet &A) {
  return llvm::any_of(A.Advices, [](const Advice &V) {
    return V.Kind == AdviceKind::Unit || V.Kind == AdviceKind::Line ||
           V.Kind == AdviceKind::TraceEnter || V.Site.says(SelectsLines) ||
           llvm::any_of(V.Data,
                        [](DataItem D) { return getInfo(D).OfOriginalCode; });
  });
}

void jopt::materializeBytecode(PassContext &C, bool WithCode) {
  ClassFile &F = C.classFile();
  if (!F.Original.empty())
    return;
  C.analysis<OriginalMethods>(F);
  if (!WithCode)
    return;
  for (Method &M : F.Methods)
    if (llvm::Error E = lowerMethod(F, M))
      llvm::consumeError(std::move(E));
  C.analysis<ClassUnits>(F);
}
