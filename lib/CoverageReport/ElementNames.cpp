//===- ElementNames.cpp - What reports call classes and methods -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementNames.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Support/JavaNames.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

std::string coverage::dottedName(StringRef Internal) {
  std::string Text = toDisplayUTF8(Internal);
  for (char &C : Text)
    if (C == '/' || C == '$')
      C = '.';
  return Text;
}

std::string coverage::packageName(StringRef Internal) {
  std::string Text = Internal.empty() ? "default" : toDisplayUTF8(Internal);
  std::replace(Text.begin(), Text.end(), '/', '.');
  return Text;
}

std::string coverage::nameInPackage(StringRef Internal) {
  return dottedName(Internal.substr(Internal.rfind('/') + 1));
}

/// Whether the part behind the last `$` is no name.
static bool isAnonymousClass(StringRef Class) {
  const StringRef Own = Class.substr(Class.rfind('$') + 1);
  return Class.contains('$') && !Own.empty() && llvm::isDigit(Own.front());
}

std::string coverage::shortClassName(const ClassCounters &C) {
  const StringRef Name = C.Name;
  if (isAnonymousClass(Name) && !C.SuperType.empty())
    return nameInPackage(Name.take_front(Name.rfind('$'))) + ".new " +
           nameInPackage(C.SuperType) + "() {...}";
  return nameInPackage(Name);
}

std::string coverage::methodSignature(StringRef Class, const MethodCounters &M,
                                      bool IsShort) {
  if (M.Name == "<clinit>")
    return "static {...}";
  if (M.Name == "<init>" && isAnonymousClass(Class))
    return "{...}";
  std::string Text =
      M.Name == "<init>" ? nameInPackage(Class) : toDisplayUTF8(M.Name);
  Text += '(';
  MethodDescriptor D(M.Descriptor);
  StringRef Comma;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    const std::string Type = javaTypeName(P);
    Text += Comma;
    Text += dottedName(
        IsShort ? StringRef(Type).substr(StringRef(Type).rfind('.') + 1)
                : Type);
    Comma = ", ";
  }
  return Text + ')';
}

std::string coverage::sourceName(const PackageCounters &P,
                                 const SourceCounters &S) {
  return toDisplayUTF8(P.Name.empty() ? S.Name : P.Name + "/" + S.Name);
}
