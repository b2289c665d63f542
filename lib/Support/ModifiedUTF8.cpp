//===- ModifiedUTF8.cpp - The strings of class files ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <cstdint>

using namespace jopt;
using llvm::StringRef;

/// Reads one UTF-16 unit at \p I and advances; -1 and no advance if malformed.
static int nextUnit(StringRef S, size_t &I) {
  auto Byte = [&](size_t At) {
    return At < S.size() ? uint8_t(S[At]) : uint8_t(0);
  };
  uint8_t A = Byte(I);
  if (A >= 1 && A < 0x80) {
    ++I;
    return A;
  }
  if ((A & 0xe0) == 0xc0 && (Byte(I + 1) & 0xc0) == 0x80) {
    int Unit = (A & 0x1f) << 6 | (Byte(I + 1) & 0x3f);
    I += 2;
    return Unit;
  }
  if ((A & 0xf0) == 0xe0 && (Byte(I + 1) & 0xc0) == 0x80 &&
      (Byte(I + 2) & 0xc0) == 0x80) {
    int Unit =
        (A & 0xf) << 12 | (Byte(I + 1) & 0x3f) << 6 | (Byte(I + 2) & 0x3f);
    I += 3;
    return Unit;
  }
  return -1;
}

static void appendUnit(std::string &Out, unsigned Unit) {
  if (Unit >= 1 && Unit < 0x80) {
    Out += char(Unit);
  } else if (Unit < 0x800) {
    Out += char(0xc0 | Unit >> 6);
    Out += char(0x80 | (Unit & 0x3f));
  } else {
    Out += char(0xe0 | Unit >> 12);
    Out += char(0x80 | (Unit >> 6 & 0x3f));
    Out += char(0x80 | (Unit & 0x3f));
  }
}

bool jopt::isValidModifiedUTF8(StringRef S) {
  for (size_t I = 0; I < S.size();)
    if (nextUnit(S, I) < 0)
      return false;
  return true;
}

std::string jopt::escapeModifiedUTF8(StringRef S) {
  std::string Out;
  Out.reserve(S.size());
  auto Hex = [&](unsigned V, unsigned Digits) {
    while (Digits--)
      Out += llvm::hexdigit(V >> (4 * Digits) & 15, /*LowerCase=*/true);
  };
  for (size_t I = 0; I < S.size();) {
    size_t Start = I;
    int Unit = nextUnit(S, I);
    // An over-long form must not print like the short one.
    std::string Canonical;
    if (Unit >= 0)
      appendUnit(Canonical, unsigned(Unit));
    if (Unit < 0 || Canonical != S.slice(Start, I)) {
      Out += "\\x";
      Hex(uint8_t(S[Start]), 2);
      I = Start + 1;
      continue;
    }
    switch (Unit) {
    case '\n':
      Out += "\\n";
      break;
    case '\t':
      Out += "\\t";
      break;
    case '\r':
      Out += "\\r";
      break;
    case '"':
      Out += "\\\"";
      break;
    case '\\':
      Out += "\\\\";
      break;
    default:
      if (Unit >= 0x20 && Unit < 0x7f) {
        Out += char(Unit);
      } else {
        Out += "\\u";
        Hex(unsigned(Unit), 4);
      }
    }
  }
  return Out;
}

std::optional<std::string> jopt::unescapeModifiedUTF8(StringRef S) {
  std::string Out;
  Out.reserve(S.size());
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] != '\\') {
      Out += S[I];
      continue;
    }
    if (++I == S.size())
      return std::nullopt;
    unsigned Value;
    switch (S[I]) {
    case 'n':
      Out += '\n';
      break;
    case 't':
      Out += '\t';
      break;
    case 'r':
      Out += '\r';
      break;
    case '"':
    case '\\':
      Out += S[I];
      break;
    case 'x':
      if (S.size() - I < 3 || S.substr(I + 1, 2).getAsInteger(16, Value))
        return std::nullopt;
      Out += char(Value);
      I += 2;
      break;
    case 'u':
      if (S.size() - I < 5 || S.substr(I + 1, 4).getAsInteger(16, Value))
        return std::nullopt;
      appendUnit(Out, Value);
      I += 4;
      break;
    default:
      return std::nullopt;
    }
  }
  return Out;
}

std::optional<std::string> jopt::toModifiedUTF8(StringRef S) {
  llvm::SmallVector<llvm::UTF16, 128> Units;
  if (!llvm::convertUTF8ToUTF16String(S, Units))
    return std::nullopt;
  std::string Out;
  for (llvm::UTF16 Unit : Units)
    appendUnit(Out, Unit);
  return Out;
}

std::string jopt::toDisplayUTF8(StringRef S) {
  // Nearly every name.
  if (llvm::all_of(S, [](uint8_t C) { return C - 1u < 0x7f; }))
    return S.str();
  std::string Out;
  auto Append = [&](uint32_t Point) {
    char Buffer[4];
    char *End = Buffer;
    if (!llvm::ConvertCodePointToUTF8(Point, End)) {
      Out += "\xef\xbf\xbd"; // U+FFFD
      return;
    }
    Out.append(Buffer, End);
  };
  for (size_t I = 0; I < S.size();) {
    int Unit = nextUnit(S, I);
    if (Unit < 0) {
      Append(0xfffd);
      ++I;
      continue;
    }
    size_t Next = I;
    int Low = Unit >= 0xd800 && Unit < 0xdc00 ? nextUnit(S, Next) : -1;
    if (Low >= 0xdc00 && Low < 0xe000) {
      I = Next;
      Append(0x10000 + ((uint32_t(Unit) - 0xd800) << 10) +
             (uint32_t(Low) - 0xdc00));
    } else {
      Append(uint32_t(Unit));
    }
  }
  return Out;
}

std::string jopt::toDisplayLine(StringRef S) {
  return toUnicodeLine(toDisplayUTF8(S));
}
