//===- DebugRows.cpp - Rows of variables that would lie -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugRows.h"
#include "jopt/IR/Model/CFG.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace jopt;
using llvm::BitVector;

namespace {

/// A row of LocalVariableTable or LocalVariableTypeTable.
struct VariableRow {
  uint32_t Start, End;
  unsigned Slot;
  bool Lies = false;
};
constexpr size_t RowSize = 10;

/// The rows of an attribute.
struct VariableTable {
  Attribute *Of;
  std::vector<VariableRow> Rows;
};

class StaleRows {
public:
  StaleRows(Body &F, const StoreSet &Gone) : F(F), Gone(Gone) {}

  void run();

private:
  void readTables();
  void write(const VariableTable &T);
  bool step(const Instruction &I, BitVector &Stale) const;
  void spread();
  void mark(const Instruction &I, const BitVector &Stale);

  Body &F;
  const StoreSet &Gone;
  std::vector<VariableTable> Tables;
  std::vector<BitVector> In; ///< slots that may be stale, by Block::id()
};

} // namespace

void StaleRows::readTables() {
  for (Attribute &A : F.Attributes) {
    const llvm::StringRef Name = F.pool().utf8(A.NameIndex);
    if (Name != "LocalVariableTable" && Name != "LocalVariableTypeTable")
      continue;
    VariableTable T{&A, {}};
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      const uint32_t Start = C.u2(), End = Start + C.u2();
      C.skip(4);
      T.Rows.push_back({Start, End, C.u2()});
    }
    if (!C.failed() && A.Data.size() == 2 + T.Rows.size() * RowSize)
      Tables.push_back(std::move(T));
  }
}

/// Whether \p I writes a slot.
bool StaleRows::step(const Instruction &I, BitVector &Stale) const {
  if (I.op() != irop::LocalSet && I.op() != irop::LocalInc)
    return false;
  if (Gone.contains(&I))
    Stale.set(I.index());
  else if (I.op() == irop::LocalSet)
    Stale.reset(I.index());
  return true;
}

/// Where stale slots get to.
void StaleRows::spread() {
  In.assign(F.numBlocks(), BitVector(F.numSlots()));
  FlowGraph G(F, FlowEdges::WithThrows);
  for (bool Again = true; Again;) {
    Again = false;
    for (FlowNode &N : G.nodes()) {
      BitVector Stale = In[N.block().id()], Any = Stale;
      for (const Instruction &I : N.block())
        if (step(I, Stale))
          Any |= Stale;
      for (size_t S = 0; S < N.successors().size(); ++S) {
        BitVector &To = In[N.successors()[S]->block().id()];
        const BitVector &Out = N.isThrow(S) ? Any : Stale;
        if (!Out.test(To)) // some bit is new
          continue;
        To |= Out;
        Again = true;
      }
    }
  }
}

void StaleRows::mark(const Instruction &I, const BitVector &Stale) {
  if (I.bci() < 0 || I.info().NoCode || Stale.none())
    return;
  for (VariableTable &T : Tables)
    for (VariableRow &R : T.Rows)
      R.Lies |= int64_t(R.Start) <= I.bci() && I.bci() < int64_t(R.End) &&
                R.Slot < Stale.size() && Stale.test(R.Slot);
}

void StaleRows::write(const VariableTable &T) {
  ByteWriter W;
  W.u2(0);
  unsigned Count = 0;
  for (size_t N = 0; N < T.Rows.size(); ++N)
    if (!T.Rows[N].Lies) {
      W.bytes(T.Of->Data.slice(2 + N * RowSize, RowSize));
      ++Count;
    }
  W.patchU2(0, uint16_t(Count));
  if (Count != T.Rows.size())
    T.Of->Data = F.classFile().save(W.data());
}

void StaleRows::run() {
  readTables();
  if (Tables.empty())
    return;
  spread();
  for (const Block &B : F.blocks()) {
    BitVector Stale = In[B.id()];
    for (const Instruction &I : B.instructions()) {
      mark(I, Stale);
      step(I, Stale);
    }
  }
  for (const VariableTable &T : Tables)
    write(T);
  llvm::erase_if(F.Attributes, [&](const Attribute &A) {
    const bool IsOurs = llvm::any_of(Tables, [&](const VariableTable &T) {
      return T.Of == &A && !T.Rows.empty() &&
             llvm::all_of(T.Rows, [](const VariableRow &R) { return R.Lies; });
    });
    return IsOurs;
  });
}

void jopt::dropStaleRows(Body &F, PassContext &C, const StoreSet &Gone) {
  if (C.debugTables() != DebugTables::Keep && !Gone.empty())
    StaleRows(F, Gone).run();
}
