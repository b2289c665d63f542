//===- OriginalTypes.cpp - What original code holds where -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types of slots and stack in the middle of code that nobody lifts: from the
/// last frame before, instruction by instruction. What follows no frame is only
/// run into, so there is one way there.
///
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "Lift.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

namespace {

/// Does to types what straight code does.
class TypeFlow : public Lift<TypeFlow> {
public:
  TypeFlow(Body &F, Bytes Code, SlotTypes &Slots)
      : Lift(F, Slots), Code(Code) {}

  /// Follows the code from \p From to \p To, where an instruction begins. False
  /// if it does not come there, or is malformed.
  bool run(uint32_t From, uint32_t To);
  llvm::SmallVector<Type, 32> Stack; ///< a long or double has High on top

  void push(Type Ty) {
    Stack.push_back(Ty);
    if (Ty.isCategory2())
      Stack.push_back(Type::High);
  }

  /// \name For shuffleStack
  /// @{
  size_t entries(size_t Above, size_t Slots) const {
    const size_t N = Above + Slots;
    return Stack.size() >= N && !Stack[Stack.size() - N].is(Type::High) ? Slots
                                                                        : 0;
  }
  static void copied(Type) {}
  static void dropped(Type) {}
  /// @}

private:
  friend Lift<TypeFlow>;
  bool branch(const LiftEffect &E);

  /// \name For Lift
  /// @{
  uint32_t index() const { return D.Index; }
  Opcode opcode() const { return D.Op; }
  unsigned dimensions() const { return unsigned(D.Value); }
  static bool fail(const llvm::Twine &) { return false; }
  bool has(unsigned, unsigned Slots) const { return Stack.size() >= Slots; }
  bool fits(LiftOperands O) const { return Stack.size() >= O.Slots; }
  Type typeAt(unsigned N) const { return Stack[Stack.size() - N]; }
  bool put(const LiftEffect &, unsigned, unsigned Slots, Type Result) {
    Stack.truncate(Stack.size() - Slots);
    if (!Result.isVoid())
      push(Result);
    return true;
  }
  bool top(unsigned Width, Type &Ty) const {
    if (!entries(0, Width))
      return false;
    Ty = Stack[Stack.size() - Width];
    return true;
  }
  static bool mayLoad(Type Ty) { return Ty.isReference(); }
  static bool mayStore(Type Ty) { return Ty.isReference(); }
  bool loaded(const LiftEffect &, Type Ty) {
    push(Ty);
    return true;
  }
  bool stored(const LiftEffect &E, Type Ty) {
    Stack.truncate(Stack.size() - E.PopSlots);
    Slots.store(index(), Ty, [&](size_t S, Type T) { Slots.set(S, T); });
    return true;
  }
  static bool incremented(const LiftEffect &) { return true; }
  bool loadedConstant(const LiftEffect &, Type Ty) {
    push(Ty);
    return true;
  }
  bool made(const LiftEffect &, Type) {
    push(Type(Type::Uninit, D.BCI));
    return true;
  }
  bool initialised(const LiftEffect &, unsigned Count, unsigned Taken);
  bool moved(const LiftEffect &E) {
    return shuffleStack(E.Moves, Stack, *this);
  }
  /// @}

  const Bytes Code;
  DecodedInst D;
};

} // namespace

bool TypeFlow::initialised(const LiftEffect &, unsigned, unsigned Taken) {
  const Type Object = Stack[Stack.size() - Taken];
  Type To = F.types().ref(Class.name());
  if (Object.is(Type::Uninit)) {
    DecodedInst New;
    if (!decodeInst(Code, Object.payload(), New))
      return false;
    To = Class.classType(New.Index);
  } else if (!Object.is(Type::UninitThis)) {
    return false;
  }
  Stack.truncate(Stack.size() - Taken);
  std::replace(Stack.begin(), Stack.end(), Object, To);
  for (size_t S = 0; S < Slots.size(); ++S)
    if (Slots[S] == Object)
      Slots.set(S, To);
  return true;
}

/// Behind a branch, the stack is what the branch leaves.
bool TypeFlow::branch(const LiftEffect &E) {
  if (!E.Op || D.info().EndsBlock || Stack.size() < E.PopSlots)
    return false;
  Stack.truncate(Stack.size() - E.PopSlots);
  return true;
}

bool TypeFlow::run(uint32_t From, uint32_t To) {
  for (uint32_t At = From; At < To; At = D.end()) {
    if (!decodeInst(Code, At, D))
      return false;
    const LiftEffect &E = Effects[D.Op];
    if (E.Kind == LiftEffect::End ? !branch(E) : !step(E))
      return false;
  }
  return D.end() == To || From == To;
}

OriginalTypes::OriginalTypes(Body &F) : F(F) {
  ClassFile &Class = F.classFile();
  const Method &M = F.method();
  if (!isStatic(Class, M))
    FrameLocals.push_back(F.Patch->SuperEnd ? Type(Type::UninitThis)
                                            : Class.Types.ref(Class.name()));
  MethodDescriptor D(Class.descriptor(M));
  for (llvm::StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    FrameLocals.push_back(Class.Types.fromDescriptor(P));
}

void OriginalTypes::pass(const OriginalFrame &Frame) {
  Bytes Rest = Frame.Rest;
  const uint8_t Tag = Frame.Tag;
  ClassFile &Class = F.classFile();
  FrameStack.clear();
  unsigned NumStack = (Tag >= 64 && Tag < 128) || Tag == 247;
  if (Tag >= 248 && Tag < 251) {
    FrameLocals.resize(FrameLocals.size() - (251u - Tag));
  } else if (Tag > 251 && Tag < 255) {
    readFrameTypes(Class, Rest, Tag - 251u, FrameLocals);
  } else if (Tag == 255) {
    FrameLocals.clear();
    const unsigned Count = readU2(Rest.data());
    Rest = Rest.drop_front(2);
    readFrameTypes(Class, Rest, Count, FrameLocals);
    NumStack = readU2(Rest.data());
    Rest = Rest.drop_front(2);
  }
  readFrameTypes(Class, Rest, NumStack, FrameStack);
}

bool OriginalTypes::at(uint32_t BCI) {
  const CodePatch &S = *F.Patch;
  for (; Next < S.Frames.size() && S.Frames[Next].BCI <= BCI; ++Next) {
    pass(S.Frames[Next]);
    From = S.Frames[Next].BCI;
  }
  llvm::SmallVector<Type, 16> BySlot;
  for (const Type Ty : FrameLocals) {
    BySlot.push_back(Ty);
    if (Ty.isCategory2())
      BySlot.push_back(Type::High);
  }
  if (BySlot.size() > S.Code.MaxLocals)
    return false;
  SlotTypes Slots;
  Slots.reset(S.Code.MaxLocals, BySlot);
  TypeFlow Flow(F, S.Code.Code, Slots);
  for (const Type Ty : FrameStack)
    Flow.push(Ty);
  if (!Flow.run(From, BCI))
    return false;
  auto ByValue = [](auto &&Types, std::vector<Type> &To) {
    To.clear();
    for (const Type Ty : Types)
      if (!Ty.is(Type::High))
        To.push_back(Ty);
  };
  ByValue(Slots, Locals);
  ByValue(Flow.Stack, Stack);
  while (!Locals.empty() && Locals.back().is(Type::Top))
    Locals.pop_back();
  return true;
}
