//===- AdviceKinds.cpp - Kinds of advice and data items -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/AdviceKinds.h"

using namespace jopt;
using llvm::StringRef;

static constexpr AdviceKindInfo Kinds[] = {
#define GET_ADVICE_KINDS
#include "jopt/Advice/Advice.inc"
};
static_assert(std::size(Kinds) == NumAdviceKinds && NumAdviceKinds <= 32);

static constexpr DataItemInfo Items[] = {
#define GET_DATA_ITEMS
#include "jopt/Advice/Advice.inc"
};
static_assert(std::size(Items) == NumDataItems);

const AdviceKindInfo &jopt::getInfo(AdviceKind K) { return Kinds[unsigned(K)]; }

const DataItemInfo &jopt::getInfo(DataItem D) { return Items[unsigned(D)]; }

std::optional<AdviceKind> jopt::findAdviceKind(StringRef Name) {
  for (unsigned I = 0; I < NumAdviceKinds; ++I)
    if (Name == Kinds[I].Name)
      return AdviceKind(I);
  return std::nullopt;
}

std::optional<AdviceKind> jopt::findFragmentKind(StringRef Name) {
  std::optional<AdviceKind> K = findAdviceKind(Name);
  return K && getInfo(*K).InFiles ? K : std::nullopt;
}

std::optional<DataItem> jopt::findDataItem(StringRef Name) {
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (Name == Items[I].Name)
      return DataItem(I);
  return std::nullopt;
}

bool jopt::isAllowedAt(AdviceKind K, DataItem D) {
  return getInfo(D).AllowedAt >> unsigned(K) & 1;
}

bool jopt::isSiteItem(AdviceKind K, DataItem D) {
  return isCallKind(K) || getInfo(D).Source == DataSource::Site;
}

std::optional<unsigned> DataUse::number() const {
  unsigned N;
  if (StringRef(Key).getAsInteger(10, N))
    return std::nullopt;
  return N;
}
