//===- Names.cpp - Names and descriptors (4.2, 4.3) -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "jopt/Bytecode/Descriptor.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;

bool verify::isLegalUtf8(StringRef S, unsigned Major) {
  bool Shortest = Major >= 48;
  for (size_t I = 0, E = S.size(); I < E;) {
    uint8_t A = uint8_t(S[I]);
    auto Tail = [&](size_t N) {
      return I + N < E && (uint8_t(S[I + N]) & 0xc0) == 0x80;
    };
    if (A == 0)
      return false;
    if (A < 0x80) {
      ++I;
    } else if ((A & 0xe0) == 0xc0) {
      if (!Tail(1))
        return false;
      unsigned Unit = (A & 0x1fu) << 6 | (uint8_t(S[I + 1]) & 0x3fu);
      if (Shortest && Unit != 0 && Unit < 0x80)
        return false;
      I += 2;
    } else if ((A & 0xf0) == 0xe0) {
      if (!Tail(1) || !Tail(2))
        return false;
      unsigned Unit = (A & 0xfu) << 12 | (uint8_t(S[I + 1]) & 0x3fu) << 6 |
                      (uint8_t(S[I + 2]) & 0x3fu);
      if (Shortest && Unit < 0x800)
        return false;
      I += 3;
    } else {
      return false;
    }
  }
  return true;
}

namespace {
enum class NameUse { Class, Field, Method };
} // namespace

/// 4.2.2, for version 49 and above.
static bool isUnqualifiedName(StringRef S, NameUse Use) {
  if (S.empty())
    return false;
  for (size_t I = 0, E = S.size(); I < E; ++I) {
    switch (S[I]) {
    case '.':
    case ';':
    case '[':
      return false;
    case '/':
      if (Use != NameUse::Class || I == 0 || I + 1 == E || S[I + 1] == '/')
        return false;
      break;
    case '<':
    case '>':
      if (Use == NameUse::Method)
        return false;
      break;
    default:
      break;
    }
  }
  return true;
}

/// The length of the Java identifier that \p S starts with, or with \p Slash of
/// identifiers joined by slashes; 0 if there is none. Letters beyond ASCII are
/// taken as they come. HotSpot lets an identifier after a slash start with a
/// digit, and something else than the end of the text follow a slash.
static size_t identifierLength(StringRef S, bool Slash) {
  bool Started = false, AfterSlash = false;
  for (size_t I = 0, E = S.size(); I < E; ++I) {
    char C = S[I];
    if (llvm::isAlpha(C) || C == '_' || C == '$' || (C & 0x80) ||
        (Started && llvm::isDigit(C))) {
      Started = true;
      AfterSlash = false;
    } else if (Slash && C == '/' && !AfterSlash) {
      AfterSlash = true;
    } else {
      return Started && !(Slash && C == '/') ? I : 0;
    }
  }
  return Started && !AfterSlash ? S.size() : 0;
}

/// The length of the field descriptor at the start of \p S; 0 if none.
static size_t descriptorLength(StringRef S, unsigned Major) {
  size_t Dims = 0;
  while (Dims < S.size() && S[Dims] == '[')
    ++Dims;
  if (Dims == S.size() || Dims > 255)
    return 0;
  if (S[Dims] != 'L')
    return fieldDescriptorLength(S);
  StringRef Rest = S.drop_front(Dims + 1);
  size_t Length =
      Major < 49 ? identifierLength(Rest, /*Slash=*/true) : Rest.find(';');
  if (Length == StringRef::npos || Length >= Rest.size() ||
      Rest[Length] != ';' ||
      (Major >= 49 &&
       !isUnqualifiedName(Rest.take_front(Length), NameUse::Class)) ||
      !Length)
    return 0;
  return Dims + 1 + Length + 1;
}

bool verify::isLegalClassName(StringRef S, unsigned Major) {
  if (S.empty())
    return false;
  if (S[0] == '[')
    return descriptorLength(S, Major) == S.size();
  if (Major < 49)
    return identifierLength(S, /*Slash=*/true) == S.size();
  return isUnqualifiedName(S, NameUse::Class);
}

bool verify::isLegalFieldName(StringRef S, unsigned Major) {
  if (Major < 49)
    return !S.empty() && identifierLength(S, /*Slash=*/false) == S.size();
  return isUnqualifiedName(S, NameUse::Field);
}

bool verify::isLegalMethodName(StringRef S, unsigned Major) {
  if (S.starts_with("<"))
    return S == "<init>" || S == "<clinit>";
  if (Major < 49)
    return !S.empty() && identifierLength(S, /*Slash=*/false) == S.size();
  return isUnqualifiedName(S, NameUse::Method);
}

bool verify::isLegalFieldDescriptor(StringRef S, unsigned Major) {
  return !S.empty() && descriptorLength(S, Major) == S.size();
}

bool verify::isLegalMethodDescriptor(StringRef Name, StringRef S,
                                     unsigned Major) {
  if (!S.consume_front("("))
    return false;
  bool HasParameters = false;
  while (!S.consume_front(")")) {
    size_t Length = descriptorLength(S, Major);
    if (!Length)
      return false;
    S = S.drop_front(Length);
    HasParameters = true;
  }
  if (Name.starts_with("<") &&
      (S != "V" || (Name == "<clinit>" && Major >= 51 && HasParameters)))
    return false;
  return S == "V" || isLegalFieldDescriptor(S, Major);
}
