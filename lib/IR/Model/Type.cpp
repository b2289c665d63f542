//===- Type.cpp - Types of values and slots -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/Type.h"
#include "jopt/Bytecode/Descriptor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using llvm::StringRef;

Type TypeTable::ref(StringRef Name) {
  llvm::CachedHashStringRef Key(Name, uint32_t(llvm::xxh3_64bits(Name)));
  auto It = Ids.find(Key);
  if (It != Ids.end())
    return Type(Type::Ref, It->second);
  // The key must not point into memory that the caller owns.
  StringRef Saved = Name.copy(Alloc);
  uint32_t Id = uint32_t(Names.size());
  Ids.try_emplace(llvm::CachedHashStringRef(Saved, Key.hash()), Id);
  Names.push_back(Saved);
  return Type(Type::Ref, Id);
}

Type TypeTable::fromDescriptor(StringRef D) {
  switch (D.empty() ? 'V' : D[0]) {
  case 'V':
    return Type::Void;
  case 'J':
    return Type::Long;
  case 'D':
    return Type::Double;
  case 'F':
    return Type::Float;
  case 'L':
    return ref(D.drop_front().drop_back());
  case '[':
    return ref(D);
  default:
    return Type::Int;
  }
}

Type TypeTable::elementType(Type Array) {
  return fromDescriptor(name(Array).drop_front());
}

Type TypeTable::merge(Type A, Type B) {
  if (A == B)
    return A;
  if (!A.isInitialized() || !B.isInitialized())
    return Type::Top;
  if (A.is(Type::Null))
    return B;
  if (B.is(Type::Null))
    return A;
  llvm::SmallVector<Type, 8> All;
  for (Type T : {A, B}) {
    if (T.is(Type::Join))
      All.append(parts(T).begin(), parts(T).end());
    else
      All.push_back(T);
  }
  return join(All);
}

Type TypeTable::join(llvm::ArrayRef<Type> Refs) {
  std::vector<Type> All = Refs.vec();
  llvm::sort(All, [&](Type X, Type Y) { return name(X) < name(Y); });
  All.erase(llvm::unique(All), All.end());
  if (All.size() == 1)
    return All[0];
  std::vector<uint32_t> Key;
  for (Type T : All) {
    if (name(T) == "java/lang/Object")
      return T;
    Key.push_back(T.payload());
  }
  auto [It, New] = JoinIds.try_emplace(std::move(Key), uint32_t(Joins.size()));
  if (New)
    Joins.push_back(std::move(All));
  return Type(Type::Join, It->second);
}

std::string TypeTable::toString(Type T) const {
  switch (T.kind()) {
  case Type::Top:
    return "top";
  case Type::Int:
    return "int";
  case Type::Float:
    return "float";
  case Type::Long:
    return "long";
  case Type::Double:
    return "double";
  case Type::Null:
    return "null";
  case Type::UninitThis:
    return "uninitThis";
  case Type::Ref:
    return name(T).str();
  case Type::Uninit:
    return "uninit(" + std::to_string(T.payload()) + ")";
  case Type::Join: {
    std::string S = "join(";
    for (Type P : parts(T)) {
      if (S.back() != '(')
        S += ", ";
      S += name(P).str();
    }
    return S + ")";
  }
  case Type::RetAddr:
    return "retaddr(" + std::to_string(T.payload()) + ")";
  case Type::Void:
    return "void";
  case Type::High:
    return "high";
  }
  return "?";
}
