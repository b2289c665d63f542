//===- points-corpus.cpp - Probe points of real classes -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// points-corpus IN...: prints for each class, of those of one name for the
// first,
//   class NAME ID COUNT
//     METHOD KIND FROM>TO ...   of methods that have points; instructions are
//                               counted from 0
// as utils/jacoco/Oracle.java does, which utils/check-jacoco compares it with.
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/ClassPath.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/ProbePoints.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/Format.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::outs;

/// How many instructions stand before the one at \p BCI.
static unsigned number(Bytes Code, uint32_t BCI) {
  unsigned N = 0;
  DecodedInst I;
  for (uint32_t At = 0; At < BCI && decodeInst(Code, At, I); At = I.end())
    ++N;
  return N;
}

static llvm::Error print(Bytes Content) {
  auto F = readClass(Content);
  if (!F)
    return F.takeError();
  auto Points = findPoints(PointSet::Probes, **F);
  if (!Points)
    return Points.takeError();
  outs() << "class " << toDisplayUTF8((*F)->name()) << ' '
         << llvm::format("%016llx", (unsigned long long)classId(Content)) << ' '
         << Points->Count << '\n';
  for (size_t I = 0; I < Points->Methods.size(); ++I) {
    const Method &M = (*F)->Methods[I];
    if (Points->Methods[I].Points.empty())
      continue;
    const Bytes Code = M.code((*F)->Pool);
    outs() << "  " << toDisplayUTF8((*F)->name(M))
           << toDisplayUTF8((*F)->descriptor(M));
    for (const ProbePoint &P : Points->Methods[I].Points)
      outs() << ' ' << "FJSL"[P.Kind] << number(Code, P.From) << '>'
             << number(Code, P.To);
    outs() << '\n';
  }
  return llvm::Error::success();
}

int main(int Argc, char **Argv) {
  auto Classes =
      readClassPath(std::vector<std::string>(Argv + 1, Argv + Argc), 0);
  if (!Classes) {
    llvm::errs() << toMessage(Classes.takeError()) << '\n';
    return 1;
  }
  for (const auto &[Path, Content] : *Classes)
    if (llvm::Error E = print(Content))
      llvm::errs() << "cannot analyse " << Path << ": "
                   << toMessage(std::move(E)) << '\n';
  return 0;
}
