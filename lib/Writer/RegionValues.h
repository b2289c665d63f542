//===- RegionValues.h - Values and uses by number ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values of a region and their uses, numbered, so that scheduling works on
/// flat arrays. A key is the moment a use consumes its operand: see
/// Scheduler.h.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_REGIONVALUES_H
#define JOPT_LIB_WRITER_REGIONVALUES_H

#include "ScheduleWriter.h"
#include "llvm/Support/Error.h"

namespace jopt {

/// \name Marks in the numbers of a region
/// @{
constexpr uint32_t Never = ~0u;
constexpr uint32_t NoLocal = ~0u;
constexpr uint32_t NoValue = ~0u;
/// Where a use finds its operand; a slot number if not negative.
constexpr int32_t OnStack = -1, Float = -2;
/// @}

/// A value of the region.
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
/// A use of a value, by its key.
struct KeyInfo {
  uint32_t Val;
  uint32_t Inst;
  uint32_t UseIdx; ///< in UseKeys
  int32_t Res;     ///< a slot, OnStack or Float
};

/// Numbers the regions of one body after the other.
class RegionValues {
public:
  /// Before the first region of \p F.
  void start(const Body &F);
  /// Numbers the blocks [\p From, \p To) of \p Out, which form one region;
  /// their instructions are added to it. Fails if they use values of others, or
  /// slots from \p NumSlots on.
  llvm::Error number(ScheduleWriter &Out, uint32_t From, uint32_t To,
                     uint32_t NumSlots);

  /// The number of \p V; NoValue if it is none of this region.
  uint32_t valueOf(const Value *V) const {
    uint32_t N = V->id() < Numbers.size() ? Numbers[V->id()] - Base : NoValue;
    return N < Values.size() ? N : NoValue;
  }

  std::vector<ValueInfo> Values;
  std::vector<KeyInfo> Keys;
  std::vector<uint32_t> UseKeys; ///< by value; ascending for each

private:
  llvm::Error numberBlock(ScheduleWriter &Out, uint32_t Ordinal, bool Last,
                          uint32_t NumSlots);
  llvm::Error joinBlock(const Block &Before, Block &B);
  bool addUses(llvm::ArrayRef<Value *> Ops, uint32_t Inst, uint32_t &Slots);
  uint32_t addValue(const Value *V);
  void sortUses();

  // Values are numbered through the body from 1, so numbers of other regions
  // and of unplaced values are recognised.
  std::vector<uint32_t> Numbers; ///< by Value::id()
  uint32_t Base = 1;             ///< number of the region's first value
};

/// The error that \p B is not what it should be.
llvm::Error badBlock(const Block &B, const llvm::Twine &What);

} // namespace jopt

#endif
