//===- SelfCoveringHandlers.cpp - Handlers that cover themselves ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfCoveringHandlers.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace jopt;

/// \p T catches everything, and its handler begins where \p B does.
static bool beginsAt(const TryEntry &T, const Block &B) {
  return T.CatchType == 0 && B.bci() >= 0 && T.Handler->bci() == B.bci();
}

const ThrowEdge *jopt::withoutOwn(Body &F, const Block &B, bool AtBeginning) {
  const ThrowEdge *Others = B.throwEdges();
  forEachTry(B.throwEdges(), [&](TryEntry *T) {
    auto Covers = [T](const Block *Of) {
      bool Found = false;
      forEachTry(Of->throwEdges(), [&](TryEntry *Each) { Found |= Each == T; });
      return Found;
    };
    const Block *Begin = T->Handler;
    // Code placed there before is outside of the range.
    const bool IsBehind = AtBeginning && beginsAt(*T, B);
    while (IsBehind && !Covers(Begin) &&
           Begin->terminator()->op() == irop::FallThrough &&
           Begin->terminator()->successors()[0]->bci() == Begin->bci())
      Begin = Begin->terminator()->successors()[0];
    llvm::SmallVector<const Block *, 8> Next(Covers(Begin), Begin);
    llvm::SmallPtrSet<const Block *, 8> Seen(Next.begin(), Next.end());
    while (!Next.empty())
      for (const Block *To : Next.pop_back_val()->terminator()->successors())
        if (Covers(To) && Seen.insert(To).second)
          Next.push_back(To);
    if (Seen.contains(&B))
      Others = F.withoutTry(Others, T);
  });
  return Others;
}

SelfCoveringHandler::SelfCoveringHandler(Body &F, Instruction *I) : F(F), I(I) {
  Block &B = *I->block();
  if (&*B.begin() != I)
    return;
  bool Begins = false; // all others cost no more
  forEachTry(B.throwEdges(), [&](TryEntry *T) { Begins |= beginsAt(*T, B); });
  if (!Begins)
    return;
  Others = withoutOwn(F, B, true);
  Covers = Others != B.throwEdges();
}

void SelfCoveringHandler::close(Instruction *Before) {
  if (!Covers)
    return;
  Block *Code = Before->block();
  goOn(F, Code, Before == I ? F.split(Code, I->getIterator()) : I->block(),
       Others);
}

void SelfCoveringHandler::goOn(Body &F, Block *Code, Block *Rest,
                               const ThrowEdge *Others) {
  const auto H = llvm::find_if(F.blocks(), [Code](const Block &B) {
    return B.isHandler() && B.bci() >= 0 && B.bci() == Code->bci();
  });
  bool Begins = false;
  forEachTry(Rest->throwEdges(),
             [&](TryEntry *T) { Begins |= beginsAt(*T, *Code); });
  const Type Thrown = F.types().ref("java/lang/Throwable");
  if (!Begins || H == F.blocks().end() || Rest->parameters().size() > 1 ||
      llvm::any_of(Rest->parameters(),
                   [&](const Parameter *P) { return P->type() != Thrown; }))
    return;
  llvm::SmallVector<Type, 16> Frame(H->locals());
  dropPinnedLocals(Frame, F);
  // In front, so that the edge to Rest is no back edge, as of a loop; where
  // nothing falls into that place.
  const bool IsFallenInto =
      H != F.blocks().begin() &&
      llvm::is_contained(std::prev(H)->terminator()->successors(), &*H);
  Block *Handler = addCatchAll(F, Frame, IsFallenInto ? nullptr : &*H);
  Handler->setThrowEdges(Others);
  Builder B(F);
  B.setEnd(Handler);
  B.jump(Rest);
  Parameter *Caught = Handler->parameters()[0];
  if (Rest->parameters().empty()) {
    Caught->setPopped(true);
    F.setExitValues(Handler, {});
  } else {
    F.setExitValues(Handler, {Caught});
  }
  F.setFrame(Rest, Frame);
  wrapInTry(Code, Handler, Others,
            F.tries().empty() ? nullptr : F.tries().front());
}

static bool isBranchedTo(const CodePatch &S, uint32_t BCI) {
  const auto To = int32_t(BCI);
  return llvm::any_of(S.Jumps,
                      [=](const OriginalJump &J) { return J.Target == BCI; }) ||
         llvm::any_of(S.Switches, [&](uint32_t At) {
           DecodedInst D;
           bool Found = !decodeInst(S.Code.Code, At, D);
           D.forEachTarget([&](int32_t Each) { Found |= Each == To; });
           return Found;
         });
}

std::optional<bool> jopt::coversItself(const CodePatch &S,
                                       const ConstantPool &Pool, uint32_t BCI) {
  const auto &Handlers = S.Code.Handlers;
  auto IsOwn = [&](const CodeView::Handler &H) {
    return H.Target == BCI && H.covers(BCI);
  };
  if (llvm::none_of(Handlers, IsOwn))
    return false;
  for (const CodeView::Handler &H : Handlers)
    if (H.Target == BCI && (H.CatchType != 0 || (IsOwn(H) && H.Start != BCI)))
      return std::nullopt;
  const auto Frame = llvm::partition_point(
      S.Frames, [=](const OriginalFrame &F) { return F.BCI < BCI; });
  // The code of no other handler that covers this may lead here.
  if (Frame == S.Frames.end() || Frame->FallsIn || isBranchedTo(S, BCI) ||
      Frame->Rest.size() < 3 || !S.Slots.empty())
    return std::nullopt;
  const uint8_t *const Thrown = Frame->Rest.end() - 3; // its type: an object
  if (Pool.className(readU2(Thrown + 1)) != "java/lang/Throwable" ||
      !storesObject(S.Code.Code[BCI]))
    return std::nullopt;
  return true;
}
