//===- TextWriter.cpp - Names and constants in .jir -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextWriter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <array>
#include <cstdlib>
#include <cstring>

using namespace jopt;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
enum CharClass : uint8_t { Word = 1, Descriptor = 2, PlainChar = 4 };

constexpr std::array<uint8_t, 256> charClasses() {
  std::array<uint8_t, 256> T{};
  for (int C = 0x20; C < 0x7f; ++C)
    if (C != '"' && C != '\\')
      T[C] = PlainChar;
  auto Mark = [&](int C) { T[C] |= Word | Descriptor; };
  for (int C = 'a'; C <= 'z'; ++C)
    Mark(C);
  for (int C = 'A'; C <= 'Z'; ++C)
    Mark(C);
  for (int C = '0'; C <= '9'; ++C)
    Mark(C);
  for (char C : {'_', '$', '/', '[', ';', '<', '>', '-'})
    Mark(C);
  T['('] |= Descriptor;
  T[')'] |= Descriptor;
  return T;
}
constexpr auto CharClasses = charClasses();

bool all(StringRef S, uint8_t Class) {
  for (char C : S)
    if (!(CharClasses[uint8_t(C)] & Class))
      return false;
  return true;
}
} // namespace

bool text::isWordChar(char C) { return CharClasses[uint8_t(C)] & Word; }
bool text::isDescriptorChar(char C) {
  return CharClasses[uint8_t(C)] & Descriptor;
}

bool text::isReserved(StringRef S) {
  static const llvm::StringSet<> *Words = [] {
    auto *W = new llvm::StringSet<>;
    for (const char *Set : {"class", "inner", "field", "method", "parameter",
                            "module", "requires", "exports"})
      for (const FlagInfo &F : getFlags(Set))
        W->insert(F.Word);
    for (const char *K :
         {"advice", "any",        "attribute",  "catch", "class",  "code",
          "double", "extends",    "field",      "float", "frame",  "handler",
          "hex",    "high",       "implements", "int",   "join",   "long",
          "method", "none",       "null",       "pool",  "throws", "top",
          "uninit", "uninitThis", "version",    "void",  "with"})
      W->insert(K);
    return W;
  }();
  // The longest is uninitThis or synchronized; most names are longer or have a
  // character that no reserved word has.
  if (S.empty() || S.size() > 12 || S[0] < 'a' || S[0] > 'z' || S.contains('/'))
    return false;
  return Words->contains(S);
}

StringRef text::handleKindName(unsigned Kind) {
  static const char *const Names[] = {"",
                                      "getfield",
                                      "getstatic",
                                      "putfield",
                                      "putstatic",
                                      "invokevirtual",
                                      "invokestatic",
                                      "invokespecial",
                                      "newinvokespecial",
                                      "invokeinterface"};
  return Kind < std::size(Names) ? Names[Kind] : "";
}

void TextWriter::quoted(StringRef S) {
  if (all(S, PlainChar))
    OS << '"' << S << '"';
  else
    OS << '"' << escapeModifiedUTF8(S) << '"';
}

/// A semicolon would start a comment, a digit a number.
static bool startsWord(char C) { return C != ';' && !llvm::isDigit(C); }

void TextWriter::name(StringRef S) {
  if (S.empty() || !startsWord(S[0]) || !all(S, Word) || text::isReserved(S))
    quoted(S);
  else
    OS << S;
}

void TextWriter::dottedName(StringRef S) {
  for (char C : S)
    if (!text::isWordChar(C) && C != '.')
      return quoted(S);
  if (S.empty() || !startsWord(S[0]) || text::isReserved(S))
    quoted(S);
  else
    OS << S;
}

void TextWriter::descriptor(StringRef S) {
  if (S.empty() || S[0] == ';' || !all(S, Descriptor))
    quoted(S);
  else
    OS << S;
}

void TextWriter::hex(Bytes B) {
  OS << '"';
  for (uint8_t V : B)
    OS << llvm::hexdigit(V >> 4, true) << llvm::hexdigit(V & 15, true);
  OS << '"';
}

static float parseNumber(const char *Text, float) {
  return std::strtof(Text, nullptr);
}
static double parseNumber(const char *Text, double) {
  return std::strtod(Text, nullptr);
}

/// The shortest text that is read as \p Value again, with an exponent or
/// without: that of std::to_chars, but for a digit more at some powers of two.
/// It is made here because the tables of that are 120 KB in the agent.
template <typename Number>
static void writeShortest(Number Value, llvm::raw_ostream &OS) {
  char Text[64];
  auto Print = [&](const char *Format, int Digits) {
    std::snprintf(Text, sizeof(Text), Format, Digits, double(Value));
  };
  int Digits = 0; // behind the first
  do
    Print("%.*e", Digits++);
  while (parseNumber(Text, Value) != Value);
  const std::string Scientific = Text;
  const StringRef Exponent = StringRef(Scientific).split('e').second;
  if (Exponent.empty()) { // infinite
    OS << Scientific;
    return;
  }
  // With so many digits the last one is the same.
  const int Ten = std::atoi(Exponent.data());
  if (std::abs(Ten) > 30) {
    OS << Scientific;
    return;
  }
  Print("%.*f", std::max(Digits - 1 - Ten, 0));
  OS << (StringRef(Text).size() <= Scientific.size() ? StringRef(Text)
                                                     : Scientific);
}

void TextWriter::floating(uint32_t Bits) {
  float F;
  std::memcpy(&F, &Bits, sizeof(F));
  if (F != F)
    OS << llvm::format_hex(Bits, 10);
  else
    writeShortest(F, OS);
}

void TextWriter::doubling(uint64_t Bits) {
  double D;
  std::memcpy(&D, &Bits, sizeof(D));
  if (D != D)
    OS << llvm::format_hex(Bits, 18);
  else
    writeShortest(D, OS);
}

//===----------------------------------------------------------------------===//
// Pool entries
//===----------------------------------------------------------------------===//

void TextWriter::nameAndType(unsigned I) {
  const CPEntry &E = Pool[I];
  name(Pool.utf8(E.A));
  OS << ':';
  descriptor(Pool.utf8(E.B));
}

void TextWriter::memberContents(unsigned I) {
  const CPEntry &E = Pool[I];
  name(Pool.className(E.A));
  OS << '.';
  nameAndType(E.B);
}

void TextWriter::contents(unsigned I, bool Keyword) {
  const CPEntry &E = Pool[I];
  switch (E.Tag) {
  case CPTag::None:
    return;
  case CPTag::Utf8:
    return quoted(E.text());
  case CPTag::Integer:
    OS << (Keyword ? "int " : "") << int32_t(E.Bits);
    return;
  case CPTag::Float:
    OS << (Keyword ? "float " : "");
    return floating(uint32_t(E.Bits));
  case CPTag::Long:
    OS << (Keyword ? "long " : "") << int64_t(E.Bits);
    return;
  case CPTag::Double:
    OS << (Keyword ? "double " : "");
    return doubling(E.Bits);
  case CPTag::Class:
    OS << (Keyword ? "class " : "");
    return name(Pool.utf8(E.A));
  case CPTag::String:
    return quoted(Pool.utf8(E.A));
  case CPTag::Fieldref:
  case CPTag::Methodref:
    return memberContents(I);
  case CPTag::InterfaceMethodref:
    OS << (Keyword ? "interface " : "");
    return memberContents(I);
  case CPTag::NameAndType:
    return nameAndType(I);
  case CPTag::MethodHandle:
    OS << (Keyword ? "methodhandle " : "") << text::handleKindName(E.A) << ' ';
    return contents(E.B, E.A == 6 || E.A == 7);
  case CPTag::MethodType:
    OS << (Keyword ? "methodtype " : "");
    return descriptor(Pool.utf8(E.A));
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    OS << (Keyword ? "dynamic " : "") << E.A << ' ';
    return nameAndType(E.B);
  case CPTag::Module:
  case CPTag::Package:
    return dottedName(Pool.utf8(E.A));
  }
}

void TextWriter::entry(unsigned I, uint32_t Tags) {
  if (!I) {
    OS << "none";
    return;
  }
  if (!(Tags >> unsigned(Pool[I].Tag) & 1) || malformed(I)) {
    OS << '#' << I;
    return;
  }
  contents(I, Tags & (Tags - 1));
  suffix(I);
}

void TextWriter::nameEntry(unsigned I) {
  if (Pool.has(I, CPTag::Utf8))
    name(Pool.utf8(I));
  else
    OS << '#' << I;
  if (Pool.has(I, CPTag::Utf8))
    suffix(I);
}

void TextWriter::descriptorEntry(unsigned I) {
  if (!Pool.has(I, CPTag::Utf8)) {
    OS << '#' << I;
    return;
  }
  descriptor(Pool.utf8(I));
  suffix(I);
}

void TextWriter::flags(StringRef Set, unsigned Flags, bool Trailing) {
  const char *Separator = "";
  auto Put = [&](auto &&Word) {
    OS << Separator << Word;
    if (Trailing)
      OS << ' ';
    else
      Separator = " ";
  };
  for (const FlagInfo &F : getFlags(Set)) {
    if (!(Flags & F.Mask) || (F.OfValueClasses && !ValueClasses))
      continue;
    Put(F.Word);
    Flags &= ~unsigned(F.Mask);
  }
  if (Flags)
    Put(llvm::format_hex(Flags, 6));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void TextWriter::list(const layout::Item &I, ByteCursor &C, unsigned Indent,
                      bool TopLevel) {
  unsigned Count = I.Wide ? C.u2() : C.u1();
  bool Braces = I.Fields.size() != 1;
  const layout::Item *Only = Braces ? nullptr : &I.Fields[0];
  // Lists of structures take a line per element, others stay in one.
  bool Lines =
      TopLevel && Count &&
      (Braces || (Only->K == layout::Item::Named && Only->Target->size() != 1));
  OS << '[';
  for (unsigned N = 0; N < Count; ++N) {
    if (N)
      OS << (Lines ? "," : ", ");
    if (Lines)
      OS.indent(0) << '\n', OS.indent(Indent + 2);
    if (Braces) {
      OS << '{';
      fields(I.Fields, C, Indent + 2, false);
      OS << '}';
    } else {
      item(*Only, C, Indent + 2, false);
    }
  }
  if (Lines)
    OS << '\n', OS.indent(Indent);
  OS << ']';
}

void TextWriter::fields(const layout::Sequence &S, ByteCursor &C,
                        unsigned Indent, bool TopLevel) {
  const char *Separator = "";
  for (const layout::Item &I : S) {
    OS << Separator;
    Separator = " ";
    if (!I.Label.empty())
      OS << I.Label << ' ';
    item(I, C, Indent, TopLevel);
  }
}

void TextWriter::item(const layout::Item &I, ByteCursor &C, unsigned Indent,
                      bool TopLevel) {
  using layout::Item;
  switch (I.K) {
  case Item::U1:
    OS << unsigned(C.u1());
    return;
  case Item::U2:
  case Item::Slot:
  case Item::Handler:
    OS << C.u2();
    return;
  case Item::U4:
    OS << C.u4();
    return;
  case Item::PC:
  case Item::From:
    OS << '@' << C.u2();
    return;
  case Item::Range:
  case Item::Span: {
    unsigned Start = C.u2(), Second = C.u2();
    OS << '@' << Start;
    if (I.K == Item::Range)
      OS << "..@" << Start + Second;
    else
      OS << "..=@" << Second;
    return;
  }
  case Item::Pool:
    entry(C.u2(), I.Tags);
    return;
  case Item::Flags:
    OS << '(';
    flags(I.Param, C.u2(), false);
    OS << ')';
    return;
  case Item::Bytes:
    hex(C.bytes(C.u4()));
    return;
  case Item::Text:
    quoted(jopt::toStringRef(C.bytes(C.remaining())));
    return;
  case Item::Attributes:
    return attributes(I.Place, C, Indent);
  case Item::List:
    return list(I, C, Indent, TopLevel);
  case Item::Named:
    if (I.Target->size() == 1)
      return item(I.Target->front(), C, Indent, TopLevel);
    OS << '{';
    fields(*I.Target, C, Indent, false);
    OS << '}';
    return;
  case Item::Union: {
    unsigned Tag = C.u1();
    const layout::Case &Chosen = I.Cases[I.ByTag[Tag] - 1];
    OS << Chosen.Keyword;
    if (Chosen.Low != Chosen.High)
      OS << ' ' << Tag - Chosen.Low;
    if (!Chosen.Fields.empty())
      OS << ' ';
    fields(Chosen.Fields, C, Indent, false);
    return;
  }
  }
}

void TextWriter::attributes(AttributePlace Place, ByteCursor &C,
                            unsigned Indent) {
  unsigned Count = C.u2();
  OS << '{';
  for (unsigned N = 0; N < Count; ++N) {
    Attribute A;
    A.NameIndex = C.u2();
    A.Data = C.bytes(C.u4());
    if (!N)
      OS << '\n';
    attribute(A, Place, Indent + 2);
  }
  if (Count)
    OS.indent(Indent);
  OS << '}';
}

void TextWriter::attribute(const Attribute &A, AttributePlace Place,
                           unsigned Indent) {
  OS.indent(Indent) << "attribute ";
  nameEntry(A.NameIndex);
  const layout::Sequence *Layout;
  if (A.Data.empty()) {
    OS << '\n';
    return;
  }
  OS << " = ";
  if (layout::fits(A, Place, Pool, Layout)) {
    ByteCursor C(A.Data);
    fields(*Layout, C, Indent, true);
  } else {
    OS << "hex ";
    hex(A.Data);
  }
  OS << '\n';
}
