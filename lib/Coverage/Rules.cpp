//===- Rules.cpp - From a recorded array to all points --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Rules.h"
#include "TextNumbers.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

static constexpr char Digit0 = '0', Others = '!';
static constexpr unsigned DigitBits = 5, More = 1u << DigitBits;
enum HasElement : uint32_t { NoElement, NextElement, NamedElement };
static constexpr unsigned ElementBits = 2;

void jopt::coverage::putNumber(std::string &Text, uint64_t N) {
  for (; N >= More; N >>= DigitBits)
    Text += char(Digit0 + (N % More | More));
  Text += char(Digit0 + N);
}

uint32_t NumberReader::number() {
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

std::string jopt::coverage::encodeRules(const ClassRules &C) {
  const std::vector<Rule> &Rules = C.Rules;
  std::string Text;
  if (C.NumProbes != Rules.size()) {
    Text += Others;
    putNumber(Text, C.NumProbes);
  }
  putNumber(Text, Rules.size());
  uint32_t Next = 0;
  for (uint32_t P = 0; P < Rules.size(); ++P) {
    const Rule &R = Rules[P];
    const HasElement Has = !R.Element           ? NoElement
                           : *R.Element == Next ? NextElement
                                                : NamedElement;
    putNumber(Text, uint64_t(R.Points.size()) << ElementBits | Has);
    if (Has == NamedElement)
      putNumber(Text, *R.Element);
    if (R.Element)
      Next = *R.Element + 1;
    for (uint32_t Q : R.Points)
      putNumber(Text, toDistance(P, Q));
  }
  return Text;
}

namespace {
class RuleDecoder {
public:
  RuleDecoder(StringRef Text, uint32_t Count)
      : HasOthers(Text.consume_front(StringRef(&Others, 1))), In(Text),
        Count(Count) {}

  llvm::Expected<ClassRules> run();

private:
  Rule rule(uint32_t P, size_t Size);

  const bool HasOthers;
  NumberReader In;
  const uint32_t Count;
  uint32_t Next = 0; ///< the element behind that which was named last
};
} // namespace

Rule RuleDecoder::rule(uint32_t P, size_t Size) {
  Rule R;
  const uint32_t Head = In.number();
  const uint32_t Has = Head % (1u << ElementBits);
  if (Has == NextElement)
    R.Element = Next;
  else if (Has == NamedElement)
    R.Element = In.number();
  if (Has > NamedElement || (R.Element && *R.Element >= Count))
    In.fail();
  if (R.Element)
    Next = *R.Element + 1;
  for (uint32_t N = Head >> ElementBits; N && !In.failed(); --N) {
    const int64_t Q = fromDistance(P, In.number());
    if (Q < 0 || Q >= int64_t(Size))
      In.fail();
    R.Points.push_back(uint32_t(Q));
  }
  return R;
}

llvm::Expected<ClassRules> RuleDecoder::run() {
  ClassRules C;
  C.NumProbes = In.number();
  const uint32_t Size = HasOthers ? In.number() : C.NumProbes;
  // A rule has a character at least.
  if ((HasOthers && C.NumProbes >= Size) || Size > In.remaining())
    In.fail();
  while (!In.failed() && C.Rules.size() < Size)
    C.Rules.push_back(rule(uint32_t(C.Rules.size()), Size));
  if (In.failed() || In.remaining())
    return makeError("the rules of a class are broken at character " +
                     llvm::Twine(HasOthers + In.offset()));
  return C;
}

llvm::Expected<ClassRules> jopt::coverage::decodeRules(StringRef Text,
                                                       uint32_t Count) {
  return RuleDecoder(Text, Count).run();
}

std::vector<uint64_t> jopt::coverage::inflate(llvm::ArrayRef<Rule> Rules,
                                              llvm::ArrayRef<uint64_t> Raw) {
  // The points that each point implies, in one list.
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
