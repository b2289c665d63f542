//===- Program.cpp - What TF knows of a program ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/Program.h"

using namespace jopt;
using llvm::StringRef;

/// Calls \p Visit with the text of each Utf8 until it says false. False if the
/// pool cannot be read.
template <typename Fn> static bool forEachText(Bytes ClassFile, Fn &&Visit) {
  ByteCursor R(ClassFile);
  if (R.u4() != 0xcafebabe)
    return false;
  R.u4();
  unsigned Count = R.u2();
  for (unsigned I = 1; I < Count; ++I) {
    CPTag Tag = CPTag(R.u1());
    if (Tag == CPTag::Utf8) {
      StringRef Text = toStringRef(R.bytes(R.u2()));
      if (!R.failed() && !Visit(Text))
        return true;
      continue;
    }
    unsigned Size = getPoolTagInfo(Tag).Size;
    if (!Size || R.failed())
      return false;
    R.skip(Size);
    I += isWide(Tag);
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
