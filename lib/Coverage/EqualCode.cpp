//===- EqualCode.cpp - Methods that two builds have in common -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/EqualCode.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Writes code with the contents of the pool in place of indices.
class CodeSpeller {
public:
  explicit CodeSpeller(const ClassFile &F) : F(F) {
    if (const Attribute *A =
            ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods"))
      Bootstraps = A->Data;
  }

  std::string spell(const CodeView &Code) {
    Text.clear();
    DecodedInst I;
    for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end()) {
      if (!I.info().PoolTags) {
        Text += jopt::toStringRef(Code.Code.slice(At, I.Length));
        continue;
      }
      Text += char(I.Op);
      add(uint64_t(uint32_t(I.Value)));
      entry(I.Index);
    }
    for (const auto &H : Code.Handlers) {
      for (uint64_t N : {H.Start, H.End, H.Target})
        add(N);
      Text += F.Pool.className(H.CatchType);
      Text += '\n';
    }
    return std::move(Text);
  }

private:
  void add(uint64_t N) {
    Text += llvm::utostr(N);
    Text += ' ';
  }

  /// The entry \p Index; constants of constants up to a depth that no compiler
  /// comes near.
  void entry(unsigned Index, unsigned Depth = 0) {
    constexpr unsigned Deepest = 8;
    if (Index >= F.Pool.size() || Depth > Deepest)
      return;
    const CPEntry &E = F.Pool[Index];
    add(uint64_t(E.Tag));
    switch (E.Tag) {
    case CPTag::Utf8:
      add(E.text().size());
      Text += E.text();
      return;
    case CPTag::Integer:
    case CPTag::Float:
    case CPTag::Long:
    case CPTag::Double:
      add(E.Bits);
      return;
    case CPTag::MethodHandle:
      add(E.A);
      return entry(E.B, Depth + 1);
    case CPTag::Dynamic:
    case CPTag::InvokeDynamic:
      bootstrap(E.A, Depth + 1);
      return entry(E.B, Depth + 1);
    default:
      if (getPoolTagInfo(E.Tag).Size >= 2)
        entry(E.A, Depth + 1);
      if (getPoolTagInfo(E.Tag).Size >= 4)
        entry(E.B, Depth + 1);
    }
  }

  void bootstrap(unsigned Number, unsigned Depth) {
    ByteCursor In(Bootstraps);
    unsigned Count = In.u2();
    for (unsigned N = 0; N < Count && !In.failed(); ++N) {
      const unsigned Handle = In.u2(), NumArguments = In.u2();
      if (N < Number) {
        In.skip(2 * size_t(NumArguments));
        continue;
      }
      entry(Handle, Depth);
      for (unsigned A = 0; A < NumArguments && !In.failed(); ++A)
        entry(In.u2(), Depth);
      return;
    }
  }

  const ClassFile &F;
  Bytes Bootstraps;
  std::string Text;
};
} // namespace

Expected<ClassMethods> coverage::readMethods(const ClassFile &F, uint64_t Id) {
  ClassMethods All;
  All.Id = Id;
  All.Name = F.name().str();
  CodeSpeller Speller(F);
  for (const Method &M : F.Methods) {
    const int Index = M.codeAttribute(F.Pool);
    if (Index < 0)
      continue;
    CodeView Code;
    if (Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code))
      return E;
    auto Lines = findPoints(PointSet::ProbesAndLines, F, M, Code);
    if (!Lines)
      return Lines.takeError();
    auto Segments = findPoints(PointSet::Segments, F, M, Code);
    if (!Segments)
      return Segments.takeError();
    Lines->FirstProbe = All.NumProbes;
    Lines->FirstOther = All.NumLines;
    Segments->FirstOther = All.NumSegments;
    All.NumProbes += Lines->NumProbes;
    All.NumLines += uint32_t(Lines->Points.size()) - Lines->NumProbes;
    All.NumSegments += uint32_t(Segments->Points.size());
    All.Methods.push_back({(F.name(M) + F.descriptor(M)).str(),
                           llvm::xxh3_64bits(Speller.spell(Code)),
                           std::move(*Lines), std::move(*Segments)});
  }
  return All;
}

/// Sets in \p To, from \p AtTo on, the bits of \p From from \p AtFrom on.
static void copyBits(const llvm::BitVector &From, uint32_t AtFrom,
                     llvm::BitVector &To, uint32_t AtTo, uint32_t Count) {
  for (uint32_t I = 0; I < Count; ++I)
    if (AtFrom + I < From.size() && From.test(AtFrom + I))
      To.set(AtTo + I);
}

ClassCoverage coverage::carryOver(const ClassCoverage &Ran,
                                  const ClassMethods &From,
                                  const ClassMethods &To, size_t &NumEqual) {
  ClassCoverage Own{To.Id, To.Name, {}};
  if (!Ran.Probes.empty())
    Own.Probes.resize(To.NumProbes);
  if (!Ran.Lines.empty())
    Own.Lines.resize(To.NumLines);
  if (!Ran.Segments.empty())
    Own.Segments.resize(To.NumSegments);
  if (!Ran.Edges.empty())
    Own.Edges.resize(To.Methods.size());
  llvm::StringMap<size_t> Places;
  for (size_t N = 0; N < From.Methods.size(); ++N)
    Places[From.Methods[N].Name] = N;
  NumEqual = 0;
  for (size_t N = 0; N < To.Methods.size(); ++N) {
    const ClassMethods::Method &M = To.Methods[N];
    auto At = Places.find(M.Name);
    if (At == Places.end())
      continue;
    const ClassMethods::Method &O = From.Methods[At->second];
    if (O.Code != M.Code || O.Lines.Points != M.Lines.Points ||
        O.Segments.Points != M.Segments.Points)
      continue;
    ++NumEqual;
    const uint32_t NumProbes = M.Lines.NumProbes;
    copyBits(Ran.Probes, O.Lines.FirstProbe, Own.Probes, M.Lines.FirstProbe,
             NumProbes);
    copyBits(Ran.Lines, O.Lines.FirstOther, Own.Lines, M.Lines.FirstOther,
             uint32_t(M.Lines.Points.size()) - NumProbes);
    copyBits(Ran.Segments, O.Segments.FirstOther, Own.Segments,
             M.Segments.FirstOther, uint32_t(M.Segments.Points.size()));
    if (At->second < Ran.Edges.size())
      Own.Edges[N] = Ran.Edges[At->second];
  }
  return Own;
}
