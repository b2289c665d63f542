//===- EarlyCSE.cpp - Use what was computed before ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "InstructionSize.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/Support/Casting.h"
#include <bitset>

using namespace jopt;

#define GET_STATISTICS_EarlyCSE
#include "jopt/Passes/Passes.inc"

namespace {

/// Numbers of values: equal numbers are equal values.
using Number = unsigned;
constexpr Number Unknown = 0;

/// What an instruction computes of what: its opcode, a constant or an entry of
/// the pool, the state of the memory that it reads, operands.
using Expression =
    std::tuple<unsigned, uint64_t, unsigned, Number, Number, Number>;

/// The contents of slots and memory at a point of the code.
struct Contents {
  struct Held {
    Number N = Unknown;
    Type Ty;
  };
  std::vector<Held> Slots;
  /// When memory, arrays, and fields of this class may have been written last.
  unsigned Memory = 0, Arrays = 0;
  llvm::DenseMap<const Field *, unsigned> Fields;
};

class CSE {
public:
  CSE(Body &F, PassContext &C)
      : F(F), C(C), What(C.analysis<Effects>(F)), NumEdges(F.numBlocks()),
        Numbers(F.numValues()) {}

  bool run();

private:
  using Table = llvm::ScopedHashTable<Expression, Number>;

  void walkTree(Block &B, Contents S, unsigned Depth);
  void walk(Block &B, Contents &S);
  static void enter(const Block &B, Contents &S);
  Number numberOf(Value &V);
  Number compute(Instruction &I, Contents &S);
  std::optional<Expression> expressionOf(Instruction &I, const Contents &S);
  std::optional<Expression> loadOf(Instruction &Access, const Contents &S);
  void noteWrite(Instruction &I, Contents &S);
  const Field *fieldOf(const Instruction &Access);
  static void setSlot(Contents &S, unsigned Slot, Number N, Type Ty);
  bool replace(Instruction &I, Number N, const Contents &S);
  bool readSlot(Instruction &I, unsigned Slot);
  bool duplicate(Instruction &I, Number N);
  unsigned freedBy(const Instruction &I);
  void replaceBy(Instruction &I, Instruction &New);
  unsigned now() { return ++Clock; }

  /// Made when something goes first: counting uses takes a while.
  DeadCode &dead() {
    if (!Dead)
      Dead.emplace(F, C);
    return *Dead;
  }

  Body &F;
  PassContext &C;
  std::optional<DeadCode> Dead;
  const Effects &What;
  Table Known;
  /// By entry of the pool: what Effects::ownField() said.
  llvm::SmallDenseMap<unsigned, const Field *, 16> OwnFields;
  /// The instruction of a block at work that has a number first.
  llvm::DenseMap<Number, Instruction *> First;
  std::vector<unsigned> NumEdges; ///< into a block, by Block::id()
  std::vector<Number> Numbers;    ///< by Value::id()
  llvm::SmallVector<Block *, 16> Roots;
  Number NextNumber = Unknown;
  unsigned Clock = 0;
  bool Changed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Number CSE::numberOf(Value &V) {
  if (V.id() >= Numbers.size())
    Numbers.resize(F.numValues());
  Number &N = Numbers[V.id()];
  if (N == Unknown)
    N = ++NextNumber;
  return N;
}

/// The field of the class that \p Access names; null if it is of another one.
const Field *CSE::fieldOf(const Instruction &Access) {
  const auto [It, IsNew] = OwnFields.try_emplace(Access.index(), nullptr);
  if (IsNew)
    It->second = What.ownField(Access);
  return It->second;
}

/// The value that \p Access reads, or writes so that a read would give it; of
/// fields of this class and of arrays.
std::optional<Expression> CSE::loadOf(Instruction &Access, const Contents &S) {
  if (Access.op() == irop::FieldAccess) {
    const Field *Of = fieldOf(Access);
    if (!Of || Of->is(ACC_VOLATILE) ||
        Of->is(ACC_STATIC) != (Access.opcode() == op::GETSTATIC ||
                               Access.opcode() == op::PUTSTATIC))
      return std::nullopt;
    const auto It = S.Fields.find(Of);
    return Expression{op::GETFIELD,
                      reinterpret_cast<uintptr_t>(Of),
                      It == S.Fields.end() ? S.Memory : It->second,
                      Of->is(ACC_STATIC) ? Unknown
                                         : numberOf(*Access.operand(0)),
                      Unknown,
                      Unknown};
  }
  return Expression{Access.opcode(),
                    0,
                    std::max(S.Memory, S.Arrays),
                    numberOf(*Access.operand(0)),
                    numberOf(*Access.operand(1)),
                    Unknown};
}

static bool isArrayRead(const Instruction &I) {
  return I.opcodeInfo().Cat == op::CatArray && I.op() == irop::Plain &&
         !I.type().isVoid() && I.operands().size() == 2;
}

static bool isArrayWrite(const Instruction &I) {
  return I.opcodeInfo().Cat == op::CatArray && I.op() == irop::Plain &&
         I.type().isVoid();
}

/// What \p I computes, if computing it again gives the same.
std::optional<Expression> CSE::expressionOf(Instruction &I, const Contents &S) {
  if (I.type().isVoid())
    return std::nullopt;
  switch (I.op()) {
  case irop::Const:
    if (!I.isPure())
      return std::nullopt;
    return Expression{I.opcode(), I.index(), uint32_t(I.imm()),
                      Unknown,    Unknown,   Unknown};
  case irop::FieldAccess:
    return loadOf(I, S);
  case irop::ClassOp:
    if (I.opcode() == op::ANEWARRAY)
      return std::nullopt;
    break;
  case irop::Plain:
    if (isArrayRead(I))
      return loadOf(I, S);
    switch (I.opcodeInfo().Cat) {
    case op::CatArithmetic:
    case op::CatComparison:
    case op::CatConversion:
      break;
    default:
      if (I.opcode() != op::ARRAYLENGTH)
        return std::nullopt;
    }
    break;
  default:
    return std::nullopt;
  }
  if (I.operands().size() > 2)
    return std::nullopt;
  Number N[2] = {Unknown, Unknown};
  for (unsigned K = 0; K < I.operands().size(); ++K)
    N[K] = numberOf(*I.operand(K));
  if (commutes(I.opcode()) && N[0] > N[1])
    std::swap(N[0], N[1]);
  return Expression{I.opcode(), I.index(), 0, N[0], N[1], Unknown};
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void CSE::setSlot(Contents &S, unsigned Slot, Number N, Type Ty) {
  if (Slot && S.Slots[Slot - 1].Ty.isCategory2())
    S.Slots[Slot - 1] = {};
  S.Slots[Slot] = {N, Ty};
  if (Ty.isCategory2())
    S.Slots[Slot + 1] = {};
}

/// Forgets slots that may not be read any more.
void CSE::enter(const Block &B, Contents &S) {
  if (!B.hasFrame())
    return;
  for (size_t N = 0; N < S.Slots.size(); ++N)
    if (N >= B.locals().size() || B.locals()[N] != S.Slots[N].Ty)
      S.Slots[N] = {};
}

/// The value that the slot, field or array element has that \p I writes, and
/// all that \p I may have changed. Whatever links or initialises a class may
/// run code of the program, and a read of a volatile field shows writes of
/// other threads.
void CSE::noteWrite(Instruction &I, Contents &S) {
  if (I.op() == irop::LocalSet)
    return setSlot(S, I.index(), numberOf(*I.operand(0)), I.operand(0)->type());
  if (I.op() == irop::LocalInc)
    return setSlot(S, I.index(), ++NextNumber, Type::Int);
  const bool IsField = I.op() == irop::FieldAccess;
  const Field *Of = IsField ? fieldOf(I) : nullptr;
  const bool IsPlainField = Of && !Of->is(ACC_VOLATILE);
  constexpr unsigned RunsCode = op::OfLink | op::OfInit | op::OfUser;
  if (IsField ? !IsPlainField || (Of->is(ACC_STATIC) && What.failures(I))
              : I.opcodeInfo().Cat == op::CatMonitor ||
                    (I.opcodeInfo().Failures & RunsCode &&
                     What.failures(I) & RunsCode)) {
    S.Memory = now();
    S.Fields.clear();
  }
  if (IsPlainField && I.type().isVoid()) {
    S.Fields[Of] = now();
    // Narrow fields hold less than what is written.
    const Type Ty = I.operands().back()->type();
    const char D = F.classFile().descriptor(*Of)[0];
    if (!Ty.is(Type::Int) || D == 'I')
      Known.insert(*loadOf(I, S), numberOf(*I.operands().back()));
  }
  if (isArrayWrite(I))
    S.Arrays = now();
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

/// The bytes of \p I with what only it uses.
unsigned CSE::freedBy(const Instruction &I) {
  unsigned Size = sizeOf(I);
  for (const Value *V : I.operands())
    if (const auto *Of = llvm::dyn_cast<Instruction>(V);
        Of && dead().uses(*Of) == 1 && What.isRemovable(*Of))
      Size += freedBy(*Of);
  return Size;
}

void CSE::replaceBy(Instruction &I, Instruction &New) {
  dead().replaceUses(I, New);
  dead().erase(&I);
  Changed = true;
}

/// Has \p Slot read instead of computing \p I, if that is no longer.
bool CSE::readSlot(Instruction &I, unsigned Slot) {
  Instruction *Get = F.create(irop::LocalGet, opcodeFor(op::ILOAD, I.type()),
                              I.type(), {}, I.bci());
  Get->setIndex(Slot);
  if (sizeOf(*Get) > freedBy(I))
    return false;
  Get->setAdvice(I.advice());
  Get->setKeep(I.keep());
  Get->setPopped(I.popped());
  F.insert(Get, I.block(), I.getIterator());
  dead().lines().add(*Get);
  replaceBy(I, *Get);
  ++NumReads;
  return true;
}

/// Has the value that \p I computes duplicated, where it is computed right
/// before and waits on the stack.
bool CSE::duplicate(Instruction &I, Number N) {
  Instruction *Of = First.lookup(N);
  if (!Of || Of->block() != I.block() || Of->type() != I.type())
    return false;
  llvm::SmallVector<const Instruction *, 8> Tree{&I};
  for (auto It = I.getIterator(); --It != Of->getIterator();) {
    const bool IsPart = dead().uses(*It) == 1 && What.isRemovable(*It) &&
                        llvm::any_of(Tree, [&](const Instruction *User) {
                          return llvm::is_contained(User->operands(), &*It);
                        });
    if (!IsPart || Tree.size() == 4)
      return false;
    Tree.push_back(&*It);
  }
  for (const Instruction *Part : Tree)
    if (llvm::is_contained(Part->operands(), Of))
      return false;
  Of->setKeep(true);
  Of->setFloating(false);
  Of->setPopped(I.popped());
  replaceBy(I, *Of);
  ++NumCopies;
  return true;
}

bool CSE::replace(Instruction &I, Number N, const Contents &S) {
  constexpr unsigned LongSlots = 256; ///< wide iload is no shorter
  if (!dead().uses(I) || I.op() == irop::Const)
    return false;
  const size_t End = std::min<size_t>(S.Slots.size(), LongSlots);
  for (unsigned Slot = 0; Slot < End; ++Slot)
    if (S.Slots[Slot].N == N && S.Slots[Slot].Ty == I.type() &&
        readSlot(I, Slot))
      return true;
  return duplicate(I, N);
}

/// Walks over \p I, which may go. Its number.
Number CSE::compute(Instruction &I, Contents &S) {
  if (I.op() == irop::LocalGet) {
    Contents::Held &H = S.Slots[I.index()];
    if (H.N == Unknown || H.Ty != I.type())
      setSlot(S, I.index(), numberOf(I), I.type());
    return S.Slots[I.index()].N;
  }
  const auto E = expressionOf(I, S);
  if (!E)
    return Unknown;
  const Number N = Known.lookup(*E);
  if (N == Unknown)
    Known.insert(*E, numberOf(I));
  return N == Unknown ? numberOf(I) : N;
}

void CSE::walk(Block &B, Contents &S) {
  enter(B, S);
  First.clear();
  for (auto It = B.begin(); It != B.end();) {
    Instruction &I = *It++;
    const bool IsRead = I.op() == irop::LocalGet;
    const Number N = compute(I, S);
    const bool IsNew = N == Unknown || N == numberOf(I) || IsRead;
    if (N != Unknown) {
      if (!IsNew && replace(I, N, S))
        continue;
      Numbers[I.id()] = N;
      if (!IsRead)
        First.insert({N, &I});
    }
    noteWrite(I, S);
  }
}

/// Walks over \p B, and over the blocks that only it leads to.
void CSE::walkTree(Block &B, Contents S, unsigned Depth) {
  constexpr unsigned MostDepth = 64;
  Table::ScopeTy Scope(Known);
  walk(B, S);
  Block *Last = nullptr;
  for (Block *To : B.terminator()->successors()) {
    if (NumEdges[To->id()] != 1 || To->isHandler() || To == &F.entry())
      continue;
    if (Depth == MostDepth) {
      Roots.push_back(To);
      continue;
    }
    for (size_t N = 0; N < To->parameters().size(); ++N) {
      const Number Of = numberOf(*B.exitValues()[N]);
      numberOf(*To->parameters()[N]);
      Numbers[To->parameters()[N]->id()] = Of;
    }
    if (Last)
      walkTree(*Last, S, Depth + 1);
    Last = To;
  }
  if (Last)
    walkTree(*Last, std::move(S), Depth + 1);
}

bool CSE::run() {
  for (const Block &B : F.blocks())
    for (const Block *S : B.terminator()->successors())
      ++NumEdges[S->id()];
  for (Block &B : F.blocks())
    if (NumEdges[B.id()] != 1 || B.isHandler() || &B == &F.entry())
      Roots.push_back(&B);
  for (size_t N = 0; N < Roots.size(); ++N) {
    Contents S;
    S.Slots.resize(F.numSlots() + 1);
    S.Memory = S.Arrays = now();
    walkTree(*Roots[N], std::move(S), 0);
  }
  return Changed;
}

/// Some instruction does to some operands what another does; a read of a field
/// may be of what was written.
static bool hasRepetitions(const Body &F) {
  constexpr unsigned NumSets = 1024; // by opcode and index, some of them as one
  std::bitset<NumSets> Seen;
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions()) {
      const bool IsField = I.op() == irop::FieldAccess;
      if (!IsField && (I.type().isVoid() ||
                       (I.op() != irop::Plain && I.op() != irop::ClassOp)))
        continue;
      const unsigned Set =
          ((IsField ? unsigned(op::GETFIELD) : I.opcode()) * 5 + I.index()) %
          NumSets;
      if (Seen.test(Set) && !(IsField && I.type().isVoid()))
        return true;
      Seen.set(Set);
    }
  return false;
}

llvm::Expected<PreservedAnalyses> EarlyCSEPass::run(Body &F,
                                                    PassContext &C) const {
  constexpr size_t MostWork = 1 << 22; ///< slots that are copied
  if (F.Inferred || F.Inlined || !hasRepetitions(F))
    return PreservedAnalyses::all();
  if (size_t(F.numSlots()) * F.numBlocks() > MostWork) {
    C.missed(F.method(), "too many slots and blocks to look at");
    return PreservedAnalyses::all();
  }
  return PreservedAnalyses::changedIf(CSE(F, C).run()).preserve<Effects>();
}
