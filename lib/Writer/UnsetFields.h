//===- UnsetFields.h - Strict fields not set before super() -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows which strict fields (JEP 539) a constructor has not set where each
/// block begins. Frames in front of super() declare them; the code alone says
/// which they are, so bodies need not keep what the class file declared, and
/// inserted blocks need no care.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_UNSETFIELDS_H
#define JOPT_LIB_WRITER_UNSETFIELDS_H

#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/BitVector.h"
#include <vector>

namespace jopt {

class UnsetFields {
public:
  /// Follows the fields through \p F. Fails if that would take far more time
  /// than any constructor of a real program needs.
  llvm::Error run(Body &F);

  /// \name The result, valid until the next run
  /// @{
  /// The body is a constructor of a class with strict fields.
  bool any() const { return !Fields.empty(); }
  /// The fields that may not be set where \p B begins, as indices of fields().
  const llvm::BitVector &at(const Block &B) const { return At[B.id()]; }
  /// Those that are not set at the entry: all strict fields of the class.
  llvm::ArrayRef<const Field *> fields() const { return Fields; }
  /// @}

private:
  llvm::Error follow(Body &F);
  void step(const Instruction &I, llvm::BitVector &Unset) const;

  const ClassFile *Class = nullptr;
  std::vector<const Field *> Fields;
  std::vector<llvm::BitVector> At; ///< by Block::id()
};

} // namespace jopt

#endif
