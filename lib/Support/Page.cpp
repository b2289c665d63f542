//===- Page.cpp - Pages with their data in them ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Page.h"

using namespace jopt;
using llvm::StringRef;

void jopt::printPage(StringRef Page, StringRef JSON, llvm::raw_ostream &OS) {
  auto [Front, Back] = Page.split("@DATA@");
  OS << Front;
  // A script element ends at the first end tag, also in a string.
  for (StringRef Rest = JSON; !Rest.empty();) {
    const auto [Part, Behind] = Rest.split('<');
    OS << Part;
    if (Part.size() < Rest.size())
      OS << "\\u003c";
    Rest = Behind;
  }
  OS << Back;
}
