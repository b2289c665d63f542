//===- ReorderSlots.cpp - Give slots other numbers ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineKeeper.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/Passes/Analysis/LocalVariables.h"
#include "jopt/Passes/Analysis/SlotLiveness.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::BitVector;

#define GET_STATISTICS_ReorderSlots
#include "jopt/Passes/Passes.inc"

/// Slots of a method that are looked at, at most: pairs of them are.
static constexpr unsigned MostSlots = 512;

/// Bytes of a load from or store to a slot, and of an increment of it.
static unsigned accessSize(unsigned Slot, bool IsIncrement) {
  if (Slot > 255)
    return IsIncrement ? 6 : 4;
  return IsIncrement ? 3 : Slot < 4 ? 1 : 2;
}

static bool isAccess(const Instruction &I) {
  return I.op() == irop::LocalGet || I.op() == irop::LocalSet ||
         I.op() == irop::LocalInc;
}

static bool isWide(const Instruction &I) {
  return (I.op() == irop::LocalGet   ? I.type()
          : I.op() == irop::LocalSet ? I.operand(0)->type()
                                     : Type(Type::Int))
      .isCategory2();
}

/// The read of the slot that \p I copies to another; null if it is no copy, or
/// the first slot has changed since.
static Instruction *copiedBy(const Instruction &I) {
  if (I.op() != irop::LocalSet)
    return nullptr;
  auto *Read = llvm::dyn_cast<Instruction>(I.operand(0));
  if (!Read || Read->op() != irop::LocalGet || Read->block() != I.block() ||
      I.block()->countUses(Read) != 1)
    return nullptr;
  const unsigned Slot = Read->index();
  for (auto It = std::next(Read->getIterator()); &*It != &I; ++It)
    if ((It->op() == irop::LocalSet || It->op() == irop::LocalInc) &&
        (It->index() == Slot || isWide(*It) || isWide(I)))
      return nullptr;
  return Read;
}

namespace {

/// How groups of slots are placed. The first is best for the code, the last for
/// frames, which tell what differs from the frame before.
enum Strategy : uint8_t {
  ByUse,     ///< those used most first
  ShortOnly, ///< the same for the slots of the shortest opcodes; others in
             ///< order
  Apart,     ///< as before, and no two groups share a number
  InOrder,   ///< the old order, without gaps
};

/// Slots in a row that stay in a row: halves of a long or double, and what
/// shares one of them.
struct SlotGroup {
  unsigned First = 0, Size = 1;
  unsigned Accesses = 0, Increments = 0;
  bool IsFixed = false;

  unsigned uses() const { return Accesses + Increments; }
  unsigned cost(unsigned At) const {
    return Accesses * accessSize(At, false) + Increments * accessSize(At, true);
  }
};

class SlotOrder {
public:
  SlotOrder(Body &F, PassContext &C)
      : F(F), C(C), L(C.analysis<SlotLiveness>(F)), NumSlots(F.numSlots()),
        Together(NumSlots), Conflicts(NumSlots, BitVector(NumSlots)) {}

  /// Finds new numbers. False if there are none that make the code shorter.
  bool find();
  void rename();
  unsigned saved() const { return Saved; }

private:
  bool findConflicts();
  void findGroups();
  void fixNamed();
  void findCopies();
  Type alwaysHeld(unsigned At) const;
  unsigned findPlace(const SlotGroup &G, Strategy How) const;
  void dropCopies();
  bool mayStand(const SlotGroup &G, unsigned At, Strategy How) const;
  void place(const SlotGroup &G, unsigned At);
  void placeAll(Strategy How);
  /// Bytes of code that depend on the numbers, and of frames.
  static constexpr unsigned Unusable = UINT_MAX / 2;
  struct Size {
    unsigned Code = 0, Frames = 0;
    unsigned all() const { return Code + Frames; }
  };
  Size sizeNow() const;
  llvm::SmallVector<Type, 16> frameOf(const Block &B,
                                      bool *Mixes = nullptr) const;
  void renameTables();

  Body &F;
  PassContext &C;
  const SlotLiveness &L;
  const unsigned NumSlots;
  BitVector Together; ///< N: slots N and N + 1 are of one group
  std::vector<BitVector> Conflicts;
  std::vector<SlotGroup> Groups;
  /// The slots between which values are copied: from, to.
  std::vector<std::pair<unsigned, unsigned>> Copies;
  /// By slot, the type of all stores to it; void: there is none, Top: they
  /// differ.
  std::vector<Type> Stored;
  std::vector<unsigned> New;                       ///< by old number
  std::vector<llvm::SmallVector<unsigned, 2>> Has; ///< by new number
  unsigned Saved = 0;
};

} // namespace

/// Slots conflict where one is written while the other is read later. False if
/// an increment would be of nothing.
bool SlotOrder::findConflicts() {
  bool Known = true;
  for (Block &B : F.blocks())
    L.walk(B, [&](Instruction &I, const BitVector &Live) {
      if (I.op() == irop::LocalInc && !Live.test(I.index()))
        Known = false;
      if (isAccess(I) && isWide(I))
        Together.set(I.index());
      if (I.op() == irop::LocalInc)
        Conflicts[I.index()] |= Live;
      if (I.op() != irop::LocalSet)
        return true;
      // A copied value may stay in its slot.
      const Instruction *Copied = copiedBy(I);
      const bool Met = Copied && Conflicts[I.index()].test(Copied->index());
      for (unsigned S = I.index(); S <= I.index() + isWide(I); ++S) {
        Conflicts[S] |= Live;
        // Verifiers ask for the slots of handlers at each instruction.
        for (unsigned Other = 0; B.throwEdges() && Other < NumSlots; ++Other)
          if (L.isReadByHandlers(B, Other))
            Conflicts[S].set(Other);
      }
      if (Copied && !Met && !isWide(I) &&
          !L.isReadByHandlers(B, Copied->index()))
        Conflicts[I.index()].reset(Copied->index());
      return true;
    });
  for (unsigned S = 0; S < NumSlots; ++S) {
    Conflicts[S].reset(S);
    for (unsigned Other : Conflicts[S].set_bits())
      Conflicts[Other].set(S);
  }
  return Known;
}

void SlotOrder::findGroups() {
  for (unsigned S = 0; S < NumSlots;) {
    SlotGroup G;
    G.First = S;
    while (Together.test(S++) && S < NumSlots)
      ++G.Size;
    G.IsFixed = G.First < F.initialLocals().size();
    for (const Body::PinnedLocal &P : F.PinnedLocals)
      G.IsFixed |= P.Slot >= G.First && P.Slot < G.First + G.Size;
    Groups.push_back(G);
  }
  std::vector<unsigned> Of(NumSlots);
  for (unsigned N = 0; N < Groups.size(); ++N)
    std::fill_n(Of.begin() + Groups[N].First, Groups[N].Size, N);
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions())
      if (isAccess(I))
        ++(I.op() == irop::LocalInc ? Groups[Of[I.index()]].Increments
                                    : Groups[Of[I.index()]].Accesses);
}

/// A type of one slot that every value of it has from the beginning.
static bool isPlain(Type Ty) {
  return Ty.is(Type::Int) || Ty.is(Type::Float) || Ty.is(Type::Ref);
}

/// Finds copies, and what slots hold.
void SlotOrder::findCopies() {
  Stored.assign(NumSlots, Type::Void);
  BitVector HoldNull(NumSlots); // which has every type of an object
  auto Note = [&](unsigned Slot, Type Ty) {
    Type &Known = Stored[Slot];
    if (Ty.is(Type::Null))
      HoldNull.set(Slot);
    else
      Known = isPlain(Ty) && (Known.isVoid() || Known == Ty) ? Ty : Type::Top;
  };
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions()) {
      if (I.op() != irop::LocalSet)
        continue;
      Note(I.index(), I.operand(0)->type());
      if (isWide(I))
        Note(I.index() + 1, Type::High);
      const Instruction *From = copiedBy(I);
      if (From && !isWide(I) && From->index() != I.index() &&
          !Conflicts[From->index()].test(I.index()))
        Copies.push_back({From->index(), I.index()});
    }
  for (unsigned S : HoldNull.set_bits())
    if (Stored[S].is(Type::Int) || Stored[S].is(Type::Float))
      Stored[S] = Type::Top;
}

/// The type that the slot \p At holds wherever it is, by its new number, as a
/// parameter has it and all stores are of that type; void if that is not so.
Type SlotOrder::alwaysHeld(unsigned At) const {
  const llvm::ArrayRef<Type> Parameters = F.initialLocals();
  if (At >= Parameters.size() || Has[At].size() < 2)
    return Type::Void;
  const Type Ty = Parameters[At];
  const bool Holds = llvm::all_of(Has[At], [&](unsigned S) {
    return Stored[S] == Ty || (S == At && Stored[S].isVoid());
  });
  return Holds && isPlain(Ty) ? Ty : Type(Type::Void);
}

/// Debuggers look for variables in their slots, which hold nothing else then.
void SlotOrder::fixNamed() {
  if (C.debugTables() == DebugTables::None)
    return;
  for (const LocalVariable &V : C.analysis<LocalVariables>(F).All)
    for (unsigned S = V.Slot; S < NumSlots && S <= V.Slot + 1u; ++S) {
      Conflicts[S].set();
      for (BitVector &Other : Conflicts)
        Other.set(S);
    }
  for (unsigned S = 0; S < NumSlots; ++S)
    Conflicts[S].reset(S);
}

bool SlotOrder::mayStand(const SlotGroup &G, unsigned At, Strategy How) const {
  for (unsigned N = 0; N < G.Size; ++N)
    for (unsigned Other : Has[At + N])
      if (How >= Apart || Conflicts[G.First + N].test(Other))
        return false;
  return true;
}

void SlotOrder::place(const SlotGroup &G, unsigned At) {
  for (unsigned N = 0; N < G.Size; ++N) {
    New[G.First + N] = At + N;
    Has[At + N].push_back(G.First + N);
  }
}

/// Where \p G costs least: where it may stand first, or where it makes copies
/// needless.
unsigned SlotOrder::findPlace(const SlotGroup &G, Strategy How) const {
  unsigned Best = 0;
  while (!mayStand(G, Best, How))
    ++Best;
  auto CostAt = [&](unsigned At) {
    auto Cost = int(G.cost(At));
    for (auto [From, To] : Copies) {
      const unsigned Other = From == G.First ? To : From;
      if ((From == G.First || To == G.First) &&
          llvm::is_contained(Has[At], Other))
        Cost -= int(2 * accessSize(At, false));
    }
    return Cost;
  };
  for (auto [From, To] : Copies) {
    if (From != G.First && To != G.First)
      continue;
    const unsigned Other = From == G.First ? To : From;
    const unsigned At = New[Other];
    if (llvm::is_contained(Has[At], Other) && mayStand(G, At, How) &&
        CostAt(At) < CostAt(Best))
      Best = At;
  }
  return Best;
}

void SlotOrder::placeAll(Strategy How) {
  constexpr unsigned NumShort = 4;
  New.assign(NumSlots, 0);
  Has.assign(NumSlots * 2, {});
  std::vector<const SlotGroup *> Order;
  for (const SlotGroup &G : Groups)
    if (G.IsFixed)
      place(G, G.First);
    else if (G.uses())
      Order.push_back(&G);
  llvm::stable_sort(Order, [](const SlotGroup *A, const SlotGroup *B) {
    return A->uses() > B->uses();
  });
  std::vector<const SlotGroup *> Later;
  for (const SlotGroup *G : Order) {
    const unsigned At = findPlace(*G, How);
    if (How == ByUse || (How != InOrder && At < NumShort))
      place(*G, At);
    else
      Later.push_back(G);
  }
  llvm::sort(Later, [](const SlotGroup *A, const SlotGroup *B) {
    return A->First < B->First;
  });
  for (const SlotGroup *G : Later)
    place(*G, findPlace(*G, How));
}

/// The slots that \p B declares, by their new numbers. Where two groups share
/// one, only the one that is needed is declared. \p Mixes: two are, which hold
/// one value by two types.
llvm::SmallVector<Type, 16> SlotOrder::frameOf(const Block &B,
                                               bool *Mixes) const {
  llvm::SmallVector<Type, 16> Frame;
  const BitVector &Live = L.liveIn(B);
  const llvm::ArrayRef<Type> Old = B.locals();
  for (unsigned S = 0; S < Old.size(); ++S) {
    if (Old[S].is(Type::Top) || Old[S].is(Type::High))
      continue;
    const unsigned At = New[S];
    const unsigned Size = Old[S].isCategory2() ? 2 : 1;
    bool IsShared = false, IsUsed = false;
    for (unsigned N = 0; N < Size; ++N) {
      IsShared |= Has[At + N].size() != 1;
      IsUsed |= llvm::is_contained(Has[At + N], S + N);
    }
    if (!IsUsed || (IsShared && !Live.test(S)))
      continue;
    if (Frame.size() < At + Size)
      Frame.resize(At + Size, Type(Type::Top));
    if (Mixes && !Frame[At].is(Type::Top) && Frame[At] != Old[S])
      *Mixes = true;
    Frame[At] = Old[S];
    if (Size == 2)
      Frame[At + 1] = Type::High;
  }
  for (unsigned At = 0; At < F.initialLocals().size(); ++At)
    if (const Type Ty = alwaysHeld(At); !Ty.isVoid()) {
      if (Frame.size() <= At)
        Frame.resize(At + 1, Type(Type::Top));
      Frame[At] = Ty;
    }
  return Frame;
}

/// Bytes of a frame for \p Now behind one for \p Last, about.
static unsigned frameSize(llvm::ArrayRef<Type> Last, llvm::ArrayRef<Type> Now,
                          const Block &B) {
  auto Bytes = [](llvm::ArrayRef<Type> Types) {
    unsigned Sum = 0;
    for (Type Ty : Types)
      if (!Ty.is(Type::High))
        Sum += Ty.is(Type::Ref) || Ty.is(Type::Uninit) ? 3 : 1;
    return Sum;
  };
  auto Entries = [](llvm::ArrayRef<Type> Types) {
    return llvm::count_if(Types, [](Type Ty) { return !Ty.is(Type::High); });
  };
  const size_t Common = std::min(Last.size(), Now.size());
  const bool IsPrefix = Last.take_front(Common) == Now.take_front(Common);
  const auto More = Now.drop_front(Common), Less = Last.drop_front(Common);
  constexpr unsigned MostChanges = 3;
  if (!IsPrefix || B.parameters().size() > 1 || Entries(More) > MostChanges ||
      Entries(Less) > MostChanges ||
      (!B.parameters().empty() && Last.size() != Now.size()))
    return 7 + Bytes(Now) + 3 * unsigned(B.parameters().size());
  if (Last.size() == Now.size())
    return 1 + 3 * unsigned(B.parameters().size());
  return 3 + Bytes(More);
}

SlotOrder::Size SlotOrder::sizeNow() const {
  Size S;
  for (const SlotGroup &G : Groups)
    S.Code += G.cost(New[G.First]);
  for (auto [From, To] : Copies)
    if (New[From] == New[To])
      S.Code -= 2 * accessSize(New[To], false);
  bool Mixes = false;
  llvm::SmallVector<Type, 16> Last(F.initialLocals());
  for (const Block &B : F.blocks())
    if (B.hasFrame()) {
      auto Now = frameOf(B, &Mixes);
      S.Frames += frameSize(Last, Now, B);
      Last = std::move(Now);
    }
  if (Mixes)
    S.Code = Unusable;
  return S;
}

bool SlotOrder::find() {
  if (!L.isKnown() || !findConflicts())
    return false;
  findGroups();
  fixNamed();
  findCopies();
  New.resize(NumSlots);
  Has.resize(NumSlots * 2);
  for (const SlotGroup &G : Groups)
    place(G, G.First);
  const Size Old = sizeNow();
  Size Best = Old;
  std::optional<Strategy> Found;
  for (Strategy How : {ByUse, ShortOnly, Apart, InOrder}) {
    placeAll(How);
    const Size Now = sizeNow();
    if (Now.Code > Old.Code || Now.all() > Old.all() ||
        (Now.Code == Old.Code && Now.all() == Old.all()) ||
        (Found && (Now.Code > Best.Code ||
                   (Now.Code == Best.Code && Now.all() >= Best.all()))))
      continue;
    Best = Now;
    Found = How;
  }
  if (!Found)
    return false;
  placeAll(*Found);
  Saved = Old.Code - Best.Code;
  return true;
}

/// Drops the copies of slots to themselves.
void SlotOrder::dropCopies() {
  LineKeeper Lines(F, C);
  for (Block &B : F.blocks())
    for (Instruction &I : llvm::make_early_inc_range(B)) {
      Instruction *Read = copiedBy(I);
      if (!Read || Read->index() != I.index())
        continue;
      Lines.erase(&I);
      Lines.erase(Read);
      ++NumCopies;
    }
}

/// Tables of variables, and annotations on them.
void SlotOrder::renameTables() {
  for (Attribute &A : F.Attributes) {
    const AttributeInfo *Info =
        findAttributeInfo(F.pool().utf8(A.NameIndex), InCode);
    if (!Info)
      continue;
    llvm::SmallVector<uint8_t, 64> Data(A.Data.begin(), A.Data.end());
    bool Changed = false;
    const bool Fits =
        visitAttribute(*Info, A.Data, F.pool(), [&](AttributeField Field) {
          if (Field.K != AttributeField::Slot)
            return;
          const unsigned Old = readU2(&Data[Field.Offset]);
          if (Old >= NumSlots || New[Old] == Old)
            return;
          writeU2(&Data[Field.Offset], uint16_t(New[Old]));
          Changed = true;
        });
    if (Fits && Changed)
      A.Data = F.classFile().save(Data);
  }
}

void SlotOrder::rename() {
  unsigned Most = unsigned(F.initialLocals().size());
  for (Block &B : F.blocks()) {
    if (B.hasFrame())
      F.setFrame(&B, frameOf(B));
    for (Instruction &I : B) {
      if (!isAccess(I))
        continue;
      if (New[I.index()] != I.index())
        I.setLongForm(false);
      I.setIndex(New[I.index()]);
      Most = std::max(Most, I.index() + 1 + isWide(I));
    }
  }
  for (const Body::PinnedLocal &P : F.PinnedLocals)
    Most = std::max(Most, P.Slot + 1 + P.Ty.isCategory2());
  dropCopies();
  renameTables();
  F.setNumSlots(Most);
}

/// A frame declares a slot behind one that holds nothing.
static bool hasGaps(const Body &F) {
  return llvm::any_of(F.blocks(), [](const Block &B) {
    return llvm::is_contained(B.locals(), Type(Type::Top));
  });
}

llvm::Expected<PreservedAnalyses> ReorderSlotsPass::run(Body &F,
                                                        PassContext &C) const {
  // The first slots cost one byte whatever their order.
  constexpr unsigned NumShort = 4;
  if (F.Inferred || F.Inlined || F.numSlots() <= F.initialLocals().size() ||
      (F.numSlots() <= NumShort && !hasGaps(F)))
    return PreservedAnalyses::all();
  if (F.numSlots() > MostSlots) {
    C.missed(F.method(), "too many slots to look at");
    return PreservedAnalyses::all();
  }
  SlotOrder Order(F, C);
  if (!Order.find())
    return PreservedAnalyses::all();
  Order.rename();
  ++NumMethods;
  C.remark(F.method(), "gave slots other numbers, which saves " +
                           llvm::Twine(Order.saved()) + " bytes");
  return PreservedAnalyses::none();
}
