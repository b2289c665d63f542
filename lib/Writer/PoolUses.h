//===- PoolUses.h - Where a class names entries of its pool -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The walk over the attributes of a class, code included, that finds each
/// place with the index of a pool entry (JVM specification, 4.7).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_POOLUSES_H
#define JOPT_LIB_WRITER_POOLUSES_H

#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/Support/Bytes.h"

namespace jopt {

/// Finds the uses in attributes of one class.
class PoolUses {
public:
  virtual ~PoolUses();

protected:
  explicit PoolUses(const ClassFile &F) : F(F) {}

  /// Visits \p As, which stand at \p Place, and what is nested in them. False
  /// where the uses cannot be known.
  bool visit(llvm::ArrayRef<Attribute> As, AttributePlace Place);

  enum Answer : uint8_t { Visit, PassOver, Fail };
  /// \p A comes next; what names it is not visited.
  virtual Answer enter(const Attribute &A, llvm::StringRef Name,
                       AttributePlace Place) = 0;
  /// An index of one byte or two is at \p At.
  virtual void use(const uint8_t *At, bool IsByte) = 0;
  /// The same in an instruction of constants of one slot (ldc, ldc_w).
  virtual void load(const uint8_t *At, bool IsByte) { use(At, IsByte); }

  const ClassFile &F;

private:
  bool visitNested(ByteCursor &C, AttributePlace Place);
  bool visitCode(Bytes Data);
  bool visitRecord(Bytes Data);
  bool useNext(ByteCursor &C);
};

/// The entry that an index at \p At names.
inline unsigned indexAt(const uint8_t *At, bool IsByte) {
  return IsByte ? *At : readU2(At);
}

} // namespace jopt

#endif
