//===- ActivePasses.cpp - Passes that have work in a class ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ActivePasses.h"
#include "Optimize/Optimizable.h"

using namespace jopt;

/// \p M may not be left as it is without \p I, whoever sees it: something was
/// done to it, or it is from text.
bool ActivePasses::isNeeded(const PassInfo &I, const Method &M) const {
  return I.Required &&
         (M.Changed || (M.IR && !C.wasLifted(M)) || Editor.isRequired(M));
}

bool ActivePasses::mayOptimize(const Method &M) {
  if (std::exchange(OfOptimizing.Asked, &M) != &M)
    OfOptimizing.Answer =
        (M.IR || M.codeAttribute(F.Pool) >= 0) && jopt::mayOptimize(F, M);
  return OfOptimizing.Answer;
}

/// Element \p I sees \p M, and wants it.
bool ActivePasses::asks(size_t I, const Method &M) {
  const Pipeline::Element &E = *Elements[I].Of;
  if (!sees(M) && !isNeeded(*E.Info, M))
    return false;
  switch (E.Info->Wants) {
  case PassInfo::Lifted:
    return M.IR != nullptr;
  case PassInfo::Optimizable:
    return mayOptimize(M);
  case PassInfo::Kinds:
    return (kindsFor(M) & Elements[I].Kinds) != 0;
  case PassInfo::Asked:
    if (!M.IR && M.codeAttribute(F.Pool) < 0)
      return false;
    C.setPass(E.Info);
    return E.Pass.wants(M, C);
  }
  llvm_unreachable("all ways are listed");
}

bool ActivePasses::anyWants(const Method &M, size_t First, size_t End) {
  for (size_t I = First; I < End; ++I)
    if (wants(I, M))
      return true;
  return false;
}

bool ActivePasses::isInstrumented(const Method &M) {
  const PassInfo *AtWork = C.pass();
  bool Is = false;
  for (size_t I = 0; I < Elements.size() && !Is; ++I) {
    const PassInfo &Info = *Elements[I].Of->Info;
    Is = !Elements[I].Of->Pass.isMethodPass() ||
         (!Info.Optimizes && Info.Wants != PassInfo::Lifted && asks(I, M));
  }
  C.setPass(AtWork);
  return Is;
}

bool ActivePasses::isRepeated(size_t I, size_t Changed) const {
  if (!Elements[I].Of->Info->Optimizes)
    return false;
  for (size_t Before = I; Before-- > Changed;)
    if (Elements[Before].Of->Info == Elements[I].Of->Info)
      return true;
  return false;
}

void ActivePasses::begin(const Pipeline &P) {
  // Passes see some method, or may have to do something.
  if (PI && PI->Sees && llvm::none_of(F.Methods, [&](const Method &M) {
        return M.IR || sees(M);
      }))
    return;
  bool OnLifted = true; // none wants any but those that others do
  for (const Pipeline::Element &E : P.elements()) {
    C.setPass(E.Info);
    if (!E.Pass.begin(C))
      continue;
    uint64_t Places = 0;
    for (const AdviceKind K : E.Info->Places)
      Places |= uint64_t(1) << unsigned(K);
    const size_t Number = Elements.size();
    Elements.push_back({&E, Places, Number < 64 ? uint64_t(1) << Number : 0,
                        E.Info->Wants == PassInfo::Lifted});
    Kinds |= Places;
    AsksNone &= E.Info->Wants != PassInfo::Asked;
    Optimizes |= E.Info->Wants == PassInfo::Optimizable;
    OnLifted &= E.Info->Wants == PassInfo::Lifted;
  }
  if (OnLifted && !Elements.empty() &&
      llvm::none_of(F.Methods, [](const Method &M) { return M.IR != nullptr; }))
    Elements.clear();
}
