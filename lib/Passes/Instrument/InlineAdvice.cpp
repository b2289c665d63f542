//===- InlineAdvice.cpp - Bodies of advices in place of calls -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code without branches is put where the call was. Other code cuts the block:
/// \code
///   B:  ...; store the arguments, and what is on the stack below them
///   A:  the method's blocks, in slots of their own; `goto M` for returns
///   M:  (result) ...
/// \endcode
/// Sites are taken from the last to the first, so that what one stores is used
/// up before the next one in the order of the code.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/ImportCode.h"
#include "../AdviceCode/Inlinable.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/Dominators.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_InlineAdvice
#include "jopt/Passes/Passes.inc"

/// As many slots as a method has that is inlined.
static constexpr unsigned MaxLocals = 1024;
/// The rest of the pool is for what other passes and methods need.
static constexpr unsigned PoolLimit = 60000;

namespace {

/// A call of an advice's method.
struct InlineSite {
  Instruction *Call;
  const Inlinable *Callee;
  /// The types of the slots there, without pinned locals.
  llvm::SmallVector<Type, 8> Slots;
};

/// Inlines in one method.
class Inliner {
public:
  Inliner(Body &F, PassContext &C)
      : F(F), C(C), Set(C.get<ClassAdvices>().set()) {}
  bool run();

private:
  bool isSite(const Instruction &I) const;
  void collect();
  void defineSlots(llvm::ArrayRef<std::string> Why);
  std::string refuse(const InlineSite &S);
  void inlineStraight(const InlineSite &S);
  void inlineBranching(const InlineSite &S);
  void passArguments(Builder &B, CodeImporter &Code, const InlineSite &S);
  void tell(const InlineSite &S, StringRef Why);

  Body &F;
  PassContext &C;
  const AdviceSet &Set;
  std::vector<InlineSite> Sites;
  /// The first slot for the locals of inlined code, the same at all sites.
  unsigned Base = 0;
  /// An estimate of the code, in bytes.
  unsigned Size = 0;
  /// About the size of the code with a call at each site, and with what is
  /// inlined so far. They are no bounds like Size, but for small methods.
  unsigned Called = 0, Inlined = 0;
  /// A bound of the slots in which values wait.
  unsigned Temps = 0;
};

} // namespace

bool Inliner::isSite(const Instruction &I) const {
  if (I.op() != irop::Invoke || I.opcode() != op::INVOKESTATIC ||
      I.advice() < 0 || size_t(I.advice()) >= Set.Advices.size())
    return false;
  const AdviceBody &A = Set.Advices[size_t(I.advice())].Body;
  MemberRef R = F.pool().member(I.index());
  return R.Owner == A.Owner && R.Name == A.Name && R.Descriptor == A.Descriptor;
}

void Inliner::collect() {
  SlotState State(F);
  Size = Called = F.OriginalCodeLength;
  for (Block &B : F.blocks()) {
    State.enter(B);
    for (Instruction &I : B) {
      if (I.bci() < 0 && !I.info().NoCode) {
        Size += 3 + 2 * unsigned(I.operands().size());
        Called += I.op() == irop::Invoke ? 3 : I.isTerminator() ? 1 : 2;
      }
      if (isSite(I)) {
        const auto &All = C.analysis<Inlinables>(F.classFile());
        InlineSite &S = Sites.emplace_back();
        S.Call = &I;
        S.Callee = &All.of(unsigned(I.advice()));
        S.Slots.assign(State.slots().begin(), State.slots().end());
        for (const Body::PinnedLocal &W : F.PinnedLocals)
          for (unsigned N = W.Slot; N < W.Slot + W.Ty.slots(); ++N)
            if (N < S.Slots.size())
              S.Slots[N] = Type::Top;
      }
      State.step(I);
    }
  }
  Inlined = Called;
}

/// A value that may be made again wherever its block still runs.
static Instruction *floating(Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->isPure() && (I->floating() || I->op() == irop::Const)
             ? I
             : nullptr;
}

/// Whether an object that is not constructed yet is on the stack while \p Call
/// runs.
static bool isAmidConstruction(Instruction *Call) {
  Block *B = Call->block();
  llvm::SmallPtrSet<const Value *, 8> Raw;
  auto Add = [&](const Value *V) {
    if (V->type().is(Type::Uninit) || V->type().is(Type::UninitThis))
      Raw.insert(V);
  };
  for (const Parameter *P : B->parameters())
    Add(P);
  for (auto It = B->begin(); &*It != Call; ++It)
    Add(&*It);
  auto IsRaw = [&](const Value *V) { return Raw.contains(V); };
  if (!Raw.empty())
    for (auto It = Call->getIterator(); It != B->end(); ++It)
      if (llvm::any_of(It->operands(), IsRaw))
        return true;
  return llvm::any_of(B->exitValues(), IsRaw);
}

/// Why \p S stays a call; empty if it does not.
std::string Inliner::refuse(const InlineSite &S) {
  const Inlinable &Callee = *S.Callee;
  if (!Callee.Refused.empty())
    return Callee.Refused;
  if (F.classFile().Major < Callee.Version)
    return ("it needs class files of version " + llvm::Twine(Callee.Version) +
            ", and this one is of " + llvm::Twine(F.classFile().Major))
        .str();
  if (!Callee.Straight && isAmidConstruction(S.Call))
    return "it branches, and an object that is not constructed yet is on the "
           "stack";
  // Slots above 255 need longer instructions.
  unsigned Growth = 2 * Callee.Code->OriginalCodeLength +
                    4 * unsigned(S.Call->operands().size());
  if (!Callee.Straight)
    Growth += 4 * F.OriginalMaxStack;
  if (Size + Growth > hotspot::HugeMethodLimit)
    return llvm::formatv("the method would grow over {0:N} bytes",
                         hotspot::HugeMethodLimit);
  // Its return and the call are saved. What needs no probe class is inlined at
  // any rate: there may be none. A method that grows over what HotSpot inlines
  // can cost more than a call does.
  const unsigned Grown = Inlined + Callee.Code->OriginalCodeLength - 4;
  if (!Callee.Uses.empty())
    for (unsigned Limit : {hotspot::MaxInlineSize, hotspot::FreqInlineSize})
      if (Called <= Limit && Grown > Limit && !C.mayExceedLimit())
        return ("the method would grow over " + llvm::Twine(Limit) +
                " bytes, and HotSpot would inline it itself less often")
            .str();
  if (F.pool().size() + Callee.Code->OriginalCodeLength > PoolLimit)
    return "the constant pool has no room";
  Temps += F.OriginalMaxStack + 8;
  if (F.numSlots() + MaxLocals + Temps > 65535)
    return "the method has no room for more slots";
  Size += Growth;
  Inlined = Grown;
  return {};
}

/// Makes what the call has as operands the parameters of \p Code.
void Inliner::passArguments(Builder &B, CodeImporter &Code,
                            const InlineSite &S) {
  const Inlinable &Callee = *S.Callee;
  llvm::SmallVector<std::pair<unsigned, Value *>, 8> Stored;
  unsigned Slot = 0;
  for (Value *V : S.Call->operands()) {
    unsigned Width = V->type().slots();
    Type Wanted = Code.type(Callee.Code->initialLocals()[Slot]);
    bool Written = Callee.Written.test(Slot) ||
                   (Width == 2 && Callee.Written.test(Slot + 1));
    Instruction *Again = floating(V);
    // The code was typed for what the descriptor says.
    bool Fits = V->type() == Wanted ||
                (Wanted == F.types().ref("java/lang/Object") &&
                 V->type().isInitialized() && !V->type().is(Type::Null));
    if (!Written && (!Callee.Read.test(Slot) || (Again && Fits)))
      Code.substitute(Slot, V);
    else
      Stored.push_back({Base + Slot, V});
    Slot += Width;
  }
  // The last one is on top of the stack.
  for (auto [To, V] : llvm::reverse(Stored))
    B.set(To, V);
}

/// The original instruction whose line \p Call has: the next one. -1 if there
/// is none.
static int32_t findLine(const Instruction *Call) {
  const Block *B = Call->block();
  for (auto It = Call->getIterator(); It != B->instructions().end();) {
    if (It->bci() >= 0)
      return It->bci();
    if (It->op() != irop::FallThrough) {
      ++It;
      continue;
    }
    B = It->successors()[0];
    It = B->instructions().begin();
  }
  return -1;
}

/// Gives the code in front of \p At the line of an original instruction.
static void markLine(Body &F, int32_t Line, Block *B,
                     Block::InstList::iterator At) {
  if (Line < 0)
    return;
  Instruction *Mark = F.create(irop::Anchor, op::NOP, Type::Void, {}, Line);
  Mark->setIndex(op::NOP);
  F.insert(Mark, B, At);
}

void Inliner::inlineStraight(const InlineSite &S) {
  Instruction *Call = S.Call;
  Block *B = Call->block();
  CodeImporter Code(*S.Callee->Code, F, Base, Call->advice());
  Builder Bd(F, Call);
  Bd.setAdvice(Call->advice());
  passArguments(Bd, Code, S);
  const Block &Only = S.Callee->Code->blocks().front();
  Code.copyInstructions(Only, B, Call->getIterator());
  markLine(F, findLine(Call), B, Call->getIterator());
  const Instruction *Return = Only.terminator();
  if (!Return->operands().empty()) {
    Value *Result = Code.value(Return->operand(0));
    // Its slot may be written before the result is used.
    auto *I = llvm::dyn_cast<Instruction>(Result);
    if (I && I->op() == irop::LocalGet)
      I->setFloating(false);
    B->replaceUses(Call, Result);
  }
  F.erase(Call);
}

void Inliner::inlineBranching(const InlineSite &S) {
  Instruction *Call = S.Call;
  const int32_t Advice = Call->advice();
  const Body &From = *S.Callee->Code;
  const int32_t Line = findLine(Call);
  BlockCut Cut(&*std::next(Call->getIterator()));
  Block *B = Cut.Before, *M = Cut.After;
  CodeImporter Code(From, F, Base, Advice);
  Builder Bd(F);
  Bd.setAdvice(Advice);
  Bd.setEnd(B);
  passArguments(Bd, Code, S);
  // Values below the arguments wait in slots; the last is on top.
  llvm::SmallVector<Type, 16> Slots(S.Slots.begin(), S.Slots.end());
  for (CarriedValue &V : llvm::reverse(Cut.Values))
    if (V.Out != Call && !floating(V.Out))
      Cut.store(Bd, V, F.addSlot(V.Ty.slots()), Slots);

  Code.createBlocks(M, Slots, B->throwEdges());
  Block *First = Code.block(&From.blocks().front());
  markLine(F, Line, B, B->end());
  Bd.fallThrough(First);
  F.setFrame(M, Slots);

  // M gets the result, where it is used.
  const bool Used = llvm::any_of(
      Cut.Values, [&](const CarriedValue &V) { return V.Out == Call; });
  F.setParameters(M, Used ? llvm::ArrayRef<Type>(Call->type())
                          : llvm::ArrayRef<Type>());
  Bd.setPoint(M, M->begin());
  for (const CarriedValue &V : Cut.Values) {
    Value *New = V.Out == Call ? (Value *)M->parameters()[0]
                 : V.Slot      ? Bd.get(*V.Slot, V.Ty)
                               : copyFloating(Bd, *floating(V.Out));
    M->replaceUses(V.In, New);
  }
  if (Used)
    M->parameters()[0]->setPopped(true);
  F.erase(Call);

  for (const Block &Original : From.blocks()) {
    Block *Copy = Code.block(&Original);
    Code.copyInstructions(Original, Copy, Copy->end());
    const Instruction *T = Original.terminator();
    if (T->op() != irop::Return)
      continue;
    if (Used)
      F.setExitValues(Copy, Code.value(T->operand(0)));
    Bd.setEnd(Copy);
    if (std::next(Copy->getIterator()) == M->getIterator())
      Bd.fallThrough(M);
    else
      Bd.jump(M);
  }
  markLine(F, Line, First, First->terminator()->getIterator());
}

void Inliner::tell(const InlineSite &S, StringRef Why) {
  const AdviceBody &A = Set.Advices[size_t(S.Call->advice())].Body;
  std::string Name = toDisplayUTF8(A.Owner) + "." + toDisplayUTF8(A.Name);
  if (!Why.empty()) {
    C.remark(F.method(), Name + " is not inlined: " + Why);
    return;
  }
  std::string Uses;
  for (const std::string &Class : S.Callee->Uses)
    Uses += (Uses.empty() ? "uses " : ", ") + toDisplayUTF8(Class);
  C.remark(F.method(), Name + " is inlined, " +
                           (Uses.empty() ? "probe class not needed" : Uses));
}

/// Code that branches brings frames, and the first frame declares the
/// method-wide slots: gives those a value that have none yet. \p Why: what
/// keeps each site a call.
void Inliner::defineSlots(llvm::ArrayRef<std::string> Why) {
  llvm::SmallVector<const InlineSite *, 8> Framing;
  for (auto [S, No] : llvm::zip(Sites, Why))
    if (No.empty() && !S.Callee->Straight)
      Framing.push_back(&S);
  if (Framing.empty())
    return;
  Builder Bd(F);
  Bd.setPoint(&F.entry(), F.entry().begin());
  Bd.setAdvice(Sites.front().Call->advice());
  for (const Body::PinnedLocal &W : F.PinnedLocals) {
    llvm::SmallVector<const Instruction *, 4> Writes;
    for (Block &B : F.blocks())
      for (const Instruction &I : B)
        if (I.op() == irop::LocalSet && I.index() == W.Slot)
          Writes.push_back(&I);
    // A block that a handler reaches has a frame, which had the slot already.
    const auto &Ways = C.analysis<Dominators<FlowEdges::Normal>>(F);
    if (llvm::any_of(Framing, [&](const InlineSite *S) {
          return llvm::none_of(Writes, [&](const Instruction *I) {
            return Ways.dominates(*I, *S->Call);
          });
        }))
      Bd.set(W.Slot, Bd.zero(W.Ty));
  }
}

bool Inliner::run() {
  collect();
  std::vector<std::string> Why;
  unsigned Locals = 0;
  for (const InlineSite &S : Sites) {
    Why.push_back(refuse(S));
    tell(S, Why.back());
    if (!Why.back().empty()) {
      ++NumCalls;
      continue;
    }
    Locals = std::max(Locals, S.Callee->Code->numSlots());
  }
  defineSlots(Why);
  Base = F.numSlots();
  F.addSlot(Locals);
  bool Changed = false;
  for (size_t N = Sites.size(); N-- > 0;) {
    const InlineSite &S = Sites[N];
    if (!Why[N].empty())
      continue;
    ++NumInlined;
    Changed = true;
    if (S.Callee->Straight)
      inlineStraight(S);
    else
      inlineBranching(S);
  }
  return Changed;
}

bool InlineAdvicePass::begin(PassContext &C) const {
  return !C.get<ClassAdvices>().set().empty();
}

llvm::Expected<PreservedAnalyses> InlineAdvicePass::run(Body &B,
                                                        PassContext &C) const {
  return PreservedAnalyses::changedIf(Inliner(B, C).run());
}
