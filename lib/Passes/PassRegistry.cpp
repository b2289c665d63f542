//===- PassRegistry.cpp - Passes by name ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PassRegistry.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

namespace jopt {
#define GET_PASS_OPTIONS_IMPL
#include "jopt/Passes/Passes.inc"
} // namespace jopt

StringRef jopt::getPropertyName(Property P) {
  static constexpr llvm::StringLiteral Names[] = {
#define GET_PROPERTY_NAMES
#include "jopt/Passes/Passes.inc"
  };
  static_assert(std::size(Names) == NumProperties);
  return Names[unsigned(P)];
}

PassRegistry::PassRegistry() {
#define GET_PASS_REGISTRY
#include "jopt/Passes/Passes.inc"
}

llvm::Error PassRegistry::add(PassInfo I) {
  if (I.Argument.empty() || !llvm::all_of(I.Argument, [](char C) {
        return llvm::isAlnum(C) || C == '-' || C == '_' || C == '.';
      }))
    return makeError("'" + I.Argument + "' is not a name for a pass");
  if (find(I.Argument))
    return makeError("there is a pass '" + I.Argument + "' already");
  if (!I.Create && I.Pipeline.empty())
    return makeError("pass '" + I.Argument + "' has no way to make it");
  Passes.push_back(std::move(I));
  return llvm::Error::success();
}

const PassInfo *PassRegistry::find(StringRef Argument) const {
  for (const PassInfo &I : Passes)
    if (I.Argument == Argument)
      return &I;
  return nullptr;
}

void PassRegistry::printHelp(llvm::raw_ostream &OS) const {
  for (const PassInfo &I : Passes) {
    OS << "  " << llvm::left_justify(I.Argument, 20) << ' ' << I.Summary;
    if (!I.Pipeline.empty())
      OS << ": " << I.Pipeline;
    OS << '\n';
    for (const PassOptionInfo &O : I.Options)
      OS << "    " << O.Name << '=' << O.Type << " (default " << O.Default
         << ") " << O.Help << '\n';
  }
}
