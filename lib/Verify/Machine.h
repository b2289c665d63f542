//===- Machine.h - What instructions do to types ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One frame and the effect of each instruction on it: shared by type checking
/// and type inference, which differ in where frames come from.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_MACHINE_H
#define JOPT_LIB_VERIFY_MACHINE_H

#include "ClassView.h"
#include "Report.h"
#include "Slots.h"
#include "StrictFields.h"
#include "Types.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/BitVector.h"

namespace jopt::verify {

/// The slots that \p Info, which reads or writes a local, uses.
inline unsigned slotsOfLocal(const OpcodeInfo &Info) {
  const llvm::StringRef In = Info.operands();
  const char Letter = In.empty() ? Info.result() : In[0];
  return Letter == 'J' || Letter == 'D' ? 2 : 1;
}

/// A stored frame.
struct Frame {
  SlotRoot Locals = 0;
  SlotRoot Stack = 0;
  uint16_t Depth = 0;
  /// flagThisUninit: a constructor has not yet called another one.
  bool ThisUninit = false;
  /// The strict fields that are not set; of frames that are declared.
  uint32_t Unset = StrictFields::None;
};

/// The method descriptors of a class, each resolved once.
class MethodShapes {
public:
  struct Shape {
    llvm::ArrayRef<VType> Parameters;
    uint16_t Slots = 0; ///< that they take
    bool Known = false;
    VType Return; ///< top for void
  };
  MethodShapes(const ClassView &V, VTypeTable &Types)
      : V(V), Types(Types), Shapes(V.Pool.size()) {}

  /// Of the descriptor in pool entry \p Utf8.
  const Shape &operator[](unsigned Utf8);

private:
  const ClassView &V;
  VTypeTable &Types;
  std::vector<Shape> Shapes; ///< by index of the descriptor
  llvm::BumpPtrAllocator Alloc;
};

class Machine {
public:
  Machine(const ClassView &V, VTypeTable &Types, FindingLog &R)
      : V(V), Types(Types), R(R), Locals(LocalPool), Stack(StackPool),
        Strict(V), Shapes(V, Types), TypeOf(V.Pool.size()) {}

  /// Starts on \p M: finds its instructions and sets the frame on entry.
  /// \returns false after a finding, as all below do.
  bool begin(const MemberView &M, bool Inference);

  /// The static constraints on the operands of \p I (4.9.1).
  bool checkOperands(const DecodedInst &I);
  /// The effect of \p I, whose operands are good, on the frame. Branching, jsr
  /// and ret are the caller's.
  bool execute(const DecodedInst &I);

  /// The class or array type of Class entry \p I.
  VType classType(unsigned I) {
    VType &Known = TypeOf[I];
    return Known.isTop() ? Known = Types.object(V.className(I)) : Known;
  }
  /// The slots that the parameters of the method take, `this` too.
  unsigned numParameterSlots() {
    return Shapes[method().Descriptor].Slots + !method().isStatic();
  }

  bool isStart(uint32_t BCI) const {
    return BCI < At.Starts.size() && At.Starts[BCI];
  }
  const CodeAttribute &code() const { return At.Method->Code; }
  const MemberView &method() const { return *At.Method; }

  Frame save();
  void load(const Frame &F);

  bool push(VType T);
  bool pop(VType Expected);
  /// Pops one slot that holds any reference, initialised or not.
  bool popAnyReference(VType &T);
  bool setLocal(unsigned I, VType T);

  /// Reports at the current instruction, as a VerifyError.
  bool fail(const llvm::Twine &Message, const char *Section);
  /// The same, as a ClassFormatError.
  bool failFormat(const llvm::Twine &Message, const char *Section);
  /// "expected X, found Y".
  bool mismatch(const char *Where, const llvm::Twine &Expected, VType Found,
                const char *Section);

  const ClassView &V;
  VTypeTable &Types;
  FindingLog &R;
  SlotPool LocalPool, StackPool;
  Slots Locals, Stack;
  unsigned Depth = 0;
  bool ThisUninit = false;
  StrictFields Strict;
  uint32_t BCI = 0;
  /// Set by execute when the instruction initialised uninitializedThis, or a
  /// new object.
  struct {
    bool This = false, New = false;
  } Initialised;

private:
  /// What there is of a method besides its frame.
  struct MethodState {
    const MemberView *Method = nullptr;
    bool Inference = false;
    VType Return;
    llvm::BitVector Starts; ///< of instructions
  };

  /// Whether \p From may stand for \p To, by the rules of this method:
  /// inference lets arrays of primitives pass for any interface.
  bool assignable(VType From, VType To) {
    return Types.isAssignable(From, To) ||
           (At.Inference && Types.isArray(From) &&
            !Types.component(From).is(VKind::Ref) && Types.mayBeInterface(To));
  }
  bool popSlot(VType &T);
  bool popKind(VKind K);
  bool popReference(VType &T);
  bool popCategory1(VType &T);
  /// All operands of \p I from \p First on; \p NullTest: inference allows an
  /// uninitialised object here. None is a field's or a method's.
  bool popOperands(const DecodedInst &I, unsigned First = 0,
                   bool NullTest = false);
  bool pushResult(const DecodedInst &I);
  bool executeConstant(const DecodedInst &I);
  bool executeLocal(const DecodedInst &I);
  bool executeArray(const DecodedInst &I);
  bool executeStack(const DecodedInst &I);
  bool executeControl(const DecodedInst &I);
  bool executeObject(const DecodedInst &I);
  bool popArray(llvm::StringRef Elements, VType &Array);
  bool checkSwitch(const DecodedInst &I);
  bool checkTarget(int32_t To);
  bool checkEntry(const DecodedInst &I);
  bool checkClass(const DecodedInst &I);

  // Members.cpp
  bool checkCall(const DecodedInst &I);
  bool executeField(const DecodedInst &I);
  bool executeInvoke(const DecodedInst &I);
  bool executeInit(VType Class, unsigned Ref);
  bool isProtected(llvm::StringRef Class, unsigned Ref, bool IsMethod);
  bool checkProtected(VType Object, VType Class, unsigned Ref, bool IsMethod);
  const MemberInfo *findField(const ClassInfo *C, llvm::StringRef Name,
                              llvm::StringRef Descriptor,
                              const ClassInfo *&Holder);
  const MemberInfo *findMethod(const ClassInfo *C, llvm::StringRef Name,
                               llvm::StringRef Descriptor,
                               const ClassInfo *&Holder);
  /// The type of the descriptor in pool entry \p Utf8, of a field.
  VType fieldType(unsigned Utf8) {
    VType &Known = TypeOf[Utf8];
    return Known.isTop() ? Known = Types.descriptor(V.utf8(Utf8)) : Known;
  }

  MethodState At;
  MethodShapes Shapes;
  /// By pool entry, of classes and of descriptors of fields; top: not known
  /// yet.
  std::vector<VType> TypeOf;
};

} // namespace jopt::verify

#endif
