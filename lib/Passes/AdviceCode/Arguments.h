//===- Arguments.h - Arguments that advices write ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The objects that advices leave in the array of arguments become the
/// arguments. An argument that they left alone is not cast: to the verifier any
/// object is an instance of an interface, and a class need not be accessible
/// for its objects to be passed on, so the cast could fail where the program
/// did not.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_ARGUMENTS_H
#define JOPT_LIB_PASSES_ADVICECODE_ARGUMENTS_H

#include "jopt/IR/Surgery/Builder.h"

namespace jopt {

/// A cast to \p Descriptor may fail for what the verifier lets pass as one.
inline bool castMayFail(llvm::StringRef Descriptor) {
  llvm::StringRef Element = Descriptor.ltrim('[');
  return Element.size() > 1 && Element != "Ljava/lang/Object;" &&
         Element != "Ljava/lang/String;";
}

/// In front of \p At, \p Slot, which holds an object, gets the one that \p New
/// makes, if that is another one, cast to \p Descriptor. \p New is called
/// twice. Cuts the block; what begins with \p At has the frame \p Frame, which
/// lives in the arena and declares \p Slot.
void updateSlot(Body &F, Instruction *At, int32_t Advice, unsigned Slot,
                llvm::StringRef Descriptor,
                llvm::function_ref<Value *(Builder &)> New,
                llvm::ArrayRef<Type> Frame);

/// Element \p Index of \p Array, an Object.
Value *loadElement(Builder &B, Value *Array, Value *Index);

/// The parameters of a method with the descriptor \p Descriptor, of which \p F
/// is the code; without `this`.
llvm::SmallVector<Value *, 8> readParameters(Builder &B, Body &F,
                                             llvm::StringRef Descriptor);

} // namespace jopt

#endif
