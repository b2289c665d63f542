//===- VerifyPatch.cpp - Sites in original code ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/CodePatch.h"

using namespace jopt;
using llvm::Twine;

void jopt::verifyPatch(const Body &B, Findings &F) {
  const CodePatch &S = *B.Patch;
  const Bytes Code = S.Code.Code;
  auto Add = [&](const Twine &Message) {
    F.add(IRRule::Patches, nullptr, nullptr, Message);
  };
  if (!B.blocks().empty())
    Add("a patched body has blocks");
  // Places that passes name must be where instructions begin.
  DecodedInst D;
  uint32_t Next = 0;
  auto Begins = [&](uint32_t BCI) {
    while (Next < BCI && decodeInst(Code, Next, D))
      Next = D.end();
    return Next == BCI;
  };
  const InsertionPoint *Before = nullptr;
  for (const InsertionPoint &Of : S.Sites) {
    if (!Of.Code)
      Add("the site at " + Twine(Of.BCI) + " has no code");
    // Behind a return nothing else can be.
    if (Before &&
        (S.Records ? Of.BCI < Before->BCI
                   : Of < *Before || (Before->BCI == Of.BCI &&
                                      Before->For == InsertionPoint::Exit)))
      Add("the site at " + Twine(Of.BCI) + " is not behind that at " +
          Twine(Before->BCI));
    if (Of.End < Of.BCI || Of.End > Code.size() ||
        (Of.Replaces && Of.End == Of.BCI))
      Add("the site at " + Twine(Of.BCI) + " ends at " + Twine(Of.End));
    if (!Begins(Of.BCI))
      Add("no instruction is at " + Twine(Of.BCI) + ", where a site is");
    Before = &Of;
  }
  for (const Detour &D : S.Detours) {
    DecodedInst I;
    bool Leads = false;
    if (S.Records && D.Code && D.From < Code.size() &&
        decodeInst(Code, D.From, I))
      I.forEachTarget([&](int32_t To) { Leads |= To == int32_t(D.Target); });
    if (!Leads)
      Add("a detour leads from " + Twine(D.From) + " to " + Twine(D.Target));
  }
  for (const SyntheticHandler &H : S.Handlers)
    if (!H.Code || H.From > H.To || H.To > Code.size())
      Add("a handler is for " + Twine(H.From) + " to " + Twine(H.To));
  forEachSnippet(S, [&](const Snippet &Of) {
    const SnippetBranches *Has = Of.Branches.get();
    if (!Has)
      return;
    auto IsIn = [&](uint32_t At) { return At <= Of.Code.size(); };
    bool Are = IsIn(Has->Rest);
    uint32_t Last = 0;
    for (const SnippetBranches::Frame &Of : Has->Frames)
      Are &= IsIn(Of.At) && std::exchange(Last, Of.At) <= Of.At;
    for (const SnippetBranches::Row &R : Has->Rows)
      Are &= R.Start < R.End && IsIn(R.End) && IsIn(R.Target) && IsIn(R.Behind);
    if (!Are)
      Add("a snippet has frames or rows that are not in its code");
  });
}
