//===- Members.cpp - Field access and calls -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linkage.h"
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

bool Machine::checkCall(const DecodedInst &I) {
  StringRef Name = V.refName(I.Index);
  if (Name.starts_with("<") && (I.Op != op::INVOKESPECIAL || Name != "<init>"))
    return fail(Twine(I.info().Mnemonic) + " of " + Name, "4.9.1");
  const uint8_t *P = code().Code.data() + I.BCI;
  if (I.Op == op::INVOKEINTERFACE) {
    if (P[3] != Shapes[V.Pool[V.Pool[I.Index].B].B].Slots + 1u)
      return fail("the count of invokeinterface is not that of the arguments",
                  "4.9.1");
    if (P[4])
      return fail("the fourth operand byte of invokeinterface is not zero",
                  "4.9.1");
  }
  if (I.Op == op::INVOKEDYNAMIC && (P[3] || P[4]))
    return fail("the last operand bytes of invokedynamic are not zero",
                "4.9.1");
  return true;
}

const MemberInfo *Machine::findField(const ClassInfo *C, StringRef Name,
                                     StringRef Descriptor,
                                     const ClassInfo *&Holder) {
  // Interfaces may have common ancestors, and bad ones are their own.
  llvm::SmallPtrSet<const ClassInfo *, 16> Seen;
  llvm::SmallVector<const ClassInfo *, 16> Next = {C};
  while (!Next.empty()) {
    C = Next.pop_back_val();
    if (!C || !Seen.insert(C).second)
      continue;
    if (const MemberInfo *F = C->findField(Name, Descriptor)) {
      Holder = C;
      return F;
    }
    if (!C->Super.empty())
      Next.push_back(Types.info(C->Super));
    for (StringRef Interface : llvm::reverse(C->Interfaces))
      Next.push_back(Types.info(Interface));
  }
  return nullptr;
}

const MemberInfo *Machine::findMethod(const ClassInfo *C, StringRef Name,
                                      StringRef Descriptor,
                                      const ClassInfo *&Holder) {
  for (unsigned Level = 0; C && Level < 65536; ++Level) {
    if (const MemberInfo *M = C->findMethod(Name, Descriptor)) {
      Holder = C;
      return M;
    }
    C = C->Super.empty() ? nullptr : Types.info(C->Super);
  }
  return nullptr;
}

/// Whether \p Ref names a protected member that this class has only by being a
/// subclass (4.10.1.8).
bool Machine::isProtected(StringRef Class, unsigned Ref, bool IsMethod) {
  if (Class.starts_with("[") || !Types.isSelfOrSuper(Class))
    return false;
  const ClassInfo *Holder = nullptr, *C = Types.info(Class);
  StringRef Name = V.refName(Ref), Descriptor = V.refDescriptor(Ref);
  const MemberInfo *M = IsMethod ? findMethod(C, Name, Descriptor, Holder)
                                 : findField(C, Name, Descriptor, Holder);
  return M && (M->Flags & ACC_PROTECTED) &&
         packageOf(Holder->Name) != packageOf(V.thisName());
}

/// 4.10.1.8: a protected member of a superclass in another package may be used
/// on objects of this class only.
bool Machine::checkProtected(VType Object, VType Class, unsigned Ref,
                             bool IsMethod) {
  if (Object == Types.Self || !Types.isSelfOrSuper(Class) ||
      !isProtected(Types.name(Class), Ref, IsMethod))
    return true;
  // Arrays have a public clone().
  if (IsMethod && Class == Types.Object && Types.isArray(Object) &&
      V.refName(Ref) == "clone")
    return true;
  bool Ok = Types.isAssignable(Object, Types.Self);
  if (V.isInterface() && Object == Types.Object)
    Ok = false;
  return Ok || fail("protected member " + V.refName(Ref) +
                        " of another "
                        "package on an object of type " +
                        Types.describe(Object),
                    "4.10.1.8");
}

bool Machine::executeField(const DecodedInst &I) {
  VType Class = classType(V.Pool[I.Index].A);
  VType Field = fieldType(V.Pool[V.Pool[I.Index].B].B);
  const OpcodeInfo &Info = I.info();
  VType Object;
  // A constructor may set fields of its own class before super().
  const MemberInfo *Put = nullptr;
  if (I.Op == op::PUTFIELD && Class == Types.Self &&
      (ThisUninit || V.hasValueClasses()))
    Put = Types.info(Class)->findField(V.refName(I.Index),
                                       V.refDescriptor(I.Index));
  const bool OwnField = ThisUninit && Put;
  if (Info.takes('v')) {
    // Inference lets it store the object itself there as well, where every
    // object may be stored.
    if (At.Inference && OwnField && Depth &&
        Stack.get(Depth - 1).is(VKind::UninitThis) &&
        (Field == Types.Object || Types.mayBeInterface(Field)))
      popSlot(Object);
    else if (!pop(Field))
      return false;
  }
  if (Info.hasReceiver()) {
    if (Types.isArray(Class))
      return fail("field of an array", "4.9.1");
    if (!popSlot(Object))
      return false;
    if (OwnField && Object.is(VKind::UninitThis)) {
      if (auto Field = Strict.find(Put->Name, Put->Descriptor))
        Strict.set(*Field);
      return true;
    }
    constexpr uint16_t StrictFinal = ACC_STRICT_INIT | ACC_FINAL;
    if (Put && V.hasValueClasses() && (Put->Flags & StrictFinal) == StrictFinal)
      return fail("sets the strict field " + Put->Name +
                      " of an initialised object",
                  "4.10.1.9.putfield");
    if (!assignable(Object, Class))
      return mismatch("on the stack", Types.describe(Class), Object,
                      "4.10.1.9.getfield");
    if (!checkProtected(Object, Class, I.Index, /*IsMethod=*/false))
      return false;
  }
  if (!Info.result())
    return true;
  return push(Info.result() == 'c' ? Class : Field);
}

bool Machine::executeInvoke(const DecodedInst &I) {
  const PoolEntry &Ref = V.Pool[I.Index];
  StringRef Name = V.refName(I.Index);
  bool IsInit = Name == "<init>";
  VType Class;
  if (I.Op != op::INVOKEDYNAMIC)
    Class = classType(Ref.A);

  if (I.Op == op::INVOKESPECIAL && !IsInit && Class != Types.Self &&
      Types.name(Class) != V.superName()) {
    if (!Types.isAssignable(Types.Self, Class))
      return fail("invokespecial of a class that is no ancestor",
                  "4.10.1.9.invokespecial");
    const ClassInfo *Info = Types.info(Class);
    if ((Ref.Tag == CPTag::InterfaceMethodref ||
         (Info && Info->isInterface())) &&
        llvm::none_of(V.Interfaces, [&](uint16_t Interface) {
          return V.className(Interface) == Types.name(Class);
        }))
      return fail("invokespecial of an interface that is no direct one",
                  "4.10.1.9.invokespecial");
  }

  const MethodShapes::Shape &S = Shapes[V.Pool[Ref.B].B];
  for (VType Parameter : llvm::reverse(S.Parameters))
    if (!pop(Parameter))
      return false;
  switch (I.Op) {
  case op::INVOKESPECIAL:
    if (IsInit)
      return executeInit(Class, I.Index);
    if (!pop(Types.Self))
      return false;
    break;
  case op::INVOKEVIRTUAL: {
    VType Object;
    if (!popSlot(Object))
      return false;
    if (!assignable(Object, Class))
      return mismatch("on the stack", Types.describe(Class), Object,
                      "4.10.1.9.invokevirtual");
    if (!checkProtected(Object, Class, I.Index, /*IsMethod=*/true))
      return false;
    break;
  }
  case op::INVOKEINTERFACE:
    if (!pop(Class))
      return false;
    break;
  default:
    break;
  }
  return S.Return.isTop() || push(S.Return);
}

bool Machine::executeInit(VType Class, unsigned Ref) {
  VType Object;
  if (!popSlot(Object))
    return false;
  VType Becomes;
  if (Object.is(VKind::UninitThis)) {
    if (Class != Types.Self && Types.name(Class) != V.superName())
      return fail("calls a constructor of neither this class nor its "
                  "superclass",
                  "4.10.1.9.invokespecial");
    if (Class != Types.Self && !Strict.areAllSet())
      return fail("calls super() before all strict fields are set",
                  "4.10.1.9.invokespecial");
    Strict.setAll();
    Becomes = Types.Self;
    ThisUninit = false;
    Initialised.This = true;
  } else if (Object.is(VKind::Uninit)) {
    // Frames refer to instructions `new` only.
    Becomes = classType(readU2(code().Code.data() + Object.payload() + 1));
    if (Becomes != Class)
      return fail("calls a constructor of " + Types.name(Class) +
                      " on a new object of " + Types.name(Becomes),
                  "4.10.1.9.invokespecial");
    if (isProtected(Types.name(Class), Ref, /*IsMethod=*/true) &&
        !Types.isAssignable(Becomes, Types.Self))
      return fail("protected constructor of another package", "4.10.1.8");
    Initialised.New = true;
  } else {
    return mismatch("on the stack", "an uninitialised object", Object,
                    "4.10.1.9.invokespecial");
  }
  Locals.replaceAll(Object, Becomes);
  for (unsigned S = 0; S < Depth; ++S)
    if (Stack.get(S) == Object)
      Stack.set(S, Becomes);
  return true;
}
