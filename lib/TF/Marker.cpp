//===- Marker.cpp - The mark of an enhanced class -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/Marker.h"
#include "AnnotationValues.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;

static constexpr StringRef Annotations = "RuntimeVisibleAnnotations";

StringRef tf::levelName(Level L) {
  switch (L) {
  case Level::None:
    return "NONE";
  case Level::Phase1:
    return "PHASE1";
  case Level::Phase2:
    return "PHASE2";
  }
  llvm_unreachable("all are above");
}

Level tf::readLevel(const ClassFile &Class, const Packages &P) {
  Level Found = Level::None;
  std::string Mark = P.annotation("TFEnhanced");
  readAnnotations(Class.Pool, Class.Attributes, /*Invisible=*/false,
                  [&](const AnnotationValues &A) {
                    if (A.Type == Mark)
                      Found = llvm::StringSwitch<Level>(A.text("stage"))
                                  .Case("PHASE1", Level::Phase1)
                                  .Case("PHASE2", Level::Phase2)
                                  .Default(Level::None);
                  });
  return Found;
}

static void appendU2(llvm::SmallVectorImpl<uint8_t> &Out, uint16_t V) {
  Out.push_back(uint8_t(V >> 8));
  Out.push_back(uint8_t(V));
}

llvm::Error tf::writeLevel(ClassFile &Class, const Packages &P, Level L) {
  std::string Mark = "L" + P.annotation("TFEnhanced") + ";";
  const Attribute *Old =
      ClassFile::findAttribute(Class.Pool, Class.Attributes, Annotations);
  llvm::SmallVector<uint8_t, 64> Kept;
  unsigned Number = 0;
  if (Old) {
    ByteCursor C(Old->Data);
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      size_t Start = C.offset();
      bool IsMark = Class.Pool.utf8(C.u2()) == Mark;
      skipElementValues(C);
      if (IsMark || C.failed())
        continue;
      ++Number;
      llvm::append_range(Kept, Old->Data.slice(Start, C.offset() - Start));
    }
    if (C.failed())
      return makeError("its annotations are malformed");
  }
  if (L != Level::None) {
    if (Number == 65535)
      return makeError("it has too many annotations for one more");
    ++Number;
    appendU2(Kept, Class.Pool.addUtf8(Mark));
    appendU2(Kept, 1);
    appendU2(Kept, Class.Pool.addUtf8("stage"));
    Kept.push_back('e');
    appendU2(Kept,
             Class.Pool.addUtf8("L" + P.annotation("TraceEnhanceLevel") + ";"));
    appendU2(Kept, Class.Pool.addUtf8(levelName(L)));
  }
  if (!Number) {
    Class.dropAttribute(Annotations);
    return llvm::Error::success();
  }
  llvm::SmallVector<uint8_t, 64> Payload;
  appendU2(Payload, uint16_t(Number));
  llvm::append_range(Payload, Kept);
  Class.setAttribute(Annotations, Payload);
  return llvm::Error::success();
}
