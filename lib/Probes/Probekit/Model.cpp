//===- Model.cpp - Probekit documents -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;

std::optional<AdviceKind> probekit::findFragmentType(StringRef Name) {
  return findAdviceKind(Name);
}

std::optional<DataItem> probekit::findDataType(StringRef Name) {
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (Name == getDataTypeName(DataItem(I)))
      return DataItem(I);
  return std::nullopt;
}

std::vector<StringRef> probekit::getFragmentTypeNames() {
  std::vector<StringRef> Names;
  for (unsigned I = 0; I < NumAdviceKinds; ++I)
    Names.push_back(getAdviceKindName(AdviceKind(I)));
  return Names;
}

std::vector<StringRef> probekit::getDataTypeNames() {
  std::vector<StringRef> Names;
  for (unsigned I = 0; I < NumDataItems; ++I)
    Names.push_back(getDataTypeName(DataItem(I)));
  return Names;
}

std::vector<StringRef> probekit::getDataKeys() {
  std::vector<StringRef> Keys;
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (const DataItemInfo &Info = getInfo(DataItem(I));
        Info.hasKey() && !llvm::is_contained(Keys, Info.Key))
      Keys.push_back(Info.Key);
  return Keys;
}

std::string Data::findKey(StringRef Key) const {
  for (const auto &[Name, Value] : Keys)
    if (Name == Key)
      return Value;
  return {};
}

StringRef probekit::suggest(StringRef Written,
                            llvm::ArrayRef<StringRef> Known) {
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

unsigned probekit::countCharacters(StringRef Text) {
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

StringRef ProbeElement::getCommentName() const {
  for (const LocalText &N : Names)
    if (!N.Text.empty())
      return N.Text;
  return "unnamed_probe";
}
