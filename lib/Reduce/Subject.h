//===- Subject.h - What is being reduced ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_REDUCE_SUBJECT_H
#define JOPT_LIB_REDUCE_SUBJECT_H

#include "jopt/Advice/Advice.h"
#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace jopt::reduce {

using Data = llvm::SmallVector<uint8_t, 0>;

/// One candidate in the making: read, changed by one reducer, written, thrown
/// away. A class file keeps the bytes of unchanged methods; changed ones, and
/// all of a text, are written anew.
class Subject {
public:
  /// \p Input must outlive it.
  static llvm::Expected<Subject> read(Bytes Input, llvm::StringRef Name,
                                      bool IsText);

  ClassFile &classFile() { return *Class; }
  AdviceSet &advices() { return Advices; }
  bool isText() const { return IsText; }
  /// The code of \p M; null if it has none, or none that can be lifted.
  Body *body(Method &M);
  /// The reducer changes \p B, the code of \p M.
  void touch(Method &M) { Touched.insert(&M); }
  /// Leaves methods out. Bodies that were handed out stay valid.
  void keepMethods(llvm::function_ref<bool(const Method &)> Keeps);

  /// The text has no `pool` block.
  void dropPool() { HasPool = false; }
  bool hasPool() const { return HasPool; }
  /// The pool of the class file has \p Entries, by index, and what is used.
  void keepUnused(llvm::BitVector Entries) { Unused = std::move(Entries); }

  /// The candidate. Tidies up the bodies that were touched first. The subject
  /// is of no use afterwards. Fails where \p Checked and a verifier finds
  /// something, or where it cannot be written.
  llvm::Expected<Data> write(bool Checked);
  /// Instructions of all methods that become code.
  unsigned countInstructions();

private:
  std::string print() const;
  llvm::Expected<Data> writeText(bool Checked);
  llvm::Expected<Data> writeClassFile(bool Checked);

  std::unique_ptr<ClassFile> Class;
  AdviceSet Advices;
  bool IsText = false;
  bool HasPool = true;
  std::optional<llvm::BitVector> Unused; ///< that stay; none given: all
  llvm::DenseSet<const Method *> Touched;
  /// Bodies refer to their method where it was made.
  std::vector<std::deque<Method>> FormerMethods;
};

/// Takes out of \p B what nothing reaches or uses any more: blocks, ranges,
/// pure values, slots of frames.
void tidy(Body &B);

} // namespace jopt::reduce

#endif
