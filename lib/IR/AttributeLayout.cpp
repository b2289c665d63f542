//===- AttributeLayout.cpp - Attributes by table --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/AttributeLayout.h"
#include "Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cassert>

using namespace jopt;
using llvm::StringRef;

namespace {
struct LayoutRow {
  const char *Name;
  const char *Layout;
};
#define GET_AttributeTable_IMPL
#define GET_LayoutTable_IMPL
#define GET_FlagTable_IMPL
#include "jopt/IR/Attributes.inc"
} // namespace

llvm::ArrayRef<AttributeInfo> jopt::getAttributeTable() {
  return AttributeTable;
}

const AttributeInfo *jopt::findAttributeInfo(StringRef Name,
                                             AttributePlace Place) {
  const AttributeInfo *I = llvm::lower_bound(
      AttributeTable, Name, [](const AttributeInfo &A, StringRef N) {
        return StringRef(A.Name) < N;
      });
  if (I == std::end(AttributeTable) || Name != I->Name || !(I->Places & Place))
    return nullptr;
  return I;
}

llvm::ArrayRef<FlagInfo> jopt::getFlags(StringRef Set) {
  auto Same = [&](const FlagInfo &F) { return Set == F.Set; };
  const FlagInfo *Begin = llvm::find_if(FlagTable, Same);
  const FlagInfo *End = std::find_if_not(
      Begin, static_cast<const FlagInfo *>(std::end(FlagTable)), Same);
  return {Begin, End};
}

//===----------------------------------------------------------------------===//
// The layout language
//===----------------------------------------------------------------------===//

namespace {

using namespace jopt::layout;

/// Parses the layouts of Attributes.td. They are part of the program, so a
/// mistake in them is an assertion; unittests/IR parses them all.
class LayoutParser {
public:
  LayoutParser(StringRef Text, const llvm::StringMap<Sequence> &Named)
      : Rest(Text), Named(Named) {}

  Sequence parse() {
    Sequence S = sequence();
    assert(Rest.empty() && "bad layout");
    return S;
  }

private:
  void space() { Rest = Rest.ltrim(); }
  bool eat(StringRef S) {
    space();
    return Rest.consume_front(S);
  }
  StringRef word() {
    space();
    StringRef W =
        Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '-'; });
    Rest = Rest.drop_front(W.size());
    return W;
  }
  unsigned number() {
    space();
    unsigned N = 0;
    [[maybe_unused]] bool Bad = Rest.consumeInteger(0, N);
    assert(!Bad && "bad number in layout");
    return N;
  }

  Sequence sequence() {
    Sequence S;
    for (space(); !Rest.empty() && !StringRef("];}").contains(Rest[0]); space())
      S.push_back(field());
    return S;
  }

  Item field() {
    StringRef Save = Rest;
    StringRef Label = word();
    if (Label.empty() || !eat(":")) {
      Rest = Save;
      Label = {};
    }
    Item I = item();
    I.Label = Label;
    return I;
  }

  Item item();
  Item unionOf();
  Item poolTags(StringRef First);

  StringRef Rest;
  const llvm::StringMap<Sequence> &Named;
};

Item LayoutParser::poolTags(StringRef First) {
  Item I;
  I.K = Item::Pool;
  for (StringRef Name = First;; Name = word()) {
    CPTag Tag = findPoolTag(Name);
    assert(Tag != CPTag::None && "unknown word in layout");
    I.Tags |= 1u << unsigned(Tag);
    if (!eat("|"))
      break;
  }
  I.Optional = eat("?");
  return I;
}

Item LayoutParser::unionOf() {
  Item I;
  I.K = Item::Union;
  I.ByTag.resize(256);
  while (!eat("}")) {
    Case C;
    C.Low = C.High = uint8_t(number());
    if (eat("-"))
      C.High = uint8_t(number());
    C.Keyword = word();
    [[maybe_unused]] bool Colon = eat(":");
    C.Fields = sequence();
    [[maybe_unused]] bool Semicolon = eat(";");
    assert(Colon && Semicolon && "bad case in layout");
    I.Cases.push_back(std::move(C));
    for (unsigned T = I.Cases.back().Low; T <= I.Cases.back().High; ++T)
      I.ByTag[T] = uint8_t(I.Cases.size());
  }
  return I;
}

Item LayoutParser::item() {
  Item I;
  if (eat("[")) {
    I.K = Item::List;
    I.Wide = word() == "u2";
    I.Fields = sequence();
    [[maybe_unused]] bool Closed = eat("]");
    assert(Closed && "bad list in layout");
    return I;
  }
  if (eat("{"))
    return unionOf();
  if (eat("@")) {
    I.K = Item::Named;
    auto It = Named.find(word());
    assert(It != Named.end() && "unknown layout");
    I.Target = &It->second;
    return I;
  }
  StringRef W = word();
  int Kind = llvm::StringSwitch<int>(W)
                 .Case("u1", Item::U1)
                 .Case("u2", Item::U2)
                 .Case("u4", Item::U4)
                 .Case("slot", Item::Slot)
                 .Case("pc", Item::PC)
                 .Case("range", Item::Range)
                 .Case("flags", Item::Flags)
                 .Case("bytes", Item::Bytes)
                 .Case("text", Item::Text)
                 .Case("attributes", Item::Attributes)
                 .Default(-1);
  if (Kind < 0)
    return poolTags(W);
  I.K = Item::Kind(Kind);
  if (I.K == Item::Flags || I.K == Item::Attributes) {
    eat("(");
    I.Param = word();
    eat(")");
    I.Place = I.Param == "code" ? InCode : InRecordComponent;
  }
  return I;
}

/// All layouts, parsed.
struct Layouts {
  llvm::StringMap<Sequence> Named;
  std::vector<Sequence> ByRow;

  Layouts() {
    // The names first: layouts refer to each other.
    for (const LayoutRow &R : LayoutTable)
      Named[R.Name];
    for (const LayoutRow &R : LayoutTable)
      Named[R.Name] = LayoutParser(R.Layout, Named).parse();
    for (const AttributeInfo &A : AttributeTable)
      ByRow.push_back(LayoutParser(A.Layout, Named).parse());
  }
};

const Layouts &layouts() {
  static const Layouts *L = new Layouts;
  return *L;
}

} // namespace

const Sequence &layout::get(const AttributeInfo &Info) {
  return layouts().ByRow[size_t(&Info - AttributeTable)];
}

CPTag Item::onlyTag() const {
  for (unsigned T = 1; T < 32; ++T)
    if (Tags == 1u << T)
      return CPTag(T);
  return CPTag::None;
}

//===----------------------------------------------------------------------===//
// Checking and visiting
//===----------------------------------------------------------------------===//

namespace {

class Walker {
public:
  using Visitor = llvm::function_ref<void(AttributeField)>;
  Walker(Bytes Payload, const ConstantPool &Pool, Visitor Visit, bool Nested)
      : C(Payload), Pool(Pool), Visit(Visit), Nested(Nested) {}

  bool walk(const Sequence &S) {
    return walkFields(S, 0) && C.atEnd() && !C.failed();
  }

private:
  bool walkFields(const Sequence &S, unsigned Depth) {
    if (Depth > MaxDepth)
      return false;
    for (const Item &I : S)
      if (!walkItem(I, Depth))
        return false;
    return !C.failed();
  }

  void show(AttributeField::Kind K) {
    if (Visit)
      Visit({K, uint32_t(C.offset())});
  }

  bool walkItem(const Item &I, unsigned Depth);
  bool walkAttributes(AttributePlace Place);

  ByteCursor C;
  const ConstantPool &Pool;
  Visitor Visit;
  bool Nested;
};

bool Walker::walkAttributes(AttributePlace Place) {
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    show(AttributeField::Pool);
    unsigned Name = C.u2();
    if (!Pool.has(Name, CPTag::Utf8))
      return false;
    uint32_t Length = C.u4();
    uint32_t At = uint32_t(C.offset());
    Bytes Data = C.bytes(Length);
    if (C.failed())
      return false;
    const AttributeInfo *Info =
        Nested ? findAttributeInfo(Pool.utf8(Name), Place) : nullptr;
    if (!Info || !fitsLayout(*Info, Data, Pool))
      continue;
    visitAttribute(*Info, Data, Pool, [&](AttributeField F) {
      F.Offset += At;
      Visit(F);
    });
  }
  return true;
}

bool Walker::walkItem(const Item &I, unsigned Depth) {
  switch (I.K) {
  case Item::U1:
    C.u1();
    return true;
  case Item::U2:
  case Item::Flags:
    C.u2();
    return true;
  case Item::U4:
    C.u4();
    return true;
  case Item::Slot:
    show(AttributeField::Slot);
    C.u2();
    return true;
  case Item::PC:
    show(AttributeField::PC);
    C.u2();
    return true;
  case Item::Range:
    show(AttributeField::Range);
    C.u4();
    return true;
  case Item::Pool: {
    show(AttributeField::Pool);
    unsigned Index = C.u2();
    if (C.failed())
      return false;
    if (!Index)
      return I.Optional;
    return I.Tags >> unsigned(Pool[Index].Tag) & 1;
  }
  case Item::Bytes:
    C.skip(C.u4());
    return true;
  case Item::Text:
    C.skip(C.remaining());
    return true;
  case Item::Attributes:
    return walkAttributes(I.Place);
  case Item::List:
    for (unsigned N = I.Wide ? C.u2() : C.u1(); N; --N)
      if (!walkFields(I.Fields, Depth + 1))
        return false;
    return true;
  case Item::Named:
    return walkFields(*I.Target, Depth + 1);
  case Item::Union: {
    unsigned Tag = C.u1();
    if (C.failed() || !I.ByTag[Tag])
      return false;
    return walkFields(I.Cases[I.ByTag[Tag] - 1].Fields, Depth);
  }
  }
  return false;
}

} // namespace

bool jopt::fitsLayout(const AttributeInfo &Info, Bytes Payload,
                      const ConstantPool &Pool) {
  return Walker(Payload, Pool, nullptr, false).walk(layout::get(Info));
}

bool jopt::visitAttribute(const AttributeInfo &Info, Bytes Payload,
                          const ConstantPool &Pool,
                          llvm::function_ref<void(AttributeField)> Visit) {
  return Walker(Payload, Pool, Visit, true).walk(layout::get(Info));
}

bool layout::fits(const Attribute &A, AttributePlace Place,
                  const ConstantPool &Pool, const Sequence *&Layout) {
  const AttributeInfo *Info = findAttributeInfo(Pool.utf8(A.NameIndex), Place);
  if (!Info || !fitsLayout(*Info, A.Data, Pool))
    return false;
  Layout = &layout::get(*Info);
  return true;
}
