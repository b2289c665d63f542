//===- Rules.cpp - What a recorded array says of all points ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Rules.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

static constexpr char Digit0 = '0', Others = '!';
static constexpr unsigned DigitBits = 5, More = 1u << DigitBits;
enum HasElement : uint32_t { NoElement, NextElement, NamedElement };
static constexpr unsigned ElementBits = 2;

static void put(std::string &Text, uint64_t N) {
  for (; N >= More; N >>= DigitBits)
    Text += char(Digit0 + (N % More | More));
  Text += char(Digit0 + N);
}

static uint64_t distance(uint32_t From, uint32_t To) {
  return To >= From ? 2 * uint64_t(To - From) : 2 * uint64_t(From - To) - 1;
}

std::string jopt::coverage::encodeRules(const ClassRules &C) {
  const std::vector<Rule> &Rules = C.Rules;
  std::string Text;
  if (C.NumProbes != Rules.size()) {
    Text += Others;
    put(Text, C.NumProbes);
  }
  put(Text, Rules.size());
  uint32_t Next = 0;
  for (uint32_t P = 0; P < Rules.size(); ++P) {
    const Rule &R = Rules[P];
    const HasElement Has = !R.Element           ? NoElement
                           : *R.Element == Next ? NextElement
                                                : NamedElement;
    put(Text, uint64_t(R.Points.size()) << ElementBits | Has);
    if (Has == NamedElement)
      put(Text, *R.Element);
    if (R.Element)
      Next = *R.Element + 1;
    for (uint32_t Q : R.Points)
      put(Text, distance(P, Q));
  }
  return Text;
}

namespace {
class Decoder {
public:
  Decoder(StringRef Text, uint32_t Count) : Text(Text), Count(Count) {}

  llvm::Expected<ClassRules> run();

private:
  /// The next number; 0 where there is none, and Fine no longer holds.
  uint32_t number();
  Rule rule(uint32_t P, size_t Size);

  const StringRef Text;
  const uint32_t Count;
  size_t At = 0;
  uint32_t Next = 0; ///< the element behind that which was named last
  bool Fine = true;
};
} // namespace

uint32_t Decoder::number() {
  uint64_t N = 0;
  for (unsigned Shift = 0; Shift < 32 && At < Text.size(); Shift += DigitBits) {
    const unsigned Group = unsigned(Text[At] - Digit0);
    if (Group >= 2 * More)
      break;
    ++At;
    N |= uint64_t(Group % More) << Shift;
    if (Group < More && N <= UINT32_MAX)
      return uint32_t(N);
  }
  Fine = false;
  return 0;
}

Rule Decoder::rule(uint32_t P, size_t Size) {
  Rule R;
  const uint32_t Head = number();
  const uint32_t Has = Head % (1u << ElementBits);
  if (Has == NextElement)
    R.Element = Next;
  else if (Has == NamedElement)
    R.Element = number();
  Fine &= Has <= NamedElement && (!R.Element || *R.Element < Count);
  if (R.Element)
    Next = *R.Element + 1;
  for (uint32_t N = Head >> ElementBits; N && Fine; --N) {
    const uint32_t D = number();
    const int64_t Q = int64_t(P) + (D % 2 ? -int64_t(D / 2) - 1 : D / 2);
    Fine &= Q >= 0 && Q < int64_t(Size);
    R.Points.push_back(uint32_t(Q));
  }
  return R;
}

llvm::Expected<ClassRules> Decoder::run() {
  ClassRules C;
  const bool HasOthers = Text.starts_with(Others);
  At += HasOthers;
  C.NumProbes = number();
  const uint32_t Size = HasOthers ? number() : C.NumProbes;
  Fine &= !HasOthers || C.NumProbes < Size;
  // A rule has a character at least.
  Fine &= Size <= Text.size();
  while (Fine && C.Rules.size() < Size)
    C.Rules.push_back(rule(uint32_t(C.Rules.size()), Size));
  if (!Fine || At != Text.size())
    return makeError("the rules of a class are broken at character " +
                     llvm::Twine(At));
  return C;
}

llvm::Expected<ClassRules> jopt::coverage::decodeRules(StringRef Text,
                                                       uint32_t Count) {
  return Decoder(Text, Count).run();
}

std::vector<uint64_t> jopt::coverage::inflate(llvm::ArrayRef<Rule> Rules,
                                              llvm::ArrayRef<uint64_t> Raw) {
  // What each point tells of, in one list.
  std::vector<uint32_t> First(Rules.size() + 1);
  for (const Rule &R : Rules)
    for (uint32_t Q : R.Points)
      ++First[Q + 1];
  for (size_t P = 0; P < Rules.size(); ++P)
    First[P + 1] += First[P];
  std::vector<uint32_t> Told(First.back()), At(First);
  for (uint32_t P = 0; P < Rules.size(); ++P)
    for (uint32_t Q : Rules[P].Points)
      Told[At[Q]++] = P;

  std::vector<uint64_t> Passed(Rules.size());
  llvm::SmallVector<uint32_t, 32> Work;
  auto Pass = [&](uint32_t P) {
    if (!Passed[P])
      Work.push_back(P);
    Passed[P] = 1;
  };
  for (uint32_t P = 0; P < Rules.size(); ++P)
    if (Rules[P].Element && Raw[*Rules[P].Element])
      Pass(P);
  while (!Work.empty()) {
    const uint32_t Q = Work.pop_back_val();
    for (uint32_t I = First[Q]; I < First[Q + 1]; ++I)
      Pass(Told[I]);
  }
  return Passed;
}
