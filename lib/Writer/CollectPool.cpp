//===- CollectPool.cpp - A pool without what nobody uses ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Writer/CollectPool.h"
#include "PoolUses.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using llvm::StringRef;

namespace {

class PoolCollector : public PoolUses {
public:
  explicit PoolCollector(const ClassFile &F)
      : PoolUses(F), Entries(F.Pool.size()), Used(F.Pool.size()),
        ByByte(F.Pool.size()), LongLoads(F.Pool.size()), Same(F.Pool.size()),
        New(F.Pool.size()) {}
  std::optional<llvm::SmallVector<uint8_t, 0>> run(const llvm::BitVector *Keep,
                                                   bool *HasLongLoads);
  llvm::BitVector findUnused();

private:
  struct Site {
    const uint8_t *At;
    bool IsByte;
  };

  bool findEntries();
  void use(const uint8_t *At, bool IsByte = false) override;
  void load(const uint8_t *At, bool IsByte) override;
  Answer enter(const Attribute &A, StringRef Name,
               AttributePlace Place) override;
  void mark(unsigned Index);
  bool isOfFile(const uint8_t *At) const {
    return At >= F.Original.begin() && At + 2 <= F.Original.end();
  }
  bool header();
  void merge();
  unsigned number();
  bool canShorten() const;
  void write(ByteWriter &W, unsigned Index) const;

  std::vector<Bytes> Entries; ///< of the file, with their tags
  const uint8_t *PoolEnd = nullptr;
  std::vector<Site> Sites;
  llvm::BitVector Used;
  llvm::BitVector ByByte;          ///< an index of one byte names it
  std::vector<uint32_t> LongLoads; ///< how many ldc_w name it
  std::vector<uint16_t> Same;      ///< the first equal entry
  std::vector<uint16_t> New;       ///< its index then
};

} // namespace

static unsigned sizeOfEntry(const uint8_t *At) {
  const PoolTagInfo &T = getPoolTagInfo(CPTag(*At));
  return T.Size ? 1u + T.Size : 3u + readU2(At + 1);
}

bool PoolCollector::findEntries() {
  constexpr size_t FirstEntry = 10;
  const uint8_t *At = F.Original.data() + FirstEntry;
  for (unsigned N = 1; N < F.Pool.size(); ++N) {
    if (F.Pool[N].Tag == CPTag::None)
      continue; // behind a long or double
    if (!isOfFile(At) || CPTag(*At) != F.Pool[N].Tag)
      return false;
    Entries[N] = Bytes(At, sizeOfEntry(At));
    At += Entries[N].size();
  }
  PoolEnd = At;
  return isOfFile(At);
}

void PoolCollector::mark(unsigned Index) {
  if (!Index || Index >= Used.size() || Used.test(Index))
    return;
  Used.set(Index);
  const CPEntry &E = F.Pool[Index];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  if (T.A)
    mark(E.A);
  if (T.B)
    mark(E.B);
}

void PoolCollector::use(const uint8_t *At, bool IsByte) {
  const unsigned Index = indexAt(At, IsByte);
  Sites.push_back({At, IsByte});
  mark(Index);
  if (IsByte && Index < ByByte.size())
    ByByte.set(Index);
}

void PoolCollector::load(const uint8_t *At, bool IsByte) {
  use(At, IsByte);
  const unsigned Index = indexAt(At, IsByte);
  if (!IsByte && Index < LongLoads.size())
    ++LongLoads[Index];
}

/// Its name is patched where the file has it.
PoolUses::Answer PoolCollector::enter(const Attribute &A, StringRef,
                                      AttributePlace) {
  constexpr size_t HeaderSize = 6; // name and length
  const uint8_t *Header = A.Data.data() - HeaderSize;
  if (!A.Data.data() || !isOfFile(Header) || readU2(Header) != A.NameIndex)
    return Fail;
  use(Header);
  return Visit;
}

/// All that stands behind the pool.
bool PoolCollector::header() {
  use(PoolEnd + 2);
  use(PoolEnd + 4);
  for (size_t N = 0; N < F.Interfaces.size(); ++N)
    use(PoolEnd + 8 + 2 * N);
  auto Of = [&](const Member &M, AttributePlace Place) {
    if (!isOfFile(M.Original.data()))
      return false;
    use(M.Original.data() + 2);
    use(M.Original.data() + 4);
    return visit(M.Attributes, Place);
  };
  return llvm::all_of(F.Fields,
                      [&](const Field &M) { return Of(M, InField); }) &&
         llvm::all_of(F.Methods,
                      [&](const Method &M) { return Of(M, InMethod); }) &&
         visit(F.Attributes, InClass);
}

/// Finds equal entries. What is resolved once for each entry stays as often.
void PoolCollector::merge() {
  llvm::StringMap<uint16_t> Known;
  auto Merge = [&](unsigned N) {
    ByteWriter W;
    W.u1(uint8_t(F.Pool[N].Tag));
    const PoolTagInfo &T = getPoolTagInfo(F.Pool[N].Tag);
    if (T.A) {
      W.u2(Same[F.Pool[N].A]);
      W.u2(T.B ? Same[F.Pool[N].B] : 0);
    } else {
      W.bytes(Entries[N]);
    }
    Same[N] =
        Known.try_emplace(toStringRef(W.data()), uint16_t(N)).first->second;
  };
  for (unsigned N = 0; N < Same.size(); ++N)
    Same[N] = uint16_t(N);
  for (unsigned N : Used.set_bits())
    if (F.Pool[N].Tag == CPTag::Utf8 || isNumber(F.Pool[N].Tag))
      Merge(N);
  for (unsigned N : Used.set_bits())
    if (F.Pool[N].Tag == CPTag::String || F.Pool[N].Tag == CPTag::NameAndType)
      Merge(N);
  for (unsigned N : ByByte.set_bits())
    ByByte.set(Same[N]);
  for (unsigned N : Used.set_bits())
    if (Same[N] != N)
      LongLoads[Same[N]] += std::exchange(LongLoads[N], 0);
}

/// An index of one byte is less.
static constexpr unsigned ByteIndices = 256;

/// Gives the entries that stay their indices: first those that an index of one
/// byte names, then those that could have one. Returns how many there are then.
unsigned PoolCollector::number() {
  std::vector<unsigned> Order, Loaded;
  for (unsigned N : Used.set_bits())
    if (Same[N] == N && ByByte.test(N))
      Order.push_back(N);
    else if (Same[N] == N && LongLoads[N])
      Loaded.push_back(N);
  llvm::stable_sort(Loaded, [&](unsigned A, unsigned B) {
    return LongLoads[A] > LongLoads[B];
  });
  Loaded.resize(std::min(Loaded.size(), ByteIndices - 1 - Order.size()));
  llvm::append_range(Order, Loaded);
  unsigned Next = 1;
  auto Place = [&](unsigned N) {
    New[N] = uint16_t(Next);
    Next += isWide(F.Pool[N].Tag) ? 2 : 1;
  };
  llvm::for_each(Order, Place);
  for (unsigned N : Used.set_bits())
    if (Same[N] == N && !New[N])
      Place(N);
  return Next;
}

/// Some ldc_w has an index of one byte now.
bool PoolCollector::canShorten() const {
  for (unsigned N : Used.set_bits())
    if (Same[N] == N && LongLoads[N] && New[N] < ByteIndices)
      return true;
  return false;
}

void PoolCollector::write(ByteWriter &W, unsigned Index) const {
  const CPEntry &E = F.Pool[Index];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  if (!T.A && !T.B)
    return W.bytes(Entries[Index]);
  W.u1(uint8_t(E.Tag));
  auto Put = [&](unsigned V, bool IsIndex, unsigned Size) {
    const unsigned Now = IsIndex ? New[Same[V]] : V;
    if (Size == 1)
      W.u1(uint8_t(Now));
    else
      W.u2(uint16_t(Now));
  };
  Put(E.A, T.A, T.sizeOfA());
  if (T.hasB())
    Put(E.B, T.B, 2);
}

std::optional<llvm::SmallVector<uint8_t, 0>>
PoolCollector::run(const llvm::BitVector *Keep, bool *HasLongLoads) {
  if (F.Pool.size() < 2 || !findEntries() || !header())
    return std::nullopt;
  if (Keep)
    for (unsigned N : Keep->set_bits())
      mark(N);
  merge();
  const unsigned Count = number();
  ByteWriter W;
  W.bytes(F.Original.take_front(8));
  W.u2(uint16_t(Count));
  std::vector<unsigned> Order;
  for (unsigned N : Used.set_bits())
    if (Same[N] == N)
      Order.push_back(N);
  llvm::sort(Order, [&](unsigned A, unsigned B) { return New[A] < New[B]; });
  for (unsigned N : Order)
    write(W, N);
  const size_t Begin = W.size();
  W.bytes(F.Original.drop_front(PoolEnd - F.Original.data()));
  for (const Site &S : Sites) {
    const size_t At = Begin + size_t(S.At - PoolEnd);
    if (S.IsByte)
      W.buffer()[At] = uint8_t(New[Same[*S.At]]);
    else
      W.patchU2(At, New[Same[readU2(S.At)]]);
  }
  const bool CanShorten = HasLongLoads && canShorten();
  if (HasLongLoads)
    *HasLongLoads = CanShorten;
  if (W.size() > F.Original.size() ||
      (W.size() == F.Original.size() && !CanShorten))
    return std::nullopt;
  return W.take();
}

llvm::BitVector PoolCollector::findUnused() {
  llvm::BitVector Unused(F.Pool.size());
  if (F.Pool.size() < 2 || !findEntries() || !header())
    return Unused;
  for (unsigned N = 1; N < F.Pool.size(); ++N)
    if (F.Pool[N].Tag != CPTag::None && !Used.test(N))
      Unused.set(N);
  return Unused;
}

std::optional<llvm::SmallVector<uint8_t, 0>>
jopt::collectPool(const ClassFile &F, const llvm::BitVector *Keep,
                  bool *HasLongLoads) {
  return PoolCollector(F).run(Keep, HasLongLoads);
}

llvm::BitVector jopt::findUnusedEntries(const ClassFile &F) {
  return PoolCollector(F).findUnused();
}
