//===- SiteFilter.cpp - Which sites of a method are meant -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/SiteFilter.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

static constexpr llvm::StringLiteral SelectorNames[] = {
#define GET_SELECTORS
#include "jopt/Advice/Advice.inc"
};

llvm::ArrayRef<llvm::StringLiteral> jopt::getSelectorNames() {
  return SelectorNames;
}

std::string jopt::kindsThatSay(Selector S) {
  std::vector<StringRef> Names;
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (getInfo(AdviceKind(K)).Selectors & S)
      Names.push_back(getAdviceKindName(AdviceKind(K)));
  return llvm::join(Names, ", ");
}

bool SiteFilter::takes(StringRef Pattern, StringRef Text) {
  return Pattern.empty() || matchesWildcard(Pattern, Text);
}

bool SiteFilter::says(Selector S) const {
  switch (S) {
  case SelectsOwner:
    return !Owner.empty();
  case SelectsName:
    return !Name.empty();
  case SelectsDescriptor:
    return !Descriptor.empty();
  case SelectsOrdinal:
    return Ordinal;
  case SelectsLines:
    return FirstLine || LastLine != ~0u;
  case SelectsWhere:
    return Where != Usual;
  }
  llvm_unreachable("all selectors are listed");
}

static Error setLines(SiteFilter &F, StringRef Value) {
  auto [First, Last] = Value.split('-');
  if (First.getAsInteger(10, F.FirstLine) ||
      (Value.contains('-') ? Last : First).getAsInteger(10, F.LastLine) ||
      F.LastLine < F.FirstLine)
    return makeError("neither a line nor two of the form 10-20");
  return Error::success();
}

Error SiteFilter::set(StringRef Key, StringRef Value) {
  if (Key == "lines")
    return setLines(*this, Value);
  if (Key == "ordinal") {
    if (Value.getAsInteger(10, Ordinal) || !Ordinal)
      return makeError("not a number from 1 on");
    return Error::success();
  }
  if (Key == "where") {
    if (Value != "before" && Value != "after")
      return makeError("neither 'before' nor 'after'");
    Where = Value == "before" ? Before : Behind;
    return Error::success();
  }
  if (Value.empty())
    return makeError("empty");
  if (llvm::any_of(Value, llvm::isSpace))
    return makeError("a pattern with white space");
  std::string &Pattern = Key == "owner"  ? Owner
                         : Key == "name" ? Name
                                         : Descriptor;
  Pattern = Value.str();
  // Classes as Java has them, arrays as class files have them.
  if (Key == "owner")
    std::replace(Pattern.begin(), Pattern.end(), '.', '/');
  return Error::success();
}

void SiteFilter::forEach(
    llvm::function_ref<void(StringRef, const std::string &)> Each) const {
  for (auto [Bit, Key] : llvm::enumerate(SelectorNames)) {
    const auto S = Selector(1u << Bit);
    if (!says(S))
      continue;
    switch (S) {
    case SelectsOwner:
      Each(Key, Owner);
      break;
    case SelectsName:
      Each(Key, Name);
      break;
    case SelectsDescriptor:
      Each(Key, Descriptor);
      break;
    case SelectsOrdinal:
      Each(Key, std::to_string(Ordinal));
      break;
    case SelectsLines:
      Each(Key, std::to_string(FirstLine) + "-" + std::to_string(LastLine));
      break;
    case SelectsWhere:
      Each(Key, Where == Before ? "before" : "after");
      break;
    }
  }
}
