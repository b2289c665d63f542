//===- AttributeLayout.cpp - Attributes by table --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/AttributeLayout.h"
#include "Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <string>

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

namespace {
/// The rows by the lengths of their names, which few have in common.
struct RowsByLength {
  static constexpr unsigned Longest = 40, NumRows = std::size(AttributeTable);
  uint8_t Rows[NumRows] = {};
  uint8_t Begin[Longest + 2] = {}; ///< in Rows, by length

  constexpr RowsByLength() {
    unsigned N = 0;
    for (unsigned L = 0; L <= Longest; ++L) {
      Begin[L] = uint8_t(N);
      for (unsigned R = 0; R < NumRows; ++R)
        if (std::char_traits<char>::length(AttributeTable[R].Name) == L)
          Rows[N++] = uint8_t(R);
    }
    Begin[Longest + 1] = uint8_t(N);
  }
};
constexpr RowsByLength ByLength;
static_assert(ByLength.Begin[RowsByLength::Longest + 1] ==
                  RowsByLength::NumRows,
              "a name is longer");
} // namespace

const AttributeInfo *jopt::findAttributeInfo(StringRef Name,
                                             AttributePlace Place) {
  size_t Length = Name.size();
  if (Length > RowsByLength::Longest)
    return nullptr;
  for (unsigned N = ByLength.Begin[Length]; N < ByLength.Begin[Length + 1];
       ++N) {
    const AttributeInfo &I = AttributeTable[ByLength.Rows[N]];
    if (I.Places & Place && std::equal(Name.begin(), Name.end(), I.Name))
      return &I;
  }
  return nullptr;
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
                 .Case("from", Item::From)
                 .Case("range", Item::Range)
                 .Case("span", Item::Span)
                 .Case("handler", Item::Handler)
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

/// The size of an item that always has the same; else 0.
unsigned fixedSize(const Item &I) {
  switch (I.K) {
  case Item::U1:
    return 1;
  case Item::U2:
  case Item::Slot:
  case Item::PC:
  case Item::From:
  case Item::Handler:
  case Item::Pool:
  case Item::Flags:
    return 2;
  case Item::U4:
  case Item::Range:
  case Item::Span:
    return 4;
  default:
    return 0;
  }
}

/// The kind that a visitor sees for an item that is one field, None for others.
std::optional<AttributeField::Kind> fieldKind(Item::Kind K) {
  switch (K) {
  case Item::Pool:
    return AttributeField::Pool;
  case Item::PC:
    return AttributeField::PC;
  case Item::From:
    return AttributeField::From;
  case Item::Range:
    return AttributeField::Range;
  case Item::Span:
    return AttributeField::Span;
  case Item::Handler:
    return AttributeField::Handler;
  case Item::Slot:
    return AttributeField::Slot;
  default:
    return std::nullopt;
  }
}

/// Whether anything in \p S points into code.
bool pointsIntoCode(const Sequence &S,
                    llvm::SmallPtrSetImpl<const Sequence *> &Seen) {
  return llvm::any_of(S, [&](const Item &I) {
    auto K = fieldKind(I.K);
    if (K && jopt::pointsIntoCode(*K))
      return true;
    if (I.Target && Seen.insert(I.Target).second &&
        pointsIntoCode(*I.Target, Seen))
      return true;
    return pointsIntoCode(I.Fields, Seen) ||
           llvm::any_of(I.Cases, [&](const Case &C) {
             return pointsIntoCode(C.Fields, Seen);
           });
  });
}

/// Of a payload that is a table of elements of one size; None of others.
std::optional<CodeReferences> asTable(const Sequence &S) {
  if (S.size() != 1 || S[0].K != Item::List || !S[0].Wide)
    return std::nullopt;
  CodeReferences R;
  unsigned NumFields = 0;
  for (const Item &I : S[0].Fields) {
    unsigned Size = fixedSize(I);
    if (!Size)
      return std::nullopt;
    auto K = fieldKind(I.K);
    if (K && jopt::pointsIntoCode(*K)) {
      ++NumFields;
      R.Kind = *K;
      R.FieldOffset = R.ElementSize;
    }
    R.ElementSize += Size;
  }
  if (NumFields != 1)
    return std::nullopt;
  return R;
}

/// The layouts that others refer to, parsed together: they refer to each other.
const llvm::StringMap<Sequence> &namedLayouts() {
  static const llvm::StringMap<Sequence> *All = [] {
    auto *Named = new llvm::StringMap<Sequence>;
    for (const LayoutRow &R : LayoutTable)
      (*Named)[R.Name];
    for (const LayoutRow &R : LayoutTable)
      (*Named)[R.Name] = LayoutParser(R.Layout, *Named).parse();
    return Named;
  }();
  return *All;
}

/// The layout of an attribute.
struct ParsedRow {
  explicit ParsedRow(StringRef Text) {
    static const llvm::StringMap<Sequence> None;
    Layout =
        LayoutParser(Text, Text.contains('@') ? namedLayouts() : None).parse();
    llvm::SmallPtrSet<const Sequence *, 8> Seen;
    if (pointsIntoCode(Layout, Seen))
      Code = asTable(Layout).value_or(CodeReferences());
  }

  Sequence Layout;
  std::optional<CodeReferences> Code;
};

/// Parses it when it is asked for first: a run sees few of them.
const ParsedRow &parsedRow(const AttributeInfo &Info) {
  static std::atomic<const ParsedRow *> Rows[std::size(AttributeTable)];
  auto &Row = Rows[size_t(&Info - AttributeTable)];
  const ParsedRow *Parsed = Row.load(std::memory_order_acquire);
  if (LLVM_LIKELY(Parsed))
    return *Parsed;
  auto New = std::make_unique<ParsedRow>(Info.Layout);
  // Another thread may have been faster.
  return Row.compare_exchange_strong(Parsed, New.get()) ? *New.release()
                                                        : *Parsed;
}

} // namespace

const Sequence &layout::get(const AttributeInfo &Info) {
  return parsedRow(Info).Layout;
}

const CodeReferences *jopt::findCodeReferences(const AttributeInfo &Info) {
  const auto &R = parsedRow(Info).Code;
  return R ? &*R : nullptr;
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

/// Goes over a payload once, with a stack of its own: how deep annotations nest
/// the input decides.
class Walker {
public:
  enum What {
    Check,     ///< nothing is shown
    Fields,    ///< those of attributes inside as well
    Structure, ///< fields and lists
  };
  /// Without \p Pool, what its entries are is not asked.
  Walker(Bytes Payload, const ConstantPool *Pool, What Show,
         AttributeVisitor Visit)
      : C(Payload), Pool(Pool), Show(Show), Visit(Visit) {}

  bool walk(const Sequence &S) {
    enter(S, 0);
    while (!Levels.empty())
      if (!step() || C.failed())
        return false;
    return C.atEnd() && !C.failed();
  }

private:
  /// The rest of a layout, of a case, or of a list.
  struct Level {
    const Sequence *Fields;
    unsigned Depth;
    unsigned Next;       ///< in Fields
    bool IsList = false; ///< Fields are those of each element
    unsigned Left = 0;   ///< elements that have not begun
  };

  void enter(const Sequence &S, unsigned Depth) {
    Levels.push_back({&S, Depth, 0});
  }
  bool step();
  bool walkItem(const Item &I, unsigned Depth);
  bool walkPoolIndex(const Item &I);
  bool walkAttributes(AttributePlace Place);

  void show(AttributeField::Kind K) {
    if (Show == Structure || (Show == Fields && K <= AttributeField::Slot))
      Visit({K, uint32_t(C.offset())});
  }

  ByteCursor C;
  const ConstantPool *Pool;
  What Show;
  AttributeVisitor Visit;
  llvm::SmallVector<Level, 16> Levels;
};

/// The next item, the next element, or the end of a level.
bool Walker::step() {
  Level &L = Levels.back();
  if (L.Next < L.Fields->size())
    // Items deeper than the text form goes are still moved with their code.
    return (L.Depth <= MaxDepth || Show != Check) &&
           walkItem((*L.Fields)[L.Next++], L.Depth);
  if (L.Left) {
    --L.Left;
    L.Next = 0;
    show(AttributeField::Element);
    return true;
  }
  if (L.IsList)
    show(AttributeField::EndOfList);
  Levels.pop_back();
  return true;
}

bool Walker::walkAttributes(AttributePlace Place) {
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    show(AttributeField::Pool);
    unsigned Name = C.u2();
    if (Pool && !Pool->has(Name, CPTag::Utf8))
      return false;
    uint32_t Length = C.u4();
    uint32_t At = uint32_t(C.offset());
    Bytes Data = C.bytes(Length);
    if (C.failed())
      return false;
    const AttributeInfo *Info =
        Show == Fields ? findAttributeInfo(Pool->utf8(Name), Place) : nullptr;
    if (!Info || !fitsLayout(*Info, Data, *Pool))
      continue;
    visitAttribute(*Info, Data, *Pool, [&](AttributeField F) {
      F.Offset += At;
      Visit(F);
    });
  }
  return true;
}

bool Walker::walkPoolIndex(const Item &I) {
  show(AttributeField::Pool);
  unsigned Index = C.u2();
  if (C.failed())
    return false;
  if (!Pool)
    return true;
  return Index ? (I.Tags >> unsigned((*Pool)[Index].Tag) & 1) : I.Optional;
}

bool Walker::walkItem(const Item &I, unsigned Depth) {
  switch (I.K) {
  case Item::U1:
  case Item::U2:
  case Item::U4:
  case Item::Flags:
  case Item::Slot:
  case Item::PC:
  case Item::From:
  case Item::Range:
  case Item::Span:
  case Item::Handler:
    if (auto K = fieldKind(I.K))
      show(*K);
    C.skip(fixedSize(I));
    return true;
  case Item::Pool:
    return walkPoolIndex(I);
  case Item::Bytes:
    C.skip(C.u4());
    return true;
  case Item::Text:
    C.skip(C.remaining());
    return true;
  case Item::Attributes:
    return walkAttributes(I.Place);
  case Item::List: {
    show(I.Wide ? AttributeField::List : AttributeField::ShortList);
    unsigned Count = I.Wide ? C.u2() : C.u1();
    // As if an element had ended.
    unsigned Next = unsigned(I.Fields.size());
    Levels.push_back({&I.Fields, Depth + 1, Next, true, Count});
    return true;
  }
  case Item::Named:
    enter(*I.Target, Depth + 1);
    return true;
  case Item::Union: {
    unsigned Tag = C.u1();
    if (C.failed() || !I.ByTag[Tag])
      return false;
    enter(I.Cases[I.ByTag[Tag] - 1].Fields, Depth);
    return true;
  }
  }
  return false;
}

} // namespace

bool jopt::fitsLayout(const AttributeInfo &Info, Bytes Payload,
                      const ConstantPool &Pool) {
  return Walker(Payload, &Pool, Walker::Check, nullptr).walk(layout::get(Info));
}

bool jopt::visitAttribute(const AttributeInfo &Info, Bytes Payload,
                          const ConstantPool &Pool, AttributeVisitor Visit) {
  return Walker(Payload, &Pool, Walker::Fields, Visit).walk(layout::get(Info));
}

bool jopt::visitStructure(const AttributeInfo &Info, Bytes Payload,
                          AttributeVisitor Visit) {
  return Walker(Payload, nullptr, Walker::Structure, Visit)
      .walk(layout::get(Info));
}

bool layout::fits(const Attribute &A, AttributePlace Place,
                  const ConstantPool &Pool, const Sequence *&Layout) {
  const AttributeInfo *Info = findAttributeInfo(Pool.utf8(A.NameIndex), Place);
  if (!Info || !fitsLayout(*Info, A.Data, Pool))
    return false;
  Layout = &layout::get(*Info);
  return true;
}
