//===- Program.cpp - What TF knows of a program ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/Program.h"

using namespace jopt;
using llvm::StringRef;

/// How many bytes follow the tag of a pool entry that is no Utf8; 0 if there is
/// no such tag.
static unsigned entrySize(uint8_t Tag) {
  switch (CPTag(Tag)) {
  case CPTag::Class:
  case CPTag::String:
  case CPTag::MethodType:
  case CPTag::Module:
  case CPTag::Package:
    return 2;
  case CPTag::MethodHandle:
    return 3;
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
  case CPTag::NameAndType:
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    return 4;
  case CPTag::Long:
  case CPTag::Double:
    return 8;
  case CPTag::None:
  case CPTag::Utf8:
    break;
  }
  return 0;
}

/// Calls \p Visit with the text of each Utf8 until it says false. False if the
/// pool cannot be read.
template <typename Fn> static bool forEachText(Bytes ClassFile, Fn &&Visit) {
  ByteCursor R(ClassFile);
  if (R.u4() != 0xcafebabe)
    return false;
  R.u4();
  unsigned Count = R.u2();
  for (unsigned I = 1; I < Count; ++I) {
    uint8_t Tag = R.u1();
    if (CPTag(Tag) == CPTag::Utf8) {
      StringRef Text = toStringRef(R.bytes(R.u2()));
      if (!R.failed() && !Visit(Text))
        return true;
      continue;
    }
    unsigned Size = entrySize(Tag);
    if (!Size || R.failed())
      return false;
    R.skip(Size);
    I += Size == 8; // takes two indices
  }
  return !R.failed();
}

tf::PoolFacts tf::lookAtPool(Bytes ClassFile) {
  PoolFacts F{false, false, false, false};
  bool Readable = forEachText(ClassFile, [&](StringRef Text) {
    F.Group |= Text.ends_with("/MethodMonitorGroup;");
    F.Info |= Text.ends_with("/InfoMethod;");
    F.Annotated |= Text == "RuntimeVisibleAnnotations";
    F.Nested |= Text == "NestHost" || Text == "NestMembers";
    return true;
  });
  return Readable ? F : PoolFacts();
}

bool tf::mayUseTF(Bytes ClassFile, const Program &P) {
  std::string Info = P.Library.annotation("InfoMethod");
  bool Uses = false;
  bool Readable = forEachText(ClassFile, [&](StringRef Text) {
    Uses = Text.consume_front("L") && Text.consume_back(";") &&
           (Text == Info || P.Annotations.contains(Text));
    return !Uses;
  });
  return Uses || !Readable;
}
