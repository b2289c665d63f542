//===- Builder.h - Making instructions --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes instructions for passes. Pool entries are added as needed; the runner
/// notices where the pool is full. New instructions have no bytecode index, and
/// the advice that setAdvice named.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_SURGERY_BUILDER_H
#define JOPT_IR_SURGERY_BUILDER_H

#include "jopt/IR/Model/Body.h"

namespace jopt {

class Builder {
public:
  explicit Builder(Body &F) : F(F) {}
  /// Inserts before \p Before.
  Builder(Body &F, Instruction *Before) : F(F) { setPoint(Before); }

  /// \name Where
  /// @{
  void setPoint(Instruction *Before) {
    B = Before->block();
    At = Before->getIterator();
  }
  void setPoint(Block *Into, Block::InstList::iterator Before) {
    B = Into;
    At = Before;
  }
  void setEnd(Block *Into) { setPoint(Into, Into->end()); }
  void setAdvice(int32_t A) { Advice = A; }
  int32_t advice() const { return Advice; }
  Block *block() const { return B; }
  /// @}

  /// Any instruction, inserted.
  Instruction *make(IROp Op, Opcode J, Type Ty,
                    llvm::ArrayRef<Value *> Operands = {});

  /// \name Values that float: loaded at each use
  /// @{
  Instruction *null();
  Instruction *constant(int32_t V); ///< in its shortest form
  Instruction *constantLong(int64_t V);
  /// 0, 0L, 0.0f, 0.0 or null.
  Instruction *zero(Type Ty);
  /// A String constant; \p Contents in modified UTF-8.
  Instruction *string(llvm::StringRef Contents);
  Instruction *get(unsigned Slot, Type Ty);
  /// @}

  /// The Class object of \p Class (class version 49 and above). Its resolution
  /// may throw, so it does not float.
  Instruction *classConstant(llvm::StringRef Class);

  Instruction *set(unsigned Slot, Value *V);
  Instruction *getStatic(llvm::StringRef Owner, llvm::StringRef Name,
                         llvm::StringRef Descriptor);
  void putStatic(llvm::StringRef Owner, llvm::StringRef Name,
                 llvm::StringRef Descriptor, Value *V);
  /// The result's type is Void if the descriptor says V. \p OfInterface: the
  /// owner is an interface.
  Instruction *callStatic(llvm::StringRef Owner, llvm::StringRef Name,
                          llvm::StringRef Descriptor,
                          llvm::ArrayRef<Value *> Arguments,
                          bool OfInterface = false);
  /// The same, by the pool entry of the method.
  Instruction *callStatic(uint16_t Index, llvm::StringRef Descriptor,
                          llvm::ArrayRef<Value *> Arguments);
  /// `invokedynamic`: a site \p Name that the static method \p Bind of \p Owner
  /// binds, which is given the constants \p Texts; from version 51 on. Fails
  /// where the class's table of bootstrap methods takes no more.
  llvm::Expected<Instruction *>
  callSite(llvm::StringRef Owner, llvm::StringRef Bind,
           llvm::ArrayRef<llvm::StringRef> Texts, llvm::StringRef Name,
           llvm::StringRef Descriptor, llvm::ArrayRef<Value *> Arguments);
  /// The same, by the number of its bootstrap method.
  Instruction *callSite(uint16_t Bootstrap, llvm::StringRef Name,
                        llvm::StringRef Descriptor,
                        llvm::ArrayRef<Value *> Arguments);
  /// \p Operands: receiver and arguments.
  Instruction *callVirtual(llvm::StringRef Owner, llvm::StringRef Name,
                           llvm::StringRef Descriptor,
                           llvm::ArrayRef<Value *> Operands);
  Instruction *callInterface(llvm::StringRef Owner, llvm::StringRef Name,
                             llvm::StringRef Descriptor,
                             llvm::ArrayRef<Value *> Operands);
  /// `new` and its constructor call, which yields the object.
  Instruction *newObject(llvm::StringRef Class, llvm::StringRef Descriptor,
                         llvm::ArrayRef<Value *> Arguments);
  /// An array of \p Class, with \p Length elements.
  Instruction *newArray(llvm::StringRef Class, Value *Length);
  void storeElement(Value *Array, Value *Index, Value *Element);
  /// \p V as a \p Class: internal name or array descriptor.
  Instruction *cast(Value *V, llvm::StringRef Class);
  /// Whether \p V is a \p Class, likewise.
  Instruction *instanceOf(Value *V, llvm::StringRef Class);

  /// \name Terminators
  /// @{
  void fallThrough(Block *Next);
  void jump(Block *Target);
  /// To \p Target if \p V is zero, else to \p Next, which follows.
  void jumpIfZero(Value *V, Block *Target, Block *Next);
  /// To \p Target if \p Object is null, else to \p Next, which follows.
  void jumpIfNull(Value *Object, Block *Target, Block *Next);
  void raise(Value *Throwable);
  /// @}

private:
  Instruction *invoke(Opcode J, uint16_t Index, llvm::StringRef Descriptor,
                      llvm::ArrayRef<Value *> Operands);

  Body &F;
  Block *B = nullptr;
  Block::InstList::iterator At;
  int32_t Advice = -1;
};

} // namespace jopt

#endif
