//===- Lift.h - What instructions do to stack and slots ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The effect of each family of instructions (JVM specification, 6.5), said
/// once for who keeps values, BlockLifter, and for who keeps types only,
/// RawScanner. They cannot disagree on what an instruction needs and leaves.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_LIFT_H
#define JOPT_LIB_READER_LIFT_H

#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/IR/Model/SlotTypes.h"

namespace jopt {

/// A row of Opcodes.td, ready to be lifted.
struct LiftEffect {
  enum KindTy : uint8_t {
    Plain, ///< does what the row alone says
    Load,
    Store,
    Increment,
    Constant,
    Move, ///< dup, swap, pop
    Field,
    Invoke,
    Object,  ///< of a class, or an array of a type, that is named
    Element, ///< aaload
    End,     ///< a branch, return or throw; jsr and ret
  };
  KindTy Kind = End;
  bool MayThrow = false;
  bool Monitor = false;
  uint8_t Length = 0;      ///< 0: depends, or no instruction
  uint8_t IndexBytes = 0;  ///< of the operand that is a slot or pool index
  uint8_t Slot = 0;        ///< where IndexBytes is 0
  uint8_t NumOperands = 0; ///< arguments apart
  uint8_t PopSlots = 0;    ///< that they take; one if the type is not known
  uint8_t Wide = 0;        ///< bit N: operand N is a long or double
  char Result = 0;         ///< letter
  StackShuffle Moves;      ///< of a Move
  std::optional<IROp> Op;  ///< none: does not become an instruction
  /// Of the result; of a Store, what it stores. Top if the letter is not
  /// enough.
  Type Ty = Type::Void;
  uint32_t PoolTags = 0;
  bool TakesField = false; ///< as the last operand
  bool TakesCount = false; ///< as many ints as are named
};

/// By encoding.
const LiftEffect *liftEffects();

/// Values that an instruction takes off the stack.
struct LiftOperands {
  unsigned Count, Slots;
  unsigned Wide; ///< bit N: operand N is a long or double
};

/// \p Sink derives from it, and has
///   index()       the slot, pool index or type code of the instruction
///   opcode(), dimensions()
///   fail(Message) returns false
///   has(Count, Slots)  whether so much is on the stack
///   fits(Operands)     the same, and longs and doubles are where they should
///   typeAt(N)          of the Nth value from the top, none above being wide
///   put(Effect, Count, Slots, Result)  takes so much, and leaves the result
///   top(Width, Type)   the type of the top value, which takes so many slots
///   mayLoad(Type), mayStore(Type)      for no int, long, float or double
///   loaded(Effect, Type), stored(Effect, Type), incremented(Effect),
///   loadedConstant(Effect, Type)
///   made(Effect, Class)                a new object
///   initialised(Effect, Count, Slots)  an <init>, its object counted
///   moved(Effect)
/// which all give false once something does not fit.
template <typename Sink> class Lift {
public:
  SlotTypes &Slots;

protected:
  Lift(Body &B, SlotTypes &Slots)
      : Slots(Slots), F(B), Class(B.classFile()), Effects(liftEffects()) {}

  /// Does what \p E says, which is no End.
  bool step(const LiftEffect &E);

  Body &F;
  ClassFile &Class;
  const LiftEffect *const Effects; ///< by opcode

private:
  Sink &self() { return *static_cast<Sink *>(this); }
  static LiftOperands operandsOf(const LiftEffect &E) {
    return {E.NumOperands, E.PopSlots, E.Wide};
  }
  bool operate(const LiftEffect &E, LiftOperands O, Type Result) {
    return self().fits(O) && self().put(E, O.Count, O.Slots, Result);
  }
  bool load(const LiftEffect &E);
  bool store(const LiftEffect &E);
  bool constant(const LiftEffect &E);
  bool field(const LiftEffect &E);
  bool invoke(const LiftEffect &E);
  bool object(const LiftEffect &E);
  bool element(const LiftEffect &E);
  [[gnu::cold]] bool outside() {
    return self().fail("slot " + llvm::Twine(self().index()) +
                       " is beyond max_locals");
  }
  [[gnu::cold]] bool wrongEntry() {
    return self().fail("pool entry " + llvm::Twine(self().index()) +
                       " is of the wrong kind");
  }
};

template <typename Sink> bool Lift<Sink>::load(const LiftEffect &E) {
  Type Ty = E.Ty;
  const uint32_t Slot = self().index();
  if (Slot + Ty.slots() > Slots.size())
    return outside();
  if (Ty.is(Type::Top)) {
    Ty = Slots[Slot];
    if (!self().mayLoad(Ty))
      return self().fail("slot " + llvm::Twine(Slot) + " holds " +
                         F.types().toString(Ty) + ", not a reference");
  }
  return self().loaded(E, Ty);
}

template <typename Sink> bool Lift<Sink>::store(const LiftEffect &E) {
  if (self().index() + E.PopSlots > Slots.size())
    return outside();
  Type Ty;
  if (!self().top(E.PopSlots, Ty))
    return false;
  if (!E.Ty.is(Type::Top))
    Ty = E.Ty;
  else if (!self().mayStore(Ty))
    return self().fail("operand is " + F.types().toString(Ty) +
                       ", not a reference");
  return self().stored(E, Ty);
}

template <typename Sink> bool Lift<Sink>::constant(const LiftEffect &E) {
  Type Ty = E.Ty;
  if (E.PoolTags) {
    Ty = constantType(Class, self().index());
    if (Ty.isVoid())
      return self().fail("pool entry " + llvm::Twine(self().index()) +
                         " is not loadable");
    if (Ty.isCategory2() != (E.Result == 'w'))
      return wrongEntry();
  }
  return self().loadedConstant(E, Ty);
}

template <typename Sink> bool Lift<Sink>::field(const LiftEffect &E) {
  const CPEntry &Entry = F.pool()[self().index()];
  if (!(E.PoolTags >> unsigned(Entry.Tag) & 1))
    return wrongEntry();
  const Type Ty = Class.fieldType(Entry.B);
  if (Ty.isVoid())
    return self().fail("malformed field descriptor");
  LiftOperands O = operandsOf(E);
  if (E.TakesField && Ty.isCategory2()) {
    ++O.Slots;
    O.Wide |= 1u << (O.Count - 1);
  }
  return operate(E, O,
                 E.Result == 'v'   ? Ty
                 : E.Result == 'c' ? Class.classType(Entry.A)
                                   : E.Ty);
}

template <typename Sink> bool Lift<Sink>::invoke(const LiftEffect &E) {
  const ConstantPool &Pool = F.pool();
  const CPEntry &Entry = Pool[self().index()];
  if (!(E.PoolTags >> unsigned(Entry.Tag) & 1))
    return wrongEntry();
  const ClassFile::CallShape &Shape = Class.callShape(Entry.B);
  if (Shape.NumArgs == ClassFile::CallShape::Invalid)
    return self().fail("malformed method descriptor");
  const unsigned Count = E.NumOperands + Shape.NumArgs,
                 Taken = E.PopSlots + Shape.ArgSlots;
  if (!self().has(Count, Taken))
    return false;
  if (self().opcode() == op::INVOKESPECIAL &&
      Pool.utf8(Pool[Entry.B].A) == "<init>")
    return self().initialised(E, Count, Taken);
  return self().put(E, Count, Taken, Shape.Result);
}

template <typename Sink> bool Lift<Sink>::object(const LiftEffect &E) {
  Type Ty = E.Ty, Named = Type::Top;
  const uint32_t Index = self().index();
  if (E.PoolTags) {
    Named = Class.classType(Index);
    if (Named.is(Type::Top))
      return self().fail("pool entry " + llvm::Twine(Index) +
                         " is not a Class");
  }
  switch (E.Result) {
  case 'u':
    return self().made(E, Named);
  case 'p':
    if (arrayTypeDescriptor(Index).empty())
      return self().fail("unknown array type code");
    Ty = primitiveArray(F.types(), Index);
    break;
  case 'a':
    Ty = arrayOf(F.types(), F.types().name(Named));
    break;
  case 'c':
    Ty = Named;
    break;
  default: // instanceof
    break;
  }
  LiftOperands O = operandsOf(E);
  if (E.TakesCount)
    O.Count = O.Slots = self().dimensions();
  return operate(E, O, Ty);
}

template <typename Sink> bool Lift<Sink>::element(const LiftEffect &E) {
  if (!self().fits(operandsOf(E)))
    return false;
  const Type Array = self().typeAt(E.NumOperands);
  const Type Ty = elementOf(F.types(), Array);
  if (!Ty.isReference())
    return self().fail("operand is " + F.types().toString(Array) +
                       ", not an array of references");
  return self().put(E, E.NumOperands, E.PopSlots, Ty);
}

template <typename Sink> bool Lift<Sink>::step(const LiftEffect &E) {
  switch (E.Kind) {
  case LiftEffect::Plain:
    return operate(E, operandsOf(E), E.Ty);
  case LiftEffect::Load:
    return load(E);
  case LiftEffect::Store:
    return store(E);
  case LiftEffect::Increment:
    return self().index() < Slots.size() ? self().incremented(E) : outside();
  case LiftEffect::Constant:
    return constant(E);
  case LiftEffect::Move:
    return self().moved(E);
  case LiftEffect::Field:
    return field(E);
  case LiftEffect::Invoke:
    return invoke(E);
  case LiftEffect::Object:
    return object(E);
  case LiftEffect::Element:
    return element(E);
  case LiftEffect::End:
    return false;
  }
  return false;
}

} // namespace jopt

#endif
