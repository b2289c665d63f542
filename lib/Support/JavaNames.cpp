//===- JavaNames.cpp - Identifiers of Java --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

bool jopt::isJavaIdentifier(StringRef Name) {
  return !Name.empty() && !llvm::isDigit(Name.front()) &&
         llvm::all_of(Name, [](char C) {
           return uint8_t(C) >= 0x80 || llvm::isAlnum(C) || C == '_' ||
                  C == '$';
         });
}

bool jopt::isQualifiedName(StringRef Name) {
  llvm::SmallVector<StringRef> Parts;
  Name.split(Parts, '.');
  return llvm::all_of(Parts, isJavaIdentifier);
}

bool jopt::isJavaKeyword(StringRef Name) {
  static constexpr StringRef Words[] = {
      "_",          "abstract",  "assert",     "boolean",   "break",
      "byte",       "case",      "catch",      "char",      "class",
      "const",      "continue",  "default",    "do",        "double",
      "else",       "enum",      "extends",    "false",     "final",
      "finally",    "float",     "for",        "goto",      "if",
      "implements", "import",    "instanceof", "int",       "interface",
      "long",       "native",    "new",        "null",      "package",
      "private",    "protected", "public",     "return",    "short",
      "static",     "strictfp",  "super",      "switch",    "synchronized",
      "this",       "throw",     "throws",     "transient", "true",
      "try",        "void",      "volatile",   "while"};
  return llvm::is_contained(Words, Name);
}

static constexpr std::pair<StringRef, char> Primitives[] = {
    {"boolean", 'Z'}, {"byte", 'B'}, {"char", 'C'},  {"short", 'S'},
    {"int", 'I'},     {"long", 'J'}, {"float", 'F'}, {"double", 'D'}};

bool jopt::isPrimitiveType(StringRef Name) {
  return llvm::any_of(Primitives, [&](auto &P) { return P.first == Name; });
}

std::string jopt::guessDescriptor(StringRef JavaType) {
  std::string D;
  while (JavaType.consume_back("[]"))
    D += '[';
  for (auto [Name, Code] : Primitives)
    if (Name == JavaType)
      return D + Code;
  D += 'L';
  D += JavaType;
  std::replace(D.begin(), D.end(), '.', '/');
  return D + ';';
}

std::string jopt::javaTypeName(StringRef Descriptor) {
  StringRef Element = Descriptor.ltrim('[');
  std::string Name;
  for (auto [Primitive, Code] : Primitives)
    if (Element.size() == 1 && Element[0] == Code)
      Name = Primitive.str();
  if (Name.empty()) {
    Name = Element.drop_front().drop_back().str();
    std::replace(Name.begin(), Name.end(), '/', '.');
  }
  for (size_t N = Descriptor.size() - Element.size(); N; --N)
    Name += "[]";
  return Name;
}
