//===- Relocation.cpp - Attributes that follow the code -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relocation.h"
#include "llvm/ADT/DenseSet.h"
#include <cstring>
#include <optional>

using namespace jopt;

namespace {

/// Calls \p Each with the bytes that the field at \p Old has in the new code,
/// once for each place that it has there.
template <typename Fn>
void forEachPlace(AttributeField::Kind K, const uint8_t *Old, OffsetMap &Map,
                  const ExceptionTable &Table, Fn Each) {
  uint8_t New[4];
  uint32_t From = readU2(Old);
  auto EachRange = [&](uint32_t To, bool Inclusive) {
    Map.ranges(From, To, [&](uint32_t Start, uint32_t End) {
      writeU2(New, uint16_t(Start));
      writeU2(New + 2, uint16_t(Inclusive ? End - 1 : End - Start));
      Each(New);
    });
  };
  switch (K) {
  case AttributeField::PC: {
    llvm::SmallVector<uint32_t, 4> Offsets;
    Map.instructions(From, Offsets);
    for (uint32_t At : Offsets) {
      writeU2(New, uint16_t(At));
      Each(New);
    }
    break;
  }
  case AttributeField::Range:
    EachRange(From + readU2(Old + 2), false);
    break;
  case AttributeField::Span:
    if (uint32_t To = readU2(Old + 2) + 1u; From < To)
      EachRange(To, true);
    break;
  case AttributeField::Handler:
    if (int Row = Table.rowOf(From); Row >= 0) {
      writeU2(New, uint16_t(Row));
      Each(New);
    }
    break;
  default:
    llvm_unreachable("not a field of an element by itself");
  }
}

//===----------------------------------------------------------------------===//
// Elements of one size
//===----------------------------------------------------------------------===//

constexpr size_t MostElements = 65535;

/// The element size of nearly all tables; a constant of the compiler.
using LocalVariableSize = std::integral_constant<size_t, 10>;

/// Drops what is equal to an element in front of it from \p Table, which is
/// \p Count elements of \p Size bytes, and returns how many are left.
template <typename SizeT>
size_t dropDuplicates(uint8_t *Table, size_t Count, SizeT Size) {
  size_t Kept = 0;
  auto Keep = [&](size_t N) {
    if (Kept != N)
      std::memcpy(Table + Kept * Size, Table + N * Size, Size);
    return Table + Kept * Size;
  };
  if (Count <= 16) {
    for (size_t N = 0; N < Count; ++N) {
      const uint8_t *E = Keep(N), *P = Table;
      while (P != E && std::memcmp(P, E, Size) != 0)
        P += Size;
      Kept += P == E;
    }
    return Kept;
  }
  llvm::DenseSet<llvm::StringRef> Seen;
  for (size_t N = 0; N < Count; ++N)
    Kept += Seen.insert(toStringRef(Bytes(Keep(N), Size))).second;
  return Kept;
}

template <typename SizeT>
void relocateTable(const CodeReferences &Refs, SizeT Size, Bytes Data,
                   OffsetMap &Map, const ExceptionTable &Table, ByteWriter &W) {
  const size_t FieldAt = Refs.FieldOffset;
  const unsigned FieldSize = codeFieldSize(Refs.Kind);
  llvm::SmallVectorImpl<uint8_t> &Out = W.buffer();
  W.u2(0);
  const size_t Begin = W.size();
  for (const uint8_t *E = Data.begin() + 2; E != Data.end(); E += Size)
    forEachPlace(Refs.Kind, E + FieldAt, Map, Table, [&](const uint8_t *New) {
      size_t At = Out.size();
      if (At == Begin + MostElements * Size)
        return;
      Out.resize_for_overwrite(At + Size);
      std::memcpy(&Out[At], E, Size);
      std::copy_n(New, FieldSize, &Out[At + FieldAt]);
    });
  size_t Count =
      dropDuplicates(Out.data() + Begin, (Out.size() - Begin) / Size, Size);
  Out.truncate(Begin + Count * Size);
  W.patchU2(Begin - 2, uint16_t(Count));
}

//===----------------------------------------------------------------------===//
// Lists in elements of lists
//===----------------------------------------------------------------------===//

/// Copies a payload as a visitor of its structure; an element that points into
/// code is settled where it ends.
class StructureRelocator {
public:
  StructureRelocator(Bytes Data, OffsetMap &Map, const ExceptionTable &Table,
                     ByteWriter &W)
      : Data(Data), Map(Map), Table(Table), W(W) {}

  void visit(AttributeField F);
  /// Behind the last list.
  void finish() { copyUpTo(Data.size()); }

private:
  /// A list that has not ended. Positions are in W, except that of a field.
  struct List {
    size_t CountAt;
    bool Wide;
    size_t ElementAt = 0;
    unsigned Begun = 0, Written = 0;
    bool Lost = false;                            ///< the element goes
    std::optional<AttributeField> Reference = {}; ///< its field into code
    size_t ReferenceAt = 0;
  };

  void copyUpTo(size_t Offset) {
    W.bytes(Data.slice(Copied, Offset - Copied));
    Copied = Offset;
  }
  void finishElement(List &L);
  void finishList();

  Bytes Data;
  OffsetMap &Map;
  const ExceptionTable &Table;
  ByteWriter &W;
  size_t Copied = 0; ///< of Data
  llvm::SmallVector<List, 8> Lists;
};

} // namespace

void StructureRelocator::visit(AttributeField F) {
  copyUpTo(F.Offset);
  switch (F.K) {
  case AttributeField::ShortList:
  case AttributeField::List:
    Lists.push_back({W.size(), F.K == AttributeField::List});
    break;
  case AttributeField::Element: {
    List &L = Lists.back();
    finishElement(L);
    L.ElementAt = W.size();
    ++L.Begun;
    break;
  }
  case AttributeField::EndOfList:
    finishList();
    break;
  default:
    if (!pointsIntoCode(F.K))
      break;
    List &L = Lists.back();
    assert(!L.Reference && "an element points to two places");
    L.Reference = F;
    L.ReferenceAt = W.size();
  }
}

/// The element that was copied last is there as often as what it points to.
void StructureRelocator::finishElement(List &L) {
  if (!L.Begun)
    return;
  const bool Lost = std::exchange(L.Lost, false);
  if (!L.Reference && !Lost) {
    ++L.Written;
    return;
  }
  llvm::SmallVector<uint8_t, 64> Element(W.data().drop_front(L.ElementAt));
  W.buffer().truncate(L.ElementAt);
  if (Lost)
    return L.Reference.reset();
  AttributeField F = *std::exchange(L.Reference, std::nullopt);
  forEachPlace(F.K, Data.data() + F.Offset, Map, Table,
               [&](const uint8_t *New) {
                 if (L.Written == (L.Wide ? MostElements : 255))
                   return;
                 ++L.Written;
                 std::copy_n(New, codeFieldSize(F.K),
                             &Element[L.ReferenceAt - L.ElementAt]);
                 W.bytes(Element);
               });
}

void StructureRelocator::finishList() {
  List L = Lists.pop_back_val();
  finishElement(L);
  if (L.Wide)
    W.patchU2(L.CountAt, uint16_t(L.Written));
  else
    W.buffer()[L.CountAt] = uint8_t(L.Written);
  if (L.Begun && !L.Written && !Lists.empty())
    Lists.back().Lost = true;
}

bool jopt::relocate(const AttributeInfo &Info, Bytes Data, OffsetMap &Map,
                    const ExceptionTable &Table, ByteWriter &W) {
  const CodeReferences *Refs = findCodeReferences(Info);
  if (!Refs)
    return false;
  if (Refs->ElementSize) {
    if (Data.size() < 2 ||
        Data.size() != 2 + size_t(readU2(Data.data())) * Refs->ElementSize)
      return false;
    if (Refs->Kind == AttributeField::From)
      relocateLines(*Refs, Data, Map, W);
    else if (Refs->ElementSize == LocalVariableSize())
      relocateTable(*Refs, LocalVariableSize(), Data, Map, Table, W);
    else
      relocateTable(*Refs, size_t(Refs->ElementSize), Data, Map, Table, W);
    return true;
  }
  size_t Begin = W.size();
  StructureRelocator R(Data, Map, Table, W);
  if (visitStructure(Info, Data, [&](AttributeField F) { R.visit(F); })) {
    R.finish();
    return true;
  }
  W.buffer().truncate(Begin);
  return false;
}
