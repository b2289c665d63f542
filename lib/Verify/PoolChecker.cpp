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
  size_t KnownEnd = 0;
  for (unsigned I = 1; I < Count; ++I) {
    PoolEntry &E = V.Pool[I];
    E.Tag = CPTag(In.u1());
    const PoolTagInfo &T = getPoolTagInfo(E.Tag);
    if (E.Tag == CPTag::Utf8) {
      E.A = In.u2();
      E.Offset = uint32_t(In.offset());
      if (Bytes B = In.bytes(E.A); !In.failed() &&
                                   !Known.hasEntry(I, In.offset()) &&
                                   !isLegalUtf8(toStringRef(B), V.Major))
        format("constant " + Twine(I) + " is no modified UTF-8", T.Section);
    } else if (isNumber(E.Tag)) {
      In.skip(T.Size);
      if (isWide(E.Tag) && ++I >= Count)
        return format("constant " + Twine(I - 1) +
                          " needs two entries, but is the last",
                      T.Section);
    } else if (T.Size) {
      E.A = T.sizeOfA() == 1 ? In.u1() : In.u2();
      if (T.hasB())
        E.B = In.u2();
    } else if (!In.failed()) {
      return format("constant " + Twine(I) + " has the unknown tag " +
                        Twine(unsigned(E.Tag)),
                    "4.4");
    }
    if (In.failed())
      return truncated();
    if (V.Major < T.Since)
      return format("constant " + Twine(I) + " has tag " +
                        Twine(unsigned(E.Tag)) + ", not known before version " +
                        Twine(unsigned(T.Since)),
                    "4.4");
    ModuleConstants |= E.Tag == CPTag::Module || E.Tag == CPTag::Package;
    if (E.Tag == CPTag::Dynamic || E.Tag == CPTag::InvokeDynamic)
      MaxBootstrapIndex = std::max(MaxBootstrapIndex, int(E.A));
    if (Known.hasEntry(I, In.offset())) {
      NumKnown = I + 1;
      KnownEnd = In.offset();
    }
  }
  // Entries may refer to any other.
  if (!Known.readMembers(NumKnown, KnownEnd))
    NumKnown = 1;
  // Names are looked at only where all indices are good.
  size_t Before = R.count();
  for (unsigned I = NumKnown; I < Count && !R.full(); ++I)
    checkPoolIndices(I);
  if (R.count() != Before)
    return false;
  for (unsigned I = NumKnown; I < Count && !R.full(); ++I)
    checkPoolNames(I);
  return true;
}

void FormatChecker::checkPoolIndices(unsigned I) {
  const PoolEntry &E = V.Pool[I];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  uint32_t TagsOfB = T.B;
  if (E.Tag == CPTag::MethodHandle) {
    TagsOfB = handleTags(E.A);
    if (TagsOfB == AnyMethodTags && V.Major < 52)
      TagsOfB = tagBit(CPTag::Methodref);
  }
  if ((T.A && !(tagBit(V.tag(E.A)) & T.A)) ||
      (T.B && !(tagBit(V.tag(E.B)) & TagsOfB)))
    format("constant " + Twine(I) +
               " refers to an entry that is missing or of another kind",
           T.Section);
}

void FormatChecker::checkPoolNames(unsigned I) {
  const PoolEntry &E = V.Pool[I];
  auto Bad = [&](const char *What, const char *Section) {
    format("constant " + Twine(I) + " has a bad " + What, Section);
  };
  switch (E.Tag) {
  case CPTag::Class:
    if (!isLegalClassName(V.utf8(E.A), V.Major))
      Bad("class name", "4.4.1");
    break;
  case CPTag::NameAndType: {
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
  case CPTag::Fieldref:
  case CPTag::Dynamic:
    if (V.refDescriptor(I).starts_with("("))
      Bad("descriptor: that of a method", "4.4.2");
    break;
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
  case CPTag::InvokeDynamic: {
    StringRef Name = V.refName(I);
    if (!V.refDescriptor(I).starts_with("("))
      Bad("descriptor: that of a field", "4.4.2");
    else if (E.Tag == CPTag::Methodref && Name.starts_with("<") &&
             (Name != "<init>" || !V.refDescriptor(I).ends_with(")V")))
      Bad("method name, or a constructor that returns something", "4.4.2");
    break;
  }
  case CPTag::MethodHandle:
    checkMethodHandle(I);
    break;
  case CPTag::MethodType:
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
