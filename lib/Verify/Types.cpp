//===- Types.cpp - Verification types (4.10.1.2) --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

/// A longer chain of superclasses is taken for a cycle.
static constexpr unsigned MaxDepth = 65536;

VTypeTable::VTypeTable(const ClassInfo &Self, const TypeHierarchy *Hierarchy)
    : SelfInfo(Self), Hierarchy(Hierarchy) {
  Entries.push_back({"", nullptr, true, {}});
  Numbers[llvm::CachedHashStringRef("")] = 0;
  this->Self = object(Self.Name);
  Object = object("java/lang/Object");
  String = object("java/lang/String");
  Class = object("java/lang/Class");
  Throwable = object("java/lang/Throwable");
  MethodType = object("java/lang/invoke/MethodType");
  MethodHandle = object("java/lang/invoke/MethodHandle");
}

VType VTypeTable::object(StringRef Name) {
  auto [It, New] =
      Numbers.try_emplace(llvm::CachedHashStringRef(Name), Entries.size());
  if (New)
    Entries.push_back({Name, nullptr, false, {}});
  return VType(VKind::Ref, It->second);
}

VType VTypeTable::descriptor(StringRef Descriptor) {
  switch (Descriptor.empty() ? 0 : Descriptor[0]) {
  case 'B':
  case 'C':
  case 'I':
  case 'S':
  case 'Z':
    return VKind::Int;
  case 'F':
    return VKind::Float;
  case 'J':
    return VKind::Long;
  case 'D':
    return VKind::Double;
  case 'L':
    return object(Descriptor.drop_front().drop_back());
  case '[':
    return object(Descriptor);
  default:
    return VKind::Top;
  }
}

VType VTypeTable::arrayOf(VType Element) {
  StringRef Name = name(Element);
  if (Name.starts_with("[")) {
    if (Name.find_first_not_of('[') >= 255)
      return VKind::Null;
    return object(Saver.save("[" + Twine(Name)));
  }
  return object(Saver.save("[L" + Twine(Name) + ";"));
}

const ClassInfo *VTypeTable::info(StringRef Name) const {
  if (Name == SelfInfo.Name)
    return &SelfInfo;
  return Hierarchy ? Hierarchy->lookup(Name) : nullptr;
}

const ClassInfo *VTypeTable::info(VType Ref) {
  Entry &E = Entries[Ref.payload()];
  if (!E.Known) {
    E.Info = info(E.Name);
    E.Known = true;
  }
  return E.Info;
}

bool VTypeTable::isAssignableSlow(VType From, VType To) {
  if (!To.is(VKind::Ref))
    return false;
  if (From.is(VKind::Null))
    return true;
  if (!From.is(VKind::Ref))
    return false;
  if (To == Object)
    return true;
  if (isArray(To)) {
    if (!isArray(From))
      return From == unknown();
    VType A = component(From), B = component(To);
    return A.is(VKind::Ref) && B.is(VKind::Ref) && isAssignable(A, B);
  }
  if (isArray(From))
    return To == unknown() || name(To) == "java/lang/Cloneable" ||
           name(To) == "java/io/Serializable";
  auto [It, New] =
      Subclasses.try_emplace({From.payload(), To.payload()}, false);
  if (New)
    It->second = isSubclass(From, To);
  return It->second;
}

/// Two different classes, neither of them an array.
bool VTypeTable::isSubclass(VType From, VType To) {
  if (To == unknown() || From == unknown())
    return true;
  if (const ClassInfo *I = info(To); I && I->isInterface())
    return true;
  const ClassInfo *I = info(From);
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    if (!I)
      return true; // the chain leads to an unknown class
    if (I->Super.empty())
      // To may be an unknown interface.
      return !info(To);
    if (I->Super == name(To))
      return true;
    I = info(I->Super);
  }
  return false;
}

VType VTypeTable::merge(VType A, VType B) {
  if (A == B)
    return A;
  if (!A.isReference() || !B.isReference())
    return VKind::Top;
  if (A.is(VKind::Null))
    return B;
  if (B.is(VKind::Null))
    return A;
  if (A == Object || B == Object)
    return Object;
  unsigned Dims = 0;
  while (isArray(A) && isArray(B) && A != B) {
    VType NextA = component(A), NextB = component(B);
    if (!NextA.is(VKind::Ref) || !NextB.is(VKind::Ref)) {
      A = B = Object; // arrays of different primitives
      break;
    }
    A = NextA;
    B = NextB;
    ++Dims;
  }
  VType Result = A == B                     ? A
                 : isArray(A) || isArray(B) ? Object
                                            : mergeClasses(A, B);
  while (Dims--)
    Result = arrayOf(Result);
  return Result;
}

VType VTypeTable::mergeClasses(VType A, VType B) {
  if (A == unknown() || B == unknown())
    return unknown();
  if (A == Object || B == Object)
    return Object;
  const ClassInfo *I = info(A), *J = info(B);
  if ((I && I->isInterface()) || (J && J->isInterface()))
    return Object;
  llvm::SmallPtrSet<const ClassInfo *, 16> Above;
  for (unsigned Depth = 0; I && Depth < MaxDepth; ++Depth) {
    Above.insert(I);
    if (I->Super == name(B))
      return B;
    if (I->Super.empty())
      break;
    I = info(I->Super);
  }
  for (unsigned Depth = 0; J && Depth < MaxDepth; ++Depth) {
    if (Above.count(J))
      return object(J->Name);
    if (J->Super == name(A))
      return A;
    if (J->Super.empty())
      break;
    J = info(J->Super);
  }
  return unknown();
}

bool VTypeTable::isSelfOrSuper(StringRef Ancestor) const {
  const ClassInfo *I = &SelfInfo;
  for (unsigned Depth = 0; I && Depth < MaxDepth; ++Depth) {
    if (I->Name == Ancestor || I->Super == Ancestor)
      return true;
    if (I->Super.empty())
      return false;
    I = info(I->Super);
  }
  return false;
}

std::string VTypeTable::describe(VType T) const {
  switch (T.kind()) {
  case VKind::Top:
    return "top";
  case VKind::Int:
    return "int";
  case VKind::Float:
    return "float";
  case VKind::Long:
    return "long";
  case VKind::Long2:
    return "the upper half of a long";
  case VKind::Double:
    return "double";
  case VKind::Double2:
    return "the upper half of a double";
  case VKind::Null:
    return "null";
  case VKind::UninitThis:
    return "uninitializedThis";
  case VKind::Uninit:
    return "uninitialized(" + std::to_string(T.payload()) + ")";
  case VKind::Ref:
    return name(T).str();
  case VKind::RetAddr:
    return "a return address";
  }
  return {};
}
