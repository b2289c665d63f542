//===- ConstantPool.cpp - The constant pool -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/ConstantPool.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace jopt;
using llvm::StringRef;

MemberRef ConstantPool::member(unsigned I) const {
  MemberRef R;
  const CPEntry &E = (*this)[I];
  switch (E.Tag) {
  case CPTag::InterfaceMethodref:
    R.IsInterface = true;
    [[fallthrough]];
  case CPTag::Fieldref:
  case CPTag::Methodref:
    R.Owner = className(E.A);
    break;
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    break;
  default:
    return {};
  }
  const CPEntry &N = (*this)[E.B];
  if (N.Tag != CPTag::NameAndType)
    return {};
  R.Name = utf8(N.A);
  R.Descriptor = utf8(N.B);
  return R;
}

/// All of an entry but its text or number, and but its padding.
static uint64_t headOf(const CPEntry &E) {
  static_assert(offsetof(CPEntry, Length) == 6);
  uint64_t Head, Mask;
  const uint8_t Known[8] = {255, 0, 255, 255, 255, 255, 255, 255};
  std::memcpy(&Head, &E, sizeof(Head));
  std::memcpy(&Mask, Known, sizeof(Mask));
  return Head & Mask;
}

/// The upper bits are good ones.
uint64_t ConstantPool::hash(const CPEntry &E) {
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15ull;
  uint64_t H = headOf(E);
  auto Mix = [&](uint64_t Bits) {
    H = (H ^ Bits) * Odd;
    H ^= H >> 29;
  };
  if (E.Tag != CPTag::Utf8) {
    Mix(E.Bits);
    return H * Odd;
  }
  const char *Text = E.Text, *const End = Text + E.Length;
  uint64_t Word = 0;
  for (; End - Text >= 8; Text += 8) {
    std::memcpy(&Word, Text, 8);
    Mix(Word);
  }
  // Of a longer text, the last bytes that were not mixed with some that were.
  if (E.Length >= 8) {
    std::memcpy(&Word, End - 8, 8);
  } else {
    Word = 0;
    for (; Text != End; ++Text)
      Word = Word << 8 | uint8_t(*Text);
  }
  Mix(Word);
  return H * Odd;
}

bool ConstantPool::equal(const CPEntry &A, const CPEntry &B) {
  return A.Tag == B.Tag && A.Length == B.Length && A.A == B.A && A.B == B.B &&
         (A.Tag == CPTag::Utf8 ? A.text() == B.text() : A.Bits == B.Bits);
}

/// The first entry of the index that equals \p E.
uint16_t ConstantPool::findIndexed(const CPEntry &E) const {
  uint16_t Found = 0;
  for (uint16_t I = Index[hash(E) >> IndexShift]; I; I = Next[I])
    if (headOf(Entries[I]) == headOf(E) && equal(Entries[I], E))
      Found = Found ? std::min(Found, I) : I;
  return Found;
}

/// Indexes the entries that are not yet.
void ConstantPool::updateIndex() {
  if (Index.size() < Entries.size()) {
    const unsigned Bits = llvm::Log2_64_Ceil(Entries.size() + 64);
    Index.assign(size_t(1) << Bits, 0);
    IndexShift = 64 - Bits;
    NumIndexed = 1;
  }
  Next.resize(Entries.capacity());
  for (; NumIndexed < size(); ++NumIndexed) {
    if (Entries[NumIndexed].Tag == CPTag::None)
      continue;
    uint16_t &First = Index[hash(Entries[NumIndexed]) >> IndexShift];
    Next[NumIndexed] = std::exchange(First, uint16_t(NumIndexed));
  }
}

/// The first entry from \p From on that equals \p E.
uint16_t ConstantPool::scan(const CPEntry &E, unsigned From) const {
  const uint64_t Head = headOf(E);
  for (unsigned I = From; I < size(); ++I)
    if (headOf(Entries[I]) == Head && equal(Entries[I], E))
      return uint16_t(I);
  return 0;
}

void ConstantPool::expectQuestions(llvm::ArrayRef<StringRef> Texts) {
  if (!Index.empty())
    return;
  NumScans = 10;
  NumLookedAt = size();
  Expected.clear();
  Expected.reserve(Texts.size());
  // By length and end: few texts have both in common.
  uint64_t Ends[64] = {};
  auto EndsOf = [&](StringRef Text) -> uint64_t & {
    return Ends[Text.empty() ? 0 : uint8_t(Text.back()) % 64];
  };
  auto BitOf = [](StringRef Text) { return uint64_t(1) << Text.size() % 64; };
  uint64_t Lengths = 0;
  for (StringRef Text : Texts) {
    Expected.push_back({Text, 0});
    EndsOf(Text) |= BitOf(Text);
    Lengths |= BitOf(Text);
  }
  for (const CPEntry &E : Entries) {
    // Nearly all that are no text have no length.
    if (LLVM_LIKELY(!(Lengths >> E.Length % 64 & 1)))
      continue;
    if (E.Tag != CPTag::Utf8 || !(EndsOf(E.text()) & BitOf(E.text())))
      continue;
    for (ExpectedText &Of : Expected)
      if (Of.Text.size() == E.Length && !Of.At && Of.Text == E.text())
        Of.At = uint16_t(&E - Entries.data());
  }
}

/// The entry of \p Text; else where to look for it from.
uint16_t ConstantPool::findExpected(const CPEntry &Text, unsigned &From) const {
  for (const ExpectedText &Of : Expected)
    if (Of.Text == Text.text()) {
      From = NumLookedAt;
      return Of.At;
    }
  return 0;
}

uint16_t ConstantPool::find(const CPEntry &E) {
  if (Index.empty() && NumScans) {
    unsigned From = 1;
    if (E.Tag == CPTag::Utf8) {
      if (uint16_t I = findExpected(E, From))
        return I;
    } else if (!isNumber(E.Tag) && NumOriginal &&
               std::max(E.A, E.B) >= NumOriginal) {
      From = NumOriginal; // Entries that refer to added ones were added.
    }
    NumScans -= From == 1;
    return scan(E, From);
  }
  if (NumIndexed < size())
    updateIndex();
  return findIndexed(E);
}

uint16_t ConstantPool::addEntry(CPEntry E) {
  if (uint16_t I = find(E))
    return I;
  unsigned I = size();
  return append(E) ? uint16_t(I) : 0;
}

StringRef ConstantPool::save(StringRef S) { return S.copy(Alloc); }

uint16_t ConstantPool::addUtf8(StringRef S) {
  if (S.size() > 65535) {
    Overflowed = true;
    return 0;
  }
  CPEntry E;
  E.Tag = CPTag::Utf8;
  E.Text = S.data();
  E.Length = uint16_t(S.size());
  if (uint16_t I = find(E))
    return I;
  // An expected text lives as long as the pool.
  const auto *Known = llvm::find_if(
      Expected, [&](const ExpectedText &Of) { return Of.Text == S; });
  E.Text = Known == Expected.end() ? save(S).data() : Known->Text.data();
  unsigned I = size();
  return append(E) ? uint16_t(I) : 0;
}

static CPEntry number(CPTag Tag, uint64_t Bits) {
  CPEntry E;
  E.Tag = Tag;
  E.Bits = Bits;
  return E;
}

static CPEntry parts(CPTag Tag, uint16_t A, uint16_t B = 0) {
  CPEntry E;
  E.Tag = Tag;
  E.A = A;
  E.B = B;
  return E;
}

uint16_t ConstantPool::addInteger(int32_t V) {
  return addEntry(number(CPTag::Integer, uint32_t(V)));
}
uint16_t ConstantPool::addFloat(float V) {
  uint32_t Bits;
  std::memcpy(&Bits, &V, sizeof(Bits));
  return addEntry(number(CPTag::Float, Bits));
}
uint16_t ConstantPool::addLong(int64_t V) {
  return addEntry(number(CPTag::Long, uint64_t(V)));
}
uint16_t ConstantPool::addDouble(double V) {
  uint64_t Bits;
  std::memcpy(&Bits, &V, sizeof(Bits));
  return addEntry(number(CPTag::Double, Bits));
}
uint16_t ConstantPool::addClass(StringRef Name) {
  uint16_t N = addUtf8(Name);
  return N ? addEntry(parts(CPTag::Class, N)) : 0;
}
uint16_t ConstantPool::addString(StringRef Contents) {
  uint16_t N = addUtf8(Contents);
  return N ? addEntry(parts(CPTag::String, N)) : 0;
}
uint16_t ConstantPool::addNameAndType(StringRef Name, StringRef Descriptor) {
  uint16_t N = addUtf8(Name), D = addUtf8(Descriptor);
  return N && D ? addEntry(parts(CPTag::NameAndType, N, D)) : 0;
}
uint16_t ConstantPool::addMember(CPTag Tag, StringRef Owner, StringRef Name,
                                 StringRef Descriptor) {
  uint16_t O = addClass(Owner), N = addNameAndType(Name, Descriptor);
  return O && N ? addEntry(parts(Tag, O, N)) : 0;
}

void ConstantPool::rollback(Mark M) {
  Overflowed = false;
  if (M.Size == size())
    return;
  // The last that were added are the first of their lists.
  for (; NumIndexed > M.Size; --NumIndexed)
    if (const CPEntry &Last = Entries[NumIndexed - 1]; Last.Tag != CPTag::None)
      Index[hash(Last) >> IndexShift] = Next[NumIndexed - 1];
  Entries.resize(M.Size);
  if (M.Size < NumLookedAt)
    Expected.clear();
}

void ConstantPool::truncate(unsigned Size) {
  rollback({Size});
  if (Size < NumOriginal)
    setOriginal({});
}

void ConstantPool::encode(ByteWriter &W, unsigned From) const {
  for (unsigned I = From; I < size(); ++I) {
    const CPEntry &E = Entries[I];
    if (E.Tag == CPTag::None)
      continue;
    W.u1(uint8_t(E.Tag));
    const PoolTagInfo &T = getPoolTagInfo(E.Tag);
    if (E.Tag == CPTag::Utf8) {
      W.u2(E.Length);
      W.bytes(E.text());
    } else if (isWide(E.Tag)) {
      W.u8(E.Bits);
    } else if (isNumber(E.Tag)) {
      W.u4(uint32_t(E.Bits));
    } else {
      if (T.sizeOfA() == 1)
        W.u1(uint8_t(E.A));
      else
        W.u2(E.A);
      if (T.hasB())
        W.u2(E.B);
    }
  }
}
