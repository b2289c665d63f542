//===- EventsPage.h - What one-liners tell, for a browser -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_EVENTSPAGE_H
#define JOPT_CLIENT_EVENTSPAGE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace jopt::client {

/// Lines that came of a program, and the page of them (Events.html), which
/// needs nothing else. Lines are objects of JSON, events or numbers; others are
/// shown as they are. Not for several threads.
class EventsPage {
public:
  /// \p Title: what was asked.
  explicit EventsPage(std::string Title) : Title(std::move(Title)) {}
  /// One more; of more than 64 MB the rest is only counted.
  void add(llvm::StringRef Line);
  size_t size() const { return Lines.size(); }
  std::string make() const;

private:
  std::string Title;
  std::vector<std::string> Lines;
  size_t Bytes = 0;
  uint64_t Lost = 0;
};

} // namespace jopt::client

#endif
