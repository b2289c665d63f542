//===- Assignable.cpp - Which types no hierarchy forbids ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignable.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::StringRef;

/// Names of classes ("java/lang/Object") and arrays ("[I", "[Ljava/lang/X;").
static bool namesFit(StringRef From, StringRef To) {
  // One dimension at a time: both must be arrays of what fits.
  while (From.starts_with("[") && To.starts_with("[")) {
    if (From == To)
      return true;
    From = From.drop_front();
    To = To.drop_front();
    bool FromObject = From.starts_with("L") || From.starts_with("[");
    bool ToObject = To.starts_with("L") || To.starts_with("[");
    if (!FromObject || !ToObject)
      return From == To;
    // "Ljava/lang/X;" is "java/lang/X" outside of arrays.
    if (From.consume_front("L"))
      From = From.drop_back();
    if (To.consume_front("L"))
      To = To.drop_back();
  }
  if (From == To || To == "java/lang/Object")
    return true;
  if (To.starts_with("["))
    return false;
  if (From.starts_with("["))
    return To == "java/lang/Cloneable" || To == "java/io/Serializable";
  return true;
}

bool jopt::isAssignable(const TypeTable &Types, Type From, Type To) {
  if (From == To || To.is(Type::Top))
    return true;
  if (!From.isInitialized() || !To.isInitialized() || To.is(Type::Null))
    return false;
  if (From.is(Type::Null))
    return true;
  auto FitsRef = [&](StringRef Name, Type Target) {
    if (Target.is(Type::Ref))
      return namesFit(Name, Types.name(Target));
    // A join is some class above all its parts.
    return llvm::any_of(Types.parts(Target), [&](Type P) {
      return namesFit(Name, Types.name(P)) || namesFit(Types.name(P), Name);
    });
  };
  if (From.is(Type::Ref))
    return FitsRef(Types.name(From), To);
  return llvm::all_of(Types.parts(From),
                      [&](Type P) { return FitsRef(Types.name(P), To); });
}
