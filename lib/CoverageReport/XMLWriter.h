//===- XMLWriter.h - Elements and attributes as text ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_XMLWRITER_H
#define JOPT_LIB_COVERAGEREPORT_XMLWRITER_H

#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace jopt::coverage {

/// Writes elements, with no white space between them. Names of elements must
/// live until the element has ended.
class XMLWriter {
public:
  explicit XMLWriter(llvm::raw_ostream &OS) : OS(OS) {}

  void begin(llvm::StringRef Name) {
    endTag();
    OS << '<' << Name;
    Open.push_back(Name);
    InTag = true;
  }
  void attribute(llvm::StringRef Name, uint64_t Value) {
    OS << ' ' << Name << "=\"" << Value << '"';
  }
  /// \p Value is modified UTF-8.
  void attribute(llvm::StringRef Name, llvm::StringRef Value) {
    OS << ' ' << Name << "=\"" << toXMLText(toDisplayUTF8(Value)) << '"';
  }
  /// \p Value is modified UTF-8.
  void text(llvm::StringRef Value) {
    endTag();
    OS << toXMLText(toDisplayUTF8(Value));
  }
  void end() {
    if (InTag)
      OS << "/>";
    else
      OS << "</" << Open.back() << '>';
    InTag = false;
    Open.pop_back();
  }

private:
  void endTag() {
    if (InTag)
      OS << '>';
    InTag = false;
  }
  llvm::raw_ostream &OS;
  std::vector<llvm::StringRef> Open;
  bool InTag = false;
};

} // namespace jopt::coverage

#endif
