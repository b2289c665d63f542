//===- ClassReader.cpp - Class files into ClassFile -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reader/ClassReader.h"
#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;

static Error at(size_t Offset, const llvm::Twine &Message) {
  return makeError(Message + llvm::formatv(" (offset {0})", Offset).str());
}

/// Reads the entry whose tag is at the beginning of \p In; the bytes it takes,
/// 0 if they are more than there are, or its tag is none.
static size_t readEntry(Bytes In, CPEntry &E) {
  const uint8_t *P = In.data() + 1;
  if (E.Tag == CPTag::Utf8) {
    if (In.size() < 3)
      return 0;
    E.Length = readU2(P);
    E.Text = reinterpret_cast<const char *>(P + 2);
    return In.size() - 3 < E.Length ? 0 : 3 + size_t(E.Length);
  }
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  if (!T.Size || In.size() <= T.Size)
    return 0;
  if (isNumber(E.Tag)) {
    E.Bits = readU4(P);
    if (isWide(E.Tag))
      E.Bits = E.Bits << 32 | readU4(P + 4);
  } else {
    E.A = T.sizeOfA() == 1 ? P[0] : readU2(P);
    if (T.hasB())
      E.B = readU2(P + T.sizeOfA());
  }
  return 1 + T.Size;
}

/// The tags of entries that are one part of two bytes, or two such parts; those
/// of the latter.
struct TagsOfParts {
  uint32_t Any = 0, Two = 0;
};
static constexpr TagsOfParts OfParts = [] {
  TagsOfParts T;
  for (unsigned Tag = 0; Tag < std::size(detail::PoolTags); ++Tag) {
    const unsigned Size = detail::PoolTags[Tag].Size;
    if (isNumber(CPTag(Tag)) || (Size != 2 && Size != 4))
      continue;
    T.Any |= 1u << Tag;
    T.Two |= (Size == 4 ? 1u : 0u) << Tag;
  }
  return T;
}();

/// Reads entries from \p P on into those of \p To as long as they are of the
/// kinds that nearly all are of, and not near the end; where that is.
static const uint8_t *readCommonEntries(const uint8_t *P, const uint8_t *End,
                                        CPEntry *&To, const CPEntry *Last) {
  constexpr ptrdiff_t Longest = 5; // but for the text
  if (End - P < Longest)
    return P;
  for (const uint8_t *const LastP = End - Longest; To != Last && P <= LastP;
       ++To) {
    const unsigned Tag = *P;
    if (CPTag(Tag) == CPTag::Utf8) {
      const uint16_t Length = readU2(P + 1);
      if (End - P < 3 + Length)
        return P;
      To->Tag = CPTag::Utf8;
      To->Length = Length;
      To->Text = reinterpret_cast<const char *>(P + 3);
      P += 3 + Length;
      continue;
    }
    if (Tag >= 32 || !(OfParts.Any >> Tag & 1))
      return P;
    To->Tag = CPTag(Tag);
    To->A = readU2(P + 1);
    P += 3;
    if (OfParts.Two >> Tag & 1) {
      To->B = readU2(P);
      P += 2;
    }
  }
  return P;
}

static Error readPool(ByteCursor &C, ConstantPool &Pool) {
  const size_t CountAt = C.offset();
  const unsigned Count = C.u2();
  if (Count == 0)
    return at(CountAt, "constant pool without entry 0");
  const size_t Start = C.offset();
  const Bytes In = C.rest();
  size_t Now = 0;
  llvm::MutableArrayRef<CPEntry> Entries = Pool.appendEmpty(Count - 1);
  for (unsigned I = 0; I < Entries.size(); ++I) {
    CPEntry *Next = &Entries[I];
    Now = size_t(
        readCommonEntries(In.data() + Now, In.end(), Next, Entries.end()) -
        In.data());
    I = unsigned(Next - Entries.data());
    if (I == Entries.size())
      break;
    CPEntry &E = *Next;
    const Bytes Left = In.drop_front(Now);
    if (!Left.empty())
      E.Tag = CPTag(Left[0]);
    if (isWide(E.Tag) && ++I == Entries.size())
      return at(Start + Now, "constant pool ends inside a long or double");
    const size_t Length = readEntry(Left, E);
    if (!Length && !Left.empty() && getPoolTagInfo(E.Tag).Name.empty())
      return at(Start + Now,
                "unknown constant pool tag " + llvm::Twine(unsigned(E.Tag)));
    if (!Length)
      return at(Start + Now, "class file ends inside the constant pool");
    Now += Length;
  }
  Pool.setOriginal(C.bytes(Now));
  return Error::success();
}

/// Reads \p Count attributes, at least one.
static Error readAttributes(ByteCursor &C, unsigned Count,
                            llvm::ArrayRef<CPEntry> Pool,
                            llvm::SmallVectorImpl<Attribute> &Attributes) {
  const Bytes In = C.rest();
  constexpr size_t HeaderSize = 6;
  if (Count > Attributes.capacity())
    Attributes.reserve(std::min<size_t>(Count, In.size() / HeaderSize));
  const uint8_t *P = In.data(), *const End = In.end();
  for (; Count; --Count) {
    const size_t Left = size_t(End - P);
    const size_t Length = Left < HeaderSize ? 0 : readU4(P + 2);
    if (Left < HeaderSize + Length)
      return at(C.offset() + size_t(P - In.data()),
                "attribute runs past the end");
    const unsigned Name = readU2(P);
    if (Name >= Pool.size() || Pool[Name].Tag != CPTag::Utf8)
      return at(C.offset() + size_t(P - In.data()),
                "attribute name is not a Utf8 entry");
    P += HeaderSize;
    Attributes.push_back({uint16_t(Name), {P, Length}});
    P += Length;
  }
  C.skip(size_t(P - In.data()));
  return Error::success();
}

/// The same of those whose number comes first.
static Error readAttributes(ByteCursor &C, const ConstantPool &Pool,
                            llvm::SmallVectorImpl<Attribute> &Attributes) {
  const unsigned Count = C.u2();
  return Count ? readAttributes(C, Count, Pool.entries(), Attributes)
               : Error::success();
}

template <typename List>
static Error readMembers(ByteCursor &C, const ConstantPool &Pool, List &Members,
                         const char *What) {
  unsigned Count = C.u2();
  for (unsigned I = 0; I < Count; ++I) {
    size_t Start = C.offset();
    auto &M = Members.emplace_back();
    if constexpr (std::is_same_v<List, std::deque<Method>>)
      M.Number = I;
    const uint8_t *Header = C.bytes(8).data();
    if (!Header)
      return at(Start, llvm::Twine("class file ends inside ") + What);
    M.Access = readU2(Header);
    M.NameIndex = readU2(Header + 2);
    M.DescriptorIndex = readU2(Header + 4);
    if (!Pool.has(M.NameIndex, CPTag::Utf8) ||
        !Pool.has(M.DescriptorIndex, CPTag::Utf8))
      return at(Start, llvm::Twine("name or descriptor of ") + What +
                           " is not a Utf8 entry");
    if (const unsigned Count = readU2(Header + 6))
      if (Error E = readAttributes(C, Count, Pool.entries(), M.Attributes))
        return E;
    M.Original = C.since(Start);
  }
  return Error::success();
}

Expected<std::unique_ptr<ClassFile>> jopt::readClass(Bytes Input) {
  auto Class = std::make_unique<ClassFile>();
  ByteCursor C(Input);
  uint32_t Magic = C.u4();
  if (C.failed() || Magic != 0xcafebabe)
    return makeError("not a class file: magic number is not 0xcafebabe");
  Class->Minor = C.u2();
  Class->Major = C.u2();
  if (C.failed())
    return at(C.offset(), "class file ends inside the header");
  if (Class->Major < OldestMajorVersion)
    return makeError(llvm::formatv("class file version {0}.{1} is older than "
                                   "{2}.0",
                                   Class->Major, Class->Minor,
                                   OldestMajorVersion));
  if (Error E = readPool(C, Class->Pool))
    return E;
  size_t HeaderAt = C.offset();
  Class->Access = C.u2();
  Class->ThisIndex = C.u2();
  Class->SuperIndex = C.u2();
  unsigned NumInterfaces = C.u2();
  if (C.remaining() / 2 < NumInterfaces)
    return at(HeaderAt, "class file ends inside the interfaces");
  if (Class->name().empty())
    return at(HeaderAt, "this_class is not a Class entry with a name");
  for (unsigned I = 0; I < NumInterfaces; ++I)
    Class->Interfaces.push_back(C.u2());
  if (Error E = readMembers(C, Class->Pool, Class->Fields, "a field"))
    return E;
  if (Error E = readMembers(C, Class->Pool, Class->Methods, "a method"))
    return E;
  if (Error E = readAttributes(C, Class->Pool, Class->Attributes))
    return E;
  if (C.failed())
    return at(C.offset(), "class file ends inside the class");
  if (!C.atEnd())
    return at(C.offset(),
              llvm::Twine(C.remaining()) + " bytes left over after the class");
  Class->Original = Input;
  return Class;
}

Error jopt::parseCode(const ClassFile &Class, Bytes Payload, CodeView &V) {
  V.Attributes.clear();
  constexpr size_t HeaderSize = 8, RowSize = 8;
  const uint8_t *P = Payload.data();
  const size_t Length = Payload.size() < HeaderSize ? 0 : readU4(P + 4);
  if (Payload.size() < HeaderSize + 2 ||
      Payload.size() - HeaderSize - 2 < Length)
    return makeError("Code attribute is truncated");
  V.MaxStack = readU2(P);
  V.MaxLocals = readU2(P + 2);
  V.Code = {P + HeaderSize, Length};
  const unsigned NumHandlers = readU2(V.Code.end());
  ByteCursor C(Payload);
  C.skip(HeaderSize + Length + 2);
  if (C.remaining() / RowSize < NumHandlers)
    return makeError("Code attribute is truncated");
  V.Handlers.resize_for_overwrite(NumHandlers);
  for (CodeView::Handler &H : V.Handlers) {
    const uint8_t *Row = C.bytes(RowSize).data();
    H = {readU2(Row), readU2(Row + 2), readU2(Row + 4), readU2(Row + 6)};
  }
  if (Error E = readAttributes(C, Class.Pool, V.Attributes))
    return E;
  if (C.failed() || !C.atEnd())
    return makeError("Code attribute has the wrong length");
  if (V.Code.empty() || V.Code.size() > 65535)
    return makeError("code_length is not between 1 and 65535");
  return Error::success();
}

llvm::SmallVector<LineEntry, 64> jopt::lineEntries(const ClassFile &F,
                                                   const CodeView &Code) {
  llvm::SmallVector<LineEntry, 64> Lines;
  for (const Attribute &A : Code.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != "LineNumberTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && C.remaining() >= 4; --N) {
      uint16_t Start = C.u2();
      Lines.push_back({Start, C.u2()});
    }
  }
  return Lines;
}
