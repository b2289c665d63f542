//===- Scanner.cpp - Words of .jir text -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scanner.h"
#include "TextWriter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <charconv>
#include <cstring>

using namespace jopt;
using llvm::StringRef;

void Scanner::space() {
  while (P != End) {
    if (*P == ' ' || *P == '\n' || *P == '\t' || *P == '\r') {
      ++P;
    } else if (*P == ';') {
      const void *Newline = std::memchr(P, '\n', size_t(End - P));
      P = Newline ? static_cast<const char *>(Newline) : End;
    } else {
      return;
    }
  }
}

bool Scanner::sameLine() const {
  // Looking for something may have skipped to the next line already.
  for (const char *At = P; At != Begin; --At) {
    if (At[-1] == '\n')
      return false;
    if (At[-1] != ' ' && At[-1] != '\t')
      break;
  }
  const char *At = P;
  while (At != End && (*At == ' ' || *At == '\t'))
    ++At;
  return At != End && *At != '\n' && *At != '\r' && *At != ';';
}

bool Scanner::eat(char C) {
  if (peek() != C || P == End)
    return false;
  ++P;
  return true;
}

bool Scanner::eat(StringRef S) {
  space();
  if (!StringRef(P, size_t(End - P)).starts_with(S))
    return false;
  P += S.size();
  return true;
}

bool Scanner::eatWord(StringRef W) {
  if (peekWord() != W)
    return false;
  P += W.size();
  return true;
}

bool Scanner::expect(char C) {
  if (eat(C))
    return true;
  return fail(llvm::Twine("expected '") + llvm::Twine(C) + "'");
}

bool Scanner::expect(StringRef S) {
  return eat(S) || fail("expected '" + S + "'");
}

bool Scanner::expectWord(StringRef W) {
  return eatWord(W) || fail("expected '" + W + "'");
}

template <typename Pred> StringRef Scanner::run(Pred IsPart) {
  space();
  const char *Start = P;
  while (P != End && IsPart(*P))
    ++P;
  return {Start, size_t(P - Start)};
}

StringRef Scanner::word() { return run(text::isWordChar); }
StringRef Scanner::descriptor() { return run(text::isDescriptorChar); }
StringRef Scanner::dottedWord() {
  return run([](char C) { return text::isWordChar(C) || C == '.'; });
}
StringRef Scanner::identifier() {
  return run([](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; });
}
StringRef Scanner::peekWord() {
  space();
  const char *Start = P;
  StringRef W = word();
  P = Start;
  return W;
}

bool Scanner::string(std::string &Out) {
  space();
  if (P == End || *P != '"')
    return fail("expected a string in quotes");
  const char *Start = ++P;
  while (P != End && *P != '"' && *P != '\n') {
    if (*P == '\\' && P + 1 != End && P[1] != '\n')
      ++P;
    ++P;
  }
  if (P == End || *P != '"')
    return failAt(Start - 1, "string without closing quote");
  StringRef Inner(Start, size_t(P - Start));
  ++P;
  if (!Inner.contains('\\')) {
    Out.assign(Inner.begin(), Inner.end());
    return true;
  }
  std::optional<std::string> S = unescapeModifiedUTF8(Inner);
  if (!S)
    return failAt(Start - 1, "bad escape in string");
  Out = std::move(*S);
  return true;
}

bool Scanner::integer(int64_t &V, int64_t Min, int64_t Max) {
  space();
  const char *Start = P;
  StringRef W = run([](char C) { return llvm::isAlnum(C) || C == '-'; });
  bool Negative = W.consume_front("-");
  unsigned Radix = W.consume_front("0x") ? 16 : 10;
  uint64_t Magnitude;
  if (W.empty() || W.getAsInteger(Radix, Magnitude))
    return failAt(Start, "expected a number");
  constexpr uint64_t Limit = uint64_t(1) << 63;
  if (Magnitude > Limit || (Magnitude == Limit && !Negative))
    return failAt(Start, "number out of range");
  V = int64_t(Negative ? 0 - Magnitude : Magnitude);
  if (V < Min || V > Max)
    return failAt(Start, "number out of range: expected " + llvm::Twine(Min) +
                             " to " + llvm::Twine(Max));
  return true;
}

bool Scanner::unsignedInteger(unsigned &V, unsigned Max) {
  int64_t Wide;
  if (!integer(Wide, 0, Max))
    return false;
  V = unsigned(Wide);
  return true;
}

template <typename Number, typename Bits>
bool Scanner::floatingNumber(Bits &B) {
  space();
  const char *Start = P;
  StringRef W = run([](char C) {
    return llvm::isAlnum(C) || C == '-' || C == '+' || C == '.';
  });
  StringRef Digits = W;
  if (Digits.consume_front("0x")) {
    if (Digits.empty() || Digits.getAsInteger(16, B))
      return failAt(Start, "expected the bits of a floating-point number");
    return true;
  }
  Number N;
  auto R = std::from_chars(W.begin(), W.end(), N);
  if (R.ec != std::errc() || R.ptr != W.end())
    return failAt(Start, "expected a floating-point number");
  std::memcpy(&B, &N, sizeof(B));
  return true;
}

bool Scanner::float32(uint32_t &Bits) { return floatingNumber<float>(Bits); }
bool Scanner::float64(uint64_t &Bits) { return floatingNumber<double>(Bits); }

bool Scanner::failAt(const char *At, const llvm::Twine &Message) {
  if (HasError)
    return false;
  HasError = true;
  ErrorAt = At;
  ErrorText = Message.str();
  return false;
}

bool Scanner::number(uint64_t &Bits, CPTag Tag) {
  int64_t V;
  uint32_t Half;
  switch (Tag) {
  case CPTag::Integer:
    if (!integer(V, INT32_MIN, INT32_MAX))
      return false;
    Bits = uint32_t(V);
    return true;
  case CPTag::Long:
    if (!integer(V, INT64_MIN, INT64_MAX))
      return false;
    Bits = uint64_t(V);
    return true;
  case CPTag::Float:
    if (!float32(Half))
      return false;
    Bits = Half;
    return true;
  default:
    return float64(Bits);
  }
}

llvm::Error Scanner::takeError() {
  if (!HasError)
    return llvm::Error::success();
  unsigned Line = FirstLine + unsigned(std::count(Begin, ErrorAt, '\n'));
  const char *LineStart = ErrorAt;
  while (LineStart != Begin && LineStart[-1] != '\n')
    --LineStart;
  return makeError(Location(File, Line, unsigned(ErrorAt - LineStart) + 1),
                   ErrorText);
}
