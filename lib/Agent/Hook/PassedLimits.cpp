//===- PassedLimits.cpp - Methods that probes make too long ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/PassedLimits.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// The sizes of the methods of \p Class by name and descriptor.
static std::map<std::string, size_t> sizesOf(Bytes Class) {
  std::map<std::string, size_t> Sizes;
  auto F = readClass(Class);
  if (!F) {
    llvm::consumeError(F.takeError());
    return Sizes;
  }
  for (const Method &M : (*F)->Methods)
    Sizes[((*F)->name(M) + (*F)->descriptor(M)).str()] =
        M.code((*F)->Pool).size();
  return Sizes;
}

void PassedLimits::add(StringRef Name, Bytes Before, Bytes After) {
  const std::map<std::string, size_t> Old = sizesOf(Before);
  std::string Class = Name.str();
  std::replace(Class.begin(), Class.end(), '/', '.');
  for (const auto &[Key, Size] : sizesOf(After)) {
    auto At = Old.find(Key);
    if (At == Old.end())
      continue;
    // The highest of those that it passes says all.
    for (unsigned Limit : {hotspot::HugeMethodLimit, hotspot::FreqInlineSize,
                           hotspot::MaxInlineSize})
      if (At->second <= Limit && Size > Limit) {
        std::lock_guard<std::mutex> Guard(Lock);
        Methods[Limit].push_back(
            (Class + "." + StringRef(Key).split('(').first + " (" +
             llvm::Twine(At->second) + " to " + llvm::Twine(Size) + ")")
                .str());
        break;
      }
  }
}

std::string PassedLimits::take() {
  constexpr size_t MostNamed = 3;
  std::map<unsigned, std::vector<std::string>> Taken;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Taken.swap(Methods);
  }
  std::string Text;
  for (auto &[Limit, Names] : Taken) {
    llvm::sort(Names);
    const StringRef Effect =
        Limit == hotspot::MaxInlineSize    ? "inlined only where they are hot"
        : Limit == hotspot::FreqInlineSize ? "inlined no more"
                                           : "compiled no more";
    Text += (Text.empty() ? "" : "; ") +
            (llvm::Twine(Names.size()) + " over " + llvm::Twine(Limit) +
             " bytes (" + Effect + "): ")
                .str() +
            llvm::join(llvm::ArrayRef(Names).take_front(MostNamed), ", ");
    if (Names.size() > MostNamed)
      Text += ", ...";
  }
  return Text.empty() ? Text : "methods that grew by their probes: " + Text;
}
