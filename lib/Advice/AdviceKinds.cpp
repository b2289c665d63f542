//===- AdviceKinds.cpp - Kinds of advice and data items -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/AdviceKinds.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

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

llvm::ArrayRef<SiteOpcode> jopt::findSiteOpcodes(uint8_t Opcode) {
  static const SiteOpcode Table[] = {
#define GET_SITE_OPCODES
#include "jopt/Advice/Advice.inc"
  }; // ascending
  static const auto *Rows = [] {
    auto *By = new std::array<llvm::ArrayRef<SiteOpcode>, 256>();
    for (llvm::ArrayRef<SiteOpcode> Rest = Table; !Rest.empty();) {
      const auto Same = Rest.take_while([&](const SiteOpcode &Row) {
        return Row.Opcode == Rest.front().Opcode;
      });
      (*By)[Same.front().Opcode] = Same;
      Rest = Rest.drop_front(Same.size());
    }
    return By;
  }();
  return (*Rows)[Opcode];
}

bool jopt::isBlockingMethod(StringRef Owner, StringRef Name) {
  struct Row {
    StringRef Owner, Name;
    bool operator<(const Row &O) const {
      return std::tie(Owner, Name) < std::tie(O.Owner, O.Name);
    }
  };
  static constexpr Row Table[] = {
#define GET_BLOCKING_METHODS
#include "jopt/Advice/Advice.inc"
  }; // ascending
  auto Has = [](const Row &R) {
    return std::binary_search(std::begin(Table), std::end(Table), R);
  };
  return Has({"", Name}) || Has({Owner, Name});
}

llvm::ArrayRef<ItemAnnotation> jopt::getItemAnnotations() {
  static constexpr ItemAnnotation Table[] = {
#define GET_ITEM_ANNOTATIONS
#include "jopt/Advice/Advice.inc"
  };
  return Table;
}

std::optional<AdviceKind> jopt::findSiteAnnotation(StringRef Name) {
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (StringRef Kind = Kinds[K].Name; AnnotatedKinds >> K & 1 &&
                                        !Name.empty() &&
                                        llvm::toUpper(Kind[0]) == Name[0] &&
                                        Kind.drop_front() == Name.drop_front())
      return AdviceKind(K);
  return std::nullopt;
}

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
