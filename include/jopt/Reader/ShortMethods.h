//===- ShortMethods.h - Methods as short as a call --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Methods of a class whose instructions may stand in the class for a call of
/// them: getters, setters, constants, sums. For who inlines them, and who
/// proves that this changed nothing.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_READER_SHORTMETHODS_H
#define JOPT_READER_SHORTMETHODS_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/SmallVector.h"

namespace jopt {

/// A method that loads its first parameters in order, executes instructions
/// that cannot throw, or calls another such method, and returns. So there is no
/// stack trace with its frame.
struct ShortMethod {
  const Method *Of = nullptr;
  /// How many of its parameters it loads, `this` first.
  unsigned NumLoaded = 0;
  /// The instructions between the loads and the return, with those of called
  /// methods in place of the calls.
  llvm::SmallVector<DecodedInst, 3> Steps;
  /// The bytes of Steps.
  unsigned Size = 0;
  /// It reads or writes a field of `this`, which fails for null as a call does.
  bool UsesThis = false;
  /// It accesses a static field, which initialises the class as a call does.
  bool UsesStatic = false;
};

/// The short methods of a class that no other method can override, with the
/// code that they have when this is made. Refers to the class and its code. Any
/// thread may ask.
class ShortMethods {
public:
  explicit ShortMethods(const ClassFile &F);

  bool empty() const { return Methods.empty(); }
  /// Forgets those that \p Others, of another version of the class, has not.
  void intersect(const ShortMethods &Others);
  /// The short method that \p Op, an invoke instruction of pool entry \p Index,
  /// calls; null if there is none, or if the call may initialise the class and
  /// the method does not. \p IsInitialized: this thread has initialised it, or
  /// is doing so. Where ShortMethod::UsesThis is false, who replaces a call of
  /// an object must know that this is not null.
  const ShortMethod *calledBy(Opcode Op, unsigned Index,
                              bool IsInitialized) const;

private:
  const ShortMethod *find(llvm::StringRef Name,
                          llvm::StringRef Descriptor) const;

  const ClassFile &F;
  /// Nothing else happens when the class is initialised.
  bool InitializesQuietly;
  llvm::SmallVector<ShortMethod, 0> Methods;
};

} // namespace jopt

#endif
