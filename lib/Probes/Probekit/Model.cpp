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

StringRef ProbeElement::getName() const {
  for (const LocalText &N : Names)
    if (!N.Text.empty())
      return N.Text;
  return {};
}
