//===- Boxing.h - Primitive values and objects ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Advices take and return objects. This makes objects of primitive values, and
/// primitive values of objects. The JVM narrows a value where it is returned or
/// stored; advices run before that, and narrow it likewise.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_BOXING_H
#define JOPT_LIB_PASSES_ADVICECODE_BOXING_H

#include "jopt/IR/Surgery/Builder.h"

namespace jopt {

/// A primitive type and the class that boxes it.
struct BoxType {
  char Letter;
  llvm::StringRef Class, Unbox;
};

/// The box for a descriptor; null for references and void.
const BoxType *findBox(llvm::StringRef Descriptor);

/// \p V, an int that is declared as \p Descriptor, as a value of that type:
/// byte, char and short are truncated, and a boolean keeps its lowest bit. So
/// do the instructions that return, store into fields and arrays (JVM
/// specification 6.5). Makes no code where \p V is known to be one.
Value *narrow(Builder &B, Value *V, llvm::StringRef Descriptor);

/// Whether box() narrows. The tracing facility does not: its code is that of
/// the original, by which tf-strip knows it.
enum class Narrowing : bool { Always, Never };

/// \p V, of descriptor \p Descriptor, narrowed, as an object; references as
/// they are.
/// \p ByNew: always a new object, otherwise by valueOf.
Value *box(Builder &B, Value *V, llvm::StringRef Descriptor, bool ByNew,
           Narrowing How = Narrowing::Always);

/// A new Object[] with \p Values, which are the parameters of method descriptor
/// \p Descriptor.
Value *boxAll(Builder &B, llvm::StringRef Descriptor,
              llvm::ArrayRef<Value *> Values, bool ByNew,
              Narrowing How = Narrowing::Always);

/// \p Object, of static type \p Class (a descriptor), as a value of descriptor
/// \p Descriptor. Throws ClassCastException where it is of another class, and
/// NullPointerException for a null where a primitive value is wanted.
Value *unbox(Builder &B, Value *Object, llvm::StringRef Class,
             llvm::StringRef Descriptor);

} // namespace jopt

#endif
