//===- AdviceCall.h - The calls that advices become -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An `advice` instruction has what its site knows as operands. What every site
/// of a method, or of a class, knows is made here, where the call is.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_ADVICECALL_H
#define JOPT_LIB_PASSES_ADVICECODE_ADVICECALL_H

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/AdviceCalls.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// Something is wrong with the advice \p I.
[[gnu::cold]] llvm::Error adviceError(const Instruction &I,
                                      const llvm::Twine &M);

/// The descriptor of a value of type \p Ty, where it is primitive; empty for
/// objects. \p Narrow says what is narrower than int (NarrowTypes).
llvm::StringRef primitiveType(unsigned Narrow, Type Ty);
/// The code in NarrowTypes of advice \p I, which is \p A, for the value of
/// \p Use.
unsigned narrowTypeOf(const Instruction &I, const Advice &A,
                      const DataUse &Use);

/// \p Class, whose code this is, as an object.
Value *hostClass(Builder &B, const ClassFile &Class);

/// The descriptor of the class or array \p Ref.
std::string descriptorOf(const TypeTable &Types, Type Ref);

/// Makes the calls of the advices in one body.
class AdviceCaller {
public:
  /// For advices of \p Host that are in \p F: the code of that, or of a method
  /// made for them. The array of arguments is in \p ArgumentSlot, if not
  /// negative.
  AdviceCaller(Body &F, PassContext &C, const Method &Host, bool BoxByNew,
               int ArgumentSlot)
      : F(F), C(C), Calls(C.get<AdviceCalls>()), Set(Calls.set()),
        BoxByNew(BoxByNew), Host(Host),
        Descriptor(F.classFile().descriptor(Host)), ArgumentSlot(ArgumentSlot) {
  }

  /// The call that the advice \p I stands for, with its arguments, of which
  /// \p Operands are those of the site; the value that stands for \p I, null
  /// if it has none.
  llvm::Expected<Value *> call(Builder &B, const Instruction &I,
                               llvm::ArrayRef<Value *> Operands);
  /// Whether the advice \p I is to run, as \p Decider says (findDecider).
  llvm::Expected<Value *> ask(Builder &B, const Instruction &I,
                              const Advice &Decider,
                              llvm::ArrayRef<Value *> Operands);

  int argumentSlot() const { return ArgumentSlot; }
  void setArgumentSlot(unsigned Slot) { ArgumentSlot = int(Slot); }
  /// How many values were boxed.
  size_t numBoxes() const { return Boxes; }

private:
  llvm::Error addArguments(Builder &B, const Instruction &I, unsigned N,
                           llvm::ArrayRef<Value *> &Operands,
                           llvm::SmallVectorImpl<Value *> &Arguments);
  llvm::Expected<Value *> invoke(Builder &B, unsigned N,
                                 llvm::SmallVectorImpl<Value *> &Arguments,
                                 llvm::ArrayRef<Value *> Replaced);
  Value *callStub(Builder &B, unsigned N,
                  llvm::SmallVectorImpl<Value *> &Arguments,
                  llvm::ArrayRef<Value *> Replaced);
  llvm::Expected<Value *> hostItem(Builder &B, const Instruction &I,
                                   DataItem D);
  llvm::Expected<Value *> staticField(Builder &B, const Instruction &I);
  llvm::StringRef parameterTypes();
  llvm::StringRef parameterNames();
  bool standsForInitializer(const Instruction &I);
  llvm::Expected<Value *> argument(Builder &B, const Instruction &I,
                                   const DataUse &Use, llvm::StringRef Wanted,
                                   Value *Given);
  llvm::Expected<Value *> result(Builder &B, const Instruction &I, Value *V);
  Value *part(Builder &B, llvm::StringRef S);
  Value *text(Builder &B, llvm::StringRef S);
  Value *box(Builder &B, Value *V, llvm::StringRef Type);

  Body &F;
  PassContext &C;
  AdviceCalls &Calls;
  const AdviceSet &Set;
  const bool BoxByNew;
  /// The method whose advices these are, and its descriptor.
  const Method &Host;
  const llvm::StringRef Descriptor;
  int ArgumentSlot;
  size_t Boxes = 0;
  /// The first constant of each part of a text, by where the text lies.
  llvm::DenseMap<const char *, Instruction *> Parts;
  /// By probe: what first read its static field.
  llvm::DenseMap<unsigned, Instruction *> StaticFields;
};

} // namespace jopt

#endif
