//===- OneLinerText.h - A one-liner, read -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_ONELINERS_ONELINERTEXT_H
#define JOPT_LIB_PROBES_ONELINERS_ONELINERTEXT_H

#include "jopt/Probes/OneLiner.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

namespace jopt::oneliner {

/// What a `target` element has.
struct TargetPattern {
  std::string Package, Class, Method, Signature;
  std::string Qualified = {}; ///< in place of package and class
  bool isOneClass() const {
    return Qualified.empty() && !llvm::StringRef(Class).contains('*') &&
           (Package == "*" || !llvm::StringRef(Package).contains('*'));
  }
};

/// The target of `class#method(parameters)`: dots, `*` for any characters,
/// `..` for any parameters, which may be left out. A class without a package is
/// one of any.
llvm::Expected<TargetPattern> readTarget(llvm::StringRef Pattern);

/// Lines of a class: `com.shop.Cart:20-22`.
struct LinePlace {
  std::string Class;
  unsigned From = 0, To = 0;
};

/// \p Word has the form of one; what is wrong with it is said by readLines().
bool isLinePlace(llvm::StringRef Word);
llvm::Expected<LinePlace> readLines(llvm::StringRef Word);

/// What expressions may name, beside what the library of probes has.
std::vector<llvm::StringRef> expressionNames();

/// `"..."` in Java.
std::string javaString(llvm::StringRef Text);

/// \p Java in a CDATA section, whatever is in it.
std::string section(std::string Java);

inline bool isIdentifierPart(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$';
}

/// The words of a one-liner, with the defaults of its verb.
struct OneLiner {
  std::string Verb;
  std::vector<std::string> Patterns;
  std::vector<TargetPattern> Targets; ///< one for each pattern
  bool Args = false, Result = false, Self = false;
  std::string When, By; ///< Java expressions
  LinePlace Lines;      ///< of line
  std::string Text;     ///< a template
  bool Locals = false;
  bool NoProxies = false;
  bool Async = false;  ///< of tree: with the tasks that it hands over
  std::string Id;      ///< an expression
  bool OfType = false; ///< of throws: the targets are types of exceptions
  std::string Folder, Classes, Letters; ///< of record
  uint64_t Memory = 0;                  ///< of record, in bytes
  std::optional<unsigned> Expand;       ///< levels of objects
  uint64_t Limit = 0, Stack = 0, Interval = 0, Rows = 0; ///< 0: not given
};

llvm::Expected<OneLiner> read(llvm::StringRef Place);

} // namespace jopt::oneliner

#endif
