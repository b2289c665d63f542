//===- ParserClass.cpp - Classes from text --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "TextWriter.h"
#include "jopt/IR/Text/Parser.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using llvm::StringRef;

static bool poolIndex(Scanner &S, uint16_t &Index) {
  unsigned N;
  if (!S.expect('#') || !S.unsignedInteger(N, 65535))
    return false;
  Index = uint16_t(N);
  return true;
}

/// Parses the text behind the kind of an entry.
static bool poolEntry(Scanner &S, ClassFile &Class, CPEntry &E) {
  if (E.Tag == CPTag::Utf8) {
    const char *At = S.position();
    std::string Text;
    if (!S.string(Text))
      return false;
    if (Text.size() > 65535)
      return S.failAt(At, "string of more than 65535 bytes");
    E.Length = uint16_t(Text.size());
    E.Text = Class.Pool.save(Text).data();
    return true;
  }
  if (isNumber(E.Tag))
    return S.number(E.Bits, E.Tag);
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  unsigned N = 0;
  if (T.A ? !poolIndex(S, E.A) : !S.unsignedInteger(N, 65535))
    return false;
  if (!T.A)
    E.A = uint16_t(N);
  return !T.hasB() || poolIndex(S, E.B);
}

/// `pool { ... }`, behind the word.
static bool parsePool(Scanner &S, ClassFile &Class) {
  if (!S.expect('{'))
    return false;
  while (!S.eat('}')) {
    S.space();
    const char *At = S.position();
    uint16_t Index;
    if (!poolIndex(S, Index))
      return false;
    if (Index != Class.Pool.size())
      return S.failAt(At, "expected entry #" + llvm::Twine(Class.Pool.size()) +
                              ": entries are in order");
    if (!S.expect('='))
      return false;
    S.space();
    At = S.position();
    CPEntry E;
    E.Tag = findPoolTag(S.word());
    if (E.Tag == CPTag::None)
      return S.failAt(At, "expected the kind of a pool entry");
    if (!poolEntry(S, Class, E))
      return false;
    if (!Class.Pool.append(E))
      return S.failAt(At, "the constant pool is full");
  }
  return true;
}

/// Skips to the brace that opens the class; the header's names can be looked up
/// only after the pool inside.
static bool skipHeader(Scanner &S) {
  std::string Ignored;
  for (;;) {
    char C = S.peek();
    if (S.atEnd())
      return S.fail("expected '{'");
    if (C == '"') {
      if (!S.string(Ignored))
        return false;
    } else if (S.eat('{')) {
      return true;
    } else {
      S.setPosition(S.position() + 1);
    }
  }
}

static bool parseHeader(TextReader &R) {
  ClassFile &Class = R.Class;
  Scanner &S = R.S;
  constexpr uint32_t ClassTag = tagBit(CPTag::Class);
  if (!R.flags("class", Class.Access) || !R.entry(Class.ThisIndex, ClassTag))
    return false;
  if (S.eatWord("extends") && !R.entry(Class.SuperIndex, ClassTag))
    return false;
  if (S.eatWord("implements")) {
    do {
      uint16_t Interface;
      if (!R.entry(Interface, ClassTag))
        return false;
      if (Class.Interfaces.size() == 65535)
        return S.fail("more than 65535 interfaces");
      Class.Interfaces.push_back(Interface);
    } while (S.eat(','));
  }
  Class.Major = 61;
  if (S.eatWord("version")) {
    unsigned Major, Minor;
    if (!S.unsignedInteger(Major, 65535) || !S.expect('.') ||
        !S.unsignedInteger(Minor, 65535))
      return false;
    Class.Major = uint16_t(Major);
    Class.Minor = uint16_t(Minor);
  }
  return S.expect('{');
}

static bool parseMember(TextReader &R, Member &M, StringRef FlagSet) {
  // A member begins with the word that the caller took.
  R.S.note(&M, R.S.position() - FlagSet.size());
  return R.flags(FlagSet, M.Access) && R.nameEntry(M.NameIndex) &&
         R.S.expect(':') && R.descriptorEntry(M.DescriptorIndex);
}

template <typename List>
static bool addAttribute(TextReader &R, List &Attributes,
                         AttributePlace Place) {
  if (Attributes.size() == 65535)
    return R.S.fail("more than 65535 attributes");
  Attribute A;
  if (!R.attribute(A, Place))
    return false;
  Attributes.push_back(A);
  return true;
}

static bool parseField(TextReader &R) {
  if (R.Class.Fields.size() == 65535)
    return R.S.fail("more than 65535 fields");
  Field &F = R.Class.Fields.emplace_back();
  if (!parseMember(R, F, "field"))
    return false;
  if (!R.S.eat('{'))
    return true;
  while (!R.S.eat('}'))
    if (!R.S.expectWord("attribute") || !addAttribute(R, F.Attributes, InField))
      return false;
  return true;
}

static bool parseCode(TextReader &R, Method &M) {
  if (M.IR)
    return R.S.fail("second code block of a method");
  Attribute Code;
  if (R.S.peek() == '#') {
    if (!R.index(Code.NameIndex))
      return false;
    if (R.Class.Pool.utf8(Code.NameIndex) != "Code")
      return R.S.fail("the entry is not \"Code\"");
  } else if (!R.utf8(Code.NameIndex, "Code")) {
    return false;
  }
  if (M.codeAttribute(R.Class.Pool) >= 0)
    return R.S.fail("second code of a method");
  M.Attributes.push_back(Code);
  M.IR = std::make_unique<Body>(R.Class, M);
  return BodyParser(R, *M.IR).parse();
}

static bool parseMethod(TextReader &R) {
  if (R.Class.Methods.size() == 65535)
    return R.S.fail("more than 65535 methods");
  Method &M = R.Class.newMethod();
  if (!parseMember(R, M, "method"))
    return false;
  if (!R.S.eat('{'))
    return true;
  while (!R.S.eat('}')) {
    if (R.S.eatWord("attribute")) {
      if (!addAttribute(R, M.Attributes, InMethod))
        return false;
    } else if (R.S.eatWord("code")) {
      if (!parseCode(R, M))
        return false;
    } else {
      return R.S.fail("expected 'code', 'attribute' or '}'");
    }
  }
  return true;
}

/// One class, behind the word `class`.
static bool parseClass(Scanner &S, ClassFile &Class) {
  const char *Header = S.position();
  if (!skipHeader(S))
    return false;
  if (S.eatWord("pool") && !parsePool(S, Class))
    return false;
  const char *Members = S.position();
  S.setPosition(Header);
  TextReader R(S, Class);
  if (!parseHeader(R))
    return false;
  S.setPosition(Members);
  while (!S.eat('}')) {
    bool Ok;
    if (S.eatWord("field"))
      Ok = parseField(R);
    else if (S.eatWord("method"))
      Ok = parseMethod(R);
    else if (S.eatWord("attribute"))
      Ok = addAttribute(R, Class.Attributes, InClass);
    else
      Ok = S.fail("expected 'field', 'method', 'attribute' or '}'");
    if (!Ok)
      return false;
  }
  return true;
}

llvm::Expected<std::vector<std::unique_ptr<ClassFile>>>
jopt::parseIR(StringRef Text, StringRef File, unsigned Line,
              TextPlaces *Places) {
  Scanner S(Text, File, Line, Places);
  std::vector<std::unique_ptr<ClassFile>> Classes;
  while (!S.atEnd()) {
    Classes.push_back(std::make_unique<ClassFile>());
    S.note(Classes.back().get(), S.position());
    if (!S.expectWord("class") || !parseClass(S, *Classes.back()))
      return S.takeError();
  }
  return Classes;
}
