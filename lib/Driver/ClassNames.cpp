//===- ClassNames.cpp - Classes that a class names ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassNames.h"
#include <algorithm>

using namespace jopt;
using llvm::StringRef;

static bool isPart(char C) {
  return llvm::isAlnum(C) || StringRef("/.$_-").contains(C) ||
         static_cast<unsigned char>(C) >= 0x80;
}

std::vector<std::string> jopt::namesIn(const ClassFile &F) {
  llvm::StringSet<> Found;
  for (const CPEntry &E : F.Pool.entries()) {
    if (E.Tag != CPTag::Utf8)
      continue;
    for (StringRef Rest = E.text(); !Rest.empty();) {
      StringRef Name = Rest.take_while(isPart);
      Rest = Rest.drop_front(std::max<size_t>(Name.size(), 1));
      if (Name.empty())
        continue;
      std::string Internal = Name.str();
      std::replace(Internal.begin(), Internal.end(), '.', '/');
      // In a descriptor primitive types and an L may stand before it: one
      // of the endings is the name.
      for (size_t L = 0; (L = Internal.find('L', L)) != std::string::npos;)
        Found.insert(StringRef(Internal).drop_front(++L));
      Found.insert(Internal);
    }
  }
  std::vector<std::string> Names;
  for (const auto &Name : Found)
    Names.push_back(Name.first().str());
  return Names;
}

llvm::StringSet<> jopt::reachableClasses(const NamedClasses &Classes,
                                         std::vector<std::string> Roots) {
  llvm::StringSet<> Reached;
  while (!Roots.empty()) {
    auto At = Classes.find(Roots.back());
    Roots.pop_back();
    if (At != Classes.end() && Reached.insert(At->first()).second)
      Roots.insert(Roots.end(), At->second.begin(), At->second.end());
  }
  return Reached;
}
