//===- PoolChecker.cpp - The constant pool (4.4) --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormatChecker.h"
#include "Names.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

bool FormatChecker::readPool() {
  unsigned Count = In.u2();
  if (In.failed())
    return truncated();
  if (Count == 0)
    return format("the constant pool has no entry 0", "4.1");
  V.Pool.resize(Count);
  for (unsigned I = 1; I < Count; ++I) {
    PoolEntry &E = V.Pool[I];
    E.Tag = PoolTag(In.u1());
    unsigned Since = 45;
    switch (uint8_t(E.Tag)) {
    case PT_Utf8:
      E.A = In.u2();
      E.Offset = uint32_t(In.offset());
      if (Bytes B = In.bytes(E.A);
          !In.failed() && !isLegalUtf8(toStringRef(B), V.Major))
        format("constant " + Twine(I) + " is no modified UTF-8", "4.4.7");
      break;
    case PT_Integer:
    case PT_Float:
      In.skip(4);
      break;
    case PT_Long:
    case PT_Double:
      In.skip(8);
      if (++I >= Count)
        return format("constant " + Twine(I - 1) +
                          " needs two entries, but is the last",
                      "4.4.5");
      break;
    case PT_Class:
    case PT_String:
      E.A = In.u2();
      break;
    case PT_Fieldref:
    case PT_Methodref:
    case PT_InterfaceMethodref:
    case PT_NameAndType:
      E.A = In.u2();
      E.B = In.u2();
      break;
    case PT_MethodHandle:
      Since = 51;
      E.A = In.u1();
      E.B = In.u2();
      break;
    case PT_MethodType:
      Since = 51;
      E.A = In.u2();
      break;
    case PT_Dynamic:
    case PT_InvokeDynamic:
      Since = E.Tag == PT_Dynamic ? 55 : 51;
      E.A = In.u2();
      E.B = In.u2();
      break;
    case PT_Module:
    case PT_Package:
      Since = 53;
      E.A = In.u2();
      ModuleConstants = true;
      break;
    default:
      if (In.failed())
        return truncated();
      return format("constant " + Twine(I) + " has the unknown tag " +
                        Twine(unsigned(E.Tag)),
                    "4.4");
    }
    if (In.failed())
      return truncated();
    if (V.Major < Since)
      return format("constant " + Twine(I) + " has tag " +
                        Twine(unsigned(E.Tag)) + ", not known before version " +
                        Twine(Since),
                    "4.4");
    if (E.Tag == PT_Dynamic || E.Tag == PT_InvokeDynamic)
      MaxBootstrapIndex = std::max(MaxBootstrapIndex, int(E.A));
  }
  // Names are looked at only where all indices are good.
  size_t Before = R.count();
  for (unsigned I = 1; I < Count && !R.full(); ++I)
    checkPoolIndices(I);
  if (R.count() != Before)
    return false;
  for (unsigned I = 1; I < Count && !R.full(); ++I)
    checkPoolNames(I);
  return true;
}

void FormatChecker::checkPoolIndices(unsigned I) {
  const PoolEntry &E = V.Pool[I];
  auto Bad = [&](const char *Section) {
    format("constant " + Twine(I) +
               " refers to an entry that is missing or of another kind",
           Section);
  };
  switch (E.Tag) {
  case PT_Class:
    if (!isUtf8(E.A))
      Bad("4.4.1");
    break;
  case PT_String:
    if (!isUtf8(E.A))
      Bad("4.4.3");
    break;
  case PT_MethodType:
    if (!isUtf8(E.A))
      Bad("4.4.9");
    break;
  case PT_Module:
  case PT_Package:
    if (!isUtf8(E.A))
      Bad("4.4.11");
    break;
  case PT_NameAndType:
    if (!isUtf8(E.A) || !isUtf8(E.B))
      Bad("4.4.6");
    break;
  case PT_Fieldref:
  case PT_Methodref:
  case PT_InterfaceMethodref:
    if (!isClass(E.A) || V.tag(E.B) != PT_NameAndType)
      Bad("4.4.2");
    break;
  case PT_Dynamic:
  case PT_InvokeDynamic:
    if (V.tag(E.B) != PT_NameAndType)
      Bad("4.4.10");
    break;
  case PT_MethodHandle: {
    PoolTag Target = V.tag(E.B);
    bool Ok;
    switch (E.A) {
    case 1: // getField, getStatic, putField, putStatic
    case 2:
    case 3:
    case 4:
      Ok = Target == PT_Fieldref;
      break;
    case 5: // invokeVirtual, newInvokeSpecial
    case 8:
      Ok = Target == PT_Methodref;
      break;
    case 6: // invokeStatic, invokeSpecial
    case 7:
      Ok = Target == PT_Methodref ||
           (V.Major >= 52 && Target == PT_InterfaceMethodref);
      break;
    case 9: // invokeInterface
      Ok = Target == PT_InterfaceMethodref;
      break;
    default:
      Ok = false;
    }
    if (!Ok)
      Bad("4.4.8");
    break;
  }
  default:
    break;
  }
}

void FormatChecker::checkPoolNames(unsigned I) {
  const PoolEntry &E = V.Pool[I];
  auto Bad = [&](const char *What, const char *Section) {
    format("constant " + Twine(I) + " has a bad " + What, Section);
  };
  switch (E.Tag) {
  case PT_Class:
    if (!isLegalClassName(V.utf8(E.A), V.Major))
      Bad("class name", "4.4.1");
    break;
  case PT_NameAndType: {
    StringRef Name = V.utf8(E.A), Descriptor = V.utf8(E.B);
    if (Descriptor.starts_with("(")) {
      if (!isLegalMethodName(Name, V.Major))
        Bad("method name", "4.2.2");
      else if (!isLegalMethodDescriptor("", Descriptor, V.Major))
        Bad("method descriptor", "4.3.3");
    } else {
      if (!isLegalFieldName(Name, V.Major))
        Bad("field name", "4.2.2");
      else if (!isLegalFieldDescriptor(Descriptor, V.Major))
        Bad("field descriptor", "4.3.2");
    }
    break;
  }
  case PT_Fieldref:
  case PT_Dynamic:
    if (V.refDescriptor(I).starts_with("("))
      Bad("descriptor: that of a method", "4.4.2");
    break;
  case PT_Methodref:
  case PT_InterfaceMethodref:
  case PT_InvokeDynamic: {
    StringRef Name = V.refName(I);
    if (!V.refDescriptor(I).starts_with("("))
      Bad("descriptor: that of a field", "4.4.2");
    else if (E.Tag == PT_Methodref && Name.starts_with("<") &&
             (Name != "<init>" || !V.refDescriptor(I).ends_with(")V")))
      Bad("method name, or a constructor that returns something", "4.4.2");
    break;
  }
  case PT_MethodHandle:
    checkMethodHandle(I);
    break;
  case PT_MethodType:
    if (!isLegalMethodDescriptor("", V.utf8(E.A), V.Major))
      Bad("method descriptor", "4.4.9");
    break;
  default:
    break;
  }
}

void FormatChecker::checkMethodHandle(unsigned I) {
  const PoolEntry &E = V.Pool[I];
  bool IsInit = V.refName(E.B) == "<init>";
  // HotSpot does not look at the name for invokeInterface.
  if (E.A == 8 ? !IsInit : E.A >= 5 && E.A <= 7 && IsInit)
    format("method handle " + Twine(I) + " is of a kind that " +
               (IsInit ? "may not" : "must") + " name a constructor",
           "4.4.8");
}
