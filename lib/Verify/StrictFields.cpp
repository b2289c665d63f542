//===- StrictFields.cpp - Fields to be set before super() -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StrictFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;

void StrictFields::begin(const MemberView &M) {
  Sets.resize(1);
  Now.clear();
  if (!V.hasValueClasses() || V.utf8(M.Name) != "<init>")
    return;
  if (!std::exchange(Known, true))
    for (const MemberView &F : V.Fields)
      if (V.isStrict(F))
        Fields.try_emplace({V.utf8(F.Name), V.utf8(F.Descriptor)},
                           uint16_t(Fields.size()));
  if (Fields.empty())
    return;
  Set &All = Sets.emplace_back();
  for (unsigned N : llvm::seq(Fields.size()))
    All.push_back(uint16_t(N));
  load(all());
}

std::optional<uint16_t> StrictFields::find(StringRef Name,
                                           StringRef Descriptor) const {
  auto It = Fields.find({Name, Descriptor});
  return It == Fields.end() ? std::nullopt : std::optional(It->second);
}

uint32_t StrictFields::add(Set Unset) {
  llvm::sort(Unset);
  Unset.erase(llvm::unique(Unset), Unset.end());
  if (Unset.empty())
    return None;
  Sets.push_back(std::move(Unset));
  return uint32_t(Sets.size() - 1);
}

void StrictFields::load(uint32_t Declared) {
  if (!any())
    return;
  Now = Sets[Declared];
  ++Version;
}

void StrictFields::set(uint16_t Field) {
  auto It = llvm::lower_bound(Now, Field);
  if (It != Now.end() && *It == Field)
    Now.erase(It);
}

void StrictFields::setAll() { Now.clear(); }

bool StrictFields::fits(uint32_t Declared) const {
  const Set &To = Sets[Declared];
  return Now.size() <= To.size() &&
         std::includes(To.begin(), To.end(), Now.begin(), Now.end());
}
