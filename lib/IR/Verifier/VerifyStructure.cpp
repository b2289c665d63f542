//===- VerifyStructure.cpp - Blocks, edges, uses --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"

using namespace jopt;
using llvm::Twine;

namespace {

class StructureVerifier {
public:
  StructureVerifier(const Body &B, Findings &F)
      : B(B), F(F), InLayout(B.numBlocks()), Defined(B.numValues()),
        ExplicitEntry(B.numBlocks()) {}

  void run();

private:
  bool isInLayout(const Block *Blk) const {
    return Blk && &Blk->body() == &B && InLayout[Blk->id()];
  }
  void blockHeader(const Block &Blk, const Block *Previous);
  void tries();
  void throwList(const Block &Blk);
  void instructions(const Block &Blk);
  void use(const Block &Blk, const Instruction &I, const Value *V);
  void terminator(const Block &Blk, const Block *Next);
  void switchKeys(const Instruction &I);
  void slots(llvm::ArrayRef<Type> Slots, const Block *Blk);
  void site(Type T, const Block &Blk, const Instruction *I);
  void sites();

  const Body &B;
  Findings &F;
  std::vector<bool> InLayout;
  /// The block that defines a value, once it is passed.
  std::vector<const Block *> Defined;
  /// Blocks that something other than falling through leads to.
  std::vector<bool> ExplicitEntry;
  std::vector<const Instruction *> NewOfSite;
  std::vector<bool> SiteUsed;
};

/// Successors of a kind of terminator; switches have at least one.
unsigned successorsOf(IROp Op) {
  switch (Op) {
  case irop::FallThrough:
  case irop::Goto:
    return 1;
  case irop::If:
    return 2;
  default:
    return 0;
  }
}

bool isSwitch(IROp Op) {
  return Op == irop::TableSwitch || Op == irop::LookupSwitch;
}

/// The block that control falls into, if \p T lets it fall.
const Block *fallsInto(const Instruction &T) {
  if (T.op() == irop::FallThrough && T.successors().size() == 1)
    return T.successors()[0];
  if (T.op() == irop::If && T.successors().size() == 2)
    return T.successors()[1];
  return nullptr;
}

void StructureVerifier::slots(llvm::ArrayRef<Type> Slots, const Block *Blk) {
  auto Add = [&](const Twine &Message) {
    F.add(IRRule::SlotLayout, Blk, nullptr, Message);
  };
  if (Slots.size() > B.numSlots())
    Add(Twine(Slots.size()) + " slots, but the method has " +
        Twine(B.numSlots()));
  for (size_t I = 0; I < Slots.size(); ++I) {
    bool Wide = I && Slots[I - 1].isCategory2();
    if (Slots[I].is(Type::High) != Wide)
      Add("slot " + Twine(I) +
          (Wide ? " is not the second half of the slot before"
                : " is the second half of nothing"));
    if (Slots[I].is(Type::Void) || Slots[I].is(Type::RetAddr))
      Add("slot " + Twine(I) + " has no type of a slot");
  }
  if (!Slots.empty() && Slots.back().isCategory2())
    Add("the last slot is a long or double without its second half");
}

void StructureVerifier::site(Type T, const Block &Blk, const Instruction *I) {
  if (!T.is(Type::Uninit))
    return;
  if (T.payload() >= B.NewSites.size())
    F.add(IRRule::NewSites, &Blk, I, "uninit type of an unknown site");
  else
    SiteUsed[T.payload()] = true;
}

void StructureVerifier::blockHeader(const Block &Blk, const Block *Previous) {
  if (!Previous && (Blk.isHandler() || !Blk.parameters().empty()))
    F.add(IRRule::EntryBlock, Blk,
          Blk.isHandler() ? "the first block is a handler"
                          : "the first block has parameters");
  if (Blk.isHandler() && Blk.parameters().size() != 1)
    F.add(IRRule::HandlerBlock, Blk,
          "a handler has " + Twine(Blk.parameters().size()) +
              " parameters instead of one");
  if (Blk.isHandler() && !Blk.hasFrame())
    F.add(IRRule::HandlerBlock, Blk, "a handler has no frame");
  for (const Parameter *P : Blk.parameters()) {
    site(P->type(), Blk, nullptr);
    if (!P->type().slots() || P->type().is(Type::Top) ||
        P->type().is(Type::High) || P->type().is(Type::RetAddr))
      F.add(IRRule::Uses, Blk, "a parameter has no type of a value");
    Defined[P->id()] = &Blk;
  }
  if (!Blk.hasFrame())
    return;
  slots(Blk.locals(), &Blk);
  for (Type T : Blk.locals())
    site(T, Blk, nullptr);
}

void StructureVerifier::tries() {
  for (const TryEntry *T : B.tries()) {
    if (!isInLayout(T->Handler))
      F.add(IRRule::HandlerBlock,
            "try t" + Twine(T->Priority) + " has no handler in the layout");
    else if (!T->Handler->isHandler())
      F.add(IRRule::HandlerBlock, *T->Handler,
            "handler of try t" + Twine(T->Priority) +
                " is not marked as a handler");
    else
      ExplicitEntry[T->Handler->id()] = true;
  }
}

void StructureVerifier::throwList(const Block &Blk) {
  bool Foreign = false;
  forEachTry(Blk.throwEdges(), [&](const TryEntry *T) {
    Foreign |= T->Priority >= B.tries().size() || B.tries()[T->Priority] != T;
  });
  if (Foreign)
    F.add(IRRule::ThrowList, Blk, "throw list names a try of another body");
}

void StructureVerifier::use(const Block &Blk, const Instruction &I,
                            const Value *V) {
  if (!V) {
    F.add(IRRule::Uses, I, "an operand is missing");
    return;
  }
  if (V->id() >= Defined.size() || Defined[V->id()] != &Blk)
    F.add(IRRule::Uses, I, F.name(V) + " is not defined before in this block");
  else if (V->type().isVoid())
    F.add(IRRule::Uses, I, "an operand is an instruction without a result");
}

void StructureVerifier::instructions(const Block &Blk) {
  for (const Instruction &I : Blk.instructions()) {
    for (const Value *V : I.operands())
      use(Blk, I, V);
    if (I.isTerminator() && &I != &Blk.instructions().back())
      F.add(IRRule::Terminator, I, "a terminator inside the block");
    site(I.type(), Blk, &I);
    if (I.op() == irop::New && I.type().is(Type::Uninit) &&
        I.type().payload() < NewOfSite.size()) {
      const Instruction *&Known = NewOfSite[I.type().payload()];
      if (Known)
        F.add(IRRule::NewSites, I, "the site has another new instruction");
      Known = &I;
    }
    if (!I.isTerminator())
      Defined[I.id()] = &Blk;
  }
}

void StructureVerifier::switchKeys(const Instruction &I) {
  if (I.successors().size() < 2)
    return;
  llvm::ArrayRef<int32_t> Keys = I.keys();
  if (!Keys.data()) {
    F.add(IRRule::SwitchKeys, I, "the keys are missing");
    return;
  }
  bool Table = I.op() == irop::TableSwitch;
  for (size_t K = 1; K < Keys.size(); ++K) {
    if (Table ? int64_t(Keys[K]) == int64_t(Keys[K - 1]) + 1
              : Keys[K] > Keys[K - 1])
      continue;
    F.add(IRRule::SwitchKeys, I,
          "key " + Twine(Keys[K]) + " behind " + Twine(Keys[K - 1]));
    return;
  }
}

void StructureVerifier::terminator(const Block &Blk, const Block *Next) {
  const Instruction *T = Blk.terminator();
  if (!T) {
    F.add(IRRule::Terminator, Blk, "the block has no terminator");
    return;
  }
  size_t Count = T->successors().size();
  if (isSwitch(T->op()) ? Count < 1 : Count != successorsOf(T->op()))
    F.add(IRRule::Successors, *T,
          Twine(Count) + " successors are not right for this kind");
  for (const Block *S : T->successors()) {
    if (!isInLayout(S)) {
      F.add(IRRule::Successors, *T, "a successor is not in the layout");
      return;
    }
    if (S->parameters().size() != Blk.exitValues().size())
      F.add(IRRule::ExitArity, *T,
            Twine(Blk.exitValues().size()) + " exit values, but " + F.name(S) +
                " has " + Twine(S->parameters().size()) + " parameters");
  }
  if (T->successors().empty() && !Blk.exitValues().empty())
    F.add(IRRule::ExitArity, *T, "exit values, but no successor");
  for (const Value *V : Blk.exitValues())
    use(Blk, *T, V);
  if (isSwitch(T->op()))
    switchKeys(*T);
  const Block *Falls = fallsInto(*T);
  if (Falls && Falls != Next)
    F.add(IRRule::Layout, *T, F.name(Falls) + " is not the next block");
  // The second successor of a branch is entered by falling through.
  size_t Explicit = Falls ? Count - 1 : Count;
  for (size_t S = 0; S < Explicit; ++S)
    ExplicitEntry[T->successors()[S]->id()] = true;
}

void StructureVerifier::sites() {
  for (size_t S = 0; S < NewOfSite.size(); ++S)
    if (!NewOfSite[S] && SiteUsed[S])
      F.add(IRRule::NewSites,
            "an uninit type names a site without a new instruction");
    else if (NewOfSite[S] && NewOfSite[S] != B.NewSites[S])
      F.add(IRRule::NewSites, *NewOfSite[S],
            "the body knows another instruction for this site");
}

void StructureVerifier::run() {
  if (B.blocks().empty()) {
    F.add(IRRule::EntryBlock, "there is no block");
    return;
  }
  NewOfSite.resize(B.NewSites.size());
  SiteUsed.resize(B.NewSites.size());
  for (const Block &Blk : B.blocks())
    InLayout[Blk.id()] = true;
  slots(B.initialLocals(), nullptr);
  tries();
  const Block *Previous = nullptr;
  for (auto I = B.blocks().begin(), E = B.blocks().end(); I != E; ++I) {
    const Block &Blk = *I;
    blockHeader(Blk, Previous);
    throwList(Blk);
    instructions(Blk);
    auto Next = std::next(I);
    terminator(Blk, Next == E ? nullptr : &*Next);
    Previous = &Blk;
  }
  sites();
  Previous = nullptr;
  for (const Block &Blk : B.blocks()) {
    bool Falls = !Previous || (Previous->terminator() &&
                               fallsInto(*Previous->terminator()) == &Blk);
    if (!Blk.hasFrame() && (ExplicitEntry[Blk.id()] || !Falls))
      F.add(IRRule::FrameMissing, Blk,
            Falls ? "a branch leads here, but there is no frame"
                  : "nothing falls in here, and there is no frame");
    Previous = &Blk;
  }
}

} // namespace

void jopt::verifyStructure(const Body &B, Findings &F) {
  StructureVerifier(B, F).run();
}
