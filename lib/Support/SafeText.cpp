//===- SafeText.cpp - Text of programs in outputs for people --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace jopt;
using llvm::StringRef;

namespace {
/// One character, or a byte that begins none.
struct Character {
  size_t Size = 1;
  llvm::UTF32 Code = 0;
  bool IsValid = false;
};
} // namespace

static Character firstOf(StringRef Text) {
  const auto *Start = reinterpret_cast<const llvm::UTF8 *>(Text.data());
  Character C;
  const size_t Size = llvm::getNumBytesForUTF8(*Start);
  if (Size > Text.size() || !llvm::isLegalUTF8Sequence(Start, Start + Size))
    return C;
  C.Size = Size;
  C.IsValid =
      llvm::convertUTF8Sequence(&Start, Start + Size, &C.Code,
                                llvm::strictConversion) == llvm::conversionOK;
  return C;
}

/// It does something else than to appear.
static bool isActive(llvm::UTF32 C) {
  struct Range {
    llvm::UTF32 First, Last;
  };
  static constexpr Range Active[] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
      {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfff9, 0xfffb}};
  return llvm::any_of(
      Active, [C](const Range &R) { return R.First <= C && C <= R.Last; });
}

static void appendHex(std::string &To, char Mark, llvm::UTF32 Code,
                      unsigned Digits) {
  (To += '\\') += Mark;
  while (Digits--)
    To += llvm::hexdigit(Code >> (4 * Digits) & 15, /*LowerCase=*/true);
}

namespace {
/// How characters are spelled that do not stay.
enum class Spelling { Short, Unicode };
} // namespace

static void appendEscaped(std::string &To, const Character &C, char Byte,
                          Spelling How) {
  const llvm::UTF32 Code = C.IsValid ? C.Code : uint8_t(Byte);
  if (How == Spelling::Unicode || (C.IsValid && Code >= 0x7f))
    appendHex(To, 'u', Code, 4);
  else if (Byte == '\n')
    To += "\\n";
  else if (Byte == '\t')
    To += "\\t";
  else
    appendHex(To, 'x', Code, 2);
}

static std::string toSafe(StringRef Text, StringRef Kept, Spelling How) {
  std::string Safe;
  Safe.reserve(Text.size());
  while (!Text.empty()) {
    const char Byte = Text.front();
    if ((Byte >= 0x20 && Byte < 0x7f) || Kept.contains(Byte)) {
      Safe += Byte;
      Text = Text.drop_front();
      continue;
    }
    const Character C = firstOf(Text);
    if (C.IsValid && !isActive(C.Code))
      Safe += Text.take_front(C.Size);
    else
      appendEscaped(Safe, C, Byte, How);
    Text = Text.drop_front(C.Size);
  }
  return Safe;
}

std::string jopt::toSafeLine(StringRef Text) {
  return toSafe(Text, "", Spelling::Short);
}

std::string jopt::toUnicodeLine(StringRef Text) {
  return toSafe(Text, "", Spelling::Unicode);
}

std::string jopt::toSafeLines(StringRef Text) {
  return toSafe(Text, "\n\t", Spelling::Short);
}

llvm::raw_ostream &jopt::safeOuts() {
  static SafeStream OS(llvm::outs());
  return OS;
}

llvm::raw_ostream &jopt::safeErrs() {
  static SafeStream OS(llvm::errs());
  return OS;
}

std::string jopt::toXMLText(StringRef Text) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  while (!Text.empty()) {
    const Character C = firstOf(Text);
    const char Byte = Text.front();
    const StringRef Whole = Text.take_front(C.Size);
    Text = Text.drop_front(C.Size);
    switch (Byte) {
    case '<':
      OS << "&lt;";
      break;
    case '>':
      OS << "&gt;";
      break;
    case '&':
      OS << "&amp;";
      break;
    case '"':
      OS << "&quot;";
      break;
    // A reader makes blanks of those that stand as they are.
    case '\t':
    case '\n':
    case '\r':
      OS << "&#" << unsigned(Byte) << ';';
      break;
    default:
      if (!C.IsValid || C.Code < 0x20 || (C.Code & 0xfffe) == 0xfffe)
        OS << '?';
      else
        OS << Whole;
    }
  }
  return OS.str();
}

static bool isNumber(StringRef Text) {
  double Value;
  return Text.find_first_not_of("0123456789+-.eE") == StringRef::npos &&
         !Text.getAsDouble(Value);
}

std::string jopt::toCSVCell(StringRef Text) {
  const bool IsFormula = !Text.empty() &&
                         StringRef("=+-@\t\r").contains(Text.front()) &&
                         !isNumber(Text);
  const bool IsQuoted = Text.find_first_of(",\"\r\n") != StringRef::npos;
  std::string Cell;
  if (IsQuoted)
    Cell += '"';
  if (IsFormula)
    Cell += '\'';
  for (char C : Text)
    Cell.append(C == '"' ? 2 : 1, C);
  if (IsQuoted)
    Cell += '"';
  return Cell;
}

/// How many bytes at the end of \p Text begin a character and lack its rest.
static size_t incomplete(StringRef Text) {
  constexpr size_t Longest = 4;
  for (size_t N = 1; N <= std::min(Longest - 1, Text.size()); ++N) {
    const auto Byte = uint8_t(Text[Text.size() - N]);
    if ((Byte & 0xc0) == 0x80)
      continue;
    return Byte >= 0xc0 && llvm::getNumBytesForUTF8(Byte) > N ? N : 0;
  }
  return 0;
}

void SafeStream::write_impl(const char *Text, size_t Size) {
  Begun.append(Text, Size);
  const size_t Whole = Begun.size() - incomplete(Begun);
  To << toSafeLines(StringRef(Begun).take_front(Whole));
  Begun.erase(0, Whole);
}

SafeStream::~SafeStream() { To << toSafeLines(Begun); }
