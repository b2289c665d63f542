//===- SnippetBranches.cpp - Snippets of several blocks -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SnippetBranches.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

/// The last of \p Code, in front of a terminator of one byte, that is no load
/// of a slot from \p First on.
static uint32_t endBeforeLoads(Bytes Code, unsigned First) {
  uint32_t End = uint32_t(Code.size()) - 1, Last = End;
  DecodedInst D;
  for (uint32_t At = 0; At < End && decodeInst(Code, At, D); At = D.end())
    Last = D.info().Cat == op::CatLocal && D.info().result() && D.Index >= First
               ? At
               : D.end();
  return Last;
}

llvm::Error jopt::noteBranches(Snippet &Code, const Schedule &S,
                               const CodeEmitter &E, ExceptionTable &Table) {
  const Body &F = *Code.IR;
  if (!E.BehindFarBranches.empty())
    return makeError("what stands at a site is too long");
  if (llvm::Error Err = Table.run(F, S, E))
    return Err;
  Code.Branches = std::make_unique<SnippetBranches>();
  SnippetBranches &To = *Code.Branches;
  To.NumTemps = F.numSlots() - Code.NumSlots;
  To.Rest = endBeforeLoads(E.code(), Code.NumSlots);
  // That of the first is where the method has it.
  for (size_t N = 1; N < S.Blocks.size(); ++N) {
    const Block &B = *S.Blocks[N].B;
    if (!B.hasFrame())
      continue;
    // Where a block has no code, the frame of the next counts.
    if (!To.Frames.empty() && To.Frames.back().At == S.Blocks[N].Offset)
      To.Frames.pop_back();
    SnippetBranches::Frame &New = To.Frames.emplace_back();
    New.At = S.Blocks[N].Offset;
    for (size_t Slot = Code.NumSlots; Slot < B.locals().size(); ++Slot)
      if (!B.locals()[Slot].is(Type::High))
        New.Temps.push_back(B.locals()[Slot]);
    while (!New.Temps.empty() && New.Temps.back().is(Type::Top))
      New.Temps.pop_back();
    for (const Parameter *P : B.parameters())
      New.Stack.push_back(P->type());
  }
  for (const ExceptionTable::Row &R : Table.Rows) {
    const size_t Handler = S.OrdinalOf[R.Entry->Handler->id()];
    To.Rows.push_back({R.Start, R.End, R.Target,
                       Handler + 1 < S.Blocks.size()
                           ? S.Blocks[Handler + 1].Offset
                           : uint32_t(E.code().size())});
  }
  return llvm::Error::success();
}
