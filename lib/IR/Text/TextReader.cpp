//===- TextReader.cpp - Names and constants from .jir ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextReader.h"
#include "TextWriter.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

bool TextReader::wordOrString(std::string &Out, StringRef Word) {
  if (!Word.empty()) {
    Out.assign(Word.begin(), Word.end());
    return true;
  }
  if (S.peek() != '"')
    return S.fail("expected a name");
  return S.string(Out);
}

bool TextReader::index(uint16_t &Index) {
  unsigned N;
  if (!S.expect('#') || !S.unsignedInteger(N, 65535))
    return false;
  Index = uint16_t(N);
  return true;
}

/// After contents that stand for entry \p Index: the entry that is meant, if
/// it is another one, or an error if the pool is full.
bool TextReader::suffix(uint16_t &Index, const char *Start) {
  if (!Index)
    return S.failAt(Start, "the constant pool is full or a string too long");
  if (S.peekHere() != '#')
    return true;
  uint16_t Meant;
  if (!index(Meant))
    return false;
  if (Symbols.canonical(Meant) != Index)
    return S.failAt(Start, "entry #" + llvm::Twine(Meant) +
                               " of the pool is something else");
  Index = Meant;
  return true;
}

bool TextReader::memberContents(uint16_t &Index, CPTag Tag) {
  std::string Owner, Name, Descriptor;
  if (!name(Owner) || !S.expect('.') || !name(Name) || !S.expect(':') ||
      !descriptor(Descriptor))
    return false;
  Index = Symbols.member(Tag, Owner, Name, Descriptor);
  return true;
}

bool TextReader::handleContents(uint16_t &Index) {
  const char *Start = S.position();
  StringRef Kind = S.word();
  for (uint16_t K = 1; K < 10; ++K) {
    if (text::handleKindName(K) != Kind)
      continue;
    uint32_t Tags = handleTags(K);
    CPTag Tag = Tags & tagBit(CPTag::Fieldref)    ? CPTag::Fieldref
                : Tags & tagBit(CPTag::Methodref) ? CPTag::Methodref
                                                  : CPTag::InterfaceMethodref;
    if ((K == 6 || K == 7) && S.eatWord("interface"))
      Tag = CPTag::InterfaceMethodref;
    uint16_t Reference;
    if (!memberContents(Reference, Tag))
      return false;
    Index = Symbols.handle(K, Reference);
    return true;
  }
  return S.failAt(Start, "expected the kind of a method handle");
}

bool TextReader::number(uint16_t &Index, CPTag Tag, uint64_t Bits) {
  const char *Start = S.position();
  Index = Symbols.number(Tag, Bits);
  return suffix(Index, Start);
}

bool TextReader::contents(uint16_t &Index, CPTag Tag) {
  std::string Name, Descriptor;
  switch (Tag) {
  case CPTag::None:
    return S.fail("expected a constant");
  case CPTag::Utf8:
    if (!S.string(Name))
      return false;
    Index = Symbols.utf8(Name);
    return true;
  case CPTag::String:
    if (!S.string(Name))
      return false;
    Index = Symbols.named(Tag, Name);
    return true;
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::Long:
  case CPTag::Double: {
    uint64_t Bits;
    if (!S.number(Bits, Tag))
      return false;
    Index = Symbols.number(Tag, Bits);
    return true;
  }
  case CPTag::Class:
    if (!name(Name))
      return false;
    Index = Symbols.named(Tag, Name);
    return true;
  case CPTag::Module:
  case CPTag::Package:
    if (!dottedName(Name))
      return false;
    Index = Symbols.named(Tag, Name);
    return true;
  case CPTag::MethodType:
    if (!descriptor(Name))
      return false;
    Index = Symbols.named(Tag, Name);
    return true;
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
    return memberContents(Index, Tag);
  case CPTag::NameAndType:
    if (!name(Name) || !S.expect(':') || !descriptor(Descriptor))
      return false;
    Index = Symbols.nameAndType(Name, Descriptor);
    return true;
  case CPTag::MethodHandle:
    return handleContents(Index);
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic: {
    unsigned Bootstrap;
    if (!S.unsignedInteger(Bootstrap, 65535) || !name(Name) || !S.expect(':') ||
        !descriptor(Descriptor))
      return false;
    Index = Symbols.dynamic(Tag, uint16_t(Bootstrap), Name, Descriptor);
    return true;
  }
  }
  return false;
}

/// The kind of the constant that follows, if it may be of several kinds.
bool TextReader::keyword(CPTag &Tag, uint32_t Tags) {
  static constexpr std::pair<const char *, CPTag> Keywords[] = {
      {"int", CPTag::Integer},
      {"float", CPTag::Float},
      {"long", CPTag::Long},
      {"double", CPTag::Double},
      {"class", CPTag::Class},
      {"interface", CPTag::InterfaceMethodref},
      {"methodhandle", CPTag::MethodHandle},
      {"methodtype", CPTag::MethodType},
      {"dynamic", CPTag::Dynamic}};
  if (S.peek() == '"' && Tags & tagBit(CPTag::String)) {
    Tag = CPTag::String;
    return true;
  }
  StringRef W = S.peekWord();
  for (auto [Word, T] : Keywords) {
    if (W != Word || !(Tags & tagBit(T)))
      continue;
    Tag = T;
    return S.eatWord(W);
  }
  if (Tags & tagBit(CPTag::Methodref)) {
    Tag = CPTag::Methodref;
    return true;
  }
  return S.fail("expected a constant");
}

bool TextReader::entry(uint16_t &Index, uint32_t Tags) {
  if (S.peek() == '#')
    return index(Index);
  if (S.eatWord("none")) {
    Index = 0;
    return true;
  }
  const char *Start = S.position();
  CPTag Tag = CPTag::None;
  if (Tags & (Tags - 1)) {
    if (!keyword(Tag, Tags))
      return false;
  } else {
    while (Tags != tagBit(Tag))
      Tag = CPTag(unsigned(Tag) + 1);
  }
  return contents(Index, Tag) && suffix(Index, Start);
}

bool TextReader::nameEntry(uint16_t &Index) {
  if (S.peek() == '#')
    return index(Index);
  const char *Start = S.position();
  std::string Name;
  if (!name(Name))
    return false;
  Index = Symbols.utf8(Name);
  return suffix(Index, Start);
}

bool TextReader::descriptorEntry(uint16_t &Index) {
  if (S.peek() == '#')
    return index(Index);
  const char *Start = S.position();
  std::string Text;
  if (!descriptor(Text))
    return false;
  Index = Symbols.utf8(Text);
  return suffix(Index, Start);
}

bool TextReader::flags(StringRef Set, uint16_t &Flags) {
  Flags = 0;
  llvm::ArrayRef<FlagInfo> Known = getFlags(Set);
  for (;;) {
    StringRef W = S.peekWord();
    if (W.starts_with("0x")) {
      unsigned Bits;
      if (!S.unsignedInteger(Bits, 65535))
        return false;
      Flags |= uint16_t(Bits);
      continue;
    }
    const FlagInfo *F =
        llvm::find_if(Known, [&](const FlagInfo &F) { return W == F.Word; });
    if (F == Known.end())
      return true;
    Flags |= F->Mask;
    S.eatWord(W);
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool TextReader::hex(ByteWriter &W) {
  if (S.peek() != '"')
    return S.fail("expected bytes in hexadecimal, in quotes");
  const char *Start = S.position();
  std::string Digits;
  if (!S.string(Digits))
    return false;
  if (Digits.size() % 2)
    return S.failAt(Start, "odd number of hexadecimal digits");
  for (size_t I = 0; I < Digits.size(); I += 2) {
    unsigned High = llvm::hexDigitValue(Digits[I]);
    unsigned Low = llvm::hexDigitValue(Digits[I + 1]);
    if (High > 15 || Low > 15)
      return S.failAt(Start, "bad hexadecimal digit");
    W.u1(uint8_t(High << 4 | Low));
  }
  return true;
}

bool TextReader::list(const layout::Item &I, ByteWriter &W, unsigned Depth) {
  const char *Start = S.position();
  size_t CountAt = W.size();
  if (I.Wide)
    W.u2(0);
  else
    W.u1(0);
  if (!S.expect('['))
    return false;
  unsigned Count = 0;
  unsigned Max = I.Wide ? 65535 : 255;
  bool Braces = I.Fields.size() != 1;
  while (!S.eat(']')) {
    if (Count && !S.expect(','))
      return false;
    if (++Count > Max)
      return S.failAt(Start, "more than " + llvm::Twine(Max) + " elements");
    if (Braces && !S.expect('{'))
      return false;
    if (!fields(I.Fields, W, Depth + 1))
      return false;
    if (Braces && !S.expect('}'))
      return false;
  }
  if (I.Wide)
    W.patchU2(CountAt, uint16_t(Count));
  else
    W.buffer()[CountAt] = uint8_t(Count);
  return true;
}

bool TextReader::unionOf(const layout::Item &I, ByteWriter &W, unsigned Depth) {
  StringRef Keyword = S.peekWord();
  for (const layout::Case &C : I.Cases) {
    if (C.Keyword != Keyword)
      continue;
    S.eatWord(Keyword);
    unsigned Distance = 0;
    if (C.Low != C.High &&
        !S.unsignedInteger(Distance, unsigned(C.High - C.Low)))
      return false;
    W.u1(uint8_t(C.Low + Distance));
    return fields(C.Fields, W, Depth);
  }
  std::string Message = "expected ";
  for (const layout::Case &C : I.Cases) {
    if (&C != &I.Cases.front())
      Message += &C == &I.Cases.back() ? " or " : ", ";
    Message += "'" + C.Keyword.str() + "'";
  }
  return S.fail(Message);
}

bool TextReader::attributes(AttributePlace Place, ByteWriter &W) {
  const char *Start = S.position();
  size_t CountAt = W.size();
  W.u2(0);
  if (!S.expect('{'))
    return false;
  unsigned Count = 0;
  while (!S.eat('}')) {
    Attribute A;
    if (!S.expectWord("attribute") || !attribute(A, Place))
      return false;
    if (++Count > 65535)
      return S.failAt(Start, "more than 65535 attributes");
    W.u2(A.NameIndex);
    W.u4(uint32_t(A.Data.size()));
    W.bytes(A.Data);
  }
  W.patchU2(CountAt, uint16_t(Count));
  return true;
}

bool TextReader::fields(const layout::Sequence &Seq, ByteWriter &W,
                        unsigned Depth) {
  if (Depth > layout::MaxDepth)
    return S.fail("nested too deeply");
  for (const layout::Item &I : Seq) {
    if (!I.Label.empty() && !S.expectWord(I.Label))
      return false;
    if (!item(I, W, Depth))
      return false;
  }
  return true;
}

/// A range or a span.
bool TextReader::stretch(layout::Item::Kind K, ByteWriter &W) {
  const bool IsRange = K == layout::Item::Range;
  unsigned Start, End;
  if (!S.expect('@') || !S.unsignedInteger(Start, 65535) ||
      !S.expect(IsRange ? "..@" : "..=@"))
    return false;
  const char *At = S.position();
  if (!S.unsignedInteger(End, IsRange ? 2 * 65535 : 65535))
    return false;
  if (IsRange && (End < Start || End - Start > 65535))
    return S.failAt(At, "bad end of range");
  W.u2(uint16_t(Start));
  W.u2(uint16_t(IsRange ? End - Start : End));
  return true;
}

bool TextReader::item(const layout::Item &I, ByteWriter &W, unsigned Depth) {
  using layout::Item;
  unsigned V;
  uint16_t Index;
  switch (I.K) {
  case Item::U1:
    if (!S.unsignedInteger(V, 255))
      return false;
    W.u1(uint8_t(V));
    return true;
  case Item::PC:
  case Item::From:
    if (!S.expect('@'))
      return false;
    [[fallthrough]];
  case Item::U2:
  case Item::Slot:
  case Item::Handler:
    if (!S.unsignedInteger(V, 65535))
      return false;
    W.u2(uint16_t(V));
    return true;
  case Item::U4:
    if (!S.unsignedInteger(V, UINT32_MAX))
      return false;
    W.u4(V);
    return true;
  case Item::Range:
  case Item::Span:
    return stretch(I.K, W);
  case Item::Pool:
    if (!entry(Index, I.Tags))
      return false;
    W.u2(Index);
    return true;
  case Item::Flags:
    if (!S.expect('(') || !flags(I.Param, Index) || !S.expect(')'))
      return false;
    W.u2(Index);
    return true;
  case Item::Bytes: {
    size_t At = W.size();
    W.u4(0);
    if (!hex(W))
      return false;
    W.patchU4(At, uint32_t(W.size() - At - 4));
    return true;
  }
  case Item::Text: {
    std::string Text;
    if (!S.string(Text))
      return false;
    W.bytes(llvm::StringRef(Text));
    return true;
  }
  case Item::Attributes:
    return attributes(I.Place, W);
  case Item::List:
    return list(I, W, Depth);
  case Item::Named: {
    bool Braces = I.Target->size() != 1;
    if (Braces && !S.expect('{'))
      return false;
    if (!fields(*I.Target, W, Depth + 1))
      return false;
    return !Braces || S.expect('}');
  }
  case Item::Union:
    return unionOf(I, W, Depth);
  }
  return false;
}

bool TextReader::attribute(Attribute &A, AttributePlace Place) {
  if (!nameEntry(A.NameIndex))
    return false;
  A.Data = {};
  if (!S.eat('='))
    return true;
  ByteWriter W;
  if (S.eatWord("hex")) {
    if (!hex(W))
      return false;
  } else {
    StringRef Name = Class.Pool.utf8(A.NameIndex);
    const AttributeInfo *Info = findAttributeInfo(Name, Place);
    if (!Info)
      return S.fail("expected 'hex' or a known attribute here");
    if (!fields(layout::get(*Info), W, 0))
      return false;
  }
  A.Data = Class.save(W.data());
  return true;
}
