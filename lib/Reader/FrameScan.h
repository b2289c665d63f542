//===- FrameScan.h - Frames as bytes ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the frames of a StackMapTable (JVM specification, 4.7.4), of which the
/// bytes are to be copied: no types are made of them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_FRAMESCAN_H
#define JOPT_LIB_READER_FRAMESCAN_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Model/CodePatch.h"
#include <vector>

namespace jopt {

/// Types that the stack of \p F has, as one byte string; none if it is empty.
struct FrameStack {
  unsigned Count = 0;
  Bytes Types;
  explicit FrameStack(const OriginalFrame &F);
};

/// How many bytes the verification type at the beginning of \p B takes; 0 if
/// it is none.
size_t frameTypeLength(Bytes B);

/// Scans the tables of one class, reusing its memory.
class FrameScan {
public:
  /// Finds the frames of \p M, whose table is \p Payload, empty if it has none.
  /// False if they are malformed, or are not written as this writer would.
  bool run(ClassFile &Class, const Method &M, Bytes Payload);

  /// \name The result, valid until the next run
  /// @{
  std::vector<OriginalFrame> Frames;
  unsigned numLocals() const { return unsigned(Locals.size()); }
  /// CodePatch::FirstLocal.
  Bytes firstLocal() const;
  bool OfConstructor = false; ///< that calls another
  /// Slots that the method has on entry; a long or double takes two.
  unsigned NumEntrySlots = 0;
  /// Every frame behind NumBeforeSuper declares that slot 0 is `this`,
  /// initialised.
  bool KeepsThis = true;
  /// So many of the first are of a constructor in which super() is still to
  /// come.
  size_t NumBeforeSuper = 0;
  /// The frame at \p BCI; null if there is none.
  const OriginalFrame *at(uint32_t BCI) const;
  /// @}

private:
  bool enter();
  bool frame(OriginalFrame &F);
  const uint8_t *type(bool &HasUninit);
  bool types(unsigned Count, bool &HasUninit,
             llvm::SmallVectorImpl<const uint8_t *> *Types);
  uint16_t u2();
  bool isShortest(llvm::ArrayRef<const uint8_t *> New, unsigned NumStack);
  bool isSame(size_t Local, const uint8_t *Old, const uint8_t *New);
  bool isThis(const uint8_t *Type) const;
  bool isFirst(uint16_t Index) const;

  const uint8_t *Now = nullptr, *Last = nullptr; ///< what is left to read
  ClassFile *Class = nullptr;
  const Method *Of = nullptr;
  /// Where the type of each local stands; null: it is that of the entry.
  llvm::SmallVector<const uint8_t *, 16> Locals, Full;
};

/// Reads \p Count verification types at the beginning of \p From, which loses
/// them (JVM specification, 4.7.4): one for a value. They are well-formed.
void readFrameTypes(ClassFile &Class, Bytes &From, unsigned Count,
                    std::vector<Type> &To);

} // namespace jopt

#endif
