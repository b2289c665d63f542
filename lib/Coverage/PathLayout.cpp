//===- PathLayout.cpp - Where the paths of a class are counted ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/PathLayout.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;

namespace {
using namespace jopt::coverage::pathstrategy;
#define GET_PathStrategyTable_IMPL
#include "jopt/Coverage/Strategies.inc"
} // namespace

llvm::ArrayRef<PathStrategyInfo> jopt::coverage::getPathStrategies() {
  return PathStrategyTable;
}

std::optional<PathStrategy>
jopt::coverage::findPathStrategy(llvm::StringRef Name) {
  for (size_t S = 0; S < std::size(PathStrategyTable); ++S)
    if (PathStrategyTable[S].Name == Name)
      return PathStrategy(S);
  return std::nullopt;
}

llvm::Expected<PathLayout> PathLayout::make(const ClassFile &F) {
  PathLayout L;
  for (uint32_t Index = 0; Index < F.Methods.size(); ++Index) {
    const Method &M = F.Methods[Index];
    const int At = M.codeAttribute(F.Pool);
    if (At < 0)
      continue;
    CodeView Code;
    llvm::Error E = parseCode(F, M.Attributes[size_t(At)].Data, Code);
    auto Blocks = E ? llvm::Expected<std::vector<PathBlock>>(std::move(E))
                    : findBlocks(F, M, Code);
    if (!Blocks)
      return makeError("method " + F.name(M) + F.descriptor(M) + ": " +
                       toMessage(Blocks.takeError()));
    OfMethod Of{Index, CodePaths::number(std::move(*Blocks)), L.Count, false};
    Of.IsTable = Of.Paths.size() > MostInArray;
    L.Count += Of.IsTable ? TableLength : Of.Paths.size();
    L.Methods.push_back(std::move(Of));
  }
  return L;
}

std::string PathLayout::text(uint32_t Rate) const {
  std::string Text = "paths " + llvm::utostr(Rate);
  for (const OfMethod &M : Methods)
    if (M.IsTable)
      Text += " " + llvm::utostr(M.First);
  return Text;
}

llvm::Expected<std::vector<TakenPath>>
jopt::coverage::findTaken(const PathLayout::OfMethod &M,
                          llvm::ArrayRef<uint64_t> Values, llvm::StringRef Text,
                          uint64_t &Lost) {
  uint64_t Rate;
  const size_t Length = M.IsTable ? PathLayout::TableLength : M.Paths.size();
  if (!Text.consume_front("paths ") ||
      Text.split(' ').first.getAsInteger(10, Rate) || !Rate)
    return makeError("what is said of its paths is damaged");
  if (M.First > Values.size() || Length > Values.size() - M.First)
    return makeError("another class file was recorded");
  std::vector<TakenPath> Taken;
  if (!M.IsTable) {
    for (uint32_t N = 0; N < M.Paths.size(); ++N)
      if (const uint64_t Count = Values[M.First + N])
        Taken.push_back({N, Count * Rate});
    return Taken;
  }
  Lost += Values[M.First] * Rate;
  for (uint32_t P = 0; P < PathLayout::TablePlaces; ++P) {
    const uint64_t Key = Values[M.First + 1 + 2 * P];
    const uint64_t Count = Values[M.First + 2 + 2 * P];
    if (Key > M.Paths.size())
      return makeError("another class file was recorded");
    if (Key && Count)
      Taken.push_back({uint32_t(Key - 1), Count * Rate});
  }
  llvm::sort(Taken, [](const TakenPath &A, const TakenPath &B) {
    return A.Number < B.Number;
  });
  return Taken;
}
