//===- ProbeText.cpp - Texts of probe files -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/ProbeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

unsigned jopt::countCharacters(StringRef Text) {
  return unsigned(
      llvm::count_if(Text, [](char C) { return (uint8_t(C) & 0xc0) != 0x80; }));
}

Position Position::after(StringRef Text) const {
  Position P = *this;
  if (unsigned Lines = unsigned(Text.count('\n'))) {
    P.Line += Lines;
    P.Column = 1;
    Text = Text.rsplit('\n').second;
  }
  P.Column += countCharacters(Text);
  return P;
}

Position SourceText::getEnd() const {
  if (Pieces.empty())
    return Where;
  const Piece &Last = Pieces.back();
  return Last.Literal
             ? Last.Where.after(StringRef(Text).drop_front(Last.Offset))
             : Last.Where;
}

std::optional<DataItem> jopt::findDataType(StringRef Name) {
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (!Name.empty() && Name == getDataTypeName(DataItem(I)))
      return DataItem(I);
  return std::nullopt;
}

std::vector<StringRef> jopt::getDataTypeNames() {
  std::vector<StringRef> Names;
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (!getDataTypeName(DataItem(I)).empty())
      Names.push_back(getDataTypeName(DataItem(I)));
  return Names;
}

std::vector<StringRef> jopt::getAdviceKindNames() {
  std::vector<StringRef> Names;
  for (unsigned I = 0; I < NumAdviceKinds; ++I)
    if (getInfo(AdviceKind(I)).InFiles)
      Names.push_back(getAdviceKindName(AdviceKind(I)));
  return Names;
}

StringRef jopt::suggest(StringRef Written, llvm::ArrayRef<StringRef> Known) {
  StringRef Nearest;
  unsigned Best = ~0u;
  for (StringRef K : Known) {
    unsigned Limit = K.size() < 4 ? 1 : K.size() <= 8 ? 2 : 3;
    unsigned Distance = Written.edit_distance_insensitive(K, true, Limit);
    if (Distance > Limit) {
      if (Written.size() < 3 || !K.starts_with_insensitive(Written))
        continue;
      Distance = Limit + 1; // behind all that are near
    }
    if (Distance < Best) {
      Best = Distance;
      Nearest = K;
    }
  }
  return Nearest;
}

std::string jopt::didYouMean(StringRef Written,
                             llvm::ArrayRef<StringRef> Known) {
  StringRef Near = suggest(Written, Known);
  if (!Near.empty())
    return ("; did you mean '" + Near + "'?").str();
  return Known.size() > 2 ? "; there are " + llvm::join(Known, ", ") : "";
}

std::string jopt::whereAvailable(DataItem Item) {
  std::vector<StringRef> Have, Lack;
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (getInfo(AdviceKind(K)).InFiles)
      (isAllowedAt(AdviceKind(K), Item) ? Have : Lack)
          .push_back(getAdviceKindName(AdviceKind(K)));
  return Lack.size() < Have.size()
             ? "; it is in all but " + llvm::join(Lack, ", ")
             : "; it is in " + llvm::join(Have, ", ");
}
