//===- EventsPage.cpp - What one-liners tell, for a browser ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/EventsPage.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Support/Page.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

/// Events.html.
static constexpr uint8_t Page[] = {
#include "jopt/Client/Events.inc"
};

static constexpr size_t Most = 64 << 20;

void EventsPage::add(StringRef Line) {
  if (Bytes + Line.size() > Most) {
    ++Lost;
    return;
  }
  Bytes += Line.size();
  Lines.push_back(llvm::json::fixUTF8(Line));
}

std::string EventsPage::make() const {
  std::string Data, Text;
  llvm::raw_string_ostream DataOS(Data), OS(Text);
  llvm::json::OStream J(DataOS);
  J.object([&] {
    J.attribute("title", llvm::json::fixUTF8(Title));
    J.attribute("lost", int64_t(Lost));
    // As texts: what a program tells may be no JSON.
    J.attributeArray("lines", [&] {
      for (const std::string &Line : Lines)
        J.value(Line);
    });
  });
  printPage(toStringRef(jopt::Bytes(Page)), DataOS.str(), OS);
  return OS.str();
}
