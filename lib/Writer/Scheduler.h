//===- Scheduler.h - Values onto the operand stack --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Time-ordered stack scheduling: puts the SSA values of a body back on the
/// operand stack, by copies (dup), exchanges (swap), reloads of pure values,
/// and, where nothing else helps, by spilling into fresh locals.
///
/// Words used here:
///  - key: the moment a use consumes its operand. Instruction by instruction,
///    last operand first, since the last one is on top.
///  - entry: one cell of the symbolic stack. It serves a run of the uses of its
///    value; a bundle is an entry with more than one use left.
///  - start: where in the output the code that computes an entry begins.
///
/// The invariant that makes the schedule: the first pending use of an entry
/// comes before the first pending use of every entry below it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SCHEDULER_H
#define JOPT_LIB_WRITER_SCHEDULER_H

#include "jopt/IR/Body.h"
#include <vector>

namespace jopt {

/// What the scheduler emits, in order.
struct CodeItem {
  enum KindTy : uint8_t {
    Inst,    ///< an IR instruction, or a pure one again; Arg: its number
    StackOp, ///< dup, swap, pop ...
    Load,    ///< of a fresh local, or a home; Arg: the slot, Op: iload ...
    Store,   ///< into a fresh local; likewise
  };
  /// Position key: the number of the instruction that caused the item. Never
  /// decreases.
  uint32_t Pos;
  /// Orders items in time: an item slid in front of another shares its serial.
  uint32_t Serial;
  uint32_t Arg;
  KindTy Kind;
  Opcode Op;
};

/// An instruction that may become code, numbered through the body.
struct ScheduledInst {
  Instruction *I;
  uint32_t KeyBase;   ///< key of the last operand; region-local
  uint32_t NumUses;   ///< operands; for terminators the exit list, too
  uint32_t PopSlots;  ///< slots that its operands take
  uint32_t PushSlots; ///< slots that its result takes; 0 for <init> calls.
                      ///< Raw: what all its values take
};

/// A block at its place.
struct ScheduledBlock {
  Block *B;
  uint32_t FirstInst; ///< number of its first instruction
  uint32_t FirstItem; ///< first item that belongs to it
  uint32_t Offset;    ///< filled in by the emitter
  /// Its code continues that of the block before; no stack to set up.
  bool Joined;
};

/// Schedules bodies one after another, reusing its memory. One thread at a
/// time. Linear in the size of the body.
class Scheduler {
public:
  /// Fails if the body cannot be expressed: a block that does not end, uses of
  /// values from elsewhere, a successor that is not where it must be, more than
  /// 65,535 slots.
  llvm::Error run(Body &F);

  /// \name The result, valid until the next run
  /// @{
  std::vector<CodeItem> Items;
  std::vector<ScheduledInst> Insts;
  std::vector<ScheduledBlock> Blocks;
  /// Place in Blocks by Block::id().
  std::vector<uint32_t> OrdinalOf;
  unsigned MaxLocals = 0;
  size_t NumTargets = 0;  ///< successors of all terminators
  size_t RawBytes = 0;    ///< of code that is copied
  unsigned NumCopies = 0; ///< dup forms
  unsigned NumSpills = 0; ///< stores to fresh locals
  /// @}

private:
  static constexpr uint32_t Never = ~0u;
  static constexpr uint32_t NoLocal = ~0u;
  static constexpr uint32_t NoValue = ~0u;
  /// Where a use finds its operand; a slot number if not negative.
  static constexpr int32_t OnStack = -1, Float = -2;

  struct ValueInfo {
    uint32_t UseBegin, UseEnd; ///< in UseKeys
    uint32_t DefInst;          ///< number of the instruction, if Pure
    uint32_t DefSerial;        ///< sets before this serial precede the value
    uint32_t Local;            ///< slot that holds it, or NoLocal
    uint32_t NextReader;       ///< in the list of a slot's readers
    uint32_t Slot;             ///< slot of a LocalGet, or NoLocal
    Opcode Load;               ///< iload ... for its type
    uint8_t Slots;
    bool Keep, Popped, Pure, InList;
    bool KeepLate; ///< Keep, but of the initialised object
  };
  struct KeyInfo {
    uint32_t Val;
    uint32_t Inst;
    uint32_t UseIdx; ///< in UseKeys
    int32_t Res;
  };
  struct Entry {
    uint32_t Val;
    uint32_t Lo, Hi; ///< uses it serves, in UseKeys
    uint32_t First;  ///< key of its first use, Never if dead
    int32_t Start;   ///< in Items; -1: nothing may be inserted below it
    bool dead() const { return Lo == Hi; }
    bool bundle() const { return Hi - Lo > 1; }
  };
  struct FreshLocal {
    uint32_t LastKey, Slot, Width;
    bool operator<(const FreshLocal &O) const { return LastKey > O.LastKey; }
  };

  llvm::Error place();
  llvm::Error numberRegion(uint32_t From, uint32_t To);
  llvm::Error numberBlock(uint32_t Ordinal, bool Last);
  bool addUses(llvm::ArrayRef<Value *> Ops, uint32_t &Slots);
  uint32_t addValue(const Value *V);
  uint32_t valueOf(const Value *V) const;
  bool scheduleStraight(uint32_t From, uint32_t To);
  bool emitStraight(Block &B, bool Last);
  bool scheduleRegion(uint32_t From, uint32_t To);
  bool schedule(uint32_t Number);
  bool schedulePure(uint32_t Number, uint32_t Val);
  bool placePair(uint32_t Number, uint32_t Val, size_t At);
  void enterRegion(llvm::ArrayRef<Parameter *> Params);
  bool scheduleRaw(uint32_t Number);
  void stackUp(uint32_t Val);
  void settle();
  void leaveRegion();

  void cover();
  bool waitable(uint32_t Val, uint32_t Lo) const;
  void expand();
  bool staysExposed(unsigned Q) const;
  void split(unsigned I);
  bool copyGroup(const ScheduledInst &I);
  void placeValue(uint32_t Val, uint32_t Lo, uint32_t Hi, int32_t Start);
  void placeUnder(unsigned Slots);
  void popDead(bool Forced);
  bool arrange(const ScheduledInst &I, bool Exact);
  bool arrangeSlowly(const ScheduledInst &I, bool Exact);
  bool matches(const ScheduledInst &I, bool Exact) const;
  void slideBelowBundle(const ScheduledInst &I, uint32_t First);
  bool slideBelow(uint32_t Key, size_t At);
  bool loadOperands(const ScheduledInst &I);
  void storeTop();

  void rescueReaders(uint32_t Slot, unsigned Width, const ScheduledInst &I);
  void rescue(uint32_t Val, uint32_t Slot, uint32_t Limit);
  bool loadEarly(uint32_t Key);
  void makeHome(const ScheduledInst &I);
  bool canFloat(const ValueInfo &V) const;
  void floatUses(uint32_t Val, uint32_t Lo, uint32_t Hi);
  void addReader(uint32_t Slot, uint32_t Val);
  uint32_t lastSet(const ValueInfo &V) const;
  uint32_t freshLocal(unsigned Width, uint32_t LastKey);
  void setLast(uint32_t Slot, unsigned Width);

  bool in(const ScheduledInst &I, uint32_t Key) const {
    return Key - I.KeyBase < I.NumUses;
  }
  uint32_t keyOf(const ScheduledInst &I, uint32_t Operand) const {
    return I.KeyBase + I.NumUses - 1 - Operand;
  }
  unsigned slots(const Entry &E) const { return Values[E.Val].Slots; }
  void emitItem(CodeItem::KindTy Kind, uint32_t Arg, Opcode Op) {
    Items.push_back({Pos, ++Serial, Arg, Kind, Op});
  }
  void emitCopy(unsigned Slots, unsigned Under);
  void emitPop(unsigned Slots);
  void emitStore(uint32_t Val, uint32_t Slot);
  CodeItem loadItem(uint32_t Val, int32_t Res) const;
  void emitLoad(uint32_t Val, int32_t Res);

  Body *F = nullptr;
  std::vector<uint8_t> Targeted; ///< by ordinal: entered by a branch

  /// What is on the stack where scheduleStraight stands.
  llvm::SmallVector<Value *, 16> StraightStack;

  // Of the current region.
  std::vector<ValueInfo> Values;
  std::vector<KeyInfo> Keys;
  std::vector<uint32_t> UseKeys;
  std::vector<Entry> Stack;
  std::vector<uint32_t> Touched;      ///< slots with a list of readers
  std::vector<FreshLocal> FreshInUse; ///< heap by LastKey
  llvm::SmallVector<uint32_t, 8> FreeLocals[3];
  uint32_t FreshTop = 0;
  bool Leaving = false; ///< the region ends with a return or athrow
  bool TooManySlots = false;

  // Of the body. Values are numbered through it from 1, so numbers of other
  // regions and of unplaced values are recognised.
  std::vector<uint32_t> ValueNumbers; ///< by Value::id()
  uint32_t ValueBase = 1;
  std::vector<uint32_t> LastSets; ///< by slot: serial of the last set
  std::vector<uint32_t> Readers;  ///< by slot: first reader, NoValue if none
  uint32_t FreshBase = 0;
  uint32_t Serial = 0;
  uint32_t Pos = 0;
  uint32_t Paired = ~0u; ///< an instruction that its neighbour took along
  uint32_t KeyNow = 0;   ///< smallest key of the current instruction
};

} // namespace jopt

#endif
