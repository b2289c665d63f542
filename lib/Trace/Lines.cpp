//===- Lines.cpp - The lines of a trace -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Lines.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::trace;
using llvm::StringRef;

std::string trace::ownerName(const ClassDeclarations &D) {
  if (!D.hasOption("sourcename") || D.SourceFile.empty())
    return toDisplayLine(D.Name);
  size_t Slash = D.Name.rfind('/');
  std::string Package =
      Slash == std::string::npos ? "" : D.Name.substr(0, Slash + 1);
  return toDisplayLine(Package + D.SourceFile);
}

/// Events that are of no instruction have no index, and those of methods no
/// line.
static constexpr int32_t LineOpcode = -1, CompletionOpcode = -4,
                         CatchOpcode = -6;

/// The ids of classes of the JDK, if asked for, are those of others negated.
static int64_t signOf(const ClassDeclarations &D) {
  return D.hasOption("negative") ? -1 : 1;
}

static void printEvent(const ClassDeclarations &D, const MethodDeclaration &M,
                       const Event &E, Flavour F, const LineIds &Ids,
                       llvm::raw_ostream &OS) {
  const Kind &K = D.Kinds[E.Kind];
  const bool OfInstruction =
      K.Opcode >= 0 || K.Opcode == CompletionOpcode || K.Opcode == CatchOpcode;
  const bool HasLine = OfInstruction || K.Opcode == LineOpcode;
  const int64_t Sign = signOf(D);
  OS << K.Type << ',' << Sign * Ids.Events << ',' << Sign * Ids.Methods << ','
     << (HasLine ? E.Line : -1) << ',';
  if (OfInstruction && F == Flavour::Seed)
    OS << E.BCI;
  else
    OS << -1;
  OS << ',' << K.Opcode;
  constexpr size_t Columns = 3;
  for (size_t I = 0; I < Columns; ++I) {
    OS << ',';
    if (I >= K.Operands.size()) {
      if (F == Flavour::Blinky && I + 1 == Columns)
        OS << "null";
      continue;
    }
    const Operand &O = M.Operands[E.FirstOperand + I];
    if (K.Operands[I] == 's')
      OS << toDisplayLine(D.Strings[O.String]);
    else
      OS << O.Number;
  }
  OS << '\n';
}

void trace::printDeclarations(const ClassDeclarations &D, Flavour F,
                              LineIds &Ids, llvm::raw_ostream &OS) {
  const std::string Owner = ownerName(D);
  const int64_t Sign = signOf(D);
  for (const MethodDeclaration &M : D.Methods) {
    const std::string Name = toDisplayLine(D.Strings[M.Name]) +
                             toDisplayLine(D.Strings[M.Descriptor]);
    OS << "$$method$$," << Sign * ++Ids.Methods << ',' << Name << ',' << Owner
       << ',' << M.Access << '\n';
    for (const Event &E : M.Events) {
      ++Ids.Events;
      printEvent(D, M, E, F, Ids, OS);
    }
    for (const Flow &Edge : M.Flows)
      OS << "$flow$," << Sign * ++Ids.Flows << ',' << toDisplayLine(D.Name)
         << '/' << Name << ',' << Edge.FromBCI << ',' << Edge.FromOpcode << ','
         << Edge.ToBCI << ',' << Edge.ToOpcode << ',' << Edge.Exceptional
         << '\n';
  }
}
